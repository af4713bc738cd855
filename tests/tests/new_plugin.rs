//! `touchline new-plugin`: what it makes builds, passes its tests, loads, and can be used. (P8)

use crate::program::{outcome, run, touchline};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Where the new crates are built: they are no part of the workspace, and share what they need.
fn target() -> PathBuf {
    let target = touchline().ancestors().nth(3).expect("the program lies in the target folder");
    target.join("new-plugins")
}

/// Makes a crate, runs its tests, builds it; gives the library.
fn made_and_built(kind: &str, name: &str, folder: &Path) -> PathBuf {
    let folder_name = folder.to_str().expect("a path in UTF-8");
    let made = run(["new-plugin", kind, name, folder_name]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let krate = folder.join(format!("{kind}-{name}"));
    assert!(made.stdout.contains(&format!("made {}", krate.display())), "{made:?}");
    for arguments in [["test", "--offline"], ["build", "--offline"]] {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(arguments).current_dir(&krate).env("CARGO_TARGET_DIR", target());
        // A newcomer's crate is free of warnings as well.
        cargo.env("RUSTFLAGS", "-D warnings").env_remove("RUSTC_WORKSPACE_WRAPPER");
        let built = outcome(&mut cargo);
        assert_eq!(built.code, Some(0), "cargo {arguments:?}: {}{}", built.stdout, built.stderr);
        if arguments[0] == "test" {
            let tests = if kind == "sensor" { 3 } else { 1 };
            let passed = format!("test result: ok. {tests} passed");
            assert!(built.stdout.contains(&passed), "{}", built.stdout);
        } else {
            // What it uses is compiled once for its tests and for itself.
            let compiled = built.stderr.lines().filter(|line| line.trim_start().starts_with("Compiling"));
            assert_eq!(compiled.count(), 1, "{}", built.stderr);
        }
    }
    let library = format!("{DLL_PREFIX}{kind}_{}{DLL_SUFFIX}", name.replace('-', "_"));
    // Alone in a folder, so that no other test's plugin is found with it.
    let alone = folder.join("built");
    fs::create_dir(&alone).expect("a folder");
    fs::copy(target().join("debug").join(&library), alone.join(&library)).expect("the library");
    alone.join(library)
}

/// The new crate from its making to `plugins` and `check`; gives the temporary folder, with the library in `built`.
fn it_works(kind: &str, name: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let library = made_and_built(kind, name, folder.path());
    let library_name = library.to_str().expect("a path in UTF-8");
    let listed = run(["plugins", "--json", "--plugins", plugins(&folder).as_str()]);
    let plugins = listed.json()["plugins"].as_array().expect("a list").clone();
    let plugin = plugins.iter().find(|plugin| plugin["kind"] == kind && plugin["name"] == name);
    assert_eq!(plugin.unwrap_or_else(|| panic!("{listed:?}"))["path"], library_name);
    let checked = run(["check", library_name]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.stdout.contains(&format!("{kind} plugin \"{name}\" 0.1.0")), "{checked:?}");
    let world = folder.path().join(format!("{kind}-{name}/try/world.toml")).display().to_string();
    let tried =
        ["run", &world, "--steps", "100", "--expect", "faults == 0", "--plugins", &self::plugins(&folder)];
    let tried = run(tried);
    assert_eq!(tried.code, Some(0), "{tried:?}");
    folder
}

fn plugins(folder: &TempDir) -> String {
    folder.path().join("built").display().to_string()
}

/// Writes a file and checks it with the new plugin.
fn passes_check(folder: &TempDir, file: &str, text: &str) {
    let path = folder.path().join(file);
    fs::write(&path, text).expect("a file");
    let checked =
        run(["check", path.to_str().expect("a path in UTF-8"), "--plugins", plugins(folder).as_str()]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

const ROBOT: &str = "model = \"r\"\nmass_kg = 5.0\n[[body]]\nshape = \"circle\"\nradius_m = 0.2\n";

/// Whatever its name is: here a word that Rust keeps for itself.
#[test]
fn a_new_motion_model_drives_a_robot() {
    let folder = it_works("motion", "self");
    let motion = "[motion]\nplugin = \"self\"\nparams = { max_speed_m_s = 0.5 }\n";
    passes_check(&folder, "robot.toml", &format!("{ROBOT}{motion}"));
}

#[test]
fn a_new_sensor_sits_on_a_robot() {
    let folder = it_works("sensor", "wheel-slip");
    let rest = "[motion]\nplugin = \"omni\"\n[[sensor]]\nid = \"slip\"\nplugin = \"wheel-slip\"\nparams = { sigma_rad = 0.1 }\n";
    let motion =
        "params = { wheel_angles_rad = [1.0, 3.1, -1.0], wheel_radius_m = 0.05, centre_distance_m = 0.2 }\n";
    let rest = rest.replace("plugin = \"omni\"\n", &format!("plugin = \"omni\"\n{motion}"));
    passes_check(&folder, "robot.toml", &format!("{ROBOT}{rest}"));
}

/// Whatever its name is: here that of the trait.
#[test]
fn a_new_player_plays() {
    let folder = it_works("player", "player");
    let motion = "[motion]\nplugin = \"differential\"\n";
    fs::write(folder.path().join("robot.toml"), format!("{ROBOT}{motion}")).expect("a file");
    let world = "name = \"w\"\n[[robot]]\nname = \"r\"\nfile = \"robot.toml\"\n\
                 player = { plugin = \"player\", rate_hz = 30, params = { speed_m_s = 0.2 } }\n";
    passes_check(&folder, "world.toml", world);
    let world = folder.path().join("world.toml").display().to_string();
    let played = run(["run", &world, "--steps", "100", "--json", "--plugins", plugins(&folder).as_str()]);
    assert_eq!((played.code, &played.json()["faults"]), (Some(0), &serde_json::json!([])), "{played:?}");
}

#[test]
fn a_new_referee_judges() {
    let folder = it_works("referee", "golden-goal");
    let world = "name = \"w\"\n[referee]\nplugin = \"golden-goal\"\n[[team]]\nname = \"blue\"\ncolour = \"#0000ff\"\n\
                 [[team]]\nname = \"yellow\"\ncolour = \"#ffff00\"\n[[ball]]\nradius_m = 0.1\nmass_kg = 0.4\n\
                 [[fixture]]\nshape = \"rectangle\"\nrole = \"goal\"\nteam = \"blue\"\nsolid = false\nlength_m = 1.0\nwidth_m = 1.0\n";
    passes_check(&folder, "world.toml", world);
    let world = folder.path().join("world.toml").display().to_string();
    let played = run(["run", &world, "--steps", "10", "--json", "--plugins", plugins(&folder).as_str()]);
    let summary = played.json();
    assert_eq!((played.code, &summary["faults"]), (Some(0), &serde_json::json!([])), "{played:?}");
    // The ball lies in blue's goal, and is put back there after each.
    assert!(summary["score"]["yellow"].as_u64().is_some_and(|goals| goals > 0), "{summary}");
    assert_eq!(summary["score"]["blue"], 0);
}

/// What somebody has written is never overwritten.
#[test]
fn a_folder_that_exists_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let krate = folder.path().join("sensor-sonar");
    fs::create_dir(&krate).expect("a folder");
    fs::write(krate.join("Cargo.toml"), "mine").expect("a file");
    let made = run(["new-plugin", "sensor", "sonar", folder.path().to_str().expect("a path in UTF-8")]);
    assert_eq!((made.code, made.stdout.as_str()), (Some(4), ""), "{made:?}");
    assert!(made.stderr.contains("sensor-sonar") && made.stderr.contains("nothing was changed"), "{made:?}");
    assert_eq!(fs::read_to_string(krate.join("Cargo.toml")).expect("the file"), "mine");
    assert_eq!(fs::read_dir(&krate).expect("the folder").count(), 1);
}
