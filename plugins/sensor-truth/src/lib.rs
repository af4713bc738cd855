//! Ground truth: the robot's own pose and velocity, and the ball's, without noise. (S7)
//!
//! For tests, benchmarks and supervisors; the mounting plays no part.

#![forbid(unsafe_code)]

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_kit::data::{DataObject, TrueBall, TruePose};
use touchline_plugin_api::layout::{Feature, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;

/// The sensor.
pub struct Truth {
    feature: Feature,
}

/// Ground truth has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TruthParams {}

impl Sensor for Truth {
    const NAME: &'static str = "truth";
    const SUMMARY: &'static str = "Ground truth: the robot's pose and velocity, and the ball's.";
    const TYPE: &'static str = "truth";
    const SERVES_ALL: bool = true;
    type Params = TruthParams;
    type State = Stateless;

    fn new(_params: TruthParams, _setup: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self { feature: TruePose::feature() })
    }

    fn layout(&self) -> Layout {
        Layout { features: vec![self.feature.clone()] }
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let ball = input.view.balls().next().map(|ball| TrueBall {
            position: [ball.pose.x_m, ball.pose.y_m],
            velocity: [ball.twist.x_m_s, ball.twist.y_m_s],
        });
        let truth = TruePose { pose: input.robot_pose, twist: input.robot_twist, ball };
        truth.encode(&self.feature, quantised).map_err(|error| Fault::new(error.to_string()))
    }
}

touchline_plugin_api::export_sensor!(Truth);

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::container::Mount;
    use touchline_plugin_api::geometry::{Pose2, Twist2};
    use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

    fn read(world: &FakeWorld) -> TruePose {
        let sensor = Truth::new(TruthParams {}, &sensor_setup()).unwrap();
        let layout = sensor.layout();
        let mut quantised = vec![0; layout.len()];
        sensor.generate(&Stateless, &world.sensor_input(0, Mount::default()), &mut quantised).unwrap();
        TruePose::decode(&layout.features[0], &quantised).unwrap()
    }

    #[test]
    fn it_keeps_the_contract() {
        check_sensor::<Truth>("{}");
    }

    /// S7: the pose is the world's, the velocity is the body's, the ball's are the world's; all within a count.
    #[test]
    fn it_says_what_is_true() {
        let pose = Pose2::new(1.25, -2.5, std::f64::consts::FRAC_PI_2);
        let world = FakeWorld::new()
            .moving_robot(pose, Twist2::new(0.0, 0.5, 0.25), 0)
            .ball([3.5, -1.25], [2.0, -1.0]);
        let truth = read(&world);
        let near = |a: f64, b: f64| (a - b).abs() <= 5.1e-6;
        assert!(
            near(truth.pose.x_m, 1.25)
                && near(truth.pose.y_m, -2.5)
                && near(truth.pose.theta_rad, pose.theta_rad)
        );
        // It drives along the world's y, and looks that way: forward.
        assert!(
            near(truth.twist.x_m_s, 0.5)
                && near(truth.twist.y_m_s, 0.0)
                && near(truth.twist.turn_rad_s, 0.25)
        );
        let ball = truth.ball.unwrap();
        assert!(near(ball.position[0], 3.5) && near(ball.position[1], -1.25));
        assert!(near(ball.velocity[0], 2.0) && near(ball.velocity[1], -1.0));
    }

    #[test]
    fn without_a_ball_there_is_none() {
        assert_eq!(read(&FakeWorld::new().robot(Pose2::ORIGIN, 0)).ball, None);
    }

    /// S7: none by default, and no way to get any.
    #[test]
    fn there_is_no_noise() {
        let world = FakeWorld::f2000().ball([1.0, 1.0], [0.5, 0.0]).robot(Pose2::new(0.3, 0.4, 0.5), 0);
        assert!((0..50).all(|step| read(&world.clone().at(step, 0.0)) == read(&world)));
    }
}
