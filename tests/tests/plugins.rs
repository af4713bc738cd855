//! The host with real libraries: sound ones, broken ones, and such that misbehave. [P1, P6]

use crate::build::{plugin_dir, plugin_file};
use crate::client::Client;
use crate::program::{Server, outcome, touchline};
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use touchline_host::{Attempt, AttemptResult, Host, Refusal};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{MotionInstance, SensorInstance};
use touchline_plugin_api::motion::{MotionDescription, MotionInput, MotionSetup};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::plugin::{Fault, PluginKind};
use touchline_plugin_api::sensor::{AdvanceInput, SensorInput, SensorSetup};
use touchline_plugin_api::view::WorldView;
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

fn good() -> Vec<u8> {
    fs::read(plugin_file("touchline-test-misbehave")).unwrap()
}

/// The real plugin with every occurrence of some bytes replaced.
fn patched(from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = good();
    let mut found = 0;
    for start in 0..bytes.len() - from.len() {
        if bytes[start..].starts_with(from.as_bytes()) {
            bytes[start..start + from.len()].copy_from_slice(to.as_bytes());
            found += 1;
        }
    }
    assert!(found > 0, "there is no {from:?} in the plugin");
    bytes
}

fn file(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(format!("{name}{DLL_SUFFIX}"));
    fs::write(&path, bytes).unwrap();
    path
}

fn refused(attempt: &Attempt) -> &Refusal {
    match &attempt.result {
        AttemptResult::Refused(refusal) => refusal,
        _ => panic!("{attempt}"),
    }
}

/// P1: all plugins of the workspace are found, each under its own name, though all have the same door.
#[test]
fn every_plugin_of_the_workspace_loads() {
    let host = Host::scan(&[plugin_dir().to_owned()]);
    for attempt in host.attempts() {
        assert!(matches!(attempt.result, AttemptResult::Loaded(_)), "{attempt}");
    }
    let names: Vec<_> = host.descriptions().into_iter().map(|plugin| (plugin.kind, plugin.name)).collect();
    assert_eq!(names.len(), host.attempts().len());
    for (kind, name) in [
        (PluginKind::Motion, "differential"),
        (PluginKind::Motion, "omni"),
        (PluginKind::Motion, "misbehave"),
        (PluginKind::Sensor, "misbehave"),
        (PluginKind::Sensor, "laser"),
    ] {
        assert!(names.contains(&(kind, name.to_owned())), "{kind} {name} is not in {names:?}");
    }
    assert!(names.is_sorted());
}

/// P1: a file of the current folder is that file, and not what the system's loader finds elsewhere under its name.
#[test]
fn a_bare_file_name_is_a_file_of_this_folder() {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("bare-name{DLL_SUFFIX}");
    file(&folder, "bare-name", &good());
    let checked = outcome(Command::new(touchline()).args(["check", &name]).current_dir(folder.path()));
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.stdout.starts_with(&format!("{name}: ")), "{checked:?}");
}

/// P1: the system would give the library of the first time once more, so a file that was built anew is not taken for it.
#[test]
fn a_file_that_has_changed_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "libown", &good());
    let scan = || Host::scan(&[folder.path().to_owned()]);
    let (first, again) = (scan(), scan());
    assert!(matches!(again.attempts()[0].result, AttemptResult::Loaded(_)), "{}", again.attempts()[0]);
    assert_eq!(first.changed_file(), None);
    // A new file in its place, as a linker makes it: the library in use keeps the old one.
    fs::remove_file(&path).unwrap();
    fs::write(&path, [good(), b"one more line of code".to_vec()].concat()).unwrap();
    assert_eq!(first.changed_file(), Some(path.as_path()));
    assert_eq!(*refused(&scan().attempts()[0]), Refusal::Changed);
    assert_eq!(
        Host::default().of_file(&path).err().unwrap().result,
        AttemptResult::Refused(Refusal::Changed)
    );
}

