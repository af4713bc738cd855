//! Where to drive: on, unless something is in the way.

use serde::{Deserialize, Serialize};
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{CommandPart, MotionDescription};
use touchline_plugin_api::noise::Noise;
use touchline_plugin_api::plugin::SetupError;

/// The robot's drive and size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// How fast it drives, m/s.
    pub speed_m_s: f64,
    /// How fast it turns, rad/s.
    pub turn_rad_s: f64,
    /// The robot's radius, metres.
    pub radius_m: f64,
    /// Nearer than this before its front is too near, metres.
    pub clearance_m: f64,
}

/// What it is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Turning away: to the left if positive; 0 drives on.
    away: f64,
    /// The curve that it drives, as a part of its highest turning speed, and for how long yet, seconds.
    curve: f64,
    curve_secs: f64,
    /// How long it has been turning away, seconds: who turns for long is in a corner.
    away_secs: f64,
}

impl Drive {
    /// Reads the limits of a motion model.
    ///
    /// # Errors
    /// When it has no forward speed or does not turn.
    pub fn new(
        motion: &MotionDescription,
        fraction: f64,
        radius_m: f64,
        clearance_m: f64,
    ) -> Result<Self, SetupError> {
        let max = |part, name| {
            let dimension = motion.dimension(part).map(|index| motion.dimensions[index].max * fraction);
            dimension
                .ok_or_else(|| SetupError::new(format!("this robot's motion model has no {name} velocity")))
        };
        Ok(Self {
            speed_m_s: max(CommandPart::Forward, "forward")?,
            turn_rad_s: max(CommandPart::Turn, "turn")?,
            radius_m,
            clearance_m,
        })
    }

    /// The next velocity, from obstacles in the robot's frame.
    pub fn steer(
        &self,
        course: &mut Course,
        obstacles: &[[f64; 2]],
        elapsed_secs: f64,
        noise: &mut Noise,
    ) -> Twist2 {
        let ahead_m = self.free_ahead(obstacles);
        if course.away == 0.0 && ahead_m < self.clearance_m {
            course.away = self.freer_side(obstacles, noise);
            course.away_secs = 0.0;
        } else if course.away != 0.0 && ahead_m > 1.5 * self.clearance_m {
            course.away = 0.0;
        }
        if course.away != 0.0 {
            course.away_secs += elapsed_secs;
            // In a corner both sides look alike: back out of it a little.
            let back = if course.away_secs > 4.0 { -0.3 * self.speed_m_s } else { 0.0 };
            return Twist2::new(back, 0.0, course.away * self.turn_rad_s);
        }
        course.curve_secs -= elapsed_secs;
        if course.curve_secs <= 0.0 {
            course.curve = noise.uniform(-0.3, 0.3);
            course.curve_secs = noise.uniform(1.0, 4.0);
        }
        let slower = ((ahead_m - 0.5 * self.clearance_m) / (2.0 * self.clearance_m)).clamp(0.2, 1.0);
        Twist2::new(slower * self.speed_m_s, 0.0, course.curve * self.turn_rad_s)
    }

    /// How far it could drive straight on, from its own edge, metres.
    fn free_ahead(&self, obstacles: &[[f64; 2]]) -> f64 {
        let in_the_way = obstacles.iter().filter(|[x, y]| *x > 0.0 && y.abs() < self.radius_m + 0.05);
        in_the_way.map(|[x, _]| x - self.radius_m).fold(f64::INFINITY, f64::min)
    }

    /// 1 for the left, -1 for the right: where the nearest obstacle is farther; by chance if both are alike.
    fn freer_side(&self, obstacles: &[[f64; 2]], noise: &mut Noise) -> f64 {
        let nearest = |side: f64| {
            let there = obstacles.iter().filter(|[x, y]| *x > -self.radius_m && side * y > 0.0);
            there.map(|[x, y]| x * x + y * y).fold(25.0, f64::min)
        };
        let (left, right) = (nearest(1.0), nearest(-1.0));
        if (left - right).abs() < 0.05 * (left + right) {
            return if noise.chance(0.5) { 1.0 } else { -1.0 };
        }
        if left > right { 1.0 } else { -1.0 }
    }
}
