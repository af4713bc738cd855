//! What a client is in the game, and what that makes of it.

use super::coach::Coach;
use super::monitor::Monitor;
use super::player::Player;
use super::shared::Shared;
use super::trainer::Trainer;
use crate::state::PLAYERS;
use crate::wire::hear::Reader;
use touchline_soccer_law::face::Side;

pub enum Role {
    Player(Box<Player>),
    Monitor(Monitor),
    Coach(Box<Coach>),
    Trainer(Trainer),
}

/// The rank of monitors.
pub const LAST_RANK: usize = PLAYERS + 3;

impl Role {
    /// Its place among all clients.
    pub fn rank(&self) -> usize {
        match self {
            Self::Player(player) => player.who.place(),
            Self::Coach(coach) => PLAYERS + coach.side as usize,
            Self::Trainer(_) => PLAYERS + 2,
            Self::Monitor(_) => LAST_RANK,
        }
    }

    /// How it is called in the log of commands; monitors are not.
    pub fn log_name(&self, shared: &Shared) -> Option<String> {
        match self {
            Self::Player(player) => Some(format!("{}_{}", shared.names.of(player.who.side), player.who.unum)),
            Self::Coach(coach) => Some(format!("{}_Coach", shared.names.of(coach.side))),
            Self::Trainer(_) => Some("Coach".into()),
            Self::Monitor(_) => None,
        }
    }

    /// How it reads messages, if it hears any now.
    pub fn reader(&self, shared: &Shared) -> Option<Reader> {
        match self {
            // Who is sent off hears it, and is gone.
            Self::Player(player) => {
                let is_there = player.is_enabled(shared) || shared.seat(player.who).is_sent_off;
                is_there.then_some(Reader::Player(player.version))
            }
            Self::Coach(coach) => Some(coach.reader()),
            Self::Trainer(trainer) => trainer.has_ear.then_some(trainer.reader()),
            Self::Monitor(_) => None,
        }
    }

    /// Its side, if it has one.
    pub fn side(&self) -> Option<Side> {
        match self {
            Self::Player(player) => Some(player.who.side),
            Self::Coach(coach) => Some(coach.side),
            Self::Trainer(_) | Self::Monitor(_) => None,
        }
    }

    /// The side for which it is told of other player types; none before version 7.
    pub fn learns_types(&self) -> Option<Side> {
        match self {
            Self::Player(player) if player.version >= 7 => Some(player.who.side),
            Self::Coach(coach) if coach.version >= 7 => Some(coach.side),
            _ => None,
        }
    }
}
