//! Stages about other people's libraries, and the fuzzers.

use crate::report::Report;
use crate::shop::Shop;
use crate::tools;

/// Licences, sources and versions, as `.deny.toml` says, and what is known of libraries.
pub fn deny(shop: &Shop, log: &str) -> Report {
    let report = if_installed(shop, log, "deny", &["deny", "check", "bans", "licenses", "sources"]);
    if report.tally.skipped > 0 {
        return report;
    }
    report.and(unless_out_of_reach(if_installed(shop, log, "deny", &["deny", "check", "advisories"])))
}

/// Known holes in the libraries that Cargo.lock names.
pub fn audit(shop: &Shop, log: &str) -> Report {
    unless_out_of_reach(if_installed(shop, log, "audit", &["audit"]))
}

/// Both fetch a list from another machine, and nothing is wrong here if that cannot be reached.
fn unless_out_of_reach(report: Report) -> Report {
    if report.tally.failed > 0 && report.output.contains("fetch advisory database") {
        let said = report.output.lines().find(|line| line.contains("fetch advisory database"));
        return Report::skipped(&format!(
            "the list of known holes is out of reach: {}",
            said.unwrap_or_default()
        ));
    }
    report
}

fn if_installed(shop: &Shop, log: &str, subcommand: &str, arguments: &[&str]) -> Report {
    if tools::cargo_has(shop, subcommand) {
        return Report::check(shop.run(log, shop.cargo(arguments)));
    }
    Report::skipped(&format!(
        "cargo-{subcommand} is not installed; `cargo verify --full` installs it, or: cargo install cargo-{subcommand} --locked"
    ))
}

/// Installs the programs that the other two look for.
pub fn install(shop: &Shop, log: &str) -> Report {
    let mut report = Report::default();
    for subcommand in ["deny", "audit", "fuzz"] {
        if tools::cargo_has(shop, subcommand) {
            continue;
        }
        let package = format!("cargo-{subcommand}");
        report = report.and(Report::check(shop.run(log, shop.cargo(&["install", "--locked", &package]))));
    }
    if report.tally.failed == 0 { report.and(Report::done()) } else { report }
}

/// A minute for each target; what it finds is kept in `tests/fuzz/artifacts`, and named.
pub fn fuzz(shop: &Shop, log: &str) -> Report {
    if !tools::cargo_has(shop, "fuzz") {
        return Report::failed("cargo-fuzz is not installed: cargo install cargo-fuzz --locked".into());
    }
    // A folder of its own: with other flags everything would be built anew, and then once more for the next stage.
    let built = shop.target.join("verify/fuzz-build").display().to_string();
    let mut report = Report::default();
    for file in shop.files("tests/fuzz/fuzz_targets") {
        let Some(target) = file.strip_suffix(".rs") else { continue };
        // New findings grow a copy: what is checked in stays as it is.
        let corpus = shop.target.join("verify/fuzz").join(target).display().to_string();
        if let Err(error) = std::fs::create_dir_all(&corpus) {
            return Report::failed(format!("{corpus}: {error}"));
        }
        let kept = shop.root.join("tests/fuzz/corpus").join(target).display().to_string();
        let run = ["fuzz", "run", "--fuzz-dir", "tests/fuzz", "--target-dir", &built, target, &corpus, &kept];
        let mut command = shop.cargo(&[&run[..], &["--", "-max_total_time=60"]].concat());
        // The fuzzer's instrumentation is not stable; this lets the one toolchain that is there build it.
        command.env("RUSTC_BOOTSTRAP", "1");
        report = report.and(Report::check(shop.run(log, command)));
    }
    report
}
