//! Worlds that are played in episodes. (G1)

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, EpisodeEnd, World};

fn episodic(seed: u64) -> World {
    World::new(Scenario { seed, ..episodic_scenario() }, Arc::new(TestFactory)).unwrap()
}

fn drive(step: u64) -> Command {
    let command = vec![1.0, 0.0, touchline_plugin_api::geometry::sin_cos(step as f64 * 0.1).0];
    Command { client: 0, sequence: step, action: Action::Drive(0, command) }
}

/// Plays to the end of the episode; gives how it ended and the state's hash.
fn play(world: &mut World) -> (EpisodeEnd, u64, f64) {
    while world.episode_end().is_none() {
        let command = drive(world.step_count());
        world.step(&[command]);
    }
    (world.episode_end().unwrap().clone(), world.state_hash(), world.reward(0))
}

/// I2: an episode is a function of its seed, whatever the world was used for before.
#[test]
fn a_world_that_begins_again_is_a_new_world() {
    let mut used = episodic(99);
    play(&mut used);
    for seed in 0..20 {
        used.begin_episode(seed, None);
        let mut new = episodic(seed);
        assert_eq!(used.state_hash(), new.state_hash(), "seed {seed}");
        assert_eq!(play(&mut used), play(&mut new), "seed {seed}");
    }
}

/// G1: the referee's word ends an episode, otherwise its time does; what was paid adds up.
#[test]
fn an_episode_ends_by_the_referee_or_by_its_time() {
    let mut ends = Vec::new();
    for seed in 0..100 {
        let mut world = episodic(seed);
        let (end, _, reward) = play(&mut world);
        assert!(world.step_count() <= 200);
        assert!(reward >= 0.25 * world.step_count() as f64, "{reward}");
        if end == EpisodeEnd::TimeUp {
            assert_eq!(world.step_count(), 200);
        }
        ends.push(end);
    }
    // 0.98^200 is 0.018.
    assert!(ends.contains(&EpisodeEnd::Over("luck".into())));
    assert!(ends.iter().filter(|end| **end == EpisodeEnd::TimeUp).count() <= 8);
}

/// The starts are drawn from their ranges, and differ from seed to seed.
#[test]
fn a_start_is_drawn_from_its_ranges() {
    let mut places = Vec::new();
    for seed in 0..50 {
        let world = episodic(seed);
        let ball = world.view().objects[1];
        assert!((-4.0..=4.0).contains(&ball.pose.x_m) && (1.5..=2.0).contains(&ball.pose.y_m));
        let robot = world.robot(0).unwrap().pose();
        assert!((-4.5..=-4.0).contains(&robot.x_m) && (-2.0..=-1.0).contains(&robot.y_m));
        places.push((ball.pose.x_m, robot.theta_rad));
    }
    places.dedup();
    assert_eq!(places.len(), 50);
}

/// A fixed start is where the list says, and a number beyond the list counts from its beginning.
#[test]
fn fixed_starts_are_taken_in_turn() {
    let mut scenario = episodic_scenario();
    let at = |x_m| Placement { x_m, y_m: 0.5, theta_rad: 1.0, speed_m_s: 0.0 };
    let episode = scenario.episode.as_mut().unwrap();
    episode.starts = (0..3).map(|row| vec![(StartOf::Robot(0), at(-4.0 - 0.1 * f64::from(row)))]).collect();
    let mut world = World::new(scenario, Arc::new(TestFactory)).unwrap();
    for (start, row) in [(0, 0.0), (2, 2.0), (4, 1.0)] {
        world.begin_episode(7, Some(start));
        let pose = world.robot(0).unwrap().pose();
        assert!(pose.distance_m(Pose2::new(-4.0 - 0.1 * row, 0.5, 0.0)) < 1e-6, "{pose:?}");
    }
}

/// A server shows one episode after the other: time goes on, everything is put to the next start, and pay begins at 0.
#[test]
fn a_world_that_is_stepped_on_goes_to_its_next_start() {
    let mut world = episodic(4);
    play(&mut world);
    let before = world.step_count();
    world.step(&[]);
    assert_eq!((world.episode_end(), world.step_count(), world.episode_steps()), (None, before + 1, 1));
    assert!(world.reward(0) < 10.0);
    let robot = world.robot(0).unwrap().pose();
    assert!((-4.6..=-3.9).contains(&robot.x_m), "{robot:?}");
    let said = |world: &World| {
        world.events().any(|event| format!("{:?}", event.kind).contains("episode over: luck"))
    };
    while !said(&world) {
        world.step(&[]);
    }
}
