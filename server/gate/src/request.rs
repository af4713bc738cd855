//! What a client of any protocol can ask to be changed, and what it comes to.
//!
//! Questions are none of these: their answers are the facts of the newest [`crate::Published`] and the functions of [`crate::Gate`].

use crate::control::Control;
use crate::error::RequestError;
use crate::history::Tick;
use crate::mode::Later;
use std::path::PathBuf;
use touchline_sim::{Action, RobotNumber};

/// What shall be done about recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordOrder {
    /// Begin a recording.
    Start,
    /// End the recording that is being written.
    Stop,
    /// Save the last seconds that are kept in memory.
    Save,
}

/// A change that a client asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// In the world: at its next step, or at once while time stands.
    Act(Action),
    /// Of the pace at which simulated time goes.
    Control(Control),
    /// The world goes on from this tick; in a recording, moves to it.
    Seek(Tick),
    /// Begin or end a recording, or save the last seconds.
    Record {
        /// Begin, end or save.
        order: RecordOrder,
        /// The file's name; without one it gets one.
        name: Option<String>,
    },
}

impl From<Action> for Request {
    fn from(action: Action) -> Self {
        Self::Act(action)
    }
}

impl From<Control> for Request {
    fn from(control: Control) -> Self {
        Self::Control(control)
    }
}

/// What a request came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The request was carried out; there is nothing more to tell.
    Done,
    /// A robot was made; its number.
    Made(RobotNumber),
    /// A robot was removed; its number.
    Removed(RobotNumber),
    /// The ordered steps are made.
    Stepped {
        /// Number of the world's step after the last one.
        step: u64,
        /// The number of its episode.
        episode: u32,
    },
    /// The world is at another tick.
    Sought {
        /// New tick on the timeline.
        tick: Tick,
        /// Number of the world's step at that tick.
        step: u64,
    },
    /// A recording was begun, ended or saved here.
    Recorded(PathBuf),
}

/// A request that was accepted.
pub struct Pending {
    /// The result, now or later.
    pub reply: Replied,
    /// Whether the client's next request may begin only after this one is done.
    pub blocks: bool,
}

/// What an accepted request came to, as soon as it is known.
pub enum Replied {
    /// It is: a command that stands until the next step.
    Now(Reply),
    /// Completes when it was carried out.
    Later(Later<Reply>),
}

impl Replied {
    /// Waits for it.
    ///
    /// # Errors
    /// Why it was not carried out.
    pub async fn wait(self) -> Result<Reply, RequestError> {
        match self {
            Self::Now(reply) => Ok(reply),
            Self::Later(reply) => reply.await,
        }
    }
}

impl Request {
    pub(crate) fn blocks(&self) -> bool {
        match self {
            Self::Act(_) => false,
            Self::Control(_) | Self::Seek(_) | Self::Record { .. } => true,
        }
    }
}
