mod rig;

use super::*;
use eyes::Others;
use rig::{PERIOD_SECS, Rig, setup};
use touchline_kit::data::{DataObject, Odometry};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::view::NONE;
use touchline_plugin_testing::{FakeRobot, FakeWorld};

/// How long it takes until the ball is in the goal, seconds.
fn seconds_to_score(rig: &mut Rig, limit_secs: f64) -> Option<f64> {
    let limit = (limit_secs / PERIOD_SECS) as u64;
    (0..limit).find(|_| {
        rig.step();
        rig.scored()
    })?;
    Some(rig.steps as f64 * PERIOD_SECS)
}

/// Y1: alone on the field it scores from everywhere, with either drive.
#[test]
fn alone_it_scores_from_everywhere() {
    let starts = [
        (Pose2::new(-1.0, 0.0, 0.0), [0.0, 0.0]),
        (Pose2::new(3.0, 0.5, 3.0), [0.0, 0.0]),
        (Pose2::new(1.0, -2.0, -1.5), [-2.0, 1.5]),
        (Pose2::new(-4.0, 1.0, 2.0), [-3.0, -2.0]),
        (Pose2::new(4.0, 2.0, 0.0), [3.0, 1.8]),
        (Pose2::new(0.0, 0.0, 1.0), [4.0, -2.0]),
    ];
    for sideways in [false, true] {
        for (pose, ball) in starts {
            let mut rig = Rig::new(sideways, pose, ball);
            let secs = seconds_to_score(&mut rig, 40.0);
            assert!(
                secs.is_some(),
                "sideways {sideways}, from {pose:?}, ball {ball:?}: now {:?} {:?}",
                rig.pose,
                rig.ball
            );
        }
    }
}

/// Y1: with a narrow view it has to look around first.
#[test]
fn it_finds_a_ball_that_it_does_not_see() {
    let mut rig = Rig::new(false, Pose2::new(0.0, 0.0, 0.0), [-3.0, 1.0]);
    rig.half_view_rad = 0.45;
    assert!(seconds_to_score(&mut rig, 60.0).is_some(), "{:?} {:?}", rig.pose, rig.ball);
}

/// Y1: it stands when it must not move, and moves again when it may.
#[test]
fn it_stands_while_its_team_must_not_move() {
    let mut rig = Rig::new(true, Pose2::new(-2.0, 0.0, 0.0), [0.0, 0.0]);
    for only in [NONE, 1] {
        rig.game.let_move(only);
        assert_eq!(rig.step(), Twist2::ZERO, "{only}");
    }
    rig.game.let_move(0);
    assert!(rig.step().x_m_s > 0.0);
}

/// Y1: pushing without moving for longer than a second, it backs off, and then tries again.
#[test]
fn it_backs_off_when_it_is_stuck() {
    let mut rig = Rig::new(false, Pose2::new(-2.0, 0.0, 0.0), [0.0, 0.0]);
    rig.held = true;
    let wishes: Vec<f64> = (0..200).map(|_| rig.step().x_m_s).collect();
    let first_back = wishes.iter().position(|&wish| wish < 0.0).expect("it never backs off");
    assert!((1.0..1.3).contains(&(first_back as f64 * PERIOD_SECS)), "after {first_back} calls");
    let again = wishes[first_back..].iter().position(|&wish| wish > 0.0).expect("it never tries again");
    assert!(again as f64 * PERIOD_SECS < 1.1, "after {again} calls");
}

/// Y1: a new episode makes it forget, because it was carried elsewhere.
#[test]
fn a_new_episode_makes_it_forget() {
    let mut rig = Rig::new(true, Pose2::new(-2.0, 0.0, 0.0), [0.0, 0.0]);
    rig.step();
    assert_eq!((rig.memory.ball_known, rig.memory.goal_known[THEIRS]), (1, 1));
    rig.pose = Pose2::new(-2.0, 0.0, 3.0);
    rig.game.episode += 1;
    rig.step();
    assert_eq!((rig.memory.ball_known, rig.memory.goal_known[THEIRS]), (0, 0));
}

/// Y1: who helps finds a place on any field, also one with no room inside the lines.
#[test]
fn it_helps_on_the_smallest_of_fields() {
    let params = StrikerParams { field_width_m: 1.0, ..StrikerParams::default() };
    let player = Striker::new(params, &setup(true)).unwrap();
    let mut memory = Memory { goals: [[1.2, 0.0], [-1.2, 0.0]], goal_known: [1, 1], ..Memory::default() };
    memory.ball = [0.3, 0.2];
    let pose = Transform2::new(Pose2::ORIGIN);
    let scene = Scene { pose, twist: Twist2::ZERO, others: Others::default() };
    let field = memory.field().unwrap();
    for rank in 1..=3 {
        let place = scene.place_to_support(&memory, rank, field, &player.sizes);
        assert!(place.iter().all(|part| part.is_finite()), "{place:?}");
    }
}

