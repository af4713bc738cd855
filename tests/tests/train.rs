//! `touchline train`: from a log to a robot that drives by it, and a ball that rolls by it. (M3, S1, W5)

use crate::build::plugin_dir;
use crate::program::{Outcome, command, root, run};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::process::Command as Process;
use std::sync::Arc;
use tempfile::TempDir;
use touchline_config::load_world;
use touchline_host::Host;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::{Action, Command, World};

fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn json(outcome: &Outcome) -> Value {
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// Two minutes of a robot that takes over a third of the difference to its setting in each cycle of 0.1 s, and whose
/// odometry counts a tenth too much and turns off by 0.1 rad/m.
fn log() -> String {
    let mut text = String::from("time,cmd_v,cmd_w,x,y,theta,odom_v,odom_w\n");
    let (mut x, mut y, mut theta, mut v, mut w) = (0.0f64, 0.0f64, 0.0f64, 0.0, 0.0);
    for cycle in 0..1200 {
        let command = [0.0, 0.4, 0.8, 0.2, -0.5][cycle / 13 % 5];
        let turn = [0.3, -0.6, 0.0, 0.5][cycle / 29 % 4];
        v += (command - v) / 3.0;
        w += (turn - w) / 3.0;
        let odom_w: f64 = w + 0.1 * f64::abs(v);
        writeln!(text, "{:.1},{command},{turn},{x},{y},{theta},{},{odom_w}", cycle as f64 * 0.1, v * 1.1)
            .unwrap();
        let middle = theta + 0.05 * w;
        x += 0.1 * v * middle.cos();
        y += 0.1 * v * middle.sin();
        theta += 0.1 * w;
    }
    text
}

/// M3: train, include the model in a robot file, check it.
#[test]
fn a_robot_drives_by_what_was_learned() {
    let folder = tempfile::tempdir().unwrap();
    let log = write(&folder, "log.csv", &log());
    let model = folder.path().join("model.toml").to_str().unwrap().to_owned();
    let report = json(&run(["train", "motion", &log, "--out", &model, "--hidden", "2", "--json"]));
    let axes: Vec<&str> =
        report["axes"].as_array().unwrap().iter().map(|a| a["axis"].as_str().unwrap()).collect();
    assert_eq!(axes, ["forward", "turn"]);
    for axis in report["axes"].as_array().unwrap() {
        let error = |model: &str, kind: &str| axis[model][kind].as_f64().unwrap();
        for kind in ["one_step", "rollout", "free_run"] {
            assert!(error("learned", kind) < 0.2 * error("command", kind), "{axis}");
            assert!(error("best_first_order", kind) < error("command", kind), "{axis}");
        }
    }
    assert!(report["n"]["rollouts"].as_u64().unwrap() > 100);
    assert_eq!(report["out"], Value::String(model));
    let text = "include = [\"model.toml\"]\nmodel = \"r\"\nmass_kg = 5.0\n\n[[body]]\nshape = \"circle\"\nradius_m = 0.2\nz_m = [0.0, 0.4]\n";
    let checked = run(["check", &write(&folder, "robot.toml", text)]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.stdout.contains("motion learned"), "{checked:?}");
}

/// S1: the systematic errors are found, and the simulated drift is that of the log.
#[test]
fn the_errors_of_odometry_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let log = write(&folder, "log.csv", &log());
    let part = folder.path().join("odometry.toml").to_str().unwrap().to_owned();
    let report = json(&run(["train", "odometry", &log, "--out", &part, "--horizon", "5", "--json"]));
    let param = |name: &str| report["params"][name].as_f64().unwrap();
    assert!((param("distance_scale_error") - 0.1).abs() < 0.02, "{report}");
    assert!((param("heading_bias_rad_per_m") - 0.1).abs() < 0.02, "{report}");
    let drift = |which: &str| report[which]["position_median_m"].as_f64().unwrap();
    assert!((drift("simulated") / drift("log") - 1.0).abs() < 0.2, "{report}");
    assert!(fs::read_to_string(part).unwrap().contains("plugin = \"odometry\""));
}

