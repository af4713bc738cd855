//! Which way to go, and the drive's command for it.
//!
//! # Frame
//! The body frame: x forward, y left; directions counter-clockwise.

use crate::plane::{Point, angle, length};
use std::f64::consts::FRAC_PI_2;
use touchline_plugin_api::geometry::{Twist2, sin_cos, wrap_angle};
use touchline_plugin_api::motion::{CommandPart, MotionDescription};
use touchline_plugin_api::plugin::SetupError;

/// Where a drive may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// Highest speed that is used, m/s.
    pub speed_m_s: f64,
    /// Highest turning speed that is used, rad/s.
    pub turn_rad_s: f64,
    /// Whether it can drive sideways.
    pub sideways: bool,
    /// How fast it turns now, rad/s.
    pub turning_rad_s: f64,
}

impl Drive {
    /// Reads the limits of a motion model.
    ///
    /// # Errors
    /// When it has no forward speed or does not turn.
    pub fn new(motion: &MotionDescription, fraction: f64) -> Result<Self, SetupError> {
        let max = |part| motion.dimension(part).map(|index| motion.dimensions[index].max * fraction);
        let missing = |name| SetupError::new(format!("this robot's motion model has no {name} velocity"));
        Ok(Self {
            speed_m_s: max(CommandPart::Forward).ok_or_else(|| missing("forward"))?,
            turn_rad_s: max(CommandPart::Turn).ok_or_else(|| missing("turn"))?,
            sideways: motion.dimension(CommandPart::Left).is_some(),
            turning_rad_s: 0.0,
        })
    }

    /// Drives in `direction_rad` with a part of the highest speed, and faces `face_rad` if it can do both.
    pub fn go(&self, direction_rad: f64, part: f64, face_rad: f64) -> Twist2 {
        let speed_m_s = self.speed_m_s * part.clamp(0.0, 1.0);
        if self.sideways {
            let (sin, cos) = sin_cos(direction_rad);
            return Twist2::new(speed_m_s * cos, speed_m_s * sin, self.turn_to(face_rad));
        }
        // Slower the more it has to turn; on the spot from about 70 degrees on.
        let (_, cos) = sin_cos(direction_rad.clamp(-1.22, 1.22));
        let straight = ((cos - 0.35) / 0.65).max(0.0);
        Twist2::new(speed_m_s * straight, 0.0, self.turn_to(direction_rad))
    }

    /// Turns on the spot towards a direction in the body frame, radians.
    pub fn face(&self, direction_rad: f64) -> Twist2 {
        Twist2::new(0.0, 0.0, self.turn_to(direction_rad))
    }

    fn turn_to(&self, direction_rad: f64) -> f64 {
        const GAIN_PER_S: f64 = 5.0;
        // A drive needs about this time to stop turning; without it the robot swings past the direction.
        const LAG_SECS: f64 = 0.12;
        (GAIN_PER_S * (direction_rad - LAG_SECS * self.turning_rad_s))
            .clamp(-self.turn_rad_s, self.turn_rad_s)
    }
}

/// The direction that brings the robot behind the ball and then through it.
///
/// With `off_rad` the angle from the line robot-ball to the line ball-target, the robot aims beside the ball, on the far
/// side from the target, the more the larger `off_rad` is: at most along the tangent of a circle of `circle_m` around the
/// ball. On the line it drives straight through the ball. So one rule leads around the ball, and keeps it in
/// front while it is pushed.
pub fn behind_ball(to_ball_rad: f64, distance_m: f64, off_rad: f64, circle_m: f64) -> f64 {
    const EAGERNESS: f64 = 1.4;
    let tangent_rad = if distance_m > circle_m {
        libm::asin(circle_m / distance_m)
    } else {
        // Inside the circle it has to get out while it goes around.
        FRAC_PI_2 + 0.8 * (1.0 - distance_m / circle_m)
    };
    wrap_angle(to_ball_rad - (EAGERNESS * off_rad).clamp(-tangent_rad, tangent_rad))
}

