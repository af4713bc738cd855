//! The drive's limits: which speeds its wheels can reach, and how fast it gets there.
//!
//! # Units, frames
//! Body frame: x forward, turning counter-clockwise positive. Rim speeds are those of a wheel on the floor.

use touchline_kit::drive::approach;

/// The two speeds of a differential drive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speeds {
    /// Forward, m/s.
    pub forward_m_s: f64,
    /// Counter-clockwise, rad/s.
    pub turn_rad_s: f64,
}

/// What the drive can do; all numbers are above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Highest forward speed either way, m/s.
    pub forward_m_s: f64,
    /// Highest turning speed either way, rad/s.
    pub turn_rad_s: f64,
    /// Highest rim speed of a wheel, m/s.
    pub wheel_m_s: f64,
    /// The distance between the wheels, metres.
    pub wheel_base_m: f64,
    /// Gain of forward speed, m/s^2.
    pub acceleration_m_s2: f64,
    /// Loss of forward speed, m/s^2.
    pub braking_m_s2: f64,
    /// Gain and loss of turning speed, rad/s^2.
    pub turn_acceleration_rad_s2: f64,
}

impl Limits {
    /// The rim speeds of the left and the right wheel, m/s.
    pub fn wheels_m_s(&self, speeds: Speeds) -> [f64; 2] {
        let half = speeds.turn_rad_s * self.wheel_base_m / 2.0;
        [speeds.forward_m_s - half, speeds.forward_m_s + half]
    }

    /// The nearest speeds on the same curve that are within all limits.
    pub fn reachable(&self, wish: Speeds) -> Speeds {
        let fastest_wheel_m_s = wish.forward_m_s.abs() + wish.turn_rad_s.abs() * self.wheel_base_m / 2.0;
        // One factor for both: the ratio of turn to forward speed is the curvature of the path.
        let scale = [
            excess(wish.forward_m_s, self.forward_m_s),
            excess(wish.turn_rad_s, self.turn_rad_s),
            excess(fastest_wheel_m_s, self.wheel_m_s),
        ]
        .into_iter()
        .fold(1.0, f64::min);
        Speeds { forward_m_s: wish.forward_m_s * scale, turn_rad_s: wish.turn_rad_s * scale }
    }

    /// The speeds at the end of a cycle, and their means over it.
    pub fn step(&self, now: Speeds, target: Speeds, dt_secs: f64) -> (Speeds, Speeds) {
        let forward =
            approach(now.forward_m_s, target.forward_m_s, self.acceleration_m_s2, self.braking_m_s2, dt_secs);
        let rate = self.turn_acceleration_rad_s2;
        let turn = approach(now.turn_rad_s, target.turn_rad_s, rate, rate, dt_secs);
        (
            Speeds { forward_m_s: forward.end, turn_rad_s: turn.end },
            Speeds { forward_m_s: forward.mean, turn_rad_s: turn.mean },
        )
    }
}

/// The factor that brings a speed down to its limit; 1 if it is within.
fn excess(speed: f64, limit: f64) -> f64 {
    if speed.abs() > limit { limit / speed.abs() } else { 1.0 }
}
