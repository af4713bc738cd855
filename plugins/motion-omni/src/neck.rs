//! A neck: a joint on the robot that turns by itself, for sensors that follow its angle.

/// Limits of the neck joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neck {
    /// Highest turning speed against the body, either way, rad/s.
    pub speed_rad_s: f64,
    /// Lowest and highest angle against the body, radians, counter-clockwise.
    pub limits_rad: [f64; 2],
}

impl Neck {
    /// The angle after a step in which it was told to turn at this speed.
    pub fn turned(&self, angle_rad: f64, speed_rad_s: f64, dt_secs: f64) -> f64 {
        let [low, high] = self.limits_rad;
        (angle_rad + speed_rad_s.clamp(-self.speed_rad_s, self.speed_rad_s) * dt_secs).clamp(low, high)
    }
}
