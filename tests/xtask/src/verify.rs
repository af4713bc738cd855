//! `cargo verify`: every stage in the order of the table, one line for each, and one line of totals at the end.
//!
//! What a stage's commands write is kept in `<target>/verify/<stage>.log`. What failed, and why, is shown in few enough lines to be read, and once more
//! before the totals. All stages run even if one fails, except those that need a build that failed. `<target>/verify/report.json` and
//! `junit.xml` hold the same for programs. `--full` takes hours, so what has passed on the same commit is not run again.

use crate::lanes;
use crate::passed::{self, Passed, Subject};
use crate::report::{self, Finished, Report};
use crate::shop::Shop;
use crate::stages::{Mode, STAGES, Stage};
use crate::tally::Tally;
use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// The line of docs/benchmarks.md that `--full` writes anew.
const LAST_GREEN: &str = "`cargo verify --full` was last green ";

/// What the words behind `cargo verify` ask for.
struct Wanted {
    mode: Mode,
    names: Vec<String>,
    again: bool,
    json: bool,
    junit: Option<String>,
}

impl Wanted {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let mut wanted =
            Self { mode: Mode::Usual, names: Vec::new(), again: false, json: false, junit: None };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--fast" => wanted.mode = Mode::Fast,
                "--full" => wanted.mode = Mode::Full,
                "--again" => wanted.again = true,
                "--json" => wanted.json = true,
                "--junit" => wanted.junit = Some(arguments.next().ok_or("--junit needs a file")?.clone()),
                option if option.starts_with('-') => {
                    return Err(format!(
                        "no option \"{option}\"; there are --fast, --full, --again, --list, --json, --junit FILE"
                    ));
                }
                name if STAGES.iter().any(|stage| stage.name == name) => wanted.names.push(name.into()),
                name => return Err(format!("no stage \"{name}\"; `cargo verify --list` names them")),
            }
        }
        Ok(wanted)
    }

    fn stages(&self) -> Vec<&'static Stage> {
        let chosen = |stage: &&Stage| match self.names.is_empty() {
            true => stage.modes.contains(&self.mode),
            false => self.names.iter().any(|name| name == stage.name),
        };
        STAGES.iter().filter(chosen).collect()
    }

    /// Whether everything is asked for, so that all of it together may be called green.
    fn is_whole(&self) -> bool {
        self.mode == Mode::Full && self.names.is_empty()
    }

    /// Tells people what happens; the last line on stdout is for programs.
    fn say(&self, text: &str) {
        if self.json {
            eprint!("{text}")
        } else {
            print!("{text}")
        }
        let _ = std::io::stdout().flush();
    }
}

