//! What the command line says of files and plugins: `check`, `plugins`, `schema`. [P1, P6, R1]

use crate::build::{plugin_dir, plugin_file};
use crate::cli::{assert_code, folder, shipped, write};
use crate::program::{Outcome, root, run};
use serde_json::Value;
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

/// W1, R1: everything that is shipped passes with the real plugins.
#[test]
fn what_is_shipped_passes_check() {
    let mut files: Vec<String> = ["robots", "worlds"].into_iter().flat_map(shipped).collect();
    let libraries = fs::read_dir(plugin_dir()).unwrap().map(|entry| entry.unwrap().path());
    files.extend(
        libraries
            .filter(|path| path.to_str().unwrap().ends_with(DLL_SUFFIX))
            .map(|path| path.to_str().unwrap().to_owned()),
    );
    let outcome = run([["check".to_owned()].as_slice(), &files].concat());
    assert_code(&outcome, 0);
    // What sensors cost is said below a file, further in.
    let (costs, verdicts): (Vec<&str>, Vec<&str>) =
        outcome.stdout.lines().partition(|line| line.starts_with("  "));
    assert_eq!(verdicts.len(), files.len(), "{}", outcome.stdout);
    let laser = costs.iter().find(|line| line.trim_start().starts_with("laser ")).unwrap();
    assert!(laser.contains("  100.00 ") && laser.ends_with('%'), "{laser}");
    for part in [
        "robot \"pioneer\": motion differential; sensors laser, camera, posts, odometry, sonar; manipulators kicker",
        "world \"f2000\": robots 8, balls 1",
        "sensor plugin \"laser\"",
    ] {
        assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
    }
}

/// R1: what others include is a part, whatever it includes itself and whatever it lacks.
#[test]
fn every_shipped_part_passes_check_as_one() {
    for (folder, of) in [("robots/parts", "robot"), ("worlds/parts", "world")] {
        let files = shipped(folder);
        let outcome = run([["check".to_owned()].as_slice(), &files].concat());
        assert_code(&outcome, 0);
        assert_eq!(outcome.stdout.lines().count(), files.len(), "{}", outcome.stdout);
        for (file, line) in files.iter().zip(outcome.stdout.lines()) {
            assert!(line.starts_with(&format!("{file}: part of a {of} (")), "{line}");
        }
    }
}

/// A part is checked as far as it goes alone.
#[test]
fn a_part_that_is_no_toml_or_includes_nothing_does_not_pass() {
    let folder = folder();
    for (text, code) in [
        ("include = [\"none.toml\"]\n[radio]\nloss = 0.0\n", "config/file-not-read"),
        ("[[ball]]\nx_m = 1.0,\n", "config/syntax"),
        ("[[ball]]\nradius_m = 0.1\nmass_kg = 0.4\nx_m = 1.0\nx_m = 1.0\n", "config/duplicate-key"),
    ] {
        let outcome = run(["check", &write(&folder, "part.toml", text), "--json"]);
        assert_code(&outcome, 1);
        let problems = outcome.json()["files"][0]["problems"].as_array().unwrap().clone();
        assert_eq!(
            problems.iter().map(|problem| &problem["code"]).collect::<Vec<_>>(),
            [code],
            "{problems:?}"
        );
    }
}

