//! What happened, numbered: events of the run, and messages on the radio.

use crate::command::RobotNumber;
use touchline_plugin_api::radio::{Channel, Sender};

/// How many messages were lost because there were more than a channel carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// On the channel of all.
    pub all: u64,
    /// On each team's channel; empty as long as nothing was lost.
    pub teams: Vec<u64>,
}

impl Dropped {
    /// On the channels that a robot of this team can hear.
    pub fn heard_by(&self, team: Option<u32>) -> u64 {
        self.all + team.and_then(|team| self.teams.get(team as usize)).copied().unwrap_or(0)
    }
}

/// One event of the run, numbered.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Counts up over the whole run.
    pub number: u64,
    /// Step in which it happened.
    pub step: u64,
    /// Kind of event, with its data.
    pub kind: EventKind,
}

/// Kind of event, with its data.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// Two bodies began to touch that had been apart for a tenth of a second; named as in messages to people, such
    /// as `blue-1`, `ball-0`, `wall-2`.
    Contact {
        /// Name of the first body.
        a: String,
        /// Name of the second body.
        b: String,
    },
    /// The referee says that something happened in the game.
    Game {
        /// What, such as `goal`.
        kind: String,
        /// Whom it concerns: index into the world's teams.
        team: Option<u32>,
        /// What else is to be said of it; may be empty.
        text: String,
    },
    /// The referee has measured something.
    Measure {
        /// Such as `kick-distance`.
        name: String,
        /// In `unit`.
        value: f64,
        /// Such as `m`.
        unit: String,
    },
    /// A plugin instance failed and was stopped.
    Fault {
        /// The robot, or `referee`.
        owner: String,
        /// The plugin, such as `motion "differential"`.
        plugin: String,
        /// Message of the failure.
        message: String,
    },
    /// A robot has another player.
    PlayerExchanged {
        /// Number of the robot.
        number: RobotNumber,
        /// Name of the robot.
        name: String,
        /// The plugin that drives it now.
        plugin: String,
    },
    /// A robot was added to the world.
    RobotAdded {
        /// Number of the robot.
        number: RobotNumber,
        /// Name of the robot.
        name: String,
    },
    /// A robot was removed from the world.
    RobotRemoved {
        /// Number of the robot.
        number: RobotNumber,
        /// Name of the robot.
        name: String,
    },
    /// A text from the referee for all who watch.
    Announcement(String),
}

impl EventKind {
    /// The word for it, such as `goal`, by which people choose events.
    pub fn word(&self) -> &str {
        match self {
            Self::Contact { .. } => "contact",
            Self::Game { kind, .. } => kind,
            Self::Measure { .. } => "measure",
            Self::Fault { .. } => "fault",
            Self::PlayerExchanged { .. } => "player-exchanged",
            Self::RobotAdded { .. } => "robot-added",
            Self::RobotRemoved { .. } => "robot-removed",
            Self::Announcement(_) => "announcement",
        }
    }
}

/// Whether an event of this kind is for programs alone: people are not shown it. A referee marks it by the kind's first five characters, `data-`.
pub fn is_for_programs(kind: &str) -> bool {
    kind.starts_with("data-")
}

/// A radio message that was delivered. [mechanism 5]
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Counts up over the whole run.
    pub number: u64,
    /// The step in which it was heard.
    pub step: u64,
    /// The robot that said it; [`NONE`](touchline_plugin_api::view::NONE) if it was none.
    pub from: RobotNumber,
    /// Name of the sender.
    pub from_name: String,
    /// What kind of sender said it.
    pub sender: Sender,
    /// The sender's team.
    pub from_team: Option<u32>,
    /// The number on its shirt, if it is a robot that has one.
    pub from_shirt: Option<u32>,
    /// Channel on which it was sent.
    pub channel: Channel,
    /// The robots that heard it, sorted.
    pub heard_by: Vec<RobotNumber>,
    /// The direction to the sender in the body frame of each of these, radians; empty if the radio does not tell it.
    pub bearings_rad: Vec<f64>,
    /// Text of the message.
    pub text: String,
}

impl Message {
    /// The direction to the sender in the body frame of a robot that heard it, radians; `None` where the radio does not tell it.
    pub fn bearing_rad(&self, robot: RobotNumber) -> Option<f64> {
        if self.bearings_rad.is_empty() {
            return None;
        }
        let place = self.heard_by.binary_search(&robot).ok()?;
        self.bearings_rad.get(place).copied()
    }
}
