//! The process of an isolated plugin that has ended is started again; what it loads and reads is what the world was made of. [P1, I2]

#![cfg(target_os = "linux")]

use crate::client::Client;
use crate::model_files::write_model;
use crate::program::{Server, command, outcome, root, run, touchline};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use touchline_host::{Host, Isolation, Jail, Limits, Which};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::motion::MotionDescription;
use touchline_plugin_api::sensor::SensorSetup;
use touchline_sim::PluginFactory;
use touchline_sim::scenario::PluginChoice;

const BODY: &str = "model = \"bad\"\nmass_kg = 5.0\nbody = [{ shape = \"circle\", radius_m = 0.1 }]\n";
/// A busy machine may let a plugin stand that does nothing wrong, milliseconds.
const PATIENT: &str = "60000";

/// A world with one robot, of this file.
fn world(folder: &TempDir, robot: &str) -> String {
    fs::write(folder.path().join("bad.toml"), BODY.to_owned() + robot).unwrap();
    let empty = fs::read_to_string(root().join("worlds/empty.toml")).unwrap();
    let file = folder.path().join("world.toml");
    fs::write(&file, empty + "\n[[robot]]\nname = \"bad\"\nfile = \"bad.toml\"\n").unwrap();
    file.display().to_string()
}

fn served(world: &str, limit_ms: &str) -> (Server, Client) {
    let server = Server::start(world, &["--speed", "lockstep", "--studio", "off", "--isolate-ms", limit_ms]);
    let client = Client::operator(&server);
    (server, client)
}

/// I2: a process that ended costs the run in which it did: the next one is the same as the first.
#[test]
fn the_next_run_is_as_the_first() {
    let folder = tempfile::tempdir().unwrap();
    for how in ["exit", "error"] {
        let params = format!("params = {{ how = \"{how}\", after_steps = 50 }}");
        let world =
            world(&folder, &format!("motion = {{ plugin = \"misbehave\", isolate = true, {params} }}\n"));
        let (_server, mut client) = served(&world, PATIENT);
        let mut since = 0;
        let mut run = || {
            client.ok("STEP 60");
            let faults = client.ok(&format!("EVENTS since={since} kind=fault"));
            since = faults.number("next");
            let hash = client.ok("STATUS").field("state_hash").to_owned();
            let [fault] = faults.lines.as_slice() else { panic!("{how}: {faults:?}") };
            client.ok("RESET");
            (fault.split_once(" step=").unwrap().1.to_owned(), hash)
        };
        let first = run();
        assert!(first.0.starts_with("51 "), "{how}: {first:?}");
        assert_eq!(run(), first, "{how}");
        assert_eq!(run(), first, "{how}");
    }
}

/// I2: whoever reads a sensor that hangs when it is read has a fault, as often as he asks; the world, which does not read it, goes on as
/// without him.
#[test]
fn a_reader_ends_no_sensor_for_the_world() {
    let folder = tempfile::tempdir().unwrap();
    let sensor = "motion = { plugin = \"differential\" }\n[[sensor]]\nid = \"odd\"\nmodel = \"odd\"\nplugin = \"misbehave\"\n\
                  isolate = true\nparams = { how = \"hang\", after_steps = 50 }\n";
    let world = world(&folder, sensor);
    let hash = |is_read: bool| {
        let (_server, mut client) = served(&world, "3000");
        for steps in ["STEP 50", "STEP 1", "STEP 30"] {
            client.ok(steps);
            if is_read {
                let reading = client.ok("GET bad odd");
                let fault = reading.line("FAULT ");
                assert!(fault.contains("it did not return within 3000 ms"), "{fault}");
                assert_eq!(fault.contains("again in a step that comes"), steps != "STEP 50", "{fault}");
                assert_eq!(client.ok("GET bad odd").lines, reading.lines, "as long as the world stands");
            }
        }
        assert_eq!(client.ok("EVENTS kind=fault").lines, Vec::<String>::new());
        client.ok("STATUS").field("state_hash").to_owned()
    };
    assert_eq!(hash(true), hash(false));
}

/// P1: a library that is replaced while the program runs is not run in the name of the one that was tried.
#[test]
fn a_library_that_was_replaced_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    compile_sonar(folder.path(), "1");
    let robot = "motion = { plugin = \"differential\" }\n[[sensor]]\nid = \"ping\"\nmodel = \"s\"\nplugin = \"sonar-c\"\n";
    let world = world(&folder, robot);
    let path = folder.path().to_str().unwrap();
    let options =
        ["--plugins", path, "--robots", path, "--isolate", "--isolate-ms", PATIENT, "--studio", "off"];
    let server = Server::start(&world, &options);
    let mut client = Client::operator(&server);
    client.ok("ROBOT one file=bad");
    compile_sonar(folder.path(), "2");
    let answer = client.ask("ROBOT two file=bad");
    assert!(answer.head.starts_with("ERR "), "{answer:?}");
    assert!(
        format!("{answer:?}").contains("the file has changed since this program loaded it"),
        "{answer:?}"
    );
}

