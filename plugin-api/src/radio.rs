//! The radio, as players hear it: channels, senders, and the inbox of one call.

use crate::view::NONE;
use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who hears a message.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// Everybody.
    #[default]
    All = 0,
    /// Robots and players of the sender's team.
    Team = 1,
}

impl Channel {
    /// All channels, in the order of their codes.
    pub const ALL: [Self; 2] = [Self::All, Self::Team];

    /// The channel of a code.
    pub const fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::All),
            1 => Some(Self::Team),
            _ => None,
        }
    }

    /// The word that commands use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Team => "team",
        }
    }
}

/// What kind of sender said something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sender {
    /// A robot.
    #[default]
    Robot = 0,
    /// A player that belongs to a team, such as a coach.
    TeamPlayer = 1,
    /// The referee.
    Referee = 2,
}

impl Sender {
    /// The sender of a code; who is not known is a robot.
    pub const fn from_code(code: u32) -> Self {
        match code {
            1 => Self::TeamPlayer,
            2 => Self::Referee,
            _ => Self::Robot,
        }
    }
}

/// Where one radio message lies in the inbox's text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct MessageRecord {
    /// The number of the robot that said it; [`NONE`] if it was no robot.
    pub from: u32,
    /// Where its text begins, bytes.
    pub start: u32,
    /// Its length, bytes.
    pub len: u32,
    /// [`Channel`]
    pub channel: u32,
    /// [`Sender`]
    pub sender: u32,
    /// The sender's team; [`NONE`] if it has none.
    pub from_team: u32,
    /// The sender's [`Object::shirt`](crate::view::Object::shirt); [`NONE`] if it was no robot.
    pub from_shirt: u32,
    /// Padding; zero.
    pub reserved: u32,
    /// The direction in which the sender is, in the receiver's body frame, radians; infinite where the radio does not tell it, and of
    /// who has no place.
    pub bearing_rad: f64,
}

impl Default for MessageRecord {
    fn default() -> Self {
        Self {
            from: NONE,
            start: 0,
            len: 0,
            channel: Channel::All as u32,
            sender: Sender::Robot as u32,
            from_team: NONE,
            from_shirt: NONE,
            reserved: 0,
            bearing_rad: f64::INFINITY,
        }
    }
}

/// A message that was heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard<'a> {
    /// The number of the robot that said it; [`NONE`] if it was no robot.
    pub from: u32,
    /// What kind of sender said it.
    pub sender: Sender,
    /// The sender's team.
    pub from_team: Option<u32>,
    /// The number on its shirt, if it is a robot that has one.
    pub from_shirt: Option<u32>,
    /// Channel on which it was sent.
    pub channel: Channel,
    /// The direction in which the sender is, in the receiver's body frame, radians, where the radio tells it.
    pub bearing_rad: Option<f64>,
    /// Text of the message.
    pub text: &'a str,
}

/// The radio messages that came since the last call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inbox<'a> {
    /// In the order in which they were said.
    pub records: &'a [MessageRecord],
    /// Texts of all messages, one after the other, UTF-8.
    pub text: &'a [u8],
}

impl<'a> Inbox<'a> {
    /// Sender's number and text of each message.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &'a str)> + use<'a> {
        self.messages().map(|heard| (heard.from, heard.text))
    }

    /// All that is known of each message.
    pub fn messages(&self) -> impl Iterator<Item = Heard<'a>> + use<'a> {
        let text = self.text;
        self.records.iter().filter_map(move |record| {
            let bytes = text.get(record.start as usize..)?.get(..record.len as usize)?;
            Some(Heard {
                from: record.from,
                sender: Sender::from_code(record.sender),
                from_team: Some(record.from_team).filter(|&team| team != NONE),
                from_shirt: Some(record.from_shirt).filter(|&number| number != NONE),
                channel: Channel::from_code(record.channel)?,
                bearing_rad: record.bearing_rad.is_finite().then_some(record.bearing_rad),
                text: std::str::from_utf8(bytes).ok()?,
            })
        })
    }
}
