//! What the loop moves: a live world with its recorder, a recording, or what is measured.

use touchline_gate::{RequestError, Tick};
use touchline_sim::{Command, Frame, Outcome, World};

/// Something that goes on step by step.
pub(super) trait Stage: Send {
    /// The length of a step, seconds.
    fn dt_secs(&self) -> f64;
    /// Makes one step and gives the outcome of each command.
    fn step(&mut self, commands: &[Command]) -> Vec<Outcome>;
    /// Takes a step back, if that can be; else makes none.
    fn step_back(&mut self, commands: &[Command]) -> Vec<Outcome>;
    /// Carries out commands while time stands.
    fn apply(&mut self, commands: &[Command]) -> Vec<Outcome>;
    /// Goes on from a tick; a live world is handed the state that it had then.
    fn seek(&mut self, to: Tick, world: Option<Box<World>>) -> Result<(), RequestError>;
    /// Whether there is no further step in this direction.
    fn is_at_end(&self, backwards: bool) -> bool;
    /// Whether a participant's order to step is carried out; if not, it is answered at once.
    fn takes_order(&self, _party: usize) -> bool {
        true
    }
    /// Whether what is left of an order to step is void after this step.
    fn ends_order(&self) -> bool {
        false
    }
    /// State of the world after the last step.
    fn frame(&self) -> Frame;
    /// One number for the whole state.
    fn state_hash(&self) -> u64;
    /// Where on the timeline it is.
    fn tick(&self) -> Tick;
    /// Whether time stands until somebody lets it go.
    fn begins_paused(&self) -> bool {
        false
    }
}
