//! What words come to, worked out by hand.

use super::*;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::player::{ManipulatorStatus, RobotDescription};
use touchline_plugin_api::world::WorldDescription;
use touchline_plugin_testing::{FakeRobot, FakeWorld};

/// Sensors that count, and a manipulator that has the ball and rests.
struct Parts(Vec<u32>);

impl Senses for Parts {
    fn sensor(&mut self, sensor: usize) -> Option<&[u32]> {
        (sensor != 3).then_some(&self.0[..])
    }

    fn manipulators(&self) -> impl Iterator<Item = ManipulatorStatus> {
        [ManipulatorStatus { state: 0, has_ball: 1, ready_in_secs: 0.5 }].into_iter()
    }
}

fn robot() -> RobotDescription {
    FakeRobot::new().player_setup().robot
}

fn description() -> WorldDescription {
    WorldDescription {
        robots: vec![robot().name, "keeper".into(), "mate".into()],
        robot_teams: vec![Some(0), Some(1), Some(0)],
        balls: 1,
        goals: vec![[[5.0, 1.0], [5.0, -1.0]], [[-5.0, 1.0], [-5.0, -1.0]]],
        goal_teams: vec![Some(1), Some(0)],
        dt_secs: 0.02,
        episode_steps: 100,
        ..WorldDescription::default()
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn observe(list: &[&str], world: &FakeWorld) -> Vec<f32> {
    let observer = Observer::new(&words(list), &robot(), &description()).unwrap();
    let mut out = vec![7.0; observer.names().len()];
    let (view, mut headings) = (world.view(), Vec::new());
    observer.observe(&Scene::new(view, &mut headings), 0, &mut Parts(vec![3; 400]), 0.25, &mut out);
    out
}

/// The robot stands at (1, 2), looks along the world's y, and drives that way.
fn world() -> FakeWorld {
    let pose = Pose2::new(1.0, 2.0, std::f64::consts::FRAC_PI_2);
    FakeWorld::new()
        .ball([1.0, 4.0], [0.5, 0.0])
        .moving_robot(pose, Twist2::new(0.0, 0.5, 0.25), 0)
        .moving_robot(Pose2::new(0.0, 2.0, 0.0), Twist2::new(0.0, -1.0, 0.0), 1)
}

#[track_caller]
fn near(got: &[f32], expected: &[f32]) {
    let fits = got.len() == expected.len() && got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(fits, "{got:?} {expected:?}");
}

#[test]
fn truth_is_seen_from_the_robot() {
    near(&observe(&["truth.pose", "clock"], &world()), &[1.0, 2.0, 0.0, 1.0, 0.25]);
    near(&observe(&["truth.twist"], &world()), &[0.5, 0.0, 0.25]);
    // Two metres ahead; what moves along the world's x moves to the right.
    near(&observe(&["truth.ball-0"], &world()), &[2.0, 0.0, 0.0, -0.5]);
    // One metre to the left, it looks to the right, and drives backwards.
    near(&observe(&["truth.keeper"], &world()), &[0.0, 1.0, 0.0, -1.0, -1.0, 0.0]);
    near(&observe(&["truth.goals"], &world()), &[-1.0, -4.0, -3.0, -4.0, -1.0, 6.0, -3.0, 6.0]);
    near(&observe(&["manipulators"], &world()), &[0.0, 1.0]);
}

/// Whoever plays on the other side sees the same.
#[test]
fn mates_and_opponents_are_told_apart() {
    near(&observe(&["truth.opponents"], &world()), &[0.0, 1.0, 0.0, -1.0, -1.0, 0.0]);
    near(&observe(&["truth.mates"], &world()), &[NOTHING; 6]);
    near(&observe(&["truth.opponent-goals"], &world()), &[-1.0, -4.0, -3.0, -4.0]);
    // Who looks at it from the field's centre has its post at y = -1 on the left.
    near(&observe(&["truth.own-goals"], &world()), &[-3.0, 6.0, -1.0, 6.0]);
    let alone = RobotDescription { team: None, ..robot() };
    let error = Observer::new(&words(&["truth.mates"]), &alone, &description()).unwrap_err();
    assert_eq!(error.reason, "its robot is in no team");
}

#[test]
fn what_is_not_there_is_nothing() {
    let alone = FakeWorld::new().robot(Pose2::ORIGIN, 0);
    near(&observe(&["truth.ball-0", "truth.keeper"], &alone), &[NOTHING; 10]);
    let failed = observe(&["truth/truth.x"], &world());
    near(&failed, &[NOTHING]);
}

/// A policy may name each number; all of a word, in their order, or one of it.
#[test]
fn numbers_have_names_that_are_words() {
    let whole = ["truth.pose", "truth.goals", "manipulators", "camera/ball", "clock"];
    let observer = Observer::new(&words(&whole), &robot(), &description()).unwrap();
    let named = Observer::new(observer.names(), &robot(), &description()).unwrap();
    assert_eq!(named.names(), observer.names());
    assert_eq!(named.sensors().collect::<Vec<_>>(), observer.sensors().collect::<Vec<_>>().repeat(2));
    let names: Vec<&str> = observer.names().iter().map(String::as_str).collect();
    assert_eq!(observe(&names, &world()), observe(&whole, &world()));
    near(&observe(&["truth.pose.sin", "truth.goals.0.x2", "kicker.has_ball"], &world()), &[1.0, -3.0, 1.0]);
}

#[test]
fn words_that_say_nothing_are_answered_with_those_that_do() {
    for (word, expected) in [
        ("truth.ball-1", "truth.ball-0"),
        ("truth.libero", "another robot: keeper"),
        ("truth.pose.z", "truth.goals"),
        ("radar/echo", "camera/ball"),
        ("camera/ball.colour", "its fields are"),
    ] {
        let error = Observer::new(&words(&["clock", word]), &robot(), &description()).unwrap_err();
        assert!(error.word == word && error.reason.contains(expected), "{error}");
    }
    for (word, expected) in [("drive.up", "its motion model takes"), ("kicker.fly", "kicker.kick")] {
        let error = Actor::new(&words(&[word]), &robot()).unwrap_err();
        assert!(error.word == word && error.reason.contains(expected), "{error}");
    }
}

/// Numbers are stretched to the ranges; words for parts of the command add up; a switch is thrown above 0.
#[test]
fn numbers_become_deeds() {
    let robot = robot();
    let told = |list: &[&str], actions: &[f32]| {
        let mut told = Vec::new();
        Actor::new(&words(list), &robot).unwrap().act(actions, |action| told.push(format!("{action:?}")));
        told
    };
    let dimensions = &robot.motion.dimensions;
    let all: Vec<f64> = dimensions.iter().map(|dimension| dimension.max).collect();
    let ones = vec![1.0f32; dimensions.len()];
    assert_eq!(told(&["drive"], &ones), [format!("{:?}", AgentAction::Drive(&all))]);
    let each: Vec<String> = dimensions.iter().map(|dimension| format!("drive.{}", dimension.name)).collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    assert_eq!(told(&each, &ones), told(&["drive"], &ones));
    assert_eq!(told(&["drive"], &vec![9.0; ones.len()]), told(&["drive"], &ones));
    assert_eq!(told(&["kicker.kick"], &[0.25]), [format!("{:?}", AgentAction::Switch(0, 1, 0.25))]);
    assert!(told(&["kicker.kick"], &[-0.25]).is_empty());
}
