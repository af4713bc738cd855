//! Players that are exchanged while their robots go on, and those that belong to a team: Y1, Y2, W7.

use crate::common::teams::{TeamFactory, coach, scripted};
use crate::common::*;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::PlayerInstance;
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::plugin::{PluginKind, SetupError};
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, EventKind, MakeError, PluginFactory, World};

/// A robot of each team that drives at 1 m/s, and coaches with these scripts.
fn scenario(sees: Sees, coaches: &[(usize, Value)]) -> Scenario {
    let mut scenario = empty_scenario();
    let spec = Arc::new(RobotSpec { motion: choice("necked"), ..disc_robot() });
    let robot = |index: u32| RobotPlacement {
        name: format!("robot-{index}"),
        team: Some(index),
        spec: Arc::clone(&spec),
        pose: Some(Pose2::new(0.0, f64::from(index), 0.0)),
        player: Some(scripted(json!({ "drives": 1.0 }))),
    };
    scenario.robots = vec![robot(0), robot(1)];
    for (index, (team, script)) in coaches.iter().enumerate() {
        scenario.teams[*team].players.push(coach(&format!("coach-{index}"), sees, script.clone()));
    }
    scenario
}

fn world(scenario: Scenario) -> World {
    World::new(scenario, Arc::new(TeamFactory)).unwrap()
}

fn run(world: &mut World, steps: u32) {
    (0..steps).for_each(|_| drop(world.step(&[])));
}

fn exchanged(world: &World) -> Vec<(u64, String)> {
    let of = |event: &Arc<touchline_sim::Event>| match &event.kind {
        EventKind::PlayerExchanged { name, .. } => Some((event.step, name.clone())),
        _ => None,
    };
    world.events().filter_map(of).collect()
}

/// What an exchange must not touch.
fn body(world: &World, robot: usize) -> (Pose2, [u64; 3], Vec<u64>, Vec<f64>) {
    let frame = world.frame();
    let robot = &frame.robots[robot];
    let twist = [robot.twist.x_m_s, robot.twist.y_m_s, robot.twist.turn_rad_s].map(f64::to_bits);
    (robot.pose, twist, robot.motion_data.map(f64::to_bits).to_vec(), robot.command.clone())
}

/// Y2: whoever exchanges a player for one that does the same, the robot goes on bit by bit as without it.
#[test]
fn the_robot_goes_on_as_it_is() {
    let same = json!({ "drives": 1.0 });
    let mut alone = world(scenario(Sees::Nothing, &[]));
    let by_coach = json!({ "exchanges": [0, "scripted", same, 20] });
    let mut coached = world(scenario(Sees::Nothing, &[(0, by_coach)]));
    let mut operated = world(scenario(Sees::Nothing, &[]));
    for step in 1..=60u64 {
        alone.step(&[]);
        coached.step(&[]);
        let order = Action::ExchangePlayer(0, scripted(same.clone()));
        let order = Command { client: 1, sequence: 0, action: order };
        let outcomes = operated.step(if step == 20 { std::slice::from_ref(&order) } else { &[] });
        assert!(outcomes.iter().all(|outcome| outcome.result.is_ok()));
        assert_eq!(body(&coached, 0), body(&alone, 0), "step {step}");
        assert_eq!(body(&operated, 0), body(&alone, 0), "step {step}");
    }
    assert_eq!(exchanged(&coached), [(20, "robot-0".to_owned())]);
    assert_eq!(exchanged(&operated), [(20, "robot-0".to_owned())]);
    assert_ne!(coached.state_hash(), alone.state_hash(), "the new player's memory is its own");
}

/// Y1: from the exchange on the new player drives, with the plugin that the robot has if none is named.
#[test]
fn the_new_player_drives() {
    let slower = json!({ "exchanges": [0, "", { "drives": 0.25 }, 20] });
    let mut world = world(scenario(Sees::Nothing, &[(0, slower)]));
    run(&mut world, 100);
    let frame = world.frame();
    assert_eq!(frame.robots[0].command, [0.25, 0.0]);
    // Twenty steps at the one speed, and the rest at the other: the coach comes after the players of its step.
    assert!((frame.robots[0].motion_data[0] - (0.2 + 0.8 * 0.25)).abs() < 1e-12);
    assert_eq!(frame.robots[1].command, [1.0, 0.0]);
    world.step(&[Command { client: 1, sequence: 0, action: Action::Reset }]);
    run(&mut world, 5);
    assert_eq!(world.frame().robots[0].command, [1.0, 0.0], "a reset brings the first player back");
}

