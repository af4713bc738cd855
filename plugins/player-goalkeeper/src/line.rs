//! The goalkeeper's line: where on it to stand, and how to get there.
//!
//! # Frame
//! The line's frame is the body frame at the start: its origin is the starting place, in front of the middle of the
//! goal line. A holonomic robot starts facing the field, so its line is the y axis; a differential one starts facing
//! along the line, so its line is the x axis. All places here are `(out, along)`: metres off the line, and on it.

use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::{CommandPart, MotionDescription};
use touchline_plugin_api::plugin::SetupError;

/// The robot's drive, as the line needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// Highest speed along the line that is used, m/s.
    pub speed_m_s: f64,
    /// Highest turning speed that is used, rad/s.
    pub turn_rad_s: f64,
    /// Whether it drives sideways along the line, or forward and back.
    pub sideways: bool,
}

/// Speed per error: 1/s.
const GAIN_PER_S: f64 = 5.0;

impl Drive {
    /// Reads the limits of a motion model.
    ///
    /// # Errors
    /// When it has no forward speed or does not turn.
    pub fn new(motion: &MotionDescription, fraction: f64) -> Result<Self, SetupError> {
        let max = |part| motion.dimension(part).map(|index| motion.dimensions[index].max * fraction);
        let missing = |name| SetupError::new(format!("this robot's motion model has no {name} velocity"));
        let forward_m_s = max(CommandPart::Forward).ok_or_else(|| missing("forward"))?;
        let left_m_s = max(CommandPart::Left);
        Ok(Self {
            speed_m_s: left_m_s.unwrap_or(forward_m_s),
            turn_rad_s: max(CommandPart::Turn).ok_or_else(|| missing("turn"))?,
            sideways: left_m_s.is_some(),
        })
    }

    /// A point of the start frame as `(out, along)`.
    pub fn on_line(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.sideways { [x, y] } else { [y, x] }
    }

    /// The velocity that brings the robot, which is at `pose` in the start frame, to `along_m` on its line.
    pub fn to(&self, along_m: f64, pose: Pose2) -> Twist2 {
        let limited = |speed: f64, limit: f64| speed.clamp(-limit, limit);
        let turn_rad_s = limited(-GAIN_PER_S * pose.theta_rad, self.turn_rad_s);
        if self.sideways {
            let wish = [-GAIN_PER_S * pose.x_m, GAIN_PER_S * (along_m - pose.y_m)];
            let wish = wish.map(|speed| limited(speed, self.speed_m_s));
            let [x, y] = Pose2::new(0.0, 0.0, pose.theta_rad).point_to_inner(wish);
            return Twist2::new(x, y, turn_rad_s);
        }
        let forward_m_s = limited(GAIN_PER_S * (along_m - pose.x_m), self.speed_m_s);
        // Back onto the line: it steers towards it, the other way round when it drives backwards.
        let steer_rad = (2.0 * pose.y_m).clamp(-0.4, 0.4) * (forward_m_s / self.speed_m_s);
        let turn_rad_s = limited(-GAIN_PER_S * (pose.theta_rad + steer_rad), self.turn_rad_s);
        Twist2::new(forward_m_s, 0.0, turn_rad_s)
    }
}

impl Drive {
    /// A place on the line, in the start frame.
    pub fn place(&self, along_m: f64) -> [f64; 2] {
        if self.sideways { [0.0, along_m] } else { [along_m, 0.0] }
    }
}

/// Where a ball that goes on as it does crosses a line `out_m` before the keeper's own, metres along; `None` if it does
/// not come, or not within the time that a shot takes.
pub fn crossing([out, along]: [f64; 2], [out_m_s, along_m_s]: [f64; 2], out_m: f64) -> Option<f64> {
    /// Slower is no shot, m/s.
    const SLOWEST_M_S: f64 = 0.3;
    /// Farther ahead nobody can tell, seconds.
    const LONGEST_SECS: f64 = 3.0;
    let secs = (out - out_m) / -out_m_s;
    (out_m_s < -SLOWEST_M_S && (0.0..LONGEST_SECS).contains(&secs)).then_some(along + along_m_s * secs)
}

/// Where on its line the robot is between the ball and the middle of the goal, metres along.
///
/// The goal's middle lies `line_distance_m` behind the line's origin. `limit_m` is the farthest that makes sense. A
/// ball on or behind the line has it at that end of the line.
pub fn between([out_m, along_m]: [f64; 2], line_distance_m: f64, limit_m: f64) -> f64 {
    let from_goal_m = out_m.abs() + line_distance_m;
    (along_m * line_distance_m / from_goal_m).clamp(-limit_m, limit_m)
}
