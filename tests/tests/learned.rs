//! A learned policy decides alike wherever it is asked: in the batch engine, as a player, in the benchmark. [B1, I2, Y1]

use crate::build::plugin_dir;
use crate::onnx::LinearPolicy;
use crate::program::{Outcome, root, run};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use touchline_batch::{Arrays, Autoreset, Batch, Options, episode_seed};
use touchline_config::{Disk, parse_world};
use touchline_host::Host;
use touchline_sim::scenario::{PlayerChoice, PluginChoice};
use touchline_sim::{Scenario, World};

fn host() -> Arc<Host> {
    static HOST: OnceLock<Arc<Host>> = OnceLock::new();
    Arc::clone(HOST.get_or_init(|| Arc::new(Host::scan(&[plugin_dir().to_owned()]))))
}

/// A world of the benchmark with its fixed starts.
fn scenario(set_up: &str) -> Scenario {
    let text =
        format!("include = [\"{set_up}.toml\"]\n[episode]\nstarts_file = \"parts/goalkeeper-starts.csv\"\n");
    parse_world(&text, &root().join("worlds/benchmark.toml"), &Disk, &*host()).unwrap()
}

/// A policy of the set-up: it observes all that the set-up gives, drives and turns by the first two numbers of the ball, and
/// kicks in the first half of the time.
fn policy(scenario: &Scenario, scale: [f32; 2]) -> LinearPolicy {
    let batch = Batch::new(scenario.clone(), host(), Options::default()).unwrap();
    let names = &batch.layout().observed;
    let place = |name: &str| names.iter().position(|known| known.contains(name)).unwrap();
    let ball = place("ball");
    let mut weights = vec![vec![0.0; 3]; names.len()];
    weights[ball][0] = scale[0];
    weights[ball + 1][1] = scale[1];
    weights[place("clock")][2] = 1.0;
    let observe = scenario.episode.as_ref().unwrap().observe.clone();
    LinearPolicy {
        observe: json!(observe).to_string(),
        weights,
        bias: vec![0.0, 0.0, -0.5],
        ..LinearPolicy::to_the_ball(&[], 4)
    }
}

/// A file that lives as long as the folder.
fn written(policy: &LinearPolicy) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.onnx");
    std::fs::write(&path, policy.bytes()).unwrap();
    (folder, path)
}

/// Where everything is, to the last bit.
fn places(world: &World) -> Vec<[u64; 6]> {
    let objects = world.view().objects.iter();
    let bits = objects.map(|object| {
        let (pose, twist) = (object.pose, object.twist);
        [pose.x_m, pose.y_m, pose.theta_rad, twist.x_m_s, twist.y_m_s, twist.turn_rad_s].map(f64::to_bits)
    });
    bits.collect()
}

const EPISODES: u64 = 4;

/// Each episode: everything's places after each decision, and how it ended.
type Course = (Vec<Vec<[u64; 6]>>, String);

/// The policy as an agent of the batch engine.
fn as_agent(scenario: Scenario, policy: &LinearPolicy) -> Vec<Course> {
    let options = Options { autoreset: Autoreset::Disabled, ..Options::default() };
    let mut batch = Batch::new(scenario, host(), options).unwrap();
    let mut arrays = Arrays::of(&batch);
    let play = |episode: u64| {
        let (seed, start) = (episode_seed(3, episode, 0), episode as usize);
        batch.reset_one(0, Some(seed), Some(start), &mut arrays.observations, &mut arrays.alive).unwrap();
        let mut course = Vec::new();
        loop {
            let actions = policy.decide(&arrays.observations);
            let ended = batch.step(&actions, &mut arrays.outputs()).unwrap();
            course.push(places(batch.world(0).unwrap()));
            if let Some(ended) = ended.first() {
                assert_eq!(ended.fault, None);
                return (course, ended.end.outcome().to_owned());
            }
        }
    };
    (0..EPISODES).map(play).collect()
}

