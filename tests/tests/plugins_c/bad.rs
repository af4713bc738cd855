//! Bad plugins: each is refused or stopped with a clear message, and the world goes on.

use super::{BODY, compile, write};
use crate::client::Client;
use crate::program::{Server, outcome, root, run};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use touchline_plugin_api::abi::INTERFACE_VERSION;

/// P1, P7: what can be seen of a plugin before an instance is made is a reason to refuse it.
#[test]
fn bad_libraries_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (newer, ours) = (INTERFACE_VERSION + 1, INTERFACE_VERSION);
    let other = format!("built for plugin-api interface {newer}, this server has interface {ours}");
    let cases: [(&[&str], &str); 21] = [
        (&["-DBAD=OTHER_VERSION"], &other),
        (&["-DBAD=OTHER_SYMBOL", "-DSYMBOL=touchline_plugin_v2"], "built for plugin-api interface 2"),
        (&["-DBAD=SHORT_TABLE"], "it has 16 bytes"),
        (&["-DBAD=NO_TABLE"], "touchline_plugin_v8 gave NULL"),
        (&["-DBAD=NO_FUNCTION"], "`generate` is NULL, and a sensor plugin needs it"),
        (&["-DBAD=NO_KIND"], "there is no kind 9; set `kind`"),
        (&["-DBAD=NO_JSON"], "it gives JSON with kind, name, version"),
        (&["-DBAD=PAST_TEXT"], "it writes past the end of its buffer"),
        (&["-DBAD=WELL", "-DSYMBOL=touchline_plugin_of_mine"], "a dynamic library, but no Touchline plugin"),
        (&["-DBAD=NO_FEATURE"], "it has no feature; a sensor gives at least one"),
        (&["-DBAD=NO_FIELD"], "feature test has no field"),
        (&["-DBAD=SAME_FIELD"], "there is a second field of feature test with the name \"steps\""),
        (&["-DBAD=SAME_FEATURE"], "there is a second feature with the name \"test\""),
        (&["-DBAD=NO_EXTENT"], "the shape of test.steps is [0, 3]; an extent must be above 0"),
        (&["-DBAD=NAN_SCALE"], "the scale of test.steps is not a finite number"),
        (&["-DBAD=NO_SCALE"], "the scale of test.steps is 0; it must be above 0"),
        (&["-DBAD=BAD_FEATURE"], "the name of a feature is \"my test\""),
        (&["-DBAD=BAD_FIELD"], "the name of a field of feature test is \"\""),
        (&["-DBAD=BAD_PLUGIN"], "its name is \"Bad one\""),
        // What is missing is named when the library is loaded, not when the function is called that needs it.
        (&["-DBAD=WELL", "-DUNRESOLVED"], "undefined symbol: function_of_nobody"),
        (&["-DBAD=OTHER_KIND"], "it says player and has the functions of a sensor plugin"),
    ];
    for (number, (defines, reason)) in cases.into_iter().enumerate() {
        let path = compile(&folder, &format!("bad{number}"), "bad.c", defines);
        let checked = run(["check", &path]);
        assert!(checked.code.is_some_and(|code| code != 0), "{defines:?}: {checked:?}");
        let said = checked.stdout + &checked.stderr;
        assert!(said.contains(reason), "{defines:?}: {said}");
    }
    let sound = compile(&folder, "sound", "bad.c", &["-DBAD=WELL"]);
    assert_eq!(run(["check", &sound]).code, Some(0));
    // They harm nobody who is found with them.
    let listed = run(["plugins", "--json", "--plugins", folder.path().to_str().unwrap()]).json();
    let plugins = listed["plugins"].as_array().unwrap();
    assert!(plugins.iter().any(|plugin| plugin["name"] == "bad" && plugin["kind"] == "sensor"), "{listed}");
}

