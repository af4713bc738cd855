//! What the rules keep a player from for some cycles: the ball after its own set play, a second catch.

use crate::decide::Decision;
use crate::kick::kickable_distance;
use crate::scene::{Mover, Scene};
use bytemuck::{Pod, Zeroable};
use touchline_soccer_law::face::BodyCommand;

/// After a set play the taker keeps off the ball for so long, unless somebody else is at it before, cycles.
const KEEPS_OFF_CYCLES: u32 = 30;

/// What a player remembers of its own doing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Restraint {
    /// Cycles for which it keeps off the ball.
    keeps_off: u32,
    /// Cycles until it may catch again.
    catch_ban: u32,
}

impl Restraint {
    /// A cycle has passed.
    pub fn pass_cycle(&mut self) {
        self.keeps_off = self.keeps_off.saturating_sub(1);
        self.catch_ban = self.catch_ban.saturating_sub(1);
    }

    /// Puts into a scene what the player may do. Who took a set play may touch the ball again when somebody else is at it.
    pub fn apply(&mut self, scene: &mut Scene<'_>) {
        let reach_m = kickable_distance(scene.server, scene.kind);
        let touches = |other: &Mover| {
            let [x, y] = [0, 1].map(|axis| other.place[axis] - scene.ball.place[axis]);
            x * x + y * y < reach_m * reach_m
        };
        if self.keeps_off > 0
            && (scene.mates.iter().any(|(_, mate)| touches(mate)) || scene.opponents.iter().any(touches))
        {
            self.keeps_off = 0;
        }
        (scene.may_touch, scene.may_catch) = (self.keeps_off == 0, self.catch_ban == 0);
    }

    /// Remembers what was decided.
    pub fn note(&mut self, decision: &Decision, scene: &Scene<'_>) {
        if decision.takes_set_play {
            self.keeps_off = KEEPS_OFF_CYCLES;
        }
        if matches!(decision.command, BodyCommand::Catch { .. }) {
            self.catch_ban = scene.server.catch_ban_cycle.max(0) as u32;
        }
    }
}
