//! The numbers of the orders: [`OrderRecord::code`](super::OrderRecord::code). They are fixed: plugins in C know them by number.

/// [`super::Order::Drive`]
pub const DRIVE: u32 = 1;
/// [`super::Order::DriveTwist`]
pub const DRIVE_TWIST: u32 = 2;
/// [`super::Order::Manipulate`]
pub const MANIPULATE: u32 = 3;
/// [`super::Order::Say`]
pub const SAY: u32 = 4;
/// [`super::Order::PlaceRobot`]
pub const PLACE_ROBOT: u32 = 5;
/// [`super::Order::PlaceBall`]
pub const PLACE_BALL: u32 = 6;
/// [`super::Order::Annotate`]
pub const ANNOTATE: u32 = 7;
/// [`super::Order::End`]
pub const END: u32 = 8;
/// [`super::Order::Game`]
pub const GAME: u32 = 9;
/// [`super::Order::Event`]
pub const EVENT: u32 = 10;
/// [`super::Order::Announce`]
pub const ANNOUNCE: u32 = 11;
/// [`super::Order::ResetObjects`]
pub const RESET_OBJECTS: u32 = 12;
/// [`super::Order::Reward`]
pub const REWARD: u32 = 13;
/// [`super::Order::EndEpisode`]
pub const END_EPISODE: u32 = 14;
/// [`super::Order::RemoveRobot`]
pub const REMOVE_ROBOT: u32 = 15;
/// [`super::Order::HoldRobot`]
pub const HOLD_ROBOT: u32 = 16;
/// [`super::Order::SetDatum`]
pub const SET_DATUM: u32 = 17;
/// [`super::Order::Measure`]
pub const MEASURE: u32 = 18;
/// [`super::Order::Tell`]
pub const TELL: u32 = 19;
/// [`super::Order::RefuseKick`]
pub const REFUSE_KICK: u32 = 20;
/// [`super::Order::SetSensor`]
pub const SET_SENSOR: u32 = 21;
/// [`super::Order::ExchangePlayer`]
pub const EXCHANGE_PLAYER: u32 = 22;
/// [`super::Order::Rule`]
pub const RULE: u32 = 23;