/// P7: the contract that an author runs says the same of a bad plugin, in words and without a crash.
#[test]
fn the_contract_names_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    for (how, reason) in [
        ("OTHER_VERSION", "interface_version is TL_INTERFACE_VERSION"),
        ("SHORT_TABLE", "size is sizeof(touchline_plugin)"),
        ("NO_TABLE", "touchline_plugin_v8 gives a table"),
        ("NO_KIND", "kind is a TL_KIND_..."),
        ("OTHER_KIND", "describe says the table's kind"),
        ("NO_CREATE", "the table has the function `create`; it is NULL"),
        ("NO_FUNCTION", "the table has the function `generate`; it is NULL"),
        ("NO_ADVANCE", "the table has the function `advance_sensor`; it is NULL"),
        ("NO_INSTANCE", "create gives an instance with TL_OK"),
        ("NO_JSON", "describe writes the JSON of tl_describe"),
        ("CHANCE", "the same input gives the same reading (rand, clock, a global?)"),
        ("NEAR_SIGHTED", "a reading is the same without the view's grid"),
        ("PAST_COUNTS", "nothing is written past the end of the room for the reading"),
        ("COUNTS_LEN", "generate leaves quantised.len as it came"),
        ("NEEDS_ALL", "a sensor's reading never needs more room"),
        ("STATUS", "generate returns TL_OK; it returned 77"),
        ("NO_FEATURE", "a sensor has at least one feature"),
        ("NO_FIELD", "a feature has at least one field; test has none"),
        ("SAME_FIELD", "each field has a name of its own; there are 2 with the name \"steps\""),
        ("SAME_FEATURE", "each feature has a name of its own"),
        ("NO_EXTENT", "an extent of the shape of test.steps is 0"),
        ("NAN_SCALE", "the scale of test.steps is not a finite number"),
        ("NO_SCALE", "the scale of test.steps is 0; it must be above 0"),
        ("BAD_FEATURE", "the name of a feature is"),
        ("BAD_FIELD", "the name of a field is"),
        ("BAD_PLUGIN", "a plugin's name is"),
        ("WELL", ""),
    ] {
        names(&folder, "SENSOR", how, reason);
    }
    for kind in ["MOTION", "PLAYER", "REFEREE"] {
        names(&folder, kind, "WELL", "");
        names(&folder, kind, "HIDDEN", "the same input gives the same state (rand, clock, a global");
        names(&folder, kind, "NOT_FINITE", "all output is finite; number");
        names(&folder, kind, "STATUS", "returns TL_OK; it returned 77");
    }
    names(&folder, "REFEREE", "PREPARES", "prepare returns TL_OK; it returned 77");
    for (kind, reason) in [("PLAYER", "(code 12) is for referees"), ("REFEREE", "(code 1) is for players")] {
        names(&folder, kind, "NOT_OWN_ORDER", reason);
        names(&folder, kind, "NO_ORDER", "each order has a TL_ORDER_...; order 1 has the code 99");
    }
}

/// Compiles a bad plugin with the contract, and runs it.
fn names(folder: &TempDir, kind: &str, how: &str, reason: &str) {
    let program = folder.path().join(how).display().to_string();
    let source = root().join("tests/tests/plugins_c/bad.c").display().to_string();
    let include = root().join("plugin-api/include").display().to_string();
    let (define, kind) = (format!("-DBAD={how}"), format!("-D{kind}"));
    let arguments =
        ["-std=c11", "-DCONTRACT", &define, &kind, "-w", "-I", &include, &source, "-o", &program, "-lm"];
    let compiled = outcome(Command::new("cc").args(arguments));
    assert_eq!(compiled.code, Some(0), "{compiled:?}");
    let ran = outcome(&mut Command::new(&program));
    let code = i32::from(!reason.is_empty());
    assert!(ran.code == Some(code) && ran.stderr.contains(reason), "{kind} {how}: {ran:?}");
}

