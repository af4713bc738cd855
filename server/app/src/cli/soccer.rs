//! The RoboCup Soccer Server's ports beside board and studio: `--soccer`.

use super::{Failure, addresses};
use clap::ValueEnum;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use touchline_config::{Memory, parse_robot};
use touchline_host::Host;
use touchline_sim::Scenario;
use touchline_soccer::service::{LogPlace, Logs, Options, Ports, Served, ServiceError, params_of};

/// What a player of this league is made of.
const ROBOT: (&str, &str) =
    ("robots/soccer-player.toml", include_str!("../../../../robots/soccer-player.toml"));
/// At most so many monitors.
const MONITORS: usize = 64;

/// The ports that are opened, and for what.
pub struct Plan {
    option: &'static str,
    host: IpAddr,
    ports: [u16; 3],
    /// What is chosen of the service.
    pub options: Options,
    /// Where the game's logs are written, if they are.
    pub logs: Option<[LogPlace; 2]>,
    /// Whether steps wait for the clients: no other is made.
    pub is_synchronous: bool,
}

/// What a monitor may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Monitors {
    /// Only watch
    Watch,
    /// Command as the human referee too
    Command,
}

/// How a game is opened to the league's clients.
pub struct Wish<'a> {
    /// The option that names the address, which messages begin with.
    pub option: &'static str,
    /// `HOST:PORT`, of players and monitors; trainer and coaches have the two ports behind it. Empty for the ports of the world's parameters.
    pub word: &'a str,
    /// In synchronous mode no step is made before so many players have come.
    pub players: u8,
    /// What monitors may do.
    pub monitors: Monitors,
    /// How long a client may think.
    pub patience: Duration,
}

/// What the wish comes to in a world.
///
/// # Errors
/// When the world is none of this league's, or the address makes no sense.
pub fn plan(wish: &Wish<'_>, scenario: &Scenario, host: &Host) -> Result<Plan, Failure> {
    let Wish { option, word, .. } = *wish;
    let params = params_of(scenario).map_err(|why| {
        Failure::Configuration(format!(
            "{option}: the world {} cannot be played by the Soccer Server's clients: {why}\n  hint     take worlds/soccer.toml",
            scenario.name
        ))
    })?;
    let server = &params.server;
    let (address, ports) = if word.is_empty() {
        let ports = [server.port, server.coach_port, server.olcoach_port];
        (IpAddr::V4(Ipv4Addr::LOCALHOST), ports.map(|port| u16::try_from(port).unwrap_or_default()))
    } else {
        let address: SocketAddr = word.parse().map_err(|error| {
            Failure::Configuration(format!(
                "{option}={word}: {error}\n  hint     HOST:PORT, such as 127.0.0.1:6000"
            ))
        })?;
        let port = address.port();
        let ports = if port == 0 { Some([0; 3]) } else { three_from(port) };
        let ports = ports.ok_or_else(|| {
            Failure::Configuration(format!(
                "{option}={word}: trainer and coaches have the two ports behind it\n  hint     at most {}",
                u16::MAX - 2
            ))
        })?;
        (address.ip(), ports)
    };
    let robot = parse_robot(ROBOT.1, Path::new(ROBOT.0), &Memory { files: Default::default() }, host)?;
    let options = Options {
        robot: Arc::new(robot),
        monitors_command: wish.monitors == Monitors::Command,
        monitors: MONITORS,
        players_awaited: usize::from(wish.players),
        patience: wish.patience,
        logs: None,
        progress: None,
    };
    Ok(Plan { option, host: address, ports, options, logs: None, is_synchronous: server.synch_mode })
}

/// A port and the two behind it.
fn three_from(port: u16) -> Option<[u16; 3]> {
    Some([port, port.checked_add(1)?, port.checked_add(2)?])
}

impl Plan {
    /// Binds the ports, and begins the logs.
    ///
    /// # Errors
    /// When others could reach the ports, they cannot be had, or a log cannot be made.
    pub async fn open(&mut self) -> Result<Ports, Failure> {
        let ports = self.bind().await?;
        // Behind the ports: where they cannot be had, no log is begun.
        let logs = self.logs.as_ref().map(Logs::create).transpose();
        self.options.logs = logs.map_err(|error| Failure::Resource(error.to_string()))?;
        Ok(ports)
    }

    async fn bind(&self) -> Result<Ports, Failure> {
        let address = SocketAddr::new(self.host, self.ports[0]);
        if addresses::is_reached_by_others(&address.to_string()).await {
            return Err(self.reached_without_keys(address));
        }
        let option = self.option;
        let bound = Ports::bind(self.host, self.ports);
        bound.map_err(|error: io::Error| {
            Failure::Resource(format!(
                "{option} {error}\n  hint     another server has the port? {option}=127.0.0.1:0 takes free ones"
            ))
        })
    }

    /// There may be keys, but not for these ports.
    fn reached_without_keys(&self, address: SocketAddr) -> Failure {
        let option = self.option;
        Failure::Resource(format!(
            "{option} {address}: other machines reach this address, and the Soccer Server's protocol knows no keys: anybody could play\n  \
             allowed  an address of this machine alone, such as 127.0.0.1:6000\n  \
             hint     start the teams on this machine"
        ))
    }
}

/// Where the logs of a name are written: `NAME.rcg`, `NAME.rcl`, and `.gz` behind it where the world's parameters have them packed.
pub fn log_places(name: &Path, scenario: &Scenario) -> Result<[LogPlace; 2], Failure> {
    let params =
        params_of(scenario).map_err(|why| Failure::Configuration(format!("{}: {why}", scenario.name)))?;
    let server = &params.server;
    let place = |kind: &str, compression: i32| {
        let compression = u32::try_from(compression).unwrap_or_default();
        let mut path = name.as_os_str().to_owned();
        path.push(kind);
        path.push(if compression > 0 { ".gz" } else { "" });
        LogPlace { path: path.into(), compression }
    };
    Ok([place(".rcg", server.game_log_compression), place(".rcl", server.text_log_compression)])
}

/// What went wrong in a game that was served to its end, if anything did.
///
/// # Errors
/// Names each log that is not whole.
pub fn all_written(served: &Served) -> Result<(), Failure> {
    let failed: Vec<String> = served.failed_logs.iter().map(ToString::to_string).collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::Resource(failed.join("\n"))) }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::NotSoccer(why) => Self::Configuration(why.to_string()),
            ServiceError::Sockets(_) => Self::Resource(error.to_string()),
        }
    }
}
