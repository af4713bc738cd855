//! Worlds that are played in episodes. (G1)

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, EpisodeEnd, EventKind, World};

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

/// Three against two, all drawn from the same narrow field, and two balls.
fn crowded(seed: u64) -> Scenario {
    let range = |of| PlacementRange {
        of,
        x_m: [-1.2, 1.2],
        y_m: [-1.0, 1.2],
        theta_rad: [-3.0, 3.0],
        speed_m_s: [0.0; 2],
        near: None,
    };
    let place = |number: usize| RobotPlacement {
        name: format!("robot-{number}"),
        team: None,
        spec: Arc::new(disc_robot()),
        pose: Some(Pose2::new(number as f64 - 2.0, -3.0, 0.0)),
        player: None,
    };
    let things = (0..5).map(StartOf::Robot).chain((0..2).map(StartOf::Ball));
    let mut scenario = Scenario {
        seed,
        robots: (0..5).map(place).collect(),
        balls: [3.0, 3.5].map(|y_m| ball(FREE_BALL, [0.0, y_m], [0.0; 2])).into(),
        ..empty_scenario()
    };
    // In the way of some draws, as the robots are.
    scenario.fixtures.push(wall(0.0, 1.0, 1.0, 0.1));
    let episode = episodic_scenario().episode.unwrap();
    scenario.episode = Some(EpisodeSpec { agents: vec![], ranges: things.map(range).collect(), ..episode });
    scenario
}

/// Where everything stands: robots, then balls, each with its radius.
fn discs(world: &World) -> Vec<(Pose2, f64)> {
    let robots = (0..5).map(|number| (world.robot(number).unwrap().pose(), ROBOT_M));
    let balls = world.view().balls().map(|ball| (ball.pose, FREE_BALL.radius_m)).collect::<Vec<_>>();
    robots.chain(balls).collect()
}

const ROBOT_M: f64 = 0.2;

/// What stands in something else: with another disc, or with the wall.
fn overlaps(discs: &[(Pose2, f64)]) -> usize {
    let meets_wall = |pose: Pose2, radius_m: f64| {
        let (dx, dy) = ((pose.x_m.abs() - 0.5).max(0.0), ((pose.y_m - 1.0).abs() - 0.05).max(0.0));
        libm::hypot(dx, dy) < radius_m - 1e-5
    };
    let mut found = 0;
    for (index, &(one, radius_m)) in discs.iter().enumerate() {
        found += usize::from(meets_wall(one, radius_m));
        let others = &discs[index + 1..];
        found += others.iter().filter(|(other, r)| one.distance_m(*other) < radius_m + r - 1e-5).count();
    }
    found
}

/// G1, I2: no drawn start puts one thing into another; a first draw that is free is taken as it is; the same seed draws the same.
#[test]
fn a_drawn_start_is_free() {
    let mut world = World::new(crowded(0), Arc::new(TestFactory)).unwrap();
    let mut redrawn = 0;
    for seed in 0..300 {
        world.begin_episode(seed, None);
        let stood = discs(&world);
        assert_eq!(overlaps(&stood), 0, "seed {seed}: {stood:?}");
        world.begin_episode(seed, None);
        assert_eq!(discs(&world), stood, "seed {seed}");

        let mut noise = NoiseSeed::new(seed).key(NoiseOwner::new("episode/start"), 0).stream();
        let first: Vec<(Pose2, f64)> = stood
            .iter()
            .map(|&(_, radius_m)| {
                let pose =
                    Pose2::new(noise.uniform(-1.2, 1.2), noise.uniform(-1.0, 1.2), noise.uniform(-3.0, 3.0));
                noise.uniform(0.0, 0.0);
                (pose, radius_m)
            })
            .collect();
        if overlaps(&first) > 0 {
            redrawn += 1;
        } else {
            for ((is, _), (drawn, _)) in stood.iter().zip(&first) {
                assert!(is.distance_m(*drawn) < 1e-6, "seed {seed}: {is:?}, {drawn:?}");
            }
        }
    }
    assert!((50..290).contains(&redrawn), "of both kinds there were many: {redrawn}");
}

/// A thing that leaves no room for another is drawn anew as well.
#[test]
fn what_was_drawn_first_makes_room() {
    let mut scenario = crowded(0);
    let ranges = &mut scenario.episode.as_mut().unwrap().ranges;
    let place = |of, x_m: [f64; 2]| PlacementRange {
        of,
        x_m,
        y_m: [0.0; 2],
        theta_rad: [0.0; 2],
        speed_m_s: [0.0; 2],
        near: None,
    };
    *ranges = vec![place(StartOf::Robot(0), [-1.0, 1.0]), place(StartOf::Robot(1), [0.3, 0.3])];
    let mut world = World::new(scenario, Arc::new(TestFactory)).unwrap();
    for seed in 0..50 {
        world.begin_episode(seed, None);
        assert_eq!((world.episode_end(), overlaps(&discs(&world))), (None, 0), "seed {seed}");
    }
}

/// Where there can be no start, the world is refused; so it is for a list that puts one thing into another.
#[test]
fn a_world_without_room_for_its_start_is_refused() {
    let refused = |scenario: Scenario| World::new(scenario, Arc::new(TestFactory)).err().unwrap().to_string();
    let mut scenario = crowded(0);
    for range in &mut scenario.episode.as_mut().unwrap().ranges {
        range.x_m = [0.0, 0.3];
        range.y_m = [0.0, 0.3];
    }
    let error = refused(scenario);
    assert!(
        error.contains("robot \"robot-1\" has no free start") && error.contains("at last robot-0"),
        "{error}"
    );

    let mut scenario = crowded(0);
    let at = |x_m| Placement { x_m, y_m: 0.0, theta_rad: 0.0, speed_m_s: 0.0 };
    scenario.episode.as_mut().unwrap().starts = vec![
        vec![(StartOf::Robot(0), at(0.0)), (StartOf::Ball(1), at(0.5))],
        vec![(StartOf::Robot(0), at(0.0)), (StartOf::Ball(1), at(0.4))],
        vec![(StartOf::Robot(0), at(0.0)), (StartOf::Ball(1), at(0.1))],
    ];
    let error = refused(scenario);
    assert!(error.contains("ball-1 has no free start: row 3 of the list puts it into robot-0"), "{error}");
}

