//! The numbers of the law: the parameters, and the players' types that follow from them.

use touchline_soccer_law::params::{KeepawayParams, PlayerParams, ServerParams, Task, TaskParams};
use touchline_soccer_law::player_type::PlayerType;

/// Parameters and types of a game.
pub struct Law {
    /// A cycle: a step of the world, seconds.
    pub cycle_secs: f64,
    pub server: ServerParams,
    pub player: PlayerParams,
    pub keepaway: KeepawayParams,
    pub task: TaskParams,
    pub types: Vec<PlayerType>,
}

impl Law {
    /// Whether the rules are applied: a trainer without a referee is alone with the players, and half field offense has rules of its own.
    pub fn has_referee(&self) -> bool {
        !self.is_half_field() && (!self.server.coach || self.server.coach_w_referee)
    }

    /// Whether half field offense is played.
    pub fn is_half_field(&self) -> bool {
        self.task.pays == Task::HalfField
    }

    /// Whether a task for agents is played, in episodes.
    pub fn is_task(&self) -> bool {
        self.keepaway.chooser > 0 || self.is_half_field()
    }

    /// Whether agents play in episodes: a task, or whole games whose goals are paid.
    pub fn has_episodes(&self) -> bool {
        self.is_task() || self.task.pays != Task::None
    }

    /// Cycles of all normal halves.
    pub fn normal_time(&self) -> i64 {
        i64::from(self.server.half_time_cycles()) * i64::from(self.server.nr_normal_halfs)
    }

    /// Cycles of all halves.
    pub fn maximum_time(&self) -> i64 {
        self.normal_time()
            + i64::from(self.server.extra_half_time_cycles()) * i64::from(self.server.nr_extra_halfs)
    }
}
