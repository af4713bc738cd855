//! A policy that was written by hand drives a robot that was made by hand; what is wrong with a file is said.

#![allow(clippy::disallowed_methods, reason = "a model is a file")]

use super::*;
use onnx::LinearPolicy;
use std::path::PathBuf;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_testing::{FakeRobot, FakeWorld, check_player};

#[path = "../../../tests/tests/onnx.rs"]
mod onnx;

/// A file that lives as long as the folder.
fn written(policy: &LinearPolicy) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.onnx");
    std::fs::write(&path, policy.bytes()).unwrap();
    (folder, path)
}

/// The setup of a robot in a world with a ball, 50 steps a second, that is asked at every step.
fn setup() -> PlayerSetup {
    let mut setup = FakeRobot::new().player_setup();
    setup.period_secs = 0.02;
    setup.world.robots = vec![setup.robot.name.clone(), "keeper".into()];
    setup.world.balls = 1;
    setup.world.dt_secs = 0.02;
    setup.world.episode_steps = 1000;
    setup
}

fn params(model: PathBuf) -> OnnxParams {
    OnnxParams { model: model.to_str().unwrap().into(), observe: None, absent: Vec::new() }
}

fn error(policy: &LinearPolicy) -> String {
    let (_folder, path) = written(policy);
    Onnx::new(params(path), &setup()).err().expect("refused").to_string()
}

/// One call; gives what was ordered.
fn call(
    player: &Onnx,
    progress: &mut Progress,
    world: &FakeWorld,
    episode: u32,
) -> Result<Vec<String>, Fault> {
    let robot = FakeRobot::new();
    let readings = robot.read(world, 0);
    let game = GameState { episode, ..GameState::default() };
    let input = PlayerInput {
        robot: 0,
        elapsed_secs: 0.02,
        readings: readings.readings(&robot.description.sensors),
        manipulators: &robot.manipulators(),
        inbox: Inbox::default(),
        motion_data: &[],
        game: game.view(),
        view: world.view(),
        noise: NoiseKey::for_owner(1, "test"),
    };
    let mut orders = Orders::default();
    player.sense_and_act(progress, &input, &mut orders)?;
    Ok(orders.iter().map(|order| format!("{:?}", order.unwrap())).collect())
}

fn world(step: u64) -> FakeWorld {
    FakeWorld::new()
        .at(step, step as f64 * 0.02)
        .ball([1.5, 0.5], [0.0; 2])
        .robot(Pose2::new(1.0, 0.0, 0.0), 0)
}

#[test]
fn it_keeps_the_contract() {
    let mut policy = LinearPolicy::to_the_ball(&["camera/ball", "manipulators", "clock"], 9);
    // The robot of the contract has its own world, of which nothing is said.
    policy.observe = r#"["truth.pose", "camera/ball", "manipulators", "clock"]"#.into();
    let (_folder, path) = written(&policy);
    check_player::<Onnx>(&serde_json::json!({ "model": path }).to_string());
}

/// Y1: what it orders is what the network says of what it sees, stretched to the robot's ranges.
#[test]
fn it_orders_what_the_network_decides() {
    let policy = LinearPolicy::to_the_ball(&["clock"], 5);
    let (_folder, path) = written(&policy);
    let (player, setup) = (Onnx::new(params(path), &setup()).unwrap(), setup());
    let orders = call(&player, &mut player.initial_state(), &world(0), 0).unwrap();
    // The ball is half a metre ahead and half a metre to the left.
    let actions = policy.decide(&[0.5, 0.5, 0.0, 0.0, 1.0]);
    let dimensions = &setup.robot.motion.dimensions;
    assert_eq!(orders.len(), 2, "{orders:?}");
    let mut expected = Orders::default();
    let stretched: Vec<f64> = dimensions
        .iter()
        .zip(&actions)
        .map(|(dimension, &number)| {
            dimension.min + 0.5 * (f64::from(number) + 1.0) * (dimension.max - dimension.min)
        })
        .collect();
    expected.drive(&stretched);
    let near = |text: &str| {
        let numbers: Vec<f64> =
            text.split(|c: char| !"0123456789.-e".contains(c)).filter_map(|word| word.parse().ok()).collect();
        numbers
    };
    let drive = orders.iter().find(|order| order.starts_with("Drive")).unwrap();
    for (got, wanted) in near(drive).iter().zip(&stretched) {
        assert!((got - wanted).abs() < 1e-5, "{drive} {stretched:?}");
    }
    assert!(orders.iter().any(|order| order.starts_with("Manipulate")), "{orders:?}");
}

