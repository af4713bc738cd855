//! Files that plugins open: those that whoever has the robot file parsed allows, and no others.

use crate::support::Fakes;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use touchline_config::{Disk, FileSource, Report, ShippedParts, SourceFile, parse_robot, parse_world};
use touchline_plugin_api::instance::SensorInstance;
use touchline_plugin_api::plugin::PluginDescription;
use touchline_plugin_api::sensor::SensorSetup;
use touchline_sim::scenario::{PluginChoice, RobotSpec, Scenario};
use touchline_sim::{MakeError, PluginFactory};

const FAKES: Fakes = Fakes { strict_laser: false };

/// The sensor `truth` opens a file; what it is given is noted.
#[derive(Default)]
struct Opening(Mutex<Vec<Value>>);

impl PluginFactory for Opening {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&FAKES)
    }

    fn descriptions(&self) -> Vec<PluginDescription> {
        let mut all = FAKES.descriptions();
        for (plugin, properties) in [
            ("truth", json!({ "table": { "type": "string", "format": "path" } })),
            ("onnx", json!({ "model": { "type": "string", "format": "path" }, "n": { "maximum": 3 } })),
            ("coach", json!({ "play": { "type": "object", "format": "player" } })),
            ("told", json!({ "play": { "type": "object", "format": "player" } })),
        ] {
            for description in all.iter_mut().filter(|description| description.name == plugin) {
                description.params_schema = json!({ "type": "object", "properties": properties });
            }
        }
        all
    }

    fn sensor(&self, c: &PluginChoice, setup: &SensorSetup) -> Result<Arc<dyn SensorInstance>, MakeError> {
        self.0.lock().unwrap().push(c.params["table"].clone());
        FAKES.sensor(c, setup)
    }
}

fn parse(source: &dyn FileSource, file: &Path, table: &str) -> (Result<RobotSpec, Report>, Vec<Value>) {
    let text = format!(
        "model = \"x\"\nmass_kg = 5.0\nmotion = {{ plugin = \"differential\" }}\nbody = [{{ shape = \"circle\", radius_m = 0.2 }}]\n\
         [[sensor]]\nid = \"eye\"\nplugin = \"truth\"\nparams = {{ table = {table:?} }}\n"
    );
    let factory = Opening::default();
    let parsed = parse_robot(&text, file, source, &factory);
    (parsed, factory.0.into_inner().unwrap())
}

/// Notes the files that it says may be opened.
#[derive(Default)]
struct Noted(Mutex<Vec<String>>);

impl FileSource for Noted {
    fn read(&self, from: &Path, name: &str) -> Result<SourceFile, String> {
        Disk.read(from, name)
    }

    fn opened(&self, _: &Path, name: &str) -> Result<PathBuf, String> {
        self.0.lock().unwrap().push(name.to_owned());
        Ok(name.into())
    }
}

/// Whoever has a world parsed is asked for the files of its players too, as `serve --watch` has to know them.
#[test]
fn files_of_players_are_asked_for_as_those_of_sensors_are() {
    let source = Noted::default();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots");
    let player =
        |model: &str| format!("{{ plugin = \"onnx\", rate_hz = 10, params = {{ model = {model:?} }} }}");
    let text = format!(
        "name = \"w\"\n[[team]]\nname = \"blue\"\n[[team.player]]\nname = \"coach\"\nplugin = \"onnx\"\nparams = {{ model = \"team.onnx\" }}\n\
         [referee]\nplugin = \"told\"\nparams = {{ play = {{ plugin = \"onnx\", params = {{ model = \"told.onnx\" }} }} }}\n\
         [[robot]]\nname = \"a\"\nfile = \"{folder}/round.toml\"\nplayer = {}\n",
        player("robot.onnx")
    );
    // Whatever else these stand-ins refuse: the files were asked for.
    let _ = parse_world(&text, Path::new("w.toml"), &source, &Opening::default());
    let mut noted = source.0.into_inner().unwrap();
    noted.sort();
    assert_eq!(noted, ["robot.onnx", "team.onnx", "told.onnx"]);
}

