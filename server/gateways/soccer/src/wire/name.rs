//! How players, teams and landmarks are called on the wire, by versions.

use crate::state::Who;
use std::fmt::{self, Write};
use touchline_soccer_law::face::Side;

/// The teams' names; empty until somebody has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamNames {
    names: [String; 2],
    /// What the opponents are told, if not the name.
    fixed: [String; 2],
}

impl TeamNames {
    /// Nobody has come. `fixed` are the names that opponents are told; empty for the true one.
    pub fn new(fixed: [String; 2]) -> Self {
        Self { names: Default::default(), fixed }
    }

    /// The true name; empty until somebody has come.
    pub fn of(&self, side: Side) -> &str {
        &self.names[side as usize]
    }

    /// Gives a side its name.
    pub fn set(&mut self, side: Side, name: &str) {
        name.clone_into(&mut self.names[side as usize]);
    }

    /// The side of this name.
    pub fn side(&self, name: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| !name.is_empty() && self.of(*side) == name)
    }

    /// The name of a side as somebody of a side is told it; a trainer, of none, is told the true ones.
    pub fn told(&self, side: Side, to: Option<Side>) -> &str {
        let fixed = &self.fixed[side as usize];
        if to.is_none_or(|to| to == side) || fixed.is_empty() { self.of(side) } else { fixed }
    }

    /// The name that opponents are told, as a name that no team may come with.
    pub fn is_fixed(&self, name: &str) -> bool {
        self.fixed.iter().any(|fixed| !fixed.is_empty() && fixed == name)
    }
}

/// Writes a player's whole name: `(player T N)`, from version 6 on `(p "T" N)`, with ` goalie` where it is one.
pub fn write_player(out: &mut String, version: u32, team: &str, who: Who, is_goalie: bool) -> fmt::Result {
    if version < 6 {
        return write!(out, "(player {team} {})", who.unum);
    }
    write!(out, "(p \"{team}\" {}{})", who.unum, if is_goalie { " goalie" } else { "" })
}

/// Writes a player's name without its number.
pub fn write_team_only(out: &mut String, version: u32, team: &str) -> fmt::Result {
    if version < 6 { write!(out, "(player {team})") } else { write!(out, "(p \"{team}\")") }
}

/// A landmark, ball or line by its short name, such as `f c`, as clients of this version know it.
pub fn write_thing(out: &mut String, version: u32, short: &str) -> fmt::Result {
    if version >= 6 {
        return write!(out, "({short})");
    }
    let (kind, rest) = short.split_at(1);
    let kind = match kind {
        "f" => "flag",
        "g" => "goal",
        "b" => "ball",
        "l" => "line",
        other => other,
    };
    write!(out, "({kind}{rest})")
}

/// What is near but not in view: `(F)`, before version 6 `(Flag)`.
pub fn close_name(version: u32, short: &str) -> &'static str {
    match (version >= 6, short.as_bytes().first()) {
        (true, Some(b'f')) => "(F)",
        (true, Some(b'g')) => "(G)",
        (true, Some(b'b')) => "(B)",
        (true, _) => "(P)",
        (false, Some(b'f')) => "(Flag)",
        (false, Some(b'g')) => "(Goal)",
        (false, Some(b'b')) => "(Ball)",
        (false, _) => "(Player)",
    }
}
