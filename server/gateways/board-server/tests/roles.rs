//! The matrix of roles: what every role may do with every command, asked of real sessions. docs/roles.md is what they say.

use crate::common::{NOW_US, config, pass};
use std::fmt::Write;
use std::path::Path;
use touchline_board_server::testing::FakeServer;
use touchline_board_server::{COMMANDS, Door};
use touchline_gate::{Pass, Reach, Role, Sees, Verb};

/// A line of each command that nothing is wrong with but who gives it: about `blue-1`, which is of team `blue`.
pub fn line(word: &str) -> &'static str {
    match word {
        "HELP" => "HELP",
        "HELLO" => "HELLO 1 me-too",
        "SYNC" => "SYNC 0",
        "OFFSET" => "OFFSET 0",
        "BYE" => "BYE",
        "STATUS" => "STATUS",
        "LIST" => "LIST",
        "WORLD" => "WORLD",
        "SCORE" => "SCORE",
        "EVENTS" => "EVENTS",
        "PLAYERS" => "PLAYERS",
        "FILES" => "FILES",
        "DESCRIBE" => "DESCRIBE blue-1",
        "GET" => "GET blue-1 *",
        "PUSH" => "PUSH blue-1 100 *",
        "MOTION" => "MOTION blue-1",
        "HEAR" => "HEAR blue-1",
        "ROBOT" => "ROBOT blue-1 team=blue file=pioneer",
        "REMOVE" => "REMOVE blue-1",
        "FORWARD" => "FORWARD blue-1 0.1",
        "TURN" => "TURN blue-1 0.1",
        "TWIST" => "TWIST blue-1 0.1 0 0",
        "DRIVE" => "DRIVE blue-1 0.1 0",
        "MANIPULATE" => "MANIPULATE blue-1 kicker kick",
        "SET" => "SET blue-1 camera width 1",
        "SAY" => "SAY blue-1 here I am",
        "ANNOTATE" => "ANNOTATE blue-1 k 1",
        "RESET" => "RESET",
        "SETSCORE" => "SETSCORE blue 3",
        "PLACE" => "PLACE blue-1 0 0 0",
        "BALL" => "BALL 0 0 0",
        "PAUSE" => "PAUSE",
        "RESUME" => "RESUME",
        "STEP" => "STEP",
        "SPEED" => "SPEED 2",
        "TIMELINE" => "TIMELINE",
        "SEEK" => "SEEK 0",
        "RECORD" => "RECORD stop",
        "OPEN" => "OPEN",
        "REFEREE" => "REFEREE START",
        "TAKE" => "TAKE blue-1",
        "GIVE" => "GIVE blue-1",
        "START" => "START blue-1 plugin=striker",
        "EXCHANGE" => "EXCHANGE blue-1 plugin=striker",
        "STOP" => "STOP blue-1",
        other => panic!("{other} is new: say here how it is given, and look at its row in docs/roles.md"),
    }
}

/// Whether a client with this pass may: whatever else comes of it.
fn may(pass: &Pass, line: &str) -> bool {
    let mut server = FakeServer::new(config(Door::Inside(pass.clone())), NOW_US);
    let greeting = server.session().output().len();
    server.session().consume_output(greeting);
    server.session().receive(format!("{line}\n").as_bytes(), NOW_US);
    server.answer(NOW_US);
    let answer = String::from_utf8(server.session().output().to_vec()).unwrap();
    let refused = ["ERR board/role ", "ERR board/not-yours "].iter().any(|code| answer.starts_with(code));
    let reached = !server.actions().is_empty();
    assert!(!(refused && reached), "{line}: refused, and done: {answer}");
    assert!(
        !answer.is_empty() && !answer.contains("board/bad-") && !answer.contains("-parameter"),
        "{line}: {answer}"
    );
    !refused
}

/// One whose own `blue-1` is, and one whose it is not.
fn both(role: Role) -> [Pass; 2] {
    match role {
        Role::Team => [pass(role, Some(0), None), pass(role, Some(1), None)],
        Role::Player => [pass(role, Some(0), Some("blue-1")), pass(role, Some(0), Some("blue-2"))],
        Role::Spectator | Role::Monitor | Role::Trainer | Role::Referee | Role::Operator => {
            [pass(role, None, None), pass(role, None, None)]
        }
    }
}

fn matrix() -> String {
    let mut text = String::from("| command |");
    Role::ALL.iter().for_each(|role| write!(text, " {role} |").unwrap());
    text += "\n|---|";
    text += &"---|".repeat(Role::ALL.len());
    for command in COMMANDS {
        write!(text, "\n| `{}` |", command.word).unwrap();
        for role in Role::ALL {
            text += match both(role).map(|pass| may(&pass, line(command.word))) {
                [true, true] => " yes |",
                [true, false] => " own |",
                [false, false] => " - |",
                [false, true] => panic!("{role}, {}: another's and not its own", command.word),
            };
        }
    }
    text + "\n"
}

