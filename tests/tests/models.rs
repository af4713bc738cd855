//! Files that a client makes the server open: those that the operator offers, and no others. [Y2]

use crate::build::plugin_dir;
use crate::client::Client;
use crate::onnx::LinearPolicy;
use crate::program::{Server, root};
use std::fs;
use std::sync::Arc;
use tempfile::TempDir;
use touchline_host::Host;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::player::PlayerSetup;
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{PluginFactory, describe_robot};

const ROBOT: &str = "model = \"round\"\nmass_kg = 5.0\nmotion = { plugin = \"differential\" }\n\
                     body = [{ shape = \"circle\", radius_m = 0.2 }]\n[[sensor]]\nid = \"truth\"\nmodel = \"truth\"\nplugin = \"truth\"\n";

/// `worlds/w.toml` with a robot, `robots/round.toml`, `offered/policy.onnx`, and `secret.onnx` outside of all.
fn folders() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["worlds", "robots", "offered"] {
        fs::create_dir(path(name)).unwrap();
    }
    fs::write(path("robots/round.toml"), ROBOT).unwrap();
    let robot = "[[robot]]\nname = \"rosie\"\nfile = \"../robots/round.toml\"\n";
    fs::write(path("worlds/w.toml"), format!("name = \"w\"\n{robot}")).unwrap();
    let policy = LinearPolicy::to_the_ball(&[], 4);
    fs::write(path("offered/policy.onnx"), policy.bytes()).unwrap();
    fs::write(path("worlds/beside.onnx"), "no model").unwrap();
    fs::write(path("secret.onnx"), policy.bytes()).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(path("secret.onnx"), path("offered/link.onnx")).unwrap();
    folder
}

/// No client learns whether a file is there, or has it read, that the operator does not offer; by no command that names one.
#[test]
fn clients_open_only_what_is_offered() {
    let folder = folders();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let server = Server::start(path("worlds/w.toml"), &["--models", &path("offered"), "--studio", "off"]);
    let mut operator = Client::operator(&server);
    let params = |model: &str| format!("plugin=onnx params=\"{{\\\"model\\\": \\\"{model}\\\"}}\"");
    let secret = path("secret.onnx");
    for model in [
        &*secret,
        "../secret.onnx",
        "link.onnx",
        "absent.onnx",
        "/etc/passwd",
        "/etc/no-such-file",
        "/dev/zero",
        "/proc/self/environ",
        "worlds/../../secret.onnx",
    ] {
        let params = params(model);
        for command in [
            format!("START rosie {params}"),
            format!("START new {params} file=round"),
            format!("EXCHANGE rosie {params}"),
        ] {
            let answer = operator.refused(&command, "board/no-such-file");
            let said = answer.head.replace(model, "NAME");
            assert!(said.contains("model: no file") && said.contains("--models"), "{said}");
            assert!(!said.contains("cannot be read") && !said.contains("denied"), "{said}");
        }
    }
    // What is offered is read, and what it says of it is the plugin's own; beside the world file, too.
    let said = operator.fails(&format!("START rosie {}", params("beside.onnx")));
    assert!(said.contains("is no ONNX model"), "{said}");
    let said = operator.fails(&format!("START rosie {}", params("policy.onnx")));
    assert!(said.contains("policy.onnx") && !said.contains("no-such-file"), "{said}");
    // Robot files, those that they include, and recordings.
    let mut player = Client::connect(&server);
    player.refused("ROBOT a file=../secret.onnx", "board/no-such-file");
    player.refused("ROBOT a file=/etc/passwd", "board/no-such-file");
    for include in ["../worlds/w.toml", "/etc/passwd", "/etc/no-such-file.toml"] {
        let answer = player.upload("ROBOT a", &format!("include = [\"{include}\"]\n{ROBOT}"));
        let said = answer.lines.join("\n");
        assert!(said.contains("only the server's own .toml parts"), "{include}: {answer:?}");
    }
    for name in ["../x", "/tmp/x", "a/b", "..", ".x"] {
        operator.refused(&format!("RECORD start {name}"), "record/bad-name");
    }
    let mut player = Client::connect(&server);
    player.refused(&format!("START rosie {}", params("policy.onnx")), "board/role");
    assert!(operator.robots().len() == 1, "nobody else is there");
}

/// What was made ahead of time is what is given next, as long as it is kept, and to nobody who asks for something else.
#[test]
fn what_was_prepared_is_given_once_it_is_asked_for() {
    let host = Host::scan(&[plugin_dir().to_owned()]);
    let scenario = touchline_config::load_world(&root().join("worlds/discs.toml"), &host).unwrap();
    let game = GameDescription::default();
    let robot = describe_robot(&scenario, &game, &host, ("r", Some(0)), &scenario.robots[0].spec).unwrap();
    let choice = PluginChoice::new("striker", serde_json::json!({}));
    let world = scenario.description();
    let teams = scenario.teams.iter().map(|team| team.name.clone()).collect();
    let setup = PlayerSetup { robot, world, teams, period_secs: 0.1, ..PlayerSetup::default() };
    let prepared = host.prepare_player(&choice, &setup).unwrap();
    assert!(Arc::ptr_eq(&prepared, &host.player(&choice, &setup).unwrap()));
    let other = PlayerSetup { period_secs: 0.2, ..setup.clone() };
    assert!(!Arc::ptr_eq(&prepared, &host.player(&choice, &other).unwrap()));
    let weak = Arc::downgrade(&prepared);
    drop(prepared);
    assert!(weak.upgrade().is_none(), "nobody else keeps it");
    host.player(&choice, &setup).unwrap();
}
