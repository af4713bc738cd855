//! The lines that the referee is told.

use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::{MAX_SPEED_M_S, MAX_TURN_RAD_S};

/// What the lines look like, for whoever sent another.
const KNOWN: &str = "known are: phase NAME, clock SECS, score N ..., ball N X Y VX VY, robot N X Y THETA VX VY TURN, event KIND TEAM|- [TEXT], draw JSON";
/// What the world takes: a place, metres; a heading, rad. What is more would stop the referee for good.
const MAX_COORDINATE_M: f64 = 1000.0;
const MAX_HEADING_RAD: f64 = 1000.0;
/// Events of the world itself, which no referee tells.
const OWN_EVENTS: [&str; 7] =
    ["contact", "fault", "player-exchanged", "robot-added", "robot-removed", "announcement", "measure"];
const MAX_KIND_BYTES: usize = 64;

/// One line, read.
#[derive(Debug, PartialEq)]
pub enum Line<'a> {
    /// The game is in this phase.
    Phase(&'a str),
    /// The playing time so far, seconds.
    Clock(f64),
    /// The score of each team, in the order of the world's teams.
    Score(Vec<i64>),
    /// A ball lies here: metres, m/s, world frame.
    Ball { ball: u32, position: [f64; 2], velocity: [f64; 2] },
    /// A robot stands here; its velocity in its own frame.
    Robot { robot: u32, pose: Pose2, twist: Twist2 },
    /// Something happened; the team is an index into the world's teams.
    Event { kind: &'a str, team: Option<u32>, text: &'a str },
    /// A drawing or value of the world, in place of the last one.
    Draw(serde_json::Value),
}

impl<'a> Line<'a> {
    /// Reads one line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &'a str) -> Result<Self, String> {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        match word {
            "phase" if !rest.is_empty() => Ok(Self::Phase(rest)),
            "clock" => {
                let [secs] = numbers(rest, f64::MAX)?;
                if secs < 0.0 { Err("the clock is not negative".into()) } else { Ok(Self::Clock(secs)) }
            }
            "score" => rest
                .split_whitespace()
                .map(|score| score.parse().map_err(|_| format!("\"{score}\" is no whole number")))
                .collect::<Result<_, _>>()
                .map(Self::Score),
            "ball" => {
                let (ball, rest) = number_and_rest(rest)?;
                let [x_m, y_m, vx_m_s, vy_m_s] = numbers(rest, f64::MAX)?;
                within("a place, metres", &[x_m, y_m], MAX_COORDINATE_M)?;
                within("a speed, m/s", &[vx_m_s, vy_m_s], MAX_SPEED_M_S)?;
                Ok(Self::Ball { ball, position: [x_m, y_m], velocity: [vx_m_s, vy_m_s] })
            }
            "robot" => {
                let (robot, rest) = number_and_rest(rest)?;
                let [x_m, y_m, theta_rad, vx_m_s, vy_m_s, turn_rad_s] = numbers(rest, f64::MAX)?;
                within("a place, metres", &[x_m, y_m], MAX_COORDINATE_M)?;
                within("a heading, rad", &[theta_rad], MAX_HEADING_RAD)?;
                within("a speed, m/s", &[vx_m_s, vy_m_s], MAX_SPEED_M_S)?;
                within("a turn, rad/s", &[turn_rad_s], MAX_TURN_RAD_S)?;
                let pose = Pose2::new(x_m, y_m, theta_rad);
                Ok(Self::Robot { robot, pose, twist: Twist2::new(vx_m_s, vy_m_s, turn_rad_s) })
            }
            "event" => {
                let (kind, text) = rest.split_once(' ').unwrap_or((rest, ""));
                let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                if kind.is_empty() || kind.len() > MAX_KIND_BYTES || !kind.chars().all(is_word) {
                    return Err("an event's kind is 1 to 64 lower-case letters, digits and -".into());
                }
                if OWN_EVENTS.contains(&kind) {
                    return Err("the world alone tells such an event".into());
                }
                let (team, text) = text.split_once(' ').unwrap_or((text, ""));
                let team = match team {
                    "-" => None,
                    team => {
                        Some(team.parse().map_err(|_| format!("\"{team}\" is no team's number and no -"))?)
                    }
                };
                Ok(Self::Event { kind, team, text: text.trim() })
            }
            "draw" => serde_json::from_str(rest).map(Self::Draw).map_err(|error| format!("no JSON: {error}")),
            _ => Err(KNOWN.into()),
        }
    }
}

fn number_and_rest(text: &str) -> Result<(u32, &str), String> {
    let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
    let number = number.parse().map_err(|_| format!("\"{number}\" is no number of a ball or robot"))?;
    Ok((number, rest))
}

/// So many numbers, finite and at most so large.
fn numbers<const N: usize>(text: &str, most: f64) -> Result<[f64; N], String> {
    let mut numbers = [0.0; N];
    let mut words = text.split_whitespace();
    for number in &mut numbers {
        let word = words.next().ok_or_else(|| format!("{N} numbers are expected"))?;
        let parsed: f64 = word.parse().map_err(|_| format!("\"{word}\" is no number"))?;
        // NaN is not within it either.
        if !(-most..=most).contains(&parsed) {
            return Err(format!("{word} is too large; at most {most}"));
        }
        *number = parsed;
    }
    words.next().map_or(Ok(numbers), |word| Err(format!("\"{word}\" is too much; {N} numbers are expected")))
}

fn within(what: &str, numbers: &[f64], most: f64) -> Result<(), String> {
    match numbers.iter().find(|number| number.abs() > most) {
        Some(number) => Err(format!("{number} is too much for {what}; at most {most}")),
        None => Ok(()),
    }
}
