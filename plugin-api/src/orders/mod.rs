//! What players and referees want done: one flat list, taken by the world after the call.

pub mod code;
mod give;

use crate::flight::{Aim, Vertical};
use crate::game::SaidGame;
use crate::geometry::{Pose2, Twist2};
use crate::motion::MAX_DIMENSIONS;
use crate::plugin::Fault;
use crate::radio::Channel;
use bytemuck::{Pod, Zeroable};

/// One order as a plain record; texts lie in the list's text block.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct OrderRecord {
    /// Which order; the rest is read according to it.
    pub code: u32,
    /// A robot's, ball's, manipulator's or team's number.
    pub target: u32,
    /// A state's, datum's or channel's number, or how many of `values` count.
    pub index: u32,
    /// Where the text begins in the text block, bytes.
    pub text_start: u32,
    /// The text's length, bytes.
    pub text_len: u32,
    /// Where in the text the value begins, for orders with key and value.
    pub text_split: u32,
    /// The order's numbers; their meaning depends on `code`.
    pub values: [f64; MAX_DIMENSIONS],
}

/// One order, read.
#[derive(Clone, Debug, PartialEq)]
pub enum Order<'a> {
    /// Sets the whole command vector of the player's own robot.
    Drive(&'a [f64]),
    /// Sets the standard velocities of the player's own robot, as far as its motion model has them.
    DriveTwist(Twist2),
    /// Switches a manipulator of the player's own robot to a state, with a strength in `[0, 1]` and, where the state leaves them to the
    /// command, a direction and an elevation.
    Manipulate {
        /// Index into the robot's manipulators.
        manipulator: u32,
        /// Index into the manipulator's states.
        state: u32,
        /// What is asked of its kick.
        aim: Aim,
    },
    /// Says something by radio; heard at the next step.
    Say {
        /// The players that get the message.
        channel: Channel,
        /// Text of the message.
        text: &'a str,
    },
    /// Sets one of the numbers of a sensor of the player's own robot that can be set, such as a view's width.
    SetSensor {
        /// Index into the robot's sensors.
        sensor: u32,
        /// Index into the sensor's data.
        datum: u32,
        /// New value, within the datum's range and in its unit.
        value: f64,
    },
    /// Gives a robot another player in place of the one that it has (players of its team, and referees). The robot goes on as it is.
    ExchangePlayer {
        /// Number of the robot.
        robot: u32,
        /// The plugin's name; empty for the plugin that it has, with other parameters.
        plugin: &'a str,
        /// Its parameters, JSON.
        params: &'a str,
        /// The time between two calls, seconds; 0 for that of the player before.
        period_secs: f64,
    },
    /// Sets a robot's pose and velocity.
    PlaceRobot {
        /// Number of the robot.
        robot: u32,
        /// Where to, world frame.
        pose: Pose2,
        /// Its velocity there, body frame.
        twist: Twist2,
    },
    /// Sets a ball's position, and its velocity in the world frame.
    PlaceBall {
        /// Number of the ball.
        ball: u32,
        /// Where to, metres, world frame.
        position: [f64; 2],
        /// m/s, world frame.
        velocity: [f64; 2],
        /// How high, and how fast it rises.
        vertical: Vertical,
    },
    /// Publishes a drawing or a value about oneself, as JSON, in place of the last one under this key; a referee's is the world's.
    Annotate {
        /// The name of the annotation.
        key: &'a str,
        /// Value of the annotation, JSON.
        value: &'a str,
    },
    /// The player ends; its robot goes.
    End,
    /// The game is now in this state (referees only).
    Game(SaidGame<'a>),
    /// Something happened in the game (referees only): an event for all who watch.
    Event {
        /// What, such as `goal`: lower-case letters, digits and `-`. What begins with `data-` is for programs: people are not shown it.
        kind: &'a str,
        /// Whom it concerns: index into the world's teams, or [`NONE`](crate::view::NONE).
        team: u32,
        /// What else is to be said of it.
        text: &'a str,
    },
    /// Takes a robot out of the world for good, and ends its player (referees only).
    RemoveRobot {
        /// Number of the robot.
        robot: u32,
    },
    /// Holds a robot's drive, or lets go of it (referees only): as long as it is held, its commands are zero.
    HoldRobot {
        /// Number of the robot.
        robot: u32,
        /// Whether it is held from now on.
        held: bool,
    },
    /// Sets one of a robot's motion data that is settable, such as its stamina (referees only).
    SetDatum {
        /// Number of the robot.
        robot: u32,
        /// Index into [`GameDescription::motion_data`](crate::game::GameDescription::motion_data), which the referee declared.
        datum: u32,
        /// New value, finite, in the datum's unit.
        value: f64,
    },
    /// Something was measured (referees only): an event with a number.
    Measure {
        /// Such as `kick-distance`: lower-case letters, digits and `-`.
        name: &'a str,
        /// Such as `m`.
        unit: &'a str,
        /// Measured value, finite, in `unit`.
        value: f64,
    },
    /// Lets a kick not be (referees only, before the physics).
    RefuseKick {
        /// Index into the kicks that the referee was told of.
        kick: u32,
    },
    /// Tells something to a robot's player, as its radio does (referees only).
    Tell {
        /// Number of the robot.
        robot: u32,
        /// Text of the message.
        text: &'a str,
    },
    /// Tells something to all who watch (referees only).
    Announce(&'a str),
    /// Brings everything to its starting place (referees only).
    ResetObjects,
    /// Pays a robot for what it did in this step (referees only): what a learner is to make much of.
    Reward {
        /// Number of the robot.
        robot: u32,
        /// How much; payments of one step add up.
        value: f64,
    },
    /// The episode is over (referees only); how it ended, such as `goal`.
    EndEpisode(&'a str),
    /// A ruling, which the server knows by its word (referees only); docs/plugins.md has the list.
    Rule {
        /// Such as `spawn-ball`.
        word: &'a str,
        /// JSON, as the ruling wants it.
        args: &'a str,
    },
}

/// Orders of one call, with their texts in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// The records, in the order in which they are carried out.
    pub records: Vec<OrderRecord>,
    /// The texts, UTF-8.
    pub text: Vec<u8>,
}

impl Orders {
    /// Empties the list and keeps its memory.
    pub fn clear(&mut self) {
        self.records.clear();
        self.text.clear();
    }

    /// Reads the list. A record that makes no sense (a foreign code, a text out of bounds or not UTF-8) is `Err`.
    pub fn iter(&self) -> impl Iterator<Item = Result<Order<'_>, BadOrder>> + '_ {
        self.records.iter().enumerate().map(|(position, record)| {
            read(record, &self.text).ok_or(BadOrder { position, code: record.code })
        })
    }

    /// Looks at all that was ordered in one call.
    ///
    /// # Errors
    /// When a record makes no sense, or a number is not finite.
    pub fn check(&self) -> Result<(), Fault> {
        for (position, record) in self.records.iter().enumerate() {
            if let Some(value) = record.values.iter().find(|value| !value.is_finite()) {
                let code = record.code;
                return Err(Fault::BadOutput(format!(
                    "order {position} (code {code}) has the number {value}"
                )));
            }
            if !is_readable(record, &self.text) {
                let error = BadOrder { position, code: record.code };
                return Err(Fault::BadOutput(error.to_string()));
            }
        }
        Ok(())
    }
}

/// A record that is no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("order {position} (code {code}) is not readable")]
pub struct BadOrder {
    /// Its place in the list.
    pub position: usize,
    /// The code it came with.
    pub code: u32,
}

fn text_of<'a>(record: &OrderRecord, text: &'a [u8]) -> Option<&'a [u8]> {
    let start = record.text_start as usize;
    text.get(start..start.checked_add(record.text_len as usize)?)
}

