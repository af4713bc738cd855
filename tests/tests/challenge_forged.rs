//! `touchline challenge check`: whatever a published file says of the teams is compared with what is played and counted anew. (CH6)

use crate::program::{Outcome, root, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The results of the reference players at a challenge, as a file.
fn played(folder: &Path, challenge: &str, runs: &str) -> (PathBuf, Value) {
    let file = folder.join("results.json");
    let outcome = run(["challenge", "run", challenge, "--runs", runs, "--json", file.to_str().unwrap()]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let results = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    (file, results)
}

fn check(file: &Path, results: &Value) -> Outcome {
    fs::write(file, results.to_string()).unwrap();
    run(["challenge", "check", file.to_str().unwrap()])
}

#[test]
fn forged_scores_and_tables_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (file, honest) = played(folder.path(), "run-f2000", "1");
    let checked = check(&file, &honest);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert_eq!(checked.stdout.lines().count(), 3, "a table and two runs: {checked:?}");
    let row = "/challenges/0/teams/1";
    for (place, value, told) in [
        ("/runs/0/score", json!(99.0), "run 0: DIFFERS"),
        ("/runs/0/score", json!(null), "run 0: DIFFERS"),
        ("/runs/0/team", json!("good"), "run 0: DIFFERS"),
        ("/runs/0/run", json!(7), "the order of their numbers"),
        ("/score", json!(99.0), "simple: table: DIFFERS (score)"),
        ("/place", json!(1), "simple: table: DIFFERS (place)"),
        ("/place", json!(null), "simple: table: DIFFERS (place)"),
        ("/penalties", json!(-1.0), "simple: table: DIFFERS (penalties)"),
        ("/refused", json!({ "move": 3 }), "simple: table: DIFFERS (refused)"),
        ("/status", json!("void"), "simple: table: DIFFERS (status)"),
        ("/fault", json!("it fell"), "simple: table: DIFFERS (fault)"),
    ] {
        let mut forged = honest.clone();
        *forged.pointer_mut(&format!("{row}{place}")).unwrap() = value;
        let checked = check(&file, &forged);
        assert_eq!(checked.code, Some(1), "{place}: {checked:?}");
        assert!(checked.stdout.contains(told), "{place}: {checked:?}");
    }
    for (key, value) in
        [("digits", json!(0)), ("better", json!("lower")), ("runs", json!(2)), ("seed", json!(2))]
    {
        let mut forged = honest.clone();
        forged["challenges"][0][key] = value;
        let checked = check(&file, &forged);
        assert_eq!(checked.code, Some(1), "{key}: {checked:?}");
        assert!(checked.stdout.contains("table: DIFFERS"), "{key}: {checked:?}");
    }
    let mut forged = honest.clone();
    forged["challenges"][0]["teams"].as_array_mut().unwrap().swap(0, 1);
    assert_eq!(check(&file, &forged).code, Some(1), "the order of the teams");
}

/// A team that leaves out its worst attempts, or counts its best run twice, has not played what others have.
#[test]
fn runs_are_whole_and_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let (file, honest) = played(folder.path(), "kick-small-size", "2");
    let checked = check(&file, &honest);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    // Of a run that is not played again all must follow from its attempts.
    for (place, value) in [
        ("/score", json!(99.0)),
        ("/score", json!(null)),
        ("/digest", json!("0000000000000000")),
        ("/attempts/0/seed", json!(1)),
        ("/attempts/0/attempt", json!(1)),
        ("/attempts/0/score", json!(99.0)),
    ] {
        let mut forged = honest.clone();
        *forged.pointer_mut(&format!("/challenges/0/teams/0/runs/1{place}")).unwrap() = value;
        let checked = check(&file, &forged);
        assert_eq!(checked.code, Some(1), "{place}: {checked:?}");
        assert!(checked.stdout.contains("run 1 does not follow from its attempts"), "{place}: {checked:?}");
    }
    let mut forged = honest.clone();
    forged["challenges"][0]["teams"][0]["runs"][1]["attempts"].as_array_mut().unwrap().pop();
    assert_eq!(check(&file, &forged).code, Some(1), "an attempt is left out");
    let team = |results: &mut Value| results["challenges"][0]["teams"][0].take();
    let mut forged = honest.clone();
    let mut row = team(&mut forged);
    for run in row["runs"].as_array_mut().unwrap() {
        let attempts = run["attempts"].as_array_mut().unwrap();
        attempts.truncate(1);
        run["score"] = attempts[0]["score"].clone();
    }
    forged["challenges"][0]["teams"][0] = row;
    let checked = check(&file, &forged);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(checked.stdout.contains("run 0: DIFFERS"), "{checked:?}");
    let mut forged = honest.clone();
    let mut row = team(&mut forged);
    row["runs"][1] = row["runs"][0].clone();
    forged["challenges"][0]["teams"][0] = row;
    let checked = check(&file, &forged);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(checked.stdout.contains("the order of their numbers"), "{checked:?}");
}

