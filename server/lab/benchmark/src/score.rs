//! Counts what was played.

use crate::keeper::Keeper;
use crate::play::Played;
use serde::Serialize;
use touchline_skills::localisation::table;

/// One line of the table: an attacker against one keeper. Shares are parts of the episodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Such as `block-2`.
    pub keeper: String,
    /// Number of episodes that were finished.
    pub episodes: u64,
    /// Number of goals in these episodes.
    pub goals: u64,
    /// Goals divided by finished episodes.
    pub scoring_rate: f64,
    /// The lower and upper end of its 95 % interval.
    pub interval_95: [f64; 2],
    /// Which part of the goals against an empty goal this keeper prevents; only if that was played in the same run, and was no harder.
    pub prevented: Option<f64>,
    /// From the start to the goal, mean of the goals, seconds.
    pub mean_secs_to_goal: Option<f64>,
    /// The same in steps of the world.
    pub mean_steps_to_goal: Option<f64>,
    /// Episodes that ended with each word.
    pub saved: u64,
    /// See `saved`.
    pub out: u64,
    /// See `saved`.
    pub time: u64,
    /// See `saved`.
    pub foul: u64,
    /// A number that stands for all outcomes and their steps, in their order: equal if two runs went the same way.
    pub results: String,
}

impl Row {
    /// Computes the row from the episodes; those that were not finished are `None`.
    pub fn of(keeper: Keeper, played: &[Option<Played>], dt_secs: f64) -> Self {
        let finished = || played.iter().flatten();
        let count = |outcome: &str| finished().filter(|played| played.outcome == outcome).count() as u64;
        let (episodes, goals) = (finished().count() as u64, count("goal"));
        let steps: u64 =
            finished().filter(|played| played.outcome == "goal").map(|played| played.steps).sum();
        let mean_steps = (goals > 0).then(|| steps as f64 / goals as f64);
        let mut text = String::new();
        for (episode, played) in played.iter().enumerate() {
            if let Some(Played { outcome, steps, seed, .. }) = played {
                text += &format!("{episode} {seed} {outcome} {steps}\n");
            }
        }
        Self {
            keeper: keeper.to_string(),
            episodes,
            goals,
            scoring_rate: if episodes > 0 { goals as f64 / episodes as f64 } else { 0.0 },
            interval_95: wilson_95(goals, episodes),
            prevented: None,
            mean_secs_to_goal: mean_steps.map(|steps| steps * dt_secs),
            mean_steps_to_goal: mean_steps,
            saved: count("saved"),
            out: count("out"),
            time: count("time"),
            foul: count("foul"),
            results: format!("{:016x}", table::digest(text.as_bytes())),
        }
    }

    /// Says which part of the control's goals was prevented. An attacker that scores less often at the empty goal, such as one that never
    /// met it while it learned, has no control: nothing is said.
    pub fn compare(&mut self, control: &Self) {
        let is_control = control.goals > 0 && self.scoring_rate <= control.scoring_rate;
        self.prevented = is_control.then(|| 1.0 - self.scoring_rate / control.scoring_rate);
    }
}

/// Compares all rows with that of the empty goal, if it was played.
pub fn compare_all(rows: &mut [Row]) {
    let control = rows.iter().find(|row| row.keeper == Keeper::None.to_string()).cloned();
    if let Some(control) = control {
        rows.iter_mut().filter(|row| row.keeper != control.keeper).for_each(|row| row.compare(&control));
    }
}

/// Wilson's interval of a share, at 95 %: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209. Of nothing it is everything.
pub fn wilson_95(hits: u64, of: u64) -> [f64; 2] {
    /// The normal distribution's quantile of 0.975.
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return [0.0, 1.0];
    }
    let n = of as f64;
    let share = hits as f64 / n;
    let denominator = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / denominator;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / denominator;
    // At the ends rounding may pass 0 or 1.
    [if hits == 0 { 0.0 } else { middle - half }, if hits == of { 1.0 } else { middle + half }]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the method's usual tables: 10 of 100, and the ends.
    #[test]
    fn wilson_is_as_published() {
        let near = |[low, high]: [f64; 2], expected: [f64; 2]| {
            assert!((low - expected[0]).abs() < 5e-5 && (high - expected[1]).abs() < 5e-5, "{low} {high}");
        };
        near(wilson_95(10, 100), [0.0552, 0.1744]);
        near(wilson_95(81, 263), [0.2553, 0.3662]);
        near(wilson_95(0, 20), [0.0, 0.1611]);
        near(wilson_95(20, 20), [0.8389, 1.0]);
        assert_eq!(wilson_95(0, 0), [0.0, 1.0]);
    }

    #[test]
    fn outcomes_are_counted() {
        let played =
            |outcome: &str, steps| Some(Played { outcome: outcome.into(), steps, seed: 1, fault: None });
        let all = [played("goal", 100), played("goal", 200), played("saved", 9), played("time", 1000), None];
        let row = Row::of(Keeper::Policy("block", 2), &all, 0.02);
        assert_eq!((row.keeper.as_str(), row.episodes, row.goals), ("block-2", 4, 2));
        assert_eq!((row.saved, row.out, row.time, row.foul), (1, 0, 1, 0));
        assert_eq!(
            (row.scoring_rate, row.mean_steps_to_goal, row.mean_secs_to_goal),
            (0.5, Some(150.0), Some(3.0))
        );
        let mut other = Row::of(Keeper::Policy("block", 2), &all[1..], 0.02);
        assert_ne!(row.results, other.results);
        other.compare(&Row { scoring_rate: 1.0, goals: 10, ..row.clone() });
        assert_eq!(other.prevented, Some(1.0 - 1.0 / 3.0));
        other.compare(&Row { scoring_rate: 0.02, goals: 2, ..row.clone() });
        assert_eq!(other.prevented, None);
    }
}
