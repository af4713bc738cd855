//! What the tests of sessions share.

use std::sync::Arc;
use touchline_board_server::{Door, Limits, Lock, SessionConfig};
use touchline_gate::{Keys, Pass, Role, Sees, digest};

pub const NOW_US: u64 = 88_000_000;

pub fn config(door: Door) -> SessionConfig {
    SessionConfig {
        server_version: "0.1.0".into(),
        door,
        peer: [127, 0, 0, 1].into(),
        limits: Limits::default(),
    }
}

/// A pass as a key gives it: `blue` and `yellow` are the teams 0 and 1 of the world that is none, `blue-1` is its robot.
pub fn pass(role: Role, team: Option<u32>, robot: Option<&str>) -> Pass {
    let name = [Some(role.as_str()), robot, team.map(|team| ["blue", "yellow"][team as usize])];
    let name = name.into_iter().flatten().next_back();
    Pass {
        name: name.map(Into::into),
        team,
        robot: robot.map(Into::into),
        sees: Sees::Own,
        ..Pass::at_desk(role)
    }
}

/// A door with the keys of which the documents speak.
pub fn locked() -> Door {
    let keys = [
        ("the-operator-key-of-these-pages-1", pass(Role::Operator, None, None)),
        ("the-blue-teams-key-of-these-pages", pass(Role::Team, Some(0), None)),
        ("the-yellow-teams-key-of-the-pages", pass(Role::Team, Some(1), None)),
    ];
    Door::Keys(Arc::new(Lock::new(Keys::new(keys.map(|(key, pass)| (digest(key), pass))))))
}