/// Bends a direction around one obstacle, which keeps `room_m` from the robot's centre.
///
/// An obstacle beyond the target, or not in the way, changes nothing.
pub fn around(direction_rad: f64, target_m: f64, obstacle: Point, room_m: f64) -> f64 {
    const HORIZON_M: f64 = 1.5;
    let distance_m = length(obstacle);
    if distance_m > target_m.min(HORIZON_M) {
        return direction_rad;
    }
    let half_rad = libm::asin((room_m / distance_m.max(1e-3)).min(1.0));
    let off_rad = wrap_angle(direction_rad - angle(obstacle));
    if off_rad.abs() >= half_rad {
        return direction_rad;
    }
    let side = if off_rad >= 0.0 { 1.0 } else { -1.0 };
    wrap_angle(angle(obstacle) + side * half_rad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::{add, scale, sub};
    use std::f64::consts::PI;

    fn behind_ball(ball: Point, target: Point, circle_m: f64) -> f64 {
        let off_rad = wrap_angle(angle(sub(target, ball)) - angle(ball));
        super::behind_ball(angle(ball), length(ball), off_rad, circle_m)
    }

    #[test]
    fn behind_the_ball_it_goes_straight_through() {
        assert!(behind_ball([1.0, 0.0], [3.0, 0.0], 0.5).abs() < 1e-12);
        let direction = behind_ball([0.0, 1.0], [0.0, 4.0], 0.5);
        assert!((direction - FRAC_PI_2).abs() < 1e-12);
    }

    #[test]
    fn on_the_wrong_side_it_takes_the_tangent() {
        // The target is behind the robot: tangent of a circle of 0.5 m at 1 m is 30 degrees.
        for y in [1e-6, -1e-6] {
            let direction = behind_ball([1.0, 0.0], [-3.0, y], 0.5);
            assert!((direction.abs() - PI / 6.0).abs() < 1e-3, "{direction}");
        }
        // The target is to the left of the line, so it passes the ball on the right.
        assert!(behind_ball([1.0, 0.0], [1.0, 3.0], 0.5) < 0.0);
    }

    /// Y1: from anywhere around the ball the rule ends behind it, without touching it on the wrong side.
    #[test]
    fn a_point_robot_gets_behind_the_ball_from_everywhere() {
        let (ball, target) = ([0.0, 0.0], [4.0, 0.0]);
        for start in 0..24 {
            let (sin, cos) = sin_cos(f64::from(start) * PI / 12.0 + 0.01);
            let mut robot = scale([cos, sin], 1.5);
            let mut steps = 0;
            while length(robot) > 0.36 && steps < 2000 {
                let direction = behind_ball(sub(ball, robot), sub(target, robot), 0.5);
                let (sin, cos) = sin_cos(direction);
                robot = add(robot, scale([cos, sin], 0.01));
                steps += 1;
            }
            assert!(steps < 600, "from {start} it did not arrive");
            // The push goes towards the target, within 35 degrees.
            assert!(angle(scale(robot, -1.0)).abs() < 0.6, "from {start} it arrived at {robot:?}");
        }
    }

    #[test]
    fn an_obstacle_in_the_way_is_passed_on_the_nearer_side() {
        let passed = around(0.1, 3.0, [1.0, 0.0], 0.5);
        assert!((passed - PI / 6.0).abs() < 1e-12);
        assert!((around(-0.1, 3.0, [1.0, 0.0], 0.5) + PI / 6.0).abs() < 1e-12);
        // Beside the way, behind the target, far away.
        assert_eq!(around(0.6, 3.0, [1.0, 0.0], 0.5), 0.6);
        assert_eq!(around(0.1, 0.8, [1.0, 0.0], 0.5), 0.1);
        assert_eq!(around(0.1, 3.0, [2.0, 0.0], 0.5), 0.1);
    }

    #[test]
    fn a_differential_drive_turns_before_it_goes_and_an_omni_goes_at_once() {
        let drive = Drive { speed_m_s: 1.0, turn_rad_s: 2.0, sideways: false, turning_rad_s: 0.0 };
        assert_eq!(drive.go(FRAC_PI_2, 1.0, 0.0), Twist2::new(0.0, 0.0, 2.0));
        assert_eq!(drive.go(0.0, 0.5, 1.0), Twist2::new(0.5, 0.0, 0.0));
        let omni = Drive { sideways: true, ..drive };
        let twist = omni.go(FRAC_PI_2, 1.0, -0.25);
        assert!(twist.x_m_s.abs() < 1e-12 && (twist.y_m_s - 1.0).abs() < 1e-12 && twist.turn_rad_s == -1.25);
    }
}
