//! What happened, in words.

use crate::input::Tick;
use touchline_sim::EventKind;

/// The kind, the level of `foxglove.Log` (2 info, 3 warning, 4 error), and a sentence.
pub fn in_words<'a>(kind: &'a EventKind, teams: &[touchline_sim::scenario::Team]) -> (&'a str, u8, String) {
    let (level, text) = match kind {
        EventKind::Contact { a, b } => (2, format!("{a} touches {b}")),
        EventKind::Game { kind, team, text } => {
            let team = team.and_then(|team| teams.get(team as usize));
            let whose = team.map(|team| format!(" for {}", team.name)).unwrap_or_default();
            let more = if text.is_empty() { String::new() } else { format!(": {text}") };
            (2, format!("{kind}{whose}{more}"))
        }
        EventKind::Measure { name, value, unit } => (2, format!("{name}: {value} {unit}").trim_end().into()),
        EventKind::Fault { owner, plugin, message } => (4, format!("{owner}: {plugin}: {message}")),
        EventKind::PlayerExchanged { name, plugin, .. } => (2, format!("{name} has the player {plugin} now")),
        EventKind::RobotAdded { name, .. } => (2, format!("{name} is there")),
        EventKind::RobotRemoved { name, .. } => (2, format!("{name} has gone")),
        EventKind::Announcement(text) => (2, text.clone()),
    };
    (kind.word(), level, text)
}

/// The kind of the event that says that the world was brought back, and went on from there.
pub const FORK: &str = "fork";

/// What such an event says: from when on, in minutes and seconds of the timeline.
pub fn fork_in_words(to: Tick, dt_secs: f64) -> String {
    let hundredths = (to as f64 * dt_secs * 100.0).round() as u64;
    let (minutes, hundredths) = (hundredths / 6000, hundredths % 6000);
    format!("the world goes on from {minutes}:{:02}.{:02}", hundredths / 100, hundredths % 100)
}
