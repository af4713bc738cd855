//! What came out of a run of `cargo verify`: for people as it goes, and as JSON and JUnit files for programs.

use crate::shop::Run;
use crate::tally::{self, Case, Outcome, Read, Tally};
use std::fmt::Write;

/// So many lines at most say at the end of a run why a stage failed.
const DIGEST_LINES: usize = 200;

/// What came out of a stage.
#[derive(Default)]
pub struct Report {
    /// How many tests passed, failed and were skipped.
    pub tally: Tally,
    /// The tests by name, as far as the runner names them.
    pub cases: Vec<Case>,
    /// Why it failed, as far as no case says it.
    pub besides: String,
    /// What the commands wrote; shown if anything failed.
    pub output: String,
    /// Lines for people, such as the reason why something was skipped.
    pub notes: Vec<String>,
}

impl Report {
    /// A stage that was not run.
    pub fn skipped(reason: &str) -> Self {
        let tally = Tally { skipped: 1, ..Tally::default() };
        Self { tally, notes: vec![format!("skipped: {reason}")], ..Self::default() }
    }

    /// A stage that could not be run.
    pub fn failed(reason: String) -> Self {
        Self { tally: Tally::check(false), besides: last_lines(&reason), output: reason, ..Self::default() }
    }

    /// A stage in which nothing is tested, and that went well.
    pub fn done() -> Self {
        Self { tally: Tally::check(true), ..Self::default() }
    }

    /// A command that has no tests of its own: one check.
    pub fn check(run: Run) -> Self {
        let besides = if run.success { String::new() } else { reason(&run.output) };
        Self { tally: Tally::check(run.success), besides, output: run.output, ..Self::default() }
    }

    /// A test runner, whose output `read` understands.
    pub fn tests(run: Run, read: fn(&str) -> Read) -> Self {
        let Read { tally, cases, mut besides } = read(&run.output);
        let tally = tally.ended(run.success);
        if tally == Tally::default() {
            return Self::failed(run.output + "\nno test was run");
        }
        if tally.failed == 0 {
            besides.clear();
        } else if besides.is_empty() && !cases.iter().any(|case| case.outcome == Outcome::Failed) {
            besides = reason(&run.output);
        }
        Self { tally, cases, besides, output: run.output, notes: Vec::new() }
    }

    /// Both, one after the other.
    pub fn and(mut self, other: Self) -> Self {
        self.tally += other.tally;
        self.cases.extend(other.cases);
        self.besides = [self.besides, other.besides]
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect::<Vec<_>>()
            .join("\n");
        self.output += &other.output;
        self.notes.extend(other.notes);
        self
    }

    /// Adds a line for people.
    pub fn note(mut self, text: &str) -> Self {
        self.notes.push(text.to_owned());
        self
    }

    /// Adds a line for people if tests were skipped.
    pub fn note_skipped(mut self, why: &str) -> Self {
        if self.tally.skipped > 0 {
            self.notes.push(format!("skipped: {why}"));
        }
        self
    }

    /// What failed and why, in few enough lines to be read at the end of a run: the names first, then what is said of each.
    pub fn digest(&self) -> Vec<String> {
        let failed: Vec<&Case> = self.cases.iter().filter(|case| case.outcome == Outcome::Failed).collect();
        let mut lines: Vec<String> = failed.iter().map(|case| format!("failed: {}", case.name())).collect();
        shorten(&mut lines, DIGEST_LINES / 2);
        let said = failed.iter().filter(|case| !case.why.is_empty());
        let mut parts: Vec<Vec<String>> = said.map(|case| part(Some(&case.name()), &case.why)).collect();
        if !self.besides.is_empty() {
            let heading = (!lines.is_empty()).then_some("what else was said");
            parts.push(part(heading, &self.besides));
        }
        parts.truncate((DIGEST_LINES - lines.len()) / LEAST_LINES);
        let mut left = DIGEST_LINES - lines.len();
        // What a short one does not need is for the longer ones.
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|&at| parts[at].len());
        for (done, at) in order.into_iter().enumerate() {
            let share = left / (parts.len() - done);
            shorten(&mut parts[at], share);
            left -= parts[at].len();
        }
        lines.extend(parts.into_iter().flatten());
        lines
    }
}

/// Fewer lines say nothing of a failure.
const LEAST_LINES: usize = 8;

fn part(heading: Option<&str>, text: &str) -> Vec<String> {
    let heading = heading.map(|heading| format!("---- {heading}"));
    heading.into_iter().chain(text.lines().map(str::to_owned)).collect()
}

/// Takes lines out of the middle: a message stands at the beginning with most runners, at the end with the others.
fn shorten(lines: &mut Vec<String>, most: usize) {
    if lines.len() <= most {
        return;
    }
    let cut = lines.len() - most + 1;
    let from = most / 2;
    lines.splice(from..from + cut, [format!("… {cut} lines more are in the log …")]);
}

