//! One state hash, however the world is run. [W3, W7, I1, I2]

use crate::common::*;
use proptest::prelude::*;
use std::sync::Arc;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::MAX_DIMENSIONS;
use touchline_sim::scenario::*;
use touchline_sim::{Action, AgentOrder, Command, EventKind, WorkSpace, World};

fn busy(seed: u64) -> World {
    World::new(Scenario { seed, ..busy_scenario() }, Arc::new(TestFactory)).unwrap()
}

fn run(world: &mut World, steps: u64) -> u64 {
    for _ in 0..steps {
        world.step(&[]);
    }
    world.state_hash()
}

/// W3: two runs are the same bit by bit, and another seed is another run.
#[test]
fn two_runs_are_one() {
    let hash = run(&mut busy(1), 3000);
    assert_eq!(hash, run(&mut busy(1), 3000));
    assert_ne!(hash, run(&mut busy(2), 3000));
}

/// The scenario above does exercise what it shall: contacts, messages, kicks, resets.
#[test]
fn the_busy_world_is_busy() {
    let mut world = busy(1);
    run(&mut world, 3000);
    let frame = world.frame();
    assert!(world.game().score(0) > 20, "touches: {}", world.game().score(0));
    assert!(world.game().episode == 3);
    assert!(frame.messages.iter().any(|message| !message.heard_by.is_empty()));
    assert!(frame.robots.iter().any(|robot| robot.manipulators[0].ready_in_secs > 0.0));
    assert!(frame.robots.iter().all(|robot| robot.fault.is_none()), "{:?}", frame.robots[0].fault);
}

/// I2: reading every sensor of every Frame changes nothing, and gives the same integers twice, also without events and messages.
#[test]
fn reading_changes_nothing() {
    let unread = run(&mut busy(1), 500);
    let mut world = busy(1);
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    for _ in 0..500 {
        world.step(&[]);
        let frame = world.frame();
        for robot in &frame.robots {
            frame.read_sensor(robot, 0, &mut once).unwrap();
            world.frame_of_robots().read_sensor(robot, 0, &mut twice).unwrap();
            assert_eq!(once, twice);
        }
    }
    assert_eq!(unread, world.state_hash());
}

/// I2: worlds of different sizes that share one work space, step by step in turns, go on as each does by itself.
#[test]
fn a_shared_work_space_changes_nothing() {
    let mut worlds = [busy(1), World::new(episodic_scenario(), Arc::new(TestFactory)).unwrap(), busy(2)];
    let alone = worlds.each_ref().map(|world| run(&mut world.fork(), 600));
    let mut space = WorkSpace::default();
    for _ in 0..600 {
        for world in &mut worlds {
            world.swap_work_space(&mut space);
            world.step(&[]);
            world.swap_work_space(&mut space);
        }
    }
    assert_eq!(worlds.map(|world| world.state_hash()), alone);
}

