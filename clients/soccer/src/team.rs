//! Sockets: each player and the coach on a thread of its own, until the game is over or the server is gone.

use crate::{Coach, Player, Refused};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::thread;
use std::time::Duration;

/// A server that is silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);
/// The server's longest datagram, bytes.
const MAX_DATAGRAM: usize = 16_384;

/// Where a team plays, and who plays.
#[derive(Clone, Debug)]
pub struct Team {
    /// Name of the team.
    pub name: String,
    /// The server's port of players.
    pub players_at: SocketAddr,
    /// Its port of online coaches; `None` for a team without a coach.
    pub coach_at: Option<SocketAddr>,
    /// How many players, 1 to 11; the first keeps the goal.
    pub players: u32,
}

/// Why a team does not play.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The server does not answer, or the system gives no socket.
    #[error("{who}: {error}")]
    Network {
        /// Such as `player 3`.
        who: String,
        /// What the system says.
        error: io::Error,
    },
    /// The server will not have somebody.
    #[error("{who}: {refused}")]
    Refused {
        /// Such as `player 3`.
        who: String,
        /// Its word.
        refused: Refused,
    },
}

/// Plays a game to its end. Players come one after the other, so that each gets its number; then the coach.
///
/// # Errors
/// When somebody cannot come. A server that falls silent ends the game.
pub fn play(team: &Team) -> Result<(), PlayError> {
    thread::scope(|scope| {
        let mut players = Vec::new();
        for number in 1..=team.players {
            let who = format!("player {number}");
            let player = Player::new(&team.name, number == 1);
            let line = Line::open(team.players_at, &player.hello()).map_err(network(&who))?;
            players.push(scope.spawn(move || run_player(line, player, &who)));
        }
        if let Some(coach_at) = team.coach_at {
            let coach = Coach::new(&team.name);
            let line = Line::open(coach_at, &coach.hello()).map_err(network("coach"))?;
            scope.spawn(move || run_coach(line, coach));
        }
        players.into_iter().try_for_each(|player| player.join().unwrap_or(Ok(())))
    })
}

fn network(who: &str) -> impl FnOnce(io::Error) -> PlayError {
    // A wait that has ended has names that tell nobody so.
    let is_silence =
        |error: &io::Error| [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut].contains(&error.kind());
    move |error| {
        let error = match is_silence(&error) {
            true => io::Error::other(format!("no answer within {} s", SILENCE.as_secs())),
            false => error,
        };
        PlayError::Network { who: who.to_owned(), error }
    }
}

fn run_player(mut line: Line, mut player: Player, who: &str) -> Result<(), PlayError> {
    while !player.is_over() {
        let Some(text) = line.next() else { break };
        let answer = player.told(&text);
        let answer = answer.map_err(|refused| PlayError::Refused { who: who.to_owned(), refused })?;
        if let Some(answer) = answer {
            line.send(&answer);
        }
    }
    line.send("(bye)");
    Ok(())
}

/// A team can play without: what becomes of its coach ends no game.
fn run_coach(mut line: Line, mut coach: Coach) {
    while let Some(text) = line.next() {
        let Ok(answers) = coach.told(&text) else { return };
        answers.iter().for_each(|answer| line.send(answer));
    }
}

/// A socket, and where the server listens to it.
struct Line {
    socket: UdpSocket,
    server: SocketAddr,
    /// What was read last.
    datagram: Vec<u8>,
    /// The answer to the hello, which is still to be told.
    first: Option<usize>,
}

impl Line {
    /// Says hello and waits for the answer: it comes from the port to which all else goes.
    fn open(server: SocketAddr, hello: &str) -> io::Result<Self> {
        let any = if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let socket = UdpSocket::bind(any)?;
        socket.set_read_timeout(Some(SILENCE))?;
        socket.send_to(format!("{hello}\0").as_bytes(), server)?;
        let mut datagram = vec![0; MAX_DATAGRAM];
        let (len, from) = socket.recv_from(&mut datagram)?;
        Ok(Self { socket, server: from, datagram, first: Some(len) })
    }

    /// The next datagram's text; `None` if none comes any more.
    fn next(&mut self) -> Option<String> {
        let len = match self.first.take() {
            Some(len) => len,
            None => self.socket.recv(&mut self.datagram).ok()?,
        };
        Some(String::from_utf8_lossy(&self.datagram[..len]).trim_end_matches('\0').to_owned())
    }

    /// Who is gone is found out by its silence.
    fn send(&self, text: &str) {
        let _ = self.socket.send_to(format!("{text}\0").as_bytes(), self.server);
    }
}