/// Why a command failed that names no tests: what the compiler does not take, or its last lines.
fn reason(output: &str) -> String {
    let errors = tally::compiler_errors(output);
    if errors.is_empty() { last_lines(output) } else { errors.join("\n") }
}

fn last_lines(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !is_progress(line)).collect();
    lines[lines.len().saturating_sub(DIGEST_LINES - 1)..].join("\n")
}

/// Whether a line says only that something went as it should: it would bury what did not.
fn is_progress(line: &str) -> bool {
    let words = ["Compiling ", "Checking ", "Downloaded ", "Documenting "];
    words.iter().any(|word| line.trim_start().starts_with(word))
        || (line.starts_with("test ") && line.ends_with(" ... ok"))
}

/// A stage that is over.
pub struct Finished {
    /// Name of the stage.
    pub name: &'static str,
    /// Its wall time, seconds.
    pub secs: f64,
    /// Result of the stage, with its tests.
    pub report: Report,
}

/// The whole run as one JSON object, the format of `cargo verify --json`.
pub fn json(total: Tally, secs: f64, stages: &[Finished]) -> String {
    let mut text = format!("{{{},\"seconds\":{secs:.1},\"stages\":[", numbers(total));
    for (index, Finished { name, secs, report }) in stages.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let failed = report.cases.iter().filter(|case| case.outcome == Outcome::Failed);
        let failures: Vec<String> = failed.map(|case| quoted(&case.name())).collect();
        let notes: Vec<String> = report.notes.iter().map(|note| quoted(note)).collect();
        let _ = write!(
            text,
            "{comma}\n  {{\"name\":{},{},\"seconds\":{secs:.1},\"failures\":[{}],\"notes\":[{}]}}",
            quoted(name),
            numbers(report.tally),
            failures.join(","),
            notes.join(",")
        );
    }
    text + "\n]}\n"
}

fn numbers(tally: Tally) -> String {
    format!("\"passed\":{},\"failed\":{},\"skipped\":{}", tally.passed, tally.failed, tally.skipped)
}