/// P6, P7: `check --contract` says of the built library, over the table, what is wrong with it; what ends or hangs is told as well.
#[cfg(target_os = "linux")]
#[test]
fn check_runs_libraries_in_c_through_the_contract() {
    const FAULT: &str = "legal input gives no error - ";
    const OUTPUT: &str = "its output is finite, and what it promised - ";
    const REFUSED: &str = "unknown parameters are refused - ";
    let folder = tempfile::tempdir().unwrap();
    for kind in ["SENSOR", "MOTION", "PLAYER", "REFEREE"] {
        let own: &[(&str, &str, &str)] = match kind {
            "SENSOR" => &[
                ("CHANCE", "a reading is the same however often it is asked", "integer 0"),
                ("NEAR_SIGHTED", "a reading is the same without the view's grid", "integer 0"),
                ("PAST_COUNTS", "", "writes past the end"),
                ("COUNTS_LEN", OUTPUT, "it gives 2 integers; its layout has 3"),
                ("NO_FUNCTION", "", "`generate` is NULL"),
            ],
            "MOTION" => &[("NOT_FINITE", OUTPUT, "velocity"), ("FOREIGN_MEMORY", FAULT, "SIGSEGV")],
            _ => &[
                ("NOT_FINITE", OUTPUT, "NaN"),
                ("NOT_OWN_ORDER", "orders make sense - ", "this order is for"),
                ("NO_ORDER", OUTPUT, "(code 99) is not readable"),
            ],
        };
        let all: &[(&str, &str, &str)] = match kind {
            "SENSOR" => &[("STATUS", OUTPUT, "status 77")],
            _ => &[
                ("STATUS", OUTPUT, "status 77"),
                ("HIDDEN", "the state holds all that the next ", "parts from an uninterrupted one"),
                ("ABORTS", FAULT, "its process ended: SIGABRT"),
                ("HANGS", FAULT, "it did not return within 400 ms"),
            ],
        };
        let common = [("WELL", "", ""), ("ACCEPTS_ALL", REFUSED, "no_such_parameter")];
        for &(how, rule, detail) in common.iter().chain(own).chain(all) {
            let defines = [format!("-D{kind}"), format!("-DBAD={how}")];
            let path =
                compile(&folder, &format!("{kind}{how}"), "bad.c", &defines.each_ref().map(String::as_str));
            let limit = if how == "HANGS" { "400" } else { PATIENT };
            let checked = run(["check", "--contract", "--isolate-ms", limit, &path]);
            let is_sound = how == "WELL";
            assert_eq!(checked.code, Some(i32::from(!is_sound)), "{kind} {how}: {checked:?}");
            assert_eq!(checked.stdout.contains("keeps its contract"), is_sound, "{kind} {how}: {checked:?}");
            let said = |line: &str| line.trim_start().starts_with(rule) && line.contains(detail);
            assert!(checked.stdout.lines().any(said), "{kind} {how}: {checked:?}");
        }
    }
}

