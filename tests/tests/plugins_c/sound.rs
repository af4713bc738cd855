//! What `new-plugin --language` makes, and the examples: built, tested, loaded, used.

use super::{BODY, cmake, library, write};
use crate::client::Client;
use crate::program::{Server, root, run};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A new plugin from its making to `plugins` and `check`; gives its library's folder.
fn made(folder: &TempDir, language: &str, kind: &str, name: &str) -> PathBuf {
    let made = run(["new-plugin", kind, name, folder.path().to_str().unwrap(), "--language", language]);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.stdout.contains("cmake -B build"), "{made:?}");
    let project = folder.path().join(format!("{kind}-{name}"));
    let build = project.join("build");
    cmake(&project, &build);
    loads(&build, kind, name);
    let file = build.join(library(&format!("{kind}_{}", name.replace('-', "_"))));
    let kept = run(["check", "--contract", file.to_str().unwrap()]);
    assert!(kept.code == Some(0) && kept.stdout.contains("keeps its contract"), "{kept:?}");
    build
}

/// `plugins` lists it, `check` accepts it.
fn loads(build: &Path, kind: &str, name: &str) {
    let listed = run(["plugins", "--json", "--plugins", build.to_str().unwrap()]).json();
    let plugins = listed["plugins"].as_array().unwrap();
    let is_it = |plugin: &&serde_json::Value| plugin["kind"] == kind && plugin["name"] == name;
    let plugin = plugins.iter().find(is_it).unwrap_or_else(|| panic!("{listed}"));
    let file = library(&format!("{kind}_{}", name.replace('-', "_")));
    assert!(plugin["path"].as_str().unwrap().ends_with(&file), "{plugin}");
    let checked = run(["check", build.join(file).to_str().unwrap()]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.stdout.contains(&format!("{kind} plugin \"{name}\" 0.1.0")), "{checked:?}");
}

fn check(file: &str, plugins: &Path) -> (Option<i32>, String) {
    let checked = run(["check", file, "--plugins", plugins.to_str().unwrap()]);
    (checked.code, checked.stdout + &checked.stderr)
}

/// The readings of one sensor in a running world, by hand over the board.
pub(super) fn readings(world: &str, plugins: &Path, sensor: &str, count: usize) -> Vec<f64> {
    let server = Server::start(world, &["--plugins", plugins.to_str().unwrap()]);
    let mut client = Client::connect(&server);
    let mut values = Vec::new();
    let mut last_step = 0;
    while values.len() < count {
        let answer = client.ok(&format!("GET r {sensor}"));
        let step = answer.number("step");
        if step != last_step {
            let data = answer.line("DATA").to_owned();
            values.push(data.rsplit(' ').next().unwrap().parse::<u32>().unwrap() as i32 as f64);
            last_step = step;
        }
    }
    values
}

fn sensor(language: &str) {
    let folder = tempfile::tempdir().unwrap();
    let build = made(&folder, language, "sensor", "wheel-slip");
    let robot = |params: &str| {
        format!(
            "{BODY}[motion]\nplugin = \"differential\"\n[[sensor]]\nid = \"slip\"\nplugin = \"wheel-slip\"\n\
             params = {{ {params} }}\n"
        )
    };
    let file = write(&folder, "robot.toml", &robot("sigma_rad = 9.0"));
    let (code, said) = check(&file, &build);
    assert!(code != Some(0) && said.contains("sigma_rad") && said.contains("3.2"), "{said}");
    write(&folder, "robot.toml", &robot("sigma_rad = 0.1"));
    assert_eq!(check(&file, &build).0, Some(0));
    let world = write(
        &folder,
        "world.toml",
        "name = \"w\"\n[[robot]]\nname = \"r\"\nfile = \"robot.toml\"\npose = { theta_rad = 1.0 }\n",
    );
    // Around 1 rad In units of 0.1 mrad, with noise of 0.1 rad: five standard errors.
    let values = readings(&world, &build, "slip", 60);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64;
    assert!((mean - 10_000.0).abs() < 5.0 * 1000.0 / 60f64.sqrt(), "{mean}");
    assert!((0.3..2.5).contains(&(variance.sqrt() / 1000.0)), "{values:?}");
}

#[test]
fn a_new_sensor_in_c_gives_noisy_readings() {
    sensor("c");
}

#[test]
fn a_new_sensor_in_cpp_gives_noisy_readings() {
    sensor("cpp");
}

