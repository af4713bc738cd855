use super::*;
use crate::line::{between, crossing};
use touchline_kit::data::{BallSighting, DataObject, GoalSighting, GoalSightings, Odometry, Sighting};
use touchline_plugin_api::container::{Mount, Query, SensorCatalogue, SensorDescription};
use touchline_plugin_api::game::{GameDescription, GameState};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{CommandDimension, CommandPart, MotionDescription};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::player::{
    ManipulatorDescription, ManipulatorStatus, ReadingSpan, Readings, RobotDescription,
};
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_api::view::NONE;
use touchline_plugin_api::view::WorldView;
use touchline_plugin_testing::{FakeRobot, FakeWorld};

const PERIOD_SECS: f64 = 0.03;
/// The own goal's middle is the world's origin; the field lies along +x.
const LINE_M: f64 = 0.5;
const THEIR_GOAL: [f64; 2] = [10.0, 0.0];

struct Rig {
    keeper: Goalkeeper,
    memory: Memory,
    game: GameState,
    catalogue: SensorCatalogue,
    start: Pose2,
    pose: Pose2,
    ball: Option<[f64; 2]>,
    /// How much the odometry's heading is off, radians.
    drift_rad: f64,
    kicker: ManipulatorStatus,
    kicks: usize,
    /// What it has published, JSON.
    published: Vec<String>,
    steps: u64,
}

fn setup(sideways: bool) -> PlayerSetup {
    let mut dimensions = vec![
        CommandDimension::symmetric("forward", "", 1.0, CommandPart::Forward),
        CommandDimension::symmetric("turn", "", 2.0, CommandPart::Turn),
    ];
    if sideways {
        dimensions.push(CommandDimension::symmetric("left", "", 1.0, CommandPart::Left));
    }
    let motion = MotionDescription { dimensions, ..MotionDescription::default() };
    // The differential one stands across, so its camera looks to its right.
    let theta_rad = if sideways { 0.0 } else { -std::f64::consts::FRAC_PI_2 };
    let sensor = |id: &str, layout, mount| SensorDescription {
        id: id.into(),
        model: "any".into(),
        sensor_type: id.into(),
        plugin: id.into(),
        mount,
        layout,
        ..SensorDescription::default()
    };
    let camera = Layout { features: vec![BallSighting::feature(), GoalSightings::feature(2)] };
    let odometry = Layout { features: vec![Odometry::feature(&motion)] };
    let sensors = vec![
        sensor("camera", camera, Mount { theta_rad, x_m: 0.1, ..Mount::default() }),
        sensor("odometry", odometry, Mount::default()),
    ];
    let kicker = ManipulatorDescription { name: "kicker".into(), states: vec!["rest".into(), "kick".into()] };
    PlayerSetup {
        robot: RobotDescription {
            name: "blue-0".into(),
            team: Some(0),
            radius_m: 0.25,
            motion,
            sensors: SensorCatalogue { sensors },
            manipulators: vec![kicker],
        },
        teams: vec!["blue".into(), "yellow".into()],
        period_secs: PERIOD_SECS,
        ..PlayerSetup::default()
    }
}

impl Rig {
    fn new(params: GoalkeeperParams, sideways: bool) -> Self {
        let setup = setup(sideways);
        let keeper = Goalkeeper::new(params, &setup).unwrap();
        let theta_rad = if sideways { 0.0 } else { std::f64::consts::FRAC_PI_2 };
        let start = Pose2::new(LINE_M, 0.0, theta_rad);
        Self {
            memory: keeper.initial_state(),
            keeper,
            game: GameState::new(2, &GameDescription::default()),
            catalogue: setup.robot.sensors,
            start,
            pose: start,
            ball: None,
            drift_rad: 0.0,
            kicker: ManipulatorStatus::default(),
            kicks: 0,
            published: Vec::new(),
            steps: 0,
        }
    }

    fn block(sideways: bool) -> Self {
        Self::new(GoalkeeperParams { reaction_secs: Some(0.0), ..GoalkeeperParams::default() }, sideways)
    }