/// P1: a folder of broken files harms neither the program nor the sound plugin among them.
#[test]
fn broken_files_are_refused_with_a_reason() {
    let folder = TempDir::new().unwrap();
    let bytes = good();
    file(&folder, "a-text", b"This is no library.\n");
    file(&folder, "b-empty", b"");
    file(&folder, "c-half", &bytes[..bytes.len() / 2]);
    file(&folder, "d-short", &bytes[..bytes.len() - 1]);
    file(&folder, "e-head", &bytes[..64]);
    file(&folder, "f-older", &patched("0.1.0", "0.0.0"));
    file(&folder, "g-newer", &patched("0.1.0", "0.2.0"));
    file(&folder, "h-layout", &patched("theta_rad", "theta_xyz"));
    fs::create_dir(folder.path().join(format!("i-folder{DLL_SUFFIX}"))).unwrap();
    file(&folder, "j-sound", &bytes);
    fs::write(folder.path().join("README.md"), "Not looked at.").unwrap();

    let host = Host::scan(&[folder.path().to_owned()]);
    let attempts = host.attempts();
    assert_eq!(attempts.len(), 10);
    let text = |index: usize| refused(&attempts[index]).to_string();
    assert!(text(0).starts_with("not a dynamic library of this system: "), "{}", text(0));
    assert_eq!(refused(&attempts[1]), &Refusal::Empty);
    for index in [2, 3, 4] {
        assert!(matches!(refused(&attempts[index]), Refusal::NotALibrary(_) | Refusal::CutOff { .. }));
    }
    let version = |plugin: &str| Refusal::OtherInterface { plugin: plugin.into(), server: "0.1.0".into() };
    assert_eq!(refused(&attempts[5]), &version("0.0.0"));
    assert_eq!(refused(&attempts[6]), &version("0.2.0"));
    assert_eq!(refused(&attempts[7]), &Refusal::OtherLayout { version: "0.1.0".into() });
    assert!(text(8).contains("not a file"));
    assert!(matches!(attempts[9].result, AttemptResult::Loaded(_)), "{}", attempts[9]);
    for attempt in attempts {
        let line = attempt.to_string();
        assert!(line.len() < 400 && !line.contains('\n'), "{line}");
    }
    assert_eq!(PluginFactory::attempts(&host, PluginKind::Motion, "nobody").len(), 9);
}

/// P1: a sound library that is no plugin is told apart, and so is one for another machine.
#[cfg(target_os = "linux")]
#[test]
fn libraries_of_others_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let system =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).find(|p| p.contains("/libc."));
    let libc = file(&folder, "libc", &fs::read(system.expect("a C library")).unwrap());
    assert_eq!(Host::check_file(&libc).result, AttemptResult::NotAPlugin);
    // Whoever misses a plugin is not told of it, unless its name says that it should be one.
    let told =
        || PluginFactory::attempts(&Host::scan(&[folder.path().to_owned()]), PluginKind::Motion, "nobody");
    assert_eq!(told(), Vec::<String>::new());
    fs::rename(&libc, folder.path().join(format!("libmy_motion_model{DLL_SUFFIX}"))).unwrap();
    assert!(told()[0].ends_with("a dynamic library, but no Touchline plugin"), "{:?}", told());

    let mut foreign = good();
    // The machine in an ELF header: one that nobody has.
    foreign[18..20].copy_from_slice(&[0xfe, 0xfe]);
    let attempt = Host::check_file(&file(&folder, "foreign", &foreign));
    assert!(matches!(refused(&attempt), Refusal::CannotLoad(_) | Refusal::NotALibrary(_)), "{attempt}");
}

#[test]
fn the_first_of_two_is_used_and_missing_folders_are_told() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let first = file(&one, "plugin", &good());
    file(&two, "plugin", &good());
    let missing = two.path().join("nowhere");
    let host = Host::scan(&[one.path(), two.path(), one.path(), &missing].map(Path::to_owned));
    let results: Vec<_> = host.attempts().iter().map(|attempt| &attempt.result).collect();
    assert!(matches!(
        results[..],
        [
            AttemptResult::Loaded(_),
            AttemptResult::Refused(Refusal::Duplicate { .. }),
            AttemptResult::Refused(Refusal::Unreadable(_))
        ]
    ));
    assert_eq!(host.path_of(PluginKind::Motion, "misbehave"), Some(first.as_path()));
}

fn host() -> Host {
    Host::scan(&[plugin_dir().to_owned()])
}

fn choice(how: &str, after_steps: u32) -> PluginChoice {
    let params = serde_json::json!({"how": how, "after_steps": after_steps});
    PluginChoice::new("misbehave", params)
}

fn motion(how: &str, after_steps: u32) -> Result<Arc<dyn MotionInstance>, MakeError> {
    host().motion(&choice(how, after_steps), &MotionSetup { robot: "blue-1".into(), dt_secs: 0.01 })
}

fn sensor(how: &str, after_steps: u32) -> Result<Arc<dyn SensorInstance>, MakeError> {
    let setup = SensorSetup {
        robot: "blue-1".into(),
        id: "eye".into(),
        model: "m".into(),
        mount: Default::default(),
        dt_secs: 0.01,
        motion: MotionDescription::default(),
        teams: Vec::new(),
        team: None,
        fixtures: Vec::new(),
    };
    host().sensor(&choice(how, after_steps), &setup)
}

