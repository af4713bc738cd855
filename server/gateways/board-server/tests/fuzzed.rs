//! Arbitrary bytes from a client: no panic, bounded output, the same however they are cut; and no role goes beyond what it may. (I6)
//!
//! What the fuzz targets `board` and `roles` ask, and what is asked here of their corpora.

use crate::common::{NOW_US, config, locked, pass};
use touchline_board_server::testing::FakeServer;
use touchline_board_server::{Door, SessionConfig};
use touchline_gate::{Pass, Role};
use touchline_sim::Action;

/// The robot that is there from the beginning, of the team 0.
const BLUE_1: u32 = 1;

/// What a server makes of these pieces: what reaches the world, and all it sends. Pushes come when they are due, so they
/// are left out.
pub fn requests<'a>(config: SessionConfig, pieces: impl IntoIterator<Item = &'a [u8]>) -> Told {
    let mut server = FakeServer::new(config, NOW_US);
    let mut output = String::new();
    for piece in [&b""[..]].into_iter().chain(pieces) {
        server.session().receive(piece, NOW_US);
        loop {
            server.answer(NOW_US);
            let session = server.session();
            let sent = session.output().len();
            if sent == 0 {
                break;
            }
            output.push_str(std::str::from_utf8(session.output()).expect("all output is UTF-8"));
            session.consume_output(sent);
        }
    }
    (server.actions(), output)
}

/// What reached the world, and all that was sent.
pub type Told = (Vec<Action>, String);

/// Both, if they have to be the same. That a robot has gone is told when it is known, between whatever answers there are by then, and who asks
/// for it is told so in other words. Whether a command is a bad line turns out when it is its turn, which may be behind a hundred others.
pub fn comparable(one: Told, other: Told) -> Option<(Told, Told)> {
    let goes = |action: &Action| matches!(action, Action::RemoveRobot(_) | Action::Reset);
    let is_free = |(actions, output): &Told| {
        actions.iter().any(goes) || output.contains("\nCLOSE board/too-many-errors ")
    };
    (!is_free(&one) && !is_free(&other)).then_some((one, other))
}

/// Of somebody at an open desk.
pub fn board(bytes: &[u8]) {
    let whole = requests(config(Door::Open), [bytes]);
    assert!(whole.1.len() <= 1000 * bytes.len() + 1000);
    // Where to cut follows from the bytes, so that a corpus file is nothing but what a client sends.
    let sum: usize = bytes.iter().map(|&byte| usize::from(byte)).sum();
    let (a, b) = bytes.split_at(sum % (bytes.len() + 1));
    if let Some((in_pieces, whole)) = comparable(requests(config(Door::Open), [a, b]), whole) {
        assert_eq!(in_pieces, whole);
    }
}

/// Of somebody whose role the first byte says, or who stands before a locked door.
pub fn roles(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let pass = match first % 9 {
        0 => return without_a_key(bytes),
        1 => pass(Role::Spectator, None, None),
        2 => pass(Role::Monitor, None, None),
        3 => pass(Role::Player, Some(0), Some("blue-1")),
        4 => pass(Role::Player, Some(1), Some("yellow-1")),
        5 => pass(Role::Team, Some(0), None),
        6 => pass(Role::Team, Some(1), None),
        7 => pass(Role::Trainer, None, None),
        _ => pass(Role::Referee, None, None),
    };
    let (actions, output) = requests(config(Door::Inside(pass.clone())), [bytes]);
    assert!(output.len() <= 1000 * bytes.len() + 1000);
    for action in &actions {
        assert!(is_within(&pass, action), "a {} did {action:?}", pass.role);
    }
}

/// Nothing of the world is told, and nothing done, before a key was shown.
fn without_a_key(bytes: &[u8]) {
    let (actions, output) = requests(config(locked()), [bytes]);
    let was_shown = String::from_utf8_lossy(bytes).contains("-key-of-");
    if !was_shown {
        assert!(actions.is_empty(), "without a key: {actions:?}");
        for word in ["OK STATUS", "OK LIST", "OK WORLD", "OK SCORE", "OK GET", "OK DESCRIBE", "STATE "] {
            let told = output.lines().find(|line| line.starts_with(word));
            assert!(told.is_none(), "without a key: {told:?}");
        }
    }
}

/// What a role may do to the world, written down once more.
fn is_within(pass: &Pass, action: &Action) -> bool {
    let is_blues = pass.team == Some(0);
    match action {
        Action::AddRobot { team, player: None, .. } => match pass.role {
            Role::Player | Role::Team => *team == pass.team,
            role => role == Role::Trainer,
        },
        Action::RemoveRobot(robot) => match pass.role {
            Role::Player | Role::Team => *robot != BLUE_1 || is_blues,
            role => role == Role::Trainer,
        },
        Action::Drive(robot, _)
        | Action::SetForward(robot, _)
        | Action::SetTurn(robot, _)
        | Action::SetTwist(robot, _)
        | Action::Manipulate { robot, .. }
        | Action::Say(robot, _)
        | Action::SayToTeam(robot, _)
        | Action::SetSensor { robot, .. }
        | Action::Annotate { robot, .. }
        | Action::TakeRobot(robot)
        | Action::GiveRobot(robot) => {
            matches!(pass.role, Role::Player | Role::Team) && (*robot != BLUE_1 || is_blues)
        }
        Action::PlaceRobot(..) | Action::PlaceBall { .. } | Action::Referee(_) | Action::SetScore { .. } => {
            matches!(pass.role, Role::Trainer | Role::Referee)
        }
        Action::Reset => pass.role == Role::Trainer,
        Action::AddRobot { player: Some(_), .. }
        | Action::StopPlayer(_)
        | Action::StartPlayer(..)
        | Action::ExchangePlayer(..)
        | Action::GiveAll => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{committed, replay};
    use crate::roles::line;
    use touchline_board_server::COMMANDS;

    /// All commands, one after the other, and what the other target's corpus says.
    fn said() -> Vec<Vec<u8>> {
        let lines: Vec<&str> = COMMANDS.iter().map(|command| line(command.word)).collect();
        let rest: Vec<&str> = lines.iter().copied().filter(|line| *line != "BYE").collect();
        let mut said = committed("board");
        said.push((rest.join("\n") + "\n").into_bytes());
        said.extend(rest.chunks(4).map(|lines| (lines.join("\n") + "\n").into_bytes()));
        said
    }

    #[test]
    fn a_thousand_mutants_do_no_harm() {
        replay("board", said(), board);
    }

    #[test]
    fn no_mutant_goes_beyond_its_role() {
        let by_all =
            (0..9u8).flat_map(|role| said().into_iter().map(move |said| [&[role][..], &said].concat()));
        let key = b"\0HELLO 1 x key=the-blue-teams-key-of-these-pages\nTAKE blue-1\nSTATUS\n";
        replay("roles", by_all.chain([key.to_vec()]).collect(), roles);
    }
}
