//! Turns of more than half a circle in one step. [R2]

use crate::common::*;
use std::f64::consts::PI;
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{InProcess, MotionInstance};
use touchline_plugin_api::motion::*;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, MakeError, PluginFactory, World};

const DT_SECS: f64 = 0.1;

/// Goes as told, and publishes the velocity that it is told to have had over the last step; stands at the end of a step if it is told to.
struct Publishing;

impl Motion for Publishing {
    const NAME: &'static str = "publishing";
    const SUMMARY: &'static str = "publishes what it achieved";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        let dimension = |name, part| CommandDimension::symmetric(name, "1", 100.0, part);
        MotionDescription {
            dimensions: vec![
                dimension("forward", CommandPart::Forward),
                dimension("left", CommandPart::Left),
                dimension("turn", CommandPart::Turn),
                dimension("stands", CommandPart::Other),
            ],
            data: ["forward", "left", "turn"].map(|name| MotionDatum::new(name, "1")).to_vec(),
            ..MotionDescription::default()
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let &[x_m_s, y_m_s, turn_rad_s, stands] = input.command else {
            return Err(Fault::new("four numbers"));
        };
        let mut output = MotionOutput::steady(Twist2::new(x_m_s, y_m_s, turn_rad_s));
        if stands > 0.0 {
            output.end_twist = Twist2::ZERO;
        }
        let Twist2 { x_m_s, y_m_s, turn_rad_s } = input.achieved;
        output.data[..3].copy_from_slice(&[x_m_s, y_m_s, turn_rad_s]);
        Ok(output)
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }
    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Publishing, _>::motion(&choice.params, setup).unwrap()))
    }
}

fn turning(physics: PhysicsLaw, traction_m_s2: f64, command: [f64; 4]) -> World {
    let spec = Arc::new(RobotSpec { motion: choice("publishing"), traction_m_s2, ..disc_robot() });
    let robot =
        RobotPlacement { name: "r".into(), team: None, spec, pose: Some(Pose2::ORIGIN), player: None };
    let scenario = Scenario { physics, dt_secs: DT_SECS, robots: vec![robot], ..empty_scenario() };
    let mut world = World::new(scenario, Arc::new(Factory)).unwrap();
    let action = Action::Drive(0, command.to_vec());
    world.step(&[Command { client: 1, sequence: 0, action }]);
    // Until the tyres have brought it there.
    for _ in 0..20 {
        world.step(&[]);
    }
    world
}

fn achieved(world: &World) -> Twist2 {
    let data = world.frame().robots[0].motion_data;
    Twist2::new(data[0], data[1], data[2])
}

/// R2: a robot is told to have turned as it did, and the same way round, however far it turns in a step.
#[test]
fn a_turn_is_told_the_way_it_went() {
    for (physics, turn_rad_s) in [PhysicsLaw::Rigid, DISCS]
        .into_iter()
        .flat_map(|law| [3.0, 31.0, 33.0, 50.0, -50.0, 60.0, 95.0, -95.0].map(|t| (law, t)))
    {
        for stands in [0.0, 1.0] {
            let wanted = Twist2::new(0.5, 0.2, turn_rad_s);
            let got = achieved(&turning(physics, 1e5, [0.5, 0.2, turn_rad_s, stands]));
            let off =
                [got.x_m_s - wanted.x_m_s, got.y_m_s - wanted.y_m_s, got.turn_rad_s - wanted.turn_rad_s];
            assert!(
                off.iter().all(|off| off.abs() < 1e-6),
                "{physics:?}, stands {stands}: {got:?} for {wanted:?}"
            );
        }
    }
}

/// R2: the full circle brings a robot back: how fast it went is what it has at the end, and no number is none.
#[test]
fn a_full_circle_is_told_in_numbers() {
    let got = achieved(&turning(DISCS, 1e5, [0.5, 0.2, 2.0 * PI / DT_SECS, 0.0]));
    assert!((got.turn_rad_s - 2.0 * PI / DT_SECS).abs() < 1e-6, "{got:?}");
    assert!((got.x_m_s - 0.5).abs() < 1e-6 && (got.y_m_s - 0.2).abs() < 1e-6, "{got:?}");
}

/// R2: who slips turns the way that its tyres turn it, also by more than half a circle in a step.
#[test]
fn who_slips_turns_as_its_tyres_turn_it() {
    for turn_rad_s in [25.0, 40.0, -40.0] {
        // Its middle cannot have the speed that it is told, and it slips for ever.
        let mut spec = RobotSpec { motion: choice("publishing"), traction_m_s2: 100.0, ..disc_robot() };
        spec.body[0].pose = Pose2::new(0.05, 0.0, 0.0);
        let pose = Some(Pose2::ORIGIN);
        let robot = RobotPlacement { name: "r".into(), team: None, spec: Arc::new(spec), pose, player: None };
        let scenario = Scenario { physics: DISCS, dt_secs: DT_SECS, robots: vec![robot], ..empty_scenario() };
        let mut world = World::new(scenario, Arc::new(Factory)).unwrap();
        let action = Action::Drive(0, vec![0.0, 0.0, turn_rad_s, 0.0]);
        world.step(&[Command { client: 1, sequence: 0, action: action.clone() }]);
        (0..20).for_each(|_| drop(world.step(&[])));
        // From now on its middle would have to go far more quickly.
        let action = Action::Drive(0, vec![45.0, 0.0, turn_rad_s, 0.0]);
        world.step(&[Command { client: 1, sequence: 0, action }]);
        world.step(&[]);
        let got = achieved(&world).turn_rad_s;
        assert!((got - turn_rad_s).abs() < 1e-6, "{got} for {turn_rad_s} rad/s");
    }
}