/// The policy as the attacker's player.
fn as_player(mut scenario: Scenario, model: &std::path::Path, rate_hz: f64) -> Vec<Course> {
    let choice = PluginChoice::new("onnx", json!({ "model": model }));
    scenario.robots[0].player = Some(PlayerChoice { choice, period_secs: 1.0 / rate_hz });
    scenario.episode.as_mut().unwrap().agents.clear();
    let mut world = World::new(scenario, host()).unwrap();
    let play = |episode: u64| {
        world.begin_episode(episode_seed(3, episode, 0), Some(episode as usize));
        let mut course = Vec::new();
        while world.episode_end().is_none() {
            for _ in 0..5 {
                if world.episode_end().is_none() {
                    world.step(&[]);
                }
            }
            course.push(places(&world));
        }
        assert_eq!(world.first_fault(), None);
        (course, world.episode_end().unwrap().outcome().to_owned())
    };
    (0..EPISODES).map(play).collect()
}

/// Y1, I2: asked at every step, the player and an agent of the batch go the same way to the last bit, whatever is observed.
#[test]
fn as_a_player_it_goes_the_same_way_as_in_the_batch() {
    for (set_up, scale) in
        [("goalkeeper", [2.0, 4.0]), ("goalkeeper-camera", [0.5, 2.0]), ("goalkeeper-laser", [0.5, 2.0])]
    {
        let scenario = scenario(set_up);
        let policy = policy(&scenario, scale);
        let (_folder, path) = written(&policy);
        let agent = as_agent(scenario.clone(), &policy);
        let player = as_player(scenario.clone(), &path, 50.0);
        for (episode, (agent, player)) in agent.iter().zip(&player).enumerate() {
            let first = agent.0.iter().zip(&player.0).position(|(agent, player)| agent != player);
            assert_eq!(
                (first, agent.0.len(), &agent.1),
                (None, player.0.len(), &player.1),
                "{set_up} {episode}"
            );
        }
        // The robots' turns are spread over the steps: asked as seldom as it decides, it begins some steps later.
        let late = as_player(scenario, &path, 10.0);
        assert_ne!(late, player);
    }
}

/// Y1: in the live server as well episodes follow each other, and the policy begins anew with each: it drives to the ball.
#[test]
fn it_drives_to_the_ball_in_episode_after_episode() {
    let mut scenario = scenario("goalkeeper");
    scenario.robots.truncate(1);
    scenario.referee = None;
    let episode = scenario.episode.as_mut().unwrap();
    episode.agents.clear();
    episode.max_steps = 400;
    let (_folder, path) = written(&LinearPolicy::to_the_ball(&["clock"], 5));
    let choice = PluginChoice::new("onnx", json!({ "model": path }));
    scenario.robots[0].player = Some(PlayerChoice { choice, period_secs: 0.02 });
    let mut world = World::new(scenario, host()).unwrap();
    for _ in 0..3 {
        // The step that begins it.
        world.step(&[]);
        let start = world.view().balls().next().unwrap().pose;
        let mut nearest_m = f64::INFINITY;
        for _ in 1..400 {
            world.step(&[]);
            let ball = world.view().balls().next().unwrap().pose;
            nearest_m = nearest_m.min(ball.distance_m(world.robot(0).unwrap().pose()));
        }
        let ball = world.view().balls().next().unwrap().pose;
        assert!(nearest_m < 0.45 && ball.distance_m(start) > 0.5, "{nearest_m} {start:?} {ball:?}");
        assert_eq!(world.first_fault(), None);
    }
}