fn coached(play: &str) -> Result<Scenario, Report> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots");
    let text = format!(
        "name = \"w\"\n[[team]]\nname = \"blue\"\ncolour = \"#0000ff\"\n\
         [[team.player]]\nname = \"boss\"\nplugin = \"coach\"\nparams = {{ play = {play} }}\n\
         [[robot]]\nname = \"a\"\nteam = \"blue\"\nfile = \"{folder}/round.toml\"\npose = {{ x_m = 0.0, y_m = 0.0 }}\n"
    );
    parse_world(&text, Path::new("/games/w.toml"), &Disk, &Opening::default())
}

/// Y1: of a player that a coach will order, files are relative to the world file too, wherever the server runs; and what is wrong with it
/// is found when the file is read.
#[test]
fn a_player_that_a_coach_will_order_is_read_as_one_of_the_file() {
    let scenario = coached("{ plugin = \"onnx\", params = { model = \"nets/a.onnx\", n = 3 } }").unwrap();
    let play = &scenario.teams[0].players[0].player.choice.params["play"];
    assert_eq!(play["params"]["model"], "/games/nets/a.onnx");
    let scenario = coached("{ plugin = \"onnx\" }").unwrap();
    assert_eq!(scenario.teams[0].players[0].player.choice.params["play"], json!({ "plugin": "onnx" }));
    for (play, code, pointed_at) in [
        ("{ plugin = \"onnx\", params = { n = 4 } }", "config/out-of-range", "n = 4"),
        ("{ plugin = \"onyx\" }", "plugin/not-found", "onyx"),
    ] {
        let report = coached(play).unwrap_err();
        let [problem] = report.problems.as_slice() else { panic!("{report}") };
        assert_eq!(problem.code, code);
        assert!(problem.got.as_ref().is_some_and(|got| got.contains(pointed_at)), "{problem}");
    }
    assert!(coached("{ plugin = \"\", params = { anything = 1 } }").is_ok(), "the plugin that the robot has");
}

/// A robot file that a client sends makes no plugin open a file outside the folder, nor tells whether there is one.
#[test]
fn a_robot_file_from_outside_opens_only_what_is_offered() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("robots");
    fs::create_dir(&folder).unwrap();
    fs::write(outside.path().join("secret"), "x").unwrap();
    fs::write(folder.join("table.csv"), "x").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path().join("secret"), folder.join("link")).unwrap();
    let secret = outside.path().join("secret");
    let attacks = [
        "/etc/passwd",
        "/etc/no-such-file",
        "../secret",
        "link",
        "absent",
        "..",
        ".",
        secret.to_str().unwrap(),
    ];
    let offered = ShippedParts::new(&folder);
    for attack in attacks {
        let (parsed, given) = parse(&offered, Path::new("sent.toml"), attack);
        let report = parsed.unwrap_err();
        let said: Vec<_> = report.problems.iter().map(|problem| (problem.code, &*problem.what)).collect();
        let same =
            "sensor \"eye\": cannot open the file: no such file in the folder of the server's robot files";
        assert_eq!(said, [("config/file-not-read", same)], "{attack}");
        assert!(given.iter().all(|table| table == ""), "{attack}: {given:?}");
    }
    let real = fs::canonicalize(folder.join("table.csv")).unwrap();
    let (parsed, given) = parse(&offered, Path::new("sent.toml"), "table.csv");
    assert_eq!(parsed.unwrap().sensors[0].choice.params["table"], real.to_str().unwrap());
    assert_eq!(given, [real.to_str().unwrap()]);
    // A file of one's own opens what it likes, relative to itself.
    let (parsed, _) = parse(&Disk, &folder.join("own.toml"), "../secret");
    assert_eq!(parsed.unwrap().sensors[0].choice.params["table"], secret.to_str().unwrap());
}
