//! The tree compiles with the worked examples of docs/contributing.md.

use crate::program::root;
use crate::worked_examples::examples;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn ran(program: &mut Command) -> Output {
    let output = program.output().unwrap();
    assert!(output.status.success(), "{program:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A copy of the tree's files, as git knows them.
fn copy_of_the_tree(copy: &Path) {
    let listed = ran(Command::new("git").args(["ls-files", "-z"]).current_dir(root()));
    for path in String::from_utf8(listed.stdout).unwrap().split_terminator('\0') {
        let (from, to) = (root().join(path), copy.join(path));
        // One that is taken out and not yet committed.
        if from.exists() {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(from, to).unwrap();
        }
    }
}

#[test]
fn the_tree_compiles_with_the_worked_examples() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    copy_of_the_tree(&tree);
    for change in examples().into_iter().flatten() {
        let file = tree.join(&change.path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, change.text).unwrap();
    }
    // The text says to take that of the compass.
    let manifest = fs::read_to_string(tree.join("plugins/sensor-compass/Cargo.toml")).unwrap();
    let manifest = manifest.replace("touchline-sensor-compass", "touchline-sensor-speed");
    fs::write(tree.join("plugins/sensor-speed/Cargo.toml"), manifest).unwrap();

    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let packages = ["touchline-board-server", "touchline-sensor-speed", "touchline-sim"];
    let chosen = packages.iter().flat_map(|package| ["--package", package]);
    let target = folder.path().join("target");
    ran(Command::new(cargo)
        .args(["check", "--quiet"])
        .args(chosen)
        .current_dir(&tree)
        .env("CARGO_TARGET_DIR", target)
        // A lint that speaks would be seen by whoever follows the example.
        .env("RUSTFLAGS", "-Dwarnings"));
}