/// R1: a whole file whose name is missing or misspelt is wrong, and so is a part with a word that nothing knows.
#[test]
fn a_misspelt_name_makes_no_part() {
    let folder = folder();
    let robot = "mass_kg = 1.0\n[motion]\nplugin = \"omni\"\n[[body]]\nshape = \"circle\"\nradius_m = 0.2\n";
    let pole = "[[fixture]]\nshape = \"circle\"\nradius_m = 0.1\nx_m = 3.0\n";
    let world = format!("{pole}[[robot]]\nname = \"r\"\nfile = {:?}\n", crate::cli::robot("scout.toml"));
    let did_you_mean = |word: &str| format!("did you mean \"{word}\"?");
    for (text, code, told) in [
        (format!("modle = \"r\"\n{robot}"), "config/unknown-key", did_you_mean("model")),
        (format!("nmae = \"w\"\n{world}"), "config/unknown-key", did_you_mean("name")),
        (format!("nmae = \"w\"\n{pole}"), "config/unknown-key", did_you_mean("name")),
        (robot.into(), "config/missing-key", "\"model\" is missing".into()),
        (world.clone(), "config/missing-key", "\"name\" is missing".into()),
        // They may as well be parts.
        (robot.into(), "config/missing-key", "lies in a folder `parts`".into()),
        (world, "config/missing-key", "lies in a folder `parts`".into()),
    ] {
        let file = write(&folder, "file.toml", &text);
        let outcome = run(["check", &file]);
        assert_code(&outcome, 1);
        let said = &outcome.stdout;
        assert!(said.contains(&file) && said.contains(code) && said.contains(&told), "{text}: {said}");
    }
}

/// R1: the other files that are documented are known by what is in them, and checked as where they are used.
#[test]
fn keys_and_competitions_are_checked() {
    let folder = folder();
    let keys = folder.path().join("keys.toml").to_str().unwrap().to_owned();
    assert_code(&run(["key", &keys, "blue", "--role", "team", "--team", "blue"]), 0);
    let sound = run(["check", &keys]);
    assert_code(&sound, 0);
    assert!(sound.stdout.contains("keys file: 1 keys"), "{}", sound.stdout);
    let text = fs::read_to_string(&keys).unwrap().replace("team = \"blue\"", "taem = \"blue\"");
    fs::write(&keys, text).unwrap();
    let wrong = run(["check", &keys]);
    assert_code(&wrong, 1);
    assert!(wrong.stdout.contains("did you mean \"team\"?"), "{}", wrong.stdout);

    let toml = "[[team]]\nname = \"a\"\nplugin = \"challenger\"\nset = { weight_kg = 3.0 }\n";
    for (name, text) in [("teams.toml", toml), ("teams.csv", "name;plugin;weight_kg\na;challenger;3\n")] {
        let sound = run(["check", &write(&folder, name, text)]);
        assert_code(&sound, 0);
        assert!(sound.stdout.contains("competition of 1 teams: a"), "{}", sound.stdout);
    }
    for (name, text) in [
        (
            "bad.toml",
            "[[team]]\nname = \"a\"\nplugin = \"challenger\"\n[[team]]\nname = \"b\"\nscript = \"none.sh\"\n",
        ),
        ("bad.csv", "name;script;plugin\na;;challenger\nb;none.sh;\n"),
    ] {
        let file = write(&folder, name, text);
        let wrong = run(["check", &file, "--json"]);
        assert_code(&wrong, 1);
        let problems = wrong.json()["files"][0]["problems"].clone();
        assert_eq!(problems.as_array().unwrap().len(), 1, "{problems}");
        assert!(problems[0]["line"].as_u64() >= Some(3), "{problems}");
        assert_eq!(problems[0]["code"], "config/file-not-read", "{problems}");
    }
}

/// The header that is broken is told, and nothing about keys that the file may have.
#[test]
fn a_world_with_a_broken_header_is_no_robot() {
    let folder = folder();
    for text in
        ["name = \"x\"\n[[ball\n", "name = \"x\"\n[[ball\nx_m = 1.0\nspeed = 3\n", "[[thing\nx_m = 1.0\n"]
    {
        let outcome = run(["check", &write(&folder, "world.toml", text)]);
        assert_code(&outcome, 1);
        assert_eq!(outcome.stdout.matches("  code  ").count(), 1, "{}", outcome.stdout);
        assert!(outcome.stdout.contains("unclosed array table"), "{}", outcome.stdout);
    }
}

