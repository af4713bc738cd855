//! Surfaces: what happens where two bodies touch. (W4)

use serde::{Deserialize, Serialize};

/// What happens where two bodies touch. (W4)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Coulomb's coefficient: 0 slips, above about 1 sticks.
    pub friction: f64,
    /// Newton's coefficient of restitution in `[0, 1]`.
    pub restitution: f64,
    /// How two coefficients of friction make one.
    #[serde(default = "Surface::friction_rule")]
    pub friction_rule: Combine,
    /// How two coefficients of restitution make one.
    #[serde(default = "Surface::restitution_rule")]
    pub restitution_rule: Combine,
}

impl Surface {
    /// A surface that meets others with the mean of friction and the greater of restitution.
    pub fn new(friction: f64, restitution: f64) -> Self {
        Self {
            friction,
            restitution,
            friction_rule: Self::friction_rule(),
            restitution_rule: Self::restitution_rule(),
        }
    }

    fn friction_rule() -> Combine {
        Combine::Mean
    }

    fn restitution_rule() -> Combine {
        Combine::Greater
    }
}

/// How the coefficients of two surfaces make the one with which they meet. If the two have different rules, the later one here
/// decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Combine {
    /// Arithmetic mean of both surfaces' values.
    Mean,
    /// Product of both surfaces' values.
    Product,
    /// The greater of both surfaces' values.
    Greater,
    /// The coefficient of the surface that has this rule; of two of them a fixture's before a robot's before a ball's.
    Own,
}

impl Combine {
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Mean,
            1 => Self::Product,
            2 => Self::Greater,
            _ => Self::Own,
        }
    }
}
