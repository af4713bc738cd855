//! Commands that are repeated while time stands: what waits of them is bounded. [R5, G1]

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::{InProcess, RefereeInstance};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{PrepareInput, Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, CommandError, EventKind, MakeError, PluginFactory, World};

/// Tells how many kicks it is asked about, and the strength of the last.
struct Asked;

impl Referee for Asked {
    const NAME: &'static str = "asked";
    const SUMMARY: &'static str = "counts kicks";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> GameDescription {
        GameDescription { prepares: true, ..GameDescription::of_phases(&["open"]) }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn prepare(&self, _: &mut Stateless, input: &PrepareInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let kicks =
            input.kicks.iter().map(|kick| format!("{}/{} {}", kick.robot, kick.manipulator, kick.strength));
        orders.announce(&kicks.collect::<Vec<_>>().join(", "));
        Ok(())
    }
    fn judge(&self, _: &mut Stateless, _: &RefereeInput<'_>, _: &mut Orders) -> Result<(), Fault> {
        Ok(())
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }
    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Asked, _>::referee(&choice.params, setup).unwrap()))
    }
}

fn kick(robot: u32, sequence: u64, strength: f64) -> Command {
    let (manipulator, state, aim) = ("kicker".into(), "kick".into(), Aim::strength(strength));
    Command { client: 1, sequence, action: Action::Manipulate { robot, manipulator, state, aim } }
}

/// Two robots, each with a ball before a kicker that is always charged.
fn world(commands: CommandTiming) -> World {
    let mut spec = RobotSpec { commands, ..equipped_robot() };
    spec.manipulators[0].states[1].kick.as_mut().unwrap().recharge_secs = 0.0;
    let spec = Arc::new(spec);
    let robot = |name: &str, y_m| {
        let pose = Some(Pose2::new(0.0, y_m, 0.0));
        RobotPlacement { name: name.into(), team: None, spec: Arc::clone(&spec), pose, player: None }
    };
    let scenario = Scenario {
        robots: vec![robot("a", 0.0), robot("b", 2.0)],
        balls: vec![ball(FREE_BALL, [0.34, 0.0], [0.0; 2]), ball(FREE_BALL, [0.34, 2.0], [0.0; 2])],
        referee: Some(choice("asked")),
        ..empty_scenario()
    };
    World::new(scenario, Arc::new(Factory)).unwrap()
}

fn told(world: &World) -> String {
    let mut last = world.events().filter_map(|event| match &event.kind {
        EventKind::Announcement(text) => Some(text.clone()),
        _ => None,
    });
    last.next_back().unwrap()
}

/// R5, G1: of kicks that are ordered while time stands the last one of each manipulator counts, and the referee is asked about it alone.
#[test]
fn a_kick_that_is_ordered_again_takes_the_place_of_the_first() {
    let mut world = world(CommandTiming::default());
    for sequence in 0..2000 {
        let strength = if sequence == 1999 { 0.5 } else { 1.0 };
        assert!(world.apply(&[kick(0, sequence, strength)])[0].result.is_ok());
    }
    world.step(&[kick(1, 0, 0.25)]);
    assert_eq!(told(&world), "0/0 0.5, 1/0 0.25");
    let speeds: Vec<f64> = world.view().balls().map(|ball| ball.twist.x_m_s).collect();
    assert!((speeds[0] - 2.0).abs() < 1e-9 && (speeds[1] - 1.0).abs() < 1e-9, "{speeds:?}");
}

/// R5, R3: the same on its way through a delay.
#[test]
fn a_late_kick_that_is_ordered_again_takes_the_place_of_the_first() {
    let mut world = world(CommandTiming { delay_secs: 0.02, hold_secs: None });
    for sequence in 0..2000 {
        let strength = if sequence == 1999 { 0.5 } else { 1.0 };
        world.apply(&[kick(0, sequence, strength)]);
        world.apply(&[Command { client: 1, sequence, action: Action::SetForward(0, 0.0) }]);
    }
    for _ in 0..3 {
        assert!(world.view().balls().next().unwrap().twist.x_m_s < 0.5);
        world.step(&[]);
    }
    assert_eq!(told(&world), "0/0 0.5");
}

/// G1: what is said to the referee while time stands is bounded, and is heard with the next step.
#[test]
fn words_for_the_referee_are_bounded_until_they_are_heard() {
    let mut world = world(CommandTiming::default());
    let say = |sequence| Command { client: 1, sequence, action: Action::Referee("a word".repeat(10_000)) };
    let taken = |world: &mut World| {
        (0..100).take_while(|&sequence| world.apply(&[say(sequence)])[0].result.is_ok()).count()
    };
    let first = taken(&mut world);
    assert!(first == (1 << 20) / 60_001, "{first}");
    assert_eq!(world.apply(&[say(0)])[0].result, Err(CommandError::TooManyWords(1 << 20)));
    world.step(&[]);
    assert_eq!(taken(&mut world), first);
}
