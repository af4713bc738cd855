//! Commands that arrive later, are held, and run out. [R3]

use crate::common::*;
use crate::timing::{command, made, placed, run};
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::scenario::*;
use touchline_sim::{Action, World};

fn commanded(dt_secs: f64, commands: CommandTiming) -> World {
    let spec = RobotSpec { commands, ..equipped_robot() };
    made(Scenario {
        dt_secs,
        balls: vec![ball(FREE_BALL, [0.32, 0.0], [0.0; 2])],
        robots: vec![placed("one", spec, Pose2::ORIGIN, None)],
        ..empty_scenario()
    })
}

/// R3: a command with a delay is the same command so much later, at any length of a step.
#[test]
fn a_delayed_command_starts_the_motion_later() {
    let delay_secs = 0.1;
    for dt_secs in STEPS_SECS {
        let later = (delay_secs / dt_secs - 1e-6).ceil() as u64;
        let mut direct = commanded(dt_secs, CommandTiming::default());
        let mut delayed = commanded(dt_secs, CommandTiming { delay_secs, hold_secs: None });
        let orders = [
            command(0, Action::SetForward(0, -0.5)),
            command(1, Action::SetTurn(0, 1.0)),
            command(2, Action::SetTwist(0, Twist2::new(-0.3, 0.1, 0.0))),
        ];
        let poses = |world: &mut World, steps: u64| -> Vec<Pose2> {
            let mut poses = Vec::new();
            for step in 0..steps {
                // Two in one step, and a third some steps later.
                match step {
                    0 => drop(world.step(&orders[..2])),
                    7 => drop(world.step(&orders[2..])),
                    _ => drop(world.step(&[])),
                }
                poses.push(world.robots().next().unwrap().pose());
            }
            poses
        };
        let direct = poses(&mut direct, 20);
        let delayed = poses(&mut delayed, 20 + later);
        assert!(delayed[..later as usize].iter().all(|pose| *pose == Pose2::ORIGIN), "{dt_secs}");
        assert!(direct[0] != Pose2::ORIGIN);
        for (direct, delayed) in direct.iter().zip(&delayed[later as usize..]) {
            assert!(direct.distance_m(*delayed) < 1e-6, "{dt_secs}: {direct:?} {delayed:?}");
        }
    }
}

/// R5: a manipulator is switched through the same line.
#[test]
fn a_delayed_kick_comes_later() {
    let kicked_at = |delay_secs| {
        let mut world = commanded(0.01, CommandTiming { delay_secs, hold_secs: None });
        let kick = Action::Manipulate {
            robot: 0,
            manipulator: "kicker".into(),
            state: "kick".into(),
            aim: Aim::strength(1.0),
        };
        assert!(world.step(&[command(0, kick)])[0].result.is_ok());
        (1..100).find(|_| {
            let moves = world.frame().objects[1].twist.x_m_s > 1.0;
            world.step(&[]);
            moves
        })
    };
    assert_eq!((kicked_at(0.0), kicked_at(0.05)), (Some(1), Some(6)));
}

/// A command that is not renewed ends after so long; one that is renewed goes on.
#[test]
fn the_watchdog_stops_the_robot() {
    for dt_secs in STEPS_SECS {
        for delay_secs in [0.0, 0.1] {
            let timing = CommandTiming { delay_secs, hold_secs: Some(0.2) };
            let mut world = commanded(dt_secs, timing);
            let later = (delay_secs / dt_secs - 1e-6).ceil() as u64;
            let hold = (0.2 / dt_secs - 1e-6).ceil() as u64;
            let renewed = [0, hold - 1, hold + 1];
            for step in 0..4 * hold + later {
                let orders = renewed.contains(&step).then(|| command(step, Action::SetForward(0, -0.5)));
                world.step(orders.as_slice());
                let drives = world.robots().next().unwrap().command()[0] != 0.0;
                let expected = step >= later && step < later + renewed[2] + hold;
                assert_eq!(drives, expected, "{dt_secs} s, delay {delay_secs} s, step {step}");
            }
        }
    }
}

/// Y2: who takes a robot over is not overtaken by what was on its way.
#[test]
fn what_is_on_its_way_ends_with_who_drove() {
    let mut world = commanded(0.01, CommandTiming { delay_secs: 0.1, hold_secs: None });
    world.step(&[command(0, Action::SetForward(0, 0.5))]);
    world.step(&[command(1, Action::TakeRobot(0))]);
    run(&mut world, 30);
    assert_eq!(world.robots().next().unwrap().pose(), Pose2::ORIGIN);
}