/// The ball of worlds/small-size.toml, kicked by a robot from the middle of the field: where it is a hundred times a second.
fn kick_log(host: &Arc<Host>, strength: f64) -> String {
    let mut scenario = load_world(&root().join("worlds/small-size.toml"), &**host).unwrap();
    scenario.referee = None;
    scenario.robots.truncate(1);
    scenario.robots[0].pose = Some(Pose2::new(-5.0, 1.0, 0.0));
    scenario.robots[0].player = None;
    scenario.balls[0].position = [-5.0 + 0.098, 1.0];
    let mut world = World::new(scenario, Arc::clone(host) as Arc<_>).unwrap();
    let robot = world.frame().robots[0].identity.number;
    let mut text = String::from("time_ms,ball_x,ball_y\n");
    for step in 0..250u64 {
        let action = Action::Manipulate {
            robot,
            manipulator: "kicker".into(),
            state: "kick".into(),
            aim: Aim::strength(strength),
        };
        let commands = [Command { client: 1, sequence: step, action }];
        world.step(if step == 20 { &commands } else { &[] });
        let ball = world.frame().view().balls().next().unwrap().pose;
        writeln!(text, "{},{},{}", step * 10, ball.x_m, ball.y_m).unwrap();
    }
    text
}

/// W5: from kicks in the simulation the world file's own ball is found: what is fitted is what is simulated.
#[test]
fn the_simulated_ball_is_found_in_its_kicks() {
    let folder = tempfile::tempdir().unwrap();
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let logs = [0.5, 0.65, 0.8, 1.0]
        .map(|strength| write(&folder, &format!("{strength}.csv"), &kick_log(&host, strength)));
    let part = folder.path().join("ball.toml").to_str().unwrap().to_owned();
    let arguments = [&["train", "ball", "--json", "--out", &part], &logs.each_ref().map(String::as_str)[..]];
    let report = json(&run(arguments.concat()));
    let scenario = load_world(&root().join("worlds/small-size.toml"), &*host).unwrap();
    let (truth, sliding) = (&scenario.balls[0].ball, scenario.balls[0].ball.sliding.unwrap());
    let written: toml::Table = fs::read_to_string(part).unwrap().parse().unwrap();
    let near = |key: &str, table: &toml::Table, truth: f64, part: f64| {
        let found = table[key].as_float().unwrap();
        assert!((found / truth - 1.0).abs() < part, "{key} is {found}, not {truth}: {report}");
    };
    near("rolling_resistance_m_s2", &written, truth.rolling_resistance_m_s2, 0.1);
    near("deceleration_m_s2", written["sliding"].as_table().unwrap(), sliding.deceleration_m_s2, 0.05);
    near("inertia_factor", written["sliding"].as_table().unwrap(), sliding.inertia_factor, 0.05);
    let error = |key: &str| report[key].as_f64().unwrap();
    assert!(error("held_out_rms_m_s") < 0.5 * error("held_out_rms_single_m_s"), "{report}");
}

