//! `sense_body`: what a player knows of itself.

use crate::awareness::Awareness;
use crate::number::General;
use crate::state::{Body, direction, length, normal_angle, quantise};
use std::fmt::{self, Write};
use touchline_soccer_law::face::state;

/// The whole message for a client of this version.
pub fn sense_body(out: &mut String, version: u32, time: u32, body: &Body, aware: &Awareness) {
    // A string takes whatever is written.
    let _ = write(out, version, time, body, aware);
}

fn write(out: &mut String, version: u32, time: u32, body: &Body, aware: &Awareness) -> fmt::Result {
    let quality = if aware.view.is_high { "high" } else { "low" };
    write!(out, "(sense_body {time} (view_mode {quality} {})", aware.view.width.word())?;
    write!(out, " (stamina {} {}", General(body.stamina), General(body.effort))?;
    if version >= 13 {
        write!(out, " {}", General(body.capacity))?;
    }
    let vel = body.motion.vel;
    write!(out, ") (speed {}", General(quantise(length(vel), 0.01)))?;
    if version >= 6 {
        write!(out, " {}", cut_degrees(normal_angle(direction(vel) - body.face_rad())))?;
    }
    out.push(')');
    if version >= 5 {
        write!(out, " (head_angle {})", cut_degrees(body.neck_rad))?;
    }
    write_counts(out, version, aware)?;
    if version >= 8 {
        let [dist, dir] = aware.arm.relative(body).unwrap_or_default();
        let tenths = |value: f64| libm::rint(value * 10.0) * 0.1;
        write_arm(out, aware, tenths(dist), tenths(dir.to_degrees()) as i32)?;
        match aware.attention {
            None => write!(out, " (focus (target none)")?,
            Some(who) => write!(out, " (focus (target {} {})", who.side.letter(), who.unum)?,
        }
        write!(out, " (count {}))", aware.counts.attention_to)?;
        write!(out, " (tackle (expires {}) (count {}))", body.tackle_cycles, aware.counts.tackle)?;
    }
    if version >= 12 {
        write_collision(out, body)?;
    }
    if version >= 14 {
        let card = match () {
            () if body.is(state::RED_CARD) => "red",
            () if body.is(state::YELLOW_CARD) => "yellow",
            () => "none",
        };
        write!(out, " (foul (charged {}) (card {card}))", body.foul_cycles)?;
    }
    if version >= 18 {
        let [dist, dir] = aware.focus_point;
        write!(out, " (focus_point {} {})", General(dist), General(dir.to_degrees()))?;
    }
    out.push(')');
    Ok(())
}

fn write_counts(out: &mut String, version: u32, aware: &Awareness) -> fmt::Result {
    let counts = &aware.counts;
    let rows = [
        (1, "kick", counts.kick),
        (1, "dash", counts.dash),
        (1, "turn", counts.turn),
        (1, "say", counts.say),
        (5, "turn_neck", counts.turn_neck),
        (7, "catch", counts.catch),
        (7, "move", counts.moved),
        (7, "change_view", counts.change_view),
        (18, "change_focus", counts.change_focus),
    ];
    rows.iter()
        .filter(|(since, ..)| *since <= version)
        .try_for_each(|(_, name, count)| write!(out, " ({name} {count})"))
}

/// The arm's group, also a part of `fullstate`: where it points to, metres and degrees, as each of them tells it.
pub fn write_arm(out: &mut String, aware: &Awareness, dist: f64, dir_deg: i32) -> fmt::Result {
    let arm = &aware.arm;
    write!(out, " (arm (movable {}) (expires {})", arm.movable_in(), arm.expires_in())?;
    write!(out, " (target {} {dir_deg}) (count {}))", General(dist), arm.count)
}

fn write_collision(out: &mut String, body: &Body) -> fmt::Result {
    let rows = [
        (state::BALL_COLLIDE, " (ball)"),
        (state::PLAYER_COLLIDE, " (player)"),
        (state::POST_COLLIDE, " (post)"),
    ];
    out.push_str(" (collision");
    if rows.iter().all(|(bit, _)| !body.is(*bit)) {
        out.push_str(" none");
    }
    rows.iter().filter(|(bit, _)| body.is(*bit)).for_each(|(_, word)| out.push_str(word));
    out.push(')');
    Ok(())
}

/// Whole degrees towards zero.
pub fn cut_degrees(angle_rad: f64) -> i32 {
    angle_rad.to_degrees() as i32
}

/// The nearest whole degrees.
pub fn round_degrees(angle_rad: f64) -> i32 {
    libm::rint(angle_rad.to_degrees()) as i32
}
