//! Goals, however fast the ball and however long the step: a shot between the posts is one, whether or not the ball is in the goal where a step ends. [W4, R1]

use crate::build::plugin_dir;
use crate::program::root;
use std::sync::Arc;
use touchline_config::load_world;
use touchline_host::Host;
use touchline_sim::{Action, Command, EpisodeEnd, EventKind, World};

/// Shots of a world: its file, the ball's number of metres from the centre to the goal line, half of the mouth's width less ball and post.
const SHIPPED: [(&str, f64, f64); 2] =
    [("worlds/small-size.toml", 6.0, 0.8), ("worlds/f2000.toml", 5.0, 0.8)];

/// A world without robots, whose ball is shot at a goal from so far before the line; whether a goal is counted for the team that shoots.
fn is_goal(world: &mut World, [x_m, y_m]: [f64; 2], velocity: [f64; 2]) -> bool {
    let team = usize::from(x_m < 0.0);
    let before = world.frame().game.teams[team].score;
    let place = Action::PlaceBall { ball: 0, position: [x_m, y_m], velocity, vertical: Default::default() };
    world.step(&[Command { client: 1, sequence: 0, action: place }]);
    let secs = 0.5;
    for _ in 0..(secs / world.scenario().dt_secs) as u32 {
        world.step(&[]);
    }
    world.frame().game.teams[team].score > before
}

#[test]
fn every_shot_between_the_posts_is_a_goal() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    for (file, line_m, half_mouth_m) in SHIPPED {
        let mut scenario = load_world(&root().join(file), &*host).unwrap_or_else(|report| panic!("{report}"));
        scenario.robots.clear();
        for dt_secs in [0.001, 0.01, 0.02, 0.05] {
            let mut scenario = scenario.clone();
            scenario.dt_secs = dt_secs;
            let mut world = World::new(scenario, Arc::clone(&host) as _).unwrap();
            world.step(&[]);
            for shot in 0..120 {
                let part = f64::from(shot) / 120.0;
                let side = if shot % 2 == 0 { 1.0 } else { -1.0 };
                let speed_m_s = [3.0, 6.0, 9.0, 12.0][shot as usize / 2 % 4];
                // Over all phases of the step, from 0.4 m on.
                let from_m = line_m - 0.4 - part * speed_m_s * dt_secs;
                let y_m = half_mouth_m * (2.0 * part - 1.0);
                let shot = [side * speed_m_s, 0.0];
                let what = format!(
                    "{file}, steps of {dt_secs} s: {speed_m_s} m/s from {from_m} m, y {y_m} m, {side}"
                );
                assert!(is_goal(&mut world, [side * from_m, y_m], shot), "{what}");
                // Beside the post, and away from the goal: none.
                assert!(!is_goal(&mut world, [side * from_m, half_mouth_m + 0.8], shot), "beside: {what}");
                assert!(!is_goal(&mut world, [side * 1.0, y_m], [0.0, speed_m_s.min(3.0)]), "away: {what}");
            }
            let faults = world.events().filter(|event| matches!(event.kind, EventKind::Fault { .. })).count();
            assert_eq!(faults, 0);
        }
    }
}

/// G1: in a served world each episode is a match of its own: a goal is told and paid also in one that begins long after a match's time.
#[test]
fn a_goal_is_paid_in_a_later_episode() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let mut scenario =
        load_world(&root().join("worlds/3v3.toml"), &*host).unwrap_or_else(|report| panic!("{report}"));
    let referee = scenario.referee.as_mut().expect("a referee");
    referee.params["half_time_secs"] = 1.0.into();
    referee.params["halves"] = 1.into();
    let steps = (2.0 / scenario.dt_secs) as u64;
    scenario.episode.as_mut().expect("episodes").max_steps = steps;
    let mut world = World::new(scenario, host).unwrap();
    for _ in 0..3 * steps {
        world.step(&[]);
    }
    assert_eq!(world.episode_end(), Some(&EpisodeEnd::TimeUp));
    let (position, velocity) = ([4.5, 0.0], [8.0, 0.0]);
    let shot = Action::PlaceBall { ball: 0, position, velocity, vertical: Default::default() };
    world.step(&[]);
    world.step(&[Command { client: 1, sequence: 0, action: shot }]);
    while world.episode_end().is_none() {
        world.step(&[]);
    }
    assert_eq!(world.episode_end(), Some(&EpisodeEnd::Over("goal".into())));
    assert!(world.reward(0) > 0.5 && (world.reward(0) + world.reward(3)).abs() < 1e-9, "{}", world.reward(0));
}