/// Y1: as many as stand in one line stand beside each other, and not in one another, wherever the ball is.
#[test]
fn those_who_help_have_a_place_each() {
    for (half_length_m, field_width_m, helpers) in [(16.0, 19.2, 10), (6.0, 9.0, 4), (5.0, 5.0, 2)] {
        let params = StrikerParams { field_width_m, ..StrikerParams::default() };
        let player = Striker::new(params, &setup(true)).unwrap();
        let goals = [[half_length_m, 0.0], [-half_length_m, 0.0]];
        let half_width_m = field_width_m / 2.0;
        let steps = |half_m: f64| {
            (0..).map(move |at| f64::from(at) * 0.25 - half_m).take_while(move |&at| at <= half_m)
        };
        for ball in steps(half_length_m).flat_map(|x| steps(half_width_m).map(move |y| [x, y])) {
            let memory = Memory { goals, goal_known: [1, 1], ball, ..Memory::default() };
            let scene = Scene {
                pose: Transform2::new(Pose2::ORIGIN),
                twist: Twist2::ZERO,
                others: Others::default(),
            };
            let field = memory.field().unwrap();
            let places: Vec<_> = (2..2 + helpers)
                .map(|rank| scene.place_to_support(&memory, rank, field, &player.sizes))
                .collect();
            for (place, one) in places.iter().enumerate() {
                assert!(one[0].abs() <= half_length_m && one[1].abs() <= field_width_m / 2.0, "{one:?}");
                for other in &places[..place] {
                    let apart_m = libm::hypot(one[0] - other[0], one[1] - other[1]);
                    assert!(apart_m > 0.8, "ball {ball:?}: {one:?} and {other:?} are {apart_m} m apart");
                }
            }
        }
    }
}

/// Y1: it aims at the side of the goal that the keeper leaves free.
#[test]
fn it_aims_beside_the_keeper() {
    for keeper_y_m in [0.3, -0.3] {
        let mut rig = Rig::new(true, Pose2::new(2.0, 0.0, 0.0), [2.5, 0.0]);
        rig.others.push(([4.6, keeper_y_m], 1));
        rig.step();
        let scene = Rig::new(true, Pose2::new(2.0, 0.0, 0.0), [2.5, 0.0]);
        let mut others = Others::default();
        others.add_opponent([2.6, keeper_y_m]);
        let input_scene = Scene { pose: Transform2::new(Pose2::ORIGIN), twist: Twist2::ZERO, others };
        let attack = input_scene.attack(&mut rig.memory, &scene.player.sizes);
        assert!(attack.aim[1] * keeper_y_m < 0.0 && attack.aim[1].abs() < 1.0, "{attack:?}");
        assert!(attack.goal[1].abs() < 0.01);
    }
}

/// B1: who aims kicks in directions only that pass beside the keeper and between the posts, and in some that do.
#[test]
fn a_careful_shot_passes_the_keeper() {
    let params = StrikerParams { shot_error_m: Some(0.1), ..StrikerParams::default() };
    let player = Striker::new(params, &setup(false)).unwrap();
    // The goal line is 3 m ahead of the robot's place, the keeper stands half a metre before it.
    for keeper_y_m in [-0.3, 0.0, 0.2] {
        let mut kicks = 0;
        for heading in -50..=50 {
            let heading_rad = f64::from(heading) * 0.01;
            let (sin, cos) = touchline_plugin_api::geometry::sin_cos(heading_rad);
            let pose = Transform2::new(Pose2::new(0.0, 0.0, heading_rad));
            let mut memory = Memory { ball: [0.37 * cos, 0.37 * sin], ball_known: 1, ..Memory::default() };
            (memory.goals[THEIRS], memory.goal_known[THEIRS]) = ([3.0, 0.0], 1);
            let mut others = Others::default();
            others.add_opponent(pose.to_inner([2.5, keeper_y_m]));
            let scene = Scene { pose, twist: Twist2::ZERO, others };
            let attack = scene.attack(&mut memory, &player.sizes);
            if scene.should_kick(&attack, &player.sizes) {
                kicks += 1;
                let slope = sin / cos;
                assert!((2.5 * slope - keeper_y_m).abs() > 0.3, "into the keeper: {heading_rad}");
                assert!((3.0 * slope).abs() < 0.95, "past the goal: {heading_rad}");
            }
        }
        assert!(kicks > 3, "keeper at {keeper_y_m}: {kicks}");
    }
}

