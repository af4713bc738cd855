//! Both laws of the physics side by side, and robots that go on as they were pushed.

use super::NoParams;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::{ContactRule, PhysicsLaw, RobotSpec};

pub const STEPS_SECS: [f64; 6] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05];

pub const DISCS: PhysicsLaw = PhysicsLaw::Discs { contact: ContactRule::Impulse, bounding_circles: false };

/// What holds by either law is tried by both, at every length of step.
pub fn laws_and_steps() -> impl Iterator<Item = (PhysicsLaw, f64)> {
    [PhysicsLaw::Rigid, DISCS].into_iter().flat_map(|law| STEPS_SECS.map(|dt_secs| (law, dt_secs)))
}

/// The robots of these that the law carries as they are.
pub fn carried(law: PhysicsLaw, specs: impl IntoIterator<Item = RobotSpec>) -> Vec<RobotSpec> {
    specs.into_iter().filter(|spec| law.check(spec).is_ok()).collect()
}

/// Goes where it is told to; told nothing, it keeps the velocity that it has, and so its energy.
pub struct Coasting;

impl Motion for Coasting {
    const NAME: &'static str = "coasting";
    const SUMMARY: &'static str = "keeps its velocity";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "1", 10.0, CommandPart::Forward),
                CommandDimension::symmetric("left", "1", 10.0, CommandPart::Left),
                CommandDimension::symmetric("turn", "1", 10.0, CommandPart::Turn),
            ],
            ..MotionDescription::default()
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let told = Twist2::new(input.command[0], input.command[1], input.command[2]);
        let twist = if told == Twist2::ZERO { input.twist } else { told };
        Ok(MotionOutput::steady(twist))
    }
}
