//! What comes out: one JSON object, or tables for people.

use crate::load::Tournament;
use crate::play::MatchResult;
use crate::schedule::couples;
use crate::statistics::{Comparison, Couple, Pair, Rating, compare, ratings};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use touchline_skills::localisation::table::digest;

/// Points of a win and of a draw in the league's table.
const POINTS: [u32; 2] = [3, 1];
/// So many faults, and so many notes, are told to people; all are in the JSON.
const MOST_FAULTS: usize = 10;

/// What `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Name of the tournament.
    pub tournament: String,
    /// Version of the program that made the report.
    pub version: &'static str,
    /// Stands for all conditions: two tournaments with the same are comparable.
    pub digest: String,
    /// Name of the world.
    pub world: String,
    /// How long a match takes, simulated seconds.
    pub match_s: f64,
    /// How many pairs of matches each two play.
    pub pairs: u32,
    /// What all seeds are made from.
    pub seed: u64,
    /// The plugins that take part, with their versions.
    pub plugins: BTreeMap<String, String>,
    /// How many matches the tournament has.
    pub matches: u64,
    /// How many of them are finished.
    pub played: u64,
    /// How many of these are void: something of the world, or the programs of both, failed in them.
    pub void: u64,
    /// Who takes part, the best first.
    pub entrants: Vec<Standing>,
    /// Each couple, the better one first.
    pub couples: Vec<CoupleRow>,
    /// The plugins and programs that failed.
    pub faults: Vec<FaultRow>,
    /// What else the organiser should know: who was late in a match that was played again, who asked at a board without its key.
    pub notes: Vec<NoteRow>,
    /// A number that stands for all results: equal if two tournaments went the same way.
    pub results: String,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// Elapsed real time of this run, seconds.
    pub wall_seconds: f64,
    /// CPU time of all cores together, seconds.
    pub cpu_seconds: f64,
}

/// A line of the league's table. Void matches are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The name of the entrant.
    pub name: String,
    /// Estimated strength, with its uncertainty.
    #[serde(flatten)]
    pub rating: Rating,
    /// Number of matches that count.
    pub matches: u32,
    /// Number of matches won.
    pub wins: u32,
    /// Number of matches drawn.
    pub draws: u32,
    /// Number of matches lost.
    pub losses: u32,
    /// Goals scored.
    pub goals_for: u32,
    /// The others' goals against it.
    pub goals_against: u32,
    /// Three for a win, one for a draw.
    pub points: u32,
    /// In how many matches a player of it, or its program, failed.
    pub failed_in: u32,
}

/// What two have played against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoupleRow {
    /// Who; the better one first.
    pub entrants: [String; 2],
    /// Complete pairs of matches; the comparison is made from them.
    pub pairs: u64,
    /// What they say of the first, if there are any.
    #[serde(flatten)]
    pub comparison: Option<Comparison>,
}

/// A plugin or a program that failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultRow {
    /// Number of the match.
    #[serde(rename = "match")]
    pub number: u64,
    /// Whose player or program; `None` for something of the world.
    pub entrant: Option<String>,
    /// Step of the match in which it failed.
    pub step: u64,
    /// The fault or the event, in a sentence.
    pub what: String,
}

/// Something of a match for which nobody is blamed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NoteRow {
    /// Number of the match.
    #[serde(rename = "match")]
    pub number: u64,
    /// The note, in a sentence.
    pub what: String,
}

