//! What it publishes about itself, for people who look on: what it is at, and where it wants to go. Nothing of the game depends on it.

use crate::plane::Point;
use serde_json::json;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::PlayerInput;

/// So often a second it is told: people read no faster, and a decision takes little longer for it.
const PER_S: f64 = 1.5;

/// What it is at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thought {
    /// Its team must not move.
    Waits,
    /// It got stuck, and gets free.
    GetsFree,
    /// It does not know where the ball is.
    Searches,
    /// It does not know where the goal is that it wants to aim at.
    LooksAround,
    /// Another one goes for the ball, and it knows no place from which it could help.
    Watches,
    /// It goes to where it can help, body frame.
    Supports(Point),
    /// It goes for the ball, to play it there, body frame.
    Attacks { ball: Point, aim: Point },
}

/// Publishes a thought, if it is time to.
pub fn publish(thought: Thought, input: &PlayerInput<'_>, orders: &mut Orders) {
    if !is_due(input) {
        return;
    }
    let here = [0.0, 0.0];
    orders.annotate(
        "plan",
        &match thought {
            Thought::Waits => json!({ "text": "waits", "at": here, "colour": "#cccccc" }),
            Thought::GetsFree => json!({ "text": "gets free", "at": here, "colour": "#ffa500" }),
            Thought::Searches => json!({ "text": "where is it?", "at": here, "colour": "#ffa500" }),
            Thought::LooksAround => json!({ "text": "looks around", "at": here, "colour": "#ffa500" }),
            Thought::Watches => json!({ "text": "watches", "at": here, "colour": "#9ad0ff" }),
            Thought::Supports(place) => {
                let place = rounded(place);
                json!({ "line": [here, place], "text": "supports", "at": place, "colour": "#9ad0ff" })
            }
            Thought::Attacks { ball, aim } => {
                let (ball, aim) = (rounded(ball), rounded(aim));
                json!({ "line": [here, ball, aim], "text": "attacks", "at": here, "colour": "#ffe14d" })
            }
        },
    );
}

/// By the sensors' clock, so that it keeps nothing in mind: whether one of the times has passed since the last call. Robots take turns.
fn is_due(input: &PlayerInput<'_>) -> bool {
    // The times lie between steps, on which sensors' clocks stand.
    let turn = f64::from(input.robot) / 8.0 + 0.013;
    let count = |secs: f64| (secs * PER_S + turn).floor();
    let now_secs = input.readings.stamp_secs;
    count(now_secs) != count(now_secs - input.elapsed_secs)
}

/// To a centimetre: more is not seen, and takes longer to write.
fn rounded(point: Point) -> Point {
    point.map(|number| (number * 100.0).round() / 100.0)
}
