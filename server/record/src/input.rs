//! What came into a world from outside: with its first state, all that it takes to make it happen again.

use serde::{Deserialize, Serialize};
use touchline_sim::{Action, Command, Outcome};

/// Counts the steps that a recorded world has made, whatever happened to its own count: a reset or a seek back does not
/// set it back. After m steps the world is at tick m.
pub type Tick = u64;

/// Everything that changes a world from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Commands of the step that leads to the next tick.
    Step(Vec<Command>),
    /// Commands that were carried out while time stood.
    Apply(Vec<Command>),
    /// The world was brought back to the state that it had at this tick, and goes on from there.
    Seek(Tick),
}

/// An input and when it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimedInput {
    /// Before which step it was carried out.
    pub tick: Tick,
    /// The commands or the seek.
    pub input: Input,
}

/// What a robot's description takes in memory, about.
const ROBOT_BYTES: usize = 16 << 10;

impl TimedInput {
    /// The first name in its commands that no client could give, with what is called so.
    pub(crate) fn wrong_name(&self) -> Option<String> {
        self.commands().iter().find_map(|command| command.action.wrong_name())
    }

    fn commands(&self) -> &[Command] {
        match &self.input {
            Input::Step(commands) | Input::Apply(commands) => commands,
            Input::Seek(_) => &[],
        }
    }

    /// What it takes in memory, about.
    pub fn memory_bytes(&self) -> usize {
        let commands = self.commands();
        let more = |command: &Command| match &command.action {
            Action::AddRobot { name, .. } => ROBOT_BYTES + name.len(),
            Action::Drive(_, numbers) => size_of_val(&numbers[..]),
            Action::Say(_, text) | Action::SayToTeam(_, text) => text.len(),
            Action::Annotate { key, value, .. } => key.len() + value.len(),
            _ => 0,
        };
        size_of::<Self>() + size_of_val(commands) + commands.iter().map(more).sum::<usize>()
    }
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
