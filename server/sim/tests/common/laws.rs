//! Both laws of the physics side by side, and robots that go on as they were pushed.

use super::NoParams;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::{ContactRule, PhysicsLaw, PluginChoice, RobotSpec};

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

/// Throws robots in its first step, where they are.
pub struct Throwing(Throws);

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Throws {
    /// Of each robot, body frame: m/s forward, m/s to the left, rad/s.
    twists: Vec<[f64; 3]>,
}

/// A referee that throws the robots with these velocities.
pub fn throwing(twists: &[Twist2]) -> PluginChoice {
    let twists: Vec<[f64; 3]> =
        twists.iter().map(|twist| [twist.x_m_s, twist.y_m_s, twist.turn_rad_s]).collect();
    PluginChoice::new("throwing", serde_json::json!({ "twists": twists }))
}

impl Referee for Throwing {
    const NAME: &'static str = "throwing";
    const SUMMARY: &'static str = "throws all robots about";
    type Params = Throws;
    type State = u64;
    fn new(throws: Throws, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self(throws))
    }
    fn initial_state(&self) -> u64 {
        0
    }
    fn judge(&self, steps: &mut u64, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        *steps += 1;
        if *steps == 1 {
            for (robot, &[x_m_s, y_m_s, turn_rad_s]) in input.view.robots().zip(&self.0.twists) {
                orders.place_moving_robot(robot.number, robot.pose, Twist2 { x_m_s, y_m_s, turn_rad_s });
            }
        }
        Ok(())
    }
}

/// Gains 3.5 m/s^2 up to where it is told to, evenly: its velocity over a step is the mean of those before and after.
pub struct Gaining(f64);

pub const GAINS_M_S2: f64 = 3.5;

impl Motion for Gaining {
    const NAME: &'static str = "gaining";
    const SUMMARY: &'static str = "gains speed evenly";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, setup: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self(setup.dt_secs))
    }
    fn description(&self) -> MotionDescription {
        Coasting.description()
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let (now, most) = (input.twist.x_m_s, GAINS_M_S2 * self.0);
        let end = now + (input.command[0] - now).clamp(-most, most);
        let twist = |x_m_s| Twist2 { x_m_s, ..Twist2::ZERO };
        Ok(MotionOutput { end_twist: twist(end), ..MotionOutput::steady(twist((now + end) / 2.0)) })
    }
}
