//! The reference results that docs/goalkeeper-benchmark.md publishes are met again, and the levels tell attackers apart. (B1, I2)
//!
//! In release mode only: a thousand episodes against each of these keepers take seconds there, and minutes otherwise.

#![cfg(not(debug_assertions))]

use crate::program::{root, run};
use serde_json::Value;

/// The hand-written attacker, as it is published.
fn rows(levels: &str) -> Vec<Value> {
    let options = ["--policy", "scripted", "--levels", levels, "--episodes", "1000", "--seed", "1", "--json"];
    let played = run(["benchmark", "goalkeeper"].iter().chain(&options));
    assert_eq!(played.code, Some(0), "{played:?}");
    played.json()["rows"].as_array().expect("a row for each keeper").clone()
}

/// The `results` of a keeper in the document's table of the hand-written attacker, which is the first that has such numbers.
fn published(keeper: &str) -> String {
    let path = root().join("docs/goalkeeper-benchmark.md");
    let document = std::fs::read_to_string(path).expect("the benchmark's document");
    let row =
        document.lines().find(|line| line.starts_with(&format!("| {keeper} |")) && line.ends_with("` |"));
    let row = row.unwrap_or_else(|| panic!("the document has no results of {keeper}"));
    row.rsplit('`').nth(1).expect("a number between backticks").to_owned()
}

fn rate(row: &Value) -> f64 {
    row["scoring_rate"].as_f64().expect("a rate")
}

/// Bit for bit: whoever changes a plugin, the physics or the noise changes what the table says, and has to play it anew.
#[test]
fn the_published_results_are_met_again() {
    let keepers = "none,still-1,random-3,pattern-5,mixed-4";
    let rows = rows(keepers);
    assert_eq!(rows.len(), keepers.split(',').count());
    for row in rows {
        let keeper = row["keeper"].as_str().expect("a name");
        assert_eq!(
            row["results"],
            published(keeper),
            "{keeper}: docs/goalkeeper-benchmark.md is to be played anew"
        );
    }
}

/// A keeper that stands still is beaten in more than 95 %, the hardest one in fewer than 30 %, and from level to level no keeper gets easier
/// beyond the intervals.
#[test]
fn the_levels_tell_attackers_apart() {
    assert!(rate(&rows("still-1")[0]) > 0.95);
    for policy in ["block", "intercept"] {
        let rows = rows(policy);
        assert_eq!(rows.len(), 5);
        for pair in rows.windows(2) {
            let (easier, harder) = (&pair[0], &pair[1]);
            let low = harder["interval_95"][0].as_f64().expect("an interval");
            let high = easier["interval_95"][1].as_f64().expect("an interval");
            assert!(low <= high, "{harder} is easier than {easier}");
            assert_eq!(harder["results"], published(harder["keeper"].as_str().expect("a name")));
        }
        assert!(rate(&rows[4]) < rate(&rows[0]) - 0.2, "{policy}");
        assert!(policy != "intercept" || rate(&rows[4]) < 0.30, "{}", rows[4]);
    }
}
