//! What comes out: one JSON object, or a table for people.

use crate::conditions::SetUp;
use crate::score::Row;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `goalkeeper`.
    pub benchmark: &'static str,
    /// Version of the program that made the report.
    pub version: &'static str,
    /// Stands for all conditions but the attacker.
    pub digest: String,
    /// Who attacked, as it was written.
    pub policy: String,
    /// The parameters of a player plugin; what is not here has the plugin's own default.
    pub params: Option<Value>,
    /// Stands for all that the attacker's decisions depend on: the contents of its library or model, and its parameters. Of a program over the message
    /// board nothing is known.
    pub attacker: String,
    /// What the attacker could observe.
    pub set_up: SetUp,
    /// Number of episodes against each keeper.
    pub episodes: u64,
    /// What all seeds were made from.
    pub seed: u64,
    /// The plugins that took part.
    pub plugins: BTreeMap<String, String>,
    /// A line for each keeper, in the order in which they were asked for.
    pub rows: Vec<Row>,
    /// Whether it was stopped before its end; then the last line has fewer episodes, and lines may be missing.
    pub interrupted: bool,
    /// Elapsed real time, seconds.
    pub wall_seconds: f64,
    /// CPU time of all cores together, seconds.
    pub cpu_seconds: f64,
}

impl Report {
    /// For people; shares in percent.
    pub fn table(&self) -> String {
        let mut text = format!(
            "goalkeeper benchmark {}: {} attacks, set-up {}, {} episodes each, seed {}\n",
            self.version,
            self.policy,
            self.set_up.name(),
            self.episodes,
            self.seed
        );
        text += "keeper       episodes  goals %   95 % interval  prevented  s to goal  saved %  out %  time %  foul %\n";
        for row in &self.rows {
            let share = |count: u64| 100.0 * count as f64 / row.episodes.max(1) as f64;
            let [low, high] = row.interval_95.map(|end| 100.0 * end);
            let prevented =
                row.prevented.map_or_else(|| "-".to_owned(), |part| format!("{:.1} %", 100.0 * part));
            let secs = row.mean_secs_to_goal.map_or_else(|| "-".to_owned(), |secs| format!("{secs:.2}"));
            let _ = writeln!(
                text,
                "{:12} {:>8} {:>8.1} {:>6.1} to {:>5.1} {:>10} {:>10} {:>8.1} {:>6.1} {:>7.1} {:>7.1}",
                row.keeper,
                row.episodes,
                100.0 * row.scoring_rate,
                low,
                high,
                prevented,
                secs,
                share(row.saved),
                share(row.out),
                share(row.time),
                share(row.foul)
            );
        }
        let plugins: Vec<String> =
            self.plugins.iter().map(|(plugin, version)| format!("{plugin} {version}")).collect();
        let params = self.params.as_ref().map(|params| format!(", params {params}")).unwrap_or_default();
        let _ = writeln!(text, "attacker   {}{params}", self.attacker);
        let _ = writeln!(text, "conditions {} ({})", self.digest, plugins.join(", "));
        let _ = writeln!(text, "{:.1} s, {:.1} s of all cores together", self.wall_seconds, self.cpu_seconds);
        if self.interrupted {
            text += "interrupted: what is above was finished\n";
        }
        text
    }
}
