//! Counting: what the test runners say, as numbers and names.
//!
//! The numbers are the runner's own totals. Names are taken from its lines, for the report that programs read.

use std::fmt;
use std::ops::AddAssign;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was not run.
    Skipped,
}

/// A test by its name: where it stands, a space, what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Such as `touchline_sim/suite laws::a_ball_rolls_out`.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
}

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

/// Reads `cargo test`: a line for each test, and a summary for each test program.
pub fn cargo_test(output: &str) -> (Tally, Vec<Case>) {
    let (mut tally, mut cases, mut place) = (Tally::default(), Vec::new(), String::new());
    for line in output.lines().map(str::trim) {
        if let Some(line) = line.strip_prefix("test result: ") {
            tally += Tally {
                passed: number_before(line, " passed"),
                failed: number_before(line, " failed"),
                skipped: number_before(line, " ignored"),
            };
        } else if let Some(program) = line.strip_prefix("Running ").and_then(|line| line.rsplit_once('(')) {
            place = program_name(program.1.trim_end_matches(')'));
        } else if let Some(library) = line.strip_prefix("Doc-tests ") {
            place = format!("{library}/doc");
        } else if let Some((name, ended)) =
            line.strip_prefix("test ").and_then(|line| line.rsplit_once(" ... "))
        {
            let outcome = match ended {
                "ok" => Outcome::Passed,
                "FAILED" => Outcome::Failed,
                _ => Outcome::Skipped,
            };
            cases.push(Case { name: format!("{place} {}", name.replace(' ', "_")), outcome });
        }
    }
    (tally, cases)
}

/// `target/debug/deps/suite-0123` without folders and cargo's number.
fn program_name(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.rsplit_once('-').map_or(file, |(name, _)| name).to_owned()
}

/// Reads the summary of Python's `unittest`: `Ran 9 tests in …`, then such as `FAILED (failures=2, skipped=1)`.
pub fn unittest(output: &str) -> (Tally, Vec<Case>) {
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
    let tally = Tally { passed: ran.saturating_sub(failed + skipped), failed, skipped };
    let cases = output.lines().filter_map(|line| {
        let (name, ended) = line.rsplit_once(" ... ")?;
        let outcome = match ended.split(' ').next()? {
            "ok" => Outcome::Passed,
            "skipped" => Outcome::Skipped,
            _ => Outcome::Failed,
        };
        let (test, class) = name.split_once(" (")?;
        Some(Case { name: format!("{} {test}", class.trim_end_matches(')')), outcome })
    });
    (tally, cases.collect())
}

/// Reads `pytest -v`: `file.py::test PASSED`, then `1 failed, 40 passed, 2 skipped in 3.21s`.
pub fn pytest(output: &str) -> (Tally, Vec<Case>) {
    let is_summary = |line: &&str| {
        line.contains(" in ")
            && (line.contains(" passed")
                || line.contains(" failed")
                || line.contains(" skipped")
                || line.contains(" error"))
    };
    let Some(line) = output.lines().rfind(is_summary) else { return Default::default() };
    let errors = number_before(line, " errors").max(number_before(line, " error"));
    let tally = Tally {
        passed: number_before(line, " passed"),
        failed: number_before(line, " failed") + errors,
        skipped: number_before(line, " skipped"),
    };
    let cases = output.lines().filter_map(|line| {
        let (place, rest) = line.split_once("::")?;
        let (test, ended) = rest.split_once(' ')?;
        let outcome = match ended.split(' ').next()? {
            "PASSED" => Outcome::Passed,
            "SKIPPED" => Outcome::Skipped,
            "FAILED" | "ERROR" => Outcome::Failed,
            _ => return None,
        };
        place.ends_with(".py").then(|| Case { name: format!("{place} {test}"), outcome })
    });
    (tally, cases.collect())
}

/// Reads `ctest`: `1/27 Test #1: name ... Passed 0.1 sec`, then `93% tests passed, 2 tests failed out of 27`.
pub fn ctest(output: &str) -> (Tally, Vec<Case>) {
    let summary = output.lines().rfind(|line| line.contains("% tests passed, "));
    let Some(line) = summary else { return Default::default() };
    let failed = number_before(line, " tests failed").max(number_before(line, " test failed"));
    let run = line.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(failed);
    let tally = Tally { passed: run.saturating_sub(failed), failed, skipped: 0 };
    let cases = output.lines().filter_map(|line| {
        let (_, test) = line.split_once(" Test ")?.1.split_once(": ")?;
        let (name, ended) = test.split_once(' ')?;
        let outcome = if ended.contains(" Passed ") { Outcome::Passed } else { Outcome::Failed };
        Some(Case { name: format!("ctest {name}"), outcome })
    });
    (tally, cases.collect())
}

