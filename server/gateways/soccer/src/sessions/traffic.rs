//! What goes into the machine and what comes out of it.

use super::journal::Piece;
use crate::state::Who;
use std::net::SocketAddr;
use touchline_soccer_law::face::{RefereeCommand, Side};
use touchline_soccer_law::params::SoccerParams;
use touchline_soccer_law::pitch::Landmark;
use touchline_soccer_law::player_type::PlayerType;

/// Number of a client, in the order in which they came.
pub type ClientId = u32;

/// What a game is played with.
#[derive(Clone, Debug)]
pub struct Config {
    /// The world's parameters.
    pub params: SoccerParams,
    /// The world's player types.
    pub types: Vec<PlayerType>,
    /// Landmarks in the order in which they are told; the world's axes, y up.
    pub landmarks: Vec<Landmark>,
    /// What sight and hearing are drawn by.
    pub seed: u64,
    /// Whether monitors may command as the human referee.
    pub monitors_command: bool,
    /// At most so many monitors.
    pub monitors: usize,
    /// In synchronous mode no step is made before so many players have come.
    pub players_awaited: usize,
    /// Whether each team comes to ports of its own, and nobody plays or coaches who comes to the common ones.
    pub has_team_ports: bool,
    /// Whether the game's logs are written.
    pub is_logged: bool,
    /// When the game began.
    pub began: Began,
}

/// When a game began, in the forms of its log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Began {
    /// In the result: `202601312359`.
    pub in_result: String,
    /// In JSON: `2026-01-31T23:59:58+0000`.
    pub in_json: String,
}

impl Began {
    /// Of a time in seconds since 1970, UTC.
    pub fn at(unix_secs: i64) -> Self {
        let (days, secs) = (unix_secs.div_euclid(86_400), unix_secs.rem_euclid(86_400));
        // Days since 1970 as a date: H. Hinnant, chrono-compatible low-level date algorithms.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let (hour, minute, second) = (secs / 3600, secs / 60 % 60, secs % 60);
        Self {
            in_result: format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}"),
            in_json: format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}+0000"),
        }
    }
}

/// A port at which clients come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Port {
    /// Players and monitors: 6000.
    Player,
    /// The trainer: 6001.
    Trainer,
    /// Online coaches: 6002.
    Coach,
    /// The players of one side, where each team has a port of its own.
    Team(Side),
    /// Its online coach.
    TeamCoach(Side),
}

/// Where a datagram came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A port at which clients come, and who sent it.
    Port(Port, SocketAddr),
    /// A client's own port.
    Client(ClientId),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Out {
    /// Answer somebody who is no client, from a port at which clients come.
    Refuse(Port, SocketAddr, Vec<u8>),
    /// Open a port for a new client, which sends from this address.
    Open(ClientId, SocketAddr),
    /// Send to a client, from its own port.
    Send {
        /// The client.
        client: ClientId,
        /// The datagram.
        bytes: Vec<u8>,
    },
    /// A client has gone: close its port.
    Close(ClientId),
    /// Something to do in the world.
    Order(Order),
    /// A piece of the game's logs.
    Log(Piece),
}

/// Something to do in the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// A client plays this player from now on.
    Join {
        /// The client.
        client: ClientId,
        /// The player.
        who: Who,
        /// Whether it is the goalkeeper.
        is_goalie: bool,
    },
    /// Its player goes.
    Leave {
        /// The client.
        client: ClientId,
        /// The player.
        who: Who,
    },
    /// What a body does in this cycle.
    Drive {
        /// The client.
        client: ClientId,
        /// The player.
        who: Who,
        /// The motion command.
        numbers: [f64; 8],
    },
    /// A player speaks.
    Say {
        /// The client.
        client: ClientId,
        /// The player.
        who: Who,
        /// What it says.
        text: String,
    },
    /// A command for the referee.
    Referee {
        /// The client.
        client: ClientId,
        /// The command.
        command: RefereeCommand,
    },
    /// The next step, in synchronous mode.
    Step,
    /// The game is over, and those who waited after it have had their time.
    End,
}