/// I2: what is seen of a world is the same whether it was looked at before or not, and in whichever memory its shapes lie: worlds of one
/// make that share a work space, looked at seldom, against the same by themselves, looked at after each step.
#[test]
fn what_is_seen_does_not_depend_on_who_looked() {
    let first = busy(1);
    let mut worlds: Vec<World> = (0..3).map(|_| first.fork()).collect();
    let mut alone: Vec<World> = (0..3).map(|_| first.fork()).collect();
    let mut space = WorkSpace::default();
    let seen = |world: &World| {
        let view = world.view();
        (view.objects.to_vec(), view.shapes.to_vec())
    };
    let mut shapes = Vec::new();
    for step in 0..300_u64 {
        for (place, (world, twin)) in (0..).zip(worlds.iter_mut().zip(&mut alone)) {
            // Each goes its own way: some of the kicks change a shape, and robots come and go.
            let action = match (step + 7 * place) % 50 {
                0 => Action::Manipulate {
                    robot: place as u32,
                    manipulator: "kicker".into(),
                    state: "kick".into(),
                    aim: Aim::strength(1.0),
                },
                20 if place == 1 => Action::RemoveRobot((step / 50) as u32),
                _ => Action::SetTwist(place as u32, Twist2::new(0.3, 0.0, 0.2 * place as f64)),
            };
            let commands = [Command { client: 0, sequence: step, action }];
            world.swap_work_space(&mut space);
            world.step(&commands);
            if step % 5 == place {
                shapes.push(seen(world) == seen(twin));
            }
            world.swap_work_space(&mut space);
            twin.step(&commands);
            let expected = seen(twin);
            if step % 11 == 0 {
                assert!(seen(world) == expected, "world {place} from outside at step {step}");
            }
            world.swap_work_space(&mut space);
            assert!(step % 3 != 0 || seen(world) == expected, "world {place} at step {step}");
            world.swap_work_space(&mut space);
            assert_eq!(world.state_hash(), twin.state_hash(), "world {place} at step {step}");
        }
    }
    assert!(shapes.contains(&false), "nothing moved in a step");
    assert!(alone[1].robots().len() < alone[0].robots().len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// W7: interrupted by snapshot, a detour and restore, at any step; and continued in a fork.
    #[test]
    fn a_snapshot_continues_bit_by_bit(at in 1u64..400, detour in 1u64..100, seed in 0u64..1000) {
        let straight = run(&mut busy(seed), 500);
        let mut world = busy(seed);
        run(&mut world, at);
        let snapshot = world.snapshot();
        prop_assert_eq!(snapshot.step(), at);
        let mut fork = world.fork();
        run(&mut world, detour);
        world.restore(&snapshot);
        prop_assert_eq!(straight, run(&mut world, 500 - at));
        prop_assert_eq!(straight, run(&mut fork, 500 - at));
    }

    /// The order in which commands arrive does not matter within a step.
    #[test]
    fn the_order_of_arrival_does_not_matter(order in Just((0u64..6).collect::<Vec<_>>()).prop_shuffle()) {
        let command = |client: u64| Command {
            client,
            sequence: 7,
            action: Action::SetForward((client % 3) as u32, 0.1 * client as f64),
        };
        let step = |order: &[u64]| {
            let mut world = busy(3);
            run(&mut world, 10);
            world.step(&order.iter().map(|&client| command(client)).collect::<Vec<_>>());
            run(&mut world, 10)
        };
        prop_assert_eq!(step(&[0, 1, 2, 3, 4, 5]), step(&order));
    }
}

/// I2: adding a robot far away leaves everybody's random numbers as they were.
#[test]
fn a_robot_far_away_changes_nobodys_noise() {
    let readings = |far: bool| {
        let mut scenario = busy_scenario();
        scenario.referee = None;
        scenario.radio.range_m = 0.0;
        if far {
            scenario.robots.push(RobotPlacement {
                name: "far".into(),
                team: None,
                spec: Arc::new(equipped_robot()),
                pose: Some(Pose2::new(500.0, 0.0, 0.0)),
                player: None,
            });
        }
        let mut world = World::new(scenario, Arc::new(TestFactory)).unwrap();
        run(&mut world, 30);
        let frame = world.frame();
        let mut quantised = Vec::new();
        frame
            .robots
            .iter()
            .take(8)
            .flat_map(|robot| {
                frame.read_sensor(robot, 0, &mut quantised).unwrap();
                quantised.clone()
            })
            .collect::<Vec<u32>>()
    };
    assert_eq!(readings(false), readings(true));
}

/// W6: a reset is the beginning again; a client's robot stays, with its number.
#[test]
fn a_reset_is_the_beginning_again() {
    let mut world = busy(1);
    let fresh = world.state_hash();
    run(&mut world, 100);
    let reset = |sequence| Command { client: 9, sequence, action: Action::Reset };
    world.step(&[reset(0)]);
    assert_eq!(world.step_count(), 1);
    let mut other = busy(1);
    run(&mut other, 1);
    assert_ne!(fresh, other.state_hash());
    assert_eq!(positions(&world), positions(&other));

    let add = Action::AddRobot {
        name: "guest".into(),
        team: None,
        spec: Arc::new(disc_robot()),
        pose: None,
        player: None,
    };
    let outcome = world.step(&[Command { client: 9, sequence: 1, action: add }]);
    let number = outcome[0].result.clone().unwrap().unwrap();
    run(&mut world, 50);
    world.step(&[reset(2)]);
    assert_eq!(world.frame().robot(number).unwrap().identity.name, "guest");
}

fn positions(world: &World) -> Vec<[u64; 2]> {
    world.view().objects.iter().map(|o| [o.pose.x_m.to_bits(), o.pose.y_m.to_bits()]).collect()
}

/// P6, I6: an output that is not finite, absurd, or an error stops that robot alone; the step completes.
#[test]
fn a_failing_motion_model_stops_its_robot_alone() {
    for how in ["nan", "far", "error"] {
        let mut scenario = busy_scenario();
        let broken = RobotSpec {
            motion: PluginChoice::new("broken", serde_json::json!({"how": how, "at": 10})),
            ..disc_robot()
        };
        scenario.robots.push(RobotPlacement {
            name: "broken".into(),
            team: None,
            spec: Arc::new(broken),
            pose: Some(Pose2::new(0.0, -2.2, 0.0)),
            player: None,
        });
        let mut world = World::new(scenario, Arc::new(TestFactory)).unwrap();
        run(&mut world, 200);
        let frame = world.frame();
        let robot = frame.robot_named("broken").unwrap();
        assert!(robot.fault.as_ref().unwrap().contains("motion \"broken\""), "{:?}", robot.fault);
        let faults: Vec<_> =
            frame.events.iter().filter(|event| matches!(event.kind, EventKind::Fault { .. })).collect();
        assert_eq!(faults.len(), 1, "reported once: {faults:?}");
        assert_eq!(faults[0].step, 11);
        assert!(frame.robots.iter().filter(|robot| robot.fault.is_some()).count() == 1);
        assert!(frame.objects.iter().all(|object| object.pose.is_finite()));
    }
}

/// R6: robots come and go at run time; a taken name, no room and a foreign number are errors with a reason.
#[test]
fn robots_come_and_go() {
    let mut world = busy(1);
    let mut step = |action| world.step(&[Command { client: 1, sequence: 0, action }]).remove(0).result;
    let add = |name: &str, pose| Action::AddRobot {
        name: name.into(),
        team: Some(0),
        spec: Arc::new(disc_robot()),
        pose,
        player: None,
    };
    let number = step(add("new", None)).unwrap().unwrap();
    assert_eq!(number, 8);
    assert!(step(add("new", None)).unwrap_err().to_string().contains("already"));
    let in_wall = step(add("stuck", Some(Pose2::new(5.0, 0.0, 0.0)))).unwrap_err().to_string();
    assert!(in_wall.contains("overlap wall-1"), "{in_wall}");
    step(Action::Drive(number, vec![1.0, 0.0, 0.0])).unwrap();
    let short = step(Action::Drive(number, vec![1.0])).unwrap_err().to_string();
    assert!(short.contains("takes 3: forward"), "{short}");
    assert!(step(Action::SetForward(number, f64::NAN)).is_err());
    // A place that is finite, but not in the physics' numbers.
    let far = Pose2::new(1e39, 0.0, 0.0);
    assert!(step(add("far", Some(far))).unwrap_err().to_string().contains("1000 m"));
    assert!(step(Action::PlaceRobot(number, far)).is_err());
    let ball = Action::PlaceBall {
        ball: 0,
        position: [0.0, -1e308],
        velocity: [0.0, 0.0],
        vertical: Vertical::FLOOR,
    };
    assert!(step(ball).is_err());
    step(Action::RemoveRobot(number)).unwrap();
    assert!(step(Action::RemoveRobot(number)).unwrap_err().to_string().contains("no robot 8"));
    assert_eq!(step(add("again", None)).unwrap(), Some(9), "a number is never used again");
}

/// Mechanism 5: what is said in a step is handed out at its end, once, to those in range.
#[test]
fn radio_reaches_those_in_range_at_the_end_of_the_step() {
    let mut scenario = empty_scenario();
    scenario.radio.range_m = 3.0;
    for (name, x_m) in [("speaker", 0.0), ("near", 2.0), ("far", 5.0)] {
        let pose = Some(Pose2::new(x_m, 0.0, 0.0));
        let spec = Arc::new(disc_robot());
        scenario.robots.push(RobotPlacement { name: name.into(), team: None, spec, pose, player: None });
    }
    let mut world = World::new(scenario, Arc::new(TestFactory)).unwrap();
    let say = |text: &str| Command { client: 1, sequence: 0, action: Action::Say(0, text.into()) };
    world.step(&[say("ball is mine")]);
    let heard = world.frame().messages;
    world.step(&[]);
    assert_eq!((heard.len(), world.frame().messages.len()), (1, 1));
    assert_eq!((heard[0].text.as_str(), heard[0].heard_by.as_slice()), ("ball is mine", &[1][..]));
    let long = world.step(&[say(&"x".repeat(257))]).remove(0).result.unwrap_err();
    assert!(long.to_string().contains("257 bytes"));
}

/// I2: agents' orders by numbers are the same as commands by names: the same steps, bit by bit, and what cannot be done is left out.
#[test]
fn agents_orders_are_commands() {
    let command = |sequence, action| Command { client: 0, sequence, action };
    let mut by_name = busy(1);
    let mut by_number = by_name.fork();
    let robots: Vec<_> = by_name.robots().map(|robot| robot.identity().number).collect();
    let gone = robots.len() as u32 + 7;
    let mut switched = 0;
    for step in 0..200_u32 {
        let (mut commands, mut orders) = (Vec::new(), Vec::new());
        for &robot in robots.iter().chain([&gone]) {
            let identity = by_name.robot(robot).map(|robot| robot.identity().clone());
            let description = identity.as_ref().map(|identity| &identity.description);
            let dimensions = description.map_or(2, |of| of.motion.dimensions.len());
            let numbers: Vec<f64> =
                (0..dimensions).map(|i| f64::from((step + robot + i as u32) % 7) * 0.2 - 0.6).collect();
            let mut whole = [0.0; MAX_DIMENSIONS];
            whole[..dimensions].copy_from_slice(&numbers);
            commands.push(command(commands.len() as u64, Action::Drive(robot, numbers)));
            orders.push(AgentOrder::Drive { robot, command: whole, dimensions });
            let manipulators = description.map_or(&[][..], |of| &of.manipulators);
            for (place, manipulator) in manipulators.iter().enumerate().filter(|_| step % 9 == 0) {
                let state = (step / 9) as usize % manipulator.states.len();
                let aim = Aim::strength(0.5);
                let (name, word) = (manipulator.name.clone(), manipulator.states[state].clone());
                let action = Action::Manipulate { robot, manipulator: name, state: word, aim };
                commands.push(command(commands.len() as u64, action));
                orders.push(AgentOrder::Switch { robot, manipulator: place, state, aim });
                switched += 1;
            }
        }
        by_name.step(&commands);
        by_number.step_agents(&orders);
        assert_eq!(by_name.state_hash(), by_number.state_hash(), "step {step}");
    }
    assert!(switched > 20, "nothing was switched: {switched}");
}
