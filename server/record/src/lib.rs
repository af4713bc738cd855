//! The log: every input, pose, event and message of a world, stamped, in one MCAP file. [mechanism 7]
//!
//! A world is a pure function of its first state and of what came in. A log holds both, so it can do more than be looked
//! at: the world can be run again from it ([`Rerun`]), compared bit by bit with what was recorded, and wound back to any
//! tick ([`Timeline`]). Poses are in it as well, so it can be seen without the plugins that made it, and its other
//! channels have the schemas that common tools know. What is in a file is in `docs/log.md`.
//!
//! ```no_run
//! use std::fs::File;
//! use touchline_record::Log;
//!
//! let log = Log::read(File::open("match.mcap")?)?;
//! println!("{} of {}: {} ticks", log.header.scenario.name, log.header.recorded_at, log.newest);
//! for goal in log.events.iter().filter(|event| event.kind == "goal") {
//!     println!("{}: {}", goal.tick, goal.message);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Not here
//! Threads, queues and files by name: the program (`touchline`) has the recorder's thread and decides what is lost when it
//! cannot keep up. [`Stream`] is a queue for those who watch, in which the newest wins: it waits for nobody.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod capture;
mod channels;
pub mod compare_series;
mod copy;
mod digits;
mod encoder;
pub mod export;
mod frames;
mod input;
mod inputs;
mod log;
mod outlet;
mod overlay;
pub mod poses;
mod puppets;
mod read_error;
mod reader;
mod rerun;
mod ring;
mod salvage;
mod scene;
mod search;
mod sensor_choice;
mod sensors;
pub mod series;
mod shadows;
mod state;
mod stream;
mod text;
mod timeline;
mod topic;
mod unpack;
mod words;
mod writer;

pub use capture::{Capture, CaptureOptions, Entry, steps_between_states};
pub use channels::{Channel, FORMAT, HEADER, sensor_schema};
pub use copy::{CopyError, copy};
pub use encoder::Encoder;
pub use frames::Damage;
pub use input::{Input, Tick, TimedInput, carried_out};
pub use log::{DigestsItem, Gap, Header, Item, PluginVersion, PosesItem};
pub use outlet::{ChannelInfo, Outlet};
pub use overlay::{overlay, overlay_game};
pub use puppets::Puppets;
pub use read_error::ReadError;
pub use reader::{Ending, Log, LoggedBlock, LoggedEvent, LoggedGame, LoggedMessage};
pub use rerun::{Difference, Rerun};
pub use ring::Ring;
pub use salvage::{Hole, Recovered, recover};
pub use sensor_choice::SensorChoice;
pub use sensors::Form;
pub use shadows::{First, Largest, Shadow};
pub use state::{Drive, Member, RecentEvents, Roster, StateItem};
pub use stream::{Latest, Stream};
pub use timeline::{NotKept, Timeline, Way};
pub use unpack::{FREE_BYTES, MAX_CHUNK_BYTES, MAX_RATIO, TooLarge};
pub use words::{FORK, fork_in_words, in_words};
pub use writer::{LogWriter, WriteError};