/// What people are told once, programs get each.
#[test]
fn the_json_of_check_has_every_problem() {
    let folder = folder();
    let pioneer = crate::cli::robot("pioneer.toml");
    let robot = |n| format!("[[robot]]\nname = \"r{n}\"\nfile = {pioneer:?}\npose = {{ x_m = 1.0 }}\n");
    let text: String = std::iter::once("name = \"w\"\n".to_owned()).chain((1..=22).map(robot)).collect();
    let world = write(&folder, "world.toml", &text);
    let people = run(["check", &world]).stdout;
    assert!(people.lines().count() < 10 && people.contains("230 times more"), "{people}");
    let file = run(["check", &world, "--json"]).json()["files"][0].clone();
    let problems = file["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 231);
    assert!(problems.iter().all(|problem| problem["code"] == "config/overlap" && problem["line"].is_u64()));
}

#[test]
fn check_says_all_that_is_wrong_and_goes_on() {
    let folder = folder();
    let robot = write(&folder, "robot.toml", "model = \"r\"\nmas_kg = 1.0\n[motion]\nplugin = \"omni\"\n");
    let world = write(&folder, "world.toml", "name = 7\n");
    let text = write(&folder, &format!("libtext{DLL_SUFFIX}"), "not a library");
    let missing = folder.path().join("missing.toml").to_str().unwrap().to_owned();
    let outcome = run(["check", &robot, "robots/scout.toml", &world, &text, &missing, "worlds/empty.toml"]);
    assert_code(&outcome, 1);
    for wrong in [&robot, &world, &text, &missing] {
        assert!(outcome.stdout.contains(&format!("{wrong}:")), "{wrong}: {}", outcome.stdout);
    }
    for part in
        ["mas_kg", "mass_kg", "robots/scout.toml: robot", "not a dynamic library", "worlds/empty.toml: world"]
    {
        assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
    }
}

/// What agents observe and decide is looked up as a batch does it: a word that is none is said with its line, before anybody learns in it.
#[test]
fn check_knows_what_agents_observe_and_decide() {
    let folder = folder();
    let include = root().join("worlds/goalkeeper.toml");
    for (observe, act, word) in [
        ("truth.pose", "drive", None),
        ("truth.posse", "drive", Some("truth.posse")),
        ("truth.pose", "drive\", \"kicker.kik", Some("kicker.kik")),
    ] {
        let text =
            format!("include = [{include:?}]\n\n[episode]\nobserve = [\"{observe}\"]\nact = [\"{act}\"]\n");
        let world = write(&folder, "world.toml", &text);
        let outcome = run(["check", &world]);
        let Some(word) = word else {
            assert_code(&outcome, 0);
            continue;
        };
        assert_code(&outcome, 1);
        let line = text.lines().position(|line| line.contains(word)).unwrap() + 1;
        for part in [format!("{world}:{line}: "), format!("\"{word}\"")] {
            assert!(outcome.stdout.contains(&part), "{part}: {}", outcome.stdout);
        }
    }
}

/// Kind and name of every plugin that `plugins --json` lists.
fn listed(outcome: &Outcome) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let plugins = outcome.json()["plugins"].as_array().unwrap().clone();
    plugins.iter().map(|plugin| (text(&plugin["kind"]), text(&plugin["name"]))).collect()
}

/// P1, P2: every plugin of the repository is found, of all four kinds, with what its parameters are.
#[test]
fn the_shipped_plugins_are_listed() {
    let outcome = run(["plugins", "--all", "--json"]);
    assert_code(&outcome, 0);
    let names = fs::read_dir(root().join("plugins")).unwrap().map(|entry| entry.unwrap().path());
    let mut expected: Vec<(String, String)> = names
        .filter(|path| path.join("Cargo.toml").is_file())
        .filter_map(|path| {
            path.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .split_once('-')
                .map(|(kind, name)| (kind.to_owned(), name.to_owned()))
        })
        .filter(|(kind, _)| kind != "test")
        .collect();
    expected.extend(
        [("motion", "misbehave"), ("sensor", "misbehave")].map(|(kind, name)| (kind.into(), name.into())),
    );
    let mut found = listed(&outcome);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    for kind in ["motion", "sensor", "player", "referee"] {
        assert!(found.iter().any(|(its, _)| its == kind), "no {kind} in {found:?}");
    }
    let attempts = outcome.json()["attempts"].as_array().unwrap().clone();
    assert!(attempts.iter().all(|attempt| attempt["result"] == "loaded"), "{attempts:?}");
    let people = run(["plugins"]).stdout;
    assert!(people.contains("sensor   laser") && people.contains("range_max_m"), "{people}");
    assert!(!people.contains("misbehave"), "those for tests are nobody's: {people}");
}

