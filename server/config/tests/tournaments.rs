//! Tournament files: who drives which robot. (B1)

use crate::support::Fakes;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_config::{Disk, TournamentSpec, load_tournament, parse_tournament, tournament_libraries};
use touchline_sim::PluginFactory;

fn fakes() -> Arc<dyn PluginFactory> {
    Arc::new(Fakes { strict_laser: false })
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A tournament on the field of 2003 of somebody with these lines against the world's own players.
fn with(players: &str) -> TournamentSpec {
    let text = format!(
        "name = \"cup\"\nworld = \"f2000.toml\"\nmatch_s = 10\npairs = 1\n[[entrant]]\nname = \"b\"\n[[entrant]]\nname = \"a\"\n{players}"
    );
    parse_tournament(&text, &root().join("worlds/cup.toml"), &Disk, &fakes())
        .unwrap_or_else(|report| panic!("{report}"))
}

/// The plugins of the robots in a match, and one of their parameters.
fn drivers(spec: &TournamentSpec, sides: [usize; 2]) -> Vec<String> {
    let scenario = spec.scenario_of(sides.map(|entrant| &spec.entrants[entrant]));
    let driver = |robot: &touchline_sim::scenario::RobotPlacement| {
        let choice = &robot.player.as_ref().unwrap().choice;
        format!("{}{}", choice.plugin, choice.params.get("n").map(ToString::to_string).unwrap_or_default())
    };
    scenario.robots.iter().map(driver).collect()
}

/// B1: the shipped tournaments load under their names.
#[test]
fn every_tournament_loads_under_its_name() {
    let files = std::fs::read_dir(root().join("worlds/tournaments")).unwrap();
    let files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        let spec = load_tournament(path, &Disk, &fakes()).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(spec.name, path.file_stem().unwrap().to_string_lossy());
    }
}

/// B1: who says more closely which robot is meant is heard: all, the world's own plugin, the number in the team, the name.
#[test]
fn players_are_chosen_for_robots_on_either_side() {
    let own = ["goalkeeper", "striker", "striker", "striker"];
    let spec = with(
        "players.all = { plugin = \"wanderer\", params = { n = 1 } }\n\
         players.striker = { plugin = \"striker\", params = { n = 2 } }\n\
         players.3 = { plugin = \"striker\", params = { n = 3 } }\n\
         players.yellow-3 = { plugin = \"striker\", params = { n = 4 } }\n",
    );
    assert_eq!(drivers(&spec, [0, 0]), [own, own].concat());
    let blue = ["wanderer1", "striker2", "striker3", "striker2"];
    let yellow = ["wanderer1", "striker2", "striker4", "striker2"];
    assert_eq!(drivers(&spec, [1, 0]), [blue, own].concat());
    assert_eq!(drivers(&spec, [0, 1]), [own, yellow].concat());
    let rate = with("players.all = { plugin = \"wanderer\", rate_hz = 10 }\n");
    assert_eq!(rate.entrants[1].players[&0].period_secs, 0.1);
}

/// B1: a command drives the team's robots that no player drives; who says more closely which robot is meant is heard.
#[test]
fn a_command_drives_what_it_names() {
    let driven = |lines: &str| {
        let spec = with(&format!("command = [\"my-team\", \"{{board}}\"]\n{lines}"));
        let program = spec.entrants[1].program.clone().unwrap();
        assert_eq!(program.folder, std::path::absolute(root().join("worlds")).unwrap());
        let scenario = spec.scenario_of([&spec.entrants[1], &spec.entrants[0]]);
        let names = program.robots.iter().map(|&robot| scenario.robots[robot].name.clone());
        // On its side nobody else drives them; the other side is as it was.
        for (index, robot) in scenario.robots.iter().enumerate() {
            assert_eq!(
                robot.player.is_none(),
                index < 4 && program.robots.contains(&index),
                "{}",
                robot.name
            );
        }
        names.filter_map(|name| name.strip_prefix("blue-").map(Into::into)).collect::<Vec<String>>().concat()
    };
    assert_eq!(driven(""), "1234");
    assert_eq!(driven("players.1 = { plugin = \"goalkeeper\" }\n"), "234");
    assert_eq!(driven("drives = [\"striker\"]\n"), "234");
    assert_eq!(driven("drives = [\"2\", \"3\"]\nplayers.all = { plugin = \"wanderer\" }\n"), "23");
    assert_eq!(driven("drives = [\"all\"]\nplayers.striker = { plugin = \"wanderer\" }\n"), "1");
    let spec = with("command = [\"my-team\"]\n");
    assert_eq!((spec.order_timeout_secs, spec.entrants[0].program.is_none()), (10.0, true));
}

/// B1: words in braces stand for what a program has to know; other braces are its own.
#[test]
fn the_words_of_a_command_are_filled_in() {
    let spec =
        with("command = [\"my-team\", \"--at={board}\", \"{robots}\", \"{ \\\"a\\\": 1 }\", \"{A}{}\"]\n");
    let words = spec.entrants[1].program.as_ref().unwrap().words(|name| format!("<{name}>"));
    assert_eq!(words, ["my-team", "--at=<board>", "<robots>", "{ \"a\": 1 }", "{A}{}"]);
}

/// B1: a plugin that is a path is a library file, relative to the file that names it.
#[test]
fn library_files_are_found_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.toml");
    std::fs::write(
        &path,
        "[[entrant]]\nplayers.all = { plugin = \"../old/libx.so\" }\n\
         [[entrant]]\nplayers = { 1 = { plugin = \"striker\" }, 2 = { plugin = \"./liby.so\" }, 3 = { plugin = \"./liby.so\" } }\n",
    )
    .unwrap();
    let found = tournament_libraries(&path);
    let expected = ["../old/libx.so", "./liby.so"].map(|name| (name.to_owned(), folder.path().join(name)));
    assert_eq!(found, expected);
    assert!(tournament_libraries(&folder.path().join("none.toml")).is_empty());
}
