//! What monitors are shown: text (versions 3 to 5), JSON (-1), binary (1 and 2); and messages for them.

use super::name::TeamNames;
use crate::awareness::Awareness;
use crate::log::{self, TextVersion};
use crate::number::General;
use crate::state::{PLAYERS, State, Who, quantise};
use std::fmt::{self, Write};
use touchline_soccer_law::face::Side;

/// Positions to a tenth of a millimetre, angles to a thousandth of a degree.
const POSITION: f64 = 0.0001;
const DEGREES: f64 = 0.001;
/// The commands that are counted, in their order.
const COUNTS: [&str; 12] = [
    "kick",
    "dash",
    "turn",
    "catch",
    "move",
    "turn_neck",
    "change_view",
    "say",
    "tackle",
    "pointto",
    "attentionto",
    "change_focus",
];

/// A world as monitors of text and JSON and their logs are shown it.
pub fn record(state: &State, aware: &[Awareness; PLAYERS]) -> log::Show {
    let mut show = exact(state, aware);
    let quantise_all = |numbers: &mut [f64], step: f64| {
        numbers.iter_mut().for_each(|number| *number = quantise(*number, step));
    };
    quantise_all(&mut show.ball, POSITION);
    for player in &mut show.players {
        quantise_all(&mut player.motion, POSITION);
        player.points_to.iter_mut().chain(&mut player.focus).for_each(|pair| quantise_all(pair, POSITION));
        let angles = [&mut player.body_deg, &mut player.neck_deg];
        let width = player.view.iter_mut().map(|(_, width)| width);
        angles.into_iter().chain(width).for_each(|angle| *angle = quantise(*angle, DEGREES));
    }
    show
}

/// A world as it is, for records that have numbers of their own precision.
pub fn exact(state: &State, aware: &[Awareness; PLAYERS]) -> log::Show {
    let motion = |[x, y]: [f64; 2], [vx, vy]: [f64; 2]| [x, y, vx, vy];
    let players = Who::all().zip(&state.players).zip(aware).map(|((who, body), aware)| log::Player {
        side: who.side,
        number: who.unum,
        kind: body.kind as u32,
        state: body.bits,
        motion: motion(body.motion.pos, body.motion.vel),
        body_deg: body.body_rad.to_degrees(),
        neck_deg: body.neck_rad.to_degrees(),
        points_to: aware.arm.target(),
        view: Some((if aware.view.is_high { 'h' } else { 'l' }, aware.view.angle_rad.to_degrees())),
        focus: Some([aware.focus_point[0], aware.focus_point[1].to_degrees()]),
        stamina: Some([body.stamina, body.effort, body.recovery]),
        capacity: Some(body.capacity),
        listens_to: aware.attention.filter(|_| body.is_enabled()).map(|who| (who.side, who.unum)),
        counts: aware.counts.in_order(aware.arm.count).to_vec(),
    });
    let ball = motion(state.ball.pos, state.ball.vel);
    log::Show { cycle: state.time, ball, players: players.collect() }
}

/// The teams as logs have them.
pub fn teams(state: &State, names: &TeamNames) -> [log::Team; 2] {
    Side::BOTH.map(|side| {
        let name = Some(names.of(side).to_owned()).filter(|name| !name.is_empty());
        let penalties = state.shoot_out().map(|counts| counts[side as usize]);
        log::Team { name, score: state.scores[side as usize], penalties }
    })
}

/// `(show T (pm ...) (tm ...) ...)` for monitors of version 3 to 5.
pub fn text(version: u32, state: &State, names: &TeamNames, show: &log::Show) -> String {
    let [left, right] = teams(state, names);
    let name = |team: &log::Team| team.name.clone().unwrap_or_else(|| "null".into());
    let mut out =
        format!("(show {} (pm {}) (tm {} {}", show.cycle, state.mode.number(), name(&left), name(&right));
    let _ = write!(out, " {} {}", left.score, right.score);
    for [scored, missed] in [left.penalties, right.penalties].into_iter().flatten() {
        let _ = write!(out, " {scored} {missed}");
    }
    out.push(')');
    let version = match version {
        ..=3 => TextVersion::V4,
        4 => TextVersion::V5,
        _ => TextVersion::V6,
    };
    let mut positions = Vec::new();
    // A vector takes whatever is written.
    let _ = log::write_positions(&mut positions, version, show);
    out.push_str(&String::from_utf8_lossy(&positions));
    out.push(')');
    out
}

/// `(msg T BOARD "TEXT")` for monitors of version 3 to 5.
pub fn message(time: u32, text: &str) -> String {
    format!("(msg {time} 1 \"{text}\")")
}

