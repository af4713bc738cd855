//! `touchline challenge check`: attempts of published results are played again, and compared, and so is what the tables make of them.

use super::challenge::{file_of, library_of, play_failure};
use super::challenge_options::CheckOptions;
use super::challenge_play::Ground;
use super::places::Places;
use super::{Failure, PluginOptions, shipped, signals};
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_challenge::report::{Results, Row, Table};
use touchline_challenge::{Attempt, AttemptResult, Challenge, Entry, RunResult, Team};
use touchline_config::{EntrySpec, FileSource, read_text_up_to, shown};
use touchline_host::Host;

/// No results are larger: a team's run of a challenge has some kilobytes.
const MAX_RESULTS_BYTES: u64 = 64 << 20;

/// Counts the tables of results anew, and plays runs of them again.
pub(super) fn check(options: &CheckOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let name = options.results.display();
    let results = results(&options.results)?;
    let files = Places::find(plugins)?.files();
    let stop = signals::stop_at_signal()?;
    let (mut played, mut differs) = (0_u32, 0_u32);
    let mut out = super::text();
    for table in &results.challenges {
        let challenge = challenge(table, options, &files, &host)?;
        let of = shown(&table.challenge);
        let forbidden: Vec<String> =
            table.teams.iter().filter_map(|row| forbidden_in(row, &challenge)).collect();
        if !forbidden.is_empty() {
            // Nothing is to be compared of what was played under other rules.
            forbidden.iter().try_for_each(|what| writeln!(out, "{of}: {what}"))?;
            differs += forbidden.len() as u32;
            continue;
        }
        let team = |row: &Row| challenge.new_team(row.team.clone(), row.entry.clone(), row.set.clone());
        let teams = table.teams.iter().map(team).collect::<Result<Vec<Team>, _>>().map_err(play_failure)?;
        let found = found_in(table, &challenge, &teams);
        for (whose, what) in &found {
            writeln!(out, "{of}: {whose}table: DIFFERS ({what})")?;
        }
        if found.is_empty() {
            writeln!(out, "{of}: table: the same")?;
        }
        differs += found.len() as u32;
        let ground = Ground { challenge: &challenge, host: &host, recordings: None, live: None, stop: &stop };
        for (row, team) in table.teams.iter().zip(&teams) {
            for run in row.runs.iter().take(options.sample as usize) {
                let attempts = challenge.spec().attempts;
                let Some(again) = ground.run(team, run.run, attempts).map_err(play_failure)? else {
                    // Told to stop: what differed so far has differed.
                    return Err(match differs {
                        0 => Failure::Interrupted(format!("{name}: stopped; {played} runs were the same")),
                        _ => Failure::Check,
                    });
                };
                let is_same = is_same(&again, run);
                (played, differs) = (played + 1, differs + u32::from(!is_same));
                let verdict = if is_same { "the same" } else { "DIFFERS" };
                writeln!(out, "{of}: {}: run {}: {verdict}", shown(&row.team), run.run)?;
            }
        }
    }
    let mut rows = results.challenges.iter().flat_map(|table| &table.teams);
    if rows.all(|row| row.runs.is_empty()) {
        writeln!(out, "{name}: nothing was checked: there is no run in it")?;
    }
    if played > 0 && differs == 0 { Ok(()) } else { Err(Failure::Check) }
}

fn results(path: &Path) -> Result<Results, Failure> {
    let name = path.display();
    let text = read_text_up_to(path, MAX_RESULTS_BYTES)
        .map_err(|error| Failure::Resource(format!("{name}: {error}")))?;
    let results: Results = serde_json::from_str(&text).map_err(|error| {
        let hint = "challenge run and challenge competition write them with --json FILE";
        Failure::Configuration(format!(
            "{name}:{}: not the results of challenges: {error}\n  hint     {hint}",
            error.line()
        ))
    })?;
    let own = env!("CARGO_PKG_VERSION");
    if results.version != own {
        let what = format!("{name}: results of version {}, this is {own}", results.version);
        return Err(Failure::Configuration(format!(
            "{what}\n  hint     check them with that version, or play anew"
        )));
    }
    Ok(results)
}

