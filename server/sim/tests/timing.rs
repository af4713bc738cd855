//! Sensors that sample, hold and transfer. [S, I2]

use crate::common::*;
use proptest::prelude::*;
use std::sync::Arc;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::layout::decode;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, Frame, World};

const SLOW: SensorTiming = SensorTiming { rate_hz: Some(1.5625), phase_secs: 0.24, delay_secs: 0.03 };

fn sensor(id: &str, plugin: &str, timing: SensorTiming) -> SensorSpec {
    SensorSpec {
        id: id.into(),
        model: "test".into(),
        mount: Mount::default(),
        follows: None,
        choice: choice(plugin),
        timing,
    }
}

pub fn placed(name: &str, spec: RobotSpec, pose: Pose2, player: Option<&str>) -> RobotPlacement {
    RobotPlacement {
        name: name.into(),
        team: None,
        spec: Arc::new(spec),
        pose: Some(pose),
        player: player.map(|player| PlayerChoice { choice: choice(player), period_secs: 0.03 }),
    }
}

pub fn made(scenario: Scenario) -> World {
    World::new(scenario, Arc::new(TestFactory)).unwrap()
}

/// A ball rolls without loss past a robot whose witnesses have these timings.
fn passing_ball(dt_secs: f64, timings: &[SensorTiming]) -> World {
    let number = |index: usize| format!("witness-{index}");
    let sensors =
        timings.iter().enumerate().map(|(index, timing)| sensor(&number(index), "witness", *timing));
    let spec = RobotSpec { sensors: sensors.collect(), ..disc_robot() };
    made(Scenario {
        dt_secs,
        balls: vec![ball(FREE_BALL, [-2.0, 3.0], [SPEED, 0.0])],
        robots: vec![placed("observer", spec, Pose2::ORIGIN, None)],
        ..empty_scenario()
    })
}

const SPEED: f64 = 1.5;

/// What a witness saw: where the ball was, in which step, and how often the witness had been advanced.
struct Seen {
    ball_x_m: f64,
    step: u32,
    advanced: u32,
}

/// The reading with the step of its stamp; `None` before the first.
fn seen(frame: &Frame, robot: usize, sensor: usize) -> Option<(u64, Seen)> {
    let mut quantised = Vec::new();
    let stamp = frame.read_sensor(&frame.robots[robot], sensor, &mut quantised).unwrap();
    let Some(stamp) = stamp else {
        assert!(quantised.is_empty());
        return None;
    };
    let [ball, step, advanced, _] = quantised[..] else { panic!("{quantised:?}") };
    let dt_secs = frame.time_secs / frame.step.max(1) as f64;
    assert!((stamp.time_secs - stamp.step as f64 * dt_secs).abs() < 1e-9);
    Some((stamp.step, Seen { ball_x_m: decode(ball, 1e-5, true), step, advanced }))
}

fn ball_x_m(frame: &Frame) -> f64 {
    frame.objects[1].pose.x_m
}

/// A sensor with a delay shows a ball at constant speed where it was so long ago, within one step, at any length of a step.
#[test]
fn a_delayed_sensor_shows_what_was_so_long_ago() {
    for dt_secs in STEPS_SECS {
        let mut world = passing_ball(dt_secs, &[LATE, NO_TIMING]);
        let steps = (1.0 / dt_secs) as u64;
        for step in 1..=steps {
            world.step(&[]);
            let frame = world.frame();
            let now = ball_x_m(&frame);
            let (_, live) = seen(&frame, 0, 1).unwrap();
            assert!((live.ball_x_m - now).abs() < 1e-4, "{dt_secs} {step}");
            let Some((_, late)) = seen(&frame, 0, 0) else {
                assert!(step as f64 * dt_secs < LATE.delay_secs - 1e-9, "{dt_secs} {step}");
                continue;
            };
            let expected = now - SPEED * LATE.delay_secs;
            assert!((late.ball_x_m - expected).abs() <= SPEED * dt_secs + 1e-3, "{dt_secs} {step}");
        }
    }
}

