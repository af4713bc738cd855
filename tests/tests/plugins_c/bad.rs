//! Bad plugins: each is refused or stopped with a clear message, and the world goes on.

use crate::{BODY, compile, write};
use std::path::Path;
use tempfile::TempDir;
use touchline_tests::client::Client;
use touchline_tests::program::{Server, run};

/// P1, P7: what can be seen of a plugin before an instance is made is a reason to refuse it.
#[test]
fn bad_libraries_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 9] = [
        (&["-DBAD=OTHER_VERSION"], "built for plugin-api interface 2, this server has interface 1"),
        (&["-DBAD=OTHER_SYMBOL", "-DSYMBOL=touchline_plugin_v2"], "built for plugin-api interface 2"),
        (&["-DBAD=SHORT_TABLE"], "it has 16 bytes"),
        (&["-DBAD=NO_TABLE"], "touchline_plugin_v1 gave NULL"),
        (&["-DBAD=NO_FUNCTION"], "`generate` is NULL, and a sensor plugin needs it"),
        (&["-DBAD=NO_KIND"], "there is no kind 9"),
        (&["-DBAD=NO_JSON"], "it cannot describe itself"),
        (&["-DBAD=PAST_TEXT"], "it writes past the end of its room"),
        (&["-DBAD=WELL", "-DSYMBOL=touchline_plugin_of_mine"], "a dynamic library, but no Touchline plugin"),
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

/// P6, P7: a sensor in C that breaks its promises has failed, with the reason; its robot's other sensors go on.
#[test]
fn a_sensor_that_breaks_its_promises_is_stopped() {
    for (how, reason) in [
        ("STATUS", "there is no status 77"),
        ("PAST_COUNTS", "it writes past the end of its counts; its layout has 3"),
        ("FAR_PAST_COUNTS", "it writes past the end of its counts; its layout has 3"),
        ("COUNTS_LEN", "it gives 2 counts; its layout has 3"),
        ("NEEDS_ALL", "its layout has 3"),
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
        let server = Server::start(&world, &["--plugins", folder.path().to_str().unwrap()]);
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

/// The faults of 200 steps of a world with a sound robot and one whose motion model is `bad`.
fn faults(folder: &TempDir, params: &str) -> Vec<String> {
    write(folder, "bad.toml", &format!("{BODY}[motion]\nplugin = \"bad\"\n{params}"));
    write(folder, "good.toml", &format!("{BODY}[motion]\nplugin = \"differential\"\n"));
    let world = write(
        folder,
        "world.toml",
        "name = \"w\"\n[[robot]]\nname = \"bad\"\nfile = \"bad.toml\"\n\
         [[robot]]\nname = \"good\"\nfile = \"good.toml\"\npose = { y_m = 2.0 }\n",
    );
    let outcome =
        run(["run", &world, "--steps", "200", "--json", "--plugins", folder.path().to_str().unwrap()]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let summary = outcome.json();
    assert_eq!(summary["steps"], 200);
    summary["faults"].as_array().unwrap().iter().map(|fault| fault.as_str().unwrap().to_owned()).collect()
}

/// P6, P7: likewise a motion model, whose state is a room that it must keep to.
#[test]
fn a_motion_model_that_breaks_its_promises_is_stopped() {
    for (how, reason) in [
        ("STATUS", "there is no status 77"),
        ("PAST_STATE", "it writes past the end of its room"),
        ("STATE_LEN", "and there was room for"),
        ("NEEDS_ALL", "bytes are taken"),
        ("WAITS", "it asks for more room, and needs none"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        compile(&folder, "bad", "bad.c", &["-DMOTION", &format!("-DBAD={how}")]);
        let faults = faults(&folder, "");
        let [fault] = faults.as_slice() else { panic!("{how}: {faults:?}") };
        assert!(fault.starts_with("step 2") && fault.contains(reason), "{how}: {fault}");
    }
}

/// P6, P7: an exception is caught on the plugin's side, and its text is the message.
#[test]
fn what_a_plugin_in_cpp_throws_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let path = compile(&folder, "bad", "throws.cpp", &[]);
    assert_eq!(run(["check", &path]).code, Some(0));
    for (how, reason) in [
        ("exception", "threw: no wheel 5"),
        ("number", "threw something that is no std::exception"),
        ("fault", "the motor is hot"),
    ] {
        let faults = faults(&folder, &format!("params = {{ how = \"{how}\" }}\n"));
        let [fault] = faults.as_slice() else { panic!("{how}: {faults:?}") };
        assert!(fault.starts_with("step 2") && fault.contains(reason), "{how}: {fault}");
    }
    assert!(faults(&folder, "").is_empty());
    for (how, reason) in [("at-once", "threw: cannot begin"), ("never", "must not be")] {
        write(
            &folder,
            "bad.toml",
            &format!("{BODY}[motion]\nplugin = \"bad\"\nparams = {{ how = \"{how}\" }}\n"),
        );
        let file = folder.path().join("bad.toml");
        let checked = run(["check", file.to_str().unwrap(), "--plugins", folder.path().to_str().unwrap()]);
        assert!(checked.code.is_some_and(|code| code != 0), "{checked:?}");
        assert!((checked.stdout.clone() + &checked.stderr).contains(reason), "{checked:?}");
    }
    assert!(Path::new(&path).is_file());
}
