//! `touchline log compare`: recordings of the built server, laid side by side by their stamps. [mechanism 7]

use crate::program::{Outcome, run};
use serde_json::Value;
use std::path::Path;

const TOPIC: &str = "/sensors/blue-2/odometry/odometry";

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Six seconds of a match, with what the odometry says.
fn record(folder: &tempfile::TempDir, seed: u64) -> String {
    let file = path(folder, &format!("{seed}.mcap"));
    let seed = seed.to_string();
    let arguments = ["run", "worlds/f2000.toml", "--for", "6", "--seed", &seed, "--record", &file];
    let played = run([&arguments[..], &["--record-sensors", "*/odometry"]].concat());
    assert_eq!(played.code, Some(0), "{played:?}");
    file
}

fn compare(a: &str, b: &str, more: &[&str]) -> Outcome {
    run([&["log", "compare", a, b], more].concat())
}

fn json(a: &str, b: &str, more: &[&str]) -> Value {
    let outcome = compare(a, b, &[more, &["--json"]].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    outcome.json()
}

fn field<'a>(report: &'a Value, name: &str) -> &'a Value {
    let fields = report["fields"].as_array().expect("fields");
    let field = fields.iter().find(|field| field["name"] == name);
    &field.unwrap_or_else(|| panic!("no field {name}: {report}"))["difference"]
}

/// A recording is as itself, as its table, and as a part of it; another seed's is not.
#[test]
fn recordings_are_laid_side_by_side() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (record(&folder, 1), record(&folder, 2));

    let same = json(&one, &one, &["--topic", TOPIC]);
    let messages = same["a"]["messages"].as_u64().expect("a number");
    assert!((55..=65).contains(&messages), "ten a second: {same}");
    assert_eq!((&same["pairs"], &same["a"]["unmatched"]), (&messages.into(), &0.into()));
    assert!((same["threshold_secs"].as_f64().expect("a number") - 0.05).abs() < 1e-6, "half the period");
    for name in ["pose.position.x", "pose.position.y", "pose.orientation.yaw_rad"] {
        let difference = field(&same, name);
        for number in ["median", "p90", "rms", "max"] {
            assert_eq!(difference[number], 0.0, "{name}: {difference}");
        }
    }

    let other = json(&one, &two, &["--topic", TOPIC]);
    let x = field(&other, "pose.position.x");
    assert!(x["max"].as_f64() > Some(0.0), "another seed drives elsewhere: {other}");
    assert!(x["median"].as_f64() <= x["p90"].as_f64() && x["p90"].as_f64() <= x["max"].as_f64(), "{x}");

    // The same as a table, under other names: this is how a real robot's log comes.
    let table = path(&folder, "real.csv");
    let text = run(["log", "csv", &one, "--topic", TOPIC]).stdout;
    let text = text.replace("pose.position.", "measured_").replace("time_s", "t");
    std::fs::write(&table, text).expect("a table");
    let mapped = json(&one, &table, &["--topic", TOPIC, "--field", "pose.position.x=measured_x"]);
    assert_eq!((&mapped["pairs"], &mapped["b"]["topic"]), (&messages.into(), &Value::Null));
    assert_eq!(field(&mapped, "pose.position.x")["max"], 0.0);

    // A part of it has fewer messages, and the same ones; put to the same start it is another drive.
    let cut = path(&folder, "cut.mcap");
    assert_eq!(run(["log", "cut", &one, "--from", "3", "--out", &cut]).code, Some(0));
    let part = json(&one, &cut, &["--topic", TOPIC]);
    assert!(part["pairs"].as_u64() < Some(messages * 2 / 3), "{part}");
    assert_eq!(field(&part, "pose.position.x")["max"], 0.0);
    let moved = json(&one, &cut, &["--topic", TOPIC, "--align", "start"]);
    assert_eq!(moved["b"]["first_secs"], 0.0);
    assert!(field(&moved, "pose.position.x")["max"].as_f64() > Some(0.0), "{moved}");
}

/// People are told what a script is told, and see the curves; a file that is there stays.
#[test]
fn a_comparison_is_printed_and_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, picture) = (record(&folder, 1), path(&folder, "plot.svg"));
    let drawn = compare(&one, &one, &["--topic", TOPIC, "--plot", &picture]);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    for part in ["|B - A| of", "pose.position.x", "90 %", "pairs", "0 without a partner"] {
        assert!(drawn.stdout.contains(part), "{part}: {}", drawn.stdout);
    }
    let svg = std::fs::read_to_string(&picture).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.contains("pose.position.x"));
    // z stands still: it is compared, and not drawn.
    assert!(!svg.contains("pose.position.z"));
    let again = compare(&one, &one, &["--topic", TOPIC, "--plot", &picture]);
    assert_eq!(again.code, Some(4), "{again:?}");
}

/// Whoever errs is told what there is, and what to do.
#[test]
fn what_cannot_be_compared_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = record(&folder, 1);
    let fails = |b: &str, more: &[&str], parts: &[&str]| {
        let outcome = compare(&one, b, more);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        for part in parts {
            assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
        }
    };
    fails(&one, &[], &["say --topic", TOPIC, "/touchline/state"]);
    fails(&one, &["--topic", "/odom"], &["topic /odom is not in this recording", TOPIC]);
    fails(&one, &["--topic", "/touchline/poses"], &["has no messages that are JSON"]);
    fails(&one, &["--topic", TOPIC, "--field", "speed"], &["A has no field speed", "pose.position.x"]);

    let table = |text: &str| {
        let file = path(&folder, "table.csv");
        std::fs::write(Path::new(&file), text).expect("a table");
        file
    };
    let topic = ["--topic", TOPIC];
    fails(&table("t,word\n0,go\n"), &topic, &["B has no field that is a number", "table.csv"]);
    fails(&table("t,speed\n0,1\n"), &topic, &["no field is in both", "B has speed", "--field A=B"]);
    fails(&table("t,pose.position.x\n0,1\n2,1\n1,1\n"), &topic, &["line 4", "time runs backwards"]);
    fails(&table("t,pose.position.x\n"), &topic, &["B has no messages"]);
    for times in [1e3, 1e9] {
        let rows: String = (0..60).map(|n| format!("{},{n}\n", f64::from(n) * 0.1 * times)).collect();
        let other = table(&format!("t,pose.position.x\n{rows}"));
        fails(&other, &topic, &["not in one unit", "stamps are in seconds", "--threshold SECONDS"]);
        let forced = [&topic[..], &["--threshold", "50"]].concat();
        assert_eq!(compare(&one, &other, &forced).code, Some(0));
    }
    let later = table("t,pose.position.x\n100,1\n100.1,1\n");
    fails(&later, &topic, &["A is from", "B from 100 s to 100.1 s", "--offset -", "--align start"]);
    assert_eq!(compare(&one, &later, &[&topic[..], &["--align", "start"]].concat()).code, Some(0));
}