/// B1: it does not change its mind about the side for a little, and remembers the gap when the keeper is out of view.
#[test]
fn a_careful_aim_is_steady() {
    let params = StrikerParams { shot_error_m: Some(0.1), ..StrikerParams::default() };
    let player = Striker::new(params, &setup(false)).unwrap();
    let mut memory = Memory { ball: [0.5, 0.0], ball_known: 1, ..Memory::default() };
    (memory.goals[THEIRS], memory.goal_known[THEIRS]) = ([3.0, 0.0], 1);
    let aside_m = |memory: &mut Memory, keeper: Option<[f64; 2]>| {
        let mut others = Others::default();
        keeper.into_iter().for_each(|at| others.add_opponent(at));
        let scene = Scene { pose: Transform2::new(Pose2::ORIGIN), twist: Twist2::ZERO, others };
        scene.attack(memory, &player.sizes).aside_m
    };
    // Seen from the ball, 2.5 m away, the keeper's shadow on the goal line is 0.45 m to each side of its middle.
    assert!((aside_m(&mut memory, Some([2.5, -0.1])) - (0.89 - (0.89 - 0.45 + 0.125) / 2.0)).abs() < 1e-9);
    assert!((aside_m(&mut memory, Some([2.5, 0.1])) - (0.89 - (0.89 - 0.45 - 0.125) / 2.0)).abs() < 1e-9);
    let left_m = aside_m(&mut memory, None);
    assert!(left_m > 0.7);
    assert!(aside_m(&mut memory, Some([2.5, 0.3])) < -0.4, "now the other gap is much wider");
    memory.age(2.0);
    assert_eq!(aside_m(&mut memory, None), 0.0);
}

/// B1: who aims turns until it has seen the goal.
#[test]
fn a_careful_player_looks_for_the_goal_first() {
    let mut rig = Rig::new(false, Pose2::new(2.0, 0.0, 1.5), [2.0, 0.5]);
    let params = StrikerParams { shot_error_m: Some(0.1), ..StrikerParams::default() };
    rig.player = Striker::new(params, &setup(false)).unwrap();
    for _ in 0..4 {
        rig.step();
        assert_eq!([rig.twist.x_m_s, rig.twist.y_m_s], [0.0; 2]);
    }
    assert!(rig.twist.turn_rad_s > 0.1, "{:?}", rig.twist);
    while rig.memory.goal_known[THEIRS] == 0 {
        rig.step();
        assert!(rig.steps < 200);
    }
}

/// Y1: it speaks five times a second, and not in every call.
#[test]
fn it_speaks_at_its_period() {
    let mut rig = Rig::new(true, Pose2::new(-2.0, 0.0, 0.0), [0.0, 0.0]);
    for _ in 0..100 {
        rig.step();
    }
    assert!((12..=16).contains(&rig.said.len()), "{}", rig.said.len());
    assert!(rig.said[0].starts_with("s 0 "), "{}", rig.said[0]);
}

/// Y1: when a teammate is nearer, it does not go for the ball but takes a place beside it.
#[test]
fn it_supports_a_teammate_who_is_nearer() {
    let mut rig = Rig::new(true, Pose2::new(-3.0, 1.0, 0.0), [0.0, 0.0]);
    rig.memory.start_episode(0, 1);
    // Both goals were seen before.
    rig.memory.see_goal(&Transform2::new(Pose2::ORIGIN), THEIRS, [8.0, -1.0]);
    rig.memory.see_goal(&Transform2::new(Pose2::ORIGIN), OURS, [-2.0, -1.0]);
    for _ in 0..200 {
        rig.memory.mates[0] = memory::Mate { cost_m: 0.3, age_secs: 0.0, robot: 7, used: 1 };
        rig.step();
    }
    let distance_m = rig.pose.distance_m(Pose2::new(-1.3, 1.3, 0.0));
    assert!(distance_m < 0.4, "{:?}", rig.pose);
    assert_eq!((rig.ball, rig.kicks), ([0.0, 0.0], 0));
}

/// P4, P5: blind, with failed sensors, it does nothing rash and does not fail.
#[test]
fn failed_sensors_stop_it() {
    let mut rig = Rig::new(true, Pose2::new(-2.0, 0.0, 0.0), [0.0, 0.0]);
    rig.catalogue.sensors[1].layout.features.clear();
    let setup = PlayerSetup {
        robot: touchline_plugin_api::player::RobotDescription {
            sensors: rig.catalogue.clone(),
            ..setup(true).robot
        },
        ..setup(true)
    };
    let error = Striker::new(StrikerParams::default(), &setup).err().expect("it needs odometry");
    assert!(error.to_string().contains("odometry"), "{error}");
}

