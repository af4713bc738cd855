//! The files that are shipped load, and say what they are meant to say. [W1, R1]
//!
//! Whether the real plugins accept their parameters is tested with the built server.

use crate::support::Fakes;
use std::path::{Path, PathBuf};
use touchline_config::{Disk, Memory, load_robot, load_world, parse_robot, parse_world};
use touchline_plugin_api::view::Role;
use touchline_sim::Scenario;

const FAKES: Fakes = Fakes { strict_laser: false };

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

fn world(name: &str) -> Scenario {
    let path = root().join("worlds").join(name);
    load_world(&path, &FAKES).unwrap_or_else(|report| panic!("{report}"))
}

#[test]
fn every_world_and_every_robot_loads_under_its_name() {
    for path in toml_files("worlds") {
        let world = load_world(&path, &FAKES).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(world.name, path.file_stem().unwrap().to_string_lossy());
    }
    for path in toml_files("robots") {
        let robot = load_robot(&path, &FAKES).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(robot.model, path.file_stem().unwrap().to_string_lossy());
    }
}

#[test]
fn every_file_says_first_what_it_is_true_to() {
    for path in ["worlds", "worlds/parts", "robots", "robots/parts"].into_iter().flat_map(toml_files) {
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("# "), "{}", path.display());
    }
}

/// W1: the league's field: 10 x 5 m, two goals, four corner posts, four against four with three drives a side.
#[test]
fn the_league_world_is_a_match() {
    let world = world("f2000.toml");
    assert_eq!((world.dt_secs, world.seed, world.balls.len()), (0.01, 1, 1));
    assert_eq!(world.teams.iter().map(|team| team.name.as_str()).collect::<Vec<_>>(), ["blue", "yellow"]);
    let goals: Vec<_> = world.fixtures.iter().filter(|fixture| fixture.role == Role::Goal).collect();
    assert_eq!(goals.iter().map(|goal| goal.team).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert!(goals.iter().all(|goal| !goal.solid));
    assert_eq!(world.fixtures.iter().filter(|fixture| fixture.role == Role::Pole).count(), 8);
    assert!(world.fixtures.iter().filter(|fixture| fixture.role == Role::Line).all(|line| !line.solid));
    for team in [0, 1] {
        let robots: Vec<_> = world.robots.iter().filter(|robot| robot.team == Some(team)).collect();
        let models: Vec<_> = robots.iter().map(|robot| robot.spec.model.as_str()).collect();
        assert_eq!(models, ["keeper", "pioneer", "scout", "omni3"]);
        assert!(robots.iter().all(|robot| robot.player.is_some() && robot.pose.is_some()));
    }
    assert!(world.radio.range_m.is_infinite());
}

/// W1: every league's field has its markings: an area before each goal, and a circle round the middle.
#[test]
fn the_fields_of_leagues_have_areas_and_a_centre_circle() {
    for (name, circle_m, area_m) in
        [("f2000.toml", 1.0, 3.75), ("middle-size.toml", 2.0, 8.75), ("small-size.toml", 0.5, 4.2)]
    {
        let world = world(name);
        let lines = || world.fixtures.iter().filter(|fixture| fixture.role == Role::Line);
        assert!(lines().all(|line| !line.solid), "{name}");
        let poses = || lines().map(|line| line.primitive.pose);
        for side in [1.0, -1.0] {
            assert!(
                poses().any(|pose| pose.x_m == side * area_m && pose.y_m == 0.0),
                "{name}: the area's line"
            );
        }
        let is_on_circle = |radius: f64| (radius - circle_m).abs() < 0.05 * circle_m;
        let radii = poses().map(|pose| (pose.x_m * pose.x_m + pose.y_m * pose.y_m).sqrt());
        assert!(radii.filter(|radius| is_on_circle(*radius)).count() >= 16, "{name}: the circle");
    }
}

/// R1: robots of one file share one specification.
#[test]
fn a_robot_file_is_read_once() {
    let world = world("f2000.toml");
    assert!(std::sync::Arc::ptr_eq(&world.robots[1].spec, &world.robots[5].spec));
}

/// R1, R5: parts come before the file's own lists, and the file's own keys win.
#[test]
fn the_pioneer_is_put_together_from_its_parts() {
    let robot = load_robot(&root().join("robots/pioneer.toml"), &FAKES).unwrap();
    let ids: Vec<_> = robot.sensors.iter().map(|sensor| sensor.id.as_str()).collect();
    assert_eq!(ids, ["laser", "camera", "posts", "odometry", "sonar"]);
    assert_eq!(robot.sensors[0].model, "LMS200");
    assert_eq!(robot.sensors[0].choice.params["beams"], 361);
    assert_eq!(robot.body.len(), 3);
    assert_eq!(robot.colour, 0xcc2222);
    let kicker = &robot.manipulators[0];
    assert_eq!((kicker.name.as_str(), kicker.states[1].name.as_str()), ("kicker", "kick"));
    assert!(kicker.states[0].kick.is_none() && kicker.states[1].kick.is_some());
}

/// Robots that are shipped with sensors that make no errors as well.
const TWINS: [&str; 10] = [
    "catcher",
    "keeper",
    "necked",
    "omni3",
    "pioneer",
    "scout",
    "small-size",
    "turtlebot-learned",
    "turtlebot",
    "watcher",
];

/// R1: a twin without noise is its sibling in everything but what its sensors' parameters say of their errors.
#[test]
fn a_perfect_twin_differs_in_its_errors_alone() {
    let load = |name: &str| load_robot(&root().join(format!("robots/{name}.toml")), &FAKES).unwrap();
    let found: Vec<_> = toml_files("robots")
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.strip_suffix("-perfect")?.to_owned()))
        .collect();
    assert_eq!(found, TWINS);
    for name in TWINS {
        let (sibling, mut twin) = (load(name), load(&format!("{name}-perfect")));
        assert_eq!(twin.model, format!("{name}-perfect"));
        assert_eq!(twin.sensors.len(), sibling.sensors.len());
        for (sensor, own) in twin.sensors.iter_mut().zip(&sibling.sensors) {
            let errors = sensor.choice.params.as_object().unwrap().clone();
            for (key, value) in &errors {
                let is_error = key.starts_with("sigma_") || key.ends_with("_probability");
                assert!(!is_error || value == 0.0, "{name}, {}: {key} = {value}", sensor.id);
                let params = sensor.choice.params.as_object_mut().unwrap();
                match own.choice.params.get(key) {
                    Some(value) if is_error => drop(params.insert(key.clone(), value.clone())),
                    None if is_error => drop(params.remove(key)),
                    _ => {}
                }
            }
        }
        twin.model = name.into();
        assert_eq!(twin, sibling, "{name}");
    }
}

