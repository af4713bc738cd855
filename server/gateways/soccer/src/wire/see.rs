//! `see`: what a player sees.

use super::name::{close_name, write_player, write_team_only, write_thing};
use crate::number::General;
use crate::state::Who;
use std::fmt::{self, Write};

/// One thing that is seen. Angles in whole degrees from the neck line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen<'a> {
    /// What it is.
    pub what: What<'a>,
    /// Metres; not at low quality.
    pub dist: Option<f64>,
    /// Direction.
    pub dir_deg: i32,
    /// Change of distance, metres a cycle, and of direction, degrees a cycle.
    pub change: Option<[f64; 2]>,
    /// Directions of a player's body and head.
    pub body_head: Option<[i32; 2]>,
    /// Where a player points to.
    pub point_dir: Option<i32>,
    /// `t` tackles, `k` has kicked.
    pub mark: Option<char>,
}

/// What is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What<'a> {
    /// A landmark, the ball or a line, by its short name such as `f c`, `b`, `l t`.
    Thing(&'a str),
    /// The same, near but not in view.
    CloseThing(&'a str),
    /// A player, its team's name, and whether it is a goalkeeper.
    Player(&'a str, Who, bool),
    /// A player whose number is not seen.
    OfTeam(&'a str),
    /// A player of whom nothing is seen.
    Somebody,
    /// A player near but not in view.
    ClosePlayer,
}

/// The message of things in their order.
pub fn see<'a>(out: &mut String, version: u32, time: u32, seen: impl IntoIterator<Item = Seen<'a>>) {
    // A string takes whatever is written.
    let _ = write!(out, "(see {time}");
    for thing in seen {
        let _ = write_seen(out, version, &thing);
    }
    out.push(')');
}

fn write_seen(out: &mut String, version: u32, seen: &Seen<'_>) -> fmt::Result {
    out.push_str(" (");
    match seen.what {
        What::Thing(short) => write_thing(out, version, short)?,
        What::CloseThing(short) => out.push_str(close_name(version, short)),
        What::Player(team, who, is_goalie) => write_player(out, version, team, who, is_goalie)?,
        What::OfTeam(team) => write_team_only(out, version, team)?,
        What::Somebody => out.push_str(if version < 6 { "(player)" } else { "(p)" }),
        What::ClosePlayer => out.push_str(close_name(version, "p")),
    }
    if let Some(dist) = seen.dist {
        write!(out, " {}", General(dist))?;
    }
    write!(out, " {}", seen.dir_deg)?;
    if let Some([dist, dir]) = seen.change {
        write!(out, " {} {}", General(dist), General(dir))?;
    }
    if let Some([body, head]) = seen.body_head {
        match version {
            ..4 => {}
            4 => write!(out, " {body}")?,
            _ => write!(out, " {body} {head}")?,
        }
    }
    if version >= 8 {
        if let Some(point) = seen.point_dir {
            write!(out, " {point}")?;
        }
        match seen.mark {
            Some('t') => out.push_str(" t"),
            Some('k') if version >= 13 => out.push_str(" k"),
            _ => {}
        }
    }
    out.push(')');
    Ok(())
}