/// Stamps are on the sample grid; what is read is the world, the noise and the sensor's state of that step; and it is the newest
/// sample that has arrived.
#[test]
fn stamps_are_on_the_grid() {
    let timings = [LASER, CAMERA, SLOW, LATE];
    for dt_secs in STEPS_SECS {
        let mut world = passing_ball(dt_secs, &timings);
        let steps_of = |secs: f64| (secs / dt_secs - 1e-5).ceil().max(0.0) as u64;
        let samples = |timing: &SensorTiming| -> Vec<u64> {
            let period = timing.rate_hz.map_or(dt_secs, |rate| 1.0 / rate);
            let mut steps: Vec<u64> =
                (0..3_000).map(|k| steps_of(timing.phase_secs + f64::from(k) * period)).collect();
            steps.dedup();
            steps
        };
        let grids = timings.each_ref().map(samples);
        let mut balls = vec![ball_x_m(&world.frame())];
        for step in 1..=(2.0 / dt_secs) as u64 {
            world.step(&[]);
            let frame = world.frame();
            balls.push(ball_x_m(&frame));
            for (index, (timing, grid)) in timings.iter().zip(&grids).enumerate() {
                let arrived =
                    grid.iter().rev().find(|&&sample| sample + steps_of(timing.delay_secs) <= step).copied();
                let read = seen(&frame, 0, index);
                assert_eq!(
                    read.as_ref().map(|(stamp, _)| *stamp),
                    arrived,
                    "{dt_secs} s, {timing:?}, {step}"
                );
                if let Some((stamp, read)) = read {
                    assert_eq!((u64::from(read.step), u64::from(read.advanced)), (stamp, stamp));
                    assert!((read.ball_x_m - balls[stamp as usize]).abs() < 1e-4);
                }
            }
        }
    }
}

/// A player gets the same readings with the same stamps as everybody else, and nothing before the first has arrived.
#[test]
fn players_are_told_when_a_reading_was_taken() {
    let spec = RobotSpec { sensors: vec![sensor("witness", "witness", CAMERA)], ..disc_robot() };
    let mut world = made(Scenario {
        balls: vec![ball(FREE_BALL, [-2.0, 3.0], [SPEED, 0.0])],
        robots: vec![placed("reporter", spec, Pose2::ORIGIN, Some("reporting"))],
        ..empty_scenario()
    });
    let mut told_nothing = 0;
    for _ in 0..200 {
        let before = world.frame();
        world.step(&[]);
        let after = world.frame();
        let told = |key: &str| after.robots[0].annotations.get(key)?.parse::<f64>().ok();
        // It is called in every third step, and sees what is true before the step.
        if told("now") != Some(before.time_secs) {
            continue;
        }
        match seen(&before, 0, 0) {
            None => {
                told_nothing += 1;
                assert_eq!((told("stamp"), told("step")), (None, None));
            }
            Some((stamp, seen)) => {
                assert_eq!(told("stamp"), Some(stamp as f64 * 0.01));
                assert_eq!(told("step"), Some(f64::from(seen.step)));
            }
        }
    }
    assert!(told_nothing > 1);
    assert!(world.first_fault().is_none());
}

fn slow_world(seed: u64) -> World {
    made(Scenario { seed, ..slow(busy_scenario()) })
}

pub fn run(world: &mut World, steps: u64) -> u64 {
    for _ in 0..steps {
        world.step(&[]);
    }
    world.state_hash()
}

/// All readings of a Frame.
fn readings(world: &World) -> Vec<(Option<u64>, Vec<u32>)> {
    let frame = world.frame();
    let read = |robot| {
        let mut quantised = Vec::new();
        let stamp = frame.read_sensor(robot, 0, &mut quantised).unwrap();
        (stamp.map(|stamp| stamp.step), quantised)
    };
    frame.robots.iter().map(read).collect()
}

/// I2: reading every sensor of every Frame, or none, is the same run; and a Frame and the world itself give the same integers.
#[test]
fn reading_changes_nothing() {
    let unread = run(&mut slow_world(1), 500);
    let mut world = slow_world(1);
    for _ in 0..500 {
        world.step(&[]);
        let read = readings(&world);
        assert_eq!(read, readings(&world));
        for (robot, (stamp, quantised)) in world.robots().zip(read) {
            let mut now = vec![0; 2];
            assert_eq!(robot.read(0, &mut now).unwrap().map(|stamp| stamp.step), stamp);
            assert!(stamp.is_none() || now == quantised);
        }
    }
    assert_eq!(unread, world.state_hash());
    assert!(world.first_fault().is_none());
    assert_ne!(unread, run(&mut slow_world(2), 500));
}

