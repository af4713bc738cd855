//! `touchline soccer-team`: our team as clients of a server of the Soccer Server's protocol, this program's or another.

use super::Failure;
use super::output::note;
use clap::Args;
use std::net::{SocketAddr, ToSocketAddrs};
use touchline_soccer_client::{PlayError, Team, play};

/// Behind the port of players are the trainer's and that of coaches.
const COACHES: u16 = 2;

/// Options of `soccer-team`.
#[derive(Debug, Args)]
pub struct TeamOptions {
    /// The server's port of players
    #[arg(value_name = "HOST:PORT", default_value = "127.0.0.1:6000")]
    pub server: String,
    /// The team's name: letters, digits, - and _
    #[arg(long, value_name = "NAME", default_value = "Touchline", value_parser = team_name)]
    pub name: String,
    /// How many players come; the first keeps the goal
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=11))]
    pub players: u32,
    /// The server's port of coaches; by default the second one behind that of players
    #[arg(long, value_name = "PORT")]
    pub coach_port: Option<u16>,
    /// Come without a coach
    #[arg(long, conflicts_with = "coach_port")]
    pub no_coach: bool,
}

fn team_name(word: &str) -> Result<String, String> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    if (1..=15).contains(&word.len()) && word.chars().all(is_name) {
        return Ok(word.to_owned());
    }
    Err("1 to 15 letters, digits, - and _".to_owned())
}

/// Plays a game to its end.
pub fn run(options: &TeamOptions) -> Result<(), Failure> {
    let players_at = address(&options.server)?;
    let coach_port = match options.coach_port {
        Some(port) => Some(port),
        None => players_at.port().checked_add(COACHES),
    };
    let coach_at =
        coach_port.filter(|_| !options.no_coach).map(|port| SocketAddr::new(players_at.ip(), port));
    let team = Team { name: options.name.clone(), players_at, coach_at, players: options.players };
    let without_coach = |error: PlayError| {
        note(&format!(
            "the team plays without its coach: {error}\n  hint     --coach-port says where coaches come, --no-coach that none does"
        ));
    };
    play(&team, without_coach).map_err(|error| {
        let hint = match &error {
            PlayError::Network { .. } => format!("is there a server at {}?", options.server),
            PlayError::Refused { .. } => "a server has two teams of eleven, with different names".to_owned(),
        };
        Failure::Resource(format!("{error}\n  hint     {hint}"))
    })
}

fn address(word: &str) -> Result<SocketAddr, Failure> {
    let found = word.to_socket_addrs().map(|mut addresses| addresses.next());
    let why = match found {
        Ok(Some(address)) => return Ok(address),
        Ok(None) => "no such host".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(Failure::Configuration(format!("{word}: {why}\n  hint     HOST:PORT, such as 127.0.0.1:6000")))
}
