//! `touchline check --contract`: built libraries, in any language, through the contract of their kind. (P1, P6, P7)

use crate::build::{plugin_dir, plugin_file};
use crate::onnx::LinearPolicy;
use crate::program::{Outcome, run};
use std::env::consts::DLL_SUFFIX;
use std::fs;

/// Asks for the contract of files.
pub fn contract(more: &[&str], files: &[&str]) -> Outcome {
    run([&["check", "--contract"], more, files].concat())
}

/// The shipped libraries without those that need parameters, or a robot of their own league.
fn shipped() -> Vec<String> {
    let files = fs::read_dir(plugin_dir()).unwrap().map(|entry| entry.unwrap().path());
    let files = files.map(|path| path.to_str().unwrap().to_owned());
    let plugin = |file: &String| {
        let name = file.rsplit('/').next().unwrap();
        let kinds = ["motion", "sensor", "player", "referee"].map(|kind| format!("touchline_{kind}_"));
        name.ends_with(DLL_SUFFIX) && kinds.iter().any(|kind| name.contains(kind.as_str()))
    };
    let needs = |file: &String| {
        ["motion_learned", "player_onnx", "player_coach", "player_soccer"]
            .iter()
            .any(|name| file.contains(name))
    };
    files.filter(|file| plugin(file) && !needs(file)).collect()
}

/// P6, P7: every shipped plugin keeps the contract that others are asked to keep, over the table and in a process of its own.
#[test]
fn shipped_plugins_keep_the_contract() {
    let files = shipped();
    assert!(files.len() >= 16, "{files:?}");
    let outcome = contract(&[], &files.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(outcome.stdout.matches(" keeps its contract").count(), files.len(), "{}", outcome.stdout);
    // To be held against paper: a quarter of a metre a second, reached with 0.5 m/s2.
    assert!(
        outcome.stdout.contains("100 steps of 0.01 s from rest, commanded forward "),
        "{}",
        outcome.stdout
    );
    for part in ["240 decisions: ", "600 judged steps: ", "21 readings of "] {
        assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
    }
}

/// P6: those that need parameters take them from the command line; a file that they name is found from here.
#[test]
fn parameters_are_given_with_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut policy = LinearPolicy::to_the_ball(&["camera/ball", "manipulators", "clock"], 9);
    policy.observe = r#"["truth.pose", "camera/ball", "manipulators", "clock"]"#.into();
    let model = folder.path().join("model.onnx");
    fs::write(&model, policy.bytes()).unwrap();
    let params = serde_json::json!({ "model": model }).to_string();
    let onnx = plugin_file("touchline-player-onnx");
    let outcome = contract(&["--params", &params], &[onnx.to_str().unwrap()]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let without = contract(&[], &[onnx.to_str().unwrap()]);
    assert_eq!(without.code, Some(1), "{without:?}");
    assert!(
        without.stdout.contains("the parameters are taken, and make a sound instance")
            && without.stdout.contains("model"),
        "{without:?}"
    );
    let coach = plugin_file("touchline-player-coach");
    let params = r#"{"rest": {"plugin": "wanderer"}, "play": {"plugin": "striker"}}"#;
    let outcome = contract(&["--params", params], &[coach.to_str().unwrap()]);
    assert!(outcome.code == Some(0) && outcome.stdout.contains("240 decisions for a team: "), "{outcome:?}");
    // What is no object was said to the command, and no plugin is blamed for it.
    for params in ["7", "nul", "{\"a\":"] {
        let outcome = contract(&["--params", params], &[onnx.to_str().unwrap()]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{outcome:?}");
        let said = &outcome.stderr;
        assert!(said.contains("--params") && said.contains("parameters in JSON"), "{outcome:?}");
        assert!(!said.contains("onnx"), "{outcome:?}");
    }
}

/// P1, P6: what a bad plugin does is the rule that it breaks, a hang and an end of its process as well; the check goes on behind it.
#[cfg(target_os = "linux")]
#[test]
fn each_misbehaviour_is_a_named_rule() {
    let (motion, sensor) =
        (plugin_file("touchline-test-misbehave"), plugin_file("touchline-test-misbehave-sensor"));
    let compass = plugin_file("touchline-sensor-compass");
    let (motion, sensor, compass) =
        (motion.to_str().unwrap(), sensor.to_str().unwrap(), compass.to_str().unwrap());
    let sound = contract(&[], &[motion, sensor]);
    assert_eq!(sound.code, Some(0), "{sound:?}");
    // It goes as fast as it is commanded: half a metre in a second.
    assert!(
        sound.stdout.contains("forward 0.500 m/s: at x 0.5000 m, y 0.0000 m, theta 0.0000 rad"),
        "{sound:?}"
    );
    let (fault, panic, output, made) = (
        "legal input gives no error - step 5 of 0.01 s",
        "no legal input makes it panic - ",
        "its output is finite, and what it promised - step 5 of 0.01 s",
        "the parameters are taken, and make a sound instance - ",
    );
    for (file, how, rule, detail) in [
        (motion, "hang", fault, "it did not return within 2000 ms: its process was ended"),
        (motion, "abort", fault, "its process ended: SIGABRT"),
        (motion, "overflow", fault, "its process ended: SIG"),
        (motion, "exit", fault, "its process ended: it left with exit code 0"),
        (motion, "error", fault, "misbehaves: step 6"),
        (motion, "read-file", fault, "it was refused"),
        (motion, "panic", panic, "misbehaves: step 6"),
        (motion, "nan", output, ""),
        (motion, "infinite", output, ""),
        (motion, "infinite-data", output, ""),
        (motion, "too-many-dimensions", made, "it takes commands of 9 numbers"),
        (motion, "panic-in-new", made, "misbehaves: robot blue-1"),
        (sensor, "hang", "legal input gives no error - reading scene", "it did not return within 2000 ms"),
        (sensor, "error", "legal input gives no error - reading scene", ""),
        (sensor, "panic", panic, "reading scene"),
        (sensor, "panic-in-advance", panic, "of the integration"),
        (sensor, "bad-scale", made, "scale"),
        (sensor, "huge-layout", made, "integers"),
    ] {
        let params = format!("{{\"how\": \"{how}\", \"after_steps\": 5}}");
        let limit = if how == "hang" { "2000" } else { "60000" };
        let outcome = contract(&["--params", &params, "--isolate-ms", limit], &[file]);
        assert_eq!(outcome.code, Some(1), "{how}: {outcome:?}");
        assert!(outcome.stdout.starts_with(&format!("{file}: ")), "{how}: {outcome:?}");
        let line = outcome.stdout.lines().find(|line| line.trim_start().starts_with(rule));
        assert!(line.is_some_and(|line| line.contains(detail)), "{how}: {outcome:?}");
    }
    let outcome = contract(&["--params", "{}"], &["worlds/empty.toml", compass]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(
        outcome.stdout.contains("sensor plugin \"compass\"") && outcome.stdout.contains("keeps its contract")
    );
    assert!(outcome.stdout.contains("worlds/empty.toml: "), "{outcome:?}");
}
