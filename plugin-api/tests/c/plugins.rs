//! Whole plugins in C and C++, against the headers alone.

use super::{compile, folder};
use std::path::Path;
use std::process::{Command, Output};
use touchline_plugin_api::plugin::PluginDescription;

/// The path of a source of this folder.
fn source(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name).display().to_string()
}

/// Compiles a source of this folder to a program, and runs it.
fn run(file: &str, options: &[&str], arguments: &[&str]) -> Output {
    let (compiler, standard) = if file.ends_with(".c") { ("cc", "-std=c11") } else { ("c++", "-std=c++17") };
    let program = folder("plugins").join(format!("{file}{}", options.concat())).display().to_string();
    let source = source(file);
    compile(compiler, &[&[standard, "-O1"], options, &[&source, "-o", &program, "-lm", "-ldl"]].concat());
    Command::new(&program).args(arguments).output().unwrap()
}

/// P7: a player may name its fields in any order: what it wants is in the order of the robot's sensors, each once.
#[test]
fn wanted_sensors_are_in_the_robots_order() {
    let output = run("wanted.c", &[], &[]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "[0,2]\n[]\n");
}

/// P7: the contract of an author's test takes who does not order at every call, and in C++ a state with gaps.
#[test]
fn the_contract_takes_sound_plugins() {
    for kind in ["-DPLAYER", "-DREFEREE"] {
        for level in ["-O0", "-O3"] {
            let output = run("sound.cpp", &[kind, level], &[]);
            assert!(output.status.success(), "{kind} {level}: {output:?}");
        }
    }
}

/// I2, P7: a state of which not all bytes are set is named, since its bytes are compared.
#[test]
fn the_contract_names_gaps_of_a_state() {
    let sound = run("gaps.c", &["-DWELL"], &[]);
    assert!(sound.status.success(), "{sound:?}");
    let broken = run("gaps.c", &[], &[]);
    let said = String::from_utf8_lossy(&broken.stderr);
    assert!(
        broken.status.code() == Some(1) && said.contains("initial_state always gives the same bytes"),
        "{broken:?}"
    );
}

/// P7: two libraries whose classes have one name are two plugins, also where the compiler was not told to hide what is theirs.
#[cfg(target_os = "linux")]
#[test]
fn libraries_do_not_share_what_has_one_name() {
    let names = ["one", "two"];
    let libraries = names.map(|name| {
        let library = folder("plugins").join(format!("{name}.so")).display().to_string();
        let name = format!("-DNAME=\"{name}\"");
        compile(
            "c++",
            &["-std=c++17", "-O1", "-shared", "-fPIC", &name, &source("twin.cpp"), "-o", &library],
        );
        library
    });
    let output = run("twins.c", &[], &libraries.each_ref().map(String::as_str));
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let said = text.lines().map(|line| serde_json::from_str::<PluginDescription>(line).unwrap().name);
    assert_eq!(said.collect::<Vec<_>>(), names);
}
