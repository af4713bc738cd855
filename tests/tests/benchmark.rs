//! The goalkeeper benchmark: the command line's contract, and that a result depends on its conditions alone. [B1, I2]

use crate::build::{plugin_dir, plugin_file};
use crate::program::{Outcome, command, outcome, root, run};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use touchline_batch::{Arrays, Autoreset, Batch, Ended, Options, episode_seed};
use touchline_benchmark::conditions::{Attacker, Conditions, SetUp};
use touchline_benchmark::keeper::Keeper;
use touchline_benchmark::play::{Task, play as play_part};
use touchline_config::{Disk, parse_world};
use touchline_host::Host;
use touchline_plugin_api::flight::Aim;
use touchline_sim::scenario::{PlayerChoice, PluginChoice};
use touchline_sim::{Action, Command, Scenario, World};

fn host() -> Arc<Host> {
    static HOST: OnceLock<Arc<Host>> = OnceLock::new();
    Arc::clone(HOST.get_or_init(|| Arc::new(Host::scan(&[plugin_dir().to_owned()]))))
}

/// The world of the benchmark with its fixed starts, as the benchmark's paper says how to write it.
fn scenario() -> Scenario {
    let text = "include = [\"goalkeeper.toml\"]\n[episode]\nstarts_file = \"parts/goalkeeper-starts.csv\"\n";
    parse_world(text, &root().join("worlds/benchmark.toml"), &Disk, &*host()).unwrap()
}

fn goalkeeper(options: &[&str]) -> Outcome {
    run([&["benchmark", "goalkeeper"], options].concat())
}

fn report(options: &[&str]) -> Value {
    let outcome = goalkeeper(&[options, &["--json"]].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    outcome.json()
}

/// B1: a table of details that the disk has no room for costs nothing that was counted.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_details_alone() {
    let folder = tempfile::tempdir().unwrap();
    let details = folder.path().join("details.csv");
    let words =
        ["benchmark", "goalkeeper", "--policy", "random", "--levels", "none,block-2", "--episodes", "40"];
    let whole = command([&words[..], &["--json", "--details", details.to_str().unwrap()]].concat());
    // No file becomes larger than a block.
    let mut cramped = std::process::Command::new("sh");
    cramped
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""])
        .arg(whole.get_program())
        .args(whole.get_args());
    cramped.envs(whole.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ended = outcome(&mut cramped);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert!(ended.stderr.contains("details.csv: cannot be written"), "{ended:?}");
    let report = ended.json();
    assert_eq!(report["rows"].as_array().unwrap().len(), 2, "{report}");
    assert!(!details.exists(), "what is not whole has no name");
}

/// B1: the fields that scripts rely on.
#[test]
fn the_report_has_its_fields() {
    let report =
        report(&["--policy", "random", "--levels", "none,block-2", "--episodes", "6", "--set-up", "camera"]);
    let is = |field: &str, value: Value| assert_eq!(report[field], value, "{field}");
    is("benchmark", json!("goalkeeper"));
    is("version", json!(env!("CARGO_PKG_VERSION")));
    is("policy", json!("random"));
    is("set_up", json!("camera"));
    is("episodes", json!(6));
    is("seed", json!(1));
    is("interrupted", json!(false));
    for plugin in ["player/goalkeeper", "referee/goalkeeper", "motion/omni", "sensor/camera"] {
        assert_eq!(report["plugins"][plugin], env!("CARGO_PKG_VERSION"), "{plugin}");
    }
    let rows = report["rows"].as_array().unwrap();
    let keepers: Vec<&Value> = rows.iter().map(|row| &row["keeper"]).collect();
    assert_eq!(keepers, ["none", "block-2"]);
    for row in rows {
        let count = |field: &str| row[field].as_u64().unwrap();
        let ended = ["goals", "saved", "out", "time", "foul"].map(count);
        assert_eq!((count("episodes"), ended.iter().sum::<u64>()), (6, 6), "{row}");
        let rate = row["scoring_rate"].as_f64().unwrap();
        assert_eq!(rate, count("goals") as f64 / 6.0);
        let [low, high] = [0, 1].map(|end| row["interval_95"][end].as_f64().unwrap());
        assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{row}");
        assert_eq!(row["mean_secs_to_goal"].is_null(), count("goals") == 0);
        assert_eq!(row["results"].as_str().unwrap().len(), 16);
    }
}