/// Y1: a world file names a model relative to itself, and what is wrong with it is said with its place.
#[test]
fn a_world_file_names_its_model() {
    let (folder, _path) = written(&LinearPolicy::to_the_ball(&["clock"], 5));
    let worlds = root().join("worlds");
    let check = |model: &str, rate_hz: u32| {
        let text = format!(
            "include = [{:?}]\nname = \"learned\"\n[[robot]]\nname = \"attacker\"\nplayer = {{ plugin = \"onnx\", rate_hz = {rate_hz}, params = {{ model = {model:?} }} }}\n[episode]\nagents = []\n",
            worlds.join("goalkeeper.toml")
        );
        let file = folder.path().join("world.toml");
        std::fs::write(&file, text).unwrap();
        run(["check", file.to_str().unwrap()])
    };
    let outcome = check("policy.onnx", 50);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for (model, rate_hz, expected) in [
        ("absent.onnx", 50, "absent.onnx: cannot be read"),
        ("world.toml", 50, "is no ONNX model"),
        ("policy.onnx", 5, "a rate_hz of 10 is needed"),
    ] {
        let outcome = check(model, rate_hz);
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        assert!(
            outcome.stdout.contains(expected) && outcome.stdout.contains("world.toml"),
            "{}",
            outcome.stdout
        );
    }
}

fn goalkeeper(options: &[&str]) -> Outcome {
    run([&["benchmark", "goalkeeper"], options].concat())
}

fn rows(options: &[&str]) -> Vec<Value> {
    let outcome = goalkeeper(&[options, &["--json"]].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    outcome.json()["rows"].as_array().unwrap().clone()
}

/// B1: the benchmark counts what the batch engine plays; the control without a keeper is played by the same model.
#[test]
fn the_benchmark_measures_a_model() {
    for (set_up, world) in [("truth", "goalkeeper"), ("camera", "goalkeeper-camera")] {
        let mut scenario = scenario(world);
        let policy = policy(&scenario, if set_up == "truth" { [2.0, 4.0] } else { [0.5, 2.0] });
        let (_folder, path) = written(&policy);
        let keeper = scenario.robots[1].player.as_mut().unwrap();
        keeper.choice.params["policy"] = json!("block");
        keeper.choice.params["level"] = json!(2);
        let courses = as_agent(scenario, &policy);
        let model = format!("onnx:{}", path.display());
        let options = ["--policy", &model, "--set-up", set_up, "--seed", "3", "--episodes", "4"];
        let rows = rows(&[&options[..], &["--levels", "none,block-2"]].concat());
        for outcome in ["goals", "saved", "out", "time", "foul"] {
            let word = if outcome == "goals" { "goal" } else { outcome };
            let expected = courses.iter().filter(|(_, end)| end == word).count();
            assert_eq!(rows[1][outcome], json!(expected), "{set_up} {outcome}");
        }
        assert_eq!(rows[0]["episodes"], json!(4));
        let again =
            goalkeeper(&[&options[..], &["--levels", "block-2", "--threads", "1", "--json"]].concat()).json();
        assert_eq!(again["rows"][0]["results"], rows[1]["results"]);
    }
}

/// B1: a model of another set-up is sent there; what is no model is said.
#[test]
fn a_model_that_cannot_attack_is_answered() {
    let camera = scenario("goalkeeper-camera");
    let (_folder, path) = written(&policy(&camera, [0.5, 2.0]));
    let model = format!("onnx:{}", path.display());
    let outcome = goalkeeper(&["--policy", &model, "--levels", "still-1", "--episodes", "1"]);
    assert_eq!(outcome.code, Some(5), "{outcome:?}");
    assert!(
        outcome.stderr.contains("observes what camera gives, not what truth gives"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("--set-up camera") && outcome.stdout.is_empty(), "{outcome:?}");
    let (_other, path) = written(&LinearPolicy::to_the_ball(&["clock"], 5));
    for (policy, code, expected) in [
        (format!("onnx:{}", path.display()), 5, "here it may observe truth.pose"),
        ("onnx:absent.onnx".into(), 5, "absent.onnx: cannot be read"),
        ("onnx:Cargo.toml".into(), 5, "is no ONNX model"),
        ("onnx:".into(), 2, "onnx:model.onnx"),
    ] {
        let outcome = goalkeeper(&["--policy", &policy, "--levels", "still-1", "--episodes", "1"]);
        assert_eq!(outcome.code, Some(code), "{outcome:?}");
        assert!(outcome.stderr.contains(expected) && outcome.stdout.is_empty(), "{expected}: {outcome:?}");
    }
}