/// A start that has no room any more ends its episode, which says so; the next one is drawn anew.
#[test]
fn an_episode_without_room_for_its_start_is_over() {
    let mut scenario = crowded(0);
    let episode = scenario.episode.as_mut().unwrap();
    episode.ranges.truncate(1);
    (episode.ranges[0].x_m, episode.ranges[0].y_m) = ([0.0, 0.1], [0.0, 0.1]);
    episode.max_steps = 3;
    let mut world = World::new(scenario, Arc::new(TestFactory)).unwrap();
    let before = world.robot(0).unwrap().pose();
    assert!(before.distance_m(Pose2::ORIGIN) < 0.2);
    // Somebody else's robot stands there at each start, from the reset on.
    let add = Action::AddRobot {
        name: "guest".into(),
        team: None,
        spec: Arc::new(disc_robot()),
        pose: Some(Pose2::new(0.5, 0.5, 0.0)),
        player: None,
    };
    world.apply(&[Command { client: 1, sequence: 0, action: add }]);
    let out = Action::PlaceRobot(0, Pose2::new(0.0, -2.0, 0.0));
    world.apply(&[Command { client: 1, sequence: 1, action: out }]);
    let in_the_way = Action::AddRobot {
        name: "in the way".into(),
        team: None,
        spec: Arc::new(disc_robot()),
        pose: Some(Pose2::new(0.05, 0.05, 0.0)),
        player: None,
    };
    world.apply(&[Command { client: 1, sequence: 2, action: in_the_way }]);
    while world.episode_end().is_none() {
        world.step(&[]);
    }
    assert_eq!(world.episode_end(), Some(&EpisodeEnd::TimeUp));
    for _ in 0..2 {
        world.step(&[]);
        assert_eq!(world.episode_end().unwrap().outcome(), "no-room");
        assert_eq!(world.episode_steps(), 1);
        assert!(world.first_fault().unwrap().contains("robot \"robot-0\" has no free start"));
        let home = world.robot(0).unwrap().pose();
        assert!(home.distance_m(Pose2::new(-2.0, -3.0, 0.0)) < 1e-3, "{home:?}");
    }
    let fault = world.events().rev().find_map(|event| match &event.kind {
        EventKind::Fault { owner, message, .. } if owner == "episode" => Some(message.clone()),
        _ => None,
    });
    assert!(fault.unwrap().ends_with("at last in the way"));
    // When there is room again, it goes on.
    world.step(&[Command { client: 1, sequence: 3, action: Action::RemoveRobot(6) }]);
    world.step(&[]);
    assert_eq!(world.episode_end(), None);
    assert!(world.robot(0).unwrap().pose().distance_m(Pose2::ORIGIN) < 0.2);
    // After a reset too the first step is its own.
    world.begin_episode(5, None);
    assert_eq!((world.episode_end(), world.first_fault()), (None, None));
}

/// Nobody begins in another, in a world too whose bodies never meet.
#[test]
fn who_never_meets_begins_beside_others_all_the_same() {
    let physics = PhysicsLaw::Discs { contact: ContactRule::None, bounding_circles: false };
    let mut world = World::new(Scenario { physics, ..crowded(0) }, Arc::new(TestFactory)).unwrap();
    for seed in 0..100 {
        world.begin_episode(seed, None);
        assert_eq!((world.episode_end(), overlaps(&discs(&world))), (None, 0), "seed {seed}");
    }
}

/// What starts near another thing starts by its place, held in its range, and finds a free place as everything does.
#[test]
fn a_start_near_another_thing_goes_with_it() {
    let mut scenario = crowded(0);
    let ranges = &mut scenario.episode.as_mut().unwrap().ranges;
    let place = |of, x_m: [f64; 2], near| PlacementRange {
        of,
        x_m,
        y_m: [-0.2, 0.2],
        theta_rad: [0.0; 2],
        speed_m_s: [0.0; 2],
        near,
    };
    let near = Near { of: StartOf::Ball(0), within_x_m: [-9.0, 1.0], within_y_m: [-0.3, 9.0] };
    *ranges = vec![
        place(StartOf::Ball(0), [-1.0, 1.0], None),
        // Its own way would put it into the ball in a fifth of all draws.
        place(StartOf::Robot(0), [-1.0, 1.0], Some(near)),
    ];
    let mut world = World::new(scenario, Arc::new(TestFactory)).unwrap();
    let mut held = 0;
    for seed in 0..200 {
        world.begin_episode(seed, None);
        assert_eq!((world.episode_end(), overlaps(&discs(&world))), (None, 0), "seed {seed}");
        let (ball, robot) = (world.view().balls().next().unwrap().pose, world.view().robot(0).unwrap().pose);
        assert!((robot.x_m - ball.x_m).abs() <= 1.0 || robot.x_m == 1.0, "seed {seed}");
        assert!((robot.y_m - ball.y_m).abs() <= 0.2 || robot.y_m == -0.3, "seed {seed}");
        assert!(robot.x_m <= 1.0 && robot.y_m >= -0.3, "seed {seed}: {robot:?}");
        held += u32::from(robot.x_m == 1.0);
    }
    assert!((5..80).contains(&held), "{held} of 200 were held at the end of their range");
}
