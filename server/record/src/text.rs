//! The JSON that is written ten times a simulated second, by hand: what never changes of it is written once for each roster.

use crate::input::Tick;
use crate::poses::{Units, id, moving, pose};
use crate::state::{Drive, Member, Roster, StateItem};
use serde_json::Value;
use std::sync::Arc;
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::view::{NONE, Object};
use touchline_sim::Message;

/// Numbers have four places behind the point: these are to be looked at, and each digit costs space.
const UNITS: f64 = 1e4;
const PLACES: usize = 4;
/// Beyond this a number of units is no longer exact.
const EXACT: f64 = 9e15;

/// What stays the same from message to message.
#[derive(Default)]
pub(crate) struct Texts {
    /// For each ball and robot.
    transforms: Vec<String>,
    /// For each robot, before its command, with the command's length, and behind its velocity.
    robots: Vec<(String, usize, String)>,
}

impl Texts {
    /// Of a roster, and what stays of the one before.
    pub fn of(roster: &Roster, before: Option<(&Roster, Self)>) -> Self {
        let transform = |object: &Object| {
            let name = Value::from(roster.name(id(object)));
            format!("}},\"parent_frame_id\":\"world\",\"child_frame_id\":{name},\"translation\":{{\"x\":")
        };
        let Some((known, mut texts)) = before.filter(|(known, _)| has_same_names(known, roster)) else {
            return Self {
                transforms: moving(&roster.objects).map(transform).collect(),
                robots: roster.robots.iter().map(robot).collect(),
            };
        };
        for ((text, known), member) in texts.robots.iter_mut().zip(&known.robots).zip(&roster.robots) {
            let same = (&known.player, &known.fault, &known.manipulators)
                == (&member.player, &member.fault, &member.manipulators);
            if !same {
                *text = robot(member);
            }
        }
        texts
    }

    /// `foxglove.FrameTransforms`: where balls and robots are.
    pub fn transforms(&self, out: &mut Vec<u8>, poses: &[Units], nanoseconds: u64) {
        let mut stamp = Vec::with_capacity(64);
        stamp.extend_from_slice(b"{\"timestamp\":{\"sec\":");
        integer(&mut stamp, nanoseconds / 1_000_000_000);
        stamp.extend_from_slice(b",\"nsec\":");
        integer(&mut stamp, nanoseconds % 1_000_000_000);
        out.extend_from_slice(b"{\"transforms\":[");
        for (index, (&units, text)) in poses.iter().zip(&self.transforms).enumerate() {
            comma(out, index);
            let (sin, cos) = sin_cos(pose(units).theta_rad / 2.0);
            out.extend_from_slice(&stamp);
            out.extend_from_slice(text.as_bytes());
            decimal_of(out, units[0]);
            out.extend_from_slice(b",\"y\":");
            decimal_of(out, units[1]);
            out.extend_from_slice(b",\"z\":");
            decimal_of(out, units[3]);
            out.extend_from_slice(b"},\"rotation\":{\"x\":0,\"y\":0,\"z\":");
            decimal(out, sin);
            out.extend_from_slice(b",\"w\":");
            decimal(out, cos);
            out.extend_from_slice(b"}}");
        }
        out.extend_from_slice(b"]}");
    }

    /// `touchline.State`: robots and game.
    pub fn state(&self, out: &mut Vec<u8>, state: &StateItem) {
        let game = &state.game;
        let mut number = |name: &str, number: u64| {
            out.extend_from_slice(name.as_bytes());
            integer(out, number);
        };
        number("{\"tick\":", state.tick);
        number(",\"step\":", state.step);
        number(",\"run\":", state.run);
        number(",\"episode\":", game.episode.into());
        out.extend_from_slice(b",\"clock_secs\":");
        decimal(out, game.clock_secs);
        out.extend_from_slice(b",\"phase\":");
        out.extend_from_slice(json(game.phase_name()).as_bytes());
        out.extend_from_slice(b",\"score\":[");
        for (index, team) in game.teams.iter().enumerate() {
            comma(out, index);
            out.extend_from_slice(team.score.to_string().as_bytes());
        }
        out.extend_from_slice(b"],\"values\":{");
        for (index, (name, value)) in game.values().enumerate() {
            comma(out, index);
            out.extend_from_slice(json(name).as_bytes());
            out.push(b':');
            decimal(out, value);
        }
        out.extend_from_slice(b"},\"robots\":[");
        for (index, (drive, (head, dimensions, tail))) in state.drives.iter().zip(&self.robots).enumerate() {
            comma(out, index);
            let Drive { command, twist } = drive;
            out.extend_from_slice(head.as_bytes());
            decimals(out, &command[..*dimensions]);
            out.extend_from_slice(b",\"twist\":");
            decimals(out, &[twist.x_m_s, twist.y_m_s, twist.turn_rad_s]);
            out.extend_from_slice(tail.as_bytes());
        }
        out.extend_from_slice(b"]}");
    }
}

/// Whether there are the same balls and robots in the same order.
fn has_same_names(one: &Roster, other: &Roster) -> bool {
    let identities = |roster: &'_ Roster| {
        roster.robots.iter().map(|robot| Arc::as_ptr(&robot.identity)).collect::<Vec<_>>()
    };
    moving(&one.objects).map(id).eq(moving(&other.objects).map(id)) && identities(one) == identities(other)
}

