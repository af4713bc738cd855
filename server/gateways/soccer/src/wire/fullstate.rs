//! `fullstate`: the whole world, for the players of a team that is told it.

use super::body::{round_degrees, write_arm};
use super::global::write_mark;
use crate::awareness::Awareness;
use crate::number::General;
use crate::state::{Body, PLAYERS, State, Who, quantise};
use std::fmt::{self, Write};
use touchline_soccer_law::face::{Side, state};

/// The message for a player; nothing before version 5.
pub fn fullstate(out: &mut String, version: u32, who: Who, state: &State, aware: &[Awareness; PLAYERS]) {
    // A string takes whatever is written.
    let _ = write(out, version, who, state, aware);
}

fn write(
    out: &mut String,
    version: u32,
    who: Who,
    state: &State,
    aware: &[Awareness; PLAYERS],
) -> fmt::Result {
    let (own, body) = (&aware[who.place()], state.body(who));
    let quality = if own.view.is_high { "high" } else { "low" };
    let mode = match (state.mode.word(), state.catcher) {
        ("free_kick_l", Some(_)) => "goalie_catch_ball_l",
        ("free_kick_r", Some(_)) => "goalie_catch_ball_r",
        (word, _) => word,
    };
    write!(out, "(fullstate {} (pmode {mode})", state.time)?;
    write!(out, " (vmode {quality} {})", own.view.width.word())?;
    if version >= 8 {
        write_counts(out, version, own)?;
        // The distance as it is, whole degrees.
        let [dist, dir_rad] = own.arm.relative(body).unwrap_or_default();
        write_arm(out, own, dist, round_degrees(dir_rad))?;
    }
    let [left, right] = state.scores;
    match (version, who.side) {
        // The real server puts the right team's goals in the place of the left one's, and 0 behind them.
        (..8, _) => write!(out, " (score {right} 0)")?,
        (_, Side::Left) => write!(out, " (score {left} {right})")?,
        (_, Side::Right) => write!(out, " (score {right} {left})")?,
    }
    let ball = &state.ball;
    out.push_str(if version < 8 { " (ball" } else { " ((b)" });
    write_points(out, version, &[ball.pos, ball.vel])?;
    out.push(')');
    for (other, body) in state.enabled() {
        write_player(out, version, other, body, &aware[other.place()])?;
    }
    out.push(')');
    Ok(())
}

fn write_counts(out: &mut String, version: u32, aware: &Awareness) -> fmt::Result {
    let counts = &aware.counts;
    let (kick, dash, turn, catch) = (counts.kick, counts.dash, counts.turn, counts.catch);
    let (moved, neck, view, say) = (counts.moved, counts.turn_neck, counts.change_view, counts.say);
    write!(out, " (count {kick} {dash} {turn} {catch} {moved} {neck} {view} {say}")?;
    if version >= 18 {
        write!(out, " {}", counts.change_focus)?;
    }
    out.push(')');
    Ok(())
}

fn write_player(out: &mut String, version: u32, who: Who, body: &Body, aware: &Awareness) -> fmt::Result {
    let (side, unum) = (who.side.letter(), who.unum);
    match version {
        ..8 => write!(out, " ({side}_{unum}")?,
        8..14 if body.is(state::GOALIE) => write!(out, " ((p {side} {unum} g)")?,
        8..14 => write!(out, " ((p {side} {unum} {})", body.kind)?,
        _ => {
            let goalie = if body.is(state::GOALIE) { " g" } else { "" };
            write!(out, " ((p {side} {unum}{goalie} {})", body.kind)?;
        }
    }
    write_points(out, version, &[body.motion.pos, body.motion.vel])?;
    write_points(out, version, &[[body.body_rad.to_degrees(), body.neck_rad.to_degrees()]])?;
    if version < 8 {
        let (effort, recovery) = (quantise(body.effort, 0.0001), quantise(body.recovery, 0.0001));
        write!(out, " {} {} {})", General(body.stamina.trunc()), General(effort), General(recovery))?;
        return Ok(());
    }
    if let Some([dist, dir_rad]) = aware.arm.relative(body) {
        write!(out, " {} {}", General(dist), General(dir_rad))?;
    }
    if version >= 18 {
        let [dist, dir_rad] = aware.focus_point;
        write!(out, " (focus_point {} {})", General(dist), General(dir_rad.to_degrees()))?;
    }
    let (stamina, effort) = (General(body.stamina), General(body.effort));
    write!(out, " (stamina {stamina} {effort} {}", General(body.recovery))?;
    if version >= 13 {
        write!(out, " {}", General(body.capacity))?;
    }
    out.push(')');
    if version >= 13 {
        write_mark(out, version, body, false)?;
    }
    out.push(')');
    Ok(())
}

/// Whole numbers of thousandths before version 8, as the real server has them in single precision.
fn write_points(out: &mut String, version: u32, points: &[[f64; 2]]) -> fmt::Result {
    points.iter().flatten().try_for_each(|&number| {
        let shown = if version < 8 { quantise(number, f64::from(0.001_f32)) } else { number };
        write!(out, " {}", General(shown))
    })
}