    fn step(&mut self) -> Twist2 {
        let [camera, odometry] = [0, 1].map(|i| &self.catalogue.sensors[i]);
        let eye = self.pose.compose(camera.mount.pose());
        let see = |[x, y]: [f64; 2]| Sighting {
            distance_m: eye.distance_m(Pose2::new(x, y, 0.0)),
            bearing_rad: eye.bearing_rad([x, y]),
        };
        let mut quantised = vec![0; camera.layout.len() + odometry.layout.len()];
        let (seen, own) = quantised.split_at_mut(camera.layout.len());
        let (ball, goals) = seen.split_at_mut(2);
        let features = &camera.layout.features;
        BallSighting { ball: self.ball.map(see) }.encode(&features[0], ball).unwrap();
        let theirs = GoalSighting { centre: Some(see(THEIR_GOAL)), ..GoalSighting::default() };
        GoalSightings { goals: vec![GoalSighting::default(), theirs] }.encode(&features[1], goals).unwrap();
        let moved = self.start.relative(self.pose);
        let pose = Pose2 { theta_rad: moved.theta_rad + self.drift_rad, ..moved };
        let odometry = &odometry.layout.features[0];
        Odometry { pose, ..Odometry::default() }.encode(odometry, own).unwrap();
        let split = seen.len() as u32;
        let span = |start, len| ReadingSpan { start, len, stamp_secs: 0.0 };
        let spans = [span(0, split), span(split, own.len() as u32)];
        let input = PlayerInput {
            robot: 0,
            elapsed_secs: PERIOD_SECS,
            readings: Readings {
                catalogue: &self.catalogue,
                spans: &spans,
                quantised: &quantised,
                stamp_secs: self.steps as f64 * PERIOD_SECS,
            },
            manipulators: &[self.kicker],
            inbox: Inbox::default(),
            motion_data: &[],
            game: self.game.view(),
            view: WorldView::new(self.steps, 0.0, &[], &[]),
            noise: NoiseKey::for_owner(1, "keeper").at_step(self.steps),
        };
        let mut orders = Orders::default();
        self.keeper.sense_and_act(&mut self.memory, &input, &mut orders).unwrap();
        self.steps += 1;
        let mut twist = None;
        for order in orders.iter() {
            match order.unwrap() {
                Order::DriveTwist(wish) => twist = Some(wish),
                Order::Manipulate { manipulator: 0, state: 1, .. } => self.kicks += 1,
                Order::Annotate { key: "plan", value } => self.published.push(value.into()),
                other => panic!("{other:?}"),
            }
        }
        let twist = twist.expect("every call drives");
        self.pose = self.pose.advanced(twist, PERIOD_SECS);
        twist
    }

    fn settle(&mut self) {
        (0..150).for_each(|_| {
            self.step();
        });
    }
}

/// Y3: by hand. Ball 2 m out of the goal line and 1.2 m aside: on a line 0.5 m before the goal that is 0.3 m.
#[test]
fn between_ball_and_goal_is_where_similar_triangles_say() {
    assert!((between([1.5, 1.2], 0.5, 1.0) - 0.3).abs() < 1e-12);
    assert_eq!(between([0.0, 3.0], 0.5, 0.8), 0.8);
    assert_eq!(between([4.0, 0.0], 0.5, 0.8), 0.0);
}

/// Y3: blocking, either drive ends on the line between the ball and the middle of the goal.
#[test]
fn it_blocks_with_either_drive() {
    for sideways in [true, false] {
        for ball in [[2.0, 1.2], [2.0, -1.2], [5.0, 0.0], [1.0, 1.5], [4.0, -2.5]] {
            let mut rig = Rig::block(sideways);
            rig.ball = Some(ball);
            rig.settle();
            let expected_m = (ball[1] * LINE_M / ball[0]).clamp(-0.875, 0.875);
            assert!(
                (rig.pose.y_m - expected_m).abs() < 0.03 && (rig.pose.x_m - LINE_M).abs() < 0.03,
                "sideways {sideways}, ball {ball:?}: {:?}, expected {expected_m}",
                rig.pose
            );
            assert!((rig.pose.theta_rad - rig.start.theta_rad).abs() < 0.05);
        }
    }
}

