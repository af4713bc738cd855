//! The simulation: a pure function of its state and its commands.
#![forbid(unsafe_code)]

pub mod command;
pub mod factory;
pub mod frame;
pub mod scenario;

pub use command::{Action, Command, CommandError, Outcome, RobotNumber};
pub use factory::{MakeError, PluginFactory};
pub use frame::{Event, EventKind, Frame, Message, RobotFrame, RobotIdentity};
pub use scenario::Scenario;