/// The whole run in the format that JUnit made common: a suite for each stage.
///
/// Where a runner counts more tests than it names, the suite's numbers are the runner's; what a failed stage wrote stands in `system-out`.
pub fn junit(total: Tally, secs: f64, stages: &[Finished]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"cargo verify\" {} time=\"{secs:.1}\">", counts(total));
    for Finished { name, secs, report } in stages {
        let _ = writeln!(text, "  <testsuite name=\"{name}\" {} time=\"{secs:.1}\">", counts(report.tally));
        let outcome = whole_stage(report.tally);
        let whole =
            [Case { place: (*name).into(), test: (*name).into(), outcome, why: report.besides.clone() }];
        let cases = if report.cases.is_empty() { &whole[..] } else { &report.cases };
        for case in cases {
            let (place, test) = (escaped(&case.place), escaped(&case.test));
            let _ = write!(text, "    <testcase classname=\"{place}\" name=\"{test}\"");
            let _ = match case.outcome {
                Outcome::Passed => writeln!(text, "/>"),
                Outcome::Failed => writeln!(text, "><failure>{}</failure></testcase>", escaped(&case.why)),
                Outcome::Skipped => writeln!(text, "><skipped/></testcase>"),
            };
        }
        if report.tally.failed > 0 {
            let _ = writeln!(text, "    <system-out>{}</system-out>", escaped(&report.output));
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

fn whole_stage(tally: Tally) -> Outcome {
    match tally {
        Tally { failed: 1.., .. } => Outcome::Failed,
        Tally { passed: 0, .. } => Outcome::Skipped,
        _ => Outcome::Passed,
    }
}

fn counts(tally: Tally) -> String {
    let tests = tally.passed + tally.failed + tally.skipped;
    format!("tests=\"{tests}\" failures=\"{}\" skipped=\"{}\"", tally.failed, tally.skipped)
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted += "\\n",
            c if c.is_control() => _ = write!(quoted, "\\u{:04x}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Text between tags or quotes; XML 1.0 has no place for other control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped += "&lt;",
            '&' => escaped += "&amp;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(place: &str, test: &str, outcome: Outcome, why: &str) -> Case {
        Case { place: place.into(), test: test.into(), outcome, why: why.into() }
    }

    fn finished() -> Vec<Finished> {
        let cases = vec![
            case("suite", "a::b", Outcome::Passed, ""),
            case("suite <c>", "of \"d\" > e", Outcome::Failed, "1 < 2"),
        ];
        let tally = Tally { passed: 1, failed: 1, skipped: 0 };
        let report = Report {
            tally,
            cases,
            besides: String::new(),
            output: "\u{1b}[31mno & no\n".into(),
            notes: vec!["a\tb".into()],
        };
        vec![
            Finished { name: "system", secs: 1.25, report },
            Finished { name: "deny", secs: 0.0, report: Report::skipped("not \"there\"") },
        ]
    }

    #[test]
    fn names_and_notes_survive_as_json() {
        let text = json(Tally { passed: 1, failed: 1, skipped: 1 }, 2.0, &finished());
        assert_eq!(
            text,
            concat!(
                "{\"passed\":1,\"failed\":1,\"skipped\":1,\"seconds\":2.0,\"stages\":[",
                "\n  {\"name\":\"system\",\"passed\":1,\"failed\":1,\"skipped\":0,\"seconds\":1.2,",
                "\"failures\":[\"suite <c> of \\\"d\\\" > e\"],\"notes\":[\"a\\u0009b\"]},",
                "\n  {\"name\":\"deny\",\"passed\":0,\"failed\":0,\"skipped\":1,\"seconds\":0.0,",
                "\"failures\":[],\"notes\":[\"skipped: not \\\"there\\\"\"]}\n]}\n"
            )
        );
    }

    #[test]
    fn junit_holds_every_case_and_what_failed() {
        let text = junit(Tally { passed: 1, failed: 1, skipped: 1 }, 2.0, &finished());
        for line in [
            "<testsuites name=\"cargo verify\" tests=\"3\" failures=\"1\" skipped=\"1\" time=\"2.0\">",
            "    <testcase classname=\"suite\" name=\"a::b\"/>",
            "    <testcase classname=\"suite &lt;c>\" name=\"of &quot;d&quot; > e\"><failure>1 &lt; 2</failure></testcase>",
            "    <system-out>\u{fffd}[31mno &amp; no",
            "    <testcase classname=\"deny\" name=\"deny\"><skipped/></testcase>",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}\n{text}");
        }
    }

    fn ran(success: bool, output: &str) -> Run {
        Run { success, output: output.into() }
    }

    #[test]
    fn the_digest_names_all_that_failed_and_then_says_why() {
        let cases = vec![
            case("suite", "a", Outcome::Failed, "no a"),
            case("suite", "b", Outcome::Passed, ""),
            case("suite", "c", Outcome::Failed, "no c\nat all"),
        ];
        let report = Report { cases, besides: "a crash".into(), ..Report::failed(String::new()) };
        assert_eq!(
            report.digest(),
            [
                "failed: suite a",
                "failed: suite c",
                "---- suite a",
                "no a",
                "---- suite c",
                "no c",
                "at all",
                "---- what else was said",
                "a crash"
            ]
        );
    }

    #[test]
    fn the_digest_is_short_whatever_failed() {
        let long: Vec<String> = (0..1000).map(|line| format!("line {line}")).collect();
        for count in [1, 2, 30, 1000] {
            let cases =
                (0..count).map(|at| case("suite", &at.to_string(), Outcome::Failed, &long.join("\n")));
            let digest = Report { cases: cases.collect(), ..Report::done() }.digest();
            assert!(digest.len() <= DIGEST_LINES, "{count}: {}", digest.len());
            assert!(digest.len() > DIGEST_LINES - 20, "{count}: {}", digest.len());
            assert_eq!(digest.last().map(String::as_str), Some("line 999"));
            assert!(digest.contains(&"line 0".to_owned()));
        }
        // One of few words leaves room for the other.
        let cases = vec![
            case("suite", "a", Outcome::Failed, &long[..150].join("\n")),
            case("suite", "b", Outcome::Failed, "short"),
        ];
        assert_eq!(Report { cases, ..Report::done() }.digest().len(), 2 + 2 + 151);
    }

    #[test]
    fn a_command_without_tests_failed_for_what_the_compiler_says_or_for_its_last_lines() {
        let report = Report::check(ran(false, "Compiling a\nerror[E1]: no\n --> b\n\nwarning: c\n"));
        assert_eq!(report.digest(), ["error[E1]: no", " --> b"]);
        let report = Report::check(ran(false, "   Compiling a\nDiff in b\n-c\n"));
        assert_eq!(report.digest(), ["Diff in b", "-c"]);
        assert!(Report::check(ran(true, "warning: c\n")).digest().is_empty());
    }

    #[test]
    fn a_runner_that_names_nothing_that_failed_is_told_by_its_last_lines() {
        let output = "test a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored\nkilled\n";
        let report = Report::tests(ran(false, output), tally::cargo_test);
        assert_eq!(report.digest(), ["test result: ok. 1 passed; 0 failed; 0 ignored", "killed"]);
        assert!(Report::tests(ran(true, output), tally::cargo_test).digest().is_empty());
    }
}