/// Y3: pushed off its line it comes back.
#[test]
fn it_comes_back_to_its_line() {
    for sideways in [true, false] {
        let mut rig = Rig::block(sideways);
        rig.ball = Some([3.0, 1.5]);
        rig.step();
        rig.pose = rig.pose.compose(Pose2::new(0.1, 0.2, 0.4));
        // A differential drive gets back across its line only while it moves along it.
        for turn in 0..20 {
            rig.ball = Some([1.5, if turn % 2 == 0 { 1.5 } else { -1.5 }]);
            (0..60).for_each(|_| {
                rig.step();
            });
        }
        assert!((rig.pose.x_m - LINE_M).abs() < 0.05, "sideways {sideways}: {:?}", rig.pose);
    }
}

/// Y3: still means still, and reads no sensor.
#[test]
fn still_stands() {
    let mut rig = Rig::new(GoalkeeperParams { policy: Policy::Still, ..GoalkeeperParams::default() }, true);
    assert!(rig.keeper.wants().is_empty());
    rig.ball = Some([2.0, 1.0]);
    assert_eq!(rig.step(), Twist2::ZERO);
}

/// Y3: the levels of skill do what they say.
#[test]
fn skill_is_speed_and_reaction() {
    let fast = |speed_fraction, reaction_secs| {
        let (speed_fraction, reaction_secs) = (Some(speed_fraction), Some(reaction_secs));
        let params = GoalkeeperParams { speed_fraction, reaction_secs, ..GoalkeeperParams::default() };
        let mut rig = Rig::new(params, true);
        rig.ball = Some([1.0, 0.0]);
        rig.step();
        rig.ball = Some([1.0, 1.5]);
        (0..10).for_each(|_| {
            rig.step();
        });
        rig.pose.y_m
    };
    assert!(fast(1.0, 0.0) > 1.5 * fast(0.3, 0.0));
    assert!(fast(1.0, 0.0) > 1.5 * fast(1.0, 1.0));
}

/// Y1: it stands while its team must not move, and forgets its place when it was carried.
#[test]
fn it_obeys_the_referee() {
    let mut rig = Rig::block(true);
    rig.ball = Some([2.0, 1.2]);
    for only in [NONE, 1] {
        rig.game.let_move(only);
        assert_eq!(rig.step(), Twist2::ZERO, "{only}");
    }
    rig.game.let_move(0);
    rig.settle();
    // Carried back by the referee: odometry still says 0.3 m aside.
    rig.start = rig.start.compose(rig.pose.relative(rig.start));
    rig.pose = Pose2::new(LINE_M, 0.0, 0.0);
    rig.game.episode += 1;
    rig.ball = Some([2.0, 0.0]);
    rig.settle();
    assert!(rig.pose.y_m.abs() < 0.03, "{:?}", rig.pose);
}

/// Y3: a heading that odometry has lost is found again by the far goal.
#[test]
fn the_far_goal_corrects_the_heading() {
    let mut rig = Rig::block(true);
    rig.ball = Some([3.0, 0.0]);
    rig.settle();
    rig.drift_rad = 0.3;
    (0..600).for_each(|_| {
        rig.step();
    });
    assert!(rig.pose.theta_rad.abs() < 0.05, "{:?}", rig.pose);
}

/// Y3: a ball before the kicker is kicked away, once the kicker is ready.
#[test]
fn it_clears_the_ball() {
    let mut rig = Rig::block(true);
    rig.kicker = ManipulatorStatus { has_ball: 1, ready_in_secs: 1.0, ..ManipulatorStatus::default() };
    rig.step();
    assert_eq!(rig.kicks, 0);
    rig.kicker.ready_in_secs = 0.0;
    rig.step();
    assert_eq!(rig.kicks, 1);
}