/// A log that cannot be used: exit code 3, the file, the line, and what to try.
#[test]
fn a_bad_log_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let bad = write(&folder, "bad.csv", "time,velocity_command,range\n0,0,0\n0.1,nan,0\n");
    let outcome = run(["train", "motion", &bad]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.stderr.contains("bad.csv:3: column \"velocity_command\" is not a number"), "{outcome:?}");
    assert!(outcome.stderr.contains("allowed") && outcome.stderr.contains("hint"), "{outcome:?}");
    let outcome = run(["train", "motion", "/nowhere/log.csv"]);
    assert_eq!(outcome.code, Some(4), "{outcome:?}");
    let outcome = run(["train", "ball", &bad, "--columns", "x=range,y=range"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let outcome = run(["train", "odometry", &bad]);
    assert!(outcome.stderr.contains("--columns x=COLUMN"), "{outcome:?}");
    let outcome = run(["train", "motion", &bad, "--columns", "speed=v"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    let outcome = run(["train", "motion", &bad, "--truth", &bad, "--truth", &bad]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    // One log under two names, and one that is not in metres.
    let [log, copy] = ["log.csv", "copy.csv"].map(|name| write(&folder, name, &log()));
    for what in ["motion", "odometry"] {
        let outcome = run(["train", what, &log, &copy]);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        assert!(outcome.stderr.contains("copy.csv: the log is given twice"), "{outcome:?}");
        assert!(outcome.stderr.contains("log.csv (fnv1a64:"), "{outcome:?}");
    }
    let outcome = run(["train", "odometry", &log, "--columns", "x=x*1000,y=y*1000"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(
        outcome.stderr.contains("--columns x=x*1,y=y*1") && outcome.stderr.contains("log-not-si"),
        "{outcome:?}"
    );
}

/// L1, L2: what is learned is the same every time; what cannot be learned is said with what can be.
#[test]
fn perception_is_learned_from_a_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let learn = |name: &str| {
        let out = folder.path().join(name);
        let world = "worlds/localisation.toml";
        let arguments = ["train", "perception", world, "--cell", "1", "--headings", "4", "--json", "--out"];
        let outcome = run(arguments.iter().map(std::ffi::OsStr::new).chain([out.as_os_str()]));
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        let report = outcome.json();
        assert_eq!(report["features"], serde_json::json!(["goals", "posts"]));
        // Two goals and eight posts at every pose, two numbers of two bytes each, and a short head.
        let (poses, bytes) = (report["poses"].as_u64().unwrap(), report["bytes"].as_u64().unwrap());
        assert!((0..4096).contains(&(bytes - poses * 10 * 4)), "{report}");
        std::fs::read(out).expect("the table")
    };
    assert!(learn("one") == learn("two"), "the same bytes");
    let refused = |arguments: &[&str], hint: &str| {
        let outcome = run([&["train", "perception", "worlds/localisation.toml"], arguments].concat());
        assert_eq!(outcome.code, Some(3), "{arguments:?}");
        assert!(outcome.stderr.contains(hint), "{}", outcome.stderr);
    };
    refused(&["--robot", "nobody"], "allowed  seeker, other\n  hint     --robot NAME");
    refused(&["--features", "odometry"], "what can be of this robot: 180DegreeScan, goals, posts, sonar");
    refused(
        &["--features", "radar"],
        "no sensor gives the feature \"radar\"; this robot has laser.180DegreeScan",
    );
    refused(&["--cell", "0.001", "--headings", "3600"], "coarser grid");
    // All that a robot of many sensors can learn.
    let world = "server/app/benches/learner/world.toml";
    let all = "goals,posts,lines,180DegreeScan,sonar,compass";
    let arguments = ["--robot", "learner", "--features", all, "--cell", "2", "--headings", "4", "--json"];
    let outcome = run([&["train", "perception", world], &arguments[..]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(outcome.json()["features"].as_array().map(Vec::len), Some(6), "{}", outcome.stdout);
    // What is expected may be what a twin without errors sees; the table is tested at new looks of the robot itself.
    let by_twin = |feature: &str, twin: &str| {
        let world = "worlds/localisation.toml";
        let arguments = ["--cell", "1", "--headings", "8", "--looks", "1", "--test", "500", "--json"];
        let which = ["--robot", "seeker", "--features", feature, "--twin", twin];
        run([&["train", "perception", world], &which[..], &arguments[..]].concat())
    };
    let tested = by_twin("goals", "robots/pioneer-perfect.toml");
    assert_eq!(tested.code, Some(0), "{}", tested.stderr);
    assert_eq!(tested.json()["test"][0]["feature"], "goals", "{}", tested.stdout);
    assert!(tested.json()["test"][0]["degrees"].as_f64().unwrap() > 100.0, "{}", tested.stdout);
    // A robot whose sensors take their time is tested by what they see from there.
    let timed = folder.path().join("timed.toml");
    let root = crate::program::root();
    let [world, robot] =
        ["worlds/localisation.toml", "robots/pioneer-timed.toml"].map(|file| root.join(file));
    let text = format!(
        "name = \"timed\"\ninclude = [{world:?}]\n[[robot]]\nname = \"timed\"\nfile = {robot:?}\nteam = \"blue\"\npose = {{ x_m = 1.0, y_m = 2.0 }}\n"
    );
    std::fs::write(&timed, text).unwrap();
    let arguments = ["--features", "goals", "--cell", "1", "--headings", "8", "--test", "500", "--json"];
    let tested =
        run([&["train", "perception", timed.to_str().unwrap(), "--robot", "timed"], &arguments[..]].concat());
    assert_eq!(tested.code, Some(0), "{}", tested.stderr);
    // As many degrees of freedom as deviance, and not the one look from its start again and again.
    let deviance = tested.json()["test"][0]["deviance_per_degree"].as_f64().unwrap();
    assert!((0.7..1.4).contains(&deviance), "{}", tested.stdout);
    // One that has twice as many sonars is none.
    let stranger = by_twin("sonar", "robots/scout-perfect.toml");
    assert_eq!(stranger.code, Some(3), "{}", stranger.stdout);
    assert!(stranger.stderr.contains("a twin differs in its sensors' errors alone"), "{}", stranger.stderr);
    // A maze has no teams, so there are no goals to be learned, and no posts: a table of nothing is no use.
    let blank = |more: &[&str]| {
        let maze = ["train", "perception", "worlds/maze.toml", "--cell", "1", "--headings", "4"];
        let blank = run([&maze[..], more].concat());
        assert_eq!(blank.code, Some(3), "{}", blank.stdout);
        blank.stderr
    };
    let told = blank(&[]);
    assert!(told.contains("\"goals\" cannot be learned") && told.contains("posts, sonar"), "{told}");
    let told = blank(&["--features", "posts"]);
    assert!(told.contains("nothing was seen") && told.contains("posts"), "{told}");
}

/// Where the result cannot be written is said before anything is read or learned.
#[test]
fn a_place_that_cannot_be_written_ends_it_before() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("none/out.toml").display().to_string();
    for what in [
        &["motion", "no-such-log.csv"][..],
        &["odometry", "no-such-log.csv"],
        &["ball", "no-such-log.csv"],
        &["perception", "no-such-world.toml"],
    ] {
        let refused = run([&["train"], what, &["--out", &out]].concat());
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(4), ""), "{refused:?}");
        assert!(refused.stderr.contains(&out) && !refused.stderr.contains("no-such"), "{refused:?}");
    }
}

/// What was learned is not lost where the disk is full: the report is printed, and the model with it.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_does_not_keep_back_what_was_learned() {
    let folder = tempfile::tempdir().unwrap();
    let log = write(&folder, "log.csv", &log());
    let train = ["train", "motion", &log, "--hidden", "0", "--out", "/dev/full"];
    let full = run(train);
    assert_eq!(full.code, Some(4), "{full:?}");
    assert!(full.stderr.contains("/dev/full: cannot be written"), "{full:?}");
    assert!(full.stdout.contains("RMS error") && full.stdout.contains("plugin = \"learned\""), "{full:?}");
    assert!(!full.stdout.contains("written to"), "{full:?}");
    let full = run([&train[..], &["--json"]].concat());
    assert_eq!(full.code, Some(4), "{full:?}");
    let json = full.json();
    assert_eq!(json["out"], Value::Null, "{full:?}");
    assert!(json["result"].as_str().is_some_and(|text| text.contains("plugin = \"learned\"")), "{full:?}");
}

/// Who ends it while it learns finds nothing of it, and the old model as it was.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_of_a_training_that_was_ended() {
    /// Of the processor: it learns by then, however busy the machine is, and goes on for many times as long.
    const LEARNS_AFTER_TICKS: u64 = 30;
    let folder = tempfile::tempdir().unwrap();
    let log = write(&folder, "log.csv", &log());
    let model = write(&folder, "model.toml", "an old model");
    let mut training = command(["train", "motion", &log, "--hidden", "32", "--out", &model]).spawn().unwrap();
    let stat = format!("/proc/{}/stat", training.id());
    let used_ticks = || {
        let stat = fs::read_to_string(&stat).unwrap();
        let behind_name = stat.rsplit(')').next().unwrap();
        behind_name.split_whitespace().nth(11).unwrap().parse::<u64>().unwrap()
    };
    while used_ticks() < LEARNS_AFTER_TICKS {
        assert_eq!(training.try_wait().unwrap(), None, "it is still learning");
        std::thread::yield_now();
    }
    let sent = Process::new("kill").args(["-s", "TERM", &training.id().to_string()]).status().unwrap();
    assert!(sent.success() && training.wait().unwrap().code() != Some(0));
    assert_eq!(fs::read_to_string(&model).unwrap(), "an old model");
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["log.csv", "model.toml"]);
}