fn input(command: &[f64]) -> MotionInput<'_> {
    MotionInput {
        dt_secs: 0.01,
        command,
        data: &[0.0],
        achieved: Twist2::ZERO,
        twist: Twist2::default(),
        noise: NoiseKey::default(),
    }
}

/// P6: whatever a motion model does wrong in a step is a fault with its reason; another instance goes on.
#[test]
fn a_motion_model_that_misbehaves_harms_nobody_else() {
    let other = motion("not", 0).unwrap();
    let mut other_state = other.initial_state().unwrap();
    let cases = [
        ("panic", Fault::Panicked("misbehaves: step 4".into())),
        ("panic-twice", Fault::Panicked("with a value that is no text".into())),
        ("error", Fault::Reported("misbehaves: step 4".into())),
        ("nan", Fault::BadOutput("its velocity is not finite".into())),
        ("infinite", Fault::BadOutput("its velocity at the end is not finite".into())),
        ("infinite-data", Fault::BadOutput("its motion datum 0 is not finite".into())),
    ];
    for (round, (how, expected)) in cases.into_iter().enumerate() {
        let instance = motion(how, 3).unwrap();
        let mut state = instance.initial_state().unwrap();
        for _ in 0..3 {
            let output = instance.advance(&mut state, &input(&[0.5])).unwrap();
            assert_eq!(output.twist, Twist2::new(0.5, 0.0, 0.0));
        }
        let before = state.clone();
        let fault = instance.advance(&mut state, &input(&[0.5])).unwrap_err();
        assert!(fault.to_string().starts_with(&expected.to_string()), "{how}: {fault}");
        assert_eq!(state, before, "{how}");
        let output = other.advance(&mut other_state, &input(&[1.0])).unwrap();
        assert_eq!(output.data[0], (round + 1) as f64);
    }
}

/// P6: a plugin that fails while it is made, or says what cannot be, gives an error, and one that fails at its end
/// is gone.
#[test]
fn instances_that_cannot_be_made_are_errors() {
    let text = |made: Result<Arc<dyn MotionInstance>, MakeError>| made.err().unwrap().to_string();
    assert_eq!(
        text(motion("panic-in-new", 0)),
        "motion plugin \"misbehave\": panicked: misbehaves: robot blue-1"
    );
    assert!(text(motion("too-many-dimensions", 0)).contains("commands of 9 numbers; at most 8 are allowed"));
    assert!(text(motion("unlimited", 0)).contains("numbers must be finite"));
    assert!(text(motion("nonsense", 0)).contains("unknown variant `nonsense`"));
    assert!(text(motion("not", 1_000_001)).contains("after_steps: must be at most 1000000"));
    drop(motion("panic-in-drop", 0).unwrap());
}

/// P6: likewise for sensors, in their steps and in their readings.
#[test]
fn a_sensor_that_misbehaves_harms_nobody_else() {
    let text = |made: Result<Arc<dyn SensorInstance>, MakeError>| made.err().unwrap().to_string();
    assert!(text(sensor("panic-in-new", 0)).contains("panicked: misbehaves: sensor eye"));
    assert!(text(sensor("huge-layout", 0)).contains("with test.steps it has more than 16777216 integers"));
    assert!(text(sensor("bad-scale", 0)).contains("the scale of test.steps is 0"));

    let advance = AdvanceInput {
        dt_secs: 0.01,
        displacement: Pose2::ORIGIN,
        twist: Twist2::default(),
        pose: Pose2::ORIGIN,
        motion_data: &[],
        data: &[],
        inbox: Default::default(),
        noise: NoiseKey::default(),
    };
    let reading = SensorInput {
        view: WorldView::new(0, 0.0, &[], &[]),
        robot: 0,
        robot_object: 0,
        robot_pose: Pose2::ORIGIN,
        robot_twist: Twist2::default(),
        sensor_pose: Pose2::ORIGIN,
        sensor_z_m: 0.0,
        motion_data: &[],
        data: &[],
        noise: NoiseKey::default(),
    };
    for (how, in_advance, expected) in [
        ("panic", None, Some(Fault::Panicked("misbehaves: reading 2".into()))),
        ("error", None, Some(Fault::Reported("misbehaves: reading 2".into()))),
        ("panic-in-advance", Some(Fault::Panicked("misbehaves: step 2".into())), None),
        ("not", None, None),
    ] {
        let instance = sensor(how, 2).unwrap();
        let (mut state, mut quantised) = (instance.initial_state().unwrap(), [0]);
        for steps in 0..2 {
            instance.generate(&state, &reading, &mut quantised).unwrap();
            assert_eq!(quantised, [steps]);
            instance.advance(&mut state, &advance).unwrap();
        }
        let before = state.clone();
        assert_eq!(instance.generate(&state, &reading, &mut quantised).err(), expected, "{how}");
        assert_eq!(instance.advance(&mut state, &advance).err(), in_advance, "{how}");
        assert_eq!(state == before, in_advance.is_some(), "{how}");
    }
}