/// `touchline.Message`: what was said.
pub(crate) fn radio(out: &mut Vec<u8>, tick: Tick, message: &Message) {
    let Message { number, from_name, channel, heard_by, bearings_rad, text, .. } = message;
    out.extend_from_slice(b"{\"tick\":");
    integer(out, tick);
    out.extend_from_slice(b",\"number\":");
    integer(out, *number);
    out.extend_from_slice(b",\"from\":");
    string(out, from_name);
    out.extend_from_slice(b",\"channel\":");
    string(out, channel.as_str());
    out.extend_from_slice(b",\"heard_by\":[");
    for (index, &robot) in heard_by.iter().enumerate() {
        comma(out, index);
        integer(out, robot.into());
    }
    out.push(b']');
    if !bearings_rad.is_empty() {
        out.extend_from_slice(b",\"bearings_rad\":");
        out.extend_from_slice(json(&bearings_rad[..]).as_bytes());
    }
    out.extend_from_slice(b",\"text\":");
    string(out, text);
    out.push(b'}');
}

fn string(out: &mut Vec<u8>, text: &str) {
    let is_plain = |&byte: &u8| (b' '..0x7f).contains(&byte) && !matches!(byte, b'"' | b'\\');
    if text.as_bytes().iter().all(is_plain) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(json(text).as_bytes());
    }
}

fn robot(robot: &Member) -> (String, usize, String) {
    let description = &robot.identity.description;
    let mut head = format!("{{\"number\":{},\"name\":{}", robot.identity.number, json(&robot.identity.name));
    if let Some(team) = description.team.filter(|&team| team != NONE) {
        head += &format!(",\"team\":{team}");
    }
    if let Some(player) = &robot.player {
        head += &format!(",\"player\":{}", json(&**player));
    }
    if let Some(fault) = &robot.fault {
        head += &format!(",\"fault\":{}", json(&**fault));
    }
    head += ",\"command\":";
    let dimensions = description.motion.dimensions.len().min(touchline_plugin_api::motion::MAX_DIMENSIONS);
    (head, dimensions, format!(",\"manipulators\":{}}}", json(&robot.manipulators)))
}

/// What cannot fail: texts, names and whole numbers.
fn json(value: &(impl serde::Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".into())
}

fn comma(out: &mut Vec<u8>, index: usize) {
    if index > 0 {
        out.push(b',');
    }
}

/// A list of numbers to four places; see [`decimal`].
pub(crate) fn decimals(out: &mut Vec<u8>, numbers: &[f64]) {
    out.push(b'[');
    for (index, &number) in numbers.iter().enumerate() {
        comma(out, index);
        decimal(out, number);
    }
    out.push(b']');
}

/// A number to four places, without the zeros at its end; `null` if it is not finite.
fn decimal(out: &mut Vec<u8>, number: f64) {
    let units = number * UNITS;
    if units.is_nan() || units.abs() >= EXACT {
        out.extend_from_slice(json(&number).as_bytes());
        return;
    }
    decimal_of(out, (units + 0.5_f64.copysign(units)) as i64);
}

/// A number of ten thousandths.
fn decimal_of(out: &mut Vec<u8>, units: i64) {
    if units < 0 {
        out.push(b'-');
    }
    let (whole, mut rest) = (units.unsigned_abs() / UNITS as u64, units.unsigned_abs() % UNITS as u64);
    integer(out, whole);
    if rest == 0 {
        return;
    }
    let mut digits = [b'0'; PLACES];
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    let length = PLACES - digits.iter().rev().take_while(|&&digit| digit == b'0').count();
    out.push(b'.');
    out.extend_from_slice(&digits[..length]);
}

fn integer(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(number: f64) -> String {
        let mut out = Vec::new();
        decimal(&mut out, number);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.00004, "0"),
            (0.00005, "0.0001"),
            (-1.5, "-1.5"),
            (12.0, "12"),
            (0.9999, "0.9999"),
            (0.99996, "1"),
            (-10.0203, "-10.0203"),
            (f64::NAN, "null"),
            (f64::NEG_INFINITY, "null"),
        ] {
            assert_eq!(written(number), text, "{number}");
        }
    }

    proptest! {
        /// Any JSON reader finds the text.
        #[test]
        fn texts_come_back(text in any::<String>(), plain in "[ -~]{0,20}") {
            for text in [text, plain] {
                let mut out = Vec::new();
                string(&mut out, &text);
                prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
            }
        }

        /// Any JSON reader finds the number, rounded.
        #[test]
        fn numbers_come_back(number in prop::num::f64::NORMAL | prop::num::f64::ZERO, small in -1e4..1e4_f64, whole in any::<u64>()) {
            for number in [number, small] {
                let read: f64 = serde_json::from_str(&written(number)).unwrap();
                let allowed = 0.51 / UNITS + number.abs() * f64::EPSILON;
                prop_assert!((read - number).abs() <= allowed, "{} {}", number, read);
            }
            let mut out = Vec::new();
            integer(&mut out, whole);
            prop_assert_eq!(String::from_utf8(out).unwrap(), whole.to_string());
        }
    }
}
