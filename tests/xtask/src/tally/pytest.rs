//! `pytest -v`.

use super::{Case, Outcome, Read, Tally, give_reasons, number_before};

/// What a line about a test ends in, and what that means; what is expected to fail, and does, is as it should be.
const ENDS: [(&str, Outcome); 6] = [
    (" PASSED", Outcome::Passed),
    (" FAILED", Outcome::Failed),
    (" ERROR", Outcome::Failed),
    (" SKIPPED", Outcome::Skipped),
    (" XFAIL", Outcome::Skipped),
    (" XPASS", Outcome::Passed),
];

/// Reads `file.py::Class::test[x y] PASSED`, then `1 failed, 40 passed, 2 skipped in 3.21s`.
pub fn pytest(output: &str) -> Read {
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
    let mut cases: Vec<Case> = output.lines().filter_map(case).collect();
    // The headlines have dots between class and test.
    let named: Vec<_> = cases.iter().map(|case| case.test.clone()).collect();
    let full = |headline: &str| {
        let named = named.iter().find(|test| test.replace("::", ".") == headline);
        named.map_or(headline, String::as_str).to_owned()
    };
    let reasons = sections(output).into_iter().map(|(headline, said)| (full(headline), said));
    let besides = give_reasons(&mut cases, reasons);
    Read { tally, cases, besides }
}

fn case(line: &str) -> Option<Case> {
    let (place, rest) = line.split_once("::")?;
    let (end, outcome, at) = ENDS
        .iter()
        .filter_map(|&(end, outcome)| Some((end, outcome, rest.rfind(end)?)))
        .max_by_key(|found| found.2)?;
    let after = rest[at + end.len()..].trim_start();
    // A reason in brackets, how far the whole is, or nothing.
    let is_end = after.is_empty() || after.starts_with(['(', '[']);
    (place.ends_with(".py") && !place.contains(' ') && is_end).then(|| Case::new(place, &rest[..at], outcome))
}

/// What stands under `____ Class.test ____` in the parts FAILURES and ERRORS.
fn sections(output: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut is_inside = false;
    for line in output.lines() {
        let headline = line.strip_prefix("__").map(|line| line.trim_matches('_').trim());
        if let Some(name) = headline.filter(|_| line.ends_with("__")) {
            let name = ["ERROR at setup of ", "ERROR at teardown of "]
                .iter()
                .find_map(|about| name.strip_prefix(about))
                .unwrap_or(name);
            found.push((name, String::new()));
            is_inside = true;
        } else if line.starts_with("====") {
            is_inside = false;
        } else if let (true, Some((_, said))) = (is_inside, found.last_mut()) {
            *said += line;
            said.push('\n');
        }
    }
    for (_, said) in &mut found {
        *said = said.trim().to_owned();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_zero_is_said() {
        let tally = |passed, failed, skipped| Tally { passed, failed, skipped };
        assert_eq!(pytest("41 passed in 3.21s\n").tally, tally(41, 0, 0));
        assert_eq!(
            pytest("FAILED tests/a.py\n1 failed, 40 passed, 2 skipped, 1 error in 3.21s\n").tally,
            tally(40, 2, 2)
        );
        assert_eq!(pytest("no tests ran in 0.01s\n"), Default::default());
    }

    #[test]
    fn names_are_whole_and_each_failure_has_its_section() {
        let output = "\
tests/a.py::test_x PASSED                                     [ 25%]
tests/a.py::Class::test_y[1-b c] FAILED                       [ 50%]
tests/a.py::test_z ERROR                                      [ 75%]
tests/b.py::test_n SKIPPED (no torch)                         [100%]
==================================== ERRORS ====================================
___________________________ ERROR at setup of test_z ___________________________

E   no fixture
=================================== FAILURES ===================================
______________________________ Class.test_y[1-b c] _____________________________

    def test_y(self):
>       assert 1 == 2
E       assert 1 == 2

tests/a.py:3: AssertionError
=========================== short test summary info ============================
FAILED tests/a.py::Class::test_y[1-b c] - assert 1 == 2
ERROR tests/a.py::test_z - no fixture
============= 1 failed, 1 passed, 1 skipped, 1 error in 0.02s ==================
";
        let why =
            "def test_y(self):\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/a.py:3: AssertionError";
        let cases = [
            Case::new("tests/a.py", "test_x", Outcome::Passed),
            Case { why: why.into(), ..Case::new("tests/a.py", "Class::test_y[1-b c]", Outcome::Failed) },
            Case { why: "E   no fixture".into(), ..Case::new("tests/a.py", "test_z", Outcome::Failed) },
            Case::new("tests/b.py", "test_n", Outcome::Skipped),
        ];
        assert_eq!(pytest(output).cases, cases);
    }
}
