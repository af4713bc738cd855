//! Whose a body is, and which surface decides where those of two owners meet.

use crate::scenario::{Combine, Surface};

/// Fixture, ball or robot that a body belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The world's, the fixture of this place in the scenario's list.
    Fixture(u32),
    /// The ball of this number.
    Ball(u32),
    /// The robot of this number.
    Robot(u32),
}

impl Owner {
    pub(super) fn code(self) -> u64 {
        match self {
            Self::Fixture(number) => u64::from(number),
            Self::Ball(number) => (1 << 32) | u64::from(number),
            Self::Robot(number) => (2 << 32) | u64::from(number),
        }
    }

    pub(super) fn from_code(code: u64) -> Self {
        let number = (code & 0xffff_ffff) as u32;
        match code >> 32 & 3 {
            0 => Self::Fixture(number),
            1 => Self::Ball(number),
            _ => Self::Robot(number),
        }
    }

    /// Of two surfaces that decide alone, that of the higher rank decides.
    fn rank(self) -> u32 {
        match self {
            Self::Ball(_) => 0,
            Self::Robot(_) => 1,
            Self::Fixture(_) => 2,
        }
    }
}

/// Friction and restitution where two surfaces meet.
pub(super) fn where_met((a_owner, a): (Owner, Surface), (b_owner, b): (Owner, Surface)) -> (f64, f64) {
    let combined = |a: (Combine, f64), b: (Combine, f64)| match a.0.max(b.0) {
        Combine::Mean => (a.1 + b.1) / 2.0,
        Combine::Product => a.1 * b.1,
        Combine::Greater => a.1.max(b.1),
        Combine::Own if a.0 != Combine::Own => b.1,
        Combine::Own if b.0 != Combine::Own || a_owner.rank() > b_owner.rank() => a.1,
        Combine::Own if a_owner.rank() < b_owner.rank() => b.1,
        Combine::Own => (a.1 + b.1) / 2.0,
    };
    (
        combined((a.friction_rule, a.friction), (b.friction_rule, b.friction)),
        combined((a.restitution_rule, a.restitution), (b.restitution_rule, b.restitution)),
    )
}