/// P1: likewise an instance that a program makes, which is told that the file is another; also of two files of one length and time.
#[test]
fn a_program_is_told_that_a_library_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let library = compile_sonar(folder.path(), "1");
    let limits = Limits { longest_call: Duration::from_secs(60), ..Limits::default() };
    let jail = Jail { program: touchline().to_owned(), limits };
    let isolation = Isolation { jail, which: Which::All, ours: Vec::new() };
    let host = Host::scan_tried(&[folder.path().to_owned()], isolation);
    let setup = SensorSetup {
        robot: "r".into(),
        id: "ping".into(),
        model: String::new(),
        mount: Mount::default(),
        dt_secs: 0.01,
        motion: MotionDescription::default(),
        teams: Vec::new(),
        team: None,
        fixtures: Vec::new(),
    };
    let choice = PluginChoice::new("sonar-c", serde_json::json!({}));
    let refusal = || host.sensor(&choice, &setup).err().map(|error| error.to_string());
    assert_eq!((refusal(), host.changed_file()), (None, None));
    let modified = fs::metadata(&library).unwrap().modified().unwrap();
    compile_sonar(folder.path(), "2");
    assert_eq!(host.changed_file(), Some(library.as_path()));
    assert!(refusal().is_some_and(|said| said.contains("the file has changed")), "{:?}", refusal());
    fs::File::options().append(true).open(&library).unwrap().set_modified(modified).unwrap();
    assert_eq!(host.changed_file(), None);
    assert!(refusal().is_some_and(|said| said.contains("the file has changed")), "{:?}", refusal());
}

/// Compiles a sensor as a linker does it: a new file in the place of the old one.
fn compile_sonar(folder: &Path, version: &str) -> PathBuf {
    let library = folder.join("libsonar.so");
    let new = folder.join("new");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC"]).arg(format!("-DPLUGIN_VERSION=\"{version}\"")).arg("-I");
    compiler.arg(root().join("plugin-api/include")).arg("-o").arg(&new);
    compiler.arg(root().join("plugin-api/examples/sensor-sonar-c/sonar.c")).arg("-lm");
    assert!(compiler.status().unwrap().success());
    fs::rename(new, &library).unwrap();
    library
}

/// P6: a file that a parameter names is found from the world file, however that is named; with it an isolated plugin may read what the
/// file names beside it.
#[test]
fn an_isolated_player_reads_its_model_and_the_weights_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = world(&folder, "motion = { plugin = \"differential\" }\n");
    write_model(folder.path(), 1.0);
    let text = fs::read_to_string(&file).unwrap();
    let hash = |isolate: bool, file: &str| {
        let player = format!(
            "player = {{ plugin = \"onnx\", isolate = {isolate}, params = {{ model = \"policy.onnx\" }} }}\n"
        );
        fs::write(folder.path().join("world.toml"), text.clone() + &player).unwrap();
        let mut program = command(["run", file, "--steps", "50", "--json", "--isolate-ms", PATIENT]);
        let ran = outcome(program.current_dir(folder.path()));
        assert_eq!(ran.code, Some(0), "{file}: {ran:?}");
        assert_eq!(ran.json()["faults"], serde_json::json!([]), "{file}: {ran:?}");
        ran.json()["state_hash"].clone()
    };
    let here = hash(false, &file);
    assert_eq!(hash(true, &file), here);
    assert_eq!(hash(true, "world.toml"), here);
}

/// P1: what a stranger's robot file names for an isolated plugin opens files to it, and no folder with all that lies in it.
#[test]
fn an_isolated_plugin_is_given_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = world(&folder, "motion = { plugin = \"differential\" }\n");
    let text = fs::read_to_string(&file).unwrap();
    let player = "player = { plugin = \"onnx\", isolate = true, params = { model = \"/\" } }\n";
    fs::write(&file, text + player).unwrap();
    let ran = run(["run", &file, "--steps", "5"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("model names \"/\", which is no file"), "{ran:?}");
}

/// P1: where the system keeps no files from a process, whoever trusts in it is told; the call for that is refused as by an old kernel.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_system_without_landlock_is_told() {
    const WITHOUT: &str = "
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
step = lambda code, yes, no, number: struct.pack('HBBI', code, yes, no, number)
load, equal, give = (0x20, 0, 0, 0), lambda number, yes: (0x15, yes, 0, number), lambda word: (0x06, 0, 0, word)
rules = [load, equal(444, 3), equal(445, 2), equal(446, 1), give(0x7fff0000), give(0x00050000 | 38)]
code = ctypes.create_string_buffer(b''.join(step(*rule) for rule in rules))
class Program(ctypes.Structure):
    _fields_ = [('steps', ctypes.c_ushort), ('code', ctypes.c_void_p)]
program = Program(len(rules), ctypes.cast(code, ctypes.c_void_p).value)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
";
    let folder = tempfile::tempdir().unwrap();
    let file = world(&folder, "motion = { plugin = \"differential\" }\n");
    let words = ["run", &file, "--steps", "5", "--isolate=all", "--isolate-ms", PATIENT];
    let here = run(words);
    assert!(here.code == Some(0) && !here.stderr.contains("no Landlock"), "{here:?}");
    let program = command(words);
    let mut wrapped = Command::new("python3");
    wrapped.current_dir(root());
    wrapped.args(["-c", WITHOUT]).arg(program.get_program()).args(program.get_args());
    let told = outcome(&mut wrapped);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert_eq!(told.stderr.matches("this system has no Landlock").count(), 1, "{told:?}");
}