/// A show as JSON.
pub fn json(state: &State, names: &TeamNames, show: &log::Show) -> String {
    let mut out = String::new();
    // A string takes whatever is written.
    let _ = write_json(&mut out, state, names, show);
    out
}

fn write_json(out: &mut String, state: &State, names: &TeamNames, show: &log::Show) -> fmt::Result {
    write!(
        out,
        "{{\"show\":{{{},\"mode\":\"{}\",\"team\":{{",
        times(state.time, state.stoppage),
        state.mode.word()
    )?;
    write_json_teams(out, &teams(state, names))?;
    out.push_str("},");
    write_json_positions(out, show, false)?;
    out.push_str("}}");
    Ok(())
}

/// Both teams, without the brackets around them.
pub fn write_json_teams(out: &mut String, teams: &[log::Team; 2]) -> fmt::Result {
    for (index, (team, side)) in teams.iter().zip(Side::BOTH).enumerate() {
        let name = team.name.as_ref().map_or("null".to_owned(), |name| in_json(name));
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}\"{}\":{{\"name\":{name},\"score\":{}", side.letter(), team.score)?;
        if let Some([scored, missed]) = team.penalties.filter(|[scored, missed]| *scored > 0 || *missed > 0) {
            write!(out, ",\"pen_score\":{scored},\"pen_miss\":{missed}")?;
        }
        out.push('}');
    }
    Ok(())
}

/// The ball and the players, without the brackets around them. Logs have the counts of commands, monitors the focus of the eyes.
pub fn write_json_positions(out: &mut String, show: &log::Show, is_logged: bool) -> fmt::Result {
    out.push_str("\"ball\":{");
    write_motion(out, &show.ball)?;
    out.push_str("},\"players\":[");
    for (index, player) in show.players.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_json_player(out, player, is_logged)?;
    }
    out.push(']');
    Ok(())
}

fn write_motion(out: &mut String, [x, y, vx, vy]: &[f64; 4]) -> fmt::Result {
    let [x, y, vx, vy] = [x, y, vx, vy].map(|number| General(*number));
    write!(out, "\"x\":{x},\"y\":{y},\"vx\":{vx},\"vy\":{vy}")
}

fn write_json_player(out: &mut String, player: &log::Player, is_logged: bool) -> fmt::Result {
    let (side, unum) = (player.side.letter(), player.number);
    write!(
        out,
        "{{\"side\":\"{side}\",\"unum\":{unum},\"type\":{},\"state\":{},",
        player.kind, player.state
    )?;
    write_motion(out, &player.motion)?;
    write!(out, ",\"body\":{},\"neck\":{}", General(player.body_deg), General(player.neck_deg))?;
    if let Some([x, y]) = player.points_to {
        write!(out, ",\"px\":{},\"py\":{}", General(x), General(y))?;
    }
    if let Some((quality, width)) = player.view {
        write!(out, ",\"vq\":\"{quality}\",\"vw\":{}", General(width))?;
    }
    if let Some([dist, dir]) = player.focus.filter(|_| !is_logged) {
        write!(out, ",\"fdist\":{},\"fdir\":{}", General(dist), General(quantise(dir, DEGREES)))?;
    }
    if let (Some([stamina, effort, recovery]), Some(capacity)) = (player.stamina, player.capacity) {
        let [stamina, effort, recovery] = [stamina, effort, recovery].map(General);
        write!(out, ",\"stamina\":{stamina},\"effort\":{effort},\"recovery\":{recovery}")?;
        write!(out, ",\"capacity\":{}", General(capacity))?;
    }
    if let Some((side, unum)) = player.listens_to {
        write!(out, ",\"fside\":\"{}\",\"fnum\":{unum}", side.letter())?;
    }
    if is_logged {
        let counts = player.counts.iter().copied().chain(std::iter::repeat(0));
        COUNTS.iter().zip(counts).try_for_each(|(name, count)| write!(out, ",\"{name}\":{count}"))?;
    }
    out.push('}');
    Ok(())
}

/// A message as JSON.
pub fn json_message(time: u32, stoppage: u32, board: u32, text: &str) -> String {
    format!("{{\"msg\":{{{},\"board\":{board},\"message\":{}}}}}", times(time, stoppage), in_json(text))
}

/// A text between quotation marks; logs of others may hold whatever bytes.
fn in_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The clock, and how long it has stood.
pub fn times(time: u32, stoppage: u32) -> String {
    match stoppage {
        0 => format!("\"time\":{time}"),
        stoppage => format!("\"time\":{time},\"stime\":{stoppage}"),
    }
}
