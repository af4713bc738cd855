//! `touchline challenge check`: attempts of published results are played again, and compared.

use super::challenge::{file_of, library_of, play_failure};
use super::challenge_options::CheckOptions;
use super::challenge_play::Ground;
use super::places::Places;
use super::{Failure, PluginOptions, shipped, signals};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_challenge::report::{Results, Row};
use touchline_challenge::{Challenge, Entry};
use touchline_config::{EntrySpec, read_text_up_to, shown};

/// No results are larger: a team's run of a challenge has some kilobytes.
const MAX_RESULTS_BYTES: u64 = 64 << 20;

/// Plays runs of the results again.
pub(super) fn check(options: &CheckOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let name = options.results.display();
    let text = read_text_up_to(&options.results, MAX_RESULTS_BYTES)
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
    let files = Places::find(plugins)?.files();
    let stop = signals::stop_at_signal()?;
    let mut differs = 0;
    let mut out = super::text();
    for table in &results.challenges {
        let file = file_of(&table.challenge, &options.place)?;
        let libraries = table.teams.iter().filter_map(library_of_row).collect();
        let challenge = Challenge::load(&file, &files, Arc::clone(&host), libraries)?;
        if challenge.digest() != table.digest {
            let what = format!(
                "{name}: \"{}\" was played under other conditions than {}",
                shown(&table.challenge),
                file.display()
            );
            let hint = "the challenge, its world or a plugin has changed since, or is another version";
            return Err(Failure::Configuration(format!(
                "{what}\n  got      {}\n  allowed  {}\n  hint     {hint}",
                shown(&table.digest),
                challenge.digest()
            )));
        }
        for row in &table.teams {
            let team = challenge.new_team(row.team.clone(), row.entry.clone(), row.set.clone());
            let team = team.map_err(play_failure)?;
            let ground =
                Ground { challenge: &challenge, host: &host, recordings: None, live: None, stop: &stop };
            for run in row.runs.iter().take(options.sample as usize) {
                let attempts = run.attempts.len() as u32;
                let Some(again) = ground.run(&team, run.run, attempts).map_err(play_failure)? else {
                    // Told to stop: what differed so far has differed.
                    return if differs == 0 { Ok(()) } else { Err(Failure::Check) };
                };
                let is_same = again.digest == run.digest
                    && again.attempts.len() == run.attempts.len()
                    && again
                        .attempts
                        .iter()
                        .zip(&run.attempts)
                        .all(|(again, before)| again.is_same_play(before));
                differs += u32::from(!is_same);
                let verdict = if is_same { "the same" } else { "DIFFERS" };
                let (played, by) = (shown(&table.challenge), shown(&row.team));
                writeln!(out, "{played}: {by}: run {}: {verdict}", run.run)?;
            }
        }
    }
    if differs == 0 { Ok(()) } else { Err(Failure::Check) }
}

fn library_of_row(row: &Row) -> Option<(String, PathBuf)> {
    let Entry::Player(player) = &row.entry else { return None };
    let spec = EntrySpec::plugin(&player.choice.plugin, Path::new(""), serde_json::Value::Null, 1.0);
    library_of(&spec)
}
