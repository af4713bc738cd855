//! Sensors and commands that take their time, and who tells of it.

use super::NoParams;
use std::sync::Arc;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{AdvanceInput, Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::*;

/// Where the first ball is, in which step, how often the sensor was advanced, and a random number: what a reading was made from.
pub struct Witness;

impl Sensor for Witness {
    const NAME: &'static str = "witness";
    const SUMMARY: &'static str = "what it is told";
    const TYPE: &'static str = "witness";
    type Params = NoParams;
    type State = u64;
    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        let fields = vec![
            Field::signed("ball_x", "m", 1e-5, &[]),
            Field::unsigned("step", "1", 1.0, &[]),
            Field::unsigned("advanced", "1", 1.0, &[]),
            Field::unsigned("noise", "1", 1e-6, &[]),
        ];
        Layout { features: vec![Feature::new("witness", fields)] }
    }
    fn initial_state(&self) -> u64 {
        0
    }
    fn advance(&self, advanced: &mut u64, _: &AdvanceInput<'_>) -> Result<(), Fault> {
        *advanced += 1;
        Ok(())
    }
    fn generate(&self, advanced: &u64, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let ball_x_m = input.view.balls().next().map_or(0.0, |ball| ball.pose.x_m);
        quantised[0] = touchline_plugin_api::layout::encode(ball_x_m, 1e-5, true);
        quantised[1] = input.view.step as u32;
        quantised[2] = *advanced as u32;
        quantised[3] = (input.noise.stream().uniform(0.0, 1.0) * 1e6) as u32;
        Ok(())
    }
}

/// Publishes what it is told of its witness, and when.
pub struct Reporting(FeatureHandle);

impl Player for Reporting {
    const NAME: &'static str = "reporting";
    const SUMMARY: &'static str = "says what it is told";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, setup: &PlayerSetup) -> Result<Self, SetupError> {
        let witness = setup.robot.sensors.find(&touchline_plugin_api::container::Query::feature("witness"));
        Ok(Self(witness.map_err(|error| SetupError::new(error.to_string()))?))
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        vec![self.0]
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(
        &self,
        _: &mut Stateless,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let reading = input.readings.get(self.0);
        orders.annotate("now", &input.readings.stamp_secs.into());
        orders.annotate("stamp", &reading.map(|reading| reading.stamp_secs).into());
        orders.annotate("step", &reading.and_then(|reading| reading.value("step")).into());
        Ok(())
    }
}

pub const LASER: SensorTiming = SensorTiming { rate_hz: Some(37.5), phase_secs: 0.0, delay_secs: 0.0 };
pub const CAMERA: SensorTiming = SensorTiming { rate_hz: Some(25.0), phase_secs: 0.013, delay_secs: 0.08 };
pub const LATE: SensorTiming = SensorTiming { rate_hz: None, phase_secs: 0.0, delay_secs: 0.1 };
pub const NO_TIMING: SensorTiming = SensorTiming { rate_hz: None, phase_secs: 0.0, delay_secs: 0.0 };

/// The same world with sensors and commands that take their time.
pub fn slow(mut scenario: Scenario) -> Scenario {
    for (index, robot) in scenario.robots.iter_mut().enumerate() {
        let spec = Arc::make_mut(&mut robot.spec);
        spec.sensors[0].timing = [LASER, CAMERA, LATE, NO_TIMING][index % 4];
        if index % 2 == 0 {
            spec.commands = CommandTiming { delay_secs: 0.04, hold_secs: Some(0.1) };
        }
    }
    scenario
}