/// Reads `node --test --test-reporter=tap`.
pub fn node(output: &str) -> (Tally, Vec<Case>) {
    let count = |name: &str| -> usize {
        let lines = output.lines().filter_map(|line| line.strip_prefix("# ")?.strip_prefix(name));
        lines.filter_map(|rest| rest.trim().parse::<usize>().ok()).next_back().unwrap_or(0)
    };
    let tally = Tally {
        passed: count("pass "),
        failed: count("fail ") + count("cancelled "),
        skipped: count("skipped ") + count("todo "),
    };
    let cases = output.lines().filter_map(|line| {
        let line = line.trim_start();
        let (ended, test) = line.split_once(" - ")?;
        let outcome = match ended.rsplit_once(' ')?.0 {
            _ if test.contains(" # SKIP") || test.contains(" # TODO") => Outcome::Skipped,
            "ok" => Outcome::Passed,
            "not ok" => Outcome::Failed,
            _ => return None,
        };
        Some(Case { name: format!("node {}", test.replace(' ', "_")), outcome })
    });
    (tally, cases.collect())
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

    fn cases(list: &[(&str, Outcome)]) -> Vec<Case> {
        list.iter().map(|&(name, outcome)| Case { name: name.into(), outcome }).collect()
    }

    #[test]
    fn cargo_test_programs_are_added_up() {
        let output = "\
     Running unittests src/lib.rs (target/debug/deps/touchline_sim-0f3a)
running 2 tests
test radio::tests::far ... ok
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
     Running tests/main.rs (target/debug/deps/suite-11)
test a ... ignored, needs a robot
test laws::b ... FAILED
test result: FAILED. 10 passed; 3 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.00s
   Doc-tests touchline_sim
test server/sim/src/lib.rs - (line 3) ... ok";
        let named = [
            ("touchline_sim radio::tests::far", Outcome::Passed),
            ("suite a", Outcome::Skipped),
            ("suite laws::b", Outcome::Failed),
            ("touchline_sim/doc server/sim/src/lib.rs_-_(line_3)", Outcome::Passed),
        ];
        assert_eq!(cargo_test(output), (tally(12, 3, 1), cases(&named)));
        assert_eq!(cargo_test("error: could not compile"), Default::default());
    }

    #[test]
    fn unittest_says_only_what_is_not_zero() {
        assert_eq!(unittest("Ran 7 tests in 0.012s\n\nOK\n").0, tally(7, 0, 0));
        assert_eq!(unittest("Ran 1 test in 0.012s\n\nOK (skipped=1)\n").0, tally(0, 0, 1));
        let output = "test_a (plain.test_x.X.test_a) ... ok\ntest_b (plain.test_x.X.test_b) ... FAIL\n\
                      Ran 30 tests in 1.2s\n\nFAILED (failures=2, errors=1, skipped=4)\n";
        let named = [
            ("plain.test_x.X.test_a test_a", Outcome::Passed),
            ("plain.test_x.X.test_b test_b", Outcome::Failed),
        ];
        assert_eq!(unittest(output), (tally(23, 3, 4), cases(&named)));
        let output = "Ran 3 tests in 1.2s\n\nFAILED (errors=1, expected failures=1)\n";
        assert_eq!(unittest(output).0, tally(2, 1, 0));
    }

    #[test]
    fn pytest_says_only_what_is_not_zero() {
        let output =
            "tests/a.py::test_x PASSED [ 50%]\ntests/a.py::test_y[1-b] FAILED [100%]\n41 passed in 3.21s\n";
        let named = [("tests/a.py test_x", Outcome::Passed), ("tests/a.py test_y[1-b]", Outcome::Failed)];
        assert_eq!(pytest(output), (tally(41, 0, 0), cases(&named)));
        assert_eq!(
            pytest("FAILED tests/a.py\n1 failed, 40 passed, 2 skipped, 1 error in 3.21s\n").0,
            tally(40, 2, 2)
        );
        assert_eq!(pytest("no tests ran in 0.01s\n"), Default::default());
    }

    #[test]
    fn node_writes_its_summary_last() {
        let output = "ok 1 - pass 9\nnot ok 2 - b\nok 3 - c # SKIP\n# tests 6\n# suites 0\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n";
        let named = [
            ("node pass_9", Outcome::Passed),
            ("node b", Outcome::Failed),
            ("node c_#_SKIP", Outcome::Skipped),
        ];
        assert_eq!(node(output), (tally(3, 2, 1), cases(&named)));
    }

    #[test]
    fn ctest_counts_all_and_those_that_failed() {
        let output = "1/2 Test #1: client .......   Passed    0.30 sec\n2/2 Test #2: wrapper ....***Failed 1 sec\n\
                      93% tests passed, 2 tests failed out of 27\n";
        let named = [("ctest client", Outcome::Passed), ("ctest wrapper", Outcome::Failed)];
        assert_eq!(ctest(output), (tally(25, 2, 0), cases(&named)));
        assert_eq!(ctest("100% tests passed, 0 tests failed out of 27\n\nTotal").0, tally(27, 0, 0));
        assert_eq!(ctest("0% tests passed, 1 tests failed out of 1\n").0, tally(0, 1, 0));
        assert_eq!(ctest("No tests were found!!!"), Default::default());
    }

    #[test]
    fn a_runner_that_ends_badly_has_failed() {
        assert_eq!(tally(4, 0, 0).ended(false), tally(4, 1, 0));
        assert_eq!(tally(4, 2, 0).ended(false), tally(4, 2, 0));
        assert_eq!(tally(4, 0, 0).ended(true), tally(4, 0, 0));
    }
}
