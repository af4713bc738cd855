//! What came into a world from outside: with its first state, all that it takes to make it happen again.

use serde::{Deserialize, Serialize};
use touchline_sim::{Command, Outcome};

/// Counts the steps that a recorded world has made, whatever happened to its own count: a reset or a jump back does not
/// set it back. After m steps the world is at moment m.
pub type Moment = u64;

/// Something that came in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Commands of the step that leads to the next moment.
    Step(Vec<Command>),
    /// Commands that were carried out while time stood.
    Apply(Vec<Command>),
    /// The world was brought back to the state that it had at this moment, and goes on from there.
    Jump(Moment),
}

/// An input and when it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimedInput {
    /// Before which step it was carried out.
    pub moment: Moment,
    /// What was carried out.
    pub input: Input,
}

/// The commands that changed something: one that was refused has changed nothing, and need not be kept.
pub fn carried_out(commands: &[Command], outcomes: &[Outcome]) -> Vec<Command> {
    let done = |command: &&Command| {
        let is_its =
            |outcome: &&Outcome| (outcome.client, outcome.sequence) == (command.client, command.sequence);
        outcomes.iter().find(is_its).is_some_and(|outcome| outcome.result.is_ok())
    };
    commands.iter().filter(done).cloned().collect()
}
