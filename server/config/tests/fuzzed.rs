//! Any text as a file that a user writes: no panic, and every problem has a place in the text. (R1, I6)
//!
//! What the fuzz targets `config` and `keys` ask, and what is asked here of their corpora.

use crate::support::{Fakes, assert_place};
use std::path::Path;
use std::sync::Arc;
use touchline_config::{Memory, Report, parse_keys, parse_robot, parse_tournament, parse_world};
use touchline_sim::PluginFactory;
use touchline_sim::scenario::Team;

/// As a robot, a world and a tournament.
pub fn config(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (name, fakes, no_files) = (Path::new("fuzz.toml"), Fakes { strict_laser: true }, Memory::default());
    check(text, parse_robot(text, name, &no_files, &fakes).map(drop));
    check(text, parse_world(text, name, &no_files, &fakes).map(drop));
    let fakes: Arc<dyn PluginFactory> = Arc::new(fakes);
    check(text, parse_tournament(text, name, &no_files, &fakes).map(drop));
}

/// As keys, in a world with two teams and in one that is not known.
pub fn keys(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let team = |name: &str| Team { name: name.into(), colour: 0, players: Vec::new() };
    let teams = [team("blue"), team("yellow")];
    for teams in [None, Some(&teams[..])] {
        let report = parse_keys(text, Path::new("keys.toml"), teams);
        if let Ok(spec) = &report {
            assert!(!spec.keys.is_empty(), "a file without keys opens nothing");
        }
        check(text, report.map(drop));
    }
}

fn check(text: &str, report: Result<(), Report>) {
    let Err(report) = report else { return };
    assert!(!report.problems.is_empty());
    for problem in &report.problems {
        assert_place(problem, text);
        let _ = problem.to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    /// The TOML files of a folder of the repository.
    fn files(folder: &str) -> Vec<Vec<u8>> {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
    }

    #[test]
    fn a_thousand_mutants_of_files_do_no_harm() {
        let folders = ["robots", "robots/parts", "worlds", "tests/invalid/robots", "tests/invalid/worlds"];
        let made = folders.iter().flat_map(|folder| files(folder)).filter(|file| file.len() < 4000);
        replay("config", made.chain(files("tests/invalid/tournaments")).collect(), config);
    }

    #[test]
    fn a_thousand_mutants_of_keys_do_no_harm() {
        let digest = format!("sha256 = \"{}\"", "ba7816bf8f01cfea".repeat(4));
        let whole = format!(
            "teams_see = \"world\"\nteam_robots = [\"pioneer\"]\n[[key]]\nname = \"y\"\nrole = \"team\"\n\
             team = \"yellow\"\nmax_robots = 4\n{digest}\n[[key]]\nname = \"r\"\nrole = \"player\"\nteam = \"blue\"\n\
             robot = \"blue-1\"\n{digest}\n[[key]]\nname = \"boss\"\nrole = \"operator\"\n{digest}\n"
        );
        replay("keys", vec![whole.into_bytes()], keys);
    }
}
