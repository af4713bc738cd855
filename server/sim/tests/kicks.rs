//! Kicks that scatter and that take a while. [R5]

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, World};

/// A world in which a robot has a ball before its kicker, which comes with this velocity.
fn world(seed: u64, change: impl Fn(&mut Kick), ball_m_s: [f64; 2]) -> World {
    let mut spec = equipped_robot();
    change(spec.manipulators[0].states[1].kick.as_mut().unwrap());
    let pose = Some(Pose2::new(0.0, 0.0, 0.5));
    let robot = RobotPlacement { name: "r".into(), team: None, spec: Arc::new(spec), pose, player: None };
    let (sin, cos) = libm::sincos(0.5);
    let balls = vec![ball(FREE_BALL, [0.34 * cos, 0.34 * sin], ball_m_s)];
    World::new(Scenario { seed, robots: vec![robot], balls, ..empty_scenario() }, Arc::new(TestFactory))
        .unwrap()
}

fn kick() -> Command {
    kick_of(1.0)
}

fn kick_of(strength: f64) -> Command {
    let (manipulator, state, aim) = ("kicker".into(), "kick".into(), Aim::strength(strength));
    let action = Action::Manipulate { robot: 0, manipulator, state, aim };
    Command { client: 1, sequence: 0, action }
}

/// Speed and direction of the ball, against the robot's heading.
fn shot(world: &World) -> [f64; 2] {
    let twist = world.view().balls().next().unwrap().twist;
    [libm::hypot(twist.x_m_s, twist.y_m_s), libm::atan2(twist.y_m_s, twist.x_m_s) - 0.5]
}

/// Mean and standard deviation.
fn spread(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    (mean, (values.map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0)).sqrt())
}

fn shots(change: impl Fn(&mut Kick) + Copy, ball_m_s: [f64; 2]) -> Vec<[f64; 2]> {
    let shoot = |seed| {
        let mut world = world(seed, change, ball_m_s);
        world.step(&[kick()]);
        shot(&world)
    };
    (0..500).map(shoot).collect()
}

/// R5: a kick scatters as its file says, about what is set, and not at all unless a file asks.
#[test]
fn kicks_scatter_as_they_are_told() {
    assert!(shots(|_| (), [0.0; 2]).iter().all(|shot| (shot[0] - 4.0).abs() < 1e-9 && shot[1].abs() < 1e-9));
    let scattered = |kick: &mut Kick| (kick.speed_scatter, kick.direction_scatter_rad) = (0.05, 0.1);
    let all = shots(scattered, [0.0; 2]);
    let ((speed, speed_sigma), (direction, direction_sigma)) =
        (spread(all.iter().map(|shot| shot[0])), spread(all.iter().map(|shot| shot[1])));
    // Four standard errors of 500 kicks.
    assert!((speed - 4.0).abs() < 4.0 * 0.2 / 22.0 && direction.abs() < 4.0 * 0.1 / 22.0);
    assert!((speed_sigma / 0.2 - 1.0).abs() < 0.13 && (direction_sigma / 0.1 - 1.0).abs() < 0.13);
    // A ball that comes at 3 m/s: one and a half times as much more, for each m/s a half.
    let (sin, cos) = libm::sincos(0.5);
    let worn = |kick: &mut Kick| (kick.direction_scatter_rad, kick.scatter_growth_s_m) = (0.1, 0.5);
    let (_, sigma) = spread(shots(worn, [-3.0 * cos, -3.0 * sin]).iter().map(|shot| shot[1]));
    assert!((sigma / 0.25 - 1.0).abs() < 0.13, "{sigma}");
}

/// R5, I2: a kick that takes 30 ms comes in the third step after its order, and a fork kicks as its original.
#[test]
fn a_kick_takes_its_time() {
    let mut world = world(1, |kick| (kick.delay_secs, kick.speed_scatter) = (0.03, 0.1), [0.0; 2]);
    world.step(&[kick()]);
    let mut fork = world.fork();
    for step in 1..=3 {
        assert!(shot(&world)[0] < 1.0, "before step {step}");
        world.step(&[]);
        fork.step(&[]);
        assert_eq!(world.state_hash(), fork.state_hash());
    }
    assert!(shot(&world)[0] > 2.0, "{:?}", shot(&world));
}

/// R5: a kick that is ordered again before it comes, in each step, comes as it was ordered first; then the next one is under way.
#[test]
fn a_repeated_order_does_not_put_a_kick_off() {
    let late = |kick: &mut Kick| (kick.delay_secs, kick.recharge_secs) = (0.2, 0.0);
    let mut world = world(1, late, [0.0; 2]);
    // While time stands the last order counts, and those of later steps are not heard.
    world.apply(&[kick_of(1.0)]);
    world.apply(&[kick_of(0.5)]);
    world.step(&[]);
    let ready_in_secs = |world: &World| world.frame().robots[0].manipulators[0].ready_in_secs;
    let ordered = ready_in_secs(&world);
    let kicked = (1..60).find(|_| {
        world.step(&[kick_of(1.0)]);
        shot(&world)[0] > 1.0
    });
    assert_eq!(kicked, Some(20));
    assert!((shot(&world)[0] - 2.0).abs() < 0.1, "{:?}", shot(&world));
    // The next one is ordered in the step in which the first came.
    assert!((ordered - 0.19).abs() < 1e-9 && (ready_in_secs(&world) - ordered).abs() < 1e-9, "{ordered}");
}

/// R5: delay, recharge and return are so many whole steps as their times are, also where the quotient is a little more by rounding.
#[test]
fn the_times_of_a_kick_are_whole_steps() {
    for (secs, steps) in [(0.07, 7), (0.06, 6), (0.14, 14), (0.065, 7)] {
        let mut delayed = world(1, |kick| kick.delay_secs = secs, [0.0; 2]);
        delayed.step(&[kick()]);
        let kicked = (1..40).find(|_| {
            delayed.step(&[]);
            shot(&delayed)[0] > 2.0
        });
        assert_eq!(kicked, Some(steps), "delay {secs} s");

        let mut charging = world(1, |kick| kick.recharge_secs = secs, [0.0; 2]);
        charging.step(&[kick()]);
        // What is left after the first of these steps.
        let ready_in_secs = charging.frame().robots[0].manipulators[0].ready_in_secs;
        assert!(
            (ready_in_secs - (steps - 1) as f64 * 0.01).abs() < 1e-9,
            "recharge {secs} s: {ready_in_secs}"
        );
    }
    for (secs, steps) in [(0.07, 7), (0.065, 7)] {
        let mut spec = equipped_robot();
        spec.manipulators[0].states[1].returns_after_secs = Some(secs);
        let pose = Some(Pose2::ORIGIN);
        let robot = RobotPlacement { name: "r".into(), team: None, spec: Arc::new(spec), pose, player: None };
        let scenario = Scenario { robots: vec![robot], ..empty_scenario() };
        let mut world = World::new(scenario, Arc::new(TestFactory)).unwrap();
        world.step(&[kick()]);
        let back = (2..40).find(|_| {
            world.step(&[]);
            world.frame().robots[0].manipulators[0].state == 0
        });
        assert_eq!(back, Some(steps), "return {secs} s");
    }
}
