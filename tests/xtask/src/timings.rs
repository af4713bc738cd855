//! `cargo xtask timings`: how long a build from nothing takes, in numbers that can be compared.

use crate::shop::Shop;
use std::fs;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Builds from nothing, in a folder of its own, and prints wall time, processor time, and the units that took longest.
///
/// The arguments are cargo's; without any it is what `cargo play` builds. Libraries are fetched first, so the network does not count.
///
/// # Errors
/// When the build fails, or cargo's own report is not where it says.
pub fn timings(arguments: &[String]) -> Result<ExitCode, String> {
    let shop = Shop::open()?;
    let target = shop.target.join("timings");
    let _ = fs::remove_dir_all(&target);
    let play = shop.release_build();
    let arguments = if arguments.is_empty() { &play } else { arguments };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let run = |arguments: &[&str]| -> Result<(), String> {
        let mut cargo = shop.cargo(arguments);
        cargo.env("CARGO_TARGET_DIR", &target);
        let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
        status.success().then_some(()).ok_or_else(|| format!("cargo {} failed", arguments.join(" ")))
    };
    run(&["fetch", "--locked"])?;
    let (start, before) = (Instant::now(), core_secs_of_children());
    run(&[&arguments[..], &["--timings"]].concat())?;
    let (wall, after) = (start.elapsed().as_secs_f64(), core_secs_of_children());

    let report = target.join("cargo-timings/cargo-timing.html");
    let report = fs::read_to_string(&report).map_err(|error| format!("{}: {error}", report.display()))?;
    let mut units = units(&report);
    units.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sum: f64 = units.iter().map(|unit| unit.1).sum();
    println!("cargo {}", arguments.join(" "));
    println!("wall {wall:.0} s, {} units, {sum:.0} unit-seconds", units.len());
    if let (Some(before), Some(after)) = (before, after) {
        println!("processor time {:.0} s", after - before);
    }
    for (name, secs) in units.iter().take(25) {
        println!("{secs:>8.1} s  {name}");
    }
    let _ = fs::remove_dir_all(&target);
    Ok(ExitCode::SUCCESS)
}

/// Name and seconds of each unit, from the table that cargo writes into its page: one key and value a line.
fn units(page: &str) -> Vec<(String, f64)> {
    let table = page.split("const UNIT_DATA = [").nth(1).and_then(|rest| rest.split("\n];").next());
    let mut units = Vec::new();
    let mut name = String::new();
    for line in table.unwrap_or_default().lines() {
        let Some((key, value)) = line.trim().trim_end_matches(',').split_once(": ") else { continue };
        match key.trim_matches('"') {
            "name" => name = value.trim_matches('"').to_owned(),
            "target" => name += value.trim_matches('"'),
            "duration" => units.push((name.clone(), value.parse().unwrap_or(0.0))),
            _ => {}
        }
    }
    units
}

/// Processor seconds of all children that have ended, as the shell's `times` counts them for this process; `None` where the system does
/// not tell.
fn core_secs_of_children() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?;
    let per_sec = Command::new("getconf").arg("CLK_TCK").output().ok()?;
    Some(ticks / String::from_utf8_lossy(&per_sec.stdout).trim().parse::<f64>().ok()?)
}