/// Every command for every role: the page says what the sessions do, and a change of either is seen.
#[test]
fn the_page_of_roles_is_what_sessions_do() {
    let matrix = matrix();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/roles.md");
    let page = std::fs::read_to_string(path).unwrap();
    assert!(
        page.contains(&matrix),
        "docs/roles.md has another table than this, which is what sessions do:\n{matrix}"
    );
}

/// What matters most, said once more by hand: a change of the gate's table alone does not change this.
#[test]
fn a_team_has_nothing_of_the_other() {
    let yellow = pass(Role::Team, Some(1), None);
    for word in
        ["GET", "PUSH", "HEAR", "DESCRIBE", "MOTION", "WORLD", "EVENTS", "TIMELINE", "SAY", "ANNOTATE"]
    {
        assert!(!may(&yellow, line(word)), "{word}");
    }
    for word in
        ["DRIVE", "TAKE", "GIVE", "REMOVE", "ROBOT", "PLACE", "BALL", "STEP", "PAUSE", "RESET", "SEEK"]
    {
        assert!(!may(&yellow, line(word)), "{word}");
    }
    for new in
        ["ROBOT yellow-7 team=blue file=pioneer", "ROBOT blue-7 file=pioneer", "ROBOT referee file=pioneer"]
    {
        assert!(!may(&yellow, new), "{new}");
    }
    assert!(may(&yellow, "ROBOT yellow-7 file=pioneer"));
    // It would be moved by that, or told who stands there.
    assert!(!may(&yellow, "ROBOT yellow-7 file=pioneer x=1 y=0"));
    assert!(may(&pass(Role::Trainer, None, None), "ROBOT x file=pioneer x=1 y=0"));
    // By its number it is the same robot.
    assert!(!may(&yellow, "GET 1 *"));
    assert!(may(&pass(Role::Team, Some(0), None), "GET 1 *"));
}

/// A team that steps a world of its own beside this one is not told whether they are the same.
#[test]
fn the_states_hash_is_for_those_who_see_the_world() {
    for role in Role::ALL {
        for (sees, may_see) in [(Sees::Own, role.reach(Verb::See) == Reach::All), (Sees::World, true)] {
            let pass = Pass { sees, ..pass(role, Some(0), Some("blue-1")) };
            let mut server = FakeServer::new(config(Door::Inside(pass)), NOW_US);
            server.session().receive(b"STATUS\n", NOW_US);
            server.answer(NOW_US);
            let said = String::from_utf8(server.session().output().to_vec()).unwrap();
            assert!(said.contains("OK STATUS world="), "{said}");
            assert_eq!(said.contains("state_hash="), may_see, "{role}, {sees:?}: {said}");
        }
    }
}

/// Before its key a client gets help and an end, and nothing else; nobody takes another's name.
#[test]
fn without_a_key_nothing_is_told() {
    for command in COMMANDS {
        let mut server = FakeServer::new(config(crate::common::locked()), NOW_US);
        server.session().receive(format!("{}\n", line(command.word)).as_bytes(), NOW_US);
        server.answer(NOW_US);
        let said = String::from_utf8(server.session().output().to_vec()).unwrap();
        let answer = said.lines().nth(1).unwrap();
        let is_open = ["HELP", "SYNC", "OFFSET", "BYE"].contains(&command.word);
        assert_eq!(answer.starts_with("OK"), is_open, "{}: {answer}", command.word);
        assert!(is_open || answer.starts_with("ERR board/key-needed"), "{}: {answer}", command.word);
        assert!(server.actions().is_empty());
    }
    let mut server = FakeServer::new(config(crate::common::locked()), NOW_US);
    let hellos = "HELLO 1 yellow key=the-blue-teams-key-of-these-pages\nHELLO 1 yellow key=the-yellow-teams-key-of-the-pages\nHELLO 1 a role=operator\nHELLO 1 blue\n";
    server.session().receive(hellos.as_bytes(), NOW_US);
    server.answer(NOW_US);
    let said = String::from_utf8(server.session().output().to_vec()).unwrap();
    let answers: Vec<&str> = said.lines().skip(1).collect();
    assert_eq!(answers[0], "OK HELLO version=1 name=blue/yellow role=team");
    assert!(answers[1].starts_with("ERR board/key \"this connection has shown another key"), "{said}");
    assert!(answers[2].starts_with("ERR board/role needs=operator \"your key is that of a team"), "{said}");
    assert_eq!(answers[3], "OK HELLO version=1 name=blue role=team");
}
