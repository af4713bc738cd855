//! What has passed on which commit, so that `--full` goes on where it was stopped, and says truly what was green.
//!
//! A stage counts only if all that it looked at is committed, before it and after it. Another commit or another compiler makes all of it
//! count for nothing. The notes lie in `<target>/verify/passed/STAGE`, one line each.

use crate::report::Report;
use crate::shop::Shop;
use crate::tally::Tally;
use std::fs;
use std::path::PathBuf;

/// What is tested: a commit without changes beside it, and the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    commit: String,
    compiler: String,
}

impl Subject {
    /// `None` if something is not committed, or there is no git to say so.
    pub fn now(shop: &Shop) -> Option<Self> {
        let is_clean = ask(shop, "git", &["--no-optional-locks", "status", "--porcelain"])?.is_empty();
        let commit = ask(shop, "git", &["rev-parse", "HEAD"])?;
        let compiler = ask(shop, "rustc", &["--version"])?.replace(' ', "-");
        is_clean.then_some(Self { commit, compiler })
    }

    /// The commit and its day, for people.
    pub fn in_words(&self, shop: &Shop) -> String {
        let day = ask(shop, "git", &["log", "-1", "--format=%cs", &self.commit]).unwrap_or_default();
        format!("commit {:.10} of {day}", self.commit)
    }
}

fn ask(shop: &Shop, program: &str, arguments: &[&str]) -> Option<String> {
    let output = shop.program(program, ".", arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A stage that has passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passed {
    /// Number of tests that passed, failed and were skipped.
    pub tally: Tally,
    /// How long it took, seconds.
    pub secs: f64,
}

impl Passed {
    /// What the note says, if it speaks of this subject.
    fn read(note: &str, subject: &Subject) -> Option<Self> {
        let mut words = note.split_whitespace();
        if words.next()? != subject.commit || words.next()? != subject.compiler {
            return None;
        }
        let mut number = || words.next()?.parse::<f64>().ok();
        let (passed, skipped, secs) = (number()? as usize, number()? as usize, number()?);
        (passed > 0).then_some(Self { tally: Tally { passed, failed: 0, skipped }, secs })
    }

    fn note(&self, subject: &Subject) -> String {
        let Self { tally, secs } = self;
        format!("{} {} {} {} {secs:.1}\n", subject.commit, subject.compiler, tally.passed, tally.skipped)
    }

    /// The stage's report, as if it had been run now.
    pub fn report(&self) -> Report {
        let note = format!("passed on this commit before, in {:.0} s; --again runs it again", self.secs);
        Report { tally: self.tally, ..Report::default() }.note(&note)
    }
}

/// Whether the stage has passed on just this.
pub fn earlier(shop: &Shop, stage: &str, subject: &Subject) -> Option<Passed> {
    Passed::read(&fs::read_to_string(file(shop, stage)).ok()?, subject)
}

/// Notes how a stage ended, and on what it had begun. What failed, was skipped as a whole, or ran while files changed has not passed.
///
/// # Errors
/// When the note cannot be written.
pub fn remember(
    shop: &Shop,
    stage: &str,
    [begun, ended]: [Option<&Subject>; 2],
    passed: Passed,
) -> Result<(), String> {
    let path = file(shop, stage);
    let is_whole = passed.tally.failed == 0 && passed.tally.passed > 0;
    let Some(subject) = begun.filter(|_| is_whole && begun == ended) else {
        let _ = fs::remove_file(path);
        return Ok(());
    };
    let folder = path.with_file_name("");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, passed.note(subject)));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

fn file(shop: &Shop, stage: &str) -> PathBuf {
    shop.target.join("verify/passed").join(stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(commit: &str, compiler: &str) -> Subject {
        Subject { commit: commit.into(), compiler: compiler.into() }
    }

    #[test]
    fn a_note_counts_for_its_commit_and_compiler_alone() {
        let passed = Passed { tally: Tally { passed: 12, failed: 0, skipped: 1 }, secs: 3.5 };
        let note = passed.note(&subject("abc", "rustc-1.95.0"));
        assert_eq!(Passed::read(&note, &subject("abc", "rustc-1.95.0")), Some(passed));
        assert_eq!(Passed::read(&note, &subject("abd", "rustc-1.95.0")), None);
        assert_eq!(Passed::read(&note, &subject("abc", "rustc-1.96.0")), None);
        for broken in
            ["", "abc", "abc rustc-1.95.0 12", "abc rustc-1.95.0 0 1 3.5", "abc rustc-1.95.0 x 1 3.5"]
        {
            assert_eq!(Passed::read(broken, &subject("abc", "rustc-1.95.0")), None, "{broken}");
        }
    }
    #[test]
    fn a_stage_has_passed_if_it_did_wholly_on_what_was_there_before_and_after() {
        let target = std::env::temp_dir().join(format!("touchline-passed-{}", std::process::id()));
        let shop = Shop { root: target.clone(), target: target.clone(), linter: target.clone() };
        let (one, other) = (subject("abc", "rustc"), subject("abd", "rustc"));
        let passed = Passed { tally: Tally { passed: 2, failed: 0, skipped: 1 }, secs: 1.0 };
        let ended = |passed, failed, skipped| Passed { tally: Tally { passed, failed, skipped }, secs: 1.0 };
        let good = [Some(&one), Some(&one)];
        let cases = [
            (good, passed, true),
            ([Some(&one), Some(&other)], passed, false),
            ([Some(&one), None], passed, false),
            ([None, Some(&one)], passed, false),
            ([None, None], passed, false),
            (good, ended(2, 1, 0), false),
            (good, ended(0, 0, 1), false),
        ];
        for (subjects, end, counts) in cases {
            // Whatever was noted before.
            remember(&shop, "unit", good, passed).unwrap();
            remember(&shop, "unit", subjects, end).unwrap();
            assert_eq!(earlier(&shop, "unit", &one), counts.then_some(passed), "{subjects:?} {end:?}");
        }
        assert_eq!(earlier(&shop, "system", &one), None);
        fs::remove_dir_all(target).unwrap();
    }
}
