//! What the user is told of wrong files: one file in tests/invalid for each case, one snapshot for each file. (R1)
//!
//! After a wanted change of words: `INSTA_UPDATE=always cargo test -p touchline-config --test suite invalid`, and read the diff.

use crate::support::Fakes;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_config::{
    CODES, Memory, Report, ShippedParts, parse_robot, parse_tournament, parse_world, refused_world,
};
use touchline_sim::{CommandError, NoStart, PluginFactory, WorldError};

const FAKES: Fakes = Fakes { strict_laser: true };

fn fakes() -> Arc<dyn PluginFactory> {
    Arc::new(FAKES)
}

/// All files below tests/invalid, named from there.
fn files() -> Memory {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/invalid");
    let mut files = BTreeMap::new();
    for folder in ["robots", "robots/parts", "tournaments", "worlds", "worlds/parts"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml" || extension == "csv") {
                let text = std::fs::read_to_string(&path).unwrap();
                files.insert(path.strip_prefix(&root).unwrap().to_owned(), text);
            }
        }
    }
    Memory { files }
}

fn reports() -> Vec<(PathBuf, Report)> {
    let files = files();
    let mut reports = Vec::new();
    for (path, text) in &files.files {
        let report = match path.parent().unwrap().to_str().unwrap() {
            "robots" => parse_robot(text, path, &files, &FAKES).map(|_| ()),
            "worlds" => parse_world(text, path, &files, &FAKES).map(|_| ()),
            "tournaments" => parse_tournament(text, path, &files, &fakes()).map(|_| ()),
            _ => continue,
        };
        let report = report.expect_err(&format!("{} has nothing wrong with it", path.display()));
        reports.push((path.clone(), report));
    }
    reports
}

#[test]
fn every_wrong_file_has_its_message() {
    for (path, report) in reports() {
        let name = path.with_extension("").display().to_string().replace('/', "__");
        insta::assert_snapshot!(name, report);
    }
}

/// R1: whoever is told that a plugin does not take a parameter is told what to try.
#[test]
fn whatever_a_plugin_refuses_has_a_hint() {
    let reports = reports();
    let problems = reports.iter().flat_map(|(_, report)| &report.problems);
    let of_plugins: Vec<_> = problems
        .filter(|problem| problem.code.starts_with("plugin/") || problem.what.contains("\"params."))
        .collect();
    assert!(of_plugins.len() > 15, "{of_plugins:?}");
    for problem in of_plugins {
        assert!(problem.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "{problem}");
    }
}

/// R1: what the simulation refuses of a sound file has its place there, the robot's name once, and a hint for files.
#[test]
fn what_the_simulation_refuses_has_its_place() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused.toml");
    let robot = "[[robot]]\nname = \"r1\"\nfile = \"r.toml\"\n";
    std::fs::write(&path, format!("name = \"w\"\n\n{robot}\n{robot}pose = {{ x_m = 1.0 }}\n")).unwrap();
    let refused = |index: usize, error: CommandError| {
        let error = WorldError { place: "robot \"r1\"".into(), index: Some(index), error };
        refused_world(&path, &error).problems[0].clone()
    };
    let full = refused(0, CommandError::WorldIsFull("r1".into()));
    assert_eq!((full.line, full.code), (4, "config/no-place"));
    assert_eq!(full.what, "robot \"r1\": there is no free place for it in this world");
    assert!(full.hint.as_ref().is_some_and(|hint| hint.contains("pose = { x_m = ")), "{full:?}");
    let no_room =
        CommandError::NoRoom { name: "r1".into(), x_m: 1.0, y_m: 0.0, other: "the fixtures".into() };
    let no_room = refused(1, no_room);
    assert_eq!((no_room.line, no_room.code), (10, "config/overlap"), "{no_room:?}");
    let bad = CommandError::BadRobot { name: "r1".into(), problem: "motion: it is off".into() };
    let bad = refused(1, bad);
    assert_eq!((bad.code, bad.what.as_str()), ("config/refused", "robot \"r1\": motion: it is off"));

    std::fs::write(&path, "name = \"w\"\n\n[episode]\nmax_s = 1.0\n").unwrap();
    let no_start = NoStart { name: "ball-0".into(), problem: "something is in its way".into() };
    let error = WorldError { place: "episode".into(), index: None, error: no_start.into() };
    let no_start = refused_world(&path, &error).problems[0].clone();
    assert_eq!((no_start.line, no_start.code), (3, "config/no-place"), "{no_start:?}");
    assert_eq!(no_start.what, "ball-0 has no free start: something is in its way");
    assert!(no_start.hint.as_ref().is_some_and(|hint| hint.contains("[[episode.start]]")), "{no_start:?}");
}

#[test]
fn every_code_is_shown_by_a_file_and_explained() {
    let mut seen: BTreeSet<&str> =
        reports().iter().flat_map(|(_, report)| &report.problems).map(|problem| problem.code).collect();
    // What only the simulation finds; see the next test.
    seen.extend(["config/no-place", "config/refused"]);
    let explained: BTreeSet<&str> = CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(seen, explained);
}

#[test]
fn places_are_in_their_files() {
    let files = files();
    for problem in reports().iter().flat_map(|(_, report)| &report.problems) {
        crate::support::assert_place(problem, files.files.get(&problem.file).map_or("", String::as_str));
    }
}

/// C2: a robot file from outside names the server's own parts, and no other file of the machine.
#[test]
fn an_uploaded_file_cannot_reach_other_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let parts = ShippedParts::new(root.join("robots"));
    let fakes = Fakes { strict_laser: false };
    let robot = |include: &str| {
        let text = format!(
            "include = ['{include}']\nmodel = \"r\"\nmass_kg = 1.0\nmotion = {{ plugin = \"omni\" }}\nbody = [{{ shape = \"circle\", radius_m = 0.2 }}]\n"
        );
        parse_robot(&text, Path::new("upload.toml"), &parts, &fakes)
    };
    let spec = robot("parts/odometry.toml").unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(spec.sensors.len(), 1);
    let whole = robot("turtlebot.toml").unwrap_or_else(|report| panic!("{report}"));
    assert_eq!((whole.sensors.len(), whole.model.as_str()), (2, "r"), "a whole robot, with its own parts");
    let outside = ["/etc/passwd", "../Cargo.toml", "parts/../../Cargo.toml", "..", "parts", "a\\b.toml"];
    for name in outside {
        let report = robot(name).unwrap_err();
        assert_eq!(report.problems.len(), 1, "{report}");
        assert_eq!(
            (report.problems[0].code, report.problems[0].line),
            ("config/file-not-read", 1),
            "{report}"
        );
    }
    let absolute = root.join("robots/parts/odometry.toml").display().to_string();
    assert!(robot(&absolute).is_err(), "an absolute name tells where the files are");
}
