//! `touchline tournament`: the command line's contract, with the real plugins. What the numbers mean is tested in
//! `server/lab/tournament`. (B1)

use crate::build::plugin_file;
use crate::program::{Outcome, root, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with a tournament file on the field of 2003.
struct Cup {
    folder: TempDir,
}

impl Cup {
    fn new(lines: &str) -> Self {
        let cup = Self { folder: tempfile::tempdir().unwrap() };
        cup.write(lines);
        cup
    }

    fn write(&self, lines: &str) {
        let world = root().join("worlds/f2000.toml");
        let text = format!("name = \"cup\"\nworld = {:?}\n{lines}", world.to_str().unwrap());
        fs::write(self.file(), text).unwrap();
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("cup.toml")
    }

    fn results(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join("cup.toml.results.jsonl")).unwrap_or_default();
        text.lines().map(Into::into).collect()
    }

    fn play(&self, options: &[&str]) -> Outcome {
        let file = self.file();
        run([&["tournament", file.to_str().unwrap()], options].concat())
    }

    fn report(&self, options: &[&str]) -> Value {
        let outcome = self.play(&[options, &["--json"]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.json()
    }
}

/// A second is enough to see that players differ: their worlds' hashes do.
const SHORT: &str = "match_s = 1\npairs = 2\n[[entrant]]\nname = \"own\"\n[[entrant]]\nname = \"slow\"\nplayers.striker = { plugin = \"striker\", params = { speed_fraction = 0.5 } }\n";

/// B1: the fields that scripts rely on; started again it plays nothing and says the same.
#[test]
fn the_report_has_its_fields_and_what_is_done_is_not_played_again() {
    let cup = Cup::new(SHORT);
    let report = cup.report(&["--threads", "1"]);
    let is = |field: &str, value: Value| assert_eq!(report[field], value, "{field}");
    is("tournament", json!("cup"));
    is("version", json!(env!("CARGO_PKG_VERSION")));
    is("world", json!("f2000"));
    is("match_s", json!(1.0));
    is("pairs", json!(2));
    is("seed", json!(1));
    is("matches", json!(4));
    is("played", json!(4));
    is("void", json!(0));
    is("interrupted", json!(false));
    is("faults", json!([]));
    for plugin in ["player/goalkeeper", "player/striker", "referee/f2000", "motion/omni", "sensor/camera"] {
        assert_eq!(report["plugins"][plugin], env!("CARGO_PKG_VERSION"), "{plugin}");
    }
    for standing in report["entrants"].as_array().unwrap() {
        assert_eq!(standing["matches"], 4, "{standing}");
        let fields =
            ["name", "rating", "interval_95", "wins", "draws", "losses", "goals_for", "goals_against"];
        assert!(fields.iter().all(|field| !standing[field].is_null()), "{standing}");
    }
    let couple = &report["couples"][0];
    let fields = ["share", "share_interval_95", "goal_difference", "probability_better", "p_value"];
    assert!(fields.iter().all(|field| !couple[field].is_null()), "{couple}");
    let lines = cup.results();
    let again = cup.report(&[]);
    for field in ["digest", "results", "entrants", "couples"] {
        assert_eq!(again[field], report[field], "{field}");
    }
    assert_eq!(cup.results(), lines);
    let restarted = cup.report(&["--restart", "--threads", "2"]);
    assert_eq!(restarted["results"], report["results"]);
    let alone = cup.play(&["--match", "3"]);
    assert!(lines.contains(&alone.stdout.trim().to_owned()), "{alone:?}");
}

/// B1: old results are not mixed with new ones; more pairs go on with what is there.
#[test]
fn other_conditions_are_refused_and_more_pairs_are_not() {
    let cup = Cup::new(SHORT);
    cup.report(&[]);
    assert_eq!(cup.report(&["--pairs", "3"])["played"], 6);
    cup.write(&SHORT.replace("0.5", "0.6"));
    let refused = cup.play(&[]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(4), ""), "{refused:?}");
    for text in ["cup.toml.results.jsonl:1: ", "own", "slow", "other conditions", "--restart", "--results"] {
        assert!(refused.stderr.contains(text), "{text}: {}", refused.stderr);
    }
    assert_eq!(cup.results().len(), 6);
    let other = cup.folder.path().join("other.jsonl");
    let report = cup.report(&["--results", other.to_str().unwrap()]);
    assert_eq!((report["played"].clone(), cup.results().len()), (json!(4), 6));
}

/// B1: a library file is an entrant's player, and two plugins of one name can meet; a table for people.
#[test]
fn library_files_play_and_people_get_a_table() {
    let library = plugin_file("touchline-player-striker");
    let cup = Cup::new("");
    fs::copy(&library, cup.folder.path().join(library.file_name().unwrap())).unwrap();
    let name = format!("./{}", library.file_name().unwrap().to_str().unwrap());
    cup.write(&format!(
        "match_s = 1\npairs = 1\n[[entrant]]\nname = \"own\"\n[[entrant]]\nname = \"copy\"\nplayers.striker = {{ plugin = {name:?} }}\n"
    ));
    let outcome = cup.play(&[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for start in
        ["tournament cup: world f2000, 1 s a match", "entrant ", "copy ", "own ", "couple ", "conditions "]
    {
        assert!(outcome.stdout.lines().any(|line| line.starts_with(start)), "{start}: {}", outcome.stdout);
    }
    assert_eq!(outcome.stderr, "");
    // The copy does what the original does: twins are even.
    let couple = &cup.report(&[])["couples"][0];
    assert_eq!((couple["share"].as_f64(), couple["goal_difference"].as_f64()), (Some(0.5), Some(0.0)));
}

/// B1: what is wrong is said at its place, with what is right, before anything is played.
#[test]
fn mistakes_are_answered() {
    let two = "[[entrant]]\nname = \"a\"\n[[entrant]]\nname = \"b\"\n";
    let player = |player: &str| format!("match_s = 1\npairs = 1\n{two}players.striker = {{ {player} }}\n");
    let cases = [
        (format!("match_s = 1\npair = 1\n{two}"), 3, "did you mean \"pairs\"?"),
        (
            format!("match_s = 1\npairs = 1\n{two}players.strker = {{ plugin = \"striker\" }}\n"),
            3,
            "did you mean \"striker\"?",
        ),
        (player("plugin = \"strikr\""), 5, "did you mean \"striker\"?"),
        (player("plugin = \"striker\", params = { speed_fraction = 7.0 }"), 3, "speed_fraction"),
        (player("plugin = \"./none.so\""), 5, "none.so"),
        (player("plugin = \"f2000\""), 5, "is a referee plugin"),
    ];
    for (lines, code, text) in cases {
        let cup = Cup::new(&lines);
        let outcome = cup.play(&[]);
        assert_eq!(outcome.code, Some(code), "{lines}: {outcome:?}");
        let place = format!("{}:", cup.file().display());
        assert!(
            outcome.stderr.contains(text) && outcome.stderr.contains(&place),
            "{lines}: {}",
            outcome.stderr
        );
        assert_eq!((outcome.stdout.as_str(), cup.results().len()), ("", 0));
    }
    for (options, code) in
        [(vec!["--pairs", "0"], 2), (vec!["--match", "1", "--json"], 2), (vec!["--match", "4"], 3)]
    {
        assert_eq!(Cup::new(SHORT).play(&options).code, Some(code), "{options:?}");
    }
    let nowhere = ["--results", "no/such/folder/results.jsonl"];
    assert_eq!(Cup::new(SHORT).play(&nowhere).code, Some(4));
    assert_eq!(run(["tournament", "none.toml"]).code, Some(4));
}

/// B1: what fails in the world makes a match void; it is told, all else is played and printed, and the code says it.
#[test]
fn what_fails_in_the_world_makes_matches_void() {
    let cup = Cup::new(SHORT);
    let robot = "model = \"bad\"\nmass_kg = 10.0\nmotion = { plugin = \"misbehave\", params = { how = \"panic\", after_steps = 20 } }\n[[body]]\nshape = \"circle\"\nradius_m = 0.2\n";
    fs::write(cup.folder.path().join("bad.toml"), robot).unwrap();
    let field = root().join("worlds/f2000.toml");
    let world = format!(
        "include = [{:?}]\nname = \"bad\"\n[[robot]]\nname = \"blue-5\"\nteam = \"blue\"\nfile = \"bad.toml\"\npose = {{ x_m = -3.0, y_m = -2.0 }}\n",
        field.to_str().unwrap()
    );
    fs::write(cup.folder.path().join("bad-world.toml"), world).unwrap();
    fs::write(cup.file(), format!("name = \"cup\"\nworld = \"bad-world.toml\"\n{SHORT}")).unwrap();
    let outcome = cup.play(&["--json"]);
    assert_eq!(outcome.code, Some(5), "{outcome:?}");
    let report = outcome.json();
    assert_eq!((report["played"].clone(), report["void"].clone()), (json!(4), json!(4)));
    let fault = &report["faults"][0];
    assert!(fault["what"].as_str().unwrap().starts_with("blue-5: motion \"misbehave\""), "{fault}");
    assert!(fault["entrant"].is_null());
    assert!(outcome.stderr.contains("plugins failed in 4 matches"), "{}", outcome.stderr);
}

/// B1, W7: each match is recorded as it was played, and recording changes nothing; a whole folder is verified and made a table.
#[test]
fn matches_are_recorded_on_request() {
    let (cup, recorded) = (Cup::new(SHORT), Cup::new(SHORT));
    cup.report(&[]);
    let folder = recorded.folder.path().join("recordings");
    let file = |name: &str| folder.join(name);
    let folder = folder.to_str().unwrap();
    recorded.report(&["--recordings", folder]);
    let sorted = |cup: &Cup| {
        let mut results = cup.results();
        results.sort();
        results
    };
    assert_eq!(sorted(&recorded), sorted(&cup), "as without recordings");
    // Who would lose recordings by playing anew loses no results either.
    let refused = recorded.play(&["--restart", "--recordings", folder]);
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert_eq!(sorted(&recorded), sorted(&cup), "no result is thrown away");

    let verify = || run(["log", "verify", folder, "--json"]);
    let verified = verify();
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let verified = verified.json();
    assert_eq!(
        (&verified["same"], &verified["other"], &verified["unreadable"]),
        (&json!(4), &json!(0), &json!(0))
    );
    let mut hashes: Vec<(u64, String)> = Vec::new();
    for line in recorded.results() {
        let result: Value = serde_json::from_str(&line).unwrap();
        hashes.push((result["match"].as_u64().unwrap(), result["state_hash"].as_str().unwrap().to_owned()));
    }
    for (number, hash) in hashes {
        let name = file(&format!("cup-match{number:04}.mcap")).display().to_string();
        let all = verified["recordings"].as_array().unwrap();
        let one = all.iter().find(|one| one["file"] == name.as_str()).unwrap_or_else(|| panic!("{verified}"));
        assert_eq!(one["state_hash"], hash.as_str(), "match {number} as it was played");
    }

    let table = run(["log", "csv", folder]);
    let mut rows = table.stdout.lines();
    assert!(rows.next().is_some_and(|names| names.starts_with("recording,")), "{table:?}");
    let names: BTreeSet<&str> = rows.filter_map(|row| row.split(',').next()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    let objects = run(["log", "csv", folder, "--json"]);
    let first: Value = serde_json::from_str(objects.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["recording"], "cup-match0000.mcap", "{first}");

    // One that was damaged is named, and the others are verified.
    let third = file("cup-match0002.mcap");
    let whole = fs::read(&third).unwrap();
    fs::write(&third, &whole[..whole.len() / 2]).unwrap();
    fs::write(file("other.mcap"), "no recording").unwrap();
    let verified = verify();
    assert_eq!(
        (verified.code, &verified.json()["same"], &verified.json()["unreadable"]),
        (Some(1), &json!(3), &json!(1))
    );
    // And can be played again.
    let again = recorded.play(&["--match", "2", "--record", folder]);
    assert_eq!(again.code, Some(0), "{again:?}");
    // Not by its length: how often a recording is flushed is a matter of time.
    let verified = verify().json();
    assert_eq!((&verified["same"], &verified["unreadable"]), (&json!(4), &json!(1)), "{verified}");
    // One that is whole is not written over.
    let again = recorded.play(&["--match", "2", "--record", folder]);
    assert_eq!(again.code, Some(4), "{again:?}");
    assert!(again.stderr.contains("cup-match0002.mcap"), "{again:?}");
    let empty = run(["log", "verify", recorded.folder.path().to_str().unwrap()]);
    assert!(empty.code == Some(4) && empty.stderr.contains("no recording"), "{empty:?}");
}

/// R1: worlds of tournaments and challenges name the robots that came with the program without a path, wherever their files lie.
#[test]
fn shipped_robots_need_no_path() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, to: &str, changes: &[(&str, &str)]| {
        let text = fs::read_to_string(root().join(from)).unwrap();
        let text = changes.iter().fold(text, |text, (old, new)| {
            assert!(text.contains(old), "{from} has {old}");
            text.replace(old, new)
        });
        let path = folder.path().join(to);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let include = format!("include = [{:?}]", root().join("worlds/parts/f2000-field.toml"));
    let plain = [("include = [\"parts/f2000-field.toml\"]", include.as_str()), ("\"../robots/", "\"")];
    copy("worlds/f2000.toml", "field.toml", &plain);
    let cup = copy("worlds/tournaments/striker-speed.toml", "cup.toml", &[("../f2000.toml", "field.toml")]);
    let plain =
        [("include = [\"../../parts/f2000-field.toml\"]", include.as_str()), ("\"../../../robots/", "\"")];
    copy("worlds/challenges/fields/f2000-kick.toml", "kick-field.toml", &plain);
    let kick = [("fields/f2000-kick.toml", "kick-field.toml")];
    let kick = copy("worlds/challenges/kick-f2000.toml", "kick.toml", &kick);
    for file in [&cup, &kick] {
        let checked = run(["check", file.as_str()]);
        assert_eq!(checked.code, Some(0), "{checked:?}");
    }
    let played = run(["tournament", &cup, "--pairs", "1", "--match", "0"]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let ran = run(["challenge", "run", &kick, "--runs", "1"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
