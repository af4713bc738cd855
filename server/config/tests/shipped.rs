//! The files that are shipped load, and say what they are meant to say. [W1, R1]

mod support;

use std::path::{Path, PathBuf};
use support::Fakes;
use touchline_config::{load_robot, load_world};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn toml_files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(!files.is_empty(), "no files in {folder}");
    files
}

#[test]
fn every_world_loads() {
    for path in toml_files("worlds") {
        let world =
            load_world(&path, &Fakes { strict_laser: false }).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(world.name, path.file_stem().unwrap().to_string_lossy());
    }
}
