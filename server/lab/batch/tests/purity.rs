//! What a batch gives does not depend on how it is run. (I2)

use crate::common::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use touchline_batch::{Arrays, Autoreset, Batch, BatchError, Ended, Options, episode_seed};
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::instance::{InProcess, RefereeInstance};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_sim::scenario::{PluginChoice, Scenario};
use touchline_sim::{Action, Command, MakeError, PluginFactory, World};

/// Arrays with the observations before a reset.
fn arrays_of(batch: &Batch) -> Arrays {
    let mut arrays = Arrays::of(batch);
    arrays.final_observations = Some(arrays.observations.clone());
    arrays
}

fn batch(environments: usize, threads: usize, autoreset: Autoreset) -> Batch {
    batch_of(episodic_scenario(), environments, threads, autoreset)
}

fn batch_of(scenario: Scenario, environments: usize, threads: usize, autoreset: Autoreset) -> Batch {
    let options = Options { environments, threads, autoreset, ..Options::default() };
    Batch::new(scenario, Arc::new(TestFactory), options).unwrap()
}

/// What an agent decides at a tick of an episode: anything that depends on nothing else.
fn decision(environment: usize, decisions: u64, number: usize) -> f32 {
    let turn = (environment * 31 + number * 7) as f32 + decisions as f32 * 0.37;
    turn.sin()
}

/// Plays until each environment has ended `episodes` episodes; gives those, with the hash of the last world.
fn play(mut batch: Batch, episodes: u64) -> BTreeMap<(usize, u64), (Ended, u64, Vec<f32>)> {
    let mut arrays = arrays_of(&batch);
    batch.reset(5, &mut arrays.outputs()).unwrap();
    let width = batch.layout().agents.len() * batch.layout().actions.len();
    let mut made = vec![0u64; batch.len()];
    let mut results = BTreeMap::new();
    let mut is_over = vec![false; batch.len()];
    while results.len() < batch.len() * episodes as usize {
        let actions: Vec<f32> = (0..batch.len() * width)
            .map(|index| decision(index / width, made[index / width], index % width))
            .collect();
        let ended = batch.step(&actions, &mut arrays.outputs()).unwrap();
        for environment in 0..batch.len() {
            // The step after an end begins an episode and makes no decision.
            made[environment] = if is_over[environment] { 0 } else { made[environment] + 1 };
            is_over[environment] = false;
            assert!(made[environment] < 10_000, "environment {environment} comes to no end: is it stepped?");
        }
        for ended in ended {
            let environment = ended.environment;
            assert_eq!(ended.decisions, made[environment]);
            is_over[environment] = true;
            if ended.episode < episodes {
                let observed = arrays.observations.len() / batch.len();
                let seen = arrays.observations[environment * observed..(environment + 1) * observed].to_vec();
                let hash = batch.world(environment).unwrap().state_hash();
                results.insert((environment, ended.episode), (ended, hash, seen));
            }
        }
    }
    results
}

/// I2: batches of 1, 7 and 33 environments, on 1 and 4 threads: each world's every episode is the same, bit by bit.
#[test]
fn size_and_threads_play_no_part() {
    let reference = play(batch(33, 1, Autoreset::NextStep), 3);
    for (environments, threads) in [(33, 4), (7, 1), (7, 3), (1, 1)] {
        let results = play(batch(environments, threads, Autoreset::NextStep), 3);
        for (place, result) in results {
            assert_eq!(result, reference[&place], "{place:?} of {environments} on {threads} threads");
        }
    }
}

/// I2: the same of robots whose sensors and commands take their time.
#[test]
fn sensors_and_commands_in_their_own_time_are_as_pure() {
    let slow_batch = |environments, threads| {
        batch_of(slow(episodic_scenario()), environments, threads, Autoreset::NextStep)
    };
    let reference = play(slow_batch(9, 1), 3);
    for (environments, threads) in [(9, 3), (2, 2), (1, 1)] {
        for (place, result) in play(slow_batch(environments, threads), 3) {
            assert_eq!(result, reference[&place], "{place:?} of {environments} on {threads} threads");
        }
    }
    assert_ne!(reference, play(batch(9, 1, Autoreset::NextStep), 3));
    an_episode_is_alone(slow(episodic_scenario()));
}

