//! Python's `unittest -v`.

use super::{Case, Outcome, Read, Tally, give_reasons, number_before};

/// Reads `Ran 9 tests in …`, then such as `FAILED (failures=2, skipped=1)`.
pub fn unittest(output: &str) -> Read {
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
        // Since Python 3.11 the test's name stands there as well.
        let class = class.trim_end_matches(')');
        let class = class.strip_suffix(test).and_then(|class| class.strip_suffix('.')).unwrap_or(class);
        Some(Case::new(class, test, outcome))
    });
    let mut cases: Vec<Case> = cases.collect();
    // A test with a docstring has no line of its own.
    let besides = give_reasons(&mut cases, tracebacks(output));
    Read { tally, cases, besides }
}

/// What stands under `FAIL: test_a (plain.test_x.X.test_a)` between two double lines.
fn tracebacks(output: &str) -> impl Iterator<Item = (String, String)> {
    let double = format!("\n{}\n", "=".repeat(70));
    let (_, parts) = output.split_once(&double).unwrap_or_default();
    let parts: Vec<String> = parts.split(&double).map(str::to_owned).collect();
    parts.into_iter().filter_map(|part| {
        let (head, said) = part.split_once('\n')?;
        let (test, _) = head.split_once(": ")?.1.split_once(" (")?;
        let single = "-".repeat(70);
        // Between head and line stands a docstring.
        let (_, said) = said.split_once(&format!("{single}\n"))?;
        let said = said.split(&format!("\n{single}")).next()?;
        Some((test.to_owned(), said.trim().to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_zero_is_said() {
        let tally = |passed, failed, skipped| Tally { passed, failed, skipped };
        assert_eq!(unittest("Ran 7 tests in 0.012s\n\nOK\n").tally, tally(7, 0, 0));
        assert_eq!(unittest("Ran 1 test in 0.012s\n\nOK (skipped=1)\n").tally, tally(0, 0, 1));
        let output = "Ran 30 tests in 1.2s\n\nFAILED (failures=2, errors=1, skipped=4)\n";
        assert_eq!(unittest(output).tally, tally(23, 3, 4));
        let output = "Ran 3 tests in 1.2s\n\nFAILED (errors=1, expected failures=1)\n";
        assert_eq!(unittest(output).tally, tally(2, 1, 0));
    }

    #[test]
    fn each_failure_has_its_traceback() {
        let (double, single) = ("=".repeat(70), "-".repeat(70));
        let output = format!(
            "test_a (plain.test_x.X) ... ok\ntest_b (plain.test_x.X.test_b) ... FAIL\n\
             test_c (plain.test_x.X.test_c) ... ERROR\n\n\
             {double}\nERROR: test_c (plain.test_x.X.test_c)\n{single}\nTraceback c\n\n\
             {double}\nFAIL: test_b (plain.test_x.X.test_b)\n{single}\nTraceback b\nAssertionError\n\n\
             {double}\nFAIL: test_d (plain.test_x.X.test_d)\nit has a docstring\n{single}\nTraceback d\n\n\
             {single}\nRan 4 tests in 1.2s\n\nFAILED (failures=2, errors=1)\n"
        );
        let case =
            |test, outcome, why: &str| Case { why: why.into(), ..Case::new("plain.test_x.X", test, outcome) };
        let cases = [
            case("test_a", Outcome::Passed, ""),
            case("test_b", Outcome::Failed, "Traceback b\nAssertionError"),
            case("test_c", Outcome::Failed, "Traceback c"),
        ];
        let read = unittest(&output);
        assert_eq!(read.cases, cases);
        assert!(
            read.besides.starts_with("test_d: ") && read.besides.ends_with("Traceback d"),
            "{}",
            read.besides
        );
    }
}
