//! What came out of a run of `cargo verify`: for people as it goes, and as JSON and JUnit files for programs.

use crate::shop::Run;
use crate::tally::{Case, Outcome, Tally};
use std::fmt::Write;

/// What came out of a stage.
#[derive(Default)]
pub struct Report {
    /// How many tests passed, failed and were skipped.
    pub tally: Tally,
    /// The tests by name, as far as the runner names them.
    pub cases: Vec<Case>,
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
        Self { tally: Tally::check(false), output: reason, ..Self::default() }
    }

    /// A stage in which nothing is tested, and that went well.
    pub fn done() -> Self {
        Self { tally: Tally::check(true), ..Self::default() }
    }

    /// A command that has no tests of its own: one check.
    pub fn check(run: Run) -> Self {
        Self { tally: Tally::check(run.success), output: run.output, ..Self::default() }
    }

    /// A test runner, whose output `read` understands.
    pub fn tests(run: Run, read: fn(&str) -> (Tally, Vec<Case>)) -> Self {
        let (tally, cases) = read(&run.output);
        let tally = tally.ended(run.success);
        if tally == Tally::default() {
            return Self::failed(run.output + "\nno test was run");
        }
        Self { tally, cases, output: run.output, notes: Vec::new() }
    }

    /// Both, one after the other.
    pub fn and(mut self, other: Self) -> Self {
        self.tally += other.tally;
        self.cases.extend(other.cases);
        self.output += &other.output;
        self.notes.extend(other.notes);
        self
    }

    /// Adds a line for people if tests were skipped.
    pub fn note_skipped(mut self, why: &str) -> Self {
        if self.tally.skipped > 0 {
            self.notes.push(format!("skipped: {why}"));
        }
        self
    }
}

/// A stage that is over.
pub struct Finished {
    /// Its name.
    pub name: &'static str,
    /// Its wall time, seconds.
    pub secs: f64,
    /// What came out.
    pub report: Report,
}

/// The whole run as one JSON object, the format of `cargo verify --json`.
pub fn json(total: Tally, secs: f64, stages: &[Finished]) -> String {
    let mut text = format!("{{{},\"seconds\":{secs:.1},\"stages\":[", numbers(total));
    for (index, Finished { name, secs, report }) in stages.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let failed = report.cases.iter().filter(|case| case.outcome == Outcome::Failed);
        let failures: Vec<String> = failed.map(|case| quoted(&case.name)).collect();
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
        let whole = [Case { name: (*name).into(), outcome: whole_stage(report.tally) }];
        let cases = if report.cases.is_empty() { &whole[..] } else { &report.cases };
        for case in cases {
            let (place, test) = case.name.rsplit_once(' ').unwrap_or((name, &case.name));
            let _ = write!(text, "    <testcase classname=\"{}\" name=\"{}\"", escaped(place), escaped(test));
            text += match case.outcome {
                Outcome::Passed => "/>\n",
                Outcome::Failed => "><failure/></testcase>\n",
                Outcome::Skipped => "><skipped/></testcase>\n",
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

    fn finished() -> Vec<Finished> {
        let case = |name: &str, outcome| Case { name: name.into(), outcome };
        let cases = vec![case("suite a::b", Outcome::Passed), case("suite <c> \"d\"", Outcome::Failed)];
        let tally = Tally { passed: 1, failed: 1, skipped: 0 };
        let report =
            Report { tally, cases, output: "\u{1b}[31mno & no\n".into(), notes: vec!["a\tb".into()] };
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
                "\"failures\":[\"suite <c> \\\"d\\\"\"],\"notes\":[\"a\\u0009b\"]},",
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
            "    <testcase classname=\"suite &lt;c>\" name=\"&quot;d&quot;\"><failure/></testcase>",
            "    <system-out>\u{fffd}[31mno &amp; no",
            "    <testcase classname=\"deny\" name=\"deny\"><skipped/></testcase>",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}\n{text}");
        }
    }
}