/// The challenge of a table, if it is still what was played.
fn challenge(
    table: &Table,
    options: &CheckOptions,
    files: &dyn FileSource,
    host: &Arc<Host>,
) -> Result<Challenge, Failure> {
    let file = file_of(&table.challenge, &options.place)?;
    let libraries = table.teams.iter().filter_map(library_of_row).collect();
    let mut challenge = Challenge::load(&file, files, Arc::clone(host), libraries)?;
    challenge.set_runs(table.runs);
    if challenge.digest() == table.digest {
        return Ok(challenge);
    }
    let what = format!(
        "{}: \"{}\" was played under other conditions than {}",
        options.results.display(),
        shown(&table.challenge),
        file.display()
    );
    let hint = "the challenge, its world or a plugin has changed since, or is another version";
    Err(Failure::Configuration(format!(
        "{what}\n  got      {}\n  allowed  {}\n  hint     {hint}",
        shown(&table.digest),
        challenge.digest()
    )))
}

fn library_of_row(row: &Row) -> Option<(String, PathBuf)> {
    let Entry::Player(player) = &row.entry else { return None };
    let spec = EntrySpec::plugin(&player.choice.plugin, Path::new(""), Value::Null, 1.0);
    library_of(&spec)
}

/// What the referee was told for a team that no team of the challenge may have.
fn forbidden_in(row: &Row, challenge: &Challenge) -> Option<String> {
    let allowed = &challenge.spec().team_params;
    let names: Vec<String> =
        row.set.keys().filter(|name| !allowed.contains(name)).map(|name| shown(name)).collect();
    let what = format!("set has {}, which no team may have", names.join(", "));
    (!names.is_empty()).then(|| format!("{}: table: DIFFERS ({what})", shown(&row.team)))
}

/// What in a table does not follow from its own runs: whose it is, and what.
fn found_in(table: &Table, challenge: &Challenge, teams: &[Team]) -> Vec<(String, String)> {
    let runs = table.teams.iter().flat_map(|row| &row.runs);
    let counted = Table::of(challenge, teams, runs);
    // The title is for people, and no condition.
    let mut found = differing(table, &counted, &["title", "teams"]);
    let order = |table: &Table| table.teams.iter().map(|row| row.team.clone()).collect::<Vec<_>>();
    if order(table) != order(&counted) {
        found.push("order of the teams".into());
    }
    let mut found: Vec<_> = found.into_iter().map(|what| (String::new(), what)).collect();
    for (row, team) in table.teams.iter().zip(teams) {
        let again = counted.teams.iter().find(|again| again.team == row.team);
        let mut what = again.map(|again| differing(row, again, &[])).unwrap_or_default();
        let forged = row.runs.iter().filter(|run| !follows(run, challenge, team));
        what.extend(forged.map(|run| format!("run {} does not follow from its attempts", run.run)));
        let is_in_order = row.runs.windows(2).all(|pair| pair[0].run < pair[1].run);
        if !is_in_order || row.runs.iter().any(|run| run.run >= table.runs) {
            what.push(format!("runs not in the order of their numbers, or not below {}", table.runs));
        }
        if !what.is_empty() {
            found.push((format!("{}: ", shown(&row.team)), what.join(", ")));
        }
    }
    found
}

/// Whether a run is what its attempts make of it, and these are all that the challenge asks for, from their own starts.
fn follows(run: &RunResult, challenge: &Challenge, team: &Team) -> bool {
    let attempts = challenge.spec().attempts;
    let mut numbered = run.attempts.iter().zip(0..);
    let is_own = |(result, attempt): (&AttemptResult, u32)| {
        result.attempt == attempt && result.seed == challenge.seed_of(Attempt { run: run.run, attempt })
    };
    run.attempts.len() == attempts as usize
        && numbered.all(is_own)
        && *run == RunResult::new(challenge, team, run.run, run.attempts.clone())
}

/// The names of the fields in which two differ.
fn differing(one: &impl Serialize, other: &impl Serialize, but: &[&str]) -> Vec<String> {
    // Both are objects of plain values.
    let [one, other] =
        [serde_json::to_value(one), serde_json::to_value(other)].map(Result::unwrap_or_default);
    let fields = one.as_object().into_iter().flatten();
    let differing =
        fields.filter(|(name, value)| !but.contains(&name.as_str()) && other.get(name) != Some(value));
    differing.map(|(name, _)| name.clone()).collect()
}

/// Whether a run went as another did, and counts the same; what a script prints may be another.
fn is_same(again: &RunResult, before: &RunResult) -> bool {
    let mut attempts = again.attempts.iter().zip(&before.attempts);
    let counted = |run: &RunResult| RunResult { attempts: Vec::new(), ..run.clone() };
    again.attempts.len() == before.attempts.len()
        && attempts.all(|(again, before)| again.is_same_play(before))
        && counted(again) == counted(before)
}
