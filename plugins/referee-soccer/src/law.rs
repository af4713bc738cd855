//! The numbers of the law: the parameters, and the players' types that follow from them.

use touchline_soccer_law::params::{KeepawayParams, PlayerParams, ServerParams};
use touchline_soccer_law::player_type::PlayerType;

/// Parameters and types of a game.
pub struct Law {
    /// A cycle: a step of the world, seconds.
    pub cycle_secs: f64,
    pub server: ServerParams,
    pub player: PlayerParams,
    pub keepaway: KeepawayParams,
    pub types: Vec<PlayerType>,
}

impl Law {
    /// Whether the rules are applied: a trainer without a referee is alone with the players.
    pub fn has_referee(&self) -> bool {
        !self.server.coach || self.server.coach_w_referee
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
