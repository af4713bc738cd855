//! The JSON that is written ten times a simulated second, by hand: what never changes of it is written once for each roster.

use crate::digits::{comma, decimal, decimal_of, decimals, integer};
use crate::input::Tick;
use crate::poses::{Units, id, moving, pose};
use crate::state::{Drive, Member, Roster, StateItem};
use serde_json::Value;
use std::sync::Arc;
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::view::{NONE, Object};
use touchline_sim::{Annotations, Message};

/// So long a value has no number that is too large, written without an exponent; what is longer is read before it is written.
const PLAIN_BYTES: usize = 300;
const PLAIN_DEPTH: usize = 30;

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
    let same = |(one, other): (&Member, &Member)| Arc::ptr_eq(&one.identity, &other.identity);
    one.robots.len() == other.robots.len()
        && one.robots.iter().zip(&other.robots).all(same)
        && (one.looks_the_same(other) || moving(&one.objects).map(id).eq(moving(&other.objects).map(id)))
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

/// What is published of a robot, or of the world, which has no name: JSON by key.
pub(crate) fn annotations(out: &mut Vec<u8>, tick: Tick, name: &str, annotations: &Annotations) {
    out.extend_from_slice(b"{\"tick\":");
    integer(out, tick);
    if !name.is_empty() {
        out.extend_from_slice(b",\"robot\":");
        string(out, name);
    }
    out.extend_from_slice(b",\"values\":{");
    for (index, (key, value)) in annotations.iter().enumerate() {
        comma(out, index);
        string(out, key);
        out.push(b':');
        if is_json_for_all(value) {
            out.extend_from_slice(value.as_bytes());
        } else {
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()));
            out.extend_from_slice(json(&value).as_bytes());
        }
    }
    out.extend_from_slice(b"}}");
}

/// Whether a text is JSON that can stand among other JSON as it is: what some readers refuse, such as halves of characters, numbers
/// beyond all bounds and hundreds of brackets in each other, is not among it.
fn is_json_for_all(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_plain = |&byte: &u8| byte >= b' ' && byte != b'\\';
    let is_open = |&byte: &u8| matches!(byte, b'[' | b'{');
    let has_exponent = bytes.windows(2).any(|two| two[0].is_ascii_digit() && matches!(two[1], b'e' | b'E'));
    bytes.len() <= PLAIN_BYTES
        && bytes.iter().all(is_plain)
        && !has_exponent
        && bytes.iter().filter(|byte| is_open(byte)).count() <= PLAIN_DEPTH
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
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
    (head, dimensions, format!(",\"manipulators\":{}}}", json(&*robot.manipulators)))
}

/// What cannot fail: texts, names and whole numbers.
fn json(value: &(impl serde::Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn published(value: &str) -> serde_json::Result<Value> {
        let (mut out, annotations) = (Vec::new(), Annotations::from([("key \"1\"".into(), value.into())]));
        super::annotations(&mut out, 7, "r1", &annotations);
        let mut read: Value = serde_json::from_slice(&out)?;
        assert_eq!((&read["tick"], &read["robot"]), (&Value::from(7), &Value::from("r1")));
        Ok(read["values"]["key \"1\""].take())
    }

    /// What stands there as it was published can be read, also by readers that take less than JSON allows.
    #[test]
    fn what_is_published_is_read_as_what_it_is() {
        let deep = "[".repeat(5000) + &"]".repeat(5000);
        let long = "9".repeat(5000);
        let halves = "\"\\ud800\"";
        for text in
            ["1.50", "[1, -0.25, {\"a\": null}]", "\"é\"", "1e3", "\"a\\nb\"", "{\n\"a\":\t1}", "0.1e-2"]
        {
            assert_eq!(published(text).unwrap(), serde_json::from_str::<Value>(text).unwrap(), "{text}");
        }
        for text in [&*deep, &*long, "1e999", halves, "no JSON", "1,\"x\":2", ""] {
            assert_eq!(published(text).unwrap(), Value::from(text), "{text}");
        }
    }

    proptest! {
        /// Whatever bytes a value has, the message is JSON, and says the same as the value.
        #[test]
        fn any_value_is_published(
            text in any::<String>(),
            like in "[\\[\\]{}\"\\\\a0-9eE.:, -]{0,12}",
            numbers in prop::collection::vec(any::<f64>(), 0..9),
        ) {
            let numbers = json(&numbers);
            for text in [text, like, numbers] {
                let expected = serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text.as_str()));
                prop_assert_eq!(published(&text).unwrap(), expected);
            }
        }

        /// Any JSON reader finds the text.
        #[test]
        fn texts_come_back(text in any::<String>(), plain in "[ -~]{0,20}") {
            for text in [text, plain] {
                let mut out = Vec::new();
                string(&mut out, &text);
                prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
            }
        }
    }
}