/// P1: files that are no plugins are refused with a reason each; nobody else is harmed.
#[test]
fn bad_libraries_are_refused_and_harm_nobody() {
    let folder = folder();
    let library = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join(format!("lib{name}{DLL_SUFFIX}")), bytes).unwrap();
    };
    let good = fs::read(plugin_file("touchline-sensor-truth")).unwrap();
    library("text", b"This is no library.\n");
    library("empty", b"");
    library("head", &good[..100]);
    library("half", &good[..good.len() / 2]);
    library("zeros", &[0; 4096]);
    if let Some(system) = c_library() {
        library("system", &fs::read(system).unwrap());
    }
    let dir = folder.path().to_str().unwrap();
    let outcome = run(["plugins", "--json", "--plugins", dir]);
    assert_code(&outcome, 0);
    assert_eq!(listed(&outcome), listed(&run(["plugins", "--json"])));
    let attempts = outcome.json()["attempts"].as_array().unwrap().clone();
    let of = |name: &str| {
        let ending = format!("lib{name}{DLL_SUFFIX}");
        attempts.iter().find(|attempt| attempt["path"].as_str().unwrap().ends_with(&ending)).cloned()
    };
    for name in ["text", "empty", "head", "half", "zeros"] {
        let attempt = of(name).unwrap();
        assert_eq!(attempt["result"], "refused", "{attempt}");
        assert!(attempt["reason"].as_str().is_some_and(|reason| reason.len() > 10), "{attempt}");
    }
    if let Some(attempt) = of("system") {
        assert_eq!(attempt["result"], "not-a-plugin", "{attempt}");
    }
    let hash_of_match = |options: &[&str]| {
        let outcome = run([&["run", "worlds/f2000.toml", "--steps", "50", "--json"], options].concat());
        assert_code(&outcome, 0);
        outcome.json()["state_hash"].clone()
    };
    assert_eq!(hash_of_match(&["--plugins", dir]), hash_of_match(&[]));
}

/// The C library that this test is linked to, where the system says so.
fn c_library() -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let paths = maps.lines().filter_map(|line| line.split_ascii_whitespace().nth(5));
    paths.map(Path::new).find(|path| path.to_string_lossy().contains("libc")).map(Path::to_owned)
}

/// R1: the schemas are JSON Schemas; they take what is shipped and refuse what nobody knows.
#[test]
fn the_schemas_fit_the_shipped_files() {
    for (of, folder) in [("robot", "robots"), ("world", "worlds"), ("tournament", "worlds/tournaments")] {
        let outcome = run(["schema", of]);
        assert_code(&outcome, 0);
        let schema = outcome.json();
        assert!(jsonschema::meta::is_valid(&schema), "{schema}");
        let schema = jsonschema::validator_for(&schema).unwrap();
        for file in shipped(folder) {
            let table: toml::Table = fs::read_to_string(root().join(&file)).unwrap().parse().unwrap();
            let mut value = serde_json::to_value(table).unwrap();
            let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
            // What a part brings is not there yet; nothing that is there is wrong.
            assert!(errors.is_empty(), "{file}: {errors:?}");
            value["no_such_key"] = 1.into();
            assert!(!schema.is_valid(&value), "{file}: an unknown key is accepted");
        }
    }
}
