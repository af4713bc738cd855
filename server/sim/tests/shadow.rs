//! Shadow players: they change nothing, and the very player decides the same. [Y1, W7, I2]

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::container::{FeatureHandle, Query};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{InProcess, PlayerInstance};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginKind, SetupError};
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, Comparison, MakeError, PluginFactory, ShadowPlayer, World};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct OtherParams {
    how: String,
}

/// Another version of a player: it does one thing, each time, or fails.
struct Other {
    how: String,
    probe: Option<FeatureHandle>,
}

impl Player for Other {
    const NAME: &'static str = "restless";
    const SUMMARY: &'static str = "another version";
    type Params = OtherParams;
    type State = u64;
    fn new(params: OtherParams, setup: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self { how: params.how, probe: setup.robot.sensors.find(&Query::feature("probe")).ok() })
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        self.probe.into_iter().collect()
    }
    fn initial_state(&self) -> u64 {
        0
    }
    fn sense_and_act(
        &self,
        calls: &mut u64,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        *calls += 1;
        match self.how.as_str() {
            "fails" if *calls > 3 => return Err(Fault::new("it thought too hard")),
            "ends" => orders.end(),
            "bad" => orders.drive(&[1.0; 7]),
            "busy" => {
                orders.drive_twist(Twist2::new(*calls as f64, 0.0, 0.0));
                orders.manipulate(0, 1, 1.0);
                orders.say("listen");
                orders.annotate("calls", &serde_json::json!(*calls));
                orders.place_robot(input.robot, Pose2::new(3.0, 2.0, 0.0));
                orders.place_ball(0, [1.0, 1.0], [3.0, 0.0]);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Where the other version comes from: it knows no other plugin.
struct OtherFactory;

impl PluginFactory for OtherFactory {
    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let made = InProcess::<Other, _>::player(&choice.params, setup);
        Ok(Arc::new(made.map_err(MakeError::setup(PluginKind::Player, choice))?))
    }
}

/// The very player once more.
fn same(robot: &str) -> ShadowPlayer {
    let factory = Arc::new(TestFactory);
    ShadowPlayer { robot: robot.into(), plugin: "restless".into(), factory, params: None }
}

/// Another version, which does this.
fn other(robot: &str, how: &str) -> ShadowPlayer {
    let params = Some(serde_json::json!({ "how": how }));
    ShadowPlayer { robot: robot.into(), plugin: "restless".into(), factory: Arc::new(OtherFactory), params }
}

fn world(scenario: Scenario, shadows: Vec<ShadowPlayer>) -> World {
    World::with_shadows(scenario, Arc::new(TestFactory), shadows).unwrap()
}

fn command(sequence: u64, action: Action) -> Command {
    Command { client: 1, sequence, action }
}

/// What came in at a step: robots with and without players come, are driven, taken and given back; the world is reset.
fn lively(step: u64) -> Vec<Command> {
    let spec = Arc::new(equipped_robot());
    let guest = |name: &str, player: Option<&str>| Action::AddRobot {
        name: name.into(),
        team: None,
        spec: Arc::clone(&spec),
        pose: None,
        player: player.map(|plugin| PlayerChoice { choice: choice(plugin), period_secs: 0.02 }),
    };
    let actions = match step {
        50 => vec![guest("guest", Some("restless")), guest("driven", None)],
        60 => vec![Action::Drive(9, vec![0.5, 0.25, -1.0])],
        200 => vec![Action::TakeRobot(1)],
        210 => vec![Action::Drive(1, vec![1.0, 0.0, 0.0]), Action::Say(1, "taken".into())],
        400 => vec![Action::GiveRobot(1)],
        500 => vec![Action::Drive(2, vec![0.1, 0.1, 0.1])],
        900 => vec![Action::StartPlayer(9, PlayerChoice { choice: choice("restless"), period_secs: 0.05 })],
        1500 => vec![Action::Reset],
        2000 => vec![Action::StopPlayer(3)],
        _ => vec![],
    };
    actions.into_iter().zip(0..).map(|(action, sequence)| command(sequence, action)).collect()
}

/// The state hash after each step, and all decisions that were compared.
fn played(shadows: Vec<ShadowPlayer>, steps: u64) -> (Vec<u64>, Vec<Arc<Comparison>>) {
    let mut world = world(busy_scenario(), shadows);
    let (mut hashes, mut compared) = (Vec::new(), Vec::new());
    for step in 0..steps {
        world.step(&lively(step));
        hashes.push(world.state_hash());
        compared.extend_from_slice(world.comparisons());
    }
    (hashes, compared)
}

/// Shortest exact texts: two that are the same are the same bits.
fn bits(decision: &touchline_sim::Decision) -> String {
    format!("{decision:?}")
}

/// A world with shadows, whatever they do, is the world without: one state hash at each of 3,000 steps.
#[test]
fn shadows_change_nothing() {
    let (plain, none) = played(vec![], 3000);
    assert!(none.is_empty());
    let everybody = (0..8).map(|number| format!("robot-{number}"));
    let names: Vec<String> = everybody.chain(["guest".into(), "driven".into(), "nobody".into()]).collect();
    let (with_same, _) = played(names.iter().map(|name| same(name)).collect(), 3000);
    assert_eq!(plain, with_same);
    for how in ["still", "busy", "fails", "ends", "bad"] {
        let (with_other, _) = played(names.iter().map(|name| other(name, how)).collect(), 3000);
        assert_eq!(plain, with_other, "{how}");
    }
}

/// The unchanged player decides the same bit by bit: also one that comes later, is taken over, or begins anew after a reset.
#[test]
fn the_very_player_decides_the_same() {
    let names = ["robot-0", "robot-1", "robot-2", "robot-3", "guest", "driven"];
    let (_, compared) = played(names.iter().map(|name| same(name)).collect(), 3000);
    for comparison in compared.iter().filter(|comparison| !comparison.driven_by_client) {
        let name = &comparison.robot.name;
        assert_eq!(bits(&comparison.driver), bits(&comparison.shadow), "{name} in step {}", comparison.step);
    }
    let of = |name: &'static str| compared.iter().filter(move |one| one.robot.name == name);
    assert!(of("robot-0").count() >= 900, "asked as often as its player");
    assert!(of("guest").any(|one| !one.shadow.messages.is_empty()));
    assert!(of("robot-2").any(|one| !one.shadow.manipulations.is_empty()));
    assert!(of("driven").any(|one| !one.driven_by_client), "it has a player since its 900th step");
    let (_, compared) = played(vec![same("robot-1")], 420);
    let taken = compared.iter().filter(|one| (201..=400).contains(&one.step)).count();
    assert_eq!((taken, compared.is_empty()), (0, false), "who is not asked is not compared");
}

/// What clients have told a robot without a player stands beside what a player would.
#[test]
fn a_clients_command_is_compared_as_well() {
    let (_, compared) = played(vec![other("driven", "busy")], 300);
    let last = compared.last().unwrap();
    assert!(last.driven_by_client);
    assert_eq!(last.driver.command, [0.5, 0.25, -1.0]);
    assert_eq!(last.shadow.command, [compared.len() as f64, 0.0, 0.0]);
    assert_eq!(last.shadow.messages, ["listen"]);
    assert_eq!(last.shadow.annotations["calls"], compared.len().to_string());
    assert_eq!(last.shadow.placings[1].numbers, [1.0, 1.0, 3.0, 0.0]);
}

/// The state of a shadow goes where a snapshot goes, and a fork.
#[test]
fn shadows_go_back_with_the_world() {
    let run = |world: &mut World, steps: u64| -> Vec<String> {
        let mut decided = Vec::new();
        for _ in 0..steps {
            world.step(&[]);
            decided.extend(world.comparisons().iter().map(|one| bits(&one.shadow)));
        }
        decided
    };
    let mut world = world(busy_scenario(), vec![other("robot-0", "busy"), same("robot-1")]);
    run(&mut world, 137);
    let (snapshot, mut fork) = (world.snapshot(), world.fork());
    let straight = run(&mut world, 300);
    assert!(straight.len() > 150);
    world.restore(&snapshot);
    let shown = world.frame().robots[0].shadow.clone().unwrap();
    assert_eq!(shown.last.unwrap().step, 135, "what is shown is of then");
    assert_eq!(run(&mut world, 300), straight);
    assert_eq!(run(&mut fork, 300), straight);
}

/// A shadow that fails, ends or orders nonsense is asked no more, and says why; so does one that cannot be made.
#[test]
fn a_shadow_that_fails_is_left_alone() {
    let mut nonsense = other("robot-3", "still");
    nonsense.params = Some(serde_json::json!({ "unknown": 1 }));
    let shadows =
        vec![other("robot-0", "fails"), other("robot-1", "ends"), other("robot-2", "bad"), nonsense];
    let mut world = world(busy_scenario(), shadows);
    let mut asked = [0; 8];
    for _ in 0..100 {
        world.step(&[]);
        world.comparisons().iter().for_each(|one| asked[one.robot.number as usize] += 1);
    }
    assert_eq!(asked, [4, 1, 1, 0, 0, 0, 0, 0]);
    let frame = world.frame();
    let fault = |robot: usize| frame.robots[robot].shadow.clone().unwrap().fault.unwrap().to_string();
    assert!(fault(0).contains("it thought too hard"));
    assert_eq!(fault(1), "it ended");
    assert!(fault(2).contains("7 numbers"), "{}", fault(2));
    assert!(fault(3).contains("unknown"), "{}", fault(3));
    assert!(frame.robots.iter().all(|robot| robot.fault.is_none() && robot.player.is_some()));
}

/// A player's last decision is compared too: that it failed, or ended, and its shadow did not.
#[test]
fn a_player_that_goes_is_compared_to_the_last() {
    let mut scenario = empty_scenario();
    let robot = |name: &str, plugin: &str| RobotPlacement {
        name: name.into(),
        team: None,
        spec: Arc::new(disc_robot()),
        pose: None,
        player: Some(PlayerChoice { choice: choice(plugin), period_secs: 0.01 }),
    };
    scenario.robots = vec![robot("leaver", "leaving")];
    let mut world = world(scenario, vec![other("leaver", "still")]);
    world.step(&[]);
    let [last] = world.comparisons() else { panic!("one decision") };
    assert!(last.driver.ends && !last.shadow.ends);
    assert!(world.frame().robots.is_empty());
    world.step(&[]);
    assert!(world.comparisons().is_empty());
}