impl Report {
    /// Computes counts, ratings and comparisons from the results.
    pub fn of(tournament: &Tournament, results: &BTreeMap<u64, MatchResult>) -> Self {
        let names = tournament.entrants();
        let counted = || results.values().filter(|result| !result.is_void());
        let couples: Vec<Couple> = couples(names.len())
            .map(|entrants| Couple { entrants, pairs: pairs_of(tournament, results, entrants) })
            .collect();
        let mut entrants: Vec<Standing> = names
            .iter()
            .zip(ratings(names.len(), &couples))
            .map(|(name, rating)| standing(name, rating, counted()))
            .collect();
        entrants
            .sort_by(|a, b| b.rating.rating.total_cmp(&a.rating.rating).then_with(|| a.name.cmp(&b.name)));
        let mut rows: Vec<CoupleRow> = couples
            .iter()
            .map(|Couple { entrants, pairs }| {
                let [first, second] = entrants.map(|entrant| names[entrant].to_owned());
                // By their names: who else takes part changes nothing.
                let comparison = compare(digest(format!("{first}\n{second}").as_bytes()), pairs);
                let is_behind =
                    comparison.is_some_and(|found| (found.share, found.goal_difference) < (0.5, 0.0));
                let (entrants, comparison) = match is_behind {
                    true => ([second, first], comparison.map(Comparison::swapped)),
                    false => ([first, second], comparison),
                };
                CoupleRow { entrants, pairs: pairs.len() as u64, comparison }
            })
            .collect();
        let place = |name: &String| entrants.iter().position(|standing| standing.name == *name);
        rows.sort_by_key(|row| (place(&row.entrants[0]), place(&row.entrants[1])));
        let faults = results.values().flat_map(|result| {
            result.faults.iter().map(|fault| FaultRow {
                number: result.number,
                entrant: fault.entrant.clone(),
                step: fault.step,
                what: fault.what.clone(),
            })
        });
        let notes = results.values().flat_map(|result| {
            result.notes.iter().map(|what| NoteRow { number: result.number, what: what.clone() })
        });
        let mut text = String::new();
        for MatchResult { number, goals, steps, state_hash, .. } in results.values() {
            let _ = writeln!(text, "{number} {goals:?} {steps} {state_hash}");
        }
        Self {
            tournament: tournament.name().into(),
            version: env!("CARGO_PKG_VERSION"),
            digest: tournament.digest(),
            world: tournament.world().into(),
            match_s: tournament.match_secs(),
            pairs: tournament.pairs(),
            seed: tournament.seed(),
            plugins: tournament.plugins().clone(),
            matches: tournament.matches(),
            played: results.len() as u64,
            void: results.values().filter(|result| result.is_void()).count() as u64,
            faults: faults.collect(),
            notes: notes.collect(),
            results: format!("{:016x}", touchline_skills::localisation::table::digest(text.as_bytes())),
            entrants,
            couples: rows,
            interrupted: false,
            wall_seconds: 0.0,
            cpu_seconds: 0.0,
        }
    }

    /// The report as text for people.
    pub fn table(&self) -> String {
        let mut text = format!(
            "tournament {}: world {}, {} s a match, {} pairs for each couple, seed {}; {} of {} matches\n",
            self.tournament, self.world, self.match_s, self.pairs, self.seed, self.played, self.matches
        );
        let longest = self.entrants.iter().map(|standing| standing.name.len()).max().unwrap_or(0).max(7);
        let _ = writeln!(
            text,
            "\n{:longest$}  rating    95 % interval  matches   won drawn  lost    goals  points",
            "entrant"
        );
        for standing in &self.entrants {
            let interval = standing.rating.interval_95;
            let interval = interval.map_or("-".into(), |[low, high]| format!("{low:+.0} to {high:+.0}"));
            let goals = format!("{}:{}", standing.goals_for, standing.goals_against);
            let Standing { name, matches, wins, draws, losses, points, failed_in, .. } = standing;
            let failed =
                if *failed_in > 0 { format!("  failed in {failed_in} matches") } else { String::new() };
            let _ = writeln!(
                text,
                "{name:longest$}  {:>+6.0} {interval:>16} {matches:>8} {wins:>5} {draws:>5} {losses:>5} {goals:>8} {points:>7}{failed}",
                standing.rating.rating
            );
        }
        let names = |row: &CoupleRow| row.entrants.join(" - ");
        let longest = self.couples.iter().map(|row| names(row).len()).max().unwrap_or(0).max(6);
        let _ = writeln!(
            text,
            "\n{:longest$}  pairs  points %   95 % interval  goals a match    95 % interval  first is better  equal: p",
            "couple"
        );
        for row in &self.couples {
            let Some(found) = &row.comparison else {
                let _ = writeln!(text, "{:longest$}  {:>5}", names(row), row.pairs);
                continue;
            };
            let [low, high] = found.share_interval_95.map(|end| 100.0 * end);
            let goals = found.goal_difference_interval_95;
            let goals = goals.map_or("-".into(), |[low, high]| format!("{low:+.2} to {high:+.2}"));
            let _ = writeln!(
                text,
                "{:longest$}  {:>5} {:>9.1} {:>15} {:>+14.2} {goals:>16} {:>14.1} % {:>9.4}",
                names(row),
                row.pairs,
                100.0 * found.share,
                format!("{low:.1} to {high:.1}"),
                found.goal_difference,
                100.0 * found.probability_better,
                found.p_value
            );
        }
        self.notes(&mut text);
        text
    }