/// Runs the named stages, or those of a mode.
///
/// # Errors
/// When a word is no option and no stage, or the report cannot be written.
pub fn verify(arguments: &[String]) -> Result<ExitCode, String> {
    if arguments.iter().any(|argument| argument == "--list") {
        for Stage { name, about, modes, .. } in STAGES {
            let when = if modes.contains(&Mode::Usual) { "" } else { modes_in_words(modes) };
            println!("{name:<14} {about}{when}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let wanted = Wanted::read(arguments)?;
    let shop = Shop::open()?;
    let start = Instant::now();
    let finished = run_all(&shop, &wanted);
    let mut total = Tally::default();
    finished.iter().for_each(|stage| total += stage.report.tally);
    let secs = start.elapsed().as_secs_f64();

    let json = report::json(total, secs, &finished);
    let junit = report::junit(total, secs, &finished);
    let write = |path: std::path::PathBuf, text: &str| {
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    let folder = shop.target.join("verify");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    write(folder.join("report.json"), &json)?;
    write(folder.join("junit.xml"), &junit)?;
    if let Some(file) = &wanted.junit {
        write(file.into(), &junit)?;
    }
    if wanted.is_whole() && total.failed == 0 {
        write_down_green(&shop, total, &finished)?;
    }
    // Once more, and last: who is shown no more than the end of the output has to find it there.
    for Finished { name, report, .. } in finished.iter().filter(|stage| stage.report.tally.failed > 0) {
        wanted.say(&format!("\n{name}: {}\n", report.tally));
        report.digest().iter().for_each(|line| wanted.say(&format!("    {line}\n")));
        wanted.say(&format!("    log: {}\n", shop.log_file(name).display()));
    }
    if wanted.json {
        print!("{json}");
    } else {
        println!("{total}");
    }
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn modes_in_words(modes: &[Mode]) -> &'static str {
    if modes.contains(&Mode::Full) { " (--full)" } else { " (--fast)" }
}

fn run_all(shop: &Shop, wanted: &Wanted) -> Vec<Finished> {
    let stages = wanted.stages();
    let mut finished = Vec::new();
    let begins = |position: usize, name: &str| {
        // The name appears before the work begins, so that nobody wonders what takes so long.
        wanted.say(&format!("[{:>2}/{}] {name:<14} ", position + 1, stages.len()));
    };
    let ends = |stage: Finished| {
        let Finished { name, secs, report } = &stage;
        wanted.say(&format!("{}  ({secs:.0} s)\n", report.tally));
        if report.tally.failed > 0 {
            report.digest().iter().for_each(|line| wanted.say(&format!("    | {line}\n")));
            wanted.say(&format!("    log: {}\n", shop.log_file(name).display()));
        }
        report.notes.iter().for_each(|note| wanted.say(&format!("    {note}\n")));
        finished.push(stage);
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    lanes::in_order(&stages, cores, |stage, built| run(shop, wanted, stage, built), begins, ends);
    finished
}

/// One stage; of all that `--full` asks for, what has passed on just this is taken as it was.
fn run(shop: &Shop, wanted: &Wanted, stage: &Stage, built: bool) -> Finished {
    let subject = Subject::now(shop);
    if wanted.is_whole() && !wanted.again {
        let earlier = subject.as_ref().and_then(|subject| passed::earlier(shop, stage.name, subject));
        if let Some(passed) = earlier {
            return Finished { name: stage.name, secs: passed.secs, report: passed.report() };
        }
    }
    let start = Instant::now();
    let mut report = if stage.needs_build && !built {
        Report::skipped("the build failed")
    } else {
        // An older run's log would be taken for this one's.
        let _ = fs::remove_file(shop.log_file(stage.name));
        (stage.run)(shop, stage.name)
    };
    let secs = start.elapsed().as_secs_f64();
    let ended = Subject::now(shop);
    let subjects = [subject.as_ref(), ended.as_ref()];
    if let Err(error) = passed::remember(shop, stage.name, subjects, Passed { tally: report.tally, secs }) {
        report = report.note(&format!("cannot note that it passed: {error}"));
    }
    Finished { name: stage.name, secs, report }
}

/// Puts into docs/benchmarks.md which commit passed everything, if all that was tested is committed; what could not be run is named there.
fn write_down_green(shop: &Shop, total: Tally, finished: &[Finished]) -> Result<(), String> {
    let (skipped, run): (Vec<_>, Vec<_>) = finished.iter().partition(|stage| stage.report.tally.passed == 0);
    let whole = Subject::now(shop)
        .filter(|subject| run.iter().all(|stage| passed::earlier(shop, stage.name, subject).is_some()));
    let Some(subject) = whole else {
        eprintln!("nothing failed, but not all of it is committed: docs/benchmarks.md stays as it is");
        return Ok(());
    };
    let but = match skipped.iter().map(|stage| stage.name).collect::<Vec<_>>() {
        names if names.is_empty() => String::new(),
        names => format!(" but for {}, which could not be run there", names.join(", ")),
    };
    let path = shop.root.join("docs/benchmarks.md");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let minutes = finished.iter().map(|stage| stage.secs).sum::<f64>() / 60.0;
    let now = format!(
        "{LAST_GREEN}on {}{but}: {total}, {minutes:.0} minutes, one stage after the other.",
        subject.in_words(shop)
    );
    let lines: Vec<&str> =
        text.lines().map(|line| if line.starts_with(LAST_GREEN) { now.as_str() } else { line }).collect();
    fs::write(&path, lines.join("\n") + "\n").map_err(|error| format!("{}: {error}", path.display()))?;
    eprintln!("docs/benchmarks.md says now: {now}");
    Ok(())
}