/// Y1: asked at every step it decides every tenth of a second, and begins anew with each episode.
#[test]
fn it_decides_as_often_as_it_learned_to() {
    let (_folder, path) = written(&LinearPolicy::to_the_ball(&["clock"], 5));
    let player = Onnx::new(params(path), &setup()).unwrap();
    let mut progress = player.initial_state();
    let mut decided_at = |range: std::ops::Range<u64>, episode: u32| -> Vec<u64> {
        range
            .filter(|&step| !call(&player, &mut progress, &world(step), episode).unwrap().is_empty())
            .collect()
    };
    assert_eq!(decided_at(0..12, 0), [0, 5, 10]);
    assert_eq!(decided_at(12..24, 1), [12, 17, 22]);
    // Back to the beginning.
    assert_eq!(decided_at(0..7, 1), [0, 5]);
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let good = LinearPolicy::to_the_ball(&["clock"], 5);
    let with = |change: fn(&mut LinearPolicy)| {
        let mut policy = good.clone();
        change(&mut policy);
        error(&policy)
    };
    for (message, expected) in [
        (with(|p| p.observe = "truth.ball-0".into()), "touchline.observe are no JSON list"),
        (
            with(|p| p.observe = r#"["truth.ball-0"]"#.into()),
            "has 5 numbers, but what it says that it observes comes to 4",
        ),
        (
            with(|p| p.observe = r#"["truth.ball-1"]"#.into()),
            "truth.ball-0, and truth. with another robot: keeper",
        ),
        (with(|p| p.observe = r#"["radar/echo"]"#.into()), "camera/ball"),
        (with(|p| p.observe = r#"["camera/ball.colour"]"#.into()), "its fields are"),
        (with(|p| p.act = r#"["drive"]"#.into()), "output has 3 numbers"),
        (with(|p| p.act = r#"["drive", "arm.up"]"#.into()), "kicker.kick"),
        (with(|p| p.decision_s = "soon".into()), "touchline.decision_s are \"soon\""),
        (with(|p| p.decision_s = "0.01".into()), "a rate_hz of 100 is needed"),
        (with(|p| p.decision_s = "1e300".into()), "seconds above 0 are needed, at most 3600"),
        (
            with(|p| (p.clips, p.operator) = (false, "RandomNormalLike".into())),
            "draws random numbers (RandomNormalLike)",
        ),
        (with(|p| p.input = "x".into()), "its input must be \"observation\", and is \"x\""),
        (with(|p| p.output = "y".into()), "it must have an output \"action\"; it has y"),
    ] {
        assert!(message.contains(expected) && message.contains("policy.onnx"), "{expected}: {message}");
    }
    let of = |path: PathBuf| Onnx::new(params(path), &setup()).err().expect("refused").to_string();
    assert!(of("no/such/model.onnx".into()).contains("cannot be read"));
    assert!(of("/dev/zero".into()).contains("is not a regular file"));
    assert!(of(PathBuf::new()).contains("an ONNX file is needed"));
    assert!(of("Cargo.toml".into()).contains("is no ONNX model"), "{}", of("Cargo.toml".into()));
    let (_folder, path) = written(&good);
    std::fs::write(&path, &good.bytes()[..200]).unwrap();
    assert!(of(path.clone()).contains("is no ONNX model"));
    std::fs::write(&path, []).unwrap();
    assert!(of(path).contains("there is no graph in it"));
}

/// A robot that the world never had can be said to be absent; words that are not allowed are refused.
#[test]
fn the_parameters_say_what_it_may_observe() {
    let mut policy = LinearPolicy::to_the_ball(&["truth.libero", "clock"], 11);
    let (_folder, path) = written(&policy);
    let message = Onnx::new(params(path.clone()), &setup()).err().expect("refused").to_string();
    assert!(message.contains("libero"), "{message}");
    let observe = |words: &[&str]| Some(words.iter().map(|&word| word.to_owned()).collect());
    let absent = OnnxParams {
        absent: vec!["libero".into()],
        observe: observe(&["truth.ball-0", "truth.libero", "clock"]),
        ..params(path)
    };
    let player = Onnx::new(absent.clone(), &setup()).unwrap();
    assert_eq!(call(&player, &mut player.initial_state(), &world(0), 0).unwrap().len(), 2);
    let other = OnnxParams { observe: observe(&["camera/ball"]), ..absent };
    let message = Onnx::new(other, &setup()).err().expect("refused").to_string();
    assert!(message.contains("here it may observe camera/ball"), "{message}");
    // Its words are read once more where they may be.
    policy.observe = r#"["truth.ball-0", "clock"]"#.into();
    assert!(error(&policy).contains("comes to 5"));
}

/// A network that decides no number is stopped.
#[test]
fn not_a_number_is_a_fault() {
    let mut policy = LinearPolicy::to_the_ball(&["clock"], 5);
    (policy.bias[1], policy.clips) = (f32::NAN, false);
    let (_folder, path) = written(&policy);
    let player = Onnx::new(params(path), &setup()).unwrap();
    let fault = call(&player, &mut player.initial_state(), &world(0), 0).unwrap_err();
    assert!(fault.to_string().contains("decided NaN for number 1"), "{fault}");
}
