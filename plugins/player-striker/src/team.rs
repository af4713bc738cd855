//! Who goes for the ball: each says how far it has, and the nearest goes.
//!
//! A message is `s <team> <cost> [<x> <y>]`, whole millimetres: the way to the ball, and the ball's place in the
//! team's common frame if the speaker knows it. Opponents hear it as well, and do not care.

use crate::memory::{FieldFrame, MATES, Mate, Memory};
use crate::plane::Point;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::radio::Inbox;

/// A teammate that has been silent for so long does not count, seconds.
const SILENCE_SECS: f64 = 1.0;
/// Who chases keeps on chasing unless another one is nearer by this, metres.
const LOYALTY_M: f64 = 0.4;
/// A ball that was not seen for so long is looked for where teammates say, seconds.
const STALE_SECS: f64 = 0.5;

/// Takes in what was said since the last call.
pub fn listen(memory: &mut Memory, inbox: &Inbox<'_>, team: u32) {
    for (from, text) in inbox.iter() {
        let Some((cost_m, ball)) = parse(text, team) else { continue };
        let mates = &memory.mates;
        // Its own entry, or a free one, or the oldest.
        let slot = (0..MATES).find(|&i| mates[i].used == 1 && mates[i].robot == from);
        let slot = slot.or_else(|| (0..MATES).find(|&i| mates[i].used == 0));
        let slot = slot.unwrap_or_else(|| {
            (1..MATES)
                .fold(0, |oldest, i| if mates[i].age_secs > mates[oldest].age_secs { i } else { oldest })
        });
        memory.mates[slot] = Mate { cost_m, age_secs: 0.0, robot: from, used: 1 };
        if let (Some(ball), Some(field)) = (ball, memory.field())
            && (memory.ball_known == 0 || memory.ball_age_secs > STALE_SECS)
        {
            memory.ball = field.to_odometry(ball);
            memory.ball_known = 1;
            // Hearsay: anything that it sees itself is better.
            memory.ball_age_secs = STALE_SECS;
        }
    }
}

/// Says how far it has to the ball, if it is time to.
pub fn speak(
    memory: &mut Memory,
    cost_m: f64,
    field: Option<FieldFrame>,
    team: u32,
    period_secs: f64,
    orders: &mut Orders,
) {
    if memory.quiet_secs > 0.0 {
        return;
    }
    memory.quiet_secs = period_secs;
    let said_m = loyal(memory, cost_m);
    let ball = field.filter(|_| memory.ball_age_secs < STALE_SECS).map(|field| field.to_field(memory.ball));
    orders.say(&format(team, said_m, ball));
}

/// Decides whether this robot goes for the ball: 0, or how many teammates are better placed.
pub fn rank(memory: &mut Memory, cost_m: f64, robot: u32) -> usize {
    let own_m = loyal(memory, cost_m);
    let fresh = memory.mates.iter().filter(|mate| mate.used == 1 && mate.age_secs < SILENCE_SECS);
    let better =
        fresh.filter(|mate| mate.cost_m < own_m || (mate.cost_m == own_m && mate.robot < robot)).count();
    memory.chasing = u32::from(better == 0);
    better
}

fn loyal(memory: &Memory, cost_m: f64) -> f64 {
    (cost_m - LOYALTY_M * f64::from(memory.chasing)).max(0.0)
}

fn format(team: u32, cost_m: f64, ball: Option<Point>) -> String {
    let mut text = String::with_capacity(32);
    let mut digits = itoa::Buffer::new();
    text.push_str("s ");
    text.push_str(digits.format(team));
    for metres in [Some(cost_m), ball.map(|ball| ball[0]), ball.map(|ball| ball[1])].into_iter().flatten() {
        text.push(' ');
        text.push_str(digits.format((metres * 1000.0) as i64));
    }
    text
}

fn parse(text: &str, team: u32) -> Option<(f64, Option<Point>)> {
    let mut rest = text.strip_prefix("s ")?.as_bytes();
    if number(&mut rest)? != i64::from(team) {
        return None;
    }
    let mut metres = || number(&mut rest).map(|mm| mm as f64 / 1000.0);
    let cost_m = metres()?;
    Some((cost_m, metres().zip(metres()).map(|(x, y)| [x, y])))
}