/// Y3: without the ball in view it goes back to the middle.
#[test]
fn without_a_ball_it_waits_in_the_middle() {
    let mut rig = Rig::block(true);
    rig.ball = Some([2.0, 1.5]);
    rig.settle();
    assert!(rig.pose.y_m > 0.3);
    rig.ball = None;
    rig.settle();
    assert!(rig.pose.y_m.abs() < 0.03, "{:?}", rig.pose);
}

#[test]
fn what_it_lacks_is_named() {
    let mut setup = setup(true);
    setup.robot.sensors.sensors.remove(1);
    assert!(setup.robot.sensors.find(&Query::feature("odometry")).is_err());
    let error = Goalkeeper::new(GoalkeeperParams::default(), &setup).err().expect("it needs odometry");
    assert!(error.to_string().contains("odometry"), "{error}");
    let params =
        GoalkeeperParams { speed_fraction: Some(2.0), line_distance_m: 0.0, ..GoalkeeperParams::default() };
    assert_eq!(params.check().unwrap_err().problems.len(), 2);
}

/// P6: the rules that every player plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_player::<Goalkeeper>("{}");
}

/// Y3: by hand. From 3 m out at 2 m/s towards the goal and 0.5 m/s aside it crosses the keeper's line 0.75 m aside.
#[test]
fn a_shot_crosses_the_line_where_it_rolls_to() {
    assert_eq!(crossing([3.0, 0.0], [-2.0, 0.5], 0.0), Some(0.75));
    assert_eq!(crossing([3.0, 0.0], [2.0, 0.5], 0.0), None, "it rolls away");
    assert_eq!(crossing([3.0, 0.0], [-0.1, 0.5], 0.0), None, "it hardly rolls");
}

fn keeper(policy: Policy, level: u32) -> Rig {
    Rig::new(GoalkeeperParams { policy, level, ..GoalkeeperParams::default() }, true)
}

/// How far the keeper is from a shot at the moment when it crosses its line; from 4 m straight out, into a corner.
fn miss_m(policy: Policy, level: u32) -> f64 {
    let mut rig = keeper(policy, level);
    let (mut ball, velocity) = ([4.0, 0.0], [-2.5, 0.5]);
    rig.ball = Some(ball);
    rig.settle();
    while ball[0] > LINE_M {
        ball = [ball[0] + velocity[0] * PERIOD_SECS, ball[1] + velocity[1] * PERIOD_SECS];
        rig.ball = Some(ball);
        rig.step();
    }
    (rig.pose.y_m - ball[1]).abs()
}

/// Y3: intercepting is at the ball in time where blocking is late, and skill makes it better.
#[test]
fn intercepting_is_earlier_than_blocking_and_skill_counts() {
    assert!(miss_m(Policy::Intercept, 5) < 0.15, "{}", miss_m(Policy::Intercept, 5));
    assert!(miss_m(Policy::Intercept, 5) < 0.5 * miss_m(Policy::Block, 5), "{}", miss_m(Policy::Block, 5));
    for policy in [Policy::Block, Policy::Intercept] {
        assert!(miss_m(policy, 1) > miss_m(policy, 3) && miss_m(policy, 3) > miss_m(policy, 5), "{policy:?}");
    }
}

/// Y3: random, pattern and mixed roam the line and stay on it, whatever the ball does, if they pay it no attention.
#[test]
fn the_policies_that_roam_use_the_whole_line() {
    for policy in [Policy::Random, Policy::Pattern, Policy::Mixed] {
        let params = GoalkeeperParams { policy, attention: Some(0.0), ..GoalkeeperParams::default() };
        let mut rig = Rig::new(params, true);
        rig.ball = Some([5.0, 0.0]);
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for _ in 0..3000 {
            rig.step();
            (low, high) = (low.min(rig.pose.y_m), high.max(rig.pose.y_m));
            assert!(
                rig.pose.y_m.abs() < 0.95 && (rig.pose.x_m - LINE_M).abs() < 0.05,
                "{policy:?} {:?}",
                rig.pose
            );
        }
        assert!(low < -0.5 && high > 0.5, "{policy:?}: from {low} to {high}");
    }
}

