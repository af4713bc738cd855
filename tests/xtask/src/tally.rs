//! Counting: what the test runners say, as numbers.

use std::fmt;
use std::ops::AddAssign;

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Passed.
    pub passed: usize,
    /// Failed.
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

/// Reads the summaries of `cargo test`: one line for each test program.
pub fn cargo_test(output: &str) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines().filter_map(|line| line.trim().strip_prefix("test result: ")) {
        tally += Tally {
            passed: number_before(line, " passed"),
            failed: number_before(line, " failed"),
            skipped: number_before(line, " ignored"),
        };
    }
    tally
}

/// Reads the summary of `cargo nextest run`: whatever ran and did not pass has failed.
pub fn nextest(output: &str) -> Tally {
    let summary = output.lines().rfind(|line| line.trim_start().starts_with("Summary ["));
    let Some(line) = summary else { return Tally::default() };
    let run = number_before(line, " tests run").max(number_before(line, " test run"));
    let passed = number_before(line, " passed");
    Tally { passed, failed: run.saturating_sub(passed), skipped: number_before(line, " skipped") }
}

/// Reads the summary of Python's `unittest`: `Ran 9 tests in …`, then such as `FAILED (failures=2, skipped=1)`.
pub fn unittest(output: &str) -> Tally {
    let ran = output.lines().filter_map(|line| line.strip_prefix("Ran ")).next_back();
    let ran = ran.map_or(0, |line| number_before(line, " test"));
    let verdict = output.lines().rfind(|line| line.starts_with("OK") || line.starts_with("FAILED"));
    let (_, details) = verdict.and_then(|line| line.split_once(" (")).unwrap_or_default();
    let count = |name: &str| -> usize {
        let mut pairs = details.trim_end_matches(')').split(", ").filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
    };
    let failed = count("failures") + count("errors") + count("unexpected successes");
    let skipped = count("skipped");
    Tally { passed: ran.saturating_sub(failed + skipped), failed, skipped }
}

/// Reads the summary of `pytest -q`: `1 failed, 40 passed, 2 skipped in 3.21s`.
pub fn pytest(output: &str) -> Tally {
    let is_summary = |line: &&str| {
        line.contains(" in ")
            && (line.contains(" passed")
                || line.contains(" failed")
                || line.contains(" skipped")
                || line.contains(" error"))
    };
    let Some(line) = output.lines().rfind(is_summary) else { return Tally::default() };
    let errors = number_before(line, " errors").max(number_before(line, " error"));
    Tally {
        passed: number_before(line, " passed"),
        failed: number_before(line, " failed") + errors,
        skipped: number_before(line, " skipped"),
    }
}

/// Reads the summary of `ctest`: `93% tests passed, 2 tests failed out of 27`.
pub fn ctest(output: &str) -> Tally {
    let summary = output.lines().rfind(|line| line.contains("% tests passed, "));
    let Some(line) = summary else { return Tally::default() };
    let failed = number_before(line, " tests failed").max(number_before(line, " test failed"));
    let run = line.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(failed);
    Tally { passed: run.saturating_sub(failed), failed, skipped: 0 }
}

/// Reads the summary of `node --test --test-reporter=tap`.
pub fn node(output: &str) -> Tally {
    let count = |name: &str| -> usize {
        let lines = output.lines().filter_map(|line| line.strip_prefix("# ")?.strip_prefix(name));
        lines.filter_map(|rest| rest.trim().parse::<usize>().ok()).next_back().unwrap_or(0)
    };
    Tally {
        passed: count("pass "),
        failed: count("fail ") + count("cancelled "),
        skipped: count("skipped ") + count("todo "),
    }
}

/// The number that stands right before these words.
fn number_before(line: &str, words: &str) -> usize {
    let number = line.split(words).next().filter(|before| before.len() < line.len());
    let digits = number.unwrap_or_default().rsplit(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn tally(passed: usize, failed: usize, skipped: usize) -> Tally {
        Tally { passed, failed, skipped }
    }

    #[test]
    fn the_last_line_is_plain() {
        assert_eq!(tally(12, 0, 1).to_string(), "12 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn cargo_test_programs_are_added_up() {
        let output = "\
running 2 tests
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test a ... ignored, needs a robot
test result: FAILED. 10 passed; 3 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.00s";
        assert_eq!(cargo_test(output), tally(12, 3, 1));
        assert_eq!(cargo_test("error: could not compile"), tally(0, 0, 0));
    }

    #[test]
    fn nextest_counts_timeouts_as_failures() {
        let output = "\
     Summary [   0.010s] 1 test run: 1 passed, 0 skipped
     Summary [  31.021s] 114 tests run: 111 passed (2 slow), 2 failed, 1 timed out, 3 skipped";
        assert_eq!(nextest(output), tally(111, 3, 3));
        assert_eq!(nextest("     Summary [   0.010s] 1 test run: 1 passed, 0 skipped"), tally(1, 0, 0));
        assert_eq!(nextest("error: could not compile"), tally(0, 0, 0));
    }

    #[test]
    fn unittest_says_only_what_is_not_zero() {
        assert_eq!(unittest("Ran 7 tests in 0.012s\n\nOK\n"), tally(7, 0, 0));
        assert_eq!(unittest("Ran 1 test in 0.012s\n\nOK (skipped=1)\n"), tally(0, 0, 1));
        let output = "Ran 30 tests in 1.2s\n\nFAILED (failures=2, errors=1, skipped=4)\n";
        assert_eq!(unittest(output), tally(23, 3, 4));
        let output = "Ran 3 tests in 1.2s\n\nFAILED (errors=1, expected failures=1)\n";
        assert_eq!(unittest(output), tally(2, 1, 0));
    }

    #[test]
    fn pytest_says_only_what_is_not_zero() {
        assert_eq!(pytest("....\n41 passed in 3.21s\n"), tally(41, 0, 0));
        assert_eq!(
            pytest("FAILED tests/a.py\n1 failed, 40 passed, 2 skipped, 1 error in 3.21s\n"),
            tally(40, 2, 2)
        );
        assert_eq!(pytest("no tests ran in 0.01s\n"), tally(0, 0, 0));
    }

    #[test]
    fn node_writes_its_summary_last() {
        let output = "ok 1 - pass 9\n# tests 6\n# suites 0\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n";
        assert_eq!(node(output), tally(3, 2, 1));
    }

    #[test]
    fn ctest_counts_all_and_those_that_failed() {
        assert_eq!(ctest("100% tests passed, 0 tests failed out of 27\n\nTotal"), tally(27, 0, 0));
        assert_eq!(ctest("93% tests passed, 2 tests failed out of 27\n"), tally(25, 2, 0));
        assert_eq!(ctest("0% tests passed, 1 tests failed out of 1\n"), tally(0, 1, 0));
        assert_eq!(ctest("No tests were found!!!"), tally(0, 0, 0));
    }

    #[test]
    fn a_runner_that_ends_badly_has_failed() {
        assert_eq!(tally(4, 0, 0).ended(false), tally(4, 1, 0));
        assert_eq!(tally(4, 2, 0).ended(false), tally(4, 2, 0));
        assert_eq!(tally(4, 0, 0).ended(true), tally(4, 0, 0));
    }
}