/// Takes a whole number of up to nine digits, and the blank behind it.
fn number(rest: &mut &[u8]) -> Option<i64> {
    let (sign, digits) = match *rest {
        [b'-', digits @ ..] => (-1, digits),
        digits => (1, digits),
    };
    let len = digits.iter().take_while(|digit| digit.is_ascii_digit()).count();
    if !(1..=9).contains(&len) {
        return None;
    }
    let (digits, behind) = digits.split_at(len);
    *rest = match behind {
        [] => behind,
        [b' ', behind @ ..] => behind,
        _ => return None,
    };
    Some(sign * digits.iter().fold(0, |number, digit| 10 * number + i64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::geometry::{Pose2, Transform2};
    use touchline_plugin_api::radio::MessageRecord;

    fn hear(memory: &mut Memory, messages: &[(u32, &str)]) {
        let (mut records, mut text) = (Vec::new(), Vec::new());
        for (from, message) in messages {
            let (start, len) = (text.len() as u32, message.len() as u32);
            records.push(MessageRecord { from: *from, start, len, ..MessageRecord::default() });
            text.extend_from_slice(message.as_bytes());
        }
        listen(memory, &Inbox { records: &records, text: &text }, 1);
    }

    #[test]
    fn what_is_said_is_understood_by_teammates_only() {
        let text = format(1, 2.5, Some([1.25, -0.5]));
        assert_eq!(parse(&text, 1), Some((2.5, Some([1.25, -0.5]))));
        assert_eq!(parse(&text, 0), None);
        assert_eq!(parse(&format(1, 2.5, None), 1), Some((2.5, None)));
        for text in ["", "s", "s 1", "s 1 x", "hello", "s 1 99999999999999999999"] {
            assert_eq!(parse(text, 1), None, "{text}");
        }
    }

    /// Y1: the nearest goes for the ball, the others are ranked; who falls silent does not count.
    #[test]
    fn the_nearest_goes() {
        let mut memory = Memory::default();
        hear(&mut memory, &[(4, "s 1 1000"), (5, "s 1 3000"), (6, "s 0 10"), (5, "s 1 2900")]);
        assert_eq!(rank(&mut memory, 2.0, 3), 1);
        assert_eq!(rank(&mut memory, 4.0, 3), 2);
        assert_eq!(rank(&mut memory, 0.5, 3), 0);
        // Now it chases, and keeps on a little beyond.
        assert_eq!(rank(&mut memory, 1.3, 3), 0);
        assert_eq!(rank(&mut memory, 1.5, 3), 1);
        memory.age(1.5);
        assert_eq!(rank(&mut memory, 9.0, 3), 0);
    }

    #[test]
    fn of_two_equals_one_goes() {
        let mut memory = Memory::default();
        hear(&mut memory, &[(4, "s 1 1000")]);
        assert_eq!((rank(&mut memory, 1.0, 3), rank(&mut memory.clone(), 1.0, 3)), (0, 0));
        let mut memory = Memory::default();
        hear(&mut memory, &[(4, "s 1 1000")]);
        assert_eq!(rank(&mut memory, 1.0, 5), 1);
    }

    #[test]
    fn it_looks_where_a_teammate_sees_the_ball() {
        // The field lies along the odometry frame's y axis.
        let mut memory = Memory { goals: [[0.0, 9.0], [0.0, -1.0]], goal_known: [1, 1], ..Memory::default() };
        hear(&mut memory, &[(4, "s 1 1000 2000 500")]);
        assert_eq!(memory.ball_known, 1);
        assert!(
            (memory.ball[0] + 0.5).abs() < 1e-12 && (memory.ball[1] - 6.0).abs() < 1e-12,
            "{:?}",
            memory.ball
        );
        // What it sees itself is not overruled.
        memory.see_ball(&Transform2::new(Pose2::ORIGIN), [1.0, 0.0]);
        hear(&mut memory, &[(4, "s 1 1000 2000 500")]);
        assert_eq!(memory.ball, [1.0, 0.0]);
    }
}