/// Y1: what a coach may not do, and what cannot be done, ends the coach by name and touches nothing else.
#[test]
fn a_coach_rules_its_own_team_alone() {
    for (script, expected) in [
        (json!({ "exchanges": [1, "scripted", {}, 3] }), "robot \"robot-1\" is not of its team"),
        (json!({ "exchanges": [7, "scripted", {}, 3] }), "no robot 7"),
        (json!({ "exchanges": [0, "nobody", {}, 3] }), "no player plugin \"nobody\""),
        (json!({ "exchanges": [0, "", { "nonsense": 1 }, 3] }), "nonsense"),
        (json!({ "drives": 1.0 }), "a player of a team cannot order Drive"),
        (json!({ "places": 1 }), "a coach puts nothing anywhere"),
    ] {
        let mut world = world(scenario(Sees::Nothing, &[(0, script)]));
        run(&mut world, 5);
        let frame = world.frame();
        let fault = frame.team_players[0].fault.as_deref().unwrap();
        assert!(fault.contains(expected), "{fault}");
        assert_eq!(frame.team_players[0].plugin, None);
        assert!(
            frame
                .events
                .iter()
                .any(|event| matches!(&event.kind, EventKind::Fault { owner, .. } if owner == "coach-0"))
        );
        assert!(exchanged(&world).is_empty() && frame.robots.iter().all(|robot| robot.fault.is_none()));
    }
    // A robot's player is no coach, and a robot without a player has none to exchange.
    let mut of_robot = scenario(Sees::Nothing, &[]);
    of_robot.robots[0].player = Some(scripted(json!({ "exchanges": [0, "scripted", {}, 1] })));
    of_robot.robots[1].player = None;
    let mut world = world(of_robot);
    let order = Action::ExchangePlayer(1, scripted(json!({})));
    let outcomes = world.step(&[Command { client: 1, sequence: 0, action: order }]);
    assert!(outcomes[0].result.as_ref().unwrap_err().to_string().contains("has no player to exchange"));
    assert!(world.first_fault().unwrap().contains("only a player of a team or a referee may give"));
}

/// I2, W7: two runs, and a fork from before the exchange, have one state hash at every step.
#[test]
fn what_coaches_decide_is_decided_again() {
    let coaches = [
        (0, json!({ "says": ["team", "all"], "exchanges": [0, "", { "drives": 0.5 }, 12] })),
        (1, json!({ "says": ["team"], "exchanges": [1, "", { "drives": -0.5, "says": ["team"] }, 25] })),
    ];
    let mut one = world(scenario(Sees::Truth, &coaches));
    let mut other = world(scenario(Sees::Truth, &coaches));
    run(&mut one, 10);
    run(&mut other, 10);
    let (mut fork, snapshot) = (one.fork(), one.snapshot());
    let hashes = |world: &mut World| -> Vec<u64> {
        (0..40)
            .map(|_| {
                world.step(&[]);
                world.state_hash()
            })
            .collect()
    };
    let expected = hashes(&mut one);
    assert_eq!(hashes(&mut other), expected);
    assert_eq!(hashes(&mut fork), expected);
    one.restore(&snapshot);
    assert_eq!(hashes(&mut one), expected);
    assert_eq!(exchanged(&one).len(), 2);
}

/// A name is one robot's or one coach's.
#[test]
fn a_coachs_name_is_its_own() {
    let mut taken = scenario(Sees::Nothing, &[(0, json!({}))]);
    taken.teams[0].players[0].name = "robot-1".into();
    let refused = World::new(taken, Arc::new(TeamFactory)).err().unwrap().to_string();
    assert!(refused.contains("robot-1"), "{refused}");
}

/// Y1: a trainer puts robots of any team somewhere, which a coach may not.
#[test]
fn a_trainer_places_what_it_likes() {
    let mut trained = scenario(Sees::Nothing, &[(0, json!({ "places": 1 }))]);
    trained.teams[0].players[0].is_trainer = true;
    let mut world = world(trained);
    run(&mut world, 2);
    let frame = world.frame();
    assert_eq!(frame.team_players[0].fault, None);
    let pose = frame.robots[1].pose;
    // It drives on between two calls.
    assert!((pose.x_m - 3.0).abs() < 0.03 && (pose.y_m - 4.0).abs() < 1e-9, "{pose:?}");
}