/// Y3: the pattern is one, its period is what its parameter says.
#[test]
fn the_pattern_repeats() {
    let mut rig = keeper(Policy::Pattern, 5);
    let period = (2.0 * 1.5 / PERIOD_SECS) as usize;
    let places: Vec<f64> = (0..3 * period)
        .map(|_| {
            rig.step();
            rig.pose.y_m
        })
        .collect();
    for at in period..2 * period {
        assert!((places[at] - places[at + period]).abs() < 0.05, "{at}");
    }
}

/// Y3: with attention a keeper that roams leans towards the ball: with half of it, halfway to where it would block.
#[test]
fn attention_leans_towards_the_ball() {
    let mean_m = |attention: f64, ball: [f64; 2]| {
        let params = GoalkeeperParams {
            policy: Policy::Pattern,
            attention: Some(attention),
            reaction_secs: Some(0.0),
            ..GoalkeeperParams::default()
        };
        let mut rig = Rig::new(params, true);
        rig.ball = Some(ball);
        // Two whole periods after the first.
        let period = (2.0 * 1.5 / PERIOD_SECS) as usize;
        let places: Vec<f64> = (0..3 * period).map(|_| (rig.step(), rig.pose.y_m).1).collect();
        places[period..].iter().sum::<f64>() / (2 * period) as f64
    };
    // From (2, 1.6) to the goal's middle: at 0.5 m before it the line passes 0.4 m to the left.
    let ball = [2.0, 1.6];
    for (attention, expected_m) in [(0.0, 0.0), (0.5, 0.2), (1.0, 0.4)] {
        let mean_m = mean_m(attention, ball);
        assert!((mean_m - expected_m).abs() < 0.03, "{attention}: {mean_m}");
    }
}

/// What it publishes is for people: it keeps the same to the last bit, and tells where it goes and where it takes the ball to be.
#[test]
fn it_keeps_the_same_whether_it_tells_its_thoughts_or_not() {
    for sideways in [false, true] {
        let rig = |thoughts| {
            let params =
                GoalkeeperParams { reaction_secs: Some(0.0), thoughts, ..GoalkeeperParams::default() };
            let mut rig = Rig::new(params, sideways);
            rig.ball = Some([2.0, 1.2]);
            rig
        };
        let (mut silent, mut telling) = (rig(false), rig(true));
        for step in 0..150 {
            assert_eq!(silent.step(), telling.step(), "{step}");
        }
        assert!(silent.published.is_empty());
        // Of 4.5 s.
        assert!((6..=8).contains(&telling.published.len()), "{}", telling.published.len());
        let plan: serde_json::Value = serde_json::from_str(telling.published.last().unwrap()).unwrap();
        let line: Vec<[f64; 2]> = serde_json::from_value(plan["line"].clone()).unwrap();
        // It is where it wants to be, and the ball where it is, seen from there.
        let ball = telling.pose.point_to_inner([2.0, 1.2]);
        let is_near = |at: [f64; 2], [x, y]: [f64; 2]| libm::hypot(at[0] - x, at[1] - y) < 0.1;
        assert!(is_near(line[0], [0.0; 2]) && is_near(line[2], ball), "{line:?} {ball:?}");
    }
}

/// S: what a camera on a neck sees lies where the neck has turned it.
#[test]
fn a_neck_turns_what_is_seen() {
    let mut robot = FakeRobot::new();
    // Any datum will do: the camera is the third sensor, the odometry, which shows the data, the first.
    robot.description.sensors.sensors[2].follows = Some("wheel-left".into());
    let catalogue = &robot.description.sensors;
    let eyes = Eyes::new(catalogue, Some(1)).unwrap();
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
