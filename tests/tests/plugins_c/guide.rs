//! What docs/plugins.md shows in C, C++ and TOML is what works. (P7, P8)

use super::{compile, write};
use crate::client::Client;
use crate::program::{Server, root, run};
use std::fs;
use touchline_kit::data::*;
use touchline_plugin_api::layout::Feature;
use touchline_plugin_api::motion::MotionDescription;

/// The guide's code blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let guide = fs::read_to_string(root().join("docs/plugins.md")).unwrap();
    let fence = format!("```{language}\n");
    guide.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The guide's code in C and C++ is that of the templates and examples, which the tests of this folder build and run.
#[test]
fn the_guide_shows_the_templates() {
    let ring = fs::read_to_string(root().join("plugin-api/examples/sensor-ring-cpp/ring.cpp")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (language, shown) in [("c", 5), ("cpp", 4)] {
        let into = folder.path().join(language);
        for kind in ["sensor", "referee"] {
            let made = run(["new-plugin", kind, "heading", into.to_str().unwrap(), "--language", language]);
            assert_eq!(made.code, Some(0), "{made:?}");
        }
        let file = |name: &str| fs::read_to_string(into.join(format!("{name}.{language}"))).unwrap();
        let source = file("sensor-heading/src/sensor_heading");
        let tests = file("sensor-heading/tests/readings") + &file("referee-heading/tests/steps");
        let blocks = blocks(language);
        for block in &blocks {
            let block = block.trim_end();
            let is_there = [&source, &tests, &ring].iter().any(|text| text.contains(block));
            assert!(is_there, "not in the template:\n{block}");
        }
        assert_eq!(blocks.len(), shown);
    }
}

/// The guide's robot and world are used as they stand there, with a sonar of the guide's name and parameters.
#[test]
fn the_guides_files_start() {
    let folder = tempfile::tempdir().unwrap();
    let sonar = fs::read_to_string(root().join("plugin-api/examples/sensor-sonar-c/sonar.c")).unwrap();
    let source = write(&folder, "sonar.c", &sonar.replace("\"sonar-c\"", "\"sonar\""));
    compile(&folder, "sensor_sonar", source.as_ref(), &["-DPLUGIN_VERSION=\"1.0.0\""]);
    let blocks = blocks("toml");
    let block = |beginning: &str| {
        let found: Vec<_> = blocks.iter().filter(|block| block.starts_with(beginning)).collect();
        assert_eq!(found.len(), 1, "{beginning}");
        found[0].as_str()
    };
    let robot = write(&folder, "bot.toml", block("# bot.toml"));
    let world = write(&folder, "room.toml", block("# room.toml"));
    let plugins = folder.path().to_str().unwrap();
    for file in [&robot, &world] {
        let checked = run(["check", file, "--plugins", plugins]);
        assert_eq!(checked.code, Some(0), "{checked:?}");
    }
    let server = Server::start(&world, &["--plugins", plugins]);
    let mut client = Client::connect(&server);
    // The commands that the guide says.
    let answer = client.ok("GET bot-1 front");
    let count: u32 = answer.line("DATA").rsplit(' ').next().unwrap().parse().unwrap();
    assert!(count < 5000, "the wall is in sight: {answer:?}");
    client.ok("DESCRIBE bot-1");
    // The sensor that stands before them, on the same robot.
    let beginning = block("# bot.toml").split("[[sensor]]").next().unwrap();
    let changed = write(&folder, "changed.toml", &format!("{beginning}{}", block("[[sensor]]")));
    let checked = run(["check", &changed, "--plugins", plugins]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

/// The guide's table of the usual features is that of the types in `touchline_kit::data`. (P5)
#[test]
fn the_guides_features_are_those_of_the_types() {
    // An extent is a number here, and a word there.
    const WORDS: [(u32, &str); 7] = [
        (101, "beams"),
        (102, "teams"),
        (103, "rows"),
        (104, "scan lines"),
        (105, "sonars"),
        (106, "parts"),
        (107, "crossings"),
    ];
    let [beams, teams, rows, lines, sonars, parts, crossings] = WORDS.map(|(number, _)| number);
    let features: [Feature; 12] = [
        LaserScan::feature("180DegreeScan", beams),
        BallSighting::feature(),
        GoalSightings::feature(teams),
        PostSightings::feature(rows),
        RobotSightings::feature(rows),
        LineCrossings::feature(lines, crossings),
        Obstacles::feature(rows),
        FieldPose::feature(),
        Sonar::feature(sonars),
        Compass::feature(),
        Odometry::feature(&MotionDescription::default()),
        Bumper::feature(parts),
    ];
    let mut table =
        String::from("| feature | field | unit | scale | signed | shape |\n|---|---|---|---|---|---|\n");
    for feature in &features {
        for (index, field) in feature.fields.iter().enumerate() {
            let name = if index == 0 { format!("`{}`", feature.name) } else { String::new() };
            let word = |extent: &u32| WORDS.iter().find(|(number, _)| number == extent).unwrap().1;
            let shape: Vec<&str> = field.shape.iter().map(word).collect();
            let shape = if shape.is_empty() { "scalar".into() } else { shape.join(" × ") };
            let signed = if field.signed { "yes" } else { "no" };
            let line = format!(
                "| {name} | `{}` | {} | {} | {signed} | {shape} |\n",
                field.name, field.unit, field.scale
            );
            table.push_str(&line);
        }
    }
    let guide = fs::read_to_string(root().join("docs/plugins.md")).unwrap();
    assert!(guide.contains(&table), "docs/plugins.md has another table; it should be\n{table}");
}
