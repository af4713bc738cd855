//! What a keeper of keepaway observes: the thirteen state variables of the benchmark. \[P3\]
//!
//! Exact, of the whole field, as there; the robot that carries it plays no part. The variables are [`touchline_soccer_team::keepaway::state`]'s: the first team's three
//! robots are the keepers, the second one's two the takers.

#![forbid(unsafe_code)]

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::PI;
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_soccer_law::face::Side;
use touchline_soccer_team::keepaway::{STATE, state};

/// It has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeepawayParams {}

/// The sensor.
pub struct Keepaway {
    feature: Feature,
}

impl Sensor for Keepaway {
    const NAME: &'static str = "keepaway";
    const SUMMARY: &'static str = "The thirteen state variables of keepaway, three against two.";
    const TYPE: &'static str = "keepaway";
    const SERVES_ALL: bool = true;
    type Params = KeepawayParams;
    type State = Stateless;

    fn new(_: KeepawayParams, _: &SensorSetup) -> Result<Self, SetupError> {
        let field = |name: &&str| {
            let (unit, scale) = if name.contains("ang") { ("rad", PI / 18_000.0) } else { ("m", 1e-3) };
            Field::unsigned(name, unit, scale, &[])
        };
        Ok(Self { feature: Feature::new("keepaway", STATE.iter().map(field).collect()) })
    }

    fn layout(&self) -> Layout {
        Layout { features: vec![self.feature.clone()] }
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let mut places = [Vec::with_capacity(3), Vec::with_capacity(2)];
        for robot in input.view.robots() {
            if let Some(side) = Side::of_team(robot.team) {
                places[side.team() as usize].push([robot.pose.x_m, robot.pose.y_m]);
            }
        }
        let [keepers, takers] = places;
        let ball = input.view.balls().next().map(|ball| [ball.pose.x_m, ball.pose.y_m]);
        // Without all of them there is nothing to be read.
        let numbers = ball.and_then(|ball| state(&keepers, &takers, ball)).unwrap_or([f64::INFINITY; 13]);
        for ((count, field), number) in quantised.iter_mut().zip(&self.feature.fields).zip(numbers) {
            *count = field.encode(number);
        }
        Ok(())
    }
}

touchline_plugin_api::export_sensor!(Keepaway);

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::container::Mount;
    use touchline_plugin_api::geometry::Pose2;
    use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

    #[test]
    fn it_keeps_the_contract() {
        check_sensor::<Keepaway>("{}");
    }

    /// Three keepers on a line, the takers beside it: distances and angles by hand.
    #[test]
    fn the_variables_are_those_of_the_benchmark() {
        let world = [(-5.0, 0.0, 0), (5.0, 0.0, 0), (-5.0, 8.0, 0), (0.0, 0.0, 1), (-5.0, -5.0, 1)]
            .into_iter()
            .fold(FakeWorld::new(), |world, (x, y, team)| world.robot(Pose2::new(x, y, 0.0), team))
            .ball([-5.0, 0.0], [0.0; 2]);
        let sensor = Keepaway::new(KeepawayParams {}, &sensor_setup()).unwrap();
        let mut quantised = vec![0; 13];
        sensor.generate(&Stateless, &world.sensor_input(0, Mount::default()), &mut quantised).unwrap();
        let read: Vec<f64> =
            sensor.feature.fields.iter().zip(&quantised).map(|(field, count)| field.decode(*count)).collect();
        let k2 = 89f64.sqrt();
        let wanted = [5.0, k2, 5.0, 0.0, 50f64.sqrt(), 8.0, 10.0, 5.0, 5.0, k2, 5.0, PI / 2.0, 0.0];
        for (number, (got, wanted)) in read.iter().zip(wanted).enumerate() {
            assert!((got - wanted).abs() < 1e-3, "{}: {got} for {wanted}", STATE[number]);
        }
    }
}
