//! What it publishes about itself, for people who look on. Nothing of the game depends on it.

use serde_json::json;
use touchline_plugin_api::geometry::{Pose2, Transform2};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::PlayerInput;

/// So often a second it is told: people read no faster, and a decision takes little longer for it.
const PER_S: f64 = 1.5;

/// By the sensors' clock, so that it keeps nothing in mind: whether one of the times has passed since the last call. Robots take turns.
pub fn is_due(input: &PlayerInput<'_>) -> bool {
    // The times lie between steps, on which sensors' clocks stand.
    let turn = f64::from(input.robot) / 8.0 + 0.013;
    let count = |secs: f64| (secs * PER_S + turn).floor();
    let now_secs = input.readings.stamp_secs;
    count(now_secs) != count(now_secs - input.elapsed_secs)
}

/// Publishes where it goes, and where it takes the ball to be; both are in the start frame, in which it stands at `pose`.
pub fn publish(pose: Pose2, place: [f64; 2], ball: Option<[f64; 2]>, orders: &mut Orders) {
    let pose = Transform2::new(pose);
    // To a centimetre: more is not seen, and takes longer to write.
    let seen = |at: [f64; 2]| pose.to_inner(at).map(|number| (number * 100.0).round() / 100.0);
    let here = [0.0, 0.0];
    orders.annotate(
        "plan",
        &match ball {
            Some(ball) => {
                json!({ "line": [seen(place), here, seen(ball)], "text": "keeps", "at": here, "colour": "#ffe14d" })
            }
            None => json!({ "text": "where is it?", "at": here, "colour": "#ffa500" }),
        },
    );
}
