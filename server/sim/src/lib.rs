//! The simulation: a pure function of its state and its commands.
//!
//! [`World::new`] takes a checked [`Scenario`] and a [`PluginFactory`]; [`World::step`] takes commands and makes
//! one step; [`World::frame`] is what is true after it. Nothing here opens a file or a socket, starts a thread,
//! asks for the time or fetches a random number.
//!
//! # Not here
//! Files (`touchline-config`), dynamic libraries (`touchline-host`), real time and sockets (`touchline`).

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod act;
mod agent;
mod annotations;
mod apply;
mod around;
mod assemble;
mod ball;
mod brief;
mod build;
mod chosen;
pub mod command;
mod decision;
mod driver;
mod drives;
mod duties;
mod episode;
mod events;
mod exchange;
pub mod factory;
pub mod frame;
mod free_place;
mod game;
mod glance;
mod guests;
mod hash;
mod kick;
mod late;
mod log;
mod made;
mod physics;
mod prefetch;
mod prepare;
mod radio;
mod reach;
mod referee;
mod robot;
mod rulings;
pub mod scenario;
mod sensor_data;
mod sensor_platform;
mod shadow;
mod shadow_differences;
mod start;
mod state;
mod take;
mod team_player;
pub mod timing;
mod touches;
mod view;
mod work_space;
mod world;

pub use agent::{AgentOrder, StepPart};
pub use annotations::{Annotations, MAX_ANNOTATION_BYTES, MAX_ANNOTATIONS};
pub use around::Around;
pub use build::WorldError;
pub use command::{Action, Command, CommandError, Outcome, RobotNumber};
pub use decision::{Decision, Manipulation, Placing, SensorSetting};
pub use episode::EpisodeEnd;
pub use events::{Dropped, Event, EventKind, Message, is_for_programs};
pub use factory::{MakeError, PluginFactory};
pub use frame::{Frame, RobotFrame, RobotIdentity, SensorSlot, TeamPlayerFrame};
pub use game::Match;
pub use glance::RobotNow;
pub use made::{Keeping, Made};
#[doc(hidden)]
pub use physics::BarePhysics;
pub use physics::{BodyDisc, NoDisc, Standing, distance_m, overlapping_pairs};
pub use prepare::{describe_robot, prepare_player, robot_player_setup};
pub use reach::radius_m;
pub use scenario::Scenario;
pub use shadow::{Comparison, ShadowFrame, ShadowPlayer};
pub use shadow_differences::{Differing, differences, manipulations, messages};
pub use start::NoStart;
pub use state::Snapshot;
pub use team_player::setup_of as team_player_setup;
pub use timing::{Held, Stamp};
pub use work_space::WorkSpace;
pub use world::World;