/// R1: of an included robot, the entry of the same name is changed key by key; what has another name is added.
#[test]
fn an_entry_with_a_parts_name_changes_it() {
    let path = root().join("robots/theirs.toml");
    let text = "include = [\"pioneer.toml\"]\nmodel = \"theirs\"\n\
                [[sensor]]\nid = \"laser\"\nmount = { z_m = 0.2 }\n\
                [[sensor]]\nid = \"laser2\"\nplugin = \"laser\"\n\
                [[manipulator]]\nname = \"flap\"\nstate = [{ name = \"open\" }]\n";
    let robot = parse_robot(text, &path, &Disk, &FAKES).unwrap_or_else(|report| panic!("{report}"));
    let ids: Vec<_> = robot.sensors.iter().map(|sensor| sensor.id.as_str()).collect();
    assert_eq!(ids, ["laser", "camera", "posts", "odometry", "sonar", "laser2"]);
    let laser = &robot.sensors[0];
    assert_eq!((laser.mount.x_m, laser.mount.z_m), (0.017, 0.2), "what is not said stays");
    assert_eq!(laser.choice.params["beams"], 361);
    assert_eq!(robot.manipulators.len(), 2);
    assert_eq!((robot.model.as_str(), robot.body.len()), ("theirs", 3));
}

/// R1: every part can be taken by a robot of somebody else.
#[test]
fn every_part_can_be_included() {
    for part in toml_files("robots/parts") {
        let text = format!(
            "model = \"bare\"\nmass_kg = 10.0\ninclude = [{part:?}]\n[motion]\nplugin = \"omni\"\n\
             [[body]]\nshape = \"circle\"\nradius_m = 0.2\n"
        );
        let robot = parse_robot(&text, Path::new("bare.toml"), &Disk, &FAKES)
            .unwrap_or_else(|report| panic!("{}: {report}", part.display()));
        // A part is something to perceive or to act with, or a body or its motion, which the robot above has already.
        let own = std::fs::read_to_string(&part).unwrap();
        let brings = !robot.sensors.is_empty() || !robot.manipulators.is_empty();
        assert!(brings || own.contains("[motion]") || own.contains("[[body]]"), "{}", part.display());
    }
}

/// P5: of two sensors that give the same feature the first is found. Whatever else a robot can see with, its players
/// go on to use the camera.
#[test]
fn a_camera_stands_before_a_mirror() {
    for name in ["scout", "omni3"] {
        let robot = load_robot(&root().join(format!("robots/{name}.toml")), &FAKES).unwrap();
        let plugins: Vec<_> = robot.sensors.iter().map(|sensor| sensor.choice.plugin.as_str()).collect();
        let place = |plugin| plugins.iter().position(|other| *other == plugin);
        assert!(place("camera").unwrap() < place("omnivision").unwrap(), "{name}: {plugins:?}");
    }
}

/// To JSON Schema 7.0 is an integer; so it is to the types.
#[test]
fn a_whole_number_may_be_written_with_a_point() {
    let text = "name = \"w\"\nseed = 7.0\ndt_s = 0.01\nradio = { max_bytes = 64.0 }\n";
    let world = parse_world(text, Path::new("w.toml"), &Memory::default(), &FAKES).unwrap();
    assert_eq!((world.seed, world.radio.max_bytes), (7, 64));
}