/// Notes of each player whose it is and whether it has a process of its own; its plugins' schema allows no speed above 2 m/s.
#[derive(Default)]
struct Strict(Mutex<Vec<(String, bool)>>);

impl PluginFactory for Strict {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TeamFactory)
    }

    fn check_params(&self, kind: PluginKind, choice: &PluginChoice) -> Result<(), MakeError> {
        let is_allowed = choice.params["drives"].as_f64().is_none_or(|speed_m_s| speed_m_s <= 2.0);
        let mut problems = SetupError::default();
        problems.require(is_allowed, "drives", "more than the maximum of 2");
        problems.into_result().map_err(MakeError::setup(kind, choice))
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.0.lock().unwrap().push((setup.robot.name.clone(), choice.isolate));
        TeamFactory.player(choice, setup)
    }
}

fn robot_to_start(name: &str, params: Value) -> Action {
    let spec = Arc::new(RobotSpec { motion: choice("necked"), ..disc_robot() });
    let (name, player) = (name.into(), Some(scripted(params)));
    Action::AddRobot { name, team: None, spec, pose: Some(Pose2::new(0.0, 4.0, 0.0)), player }
}

/// P1: what the world file keeps in a process of its own stays in one, whoever exchanges it and for what; and a plugin that is kept apart
/// anywhere is so wherever it is started.
#[test]
fn who_is_kept_apart_stays_so() {
    for (of_file, exchanged_for, expected) in
        [(true, "scripted", true), (true, "restless", true), (false, "scripted", false)]
    {
        let by_coach = json!({ "exchanges": [0, exchanged_for, {}, 2] });
        let mut scenario = scenario(Sees::Nothing, &[(0, by_coach)]);
        scenario.robots[0].player.as_mut().unwrap().choice.isolate = of_file;
        scenario.robots[1].player = None;
        let factory = Arc::new(Strict::default());
        let mut world = World::new(scenario, Arc::clone(&factory) as _).unwrap();
        let noted = || std::mem::take(&mut *factory.0.lock().unwrap());
        noted();
        run(&mut world, 2);
        assert_eq!(noted(), [("robot-0".to_owned(), expected)], "by order, for {exchanged_for}");
        assert_eq!(world.frame().robots[0].player_is_isolated, expected);
        for (action, robot) in [
            (Action::ExchangePlayer(0, scripted(json!({}))), "robot-0"),
            (Action::StartPlayer(1, scripted(json!({}))), "robot-1"),
            (robot_to_start("new", json!({})), "new"),
        ] {
            let outcomes = world.step(&[Command { client: 1, sequence: 0, action }]);
            assert!(outcomes[0].result.is_ok(), "{outcomes:?}");
            assert_eq!(noted(), [(robot.to_owned(), expected)], "by command");
        }
    }
}

/// P1: parameters that a plugin's schema forbids are refused from orders and commands too, by the parameter's name, and no player is
/// made; those of a file are checked where it is read.
#[test]
fn what_a_schema_forbids_is_refused_while_the_world_runs() {
    let fast = || json!({ "drives": 3.0 });
    let mut scenario = scenario(Sees::Nothing, &[(0, json!({ "exchanges": [0, "", fast(), 2] }))]);
    scenario.robots[0].player = Some(scripted(fast()));
    scenario.robots[1].player = None;
    let factory = Arc::new(Strict::default());
    let mut world = World::new(scenario, Arc::clone(&factory) as _).unwrap();
    let made = factory.0.lock().unwrap().len();
    run(&mut world, 2);
    let fault = world.frame().team_players[0].fault.clone().unwrap();
    assert!(fault.contains("player plugin \"scripted\": drives: more than the maximum of 2"), "{fault}");
    for action in [
        Action::ExchangePlayer(0, scripted(fast())),
        Action::StartPlayer(1, scripted(fast())),
        robot_to_start("new", fast()),
    ] {
        let outcomes = world.step(&[Command { client: 1, sequence: 0, action }]);
        let refused = outcomes[0].result.as_ref().unwrap_err().to_string();
        assert!(refused.contains("drives: more than"), "{refused}");
    }
    assert_eq!(factory.0.lock().unwrap().len(), made);
}
