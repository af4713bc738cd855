//! `node --test --test-reporter=tap`: lines of TAP, those of a suite's tests before its own and four columns further in.

use super::{Case, Outcome, Read, Tally};

/// What a suite says of itself if one of its tests failed: nothing new.
const ONLY_A_CHILD: &str = "failureType: 'subtestsFailed'";
/// Frames of the runner and the language: they are the same in every stack.
const FOREIGN_FRAMES: [&str; 3] = ["node:", "async Promise.all", "new Promise"];

/// Reads it. A case is a test by its suites and its own name; a suite is one only if it failed by itself, as by a hook.
pub fn node(output: &str) -> Read {
    let count = |name: &str| -> usize {
        let lines = output.lines().filter_map(|line| line.strip_prefix("# ")?.strip_prefix(name));
        lines.filter_map(|rest| rest.trim().parse::<usize>().ok()).next_back().unwrap_or(0)
    };
    let tally = Tally {
        passed: count("pass "),
        failed: count("fail ") + count("cancelled "),
        skipped: count("skipped ") + count("todo "),
    };
    let mut cases = Vec::new();
    // Names of those that have begun and not ended, outermost first.
    let mut begun: Vec<String> = Vec::new();
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let depth = (line.len() - text.len()) / 4;
        if let Some(name) = text.strip_prefix("# Subtest: ") {
            begun.truncate(depth);
            begun.push(unescaped(name));
        } else if let Some((outcome, name)) = result(text) {
            begun.truncate(depth);
            begun.push(unescaped(name));
            let mut about = Vec::new();
            if let Some(begin) = lines.next_if(|line| line.trim() == "---") {
                // Three points further in are a part of what is told.
                let end = begin.replace("---", "...");
                about = lines.by_ref().take_while(|line| *line != end).collect();
            }
            let says = |word: &str| about.iter().any(|line| line.trim() == word);
            if says("type: 'suite'") && (outcome != Outcome::Failed || says(ONLY_A_CHILD)) {
                continue;
            }
            let mut case = Case::new("node", &begun.join(" > "), outcome);
            if outcome == Outcome::Failed {
                case.why = without_runner(&about);
            }
            cases.push(case);
        }
    }
    Read { tally, cases, besides: said(output) }
}

/// The outcome and the name in `not ok 3 - a name # SKIP why`.
fn result(line: &str) -> Option<(Outcome, &str)> {
    let (ended, test) = line.split_once(" - ")?;
    let (ended, number) = ended.rsplit_once(' ')?;
    number.parse::<usize>().ok()?;
    let left_out = [" # SKIP", " # TODO"].into_iter().find(|mark| test.contains(mark));
    match (left_out, ended) {
        (Some(mark), "ok" | "not ok") => Some((Outcome::Skipped, test.split(mark).next()?)),
        (None, "ok") => Some((Outcome::Passed, test)),
        (None, "not ok") => Some((Outcome::Failed, test)),
        _ => None,
    }
}

/// A name as it is in the source: TAP puts a backslash before each backslash and each number sign.
fn unescaped(name: &str) -> String {
    let mut plain = String::new();
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    plain
}

fn without_runner(about: &[&str]) -> String {
    let column = about.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let is_foreign = |line: &str| {
        let line = line.trim_start();
        FOREIGN_FRAMES.iter().any(|frame| line.starts_with(frame))
            || (line.ends_with(')') && line.contains(" (node:"))
    };
    let own = about.iter().filter(|line| !is_foreign(line));
    own.map(|line| line.get(column..).unwrap_or_default().trim_end()).collect::<Vec<_>>().join("\n")
}

/// What the tests themselves wrote; the runner passes it on as comments.
fn said(output: &str) -> String {
    let totals = [
        "tests ",
        "suites ",
        "pass ",
        "fail ",
        "cancelled ",
        "skipped ",
        "todo ",
        "duration_ms ",
        "Subtest: ",
    ];
    let comments = output.lines().filter_map(|line| line.strip_prefix("# "));
    comments.filter(|line| !totals.iter().any(|word| line.starts_with(word))).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_comes_last() {
        let output = "ok 1 - pass 9\nnot ok 2 - b\nok 3 - c # SKIP\n# tests 6\n# suites 0\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n";
        let cases = [
            Case::new("node", "pass 9", Outcome::Passed),
            Case::new("node", "b", Outcome::Failed),
            Case::new("node", "c", Outcome::Skipped),
        ];
        let read = node(output);
        assert_eq!(read.tally, Tally { passed: 3, failed: 2, skipped: 1 });
        assert_eq!(read.cases, cases);
    }

    #[test]
    fn nested_tests_have_whole_names_and_failures_their_reasons() {
        let output = r"TAP version 13
# a test said this
# Subtest: outer \# one
    # Subtest: inner
        # Subtest: breaks \\ here
        not ok 1 - breaks \\ here
          ---
          duration_ms: 26.8
          location: '/x.test.js:5:5'
          failureType: 'testCodeFailure'
          error: |-
            two
            ...
          stack: |-
            TestContext.<anonymous> (file:///x.test.js:5:81)
            Test.run (node:internal/test_runner/test:796:25)
            node:internal/test_runner/test:1133:71
          ...
        # Subtest: good
        ok 2 - good
          ---
          duration_ms: 0.25
          ...
        1..2
    not ok 1 - inner
      ---
      type: 'suite'
      failureType: 'subtestsFailed'
      ...
    1..1
not ok 1 - outer \# one
  ---
  type: 'suite'
  failureType: 'subtestsFailed'
  ...
# Subtest: hook
    # Subtest: never
    not ok 1 - never
      ---
      failureType: 'cancelledByParent'
      ...
    1..1
not ok 2 - hook
  ---
  type: 'suite'
  failureType: 'hookFailed'
  error: 'hook broke'
  ...
# Subtest: good
    # Subtest: after all
    ok 1 - after all
      ---
      duration_ms: 0.25
      ...
    1..1
ok 3 - good
  ---
  type: 'suite'
  ...
1..3
# tests 4
";
        let why = "duration_ms: 26.8\nlocation: '/x.test.js:5:5'\nfailureType: 'testCodeFailure'\nerror: |-\n  two\n  ...\n\
                   stack: |-\n  TestContext.<anonymous> (file:///x.test.js:5:81)";
        let failed = |test, why: &str| Case { why: why.into(), ..Case::new("node", test, Outcome::Failed) };
        let cases = [
            failed(r"outer # one > inner > breaks \ here", why),
            Case::new("node", "outer # one > inner > good", Outcome::Passed),
            failed("hook > never", "failureType: 'cancelledByParent'"),
            failed("hook", "type: 'suite'\nfailureType: 'hookFailed'\nerror: 'hook broke'"),
            Case::new("node", "good > after all", Outcome::Passed),
        ];
        let read = node(output);
        assert_eq!(read.cases, cases);
        assert_eq!(read.besides, "a test said this");
    }
}
