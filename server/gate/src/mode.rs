//! What kind of world is behind the gate: a live one, a recording, or one in which programs are measured.

use crate::control::Control;
use crate::error::RequestError;
use crate::history::{Bookmark, Divergence, Recording, Tick};
use crate::request::RecordOrder;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use touchline_sim::{Action, Frame, RobotNumber, World};

/// A reply that is on its way.
pub type Later<T> = Pin<Box<dyn Future<Output = Result<T, RequestError>> + Send>>;

/// A reply that is there already.
pub fn ready<T: Send + 'static>(result: Result<T, RequestError>) -> Later<T> {
    Box::pin(std::future::ready(result))
}

/// What a participant would like to do with the world.
#[derive(Clone, Copy, Debug)]
pub enum Wish<'a> {
    /// Change something in the world.
    Change(&'a Action),
    /// Pause it, let it go on, step it, set its speed.
    Control(Control),
    /// Read the sensors of a robot, and what it hears.
    Sense(RobotNumber),
    /// Know how things really are.
    Truth,
    /// Look at a tick that is over.
    Look,
    /// Let it go on from another tick.
    Seek,
    /// Begin, end or save a recording.
    Record,
}

/// The one place that knows what may be done with a world, and where its past is. Nothing else asks which kind it is.
pub trait Mode: Send + Sync {
    /// Whether a participant may do this here; participants are numbered from 0, and there is one unless programs play each other.
    ///
    /// # Errors
    /// Why it may not.
    fn permit(&self, participant: usize, wish: Wish<'_>) -> Result<(), RequestError>;

    /// The first and the last tick that can be had, when the world is at `now`.
    fn ticks(&self, now: Tick) -> (Tick, Tick);

    /// What happened, oldest first.
    fn bookmarks(&self) -> Later<Vec<Bookmark>>;

    /// What was true at a tick.
    fn frame_at(&self, tick: Tick) -> Later<Arc<Frame>>;

    /// The state that the loop needs to go on from a tick; none if the loop finds it by itself.
    fn state_at(&self, tick: Tick) -> Later<Option<Box<World>>>;

    /// Begins, ends or saves a recording; gives its path.
    fn record(&self, order: RecordOrder, name: Option<String>) -> Later<PathBuf>;

    /// How the recorder is doing; none if there is none.
    fn recording(&self) -> Option<Recording> {
        None
    }

    /// Whether this is a recording.
    fn is_replay(&self) -> bool {
        false
    }

    /// From where on a recording is not what comes out when its world is run again.
    fn divergence(&self) -> Option<Divergence> {
        None
    }
}