/// P6, P7: a sensor in C that breaks its promises has failed, with the reason; its robot's other sensors go on.
#[test]
fn a_sensor_that_breaks_its_promises_is_stopped() {
    for (how, reason) in [
        (
            "STATUS",
            "there is no status 77; a function returns 0 to 6: end every way out of it with one of these",
        ),
        ("PAST_COUNTS", "it writes past the end of its"),
        ("FAR_PAST_COUNTS", "it writes past the end of its"),
        ("COUNTS_LEN", "it gives 2 integers; its layout has 3: leave `quantised.len` as it came"),
        ("NEEDS_ALL", "it returned TL_BUFFER_TOO_SMALL; a sensor's reading never needs more room"),
        ("FOREIGN_MESSAGE", "the plugin's own words"),
        ("LOST_ROOM", ""),
        ("WELL", ""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        compile(&folder, "bad", "bad.c", &[&format!("-DBAD={how}")]);
        let sensors = "[motion]\nplugin = \"differential\"\n[[sensor]]\nid = \"eye\"\nplugin = \"bad\"\n\
                       [[sensor]]\nid = \"truth\"\nplugin = \"truth\"\n";
        write(&folder, "robot.toml", &format!("{BODY}{sensors}"));
        let world =
            write(&folder, "world.toml", "name = \"w\"\n[[robot]]\nname = \"r\"\nfile = \"robot.toml\"\n");
        for &apart in BOTH {
            let server =
                Server::start(&world, &[apart, &["--plugins", folder.path().to_str().unwrap()]].concat());
            let mut client = Client::connect(&server);
            let answer = client.ok("GET r eye");
            if reason.is_empty() {
                assert!(answer.line("DATA").ends_with(" 3 7 7 7"), "{how}: {answer:?}");
            } else {
                assert!(answer.line("FAULT").contains(reason), "{how}: {answer:?}");
            }
            let before = answer.number("step");
            while client.ok("GET r truth").number("step") <= before {}
            client.ok("GET r truth").line("DATA");
        }
    }
}

/// In the server's process, and in processes of their own.
const HERE: &[&str] = &[];
const APART: &[&str] = &["--isolate", "--isolate-ms", PATIENT];
/// A busy machine may let a plugin stand that does nothing wrong, milliseconds.
const PATIENT: &str = "60000";
#[cfg(target_os = "linux")]
const BOTH: &[&[&str]] = &[HERE, APART];
#[cfg(not(target_os = "linux"))]
const BOTH: &[&[&str]] = &[HERE];

/// The faults of 200 steps of a world with a sound robot and one whose motion model is `bad`.
fn faults(folder: &TempDir, params: &str, more: &[&str]) -> Vec<String> {
    write(folder, "bad.toml", &format!("{BODY}[motion]\nplugin = \"bad\"\n{params}"));
    write(folder, "good.toml", &format!("{BODY}[motion]\nplugin = \"differential\"\n"));
    let world = write(
        folder,
        "world.toml",
        "name = \"w\"\n[[robot]]\nname = \"bad\"\nfile = \"bad.toml\"\n\
         [[robot]]\nname = \"good\"\nfile = \"good.toml\"\npose = { y_m = 2.0 }\n",
    );
    let line = ["run", &world, "--steps", "200", "--json", "--plugins", folder.path().to_str().unwrap()];
    let outcome = run([&line, more].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let summary = outcome.json();
    assert_eq!(summary["steps"], 200);
    summary["faults"].as_array().unwrap().iter().map(|fault| fault.as_str().unwrap().to_owned()).collect()
}

/// P6, P7: likewise a motion model, whose state is a buffer that it must keep to.
#[test]
fn a_motion_model_that_breaks_its_promises_is_stopped() {
    for (how, reason) in [
        ("STATUS", "there is no status 77"),
        ("PAST_STATE", "it writes past the end of its buffer"),
        ("STATE_LEN", "and there was room for"),
        ("NEEDS_ALL", "bytes are taken"),
        ("WAITS", "it asks for more room, and needs none"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        compile(&folder, "bad", "bad.c", &["-DMOTION", &format!("-DBAD={how}")]);
        for &apart in BOTH {
            let faults = faults(&folder, "", apart);
            let [fault] = faults.as_slice() else { panic!("{how}: {faults:?}") };
            assert!(fault.starts_with("step 2") && fault.contains(reason), "{how}: {fault}");
        }
    }
}

/// P1: what ends or holds the server when it is done there costs an isolated plugin's robot, and nobody else.
#[cfg(target_os = "linux")]
#[test]
fn what_ends_a_program_ends_an_isolated_motion_model_alone() {
    for (how, reason) in [
        ("FOREIGN_MEMORY", "its process ended: SIGSEGV"),
        ("ABORTS", "its process ended: SIGABRT"),
        ("DIVIDES", "its process ended: SIG"),
        ("EXITS", "its process ended: it left with exit code 0"),
        ("HANGS", "it did not return within 400 ms: its process was ended"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        compile(&folder, "bad", "bad.c", &["-DMOTION", &format!("-DBAD={how}")]);
        let limit = if how == "HANGS" { "400" } else { PATIENT };
        let faults = faults(&folder, "", &["--isolate", "--isolate-ms", limit]);
        let [fault] = faults.as_slice() else { panic!("{how}: {faults:?}") };
        // It hangs in the second step; a busy machine may let it stand that long in the first.
        let is_there = how == "HANGS" || fault.starts_with("step 2");
        assert!(is_there && fault.contains(reason), "{how}: {fault}");
    }
}

/// P6, P7: an exception is caught on the plugin's side, and its text is the message.
#[test]
fn what_a_plugin_in_cpp_throws_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let path = compile(&folder, "bad", "throws.cpp", &[]);
    assert_eq!(run(["check", &path]).code, Some(0));
    for (how, reason) in [
        ("exception", ": threw: no wheel 5; catch it, or throw a touchline::Fault"),
        ("number", "threw something that is no std::exception"),
        ("fault", "the motor is hot"),
    ] {
        for &apart in BOTH {
            let faults = faults(&folder, &format!("params = {{ how = \"{how}\" }}\n"), apart);
            let [fault] = faults.as_slice() else { panic!("{how}: {faults:?}") };
            assert!(fault.starts_with("step 2") && fault.contains(reason), "{how}: {fault}");
        }
    }
    assert!(faults(&folder, "", HERE).is_empty());
    for (how, reason) in [
        ("at-once", "failed: threw: cannot begin"),
        ("never", "must not be"),
        // What was found wrong with the parameters is said, and not what came of it.
        ("never-at-once", "how: must not be this"),
    ] {
        write(
            &folder,
            "bad.toml",
            &format!("{BODY}[motion]\nplugin = \"bad\"\nparams = {{ how = \"{how}\" }}\n"),
        );
        let file = folder.path().join("bad.toml");
        let checked = run(["check", file.to_str().unwrap(), "--plugins", folder.path().to_str().unwrap()]);
        assert!(checked.code.is_some_and(|code| code != 0), "{checked:?}");
        let said = checked.stdout.clone() + &checked.stderr;
        assert!(said.contains(reason) && !said.contains("panicked"), "{checked:?}");
    }
    assert!(Path::new(&path).is_file());
}
