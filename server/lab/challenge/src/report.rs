//! What comes out: the results as JSON, CSV, Markdown and a table for people. (CH6)

use crate::course::{RunResult, count};
use crate::load::{Challenge, Entry, Team};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use touchline_config::{Better, shown};

/// The results of a competition, with all that another group needs to repeat it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// Version of the program that made the results.
    pub version: String,
    /// One table for each challenge.
    pub challenges: Vec<Table>,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

/// The results of one challenge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Name of the challenge.
    pub challenge: String,
    /// Title of the challenge, for people.
    pub title: String,
    /// Stands for all conditions but the teams.
    pub digest: String,
    /// What all seeds are made from.
    pub seed: u64,
    /// How many runs a team plays.
    pub runs: u32,
    /// How many attempts make a run.
    pub attempts: u32,
    /// Name of the measured quantity.
    pub score: String,
    /// Its unit; empty for a count.
    pub unit: String,
    /// Whether a higher or a lower score is better.
    pub better: Better,
    /// To so many digits behind the point scores are rounded.
    pub digits: u32,
    /// The plugins of the world, as `kind/name`, with their versions.
    pub plugins: BTreeMap<String, String>,
    /// The teams, the best first.
    pub teams: Vec<Row>,
}

/// What is said of results that are not all.
const INTERRUPTED: &str = "interrupted: what is above was finished";

/// What a team has reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its place, from 1; equal scores share one. None without a score.
    pub place: Option<usize>,
    /// Name of the team.
    pub team: String,
    /// Script or plugin that played for the team.
    pub entry: Entry,
    /// Parameters of the referee for it.
    pub set: BTreeMap<String, f64>,
    /// Its score, rounded; none before all its runs are there, and none as long as one of them is void.
    pub score: Option<f64>,
    /// `ready`, `running`, `done`, or `void` if a run of it does not count.
    pub status: String,
    /// Sum of the penalties of all runs.
    pub penalties: f64,
    /// What was refused in all runs, by what it was, with how often.
    pub refused: BTreeMap<String, u64>,
    /// How many tries of its attempts were late.
    #[serde(default)]
    pub late: u32,
    /// What failed first, if something did.
    pub fault: Option<String>,
    /// Its runs, in their order.
    pub runs: Vec<RunResult>,
}

impl Table {
    /// The table of a challenge from the runs that are there.
    pub fn of<'a>(
        challenge: &Challenge,
        teams: &[Team],
        runs: impl Iterator<Item = &'a RunResult> + Clone,
    ) -> Self {
        let spec = challenge.spec();
        let mut rows: Vec<Row> = teams
            .iter()
            .map(|team| {
                let own = runs.clone().filter(|run| run.challenge == spec.name && run.team == team.name);
                row(challenge, team, own.cloned().collect())
            })
            .collect();
        let scores: Vec<Option<f64>> = rows.iter().map(|row| row.score).collect();
        for (row, place) in rows.iter_mut().zip(places(&scores, spec.score.better)) {
            row.place = place;
        }
        rows.sort_by(|a, b| {
            let place = |row: &Row| row.place.unwrap_or(usize::MAX);
            place(a).cmp(&place(b)).then_with(|| a.team.cmp(&b.team))
        });
        Self {
            challenge: spec.name.clone(),
            title: spec.title.clone(),
            digest: challenge.digest(),
            seed: spec.seed,
            runs: spec.runs,
            attempts: spec.attempts,
            score: spec.score.name.clone(),
            unit: spec.score.unit.clone(),
            better: spec.score.better,
            digits: spec.score.digits,
            plugins: challenge.plugins().clone(),
            teams: rows,
        }
    }

    fn score_text(&self, row: &Row) -> String {
        row.score.map_or("-".into(), |score| format!("{score:.*}", self.digits as usize))
    }

    /// For people: a line for each team.
    pub fn text(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" ({})", self.unit) };
        let better = if self.better == Better::Lower { "lower" } else { "higher" };
        let mut text = format!("{}: {}\n", self.challenge, self.title);
        let _ = writeln!(
            text,
            "{} runs of {} attempts, seed {}; conditions {}",
            self.runs, self.attempts, self.seed, self.digest
        );
        let width = self.teams.iter().map(|row| row.team.chars().count()).max().unwrap_or(0).max(4);
        let head = format!("{}{unit}, {better} is better", self.score);
        let _ = writeln!(text, "     {:width$}  status   runs  penalties  refused  late  {head}", "team");
        for row in &self.teams {
            let place = row.place.map_or("-".into(), |place| place.to_string());
            let (runs, refused) = (row.runs.len(), row.refused.values().sum::<u64>());
            let _ = writeln!(
                text,
                "{place:>3}  {:width$}  {:7}  {runs:>4}  {:>9}  {refused:>7}  {:>4}  {}",
                row.team,
                row.status,
                row.penalties,
                row.late,
                self.score_text(row)
            );
            if !row.set.is_empty() {
                let _ = writeln!(text, "     {:width$}  with {}", "", shown(&set_text(row)));
            }
            if let Some(fault) = &row.fault {
                let _ = writeln!(text, "     {:width$}  {}", "", fault.lines().next().unwrap_or_default());
            }
        }
        text
    }

    /// As Markdown, to be published.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "## {}\n\n{} runs of {} attempts, seed {}, conditions `{}`.\n\n",
            self.title, self.runs, self.attempts, self.seed, self.digest
        );
        let unit = if self.unit.is_empty() { String::new() } else { format!(", {}", self.unit) };
        let _ = writeln!(
            text,
            "| place | team | {}{unit} | runs | penalties | refused | late |\n|---|---|---|---|---|---|---|",
            self.score
        );
        for row in &self.teams {
            let place = row.place.map_or("-".into(), |place| place.to_string());
            let (runs, refused) = (row.runs.len(), row.refused.values().sum::<u64>());
            let team = in_markdown(&row.team);
            let _ = writeln!(
                text,
                "| {place} | {team} | {} | {runs} | {} | {refused} | {} |",
                self.score_text(row),
                row.penalties,
                row.late
            );
            if !row.set.is_empty() {
                let _ = writeln!(text, "| | with {} | | | | | |", in_markdown(&set_text(row)));
            }
        }
        text
    }
}

