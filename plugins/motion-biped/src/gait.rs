//! Which feet are on the ground.
//!
//! The share of a step that is spent on no foot, or with the other sign on both, is a straight line over the Froude number `v^2 / (g l)`, with its zero at
//! 1/2: there animals and people of all sizes change from walking to running (R. McN. Alexander, *Optimization and gaits in the locomotion of
//! vertebrates*, Physiological Reviews 69, 1989; from memory, unverified). That it is a straight line is assumed.

use crate::params::BipedParams;

/// Standard gravity, m/s^2.
const GRAVITY_M_S2: f64 = 9.80665;
/// The Froude number at which walking becomes running.
const RUNS_FROM: f64 = 0.5;

/// Which feet are on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feet {
    Left,
    Right,
    Both,
    None,
}

impl Feet {
    /// 1 for each that is: left, right.
    pub fn on_ground(self) -> [f64; 2] {
        match self {
            Self::Left => [1.0, 0.0],
            Self::Right => [0.0, 1.0],
            Self::Both => [1.0, 1.0],
            Self::None => [0.0, 0.0],
        }
    }
}

/// How a step is made, for each speed.
#[derive(Clone, Copy, Debug)]
pub struct Gait {
    /// The Froude number of 1 m/s, s^2/m^2.
    froude_per_speed2: f64,
    share_per_froude: f64,
    max_share: f64,
}

impl Gait {
    /// The gait of a robot with these legs.
    pub fn new(params: &BipedParams) -> Self {
        Self {
            froude_per_speed2: 1.0 / (GRAVITY_M_S2 * params.leg_length_m),
            share_per_froude: params.air_share_per_froude,
            max_share: params.max_air_share,
        }
    }

    /// The share of the time that it is in the air at this speed; below 0 that on both feet.
    pub fn air_share(&self, speed_m_s: f64) -> f64 {
        let froude = speed_m_s * speed_m_s * self.froude_per_speed2;
        (self.share_per_froude * (froude - RUNS_FROM)).clamp(-self.max_share, self.max_share)
    }

    /// The feet after so many steps: each has one foot on the ground first, and then both or none.
    pub fn feet(&self, steps: f64, speed_m_s: f64) -> Feet {
        let share = self.air_share(speed_m_s);
        let number = steps.floor();
        if steps - number >= 1.0 - share.abs() {
            return if share > 0.0 { Feet::None } else { Feet::Both };
        }
        if number % 2.0 == 0.0 { Feet::Left } else { Feet::Right }
    }
}
