//! Stamina: driving costs it, time brings it back, and who has little of it is slow.

/// How it sinks, rises and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stamina {
    /// What a metre costs, 1/m.
    pub per_m: f64,
    /// What a second brings back, 1/s.
    pub recovery_per_s: f64,
    /// The part of the highest speed that is left without any.
    pub tired_speed_fraction: f64,
}

impl Stamina {
    /// What is left, in `[0, 1]`, after a step at this speed.
    pub fn after(&self, stamina: f64, speed_m_s: f64, dt_secs: f64) -> f64 {
        (stamina + (self.recovery_per_s - self.per_m * speed_m_s) * dt_secs).clamp(0.0, 1.0)
    }

    /// The part of the highest speed that can be reached.
    pub fn speed_fraction(&self, stamina: f64) -> f64 {
        self.tired_speed_fraction + (1.0 - self.tired_speed_fraction) * stamina.clamp(0.0, 1.0)
    }
}
