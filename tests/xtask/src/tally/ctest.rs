//! `ctest --output-on-failure`.

use super::{Case, Outcome, Read, Tally, number_before};

/// Reads `1/27 Test #1: name ... Passed 0.1 sec`, then `93% tests passed, 2 tests failed out of 27`.
pub fn ctest(output: &str) -> Read {
    let summary = output.lines().rfind(|line| line.contains("% tests passed, "));
    let Some(line) = summary else { return Default::default() };
    let failed = number_before(line, " tests failed").max(number_before(line, " test failed"));
    let run = line.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(failed);
    let tally = Tally { passed: run.saturating_sub(failed), failed, skipped: 0 };
    let mut cases: Vec<Case> = Vec::new();
    let mut is_inside = false;
    for line in output.lines() {
        if let Some(case) = case(line) {
            is_inside = case.outcome == Outcome::Failed;
            cases.push(case);
        } else if line.trim_start().starts_with("Start ") || line.contains("% tests passed, ") {
            is_inside = false;
        } else if let (true, Some(case)) = (is_inside, cases.last_mut()) {
            case.why += line;
            case.why.push('\n');
        }
    }
    for case in &mut cases {
        case.why = case.why.trim().to_owned();
    }
    Read { tally, cases, besides: String::new() }
}

fn case(line: &str) -> Option<Case> {
    let (_, test) = line.split_once(" Test ")?.1.split_once(": ")?;
    let (name, ended) = test.split_once(' ')?;
    let outcome = if ended.contains(" Passed ") { Outcome::Passed } else { Outcome::Failed };
    Some(Case::new("ctest", name, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_counted_and_those_that_failed_have_what_they_wrote() {
        let output = "    Start 1: client\n1/2 Test #1: client .......   Passed    0.30 sec\n    Start 2: wrapper\n\
                      2/2 Test #2: wrapper ....***Failed 1 sec\nERROR: leak\n\n\n\
                      93% tests passed, 2 tests failed out of 27\n";
        let cases = [
            Case::new("ctest", "client", Outcome::Passed),
            Case { why: "ERROR: leak".into(), ..Case::new("ctest", "wrapper", Outcome::Failed) },
        ];
        let read = ctest(output);
        assert_eq!(
            (read.tally, read.cases.as_slice()),
            (Tally { passed: 25, failed: 2, skipped: 0 }, &cases[..])
        );
        let tally = |output| (ctest(output).tally.passed, ctest(output).tally.failed);
        assert_eq!(tally("100% tests passed, 0 tests failed out of 27\n\nTotal"), (27, 0));
        assert_eq!(tally("0% tests passed, 1 tests failed out of 1\n"), (0, 1));
        assert_eq!(ctest("No tests were found!!!"), Default::default());
    }
}