/// Of each plugin: what it says of itself can be shown to people and checked against.
#[test]
fn descriptions_are_complete() {
    for plugin in host().descriptions() {
        assert_eq!(plugin.version, env!("CARGO_PKG_VERSION"));
        assert!(!plugin.summary.is_empty(), "{}", plugin.name);
        assert!(plugin.params_schema.is_object(), "{}", plugin.name);
    }
}

/// P6: who runs the server is told of a plugin that fails, once for each instance, however often it is read; and a sensor
/// that was stopped says why to whoever reads it. (The robot with the broken sensor drives on.)
#[test]
fn plugins_that_fail_are_named_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let sensor = |id: &str, how: &str| {
        format!(
            "[[sensor]]\nid = \"{id}\"\nplugin = \"misbehave\"\nparams = {{ how = \"{how}\", after_steps = 3 }}\n"
        )
    };
    let robot = "model = \"r\"\nmass_kg = 5.0\nmotion = { plugin = \"differential\" }\n\
                 body = [{ shape = \"circle\", radius_m = 0.2 }]\n";
    let robot = format!("{robot}{}{}", sensor("read", "error"), sensor("stopped", "panic-in-advance"));
    fs::write(folder.path().join("r.toml"), robot).unwrap();
    let world = folder.path().join("w.toml");
    fs::write(&world, "name = \"w\"\n[[robot]]\nname = \"r1\"\nfile = \"r.toml\"\n").unwrap();
    let server = Server::start(&world, &["--speed", "lockstep"]);
    let mut client = Client::operator(&server);
    client.ok("FORWARD r1 0.3");
    client.ok("STEP 100");
    for _ in 0..3 {
        let answer = client.ok("GET r1 read stopped");
        assert!(answer.line("FAULT read").contains("\"misbehaves: reading "), "{answer:?}");
        let reason = "\"stopped at step 4: panicked: misbehaves: step 3\"";
        assert!(answer.line("FAULT stopped").contains(reason), "{answer:?}");
        client.ok("STEP 1");
    }
    let motion = client.ok("MOTION r1");
    assert!(motion.field("forward").parse::<f64>().unwrap() > 0.1, "it drives on: {motion:?}");
    let end = server.end_by("TERM");
    let warnings: Vec<&str> = end.stderr.lines().filter(|line| line.contains("WARN")).collect();
    assert_eq!(warnings.len(), 2, "{}", end.stderr);
    let told = |text: &str| warnings.iter().any(|line| line.contains(text));
    assert!(
        told("r1: sensor \"stopped\" (misbehave) was stopped: panicked: misbehaves: step 3"),
        "{warnings:?}"
    );
    assert!(
        told("r1: sensor \"read\" (misbehave) gives no reading: misbehaves: reading 100"),
        "{warnings:?}"
    );
    // A file gets no colours of a terminal.
    assert!(!end.stderr.contains('\u{1b}'), "{:?}", end.stderr);
}

/// P6, R2: who drives a robot whose motion model has failed is told; the others drive on.
#[test]
fn a_robot_that_stands_still_for_good_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let robot = |name: &str, motion: &str| {
        let body = "mass_kg = 5.0\nbody = [{ shape = \"circle\", radius_m = 0.2 }]\n";
        fs::write(folder.path().join(name), format!("model = \"r\"\n{body}motion = {motion}\n")).unwrap();
    };
    robot("bad.toml", "{ plugin = \"misbehave\", params = { how = \"panic\", after_steps = 3 } }");
    robot("good.toml", "{ plugin = \"differential\" }");
    let world = folder.path().join("w.toml");
    let placed = |name: &str, y_m: f64| {
        format!(
            "[[robot]]\nname = \"{name}\"\nfile = \"{name}.toml\"\npose = {{ x_m = 0, y_m = {y_m:?}, theta_rad = 0 }}\n"
        )
    };
    fs::write(&world, format!("name = \"w\"\n{}{}", placed("bad", -1.0), placed("good", 1.0))).unwrap();
    let server = Server::start(&world, &["--speed", "lockstep"]);
    let mut client = Client::operator(&server);
    client.ok("DRIVE bad 0");
    client.ok("STEP 10");
    let refused = client.fails("DRIVE bad 0");
    assert!(refused.contains("sim/stopped") && refused.contains("misbehave"), "{refused}");
    client.ok("FORWARD good 0.3");
    server.end_by("TERM");
}
