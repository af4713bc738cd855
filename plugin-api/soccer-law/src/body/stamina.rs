//! A player's strength.

use crate::params::ServerParams;
use crate::player_type::PlayerType;

/// Strength of a player, as `sense_body` tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stamina {
    /// What dashes take from.
    pub stamina: f64,
    /// Part of a dash's power that has an effect.
    pub effort: f64,
    /// Part of the type's stamina_inc_max that comes back in a cycle.
    pub recovery: f64,
    /// What can still come back; without end if stamina_capacity is below 0.
    pub capacity: f64,
}

impl Stamina {
    /// Of one who has not run yet.
    pub fn full(server: &ServerParams, player_type: &PlayerType) -> Self {
        Self {
            stamina: server.stamina_max,
            effort: player_type.effort_max,
            recovery: 1.0,
            capacity: server.stamina_capacity,
        }
    }

    /// Takes the cost of a dash.
    pub fn spend(&mut self, cost: f64) {
        self.stamina = (self.stamina - cost).max(0.0);
    }

    /// What a cycle does.
    pub fn recover(&mut self, server: &ServerParams, player_type: &PlayerType) {
        let max = server.stamina_max;
        if self.stamina <= server.recover_dec_thr * max {
            self.recovery = lowered(self.recovery, server.recover_dec, server.recover_min);
        }
        if self.stamina <= server.effort_dec_thr * max {
            self.effort = lowered(self.effort, server.effort_dec, player_type.effort_min);
        }
        if self.stamina >= server.effort_inc_thr * max && self.effort < player_type.effort_max {
            self.effort = (self.effort + server.effort_inc).min(player_type.effort_max);
        }
        let mut back = (self.recovery * player_type.stamina_inc_max).min(max - self.stamina);
        let is_limited = server.stamina_capacity >= 0.0;
        if is_limited {
            back = back.min(self.capacity);
        }
        self.stamina = (self.stamina + back).min(max);
        if is_limited {
            self.capacity = (self.capacity - back).max(0.0);
        }
    }
}

/// Lower by a step, but not below the least; what is below already comes up to it.
fn lowered(value: f64, by: f64, least: f64) -> f64 {
    let value = if value > least { value - by } else { value };
    value.max(least)
}
