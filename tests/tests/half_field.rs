//! Half field offense and the whole game as agents' tasks, through the batch as a learner has them. [G1, P3]

use crate::build::plugin_dir;
use crate::program::root;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_batch::{Arrays, Batch, Ended, Options};
use touchline_config::load_world;
use touchline_host::Host;
use touchline_plugin_api::noise::{Noise, NoiseKey};
use touchline_soccer_law::face::{AgentCommand, HighLevel};

/// Attackers, and the defence with its goalkeeper.
const SET_UPS: [(usize, usize); 7] = [(1, 0), (1, 1), (2, 1), (2, 2), (3, 3), (4, 4), (4, 5)];

fn batch(world: &str, host: &Arc<Host>, environments: usize) -> Batch {
    let scenario = load_world(&root().join(format!("worlds/{world}.toml")), &**host).unwrap();
    let options = Options { environments, seed: 1, threads: 1, ..Options::default() };
    Batch::new(scenario, Arc::clone(host) as _, options).unwrap()
}

fn host() -> Arc<Host> {
    Arc::new(Host::scan(&[plugin_dir().to_owned()]))
}

/// What an agent observes, by the numbers' names.
struct Seen<'a> {
    names: &'a BTreeMap<String, usize>,
    numbers: &'a [f32],
}

impl Seen<'_> {
    fn get(&self, name: &str) -> f64 {
        f64::from(self.numbers[self.names[name]])
    }
}

/// What an agent decides: an action, and its target from 1.
type Policy = fn(&Seen<'_>, &mut Noise) -> (HighLevel, u32);

/// Any action of the attackers, with or without the ball; a pass goes to any of the mates.
fn random(seen: &Seen<'_>, noise: &mut Noise) -> (HighLevel, u32) {
    let actions =
        [HighLevel::Move, HighLevel::Shoot, HighLevel::Pass, HighLevel::Dribble, HighLevel::GoToBall];
    let unum = |mate| seen.names.get(&format!("high/mate-{mate}.unum")).map(|&place| seen.numbers[place]);
    let mates: Vec<f32> = (1..11).map_while(unum).collect();
    let mate = (noise.uniform(0.0, mates.len() as f64) as usize).min(mates.len().saturating_sub(1));
    (actions[(noise.uniform(0.0, 5.0) as usize).min(4)], mates.get(mate).map_or(1, |&unum| unum as u32))
}

/// Shoots where much of the goal is open or it is near, passes to a mate that has more of it, else dribbles; without the ball it moves as our team.
fn hand_coded(seen: &Seen<'_>, _: &mut Noise) -> (HighLevel, u32) {
    if seen.get("high/self.able_to_kick") < 0.0 {
        return (HighLevel::Move, 1);
    }
    let own = seen.get("high/self.goal_opening_angle");
    // So far is 1 from the goal: 15 m and 9 m.
    let goal = seen.get("high/self.goal_center_proximity");
    if (own > -0.85 && goal < -0.65) || goal < -0.79 {
        return (HighLevel::Shoot, 1);
    }
    let mates =
        seen.names.keys().filter(|name| name.ends_with(".goal_opening_angle") && name.contains("mate"));
    let best = (1..=mates.count())
        .map(|mate| (seen.get(&format!("high/mate-goal-{mate}.goal_opening_angle")), mate))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((open, mate)) if open > own + 0.05 => {
            (HighLevel::Pass, seen.get(&format!("high/mate-{mate}.unum")) as u32)
        }
        _ => (HighLevel::Dribble, 1),
    }
}

/// A choice as a learner's numbers.
fn numbers((action, target): (HighLevel, u32)) -> [f32; 2] {
    let part = |choice: f64, [low, high]: [f64; 2]| ((choice - low) / (high - low) * 2.0 - 1.0) as f32;
    let number = HighLevel::ALL.iter().position(|other| *other == action).unwrap();
    [
        part(number as f64 + 0.5, AgentCommand::RANGES[0]),
        part(f64::from(target) - 0.5, AgentCommand::RANGES[1]),
    ]
}

