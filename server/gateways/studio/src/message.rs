//! What goes over the WebSocket: JSON, lines of the message board, and one binary message for each Frame shown.
//!
//! The binary layout is written down in `docs/studio.md`; all numbers are little-endian, so that a page reads
//! them with a `DataView` as they are.
//!
//! # Units, frames
//! Metres and radians, in the world frame; shapes of balls and robots in the object's own frame.

use crate::shadows::ShadowInfo;
use crate::{Recording, Status};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use touchline_gate::Speed;
use touchline_plugin_api::view::{Object, ObjectKind};
use touchline_sim::Frame;

/// The version of everything in this file.
pub(crate) const VERSION: u8 = 3;

/// A ball's number is told from a robot's by this bit.
const BALL_BIT: u32 = 1 << 31;

/// The number by which a page knows the world as a whole; no object has it.
pub(crate) const WORLD_ID: u32 = u32::MAX;

/// The number by which a page knows an object; `None` for the fixtures.
pub(crate) fn object_id(object: &Object) -> Option<u32> {
    match object.kind() {
        ObjectKind::Fixtures => None,
        ObjectKind::Ball => Some(object.number | BALL_BIT),
        ObjectKind::Robot => Some(object.number),
    }
}

/// Writes the binary message of one Frame.
pub(crate) fn encode_frame(frame: &Frame, sequence: u32) -> Vec<u8> {
    let objects = || {
        frame.objects.iter().filter_map(|object| Some((object_id(object)?, object.pose, object.vertical.z_m)))
    };
    let count = objects().count() as u32;
    let mut bytes = Vec::with_capacity(40 + 20 * count as usize);
    bytes.extend([VERSION, 0, 0, 0]);
    bytes.extend(sequence.to_le_bytes());
    bytes.extend(frame.step.to_le_bytes());
    bytes.extend(frame.time_secs.to_le_bytes());
    bytes.extend(frame.game.clock_secs.to_le_bytes());
    bytes.extend((frame.run as u32).to_le_bytes());
    bytes.extend(count.to_le_bytes());
    for (id, pose, z_m) in objects() {
        bytes.extend(id.to_le_bytes());
        for number in [pose.x_m, pose.y_m, pose.theta_rad, z_m] {
            bytes.extend((number as f32).to_le_bytes());
        }
    }
    bytes
}

/// From the server to the page.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum ToPage<'a> {
    /// First message to a page: the world as it is.
    Hello {
        version: u8,
        server: &'static str,
        world: &'a str,
        seed: u64,
        dt_secs: f64,
        /// What the page may do: a role's name.
        role: &'a str,
        /// Whether lines of the message board are taken from this page.
        board: bool,
        /// The referee's plugin; none where nobody counts.
        referee: Option<&'a str>,
        teams: Vec<TeamInfo<'a>>,
        fixtures: Vec<ShapeInfo>,
    },
    /// The page has to show a key first; why the last one was refused.
    Key {
        reason: Option<&'a str>,
    },
    /// Balls and robots that are new or other than before, and those that are gone.
    Objects {
        put: Vec<ObjectInfo<'a>>,
        gone: Vec<u32>,
    },
    /// What the referee says, whenever it changes.
    Game(GameInfo),
    /// What happened since the last of these.
    Events {
        events: Vec<EventInfo>,
    },
    /// What a robot publishes about itself, or the referee of the world ([`WORLD_ID`]), whenever it changes.
    Annotations {
        id: u32,
        values: BTreeMap<&'a str, &'a RawValue>,
    },
    /// What a robot's player and the one that runs beside it decided last, whenever it changes; none if nothing runs beside it.
    Shadow {
        id: u32,
        shadow: Option<ShadowInfo<'a>>,
    },
    Status(Status),
    /// The recording that is being written, whenever it is another one.
    Recording(&'a Recording),
    /// What keeps the world from going on, or that nothing does any more.
    Stall {
        /// Reason for the stall, for people; none when it is over.
        reason: Option<&'a str>,
    },
    /// What is being played, whenever it is something else.
    Caption {
        /// In words; none if nothing is to be said.
        text: Option<&'a str>,
    },
    /// Which tick of the past the page is shown; none if what is true now.
    Looking {
        tick: Option<u64>,
        /// Why it is not the one that was asked for.
        reason: Option<&'a str>,
    },
    /// A line that the message board says.
    Line {
        text: &'a str,
    },
    /// A request made no sense; the connection is closed.
    Error {
        message: String,
    },
}

#[derive(Serialize)]
pub(crate) struct TeamInfo<'a> {
    pub name: &'a str,
    pub colour: Colour,
}

/// `#rrggbb`
#[derive(Clone, Copy)]
pub(crate) struct Colour(pub u32);

impl Serialize for Colour {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("#{:06x}", self.0 & 0xff_ffff))
    }
}

#[derive(Serialize)]
pub(crate) struct ShapeInfo {
    #[serde(flatten)]
    pub outline: OutlineInfo,
    pub colour: Colour,
    pub role: &'static str,
    pub solid: bool,
    pub team: Option<u32>,
    pub z: [f32; 2],
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum OutlineInfo {
    Rectangle { x: f32, y: f32, angle: f32, half: [f32; 2] },
    Ellipse { x: f32, y: f32, angle: f32, half: [f32; 2] },
    Triangle { corners: [[f32; 2]; 3] },
}

#[derive(Serialize)]
pub(crate) struct ObjectInfo<'a> {
    pub id: u32,
    pub kind: ObjectKind,
    pub name: String,
    pub team: Option<u32>,
    pub colour: Colour,
    pub radius: f32,
    pub shapes: Vec<ShapeInfo>,
    /// Make of a robot.
    pub model: Option<&'a str>,
    /// The player plugin that drives it.
    pub player: Option<&'a str>,
    /// Whether somebody has taken it over from whoever drives it.
    pub taken: bool,
    /// Message of the failure that stopped it; none while it runs.
    pub fault: Option<&'a str>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct GameInfo {
    /// One number for each team.
    pub score: Vec<i64>,
    pub phase: String,
    pub restart: Option<RestartInfo>,
    /// What else the referee says of the game.
    pub values: BTreeMap<String, f64>,
    /// What each robot has been paid in this episode, by its number; none while nobody has been paid.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rewards: BTreeMap<u32, f64>,
    pub episode: u32,
}

/// How play is taken up again, and by whom.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RestartInfo {
    pub kind: String,
    pub team: Option<u32>,
}

#[derive(Serialize)]
pub(crate) struct EventInfo {
    pub number: u64,
    pub step: u64,
    pub kind: String,
    pub text: String,
}

/// From the page to the server; any text that is no JSON is a line for the board.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FromPage {
    /// All frames up to this one have been read.
    Ack(u32),
    /// The key of who looks at the page.
    Key(String),
    /// Show this tick of the past to this page, or what is true now.
    Look(Option<u64>),
}

/// A number, `"max"` or `"lockstep"`.
pub(crate) fn speed<S: serde::Serializer>(speed: &Speed, serializer: S) -> Result<S::Ok, S::Error> {
    match speed {
        Speed::Factor(factor) => serializer.serialize_f64(*factor),
        Speed::Max => serializer.serialize_str("max"),
        Speed::Lockstep => serializer.serialize_str("lockstep"),
    }
}