#[test]
fn results_without_runs_are_not_well() {
    let folder = tempfile::tempdir().unwrap();
    let (file, mut results) = played(folder.path(), "run-f2000", "1");
    for row in results["challenges"][0]["teams"].as_array_mut().unwrap() {
        row["runs"] = json!([]);
    }
    let empty = json!({ "version": env!("CARGO_PKG_VERSION"), "challenges": [], "interrupted": false });
    for results in [results, empty] {
        let checked = check(&file, &results);
        assert_eq!(checked.code, Some(1), "{checked:?}");
        assert!(checked.stdout.contains("nothing was checked"), "{checked:?}");
    }
}

/// A challenge's file that lets teams set its referee is another challenge; whoever gives its results out for those of the first is found before anything is played.
#[test]
fn an_easier_referee_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (file, honest) = played(folder.path(), "kick-small-size", "1");
    let shipped = root().join("worlds/challenges");
    let text = fs::read_to_string(shipped.join("kick-small-size.toml")).unwrap();
    let text = text.replacen("world = \"", &format!("world = \"{}/", shipped.display()), 1);
    let text = text.replacen("[score]", "team_params = [\"nearest_m\", \"farthest_m\"]\n\n[score]", 1);
    fs::write(folder.path().join("easy.toml"), text).unwrap();
    fs::write(
        folder.path().join("teams.csv"),
        "name;plugin;params;nearest_m;farthest_m\ncheat;challenger;\"{\"\"play\"\": \"\"kick\"\"}\";0.02;0.02\n",
    )
    .unwrap();
    let [easy, teams, markdown] = ["easy.toml", "teams.csv", "r.md"].map(|name| folder.path().join(name));
    let [easy, teams, markdown] = [&easy, &teams, &markdown].map(|path| path.to_str().unwrap());
    let words =
        ["challenge", "competition", teams, "--challenge", easy, "--runs", "1", "--markdown", markdown];
    let outcome = run([&words[..], &["--json", file.to_str().unwrap()]].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    // What a team has for itself stands below it.
    assert!(outcome.stdout.contains("with farthest_m = 0.02, nearest_m = 0.02"), "{outcome:?}");
    let markdown = fs::read_to_string(markdown).unwrap();
    assert!(markdown.contains(r"| | with farthest\_m = 0\.02, nearest\_m = 0\.02 |"), "{markdown}");

    let mut forged: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(check(&file, &forged).code, Some(3), "other conditions");
    forged["challenges"][0]["digest"] = honest["challenges"][0]["digest"].clone();
    let checked = check(&file, &forged);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let told = "cheat: table: DIFFERS (set has farthest_m, nearest_m, which no team may have)";
    assert!(checked.stdout.contains(told) && checked.stdout.lines().count() == 1, "{checked:?}");
}
