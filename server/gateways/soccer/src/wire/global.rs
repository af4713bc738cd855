//! `see_global` and `look`: what coaches and trainers see, exactly.

use super::body::{cut_degrees, round_degrees};
use super::name::{TeamNames, write_player, write_thing};
use crate::awareness::Awareness;
use crate::number::General;
use crate::state::{Body, PLAYERS, State, Who};
use std::fmt::{self, Write};
use touchline_soccer_law::face::{Side, state};

/// What a coach of a version and side (a trainer has none) is shown.
pub struct Global<'a> {
    /// Version of the protocol.
    pub version: u32,
    /// The reader's side.
    pub side: Option<Side>,
    /// The world.
    pub state: &'a State,
    /// What clients decided.
    pub aware: &'a [Awareness; PLAYERS],
    /// The teams.
    pub names: &'a TeamNames,
}

impl Global<'_> {
    /// `(see_global T ...)`; before version 7 `(see T ...)`.
    pub fn see(&self) -> String {
        let word = if self.version < 7 { "see" } else { "see_global" };
        self.message(word, false)
    }

    /// `(ok look T ...)`.
    pub fn look(&self) -> String {
        self.message("ok look", true)
    }

    fn message(&self, word: &str, is_look: bool) -> String {
        let mut out = format!("({word} {}", self.state.time);
        // A string takes whatever is written.
        let _ = self.write(&mut out, is_look);
        out.push(')');
        out
    }

    fn write(&self, out: &mut String, is_look: bool) -> fmt::Result {
        // Coaches have the long names up to version 6.
        let naming = if self.version < 7 { 1 } else { self.version };
        for (name, x) in [("g r", 52.5), ("g l", -52.5)] {
            out.push_str(" (");
            write_thing(out, naming, name)?;
            write!(out, " {} 0)", General(x))?;
        }
        out.push_str(" (");
        write_thing(out, naming, "b")?;
        let ball = &self.state.ball;
        write_numbers(out, &[ball.pos, ball.vel])?;
        out.push(')');
        for (who, body) in self.state.enabled() {
            out.push_str(" (");
            write_player(out, naming, self.names.told(who.side, self.side), who, body.is(state::GOALIE))?;
            self.write_player(out, who, body, is_look)?;
            out.push(')');
        }
        Ok(())
    }

    fn write_player(&self, out: &mut String, who: Who, body: &Body, is_look: bool) -> fmt::Result {
        if self.version < 7 {
            write_numbers(out, &[body.motion.pos])?;
            write!(out, " {} {}", cut_degrees(body.body_rad), cut_degrees(body.neck_rad))?;
            return write_numbers(out, &[body.motion.vel]);
        }
        write_numbers(out, &[body.motion.pos, body.motion.vel])?;
        write!(out, " {} {}", round_degrees(body.body_rad), round_degrees(body.neck_rad))?;
        // A look is always one of an older form: without arms before version 13, without kicks after it.
        let form = match (is_look, self.version) {
            (true, ..13) => 7,
            (true, _) => 8,
            (false, version) => version,
        };
        if form < 8 {
            return Ok(());
        }
        let arm = self.aware[who.place()].arm.direction_rad(body);
        if let Some(direction_rad) = arm {
            write!(out, " {}", round_degrees(direction_rad))?;
        }
        write_mark(out, form, body, arm.is_some())
    }
}

/// What is seen of a player at once: ` t` tackles, from version 13 ` k` has kicked, from 14 ` f` was fouled (not of one that points), and cards.
pub fn write_mark(out: &mut String, version: u32, body: &Body, is_pointing: bool) -> fmt::Result {
    match body.mark() {
        Some('k') if version < 13 => {}
        Some(mark) => write!(out, " {mark}")?,
        None if version >= 14 && body.foul_cycles > 0 && !is_pointing => out.push_str(" f"),
        None => {}
    }
    if version >= 14 {
        if body.is(state::RED_CARD) {
            out.push_str(" r");
        } else if body.is(state::YELLOW_CARD) {
            out.push_str(" y");
        }
    }
    Ok(())
}

fn write_numbers(out: &mut String, points: &[[f64; 2]]) -> fmt::Result {
    points.iter().flatten().try_for_each(|&number| write!(out, " {}", General(number)))
}
