//! `cargo verify`: every stage in the order of the table, one line for each, and one line of totals at the end.
//!
//! What a stage's commands write is kept in `<target>/verify/<stage>.log`, and shown if the stage fails. All
//! stages run even if one fails, except those that need a build that failed.

use crate::shop::Shop;
use crate::stages::{Report, STAGES, Stage};
use crate::tally::Tally;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// Runs the named stages, or all.
///
/// # Errors
/// When a name is no stage's.
pub fn verify(arguments: &[String]) -> Result<ExitCode, String> {
    if arguments.iter().any(|argument| argument == "--list") {
        for stage in STAGES {
            println!("{:<14} {}", stage.name, stage.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(unknown) = arguments.iter().find(|name| !STAGES.iter().any(|stage| stage.name == **name)) {
        return Err(format!("no stage \"{unknown}\"; `cargo verify --list` names them"));
    }
    let chosen = |stage: &&Stage| arguments.is_empty() || arguments.iter().any(|name| name == stage.name);
    let stages: Vec<&Stage> = STAGES.iter().filter(chosen).collect();

    let shop = Shop::open()?;
    let mut total = Tally::default();
    let mut built = true;
    for (position, stage) in stages.iter().enumerate() {
        print!("[{:>2}/{}] {:<14} ", position + 1, stages.len(), stage.name);
        // The name appears before the work begins, so that nobody wonders what takes so long.
        let _ = std::io::stdout().flush();
        let start = Instant::now();
        let report = if stage.needs_build && !built {
            Report::skipped("the build failed")
        } else {
            // An older run's log would be taken for this one's.
            let _ = std::fs::remove_file(shop.log_file(stage.name));
            (stage.run)(&shop, stage.name)
        };
        println!("{}  ({:.0} s)", report.tally, start.elapsed().as_secs_f64());
        if report.tally.failed > 0 {
            for line in report.output.lines() {
                println!("    | {line}");
            }
            println!("    log: {}", shop.log_file(stage.name).display());
        }
        for note in &report.notes {
            println!("    {note}");
        }
        built &= !(stage.is_build && report.tally.failed > 0);
        total += report.tally;
    }
    println!("{total}");
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