impl Results {
    /// Results of this program's version.
    pub fn new(challenges: Vec<Table>, interrupted: bool) -> Self {
        Self { version: env!("CARGO_PKG_VERSION").into(), challenges, interrupted }
    }

    /// All tables, for people. One that is kept in a journal goes on where it was stopped.
    pub fn text(&self, is_kept: bool) -> String {
        let tables: Vec<String> = self.challenges.iter().map(Table::text).collect();
        let goes_on = if is_kept { "; started again it goes on" } else { "" };
        match self.interrupted {
            true => format!("{}{INTERRUPTED}{goes_on}\n", tables.join("\n")),
            false => tables.join("\n"),
        }
    }

    /// All tables, as Markdown.
    pub fn markdown(&self) -> String {
        let tables: Vec<String> = self.challenges.iter().map(Table::markdown).collect();
        let end = if self.interrupted { format!("\n{INTERRUPTED}.\n") } else { String::new() };
        format!("# Results\n\ntouchline {}\n\n{}{end}", self.version, tables.join("\n"))
    }

    /// All attempts, a line each, with `;` between the columns.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "challenge;team;place;team_score;run;attempt;seed;score;outcome;penalties;refused;valid;state_hash;late\n",
        );
        for table in &self.challenges {
            for row in &table.teams {
                let place = row.place.map_or(String::new(), |place| place.to_string());
                let of_team = row.score.map_or(String::new(), |score| score.to_string());
                for (run, attempt) in
                    row.runs.iter().flat_map(|run| run.attempts.iter().map(move |attempt| (run, attempt)))
                {
                    let refused: u64 = attempt.refused.values().sum();
                    let team = quoted(&row.team);
                    let _ = writeln!(
                        text,
                        "{};{team};{place};{of_team};{};{};{};{};{};{};{refused};{};{};{}",
                        table.challenge,
                        run.run,
                        attempt.attempt,
                        attempt.seed,
                        attempt.score,
                        quoted(&attempt.outcome),
                        attempt.penalties,
                        attempt.valid,
                        attempt.state_hash,
                        attempt.late
                    );
                }
            }
        }
        text
    }
}

/// What the referee is told for a team alone.
fn set_text(row: &Row) -> String {
    let set: Vec<String> = row.set.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    set.join(", ")
}

