//! What is true, for tests, benchmarks and supervisors. (S7)

use super::{DataError, DataObject, fields};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::layout::{Feature, Field};

/// The robot's true pose and velocity, and the first ball's.
///
/// | field | unit | scale |
/// |---|---|---|
/// | `x`, `y` | m | 1e-5 |
/// | `theta` | rad | 1e-6 |
/// | `velocity_x`, `velocity_y` | m/s | 1e-5 |
/// | `velocity_turn` | rad/s | 1e-6 |
/// | `ball_x`, `ball_y` | m | 1e-5 |
/// | `ball_velocity_x`, `ball_velocity_y` | m/s | 1e-5 |
///
/// The four of the ball are `+inf` if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TruePose {
    /// The robot in the world.
    pub pose: Pose2,
    /// Its velocity in its body frame.
    pub twist: Twist2,
    /// The first ball; `None` if there is none.
    pub ball: Option<TrueBall>,
}

/// The true state of a ball, in the world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrueBall {
    /// x and y, metres.
    pub position: [f64; 2],
    /// m/s.
    pub velocity: [f64; 2],
}

impl TruePose {
    /// The name of the feature.
    pub const FEATURE: &str = "truth";

    /// Fields and units of the feature.
    pub fn feature() -> Feature {
        let field = |name, unit, scale| Field::signed(name, unit, scale, &[]);
        Feature::new(
            Self::FEATURE,
            vec![
                field("x", "m", 1e-5),
                field("y", "m", 1e-5),
                field("theta", "rad", 1e-6),
                field("velocity_x", "m/s", 1e-5),
                field("velocity_y", "m/s", 1e-5),
                field("velocity_turn", "rad/s", 1e-6),
                field("ball_x", "m", 1e-5),
                field("ball_y", "m", 1e-5),
                field("ball_velocity_x", "m/s", 1e-5),
                field("ball_velocity_y", "m/s", 1e-5),
            ],
        )
    }
}

impl DataObject for TruePose {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        let nothing = TrueBall { position: [f64::INFINITY; 2], velocity: [f64::INFINITY; 2] };
        let ball = self.ball.unwrap_or(nothing);
        for (name, value) in [
            ("x", self.pose.x_m),
            ("y", self.pose.y_m),
            ("theta", self.pose.theta_rad),
            ("velocity_x", self.twist.x_m_s),
            ("velocity_y", self.twist.y_m_s),
            ("velocity_turn", self.twist.turn_rad_s),
            ("ball_x", ball.position[0]),
            ("ball_y", ball.position[1]),
            ("ball_velocity_x", ball.velocity[0]),
            ("ball_velocity_y", ball.velocity[1]),
        ] {
            fields::put(feature, quantised, name, value)?;
        }
        Ok(())
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let get = |name: &str| fields::get(feature, quantised, name);
        let position = [get("ball_x")?, get("ball_y")?];
        let velocity = [get("ball_velocity_x")?, get("ball_velocity_y")?];
        let there = position.iter().chain(&velocity).all(|number| number.is_finite());
        Ok(Self {
            pose: Pose2::new(get("x")?, get("y")?, get("theta")?),
            twist: Twist2::new(get("velocity_x")?, get("velocity_y")?, get("velocity_turn")?),
            ball: there.then_some(TrueBall { position, velocity }),
        })
    }
}
