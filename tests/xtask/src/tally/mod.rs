//! Counting: what the test runners say, as numbers and names, and why what failed has failed.
//!
//! The numbers are the runner's own totals. Names and reasons are taken from its lines: a file for each runner.

mod cargo;
mod ctest;
mod node;
mod pytest;
mod unittest;

pub use cargo::{cargo_test, compiler_errors};
pub use ctest::ctest;
pub use node::node;
pub use pytest::pytest;
use std::fmt;
use std::ops::AddAssign;
pub use unittest::unittest;

/// Result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
    /// The test was ignored or left out.
    Skipped,
}

/// A test by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Where it stands, such as the program `suite`.
    pub place: String,
    /// What it is called there, such as `laws::a_ball_rolls_out`.
    pub test: String,
    /// Result of the test.
    pub outcome: Outcome,
    /// What the runner says of it if it failed; empty if it says nothing.
    pub why: String,
}

impl Case {
    fn new(place: &str, test: &str, outcome: Outcome) -> Self {
        Self { place: place.into(), test: test.into(), outcome, why: String::new() }
    }

    /// Place and name, with a space between them.
    pub fn name(&self) -> String {
        format!("{} {}", self.place, self.test)
    }
}

/// What a runner's output says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Totals that the runner itself printed.
    pub tally: Tally,
    /// The tests that it names.
    pub cases: Vec<Case>,
    /// What else it says that may be why something failed, but of no test by its name.
    pub besides: String,
}

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of tests that passed.
    pub passed: usize,
    /// Number of tests that failed.
    pub failed: usize,
    /// Not run, for a reason that is printed.
    pub skipped: usize,
}

impl Tally {
    /// A check that has no tests of its own counts as one.
    pub const fn check(passed: bool) -> Self {
        Self { passed: passed as usize, failed: !passed as usize, skipped: 0 }
    }

    /// A runner that ended badly has failed at least once, whatever it counted.
    pub fn ended(mut self, success: bool) -> Self {
        if !success && self.failed == 0 {
            self.failed = 1;
        }
        self
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// The line that `cargo verify` ends in.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// The number that stands right before these words.
fn number_before(line: &str, words: &str) -> usize {
    let number = line.split(words).next().filter(|before| before.len() < line.len());
    let digits = number.unwrap_or_default().rsplit(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Gives each text to the first failed test that has this name and has no text yet; gives back what belongs to none.
fn give_reasons(cases: &mut [Case], reasons: impl IntoIterator<Item = (String, String)>) -> String {
    let mut left = Vec::new();
    for (name, why) in reasons {
        let wants =
            |case: &&mut Case| case.outcome == Outcome::Failed && case.test == name && case.why.is_empty();
        match cases.iter_mut().find(wants) {
            Some(case) => case.why = why,
            None => left.push(format!("{name}: {why}")),
        }
    }
    left.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_plain() {
        let tally = Tally { passed: 12, failed: 0, skipped: 1 };
        assert_eq!(tally.to_string(), "12 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn a_runner_that_ends_badly_has_failed() {
        let tally = |passed, failed| Tally { passed, failed, skipped: 0 };
        assert_eq!(tally(4, 0).ended(false), tally(4, 1));
        assert_eq!(tally(4, 2).ended(false), tally(4, 2));
        assert_eq!(tally(4, 0).ended(true), tally(4, 0));
    }
}
