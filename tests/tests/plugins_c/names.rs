//! Plugins that ask for fixtures by name, in C.

use super::sound::readings;
use super::{BODY, compile, write};
use crate::build::plugin_dir;
use crate::program::run;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use touchline_config::load_world;
use touchline_host::Host;
use touchline_sim::{EventKind, World};

/// A ball rolls along +x into a post that has no name, back into a wall that has one, and so on. The painted spot and the order of the file
/// are such that the places of the file are not those of the view.
const WORLD: &str = r#"
name = "w"
referee = { plugin = "names-c" }
fixture = [
    { role = "line", shape = "rectangle", solid = false, x_m = 0.5, length_m = 0.05, width_m = 2.0 },
    { role = "area", shape = "circle", solid = false, x_m = 0.7, radius_m = 0.05 },
    { role = "pole", shape = "circle", x_m = 9.0, radius_m = 0.1 },
    { role = "pole", shape = "circle", x_m = 2.0, radius_m = 0.1 },
    { role = "wall", name = "west", shape = "rectangle", x_m = -1.05, length_m = 0.1, width_m = 4.0 },
]
[[ball]]
radius_m = 0.1
mass_kg = 0.4
restitution = 0.9
friction = 0.2
velocity_m_s = [3.0, 0.0]
[[robot]]
name = "r"
file = "robot.toml"
pose = { x_m = 0.0, y_m = 2.0 }
"#;

fn plugins(folder: &TempDir) {
    compile(folder, "names_sensor", "names.c", &[]);
    compile(folder, "names_referee", "names.c", &["-DREFEREE"]);
}

fn robot(landmark: &str) -> String {
    format!(
        "{BODY}[motion]\nplugin = \"differential\"\n[[sensor]]\nid = \"post\"\nplugin = \"names-c\"\n\
         params = {{ landmark = \"{landmark}\" }}\n"
    )
}

/// G1, P7: a contact tells which fixture it was, by both laws, and the world's own events say the same.
#[test]
fn a_referee_in_c_is_told_what_was_touched() {
    let folder = tempfile::tempdir().unwrap();
    plugins(&folder);
    write(&folder, "robot.toml", &robot("pole-2"));
    for law in ["rigid", "discs"] {
        let file = write(
            &folder,
            "world.toml",
            &WORLD.replacen('\n', &format!("\nphysics = {{ law = \"{law}\" }}\n"), 1),
        );
        let host = Arc::new(Host::scan(&[plugin_dir().to_owned(), folder.path().to_owned()]));
        let scenario = load_world(Path::new(&file), &*host).unwrap_or_else(|report| panic!("{report}"));
        let mut world = World::new(scenario, host).unwrap();
        (0..300).for_each(|_| drop(world.step(&[])));
        let (mut told, mut touched) = (Vec::new(), Vec::new());
        for event in world.events() {
            match &event.kind {
                EventKind::Game { kind, text, .. } if kind == "touched" => told.push(text.clone()),
                EventKind::Contact { a, b } if b == "ball-0" => touched.push(a.clone()),
                EventKind::RobotAdded { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(told, ["pole-2", "west", "pole-2"], "{law}");
        assert_eq!(touched, told, "{law}");
    }
}

/// S1, P7: a sensor finds a landmark by its name, and refuses a name that nothing has.
#[test]
fn a_sensor_in_c_finds_a_landmark_by_name() {
    let folder = tempfile::tempdir().unwrap();
    plugins(&folder);
    let plugins = folder.path();
    for (landmark, distance_mm) in [("pole-2", 8f64.sqrt() * 1e3), ("west", 2.0f64.hypot(1.05) * 1e3)] {
        write(&folder, "robot.toml", &robot(landmark));
        let world = write(&folder, "world.toml", WORLD);
        let read = readings(&world, plugins, "post", 1);
        assert!((read[0] - distance_mm).abs() < 1.0, "{landmark}: {read:?}");
    }
    write(&folder, "robot.toml", &robot("pole-3"));
    let checked =
        run(["check", &write(&folder, "world.toml", WORLD), "--plugins", plugins.to_str().unwrap()]);
    let said = format!("{}{}", checked.stdout, checked.stderr);
    assert!(checked.code != Some(0) && said.contains("there is no fixture \"pole-3\""), "{said}");
}