/// Plays so many episodes, one in each environment.
fn play(world: &str, host: &Arc<Host>, episodes: usize, policy: Policy) -> Vec<Ended> {
    let mut batch = batch(world, host, episodes);
    let names: BTreeMap<String, usize> = batch.layout().observed.iter().cloned().zip(0..).collect();
    let mut arrays = Arrays::of(&batch);
    batch.reset(7, &mut arrays.outputs()).unwrap();
    let mut noise = NoiseKey::for_owner(1, "policy").stream();
    let mut ended = BTreeMap::new();
    for _ in 0..1001 {
        let rows = arrays.observations.chunks(names.len());
        let actions: Vec<f32> = rows
            .flat_map(|numbers_of| numbers(policy(&Seen { names: &names, numbers: numbers_of }, &mut noise)))
            .collect();
        for end in batch.step(&actions, &mut arrays.outputs()).unwrap() {
            ended.entry(end.environment).or_insert(end);
        }
        if ended.len() == episodes {
            break;
        }
    }
    assert_eq!(ended.len(), episodes, "an episode has at most 1000 cycles");
    ended.into_values().collect()
}

/// All set-ups have as many numbers as the benchmark's manual says: 58 + 9 T + 9 O + 1 low-level ones, 10 + 6 T + 3 O + 2 high-level ones.
#[test]
fn every_set_up_observes_what_the_benchmark_observes() {
    let host = host();
    for (attackers, defence) in SET_UPS {
        let (mates, world) = (attackers - 1, format!("half-field-{attackers}v{defence}"));
        let high = batch(&world, &host, 1);
        assert_eq!(high.layout().observed.len(), 10 + 6 * mates + 3 * defence + 2, "{world}");
        assert_eq!(high.layout().actions.len(), 2);
        let low = batch(&format!("{world}-low"), &host, 1);
        assert_eq!(low.layout().observed.len(), 58 + 9 * mates + 9 * defence + 1, "{world}-low");
        assert_eq!(low.layout().actions.len(), 3);
    }
}

/// Base lines: who thinks scores more often than who chooses by chance, by more than two standard errors; each end is one of the benchmark's, and goals alone are paid.
#[test]
fn half_field_offense_is_won_by_who_thinks() {
    let host = host();
    const EPISODES: usize = 60;
    let worlds = [("1v0", 0.9), ("1v1", 0.5), ("2v1", 0.5), ("2v2", 0.0)];
    for (set_up, least) in worlds {
        let world = format!("half-field-{set_up}");
        let rates = [("random", random as Policy), ("hand-coded", hand_coded)].map(|(name, policy)| {
            let ended = play(&world, &host, EPISODES, policy);
            let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
            for end in &ended {
                assert_eq!(end.fault, None);
                let outcome = end.end.outcome();
                assert!(["goal", "out", "captured", "untouched", "time"].contains(&outcome), "{outcome}");
                let is_goal = outcome == "goal";
                assert_eq!((end.returns[0], end.score[0]), (f64::from(is_goal), i64::from(is_goal)));
                *outcomes.entry(outcome.to_owned()).or_default() += 1;
            }
            println!("{world}, {name}: {outcomes:?}");
            outcomes.get("goal").copied().unwrap_or(0) as f64 / EPISODES as f64
        });
        let error = rates.map(|rate| rate * (1.0 - rate) / EPISODES as f64).iter().sum::<f64>().sqrt();
        assert!(rates[1] - rates[0] > 2.0 * error && rates[1] >= least, "{world}: {rates:?}");
    }
}

/// The whole game as a task for one agent and for twenty: a player is told what a client is told, and what is decided moves its body alone.
#[test]
fn the_whole_game_is_a_task() {
    let host = host();
    // Nobody is in the way of these: the left wing, and who is in the middle.
    for (world, agents, body) in [("soccer-one", 1, 9), ("soccer-eleven", 20, 5)] {
        let mut batch = batch(world, &host, 1);
        let layout = batch.layout().clone();
        assert_eq!((layout.agents.len(), layout.actions.len()), (agents, 4), "{world}");
        assert!(layout.observed.iter().any(|name| name.starts_with("eyes/see.ball_distance")), "{world}");
        let mut arrays = Arrays::of(&batch);
        batch.reset(3, &mut arrays.outputs()).unwrap();
        let place = |batch: &Batch| {
            let view = batch.world(0).unwrap().view();
            view.robot(body).map(|robot| [robot.pose.x_m, robot.pose.y_m]).unwrap()
        };
        let start = place(&batch);
        // Its dashes forward, at full power.
        let dash = [-0.4, 1.0, 0.0, 0.0];
        for _ in 0..20 {
            let ended = batch.step(&dash.repeat(agents), &mut arrays.outputs()).unwrap();
            assert!(ended.is_empty() && batch.world(0).unwrap().first_fault().is_none());
        }
        let [x, y] = place(&batch);
        assert!(x - start[0] > 5.0 && (y - start[1]).abs() < 2.0, "{world}: from {start:?} to {x} {y}");
    }
}
