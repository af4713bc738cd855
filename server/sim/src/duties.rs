//! What a step has to ask robots for: where none of them has a part of some kind, none is asked for it.
//!
//! # Invariants
//! - Made anew with the view's list of objects; from the moment when a robot comes or goes until then, every robot is asked for everything.
//!   So a world's next step never depends on it.

use crate::late::is_late;
use crate::robot::Robot;

/// Whether any robot has such a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Duties {
    /// A player, or one beside it.
    pub acts: bool,
    /// Commands that arrive late, or end by themselves.
    pub is_late: bool,
    /// A manipulator that can hold a ball.
    pub holds: bool,
    /// A sensor that has a state to advance.
    pub integrates: bool,
    /// A sensor with a timing.
    pub is_timed: bool,
}

impl Duties {
    /// Whether nothing is left out that there is.
    pub fn cover(self, robots: &[Robot]) -> bool {
        let Self { acts, is_late, holds, integrates, is_timed } = Self::of(robots);
        (self.acts || !acts)
            && (self.is_late || !is_late)
            && (self.holds || !holds)
            && (self.integrates || !integrates)
            && (self.is_timed || !is_timed)
    }

    /// Nothing is known of the robots.
    pub const ALL: Self = Self { acts: true, is_late: true, holds: true, integrates: true, is_timed: true };

    pub fn of(robots: &[Robot]) -> Self {
        let any = |has: fn(&Robot) -> bool| robots.iter().any(has);
        Self {
            acts: any(|robot| robot.player.is_some() || robot.shadow.is_some()),
            is_late: any(|robot| is_late(&robot.identity.spec.commands)),
            holds: any(|robot| robot.can_hold),
            integrates: any(|robot| !robot.integrating.is_empty()),
            is_timed: any(|robot| robot.is_timed),
        }
    }
}
