//! How an attempt goes, and what came of it.

use crate::fence::Fence;
use crate::load::{Attempt, Challenge, Team};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_config::{Count, ScoreSpec};
use touchline_sim::{EventKind, World};

/// The name of the measure that is the attempt's score.
const SCORE: &str = "score";
/// No score or penalty is more: sums of such numbers can be told in JSON.
const MOST: f64 = 1e12;
/// The name of the measure that counts as penalties.
const PENALTY: &str = "penalty";

/// How an attempt ends in which a script was waited for in vain.
const LATE: &str = "late";

/// A value that a referee measured, with its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Measured value, in `unit`.
    pub value: f64,
    /// Its unit; empty for a count.
    pub unit: String,
}

/// An attempt as it went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptResult {
    /// Which of its run, from 0.
    pub attempt: u32,
    /// What its world was made from.
    pub seed: u64,
    /// Score of the attempt, in the challenge's unit.
    pub score: f64,
    /// The referee's word, or `time`; `failed` if the team's player or script failed, `fault` if something of the world did, `late` if a script was
    /// waited for in vain.
    pub outcome: String,
    /// What the referee said last, or what failed.
    pub reason: String,
    /// What else was measured, by name.
    pub measures: BTreeMap<String, Measure>,
    /// Penalties, as the referee counted them.
    pub penalties: f64,
    /// What was refused, by what it was, with how often.
    pub refused: BTreeMap<String, u64>,
    /// How many steps the world made.
    pub steps: u64,
    /// The world's state after the last one: equal if two attempts went the same way.
    pub state_hash: String,
    /// How many tries of it were late: all but the last were played again, with the same start.
    #[serde(default, skip_serializing_if = "is_none")]
    pub late: u32,
    /// What else the organiser should know, and nobody can be blamed for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What a script wrote last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// Whether it says something about the team; not if something of the world failed, or a script showed its key at another's door or was late.
    pub valid: bool,
}

impl AttemptResult {
    /// Whether it went as another did; what a script prints (ports, times), how the clock on the wall went, and who knocked at its door may be another.
    pub fn is_same_play(&self, other: &Self) -> bool {
        let play = |result: &Self| Self { late: 0, notes: Vec::new(), said: Vec::new(), ..result.clone() };
        play(self) == play(other)
    }

    /// Whether the clock on the wall has decided; a referee may have that word for something else.
    pub fn is_late(&self) -> bool {
        self.outcome == LATE && !self.valid
    }
}

fn is_none(often: &u32) -> bool {
    *often == 0
}

/// A run as it went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    /// Name of the challenge.
    pub challenge: String,
    /// Name of the team.
    pub team: String,
    /// Which run of the team, from 0.
    pub run: u32,
    /// A number for all that it depended on, but for its number.
    pub digest: String,
    /// What it counts; none if an attempt of it is void.
    pub score: Option<f64>,
    /// Its attempts, in their order.
    pub attempts: Vec<AttemptResult>,
}

impl RunResult {
    /// A run of these attempts.
    pub fn new(challenge: &Challenge, team: &Team, run: u32, attempts: Vec<AttemptResult>) -> Self {
        let spec = challenge.spec();
        let is_valid = !attempts.is_empty() && attempts.iter().all(|attempt| attempt.valid);
        let scores: Vec<f64> = attempts.iter().map(|attempt| attempt.score).collect();
        Self {
            challenge: spec.name.clone(),
            team: team.name.clone(),
            run,
            digest: challenge.digest_of(team),
            score: is_valid.then(|| count(spec.score.attempts, &scores)),
            attempts,
        }
    }

    /// Whether the clock on the wall has decided, and nothing else has made it void: it is played again.
    pub fn is_late(&self) -> bool {
        let is_void_by_more = self.attempts.iter().any(|attempt| !attempt.valid && !attempt.is_late());
        !is_void_by_more && self.attempts.iter().any(AttemptResult::is_late)
    }
}

/// One number from several, added up in their order; 0 of none.
pub fn count(how: Count, scores: &[f64]) -> f64 {
    let sum: f64 = scores.iter().sum();
    match how {
        Count::Sum => sum,
        Count::Mean => sum / scores.len().max(1) as f64,
    }
}

/// Follows an attempt: whoever moves its world lets it look after each step.
pub struct Course {
    fence: Arc<Fence>,
    score: ScoreSpec,
    /// Events below this number are known.
    seen: u64,
    measures: BTreeMap<String, Measure>,
    penalties: f64,
    reason: String,
    /// What failed, and whether it was the team's.
    fault: Option<(String, bool)>,
    result: Option<AttemptResult>,
}

impl Course {
    pub(crate) fn new(world: &World, fence: Arc<Fence>, score: ScoreSpec) -> Self {
        let mut course = Self {
            fence,
            score,
            seen: 0,
            measures: BTreeMap::new(),
            penalties: 0.0,
            reason: String::new(),
            fault: None,
            result: None,
        };
        course.look(world);
        course
    }

