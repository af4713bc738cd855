//! `cargo test`: a line for each test, and a summary for each test program.

use super::{Case, Outcome, Read, Tally, give_reasons, number_before};

/// So much of what came before a program's crash is told.
const LINES_BEFORE_A_CRASH: usize = 30;

/// Reads `cargo test`.
pub fn cargo_test(output: &str) -> Read {
    let (mut read, mut place, mut begin) = (Read::default(), String::new(), 0);
    let mut reasons: Vec<String> = Vec::new();
    for line in output.lines() {
        let at = line.as_ptr() as usize - output.as_ptr() as usize;
        let text = line.trim();
        if let Some(line) = text.strip_prefix("test result: ") {
            read.tally += Tally {
                passed: number_before(line, " passed"),
                failed: number_before(line, " failed"),
                skipped: number_before(line, " ignored"),
            };
            // Tests of the same name may stand in another program.
            let left = give_reasons(&mut read.cases, said_of_failures(&output[begin..at]));
            reasons.extend((!left.is_empty()).then_some(left));
            begin = at;
        } else if let Some(program) = text.strip_prefix("Running ").and_then(|line| line.rsplit_once('(')) {
            place = program_name(program.1.trim_end_matches(')'));
            begin = at;
        } else if let Some(library) = text.strip_prefix("Doc-tests ") {
            place = format!("{library}/doc");
            begin = at;
        } else if let Some((name, ended)) =
            text.strip_prefix("test ").and_then(|line| line.rsplit_once(" ... "))
        {
            let outcome = match ended {
                "ok" => Outcome::Passed,
                "FAILED" => Outcome::Failed,
                _ => Outcome::Skipped,
            };
            read.cases.push(Case::new(&place, name, outcome));
        } else if text.contains("process didn't exit successfully") && !text.ends_with("(exit status: 101)") {
            let before: Vec<&str> = output[..at]
                .lines()
                .rev()
                .filter(|line| !line.ends_with(" ... ok"))
                .take(LINES_BEFORE_A_CRASH)
                .collect();
            reasons.extend(before.into_iter().rev().chain([line]).map(str::to_owned));
        }
    }
    reasons.extend(compiler_errors(output).into_iter().map(str::to_owned));
    read.besides = reasons.join("\n");
    read
}

/// `target/debug/deps/suite-0123` without folders and cargo's number.
fn program_name(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.rsplit_once('-').map_or(file, |(name, _)| name).to_owned()
}

/// What stands under `---- NAME stdout ----` in the part `failures:`.
fn said_of_failures(output: &str) -> Vec<(String, String)> {
    let mut said: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for line in output.lines() {
        let name = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----"));
        if let Some(name) = name {
            said.push((name.to_owned(), String::new()));
            is_inside = true;
        } else if line == "failures:" {
            is_inside = false;
        } else if let (true, Some((_, text))) = (is_inside, said.last_mut()) {
            *text += line;
            text.push('\n');
        }
    }
    for (_, text) in &mut said {
        *text = text.trim_matches('\n').to_owned();
    }
    said
}

/// The paragraphs in which the compiler says what it does not take.
pub fn compiler_errors(output: &str) -> Vec<&str> {
    let is_one = |line: &str| {
        (line.starts_with("error[") || line.starts_with("error: "))
            && !["error: test failed", "error: could not compile"].iter().any(|known| line.starts_with(known))
    };
    let mut is_inside = false;
    let inside = output.lines().filter(move |line| {
        is_inside = !line.is_empty() && (is_inside || is_one(line));
        is_inside
    });
    inside.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
     Running unittests src/lib.rs (target/debug/deps/touchline_sim-0f3a)
running 2 tests
test radio::tests::far ... ok
test laws::b ... FAILED

failures:

---- laws::b stdout ----
in the first program


failures:
    laws::b

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `-p touchline-sim --lib`
     Running tests/main.rs (target/debug/deps/suite-11)
test a ... ignored, needs a robot
test laws::b ... FAILED
test laws::c ... FAILED

failures:

---- laws::b stdout ----

thread 'laws::b' panicked at tests/laws.rs:7:9:
left: 1
right: 2

---- laws::c stdout ----
no

failures:
    laws::b
    laws::c

test result: FAILED. 10 passed; 2 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.00s
   Doc-tests touchline_sim
test server/sim/src/lib.rs - (line 3) ... ok";

    #[test]
    fn programs_are_added_up() {
        let read = cargo_test(OUTPUT);
        assert_eq!(read.tally, Tally { passed: 12, failed: 3, skipped: 1 });
        let found: Vec<_> = read.cases.iter().map(|case| (case.name(), case.outcome)).collect();
        let named = [
            ("touchline_sim radio::tests::far", Outcome::Passed),
            ("touchline_sim laws::b", Outcome::Failed),
            ("suite a", Outcome::Skipped),
            ("suite laws::b", Outcome::Failed),
            ("suite laws::c", Outcome::Failed),
            ("touchline_sim/doc server/sim/src/lib.rs - (line 3)", Outcome::Passed),
        ];
        assert_eq!(found, named.map(|(name, outcome)| (name.to_owned(), outcome)));
    }

    #[test]
    fn each_failure_has_what_its_own_test_wrote() {
        let read = cargo_test(OUTPUT);
        let why: Vec<_> =
            read.cases.iter().map(|case| case.why.as_str()).filter(|why| !why.is_empty()).collect();
        let second = "thread 'laws::b' panicked at tests/laws.rs:7:9:\nleft: 1\nright: 2";
        assert_eq!(why, ["in the first program", second, "no"]);
        assert_eq!(read.besides, "");
    }

    #[test]
    fn what_is_not_compiled_is_told_and_no_more() {
        let output = "   Compiling a v0.1.0\nwarning: unused\n --> b\n\nerror[E0308]: mismatched types\n --> src/lib.rs:1:1\n  |\n\n\
                      error: could not compile `a` (lib) due to 1 previous error\n";
        let read = cargo_test(output);
        assert_eq!(read.tally, Tally::default());
        assert_eq!(read.besides, "error[E0308]: mismatched types\n --> src/lib.rs:1:1\n  |");
    }

    #[test]
    fn a_program_that_crashes_is_told_with_its_last_lines() {
        let output = "     Running tests/main.rs (target/debug/deps/suite-11)\ntest a ... ok\nfatal: b\n\
                      error: test failed, to rerun pass `-p x --test suite`\n\nCaused by:\n  \
                      process didn't exit successfully: `suite-11` (signal: 6, SIGABRT: process abort signal)\n";
        let read = cargo_test(output);
        assert!(read.besides.contains("fatal: b\nerror: test failed"), "{}", read.besides);
        assert!(read.besides.ends_with("(signal: 6, SIGABRT: process abort signal)"), "{}", read.besides);
        let usual = output.replace("signal: 6, SIGABRT: process abort signal", "exit status: 101");
        assert_eq!(cargo_test(&usual).besides, "");
    }
}