fn quoted(text: &str) -> String {
    if text.contains([';', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

/// Text of strangers in a line of Markdown: it is text, and no markup, link or HTML.
fn in_markdown(text: &str) -> String {
    let commands = |letter| {
        let is_mark = matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '!' | '#' | '$'
        );
        // Addresses become links by themselves.
        is_mark || matches!(letter, ':' | '@' | '.')
    };
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if touchline_config::is_command(letter) {
            escaped.push(' ');
            continue;
        }
        if commands(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

fn row(challenge: &Challenge, team: &Team, mut runs: Vec<RunResult>) -> Row {
    let spec = challenge.spec();
    runs.sort_by_key(|run| run.run);
    let is_complete = runs.len() >= spec.runs as usize;
    let is_void = runs.iter().any(|run| run.score.is_none());
    let mut scores: Vec<f64> = runs.iter().filter_map(|run| run.score).collect();
    if let Some(best) = spec.score.best_runs {
        scores
            .sort_by(|a, b| if spec.score.better == Better::Lower { a.total_cmp(b) } else { b.total_cmp(a) });
        scores.truncate(best as usize);
    }
    // A team could otherwise choose which of its runs count, by voiding the others.
    let is_scored = is_complete && !is_void && !scores.is_empty();
    let attempts = || runs.iter().flat_map(|run| &run.attempts);
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    for (what, often) in attempts().flat_map(|attempt| &attempt.refused) {
        *refused.entry(what.clone()).or_default() += often;
    }
    let failed = attempts().find(|attempt| attempt.outcome == "failed" || !attempt.valid);
    Row {
        place: None,
        team: team.name.clone(),
        entry: team.entry.clone(),
        set: team.set.clone(),
        score: is_scored.then(|| rounded(count(spec.score.runs, &scores), spec.score.digits)),
        status: match (runs.is_empty(), is_complete, is_void) {
            (true, ..) => "ready",
            (_, _, true) => "void",
            (_, false, _) => "running",
            _ => "done",
        }
        .into(),
        // A sum of nothing is -0.0.
        penalties: attempts().map(|attempt| attempt.penalties).fold(0.0, |sum, one| sum + one),
        refused,
        late: attempts().fold(0, |sum, attempt| sum.saturating_add(attempt.late)),
        fault: failed.map(|attempt| attempt.reason.clone()),
        runs,
    }
}

/// A number with so many digits behind the point, half away from 0.
pub fn rounded(value: f64, digits: u32) -> f64 {
    let scale = f64::from(10_u32.pow(digits.min(9)));
    (value * scale).round() / scale
}

/// The place of each score, from 1; equal ones share a place, and the next is as many further.
pub fn places(scores: &[Option<f64>], better: Better) -> Vec<Option<usize>> {
    let is_before = |a: f64, b: f64| if better == Better::Lower { a < b } else { a > b };
    let place = |own: f64| 1 + scores.iter().flatten().filter(|other| is_before(**other, own)).count();
    scores.iter().map(|score| score.map(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Results, in_markdown};

    /// Who reads the tables alone sees that they are not all.
    #[test]
    fn what_was_interrupted_says_so() {
        let [stopped, whole] = [true, false].map(|interrupted| Results::new(Vec::new(), interrupted));
        assert_eq!(stopped.text(false), "interrupted: what is above was finished\n");
        assert_eq!(stopped.text(true), "interrupted: what is above was finished; started again it goes on\n");
        assert!(stopped.markdown().ends_with("\ninterrupted: what is above was finished.\n"));
        assert!(!whole.text(true).contains("interrupted") && !whole.markdown().contains("interrupted"));
    }

    #[test]
    fn the_names_of_teams_are_text_and_no_markup() {
        for (name, text) in [
            ("ours-2", "ours-2"),
            ("<img src=x onerror=alert(1)>", r"\<img src=x onerror=alert(1)\>"),
            ("a | b\nc", r"a \| b c"),
            (r"a\| b", r"a\\\| b"),
            ("[here](http://evil.example)", r"\[here\](http\://evil\.example)"),
            ("**first** `x` &lt;", r"\*\*first\*\* \`x\` \&lt;"),
            ("\u{202e}sruo", " sruo"),
        ] {
            assert_eq!(in_markdown(name), text, "{name}");
        }
    }
}