/// I2, I3: who watches an environment is told of every step of it, and nothing comes out otherwise.
#[test]
fn a_watcher_changes_nothing() {
    let reference = play(batch(3, 2, Autoreset::NextStep), 2);
    let mut watched = batch(3, 2, Autoreset::NextStep);
    let told = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&told);
    let watcher =
        move |world: &World| keep.lock().unwrap().push((world.frame().step, world.episode_end().is_some()));
    watched.watch(1, Some(Box::new(watcher))).unwrap();
    assert_eq!(watched.watch(3, None), Err(BatchError::NoEnvironment { got: 3, count: 3 }));
    assert_eq!(play(watched, 2), reference);
    // Every episode from its first step to its last, one after the other.
    let told = told.lock().unwrap();
    let lengths = [0, 1].map(|episode| reference[&(1, episode)].0.steps);
    let expected = lengths.into_iter().flat_map(|steps| (1..=steps).map(move |step| (step, step == steps)));
    assert_eq!(told[..lengths.iter().sum::<u64>() as usize], expected.collect::<Vec<_>>());
}

/// I2: a world that is made by itself with an episode's seed goes through the very same episode.
#[test]
fn an_episode_is_that_of_a_world_alone() {
    an_episode_is_alone(episodic_scenario());
}

fn an_episode_is_alone(scenario: Scenario) {
    let batch = batch_of(scenario.clone(), 5, 2, Autoreset::NextStep);
    for ((environment, episode), (ended, hash, _)) in play(batch, 2) {
        assert_eq!(ended.seed, episode_seed(5, environment as u64, episode));
        let mut world =
            World::new(Scenario { seed: ended.seed, ..scenario.clone() }, Arc::new(TestFactory)).unwrap();
        let mut made = 0;
        while world.episode_end().is_none() {
            let commands = commands(environment, made);
            world.step(&commands);
            for _ in 1..5 {
                if world.episode_end().is_none() {
                    world.step(&[]);
                }
            }
            made += 1;
        }
        assert_eq!((world.state_hash(), world.step_count()), (hash, ended.steps));
        assert_eq!(world.reward(0), ended.returns[0]);
    }
}

/// The commands that `decision` comes to: an "ideal" drive of three numbers, and a kicker.
fn commands(environment: usize, made: u64) -> Vec<Command> {
    let mut actions = Vec::new();
    let description = |robot: usize| {
        let world = World::new(episodic_scenario(), Arc::new(TestFactory)).unwrap();
        world.robot(robot as u32).unwrap().identity().description.clone()
    };
    for robot in 0..2 {
        let number = |number| f64::from(decision(environment, made, robot * 4 + number));
        let dimensions = description(robot).motion.dimensions;
        let stretched = |place: usize| {
            let (low, high) = (dimensions[place].min, dimensions[place].max);
            low + 0.5 * (number(place) + 1.0) * (high - low)
        };
        // Manipulators first: the order is part of what is on its way.
        if number(3) > 0.0 {
            actions.push(Action::Manipulate {
                robot: robot as u32,
                manipulator: "kicker".into(),
                state: "kick".into(),
                aim: Aim::strength(number(3)),
            });
        }
        actions.push(Action::Drive(robot as u32, (0..3).map(stretched).collect()));
    }
    let numbered = actions.into_iter().enumerate();
    numbered.map(|(place, action)| Command { client: 0, sequence: place as u64, action }).collect()
}