/// Whether [`read`] makes an order of it; those without a text it need not read.
fn is_readable(record: &OrderRecord, text: &[u8]) -> bool {
    match record.code {
        code::REWARD | code::DRIVE_TWIST | code::MANIPULATE => text_of(record, text).is_some(),
        _ => read(record, text).is_some(),
    }
}

fn read<'a>(record: &'a OrderRecord, text: &'a [u8]) -> Option<Order<'a>> {
    let v = &record.values;
    let bytes = text_of(record, text)?;
    let string = || std::str::from_utf8(bytes).ok();
    let two = || string()?.split_at_checked(record.text_split as usize);
    Some(match record.code {
        code::DRIVE => Order::Drive(v.get(..record.index as usize)?),
        code::DRIVE_TWIST => Order::DriveTwist(Twist2::new(v[0], v[1], v[2])),
        code::MANIPULATE => {
            Order::Manipulate { manipulator: record.target, state: record.index, aim: Aim::of_values(v) }
        }
        code::SAY => Order::Say { channel: Channel::from_code(record.index)?, text: string()? },
        code::SET_SENSOR => Order::SetSensor { sensor: record.target, datum: record.index, value: v[0] },
        code::EXCHANGE_PLAYER => {
            let (plugin, params) = two()?;
            Order::ExchangePlayer { robot: record.target, plugin, params, period_secs: v[0] }
        }
        code::PLACE_ROBOT => Order::PlaceRobot {
            robot: record.target,
            pose: Pose2::new(v[0], v[1], v[2]),
            twist: Twist2::new(v[3], v[4], v[5]),
        },
        code::PLACE_BALL => Order::PlaceBall {
            ball: record.target,
            position: [v[0], v[1]],
            velocity: [v[2], v[3]],
            vertical: Vertical { z_m: v[4], speed_m_s: v[5] },
        },
        code::ANNOTATE => {
            let (key, value) = two()?;
            Order::Annotate { key, value }
        }
        code::END => Order::End,
        code::GAME => Order::Game(SaidGame::read(bytes)?),
        code::EVENT => {
            let (kind, text) = two()?;
            Order::Event { kind, team: record.target, text }
        }
        code::REMOVE_ROBOT => Order::RemoveRobot { robot: record.target },
        code::HOLD_ROBOT => Order::HoldRobot { robot: record.target, held: record.index != 0 },
        code::SET_DATUM => Order::SetDatum { robot: record.target, datum: record.index, value: v[0] },
        code::MEASURE => {
            let (name, unit) = two()?;
            Order::Measure { name, unit, value: v[0] }
        }
        code::REFUSE_KICK => Order::RefuseKick { kick: record.target },
        code::TELL => Order::Tell { robot: record.target, text: string()? },
        code::ANNOUNCE => Order::Announce(string()?),
        code::RESET_OBJECTS => Order::ResetObjects,
        code::REWARD => Order::Reward { robot: record.target, value: v[0] },
        code::END_EPISODE => Order::EndEpisode(string()?),
        code::RULE => {
            let (word, args) = two()?;
            Order::Rule { word, args }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