    fn notes(&self, text: &mut String) {
        text.push('\n');
        if self.void > 0 {
            let _ = writeln!(
                text,
                "{} matches are void: something of the world, or both programs, failed in them",
                self.void
            );
        }
        for FaultRow { number, entrant, step, what } in self.faults.iter().take(MOST_FAULTS) {
            let of = entrant.as_deref().unwrap_or("the world");
            let _ = writeln!(text, "fault in match {number}, step {step}, of {of}: {what}");
        }
        if let Some(more) = self.faults.len().checked_sub(MOST_FAULTS + 1) {
            let _ = writeln!(text, "and {} more faults", more + 1);
        }
        for NoteRow { number, what } in self.notes.iter().take(MOST_FAULTS) {
            let _ = writeln!(text, "match {number}: {what}");
        }
        if let Some(more) = self.notes.len().checked_sub(MOST_FAULTS + 1) {
            let _ = writeln!(text, "and {} more notes", more + 1);
        }
        let plugins: Vec<String> =
            self.plugins.iter().map(|(plugin, version)| format!("{plugin} {version}")).collect();
        let _ =
            writeln!(text, "conditions {}, results {} ({})", self.digest, self.results, plugins.join(", "));
        let _ = writeln!(text, "{:.1} s, {:.1} s of all cores together", self.wall_seconds, self.cpu_seconds);
        if self.interrupted {
            *text += "interrupted: what is above was finished; started again it goes on\n";
        }
    }
}

/// The complete pairs of a couple, seen by its first.
fn pairs_of(
    tournament: &Tournament,
    results: &BTreeMap<u64, MatchResult>,
    [first, second]: [usize; 2],
) -> Vec<Pair> {
    let names = tournament.entrants();
    let mut halves: BTreeMap<u64, [Option<[u32; 2]>; 2]> = BTreeMap::new();
    for result in results.values().filter(|result| !result.is_void()) {
        let [one, other] = &result.entrants;
        let [goals, conceded] = result.goals;
        if (one.as_str(), other.as_str()) == (names[first], names[second]) {
            halves.entry(result.pair).or_default()[0] = Some([goals, conceded]);
        } else if (one.as_str(), other.as_str()) == (names[second], names[first]) {
            halves.entry(result.pair).or_default()[1] = Some([conceded, goals]);
        }
    }
    halves.into_values().filter_map(|[home, away]| Some([home?, away?])).collect()
}

fn standing<'a>(name: &str, rating: Rating, results: impl Iterator<Item = &'a MatchResult>) -> Standing {
    let mut row = Standing {
        name: name.into(),
        rating,
        matches: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        goals_for: 0,
        goals_against: 0,
        points: 0,
        failed_in: 0,
    };
    for result in results {
        let Some(side) = result.entrants.iter().position(|entrant| entrant == name) else { continue };
        let (own, others) = (result.goals[side], result.goals[1 - side]);
        row.matches += 1;
        row.goals_for += own;
        row.goals_against += others;
        match own.cmp(&others) {
            std::cmp::Ordering::Greater => row.wins += 1,
            std::cmp::Ordering::Equal => row.draws += 1,
            std::cmp::Ordering::Less => row.losses += 1,
        }
        row.failed_in += u32::from(result.faults.iter().any(|fault| fault.entrant.as_deref() == Some(name)));
    }
    row.points = POINTS[0] * row.wins + POINTS[1] * row.draws;
    row
}