/// The three modes see the same episodes; only where a beginning is told differs.
#[test]
fn autoreset_modes_differ_in_what_they_tell_only() {
    let next: Vec<_> = play(batch(3, 1, Autoreset::NextStep), 1).into_values().collect();
    let mut same = batch(3, 1, Autoreset::SameStep);
    let mut arrays = arrays_of(&same);
    same.reset(5, &mut arrays.outputs()).unwrap();
    let opened = arrays.observations.clone();
    let width = 8;
    let observed = opened.len() / 3;
    let mut found = 0;
    for made in 0.. {
        let actions: Vec<f32> =
            (0..3 * width).map(|index| decision(index / width, made, index % width)).collect();
        for ended in same.step(&actions, &mut arrays.outputs()).unwrap() {
            if ended.episode > 0 {
                continue;
            }
            let seen = ended.environment * observed..(ended.environment + 1) * observed;
            let (known, _, last) = &next[ended.environment];
            let told = &arrays.final_observations.as_ref().unwrap()[seen.clone()];
            assert_eq!((known, last.as_slice()), (&ended, told));
            assert_ne!(told, &arrays.observations[seen]);
            found += 1;
        }
        if found == 3 {
            break;
        }
    }
    let mut disabled = batch(3, 1, Autoreset::Disabled);
    disabled.reset(5, &mut arrays.outputs()).unwrap();
    assert_eq!(arrays.observations, opened);
    let stuck = loop {
        match disabled.step(&vec![0.0; 3 * width], &mut arrays.outputs()) {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    let BatchError::Over(over) = stuck else { panic!("{stuck}") };
    let alive = &mut [false; 2];
    disabled.reset_one(over, None, None, &mut arrays.observations[..observed], alive).unwrap();
    assert_eq!(disabled.episode(over).unwrap(), (1, episode_seed(5, over as u64, 1)));
}

/// Environments that are given seeds of their own play what a batch of one with that seed plays, also after the first
/// episode; the others go on as if nothing had been.
#[test]
fn seeds_of_their_own_make_environments_alone() {
    let mut batch = batch(3, 2, Autoreset::NextStep);
    let mut arrays = arrays_of(&batch);
    batch.reset(5, &mut arrays.outputs()).unwrap();
    let opened = arrays.observations.clone();
    let observed = opened.len() / 3;
    batch.reset_some(&[false, true, true], Some(&[7, 8, 9]), &mut arrays.outputs()).unwrap();
    assert_eq!(arrays.observations[..observed], opened[..observed]);
    assert_eq!(batch.episode(0).unwrap(), (0, episode_seed(5, 0, 0)));
    assert_eq!(batch.episode(1).unwrap(), (0, episode_seed(8, 0, 0)));
    assert_eq!(batch.episode(2).unwrap(), (0, episode_seed(9, 0, 0)));
    batch.reset_some(&[true, false, true], None, &mut arrays.outputs()).unwrap();
    assert_eq!(batch.episode(0).unwrap(), (1, episode_seed(5, 0, 1)));
    assert_eq!(batch.episode(1).unwrap(), (0, episode_seed(8, 0, 0)));
    assert_eq!(batch.episode(2).unwrap(), (1, episode_seed(9, 0, 1)));
    let saved = batch.save(2).unwrap();
    batch.load(0, &saved).unwrap();
    batch.reset_some(&[true, false, false], None, &mut arrays.outputs()).unwrap();
    assert_eq!(batch.episode(0).unwrap(), (2, episode_seed(5, 0, 2)), "an episode of its own again");
    let before = arrays.observations.clone();
    arrays.observations.fill(7.0);
    batch.look(&mut arrays.outputs()).unwrap();
    assert_eq!(arrays.observations, before);
    assert!(batch.reset_some(&[true], None, &mut arrays.outputs()).is_err());
}

/// What was saved is come back to, bit by bit, in another environment too.
#[test]
fn saved_environments_go_on_as_before() {
    let mut batch = batch(2, 1, Autoreset::NextStep);
    let mut arrays = arrays_of(&batch);
    batch.reset(1, &mut arrays.outputs()).unwrap();
    let actions = vec![0.5; 16];
    batch.step(&actions, &mut arrays.outputs()).unwrap();
    let saved = batch.save(0).unwrap();
    let go_on = |batch: &mut Batch, arrays: &mut Arrays, environment: usize| {
        for _ in 0..3 {
            batch.step(&actions, &mut arrays.outputs()).unwrap();
        }
        batch.world(environment).unwrap().state_hash()
    };
    let hash = go_on(&mut batch, &mut arrays, 0);
    batch.load(1, &saved).unwrap();
    assert_eq!(go_on(&mut batch, &mut arrays, 1), hash);
}

/// As many environments may go on from one state; then each plays episodes of its own, none twice.
#[test]
fn from_one_state_many_ways_part() {
    let mut batch = batch(3, 1, Autoreset::SameStep);
    let mut arrays = arrays_of(&batch);
    batch.reset(1, &mut arrays.outputs()).unwrap();
    let width = batch.layout().agents.len() * batch.layout().actions.len();
    let actions = vec![0.5; 3 * width];
    batch.step(&actions, &mut arrays.outputs()).unwrap();
    let saved = batch.save(0).unwrap();
    (0..3).for_each(|environment| batch.load(environment, &saved).unwrap());
    let mut seeds = BTreeMap::new();
    while (0..3).any(|environment| !seeds.contains_key(&(environment, 2))) {
        for ended in batch.step(&actions, &mut arrays.outputs()).unwrap() {
            seeds.insert((ended.environment, ended.episode), ended.seed);
        }
    }
    for environment in 0..3 {
        assert_eq!(seeds[&(environment, 0)], episode_seed(1, 0, 0), "all play what was saved to its end");
        for episode in 1..3 {
            assert_eq!(seeds[&(environment, episode)], episode_seed(1, environment as u64, episode));
        }
    }
}

/// What was saved before the first episode is no episode: the next one is the first.
#[test]
fn what_never_began_is_come_back_to() {
    let mut batch = batch(2, 1, Autoreset::NextStep);
    let mut arrays = Arrays::of(&batch);
    let untouched = batch.save(0).unwrap();
    batch.reset(1, &mut arrays.outputs()).unwrap();
    let (episode, opened) = (batch.episode(0).unwrap(), arrays.observations.clone());
    batch.load(0, &untouched).unwrap();
    batch.reset_some(&[true, false], None, &mut arrays.outputs()).unwrap();
    assert_eq!(batch.episode(0).unwrap().0, episode.0);
    batch.load(0, &untouched).unwrap();
    batch.reset(1, &mut arrays.outputs()).unwrap();
    assert_eq!((batch.episode(0).unwrap(), arrays.observations), (episode, opened));
}

/// A fixed start is chosen only where there are some, and otherwise nothing is begun. (B1)
#[test]
fn a_start_that_is_not_there_is_refused() {
    let mut scenario = episodic_scenario();
    scenario.episode.as_mut().unwrap().starts.clear();
    let mut batch = Batch::new(scenario, Arc::new(TestFactory), Options::default()).unwrap();
    let mut arrays = Arrays::of(&batch);
    batch.reset(1, &mut arrays.outputs()).unwrap();
    let hash = batch.world(0).unwrap().state_hash();
    let error =
        batch.reset_one(0, Some(7), Some(0), &mut arrays.observations, &mut arrays.alive).unwrap_err();
    assert!(error.to_string().contains("has no fixed starts to begin from"), "{error}");
    assert_eq!((batch.episode(0).unwrap().0, batch.world(0).unwrap().state_hash()), (0, hash));
    batch.reset_one(0, Some(7), None, &mut arrays.observations, &mut arrays.alive).unwrap();
}

/// Bad input is refused before anything is stepped, and says where and what.
#[test]
fn bad_input_is_refused_whole() {
    let mut batch = batch(2, 1, Autoreset::NextStep);
    let mut arrays = arrays_of(&batch);
    batch.reset(1, &mut arrays.outputs()).unwrap();
    let hash = batch.world(0).unwrap().state_hash();
    let mut actions = vec![0.0; 16];
    actions[13] = f32::NAN;
    let error = batch.step(&actions, &mut arrays.outputs()).unwrap_err().to_string();
    assert!(error.contains("NaN of environment 1, agent \"robot-1\", drive."), "{error}");
    actions[13] = 1.5;
    assert!(batch.step(&actions, &mut arrays.outputs()).is_err());
    let error = batch.step(&actions[..3], &mut arrays.outputs()).unwrap_err().to_string();
    assert!(
        error.contains("decisions has 3 numbers; expected are 16 = 2 environments x 2 agents x 4"),
        "{error}"
    );
    assert_eq!(batch.world(0).unwrap().state_hash(), hash);
    assert!(matches!(batch.world(2), Err(BatchError::NoEnvironment { got: 2, count: 2 })));

    let mut scenario = episodic_scenario();
    scenario.episode.as_mut().unwrap().observe.push("truth.robot-77".into());
    let make =
        |scenario| Batch::new(scenario, Arc::new(TestFactory), Options::default()).err().unwrap().to_string();
    assert!(make(scenario).contains("agent \"robot-0\" cannot observe \"truth.robot-77\": there is"));
    assert!(make(busy_scenario()).contains("give it a table [episode]"));
}

/// Sizes that no machine could carry are errors before anything is made of them. (I6)
#[test]
fn sizes_have_bounds() {
    let make = |environments, threads| {
        let options = Options { environments, threads, ..Options::default() };
        Batch::new(episodic_scenario(), Arc::new(TestFactory), options).err()
    };
    for count in [0, 1_000_001, 1 << 40, usize::MAX] {
        assert_eq!(make(count, 1), Some(BatchError::Environments(count)));
    }
    for threads in [1025, usize::MAX] {
        assert_eq!(make(1, threads), Some(BatchError::TooManyThreads(threads)));
    }
    // Never more threads than environments.
    assert_eq!(make(2, 1024), None);
    let words = BatchError::Environments(0).to_string();
    assert_eq!(words, "a batch of 0 environments is not allowed; allowed is 1 to 1000000");
}

/// Pays the first robot 1 in the third step of an episode, takes half of it back in the seventh, and sends it off.
struct SendsOff;

impl Referee for SendsOff {
    const NAME: &'static str = "sends-off";
    const SUMMARY: &'static str = "pays a robot, takes it back, and sends it off";
    type Params = NoParams;
    type State = u32;
    fn new(_: NoParams, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn initial_state(&self) -> u32 {
        0
    }
    fn judge(&self, steps: &mut u32, _: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        *steps += 1;
        match *steps {
            3 => orders.reward(0, 1.0),
            7 => {
                orders.reward(0, -0.5);
                orders.remove_robot(0);
            }
            20 => orders.end_episode("done"),
            _ => {}
        }
        Ok(())
    }
}

struct WithSendsOff;

impl PluginFactory for WithSendsOff {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }
    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(InProcess::<SendsOff, _>::referee(&choice.params, setup).unwrap()))
    }
}

/// G1: who is sent off has been paid what it was paid, also in the step in which it goes.
#[test]
fn who_is_sent_off_keeps_its_pay() {
    let mut scenario = episodic_scenario();
    scenario.referee = Some(choice("sends-off"));
    let mut batch = Batch::new(scenario, Arc::new(WithSendsOff), Options::default()).unwrap();
    let mut arrays = Arrays::of(&batch);
    batch.reset(1, &mut arrays.outputs()).unwrap();
    let actions = vec![0.0; batch.layout().agents.len() * batch.layout().actions.len()];
    let mut paid = Vec::new();
    let ended = loop {
        let ended = batch.step(&actions, &mut arrays.outputs()).unwrap();
        paid.push(arrays.rewards[0]);
        if let Some(ended) = ended.first() {
            break ended.clone();
        }
    };
    let paid: Vec<f32> = paid.into_iter().filter(|&paid| paid != 0.0).collect();
    assert_eq!((paid, ended.returns[0]), (vec![1.0, -0.5], 0.5));
}
