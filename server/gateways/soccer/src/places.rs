//! A game log in a world's units and axes: what the referee `told` is told in each cycle, so that the world shows the game.
//!
//! Metres, m/s, radians; y up, angles counter-clockwise. Several cycles of a log may have one number of the clock: here each is a step of its own.

use crate::log::{GameLog, Player, Record, Show, Side, Team};
use std::fmt::Write;

/// The length of a cycle, seconds.
pub const CYCLE_SECS: f64 = 0.1;
/// How long the line is that is drawn where a player looks to, metres.
const GAZE_M: f64 = 2.0;

/// The names of both teams in their last form; `left` and `right` for one that nobody has joined.
pub fn team_names(log: &GameLog) -> [String; 2] {
    let mut names = ["left".to_owned(), "right".to_owned()];
    for record in &log.records {
        if let Record::Teams { teams, .. } = record {
            for (name, team) in names.iter_mut().zip(teams) {
                if let Some(told) = &team.name {
                    name.clone_from(told);
                }
            }
        }
    }
    if names[0] == names[1] {
        names[1].push_str("-right");
    }
    names
}

/// For each cycle the lines for the referee `told`, in their order. The players are the robots 0 to 21: left 1 to 11, then right.
pub fn cycles(log: &GameLog) -> impl Iterator<Item = String> + '_ {
    let mut scores = [0_u32; 2];
    let mut pending = String::new();
    log.records.iter().filter_map(move |record| {
        match record {
            Record::Mode { mode, .. } => line(&mut pending, format_args!("phase {}", mode.word())),
            Record::Teams { teams, .. } => tell_scores(&mut pending, teams, &mut scores),
            Record::Message { text, .. } => {
                let text = text.replace(|c: char| c.is_control(), " ");
                line(&mut pending, format_args!("event soccer-message - {text}"));
            }
            Record::Show(show) => {
                tell_show(&mut pending, show);
                return Some(std::mem::take(&mut pending));
            }
        }
        None
    })
}

/// A line; a string takes whatever is written.
fn line(lines: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(lines, "{text}");
}

fn tell_scores(lines: &mut String, teams: &[Team; 2], scores: &mut [u32; 2]) {
    for (index, (team, score)) in teams.iter().zip(scores.iter_mut()).enumerate() {
        if team.score > *score {
            line(lines, format_args!("event goal {index}"));
        }
        *score = team.score;
    }
    line(lines, format_args!("score {} {}", scores[0], scores[1]));
}

fn tell_show(lines: &mut String, show: &Show) {
    line(lines, format_args!("clock {}", f64::from(show.cycle) * CYCLE_SECS));
    let [x, y, vx, vy] = show.ball;
    let [vx_m_s, vy_m_s] = [vx, -vy].map(|speed| plain(speed / CYCLE_SECS));
    line(lines, format_args!("ball 0 {} {} {vx_m_s} {vy_m_s}", plain(x), plain(-y)));
    let mut gazes = Vec::new();
    for player in &show.players {
        let [x_m, y_m, theta_rad] = pose(player);
        let [forward_m_s, left_m_s] = velocity(player, theta_rad);
        let robot = player.place();
        line(lines, format_args!("robot {robot} {x_m} {y_m} {theta_rad} {forward_m_s} {left_m_s} 0"));
        if player.is_there() {
            let (sin, cos) = libm::sincos(theta_rad - player.neck_deg.to_radians());
            gazes.push(serde_json::json!({
                "line": [[x_m, y_m], [x_m + GAZE_M * cos, y_m + GAZE_M * sin]],
                "colour": match player.side { Side::Left => "#fff0a0", Side::Right => "#ffb0b0" },
            }));
        }
    }
    line(lines, format_args!("draw {}", serde_json::Value::from(gazes)));
}

/// x and y, metres, and the heading, radians.
fn pose(player: &Player) -> [f64; 3] {
    let [x, y, ..] = player.motion;
    [plain(x), plain(-y), plain(-player.body_deg.to_radians())]
}

/// Forward and to the left, m/s.
fn velocity(player: &Player, theta_rad: f64) -> [f64; 2] {
    let [.., vx, vy] = player.motion;
    let (sin, cos) = libm::sincos(theta_rad);
    let [vx_m_s, vy_m_s] = [vx, -vy].map(|speed| speed / CYCLE_SECS);
    [cos * vx_m_s + sin * vy_m_s, cos * vy_m_s - sin * vx_m_s].map(plain)
}

/// Without the sign of a zero.
fn plain(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}
