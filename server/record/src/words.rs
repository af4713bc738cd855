//! What happened, in words.

use crate::input::Moment;
use touchline_sim::EventKind;

/// The kind, the level of `foxglove.Log` (2 info, 3 warning, 4 error), and a sentence.
pub fn in_words(kind: &EventKind, teams: &[touchline_sim::scenario::Team]) -> (&'static str, u8, String) {
    match kind {
        EventKind::Contact { a, b } => ("contact", 2, format!("{a} touches {b}")),
        EventKind::Goal { team } => {
            let name = teams.get(*team as usize).map_or("?", |team| team.name.as_str());
            ("goal", 2, format!("goal for {name}"))
        }
        EventKind::Fault { owner, plugin, message } => ("fault", 4, format!("{owner}: {plugin}: {message}")),
        EventKind::RobotAdded { name, .. } => ("robot-added", 2, format!("{name} is there")),
        EventKind::RobotRemoved { name, .. } => ("robot-removed", 2, format!("{name} has gone")),
        EventKind::Announcement(text) => ("announcement", 2, text.clone()),
    }
}

/// The kind of the event that says that the world was brought back, and went on from there.
pub const FORK: &str = "fork";

/// What such an event says: from when on, in minutes and seconds of the timeline.
pub fn fork_in_words(to: Moment, dt_secs: f64) -> String {
    let hundredths = (to as f64 * dt_secs * 100.0).round() as u64;
    let (minutes, hundredths) = (hundredths / 6000, hundredths % 6000);
    format!("the world goes on from {minutes}:{:02}.{:02}", hundredths / 100, hundredths % 100)
}