/// Motion, player and referee of one language, in a world of their own.
fn match_of(language: &str) {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("built");
    fs::create_dir(&plugins).unwrap();
    for (kind, name) in [("motion", "tracked"), ("player", "circler"), ("referee", "golden-goal")] {
        let file = library(&format!("{kind}_{}", name.replace('-', "_")));
        fs::copy(made(&folder, language, kind, name).join(&file), plugins.join(&file)).unwrap();
    }
    let motion = "[motion]\nplugin = \"tracked\"\nparams = { max_speed_m_s = 0.5 }\n";
    write(&folder, "robot.toml", &format!("{BODY}{motion}"));
    let text = "name = \"w\"\n[referee]\nplugin = \"golden-goal\"\n[[team]]\nname = \"blue\"\ncolour = \"#0000ff\"\n\
                 [[team]]\nname = \"yellow\"\ncolour = \"#ffff00\"\n[[ball]]\nradius_m = 0.1\nmass_kg = 0.4\n\
                 [[fixture]]\nshape = \"rectangle\"\nrole = \"goal\"\nteam = \"blue\"\nsolid = false\nlength_m = 1.0\n\
                 width_m = 1.0\n[[robot]]\nname = \"r\"\nteam = \"blue\"\nfile = \"robot.toml\"\npose = { x_m = 3.0 }\n\
                 player = { plugin = \"circler\", rate_hz = 30, params = { speed_m_s = 2.0 } }\n";
    let world = write(&folder, "world.toml", text);
    let played = run(["run", &world, "--steps", "100", "--json", "--plugins", plugins.to_str().unwrap()]);
    let summary = played.json();
    assert_eq!((played.code, &summary["faults"]), (Some(0), &serde_json::json!([])), "{played:?}");
    // The ball lies in blue's goal, and is put back there after each.
    assert!(summary["score"]["yellow"].as_u64().is_some_and(|goals| goals > 0), "{summary}");
    assert_eq!(summary["score"]["blue"], 0);
    let again = run(["run", &world, "--steps", "100", "--json", "--plugins", plugins.to_str().unwrap()]);
    assert_eq!(again.json()["state_hash"], summary["state_hash"]);
    // The player drives the robot: one that stands is in another place.
    let standing = write(&folder, "standing.toml", &text.replace("speed_m_s = 2.0", "speed_m_s = 0.0"));
    let standing =
        run(["run", &standing, "--steps", "100", "--json", "--plugins", plugins.to_str().unwrap()]);
    assert_ne!(standing.json()["state_hash"], summary["state_hash"]);
    assert!(summary["state_hash"].is_string(), "{summary}");
}

#[test]
fn new_plugins_in_c_play_together() {
    match_of("c");
}

#[test]
fn new_plugins_in_cpp_play_together() {
    match_of("cpp");
}

/// P7: the examples of the repository: a sonar in C, and a player in C++ that finds the ball by its feature.
#[test]
fn the_examples_work() {
    let folder = tempfile::tempdir().unwrap();
    let build = folder.path().join("built");
    cmake(&root().join("plugin-api/examples"), &build);
    loads(&build, "sensor", "sonar-c");
    loads(&build, "player", "chaser-cpp");
    loads(&build, "sensor", "ring-cpp");
    let robot = "[motion]\nplugin = \"differential\"\n[[sensor]]\nid = \"sonar\"\nplugin = \"sonar-c\"\n\
                 mount = { x_m = 0.2, z_m = 0.2 }\nparams = { sigma_m = 0.01 }\n\
                 [[sensor]]\nid = \"camera\"\nplugin = \"camera\"\nmount = { z_m = 0.5 }\n";
    write(&folder, "robot.toml", &format!("{BODY}{robot}"));
    let wall = "name = \"w\"\n[[fixture]]\nshape = \"rectangle\"\nrole = \"wall\"\nx_m = 2.0\nlength_m = 0.1\n\
                width_m = 4.0\n[[ball]]\nradius_m = 0.1\nmass_kg = 0.4\nx_m = 1.0\ny_m = 1.0\n[[robot]]\nname = \"r\"\n\
                file = \"robot.toml\"\npose = { x_m = 0.0 }\n";
    let still = write(&folder, "still.toml", wall);
    // The wall's near side is at 1.95 m, the sonar at 0.2 m: 1750 mm, and noise of 10 mm.
    let ranges = readings(&still, &build, "sonar", 40);
    assert!(ranges.iter().all(|range| (range - 1750.0).abs() < 60.0), "{ranges:?}");
    assert!(ranges.iter().any(|range| *range != ranges[0]), "{ranges:?}");
    let chase = format!("{wall}player = {{ plugin = \"chaser-cpp\", rate_hz = 30 }}\n");
    let chase = write(&folder, "chase.toml", &chase);
    let played = run(["run", &chase, "--steps", "600", "--json", "--plugins", build.to_str().unwrap()]);
    assert_eq!((played.code, &played.json()["faults"]), (Some(0), &serde_json::json!([])), "{played:?}");
    // It drives, which nobody does in the other world.
    let other = run(["run", &still, "--steps", "600", "--json", "--plugins", build.to_str().unwrap()]);
    assert_ne!(played.json()["state_hash"], other.json()["state_hash"]);
}

#[test]
fn languages_are_named() {
    let made = run(["new-plugin", "sensor", "x", "nowhere", "--language", "fortran"]);
    assert_eq!(made.code, Some(2), "{made:?}");
    assert!(made.stderr.contains("rust, c, cpp"), "{made:?}");
}