/// B1: the digest stands for the conditions and not for the attacker; the results for what happened.
#[test]
fn the_digest_identifies_the_conditions() {
    let with = |more: &[&str]| {
        let report = report(&[&["--levels", "still-1", "--episodes", "3"], more].concat());
        (report["digest"].clone(), report["rows"][0]["results"].clone())
    };
    let first = with(&["--policy", "random"]);
    assert_eq!(with(&["--policy", "random", "--threads", "1"]), first);
    let (digest, results) = with(&["--policy", "scripted"]);
    assert!(digest == first.0 && results != first.1);
    let (digest, results) = with(&["--policy", "random", "--seed", "2"]);
    assert!(digest != first.0 && results != first.1);
    assert_ne!(with(&["--policy", "random", "--set-up", "laser"]).0, first.0);
}

/// B1, I2: the benchmark by parts, whichever they are and on however many threads, is the benchmark in one piece.
#[test]
fn parts_are_as_in_the_whole() {
    let conditions = Conditions::new(SetUp::Truth, &*host()).unwrap();
    let part = |attacker: &Attacker, episodes: std::ops::Range<usize>, threads| {
        let scenario = conditions.scenario(Keeper::Policy("block", 2), attacker);
        let task = Task { scenario, attacker, episodes, seed: 3, threads };
        play_part(task, host() as _, &AtomicBool::new(false), || ()).unwrap()
    };
    let striker = PluginChoice::new("striker", json!({}));
    // A random one takes all its time: a few of these will do.
    for (attacker, count) in [(Attacker::Random, 6), (Attacker::Player(striker), 60)] {
        let whole = part(&attacker, 0..count, 2);
        assert!(whole.len() == count && whole.iter().all(Option::is_some));
        for cuts in [&[0, 1, count][..], &[0, count / 2, count / 2, count - 2, count]] {
            let parts = cuts.windows(2).enumerate();
            let joined: Vec<_> =
                parts.flat_map(|(number, cut)| part(&attacker, cut[0]..cut[1], number % 3)).collect();
            assert!(joined == whole, "{cuts:?}");
        }
    }
}