#[test]
fn what_it_lacks_is_named() {
    let no_team = PlayerSetup {
        robot: touchline_plugin_api::player::RobotDescription { team: None, ..setup(true).robot },
        ..setup(true)
    };
    assert!(Striker::new(StrikerParams::default(), &no_team).is_err());
    let params = StrikerParams { speed_fraction: 0.0, goal_width_m: f64::NAN, ..StrikerParams::default() };
    assert_eq!(params.check().unwrap_err().problems.len(), 2);
}

/// Y1, W3: the same input gives the same orders.
#[test]
fn a_call_may_be_repeated() {
    let mut rig = Rig::new(true, Pose2::new(-2.0, 0.0, 0.0), [0.0, 0.3]);
    for _ in 0..20 {
        rig.step();
    }
    let before = rig.memory;
    let steps = rig.steps;
    let first = rig.call();
    let after = rig.memory;
    (rig.memory, rig.steps) = (before, steps);
    let second = rig.call();
    assert_eq!((first.records, first.text, after), (second.records, second.text, rig.memory));
    assert!(second_is_drive(&rig.call()));
}

fn second_is_drive(orders: &Orders) -> bool {
    orders.iter().any(|order| matches!(order, Ok(Order::DriveTwist(_))))
}

/// P6: the rules that every player plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_player::<Striker>("{}");
}

/// What it publishes is for people: it plays the same to the last bit, and tells three times in two seconds where it goes.
#[test]
fn it_plays_the_same_whether_it_tells_its_thoughts_or_not() {
    for sideways in [false, true] {
        let rig = |thoughts| {
            let params = StrikerParams { thoughts, ..StrikerParams::default() };
            Rig::with(params, sideways, Pose2::new(1.0, -2.0, -1.5), [-2.0, 1.5])
        };
        let (mut silent, mut telling) = (rig(false), rig(true));
        for step in 0..400 {
            assert_eq!(silent.step(), telling.step(), "{step}");
            assert_eq!((silent.memory, silent.ball), (telling.memory, telling.ball), "{step}");
        }
        assert!(silent.published.is_empty());
        // Of 12 s.
        let told = telling.published.len();
        assert!((17..=19).contains(&told), "{told}");
        let words = |word: &str| telling.published.iter().any(|plan| plan.contains(word));
        assert!(words("where is it?") && words("attacks"), "{:?}", telling.published);
    }
}

/// The line of one that attacks ends where it takes the ball to go, in its own frame; by hand, with the goal straight ahead.
#[test]
fn the_line_of_its_plan_goes_over_the_ball_to_the_goal() {
    let params = StrikerParams { thoughts: true, ..StrikerParams::default() };
    let mut rig = Rig::with(params, true, Pose2::new(1.0, 0.0, 0.0), [2.0, 0.0]);
    rig.held = true;
    rig.ball_velocity = [0.0; 2];
    (0..30).for_each(|_| {
        rig.step();
    });
    let plan: serde_json::Value = serde_json::from_str(rig.published.last().unwrap()).unwrap();
    let line: Vec<[f64; 2]> = serde_json::from_value(plan["line"].clone()).unwrap();
    // Ball 1 m, goal 4 m ahead; a camera tells both to some centimetres.
    let expected = [[0.0, 0.0], [1.0, 0.0], [4.0, 0.0]];
    let is_near = |(a, b): (&[f64; 2], &[f64; 2])| libm::hypot(a[0] - b[0], a[1] - b[1]) < 0.06;
    assert!(line.len() == 3 && line.iter().zip(&expected).all(is_near), "{line:?}");
}

/// S: what a camera on a neck sees lies where the neck has turned it.
#[test]
fn a_neck_turns_what_is_seen() {
    let mut robot = FakeRobot::new();
    // Any datum will do: the camera is the third sensor, the odometry, which shows the data, the first.
    robot.description.sensors.sensors[2].follows = Some("wheel-left".into());
    let catalogue = &robot.description.sensors;
    let eyes = eyes::Eyes::new(catalogue).unwrap();
    let world = FakeWorld::f2000().robot(Pose2::new(1.0, 0.5, 0.3), 0).ball([2.0, 1.5], [0.0; 2]);
    let seen = |turn_rad: f64| {
        let mut read = robot.read(&world, 0);
        let feature = &catalogue.sensors[0].layout.features[0];
        let odometry = Odometry { motion_data: vec![turn_rad, 0.0], ..Odometry::default() };
        odometry.encode(feature, &mut read.quantised[..feature.len()]).unwrap();
        eyes.ball(&read.readings(catalogue)).expect("all is seen")
    };
    let turn = Pose2::new(0.0, 0.0, 1.0);
    let ([x, y], [ahead_x, ahead_y]) = (seen(1.0), turn.point_to_outer(seen(0.0)));
    assert!((x - ahead_x).abs() < 1e-6 && (y - ahead_y).abs() < 1e-6, "{x} {y}");
}