/// A reader who asks late gets what one got who asked at once.
#[test]
fn who_asks_late_gets_the_same() {
    let mut world = slow_world(3);
    run(&mut world, 123);
    let frame = world.frame();
    let (mut early, mut late) = (Vec::new(), Vec::new());
    for robot in &frame.robots {
        frame.read_sensor(robot, 0, &mut early).unwrap();
    }
    let unread = slow_world(3);
    let mut other = unread.fork();
    run(&mut other, 123);
    let kept = other.frame();
    run(&mut other, 200);
    for (robot, again) in frame.robots.iter().zip(&kept.robots) {
        frame.read_sensor(robot, 0, &mut early).unwrap();
        kept.read_sensor(again, 0, &mut late).unwrap();
        assert_eq!(early, late);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// W7: samples and commands on their way go where snapshots, forks and the way back go.
    #[test]
    fn a_snapshot_continues_bit_by_bit(at in 1u64..400, detour in 1u64..100, seed in 0u64..1000) {
        let mut straight = slow_world(seed);
        let hash = run(&mut straight, 500);
        let mut world = slow_world(seed);
        run(&mut world, at);
        let (snapshot, read) = (world.snapshot(), readings(&world));
        let mut fork = world.fork();
        run(&mut world, detour);
        world.rewind(&snapshot);
        prop_assert_eq!(read, readings(&world));
        prop_assert_eq!(hash, run(&mut world, 500 - at));
        prop_assert_eq!(hash, run(&mut fork, 500 - at));
        prop_assert_eq!(readings(&straight), readings(&world));
        prop_assert_eq!(readings(&straight), readings(&fork));
    }
}

/// Two worlds that differ in nothing but what is on its way have another hash.
#[test]
fn what_is_on_its_way_is_in_the_hash() {
    let spec = RobotSpec { commands: CommandTiming { delay_secs: 0.1, hold_secs: None }, ..disc_robot() };
    let world = || {
        made(Scenario { robots: vec![placed("one", spec.clone(), Pose2::ORIGIN, None)], ..empty_scenario() })
    };
    let after = |speed| {
        let mut world = world();
        world.step(&[command(0, Action::SetForward(0, speed))]);
        world.state_hash()
    };
    assert_ne!(after(0.5), after(0.6));
    let sampled = |x_m| {
        let mut world = passing_ball(0.01, &[SLOW]);
        let place = |x| Action::PlaceBall {
            ball: 0,
            position: [x, 3.0],
            velocity: [0.0; 2],
            vertical: Vertical::FLOOR,
        };
        world.apply(&[command(0, place(x_m))]);
        run(&mut world, 25);
        world.apply(&[command(1, place(0.0))]);
        run(&mut world, 1)
    };
    assert_ne!(sampled(1.0), sampled(2.0));
    assert_eq!(sampled(1.0), sampled(1.0));
}

/// An episode begins with its first sample, of its own start, and without anything of the one before.
#[test]
fn an_episode_begins_anew() {
    let scenario = slow(episodic_scenario());
    let mut world = made(Scenario { seed: 7, ..scenario.clone() });
    run(&mut world, 333);
    world.begin_episode(8, None);
    let mut fresh = made(Scenario { seed: 8, ..scenario });
    assert_eq!(world.state_hash(), fresh.state_hash());
    assert_eq!(readings(&world), readings(&fresh));
    // The laser's first sample is of the start itself, the camera's is taken later.
    assert_eq!(readings(&world)[0].0, Some(0));
    assert_eq!((readings(&world)[1].0, readings(&world)[2].0), (None, None));
    assert_eq!(run(&mut world, 150), run(&mut fresh, 150));

    // A world that is stepped on after the end begins by itself.
    let mut ends = 0;
    for _ in 0..2_000 {
        let over = world.episode_end().is_some();
        let at = world.step_count();
        world.step(&[]);
        if over {
            ends += 1;
            let stamps: Vec<_> = readings(&world).into_iter().map(|(stamp, _)| stamp).collect();
            assert_eq!((stamps[0], stamps[1], stamps[2]), (Some(at), None, None));
        }
    }
    assert!(ends > 3);
}

/// R5, G1: neither an episode nor a referee's reset of the objects has a kick of the time before, on its way or ordered while time stood; an
/// episode has its manipulators as at the start, after a referee's reset they go on.
#[test]
fn no_kick_comes_after_a_reset() {
    let world = |is_episode: bool, delay_secs: f64| {
        let mut spec = equipped_robot();
        let state = &mut spec.manipulators[0].states[1];
        state.returns_after_secs = Some(1.0);
        let kick = state.kick.as_mut().unwrap();
        (kick.delay_secs, kick.recharge_secs) = (delay_secs, 5.0);
        let episode = EpisodeSpec {
            agents: vec![0],
            decision_steps: 10,
            max_steps: 100,
            observe: vec!["manipulators".into()],
            act: vec!["drive".into()],
            ranges: vec![],
            starts: vec![],
        };
        made(Scenario {
            balls: vec![ball(FREE_BALL, [0.4, 0.0], [0.0; 2])],
            robots: vec![placed("one", spec, Pose2::ORIGIN, None)],
            // Resets the objects in its thousandth step.
            referee: (!is_episode).then(|| choice("counting")),
            episode: is_episode.then_some(episode),
            ..empty_scenario()
        })
    };
    let order = || {
        let (manipulator, state, aim) = ("kicker".into(), "kick".into(), Aim::strength(1.0));
        command(0, Action::Manipulate { robot: 0, manipulator, state, aim })
    };
    for (is_episode, steps) in [(true, 100), (false, 1000)] {
        let mut world = world(is_episode, 0.2);
        run(&mut world, steps - 5);
        world.step(&[order()]);
        run(&mut world, 44);
        assert_eq!((world.step_count(), world.game().episode), (steps + 40, 1));
        let ball = world.view().balls().next().unwrap();
        assert_eq!((ball.pose.x_m, ball.twist.x_m_s), (0.4, 0.0), "episode: {is_episode}");
        let kicker = world.frame().robots[0].manipulators[0];
        assert_eq!((kicker.state, kicker.ready_in_secs == 0.0), (u32::from(!is_episode), is_episode));
    }
    let mut world = world(true, 0.0);
    let speed = |world: &World| world.view().balls().next().unwrap().twist.x_m_s;
    run(&mut world, 100);
    assert!(world.episode_end().is_some());
    assert!(world.apply(&[order()])[0].result.is_ok());
    world.step(&[]);
    assert_eq!((world.game().episode, speed(&world)), (1, 0.0));
    // One that is ordered in the first step of an episode is of this one.
    run(&mut world, 99);
    assert!(world.episode_end().is_some());
    world.step(&[order()]);
    assert!(world.game().episode == 2 && speed(&world) > 3.0, "{}", speed(&world));
}

/// Robots made by hand are checked as files are.
#[test]
fn timing_out_of_range_is_refused() {
    let world = |timing, commands| {
        let spec = RobotSpec { sensors: vec![sensor("one", "probe", timing)], commands, ..disc_robot() };
        World::new(
            Scenario { robots: vec![placed("one", spec, Pose2::ORIGIN, None)], ..empty_scenario() },
            Arc::new(TestFactory),
        )
    };
    for (rate_hz, phase_secs, delay_secs) in
        [(Some(0.0), 0.0, 0.0), (Some(f64::NAN), 0.0, 0.0), (None, -1.0, 0.0), (None, 0.0, f64::INFINITY)]
    {
        assert!(world(SensorTiming { rate_hz, phase_secs, delay_secs }, CommandTiming::default()).is_err());
    }
    for (delay_secs, hold_secs) in [(-0.1, None), (f64::NAN, None), (0.0, Some(0.0)), (0.0, Some(f64::NAN))] {
        assert!(world(NO_TIMING, CommandTiming { delay_secs, hold_secs }).is_err());
    }
}

pub fn command(sequence: u64, action: Action) -> Command {
    Command { client: 1, sequence, action }
}