/// The fields of `bench` that scripts rely on, and that its numbers fit each other.
#[test]
fn the_bench_has_its_fields() {
    let common = ["bench", "--worlds", "8", "--threads", "2", "--seconds", "0.05"];
    for (world, name, agents) in [(None, "goalkeeper", 1), (Some("worlds/3v3.toml"), "3v3", 6)] {
        let outcome = run([&common[..], world.as_slice(), &["--json"]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let report = outcome.json();
        let is = |field: &str, value: Value| assert_eq!(report[field], value, "{field}");
        is("world", json!(name));
        is("version", json!(env!("CARGO_PKG_VERSION")));
        is("worlds", json!(8));
        is("threads", json!(2));
        is("agents", json!(agents));
        is("decision_secs", json!(0.1));
        is("decision_steps", json!(5));
        let number = |field: &str| report[field].as_f64().unwrap_or_else(|| panic!("{field}: {report}"));
        let steps = number("env_steps");
        assert!(steps >= 32.0 && steps % 8.0 == 0.0 && report["episodes"].is_u64(), "{report}");
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}: {report}");
        near(number("env_steps_per_cpu_second"), steps / number("cpu_seconds"));
        near(number("env_steps_per_wall_second"), steps / number("wall_seconds"));
        near(number("sim_seconds_per_cpu_second"), 0.1 * number("env_steps_per_cpu_second"));
        let step_us = 1e6 * number("cpu_seconds") / steps;
        near(number("ratio_to_bare_physics"), step_us / number("bare_physics_us"));
    }
    let outcome = run(common);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    for start in ["goalkeeper: 8 worlds, 1 agents in each, 2 threads", "environment steps a CPU-second "] {
        assert!(outcome.stdout.lines().any(|line| line.starts_with(start)), "{start}: {}", outcome.stdout);
    }
}

/// A run of so many decisions is the same on every machine, whatever its clock says.
#[test]
fn a_bench_of_so_many_decisions_is_one_run() {
    let counted = ["1", "2"].map(|threads| {
        let options = ["--worlds", "8", "--threads", threads, "--decisions", "250", "--json"];
        let report = run([&["bench"], &options[..]].concat()).json();
        [&report["env_steps"], &report["episodes"]].map(|field| field.as_u64().expect("a count"))
    });
    assert!(counted[0] == counted[1] && counted[0][0] == 2000 && counted[0][1] > 0, "{counted:?}");
}

/// What `bench` cannot do is said.
#[test]
fn a_wrong_bench_is_answered() {
    let cases: &[(&[&str], i32, &str)] = &[
        (&["--worlds", "0"], 2, "--worlds"),
        (&["--seconds", "0"], 2, "0.01 to 3600"),
        (&["--threads", "many"], 2, "--threads"),
        (&["--decisions", "3"], 2, "--decisions"),
        (&["--decisions", "30", "--seconds", "1"], 2, "cannot be used with"),
        (&["no/such/world.toml"], 4, "no/such/world.toml"),
        (&["worlds/f2000.toml"], 3, "give it a table [episode]"),
    ];
    for (options, code, text) in cases {
        let outcome = run([&["bench"], *options].concat());
        assert_eq!(outcome.code, Some(*code), "{options:?}: {outcome:?}");
        assert!(outcome.stderr.contains(text), "{options:?}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
    }
}

/// B1: people get a table with a line for each keeper.
#[test]
fn people_get_a_table() {
    let file = plugin_file("touchline-player-striker");
    let outcome =
        goalkeeper(&["--policy", file.to_str().unwrap(), "--levels", "none,still-1", "--episodes", "2"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for start in ["goalkeeper benchmark ", "none  ", "still-1  ", "conditions "] {
        assert!(outcome.stdout.lines().any(|line| line.starts_with(start)), "{start}: {}", outcome.stdout);
    }
    assert_eq!(outcome.stderr, "");
}

/// B1: what is wrong is said with what is right, and nothing is printed on stdout.
#[test]
fn wrong_names_are_answered() {
    let motion = plugin_file("touchline-motion-omni");
    let cases: &[(&[&str], i32, &str)] = &[
        (&[], 2, "--policy"),
        (&["--policy", "random", "--levels", "blok-2"], 2, "did you mean block-2?"),
        (&["--policy", "random", "--levels", "block-6"], 2, "1 to 5"),
        (&["--policy", "random", "--episodes", "0"], 2, "--episodes"),
        (&["--policy", "random", "--set-up", "sonar"], 2, "laser"),
        (&["--policy", "tcp", "--timeout", "0"], 2, "seconds from 0.1"),
        (&["--policy", "tcp", "--board", "nowhere"], 4, "--board nowhere"),
        (&["--policy", "striker", "--params", "3"], 2, "an object"),
        (&["--policy", "strker"], 5, "did you mean striker?"),
        (&["--policy", "no/such/file.so"], 5, "no/such/file.so"),
        (&["--policy", motion.to_str().unwrap()], 5, "a player is needed"),
        (&["--policy", "striker", "--params", r#"{"speed_fraction": 7}"#], 5, "speed_fraction"),
    ];
    for (options, code, text) in cases {
        let outcome = goalkeeper(options);
        assert_eq!(outcome.code, Some(*code), "{options:?}: {outcome:?}");
        assert!(outcome.stderr.contains(text), "{options:?}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
    }
}

/// B1: the published list is what the documented command draws, byte for byte.
#[test]
fn the_list_of_starts_can_be_drawn_again() {
    let path = "worlds/parts/goalkeeper-starts.csv";
    let published = std::fs::read_to_string(root().join(path)).unwrap();
    let drawn = run(["benchmark", "starts", "worlds/goalkeeper.toml", "--count", "1000", "--seed", "2003"]);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    assert_eq!(drawn.stdout, published);
    assert_eq!(published.lines().count(), 1001);
    let outcome = run(["benchmark", "starts", "worlds/keeper.toml"]);
    assert_eq!(outcome.code, Some(3));
    assert!(outcome.stderr.contains("[[episode.start]]"), "{}", outcome.stderr);
}

/// What an agent decides: anything that depends on the episode and the decision alone.
fn decision(episode: u64, made: u64, number: usize) -> f32 {
    ((episode * 31) as f32 + number as f32 * 7.0 + made as f32 * 0.37).sin()
}

/// Plays episodes `0..count`, each with its start, in a batch of this size; gives them in their order.
fn play(environments: usize, threads: usize, count: u64) -> Vec<(Ended, u64)> {
    let options = Options { environments, threads, autoreset: Autoreset::Disabled, ..Options::default() };
    let mut batch = Batch::new(scenario(), host(), options).unwrap();
    let (observed, width) = (batch.layout().observed.len(), batch.layout().actions.len());
    let mut arrays = Arrays::of(&batch);
    let mut playing: Vec<(u64, u64)> = Vec::new();
    let mut next = 0;
    let mut results: Vec<Option<(Ended, u64)>> = vec![None; count as usize];
    let mut begin = |batch: &mut Batch, environment: usize| {
        let episode = next % count;
        next += 1;
        let (seed, start) = (episode_seed(5, episode, 0), episode as usize);
        batch
            .reset_one(environment, Some(seed), Some(start), &mut vec![0.0; observed], &mut [false])
            .unwrap();
        (episode, 0)
    };
    for environment in 0..environments {
        let begun = begin(&mut batch, environment);
        playing.push(begun);
    }
    while results.iter().any(Option::is_none) {
        let actions: Vec<f32> = (0..environments * width)
            .map(|index| {
                let (episode, made) = playing[index / width];
                decision(episode, made, index % width)
            })
            .collect();
        let ended = batch.step(&actions, &mut arrays.outputs()).unwrap();
        playing.iter_mut().for_each(|(_, made)| *made += 1);
        for ended in ended {
            let environment = ended.environment;
            let hash = batch.world(environment).unwrap().state_hash();
            // Where it was played plays no part.
            results[playing[environment].0 as usize] =
                Some((Ended { environment: 0, episode: 0, ..ended }, hash));
            playing[environment] = begin(&mut batch, environment);
        }
    }
    results.into_iter().flatten().collect()
}

/// I2: the benchmark's own world: batches of any size on any threads, and a world alone, go through the same episodes.
#[test]
fn an_episode_depends_on_its_seed_and_start_alone() {
    const EPISODES: u64 = 7;
    let reference = play(1, 1, EPISODES);
    assert_eq!(play(5, 3, EPISODES), reference);
    assert_eq!(play(11, 2, EPISODES), reference);
    let mut world = World::new(scenario(), host()).unwrap();
    for (episode, (ended, hash)) in (0..).zip(&reference) {
        assert_eq!(ended.fault, None);
        world.begin_episode(episode_seed(5, episode, 0), Some(episode as usize));
        let mut made = 0;
        while world.episode_end().is_none() {
            world.step(&commands(&world, episode, made));
            for _ in 1..5 {
                if world.episode_end().is_none() {
                    world.step(&[]);
                }
            }
            made += 1;
        }
        assert_eq!((world.episode_end(), world.step_count()), (Some(&ended.end), ended.steps));
        assert_eq!((world.state_hash(), made), (*hash, ended.decisions));
        assert_eq!(world.reward(0), ended.returns[0]);
    }
}

/// The commands that `decision` comes to: both velocities, stretched to their ranges, and a kick above 0.
fn commands(world: &World, episode: u64, made: u64) -> Vec<Command> {
    let number = |number| f64::from(decision(episode, made, number));
    let dimensions = world.robot(0).unwrap().identity().description.motion.dimensions.clone();
    let stretched = dimensions.iter().enumerate().map(|(place, dimension)| {
        dimension.min + 0.5 * (number(place) + 1.0) * (dimension.max - dimension.min)
    });
    let mut actions = vec![Action::Drive(0, stretched.collect())];
    let strength = number(dimensions.len());
    if strength > 0.0 {
        let (manipulator, state) = ("kicker".into(), "kick".into());
        actions.push(Action::Manipulate { robot: 0, manipulator, state, aim: Aim::strength(strength) });
    }
    let numbered = actions.into_iter().zip(0..);
    numbered.map(|(action, sequence)| Command { client: 0, sequence, action }).collect()
}

/// B1, I2: what the program counts is what a world alone does with the same player, starts and seeds.
#[test]
fn the_program_counts_what_a_world_alone_does() {
    const EPISODES: usize = 6;
    let mut scenario = scenario();
    let choice = PluginChoice::new("striker", json!({}));
    scenario.robots[0].player = Some(PlayerChoice { choice, period_secs: 0.1 });
    let keeper = scenario.robots[1].player.as_mut().unwrap();
    keeper.choice.params["policy"] = json!("block");
    keeper.choice.params["level"] = json!(2);
    scenario.episode.as_mut().unwrap().agents.clear();
    let mut world = World::new(scenario, host()).unwrap();
    let mut counted = [0u64; 5];
    for episode in 0..EPISODES {
        world.begin_episode(episode_seed(9, episode as u64, 0), Some(episode));
        while world.episode_end().is_none() {
            world.step(&[]);
        }
        let outcome = world.episode_end().unwrap().outcome();
        let place = ["goal", "saved", "out", "time", "foul"].iter().position(|known| *known == outcome);
        counted[place.unwrap()] += 1;
    }
    let report = report(&["--policy", "striker", "--levels", "block-2", "--episodes", "6", "--seed", "9"]);
    let row = &report["rows"][0];
    assert_eq!(["goals", "saved", "out", "time", "foul"].map(|field| row[field].as_u64().unwrap()), counted);
}

/// B1: the three set-ups are one world; only what is observed differs.
#[test]
fn the_set_ups_differ_in_what_is_observed_only() {
    let load = |file: &str| {
        let mut scenario = touchline_config::load_world(&root().join(Path::new(file)), &*host()).unwrap();
        let observed = std::mem::take(&mut scenario.episode.as_mut().unwrap().observe);
        (Scenario { name: String::new(), ..scenario }, observed)
    };
    let (truth, observed) = load("worlds/goalkeeper.toml");
    assert!(observed.iter().all(|word| !word.contains('/')));
    for file in ["worlds/goalkeeper-camera.toml", "worlds/goalkeeper-laser.toml"] {
        let (other, observed) = load(file);
        assert_eq!(other, truth);
        assert!(observed.iter().all(|word| !word.starts_with("truth.")), "{observed:?}");
        // The words are known: a batch can be made of it.
        let scenario = touchline_config::load_world(&root().join(file), &*host()).unwrap();
        let batch = Batch::new(scenario, host(), Options::default()).unwrap();
        assert!(batch.layout().observed.len() > 20);
    }
}

/// P6: a sensor that fails when an agent is to observe it is stopped for the rest of the episode, and the episode says so; the next one begins
/// anew.
#[test]
fn a_sensor_that_fails_in_an_observation_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let robot = "model = \"r\"\nmass_kg = 5.0\nmotion = { plugin = \"differential\" }\n\
                 body = [{ shape = \"circle\", radius_m = 0.2 }]\n";
    for how in ["error", "panic"] {
        let sensor = format!(
            "[[sensor]]\nid = \"bad\"\nplugin = \"misbehave\"\nparams = {{ how = \"{how}\", after_steps = 30 }}\n"
        );
        std::fs::write(folder.path().join("r.toml"), format!("{robot}{sensor}")).unwrap();
        let world = folder.path().join("w.toml");
        let text = "name = \"w\"\n[[robot]]\nname = \"r1\"\nfile = \"r.toml\"\n[episode]\nagents = [\"r1\"]\n\
                    decision_s = 0.1\nmax_s = 1.0\nobserve = [\"bad/test\"]\nact = [\"drive\"]\n";
        std::fs::write(&world, text).unwrap();
        let scenario = touchline_config::load_world(&world, &*host()).unwrap();
        let mut batch = Batch::new(scenario, host(), Options::default()).unwrap();
        let mut arrays = Arrays::of(&batch);
        for episode in 0..2 {
            batch.reset_one(0, Some(episode), None, &mut arrays.observations, &mut arrays.alive).unwrap();
            assert!(arrays.observations.iter().all(|&number| number >= 0.0), "{how}: {arrays:?}");
            let ended = (0..10).find_map(|_| batch.step(&[0.0; 2], &mut arrays.outputs()).unwrap().pop());
            let fault = ended.expect("the time is up").fault.expect("a fault");
            assert!(fault.contains("r1") && fault.contains("misbehave"), "{how}: {fault}");
            assert!(arrays.observations.iter().all(|&number| number == -1.0), "{how}: {arrays:?}");
        }
    }
}
