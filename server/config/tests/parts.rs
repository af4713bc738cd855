//! Parts of robot and world files by themselves: what stands in them is checked, and what is missing is left to those that include them.

use std::fs;
use std::path::Path;
use touchline_config::{Disk, PartOf, Report, check_part};

fn check(of: PartOf, text: &str) -> Result<(), Report> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part.toml");
    fs::write(&path, text).unwrap();
    check_part(&path, of, &Disk)
}

/// The code and the hint of each problem.
fn told(of: PartOf, text: &str) -> Vec<(&'static str, String)> {
    let problems = check(of, text).expect_err(text).problems;
    problems.into_iter().map(|problem| (problem.code, problem.hint.unwrap_or_default())).collect()
}

/// R1: every part that is shipped is sound.
#[test]
fn the_shipped_parts_are_sound() {
    for (folder, of) in [("robots/parts", PartOf::Robot), ("worlds/parts", PartOf::World)] {
        let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)).unwrap();
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.extension().is_some_and(|ending| ending == "toml") {
                check_part(&path, of, &Disk).unwrap_or_else(|report| panic!("{report}"));
            }
        }
    }
}

/// R1: what is misspelt, of the wrong type, out of range or an unknown word is told as in a whole file.
#[test]
fn what_stands_in_a_part_is_checked() {
    let did_you_mean = |word: &str| format!("did you mean \"{word}\"?");
    assert_eq!(
        told(PartOf::Robot, "modle = \"x\"\n[motion]\nplugin = \"omni\"\n"),
        [("config/unknown-key", did_you_mean("model"))]
    );
    assert_eq!(
        told(PartOf::World, "nmae = \"x\"\n[[ball]]\nradius_m = 0.1\nmass_kg = 0.4\n"),
        [("config/unknown-key", did_you_mean("name"))]
    );
    let ball = |more: &str| format!("[[ball]]\nradius_m = 0.1\nmass_kg = 0.4\n{more}\n");
    for (more, code) in [
        ("x_m = \"left\"", "config/wrong-type"),
        ("restitution = 7.0", "config/out-of-range"),
        ("[radio]\nrange = 3.0", "config/unknown-key"),
        ("[[fixture]]\nshape = \"rectangel\"", "config/unknown-value"),
    ] {
        let codes: Vec<_> = told(PartOf::World, &ball(more)).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, [code], "{more}");
    }
}

/// The file that includes a part sets keys of its tables and of its named entries; to an entry without a name it can add nothing.
#[test]
fn what_is_missing_may_come_from_elsewhere() {
    for text in [
        "mass_kg = 3.0\n",
        "[motion]\ncommand_delay_s = 0.1\n",
        "[[sensor]]\nid = \"laser\"\nrate_hz = 5.0\n",
        "[[manipulator]]\nname = \"kicker\"\n",
    ] {
        assert!(check(PartOf::Robot, text).is_ok(), "{text}: {:?}", check(PartOf::Robot, text));
    }
    for text in [
        "[[body]]\nlength_m = 1.0\n",
        "[[sensor]]\nplugin = \"laser\"\n",
        "[[manipulator]]\nname = \"kicker\"\n[[manipulator.state]]\nreturns_after_s = 0.1\n",
    ] {
        assert!(told(PartOf::Robot, text).iter().any(|(code, _)| *code == "config/missing-key"), "{text}");
    }
}