    /// Looks at the world; gives how the attempt ended, if it is over.
    pub fn look(&mut self, world: &World) -> Option<&str> {
        if self.result.is_none() {
            self.note_events(world);
            let outcome = match (&self.fault, world.episode_end()) {
                (Some((_, true)), _) => "failed",
                (Some((_, false)), _) => "fault",
                (None, Some(end)) => end.outcome(),
                (None, None) => return None,
            };
            self.result = Some(self.finished(world, outcome.to_owned()));
        }
        self.result.as_ref().map(|result| result.outcome.as_str())
    }

    /// The result; `attempt` and its seed are filled in by whoever knows them.
    pub fn into_result(self, challenge: &Challenge, of: Attempt) -> Option<AttemptResult> {
        let mut result = self.result?;
        (result.attempt, result.seed) = (of.attempt, challenge.seed_of(of));
        Some(result)
    }

    /// The attempt ends because its script failed, or is void because it was waited for in vain, with the world as it is.
    pub fn give_up(&mut self, world: (u64, u64), why: String, is_late: bool) {
        let (steps, state_hash) = world;
        let outcome = if is_late { LATE } else { "failed" };
        self.fault = Some((why, true));
        let mut result = self.made(outcome.into(), steps, state_hash);
        result.valid = !is_late;
        self.result = Some(result);
    }

    fn finished(&self, world: &World, outcome: String) -> AttemptResult {
        self.made(outcome, world.step_count(), world.state_hash())
    }

    fn made(&self, outcome: String, steps: u64, state_hash: u64) -> AttemptResult {
        let measured = self.measures.get(SCORE).map(|measure| measure.value);
        let score = measured.or_else(|| self.score.outcomes.get(&outcome).copied());
        let score = score.filter(|_| self.fault.is_none());
        let mut measures = self.measures.clone();
        measures.remove(SCORE);
        AttemptResult {
            attempt: 0,
            seed: 0,
            score: score.unwrap_or(self.score.failed),
            outcome,
            reason: self.fault.as_ref().map_or_else(|| self.reason.clone(), |(what, _)| what.clone()),
            measures,
            penalties: self.penalties,
            refused: self.fence.refused(),
            steps,
            state_hash: format!("{state_hash:016x}"),
            late: 0,
            notes: Vec::new(),
            said: Vec::new(),
            valid: self.fault.as_ref().is_none_or(|(_, is_team)| *is_team),
        }
    }

    fn note_events(&mut self, world: &World) {
        let newest = world.events().next_back().map_or(0, |event| event.number + 1);
        if newest == self.seen {
            return;
        }
        for event in world.events().filter(|event| event.number >= self.seen) {
            match &event.kind {
                EventKind::Measure { name, value, .. }
                    if [SCORE, PENALTY].contains(&&**name) && value.abs() > MOST =>
                {
                    let what = || (format!("the referee measured {name} = {value:e}, beyond 1e12"), false);
                    self.fault.get_or_insert_with(what);
                }
                EventKind::Measure { name, value, unit } => {
                    if &**name == PENALTY {
                        self.penalties += value;
                    }
                    self.measures.insert(name.to_string(), Measure { value: *value, unit: unit.to_string() });
                }
                EventKind::Announcement(text) if !text.starts_with("episode over") => {
                    self.reason = text.to_string();
                }
                EventKind::Fault { owner, plugin, message } if self.fault.is_none() => {
                    let robots = &world.scenario().robots;
                    let is_team = plugin.starts_with("player ")
                        && robots.iter().any(|robot| *robot.name == **owner && robot.team == Some(0));
                    self.fault = Some((format!("{owner}: {plugin}: {message}"), is_team));
                }
                _ => {}
            }
        }
        self.seen = newest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn attempt(outcome: &str, valid: bool) -> AttemptResult {
        let text = json!({
            "attempt": 0, "seed": 1, "score": 0.0, "outcome": outcome, "reason": "", "measures": {}, "penalties": 0.0, "refused": {},
            "steps": 1, "state_hash": "", "valid": valid,
        });
        serde_json::from_value(text).unwrap()
    }

    /// CH10: who has shown his key at another's door does not get the run anew by stalling in its next attempt.
    #[test]
    fn a_run_that_is_void_by_more_than_the_clock_is_not_played_again() {
        let is_late = |attempts: Vec<AttemptResult>| {
            let (challenge, team, digest) = (String::new(), String::new(), String::new());
            RunResult { challenge, team, run: 0, digest, score: None, attempts }.is_late()
        };
        assert!(is_late(vec![attempt("rest", true), attempt(LATE, false)]));
        assert!(!is_late(vec![attempt("failed", false), attempt(LATE, false)]));
        assert!(!is_late(vec![attempt("failed", true), attempt("rest", true)]));
    }
}
