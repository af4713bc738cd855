//! Stages about other people's libraries, the fuzzers, and the sanitizer.

use crate::report::Report;
use crate::shop::Shop;
use crate::{tally, tools};

/// Knows the format of lists of components, and checks them by its schema.
const CYCLONEDX: &str = "cyclonedx-python-lib[json-validation]==11.5.0 as cyclonedx";

/// Licences, sources and versions, as `.deny.toml` says.
pub fn deny(shop: &Shop, log: &str) -> Report {
    if_installed(shop, log, "deny", &["deny", "check", "bans", "licenses", "sources"])
}

/// Known holes in the libraries that Cargo.lock names. The list of them comes from another machine; where that cannot be reached, the
/// one that was fetched last is asked.
pub fn audit(shop: &Shop, log: &str) -> Report {
    let fresh = if_installed(shop, log, "deny", &["deny", "check", "advisories"]);
    if fresh.tally.failed == 0 || !is_without_list(&fresh) {
        return fresh;
    }
    let kept = if_installed(shop, log, "deny", &["deny", "--offline", "check", "advisories"]);
    if kept.tally.failed > 0 && is_without_list(&kept) {
        return Report::skipped("the list of known holes is out of reach, and none was fetched before");
    }
    kept.note("the list of known holes is out of reach; the one that was fetched last was asked")
}

fn is_without_list(report: &Report) -> bool {
    ["fetch advisory database", "failed to get 'FETCH_HEAD' metadata"]
        .iter()
        .any(|words| report.output.contains(words))
}

fn if_installed(shop: &Shop, log: &str, subcommand: &str, arguments: &[&str]) -> Report {
    if tools::cargo_has(shop, subcommand) {
        return Report::check(shop.run(log, shop.cargo(arguments)));
    }
    Report::skipped(&format!(
        "cargo-{subcommand} is not installed; `cargo verify --full` installs it, or: cargo install cargo-{subcommand} --locked"
    ))
}

/// Installs the programs that the others look for.
pub fn install(shop: &Shop, log: &str) -> Report {
    let mut report = Report::default();
    for subcommand in ["deny", "fuzz"] {
        if tools::cargo_has(shop, subcommand) {
            continue;
        }
        let package = format!("cargo-{subcommand}");
        report = report.and(Report::check(shop.run(log, shop.cargo(&["install", "--locked", &package]))));
    }
    if report.tally.failed == 0 { report.and(Report::done()) } else { report }
}

/// Two minutes for each target; what it finds is kept in `tests/fuzz/artifacts`, and named.
pub fn fuzz(shop: &Shop, log: &str) -> Report {
    if !tools::cargo_has(shop, "fuzz") {
        return Report::failed("cargo-fuzz is not installed: cargo install cargo-fuzz --locked".into());
    }
    // The tests' inputs, 1,000 and more for each target, are where the fuzzers begin; new findings grow these copies.
    let corpora = shop.target.join("verify/fuzz");
    let mut tests = shop.cargo(&["test", "--workspace", "--lib", "--test", "suite", "--", "fuzzed::"]);
    tests.env("TOUCHLINE_CORPUS", &corpora);
    let mut report = Report::tests(shop.run(log, tests), tally::cargo_test);
    // A folder of its own: with other flags everything would be built anew, and then once more for the next stage.
    let built = shop.target.join("verify/fuzz-build").display().to_string();
    for file in shop.files("tests/fuzz/fuzz_targets") {
        let Some(target) = file.strip_suffix(".rs") else { continue };
        let corpus = corpora.join(target).display().to_string();
        if let Err(error) = std::fs::create_dir_all(&corpus) {
            return Report::failed(format!("{corpus}: {error}"));
        }
        let run = ["fuzz", "run", "--fuzz-dir", "tests/fuzz", "--target-dir", &built, target, &corpus];
        // Descriptions of plugins live as long as the program: what is said to leak is meant to stay.
        let limits = ["--", "-max_total_time=120", "-timeout=60", "-rss_limit_mb=4096", "-detect_leaks=0"];
        let mut command = shop.cargo(&[&run[..], &limits].concat());
        // The fuzzer's instrumentation is not stable; this lets the one toolchain that is there build it.
        command.env("RUSTC_BOOTSTRAP", "1");
        report = report.and(Report::check(shop.run(log, command)));
    }
    report
}

/// The border to plugins, from both sides, under AddressSanitizer: whoever reads or writes where nothing was lent is stopped there.
pub fn sanitizer(shop: &Shop, log: &str) -> Report {
    if std::env::consts::OS != "linux" || !cfg!(target_env = "gnu") {
        return Report::skipped("the toolchain has AddressSanitizer for Linux with glibc alone");
    }
    let built = shop.target.join("verify/asan").display().to_string();
    let machine = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let under_it = |tests: &[&str]| {
        let place = ["test", "--target", &machine, "--target-dir", &built];
        let mut command = shop.cargo(&[&place[..], tests].concat());
        // Not stable, but there: see `fuzz`. What a library gives is never freed, and is no leak.
        command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
        command.env("ASAN_OPTIONS", "detect_leaks=0");
        Report::tests(shop.run(log, command), tally::cargo_test)
    };
    let plugins_side = under_it(&["--package", "touchline-plugin-api", "--lib"]);
    plugins_side.and(under_it(&["--package", "touchline-host", "--test", "suite"]))
}

/// The list of all that is in what we ship, checked by the library of those who made the format.
pub fn sbom(shop: &Shop, log: &str) -> Report {
    let folder = shop.target.join("verify");
    let file = folder.join("sbom.cdx.json");
    let made = sbom_text(shop).and_then(|text| {
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
        written.map_err(|error| format!("{}: {error}", file.display()))
    });
    if let Err(error) = made {
        return Report::failed(error);
    }
    let python = match tools::python_for(shop, log, "cyclonedx", &[CYCLONEDX]) {
        Ok(python) => python,
        Err(reason) => return Report::skipped(&reason),
    };
    let check = "import sys\nfrom cyclonedx.schema import SchemaVersion\nfrom cyclonedx.validation.json import JsonStrictValidator\n\
        wrong = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())\nsys.exit(repr(wrong) if wrong else 0)";
    Report::check(shop.run(log, shop.program(&python, ".", &["-c", check, &file.display().to_string()])))
}

/// The list as CycloneDX JSON.
///
/// # Errors
/// What cargo says if it cannot be made.
pub fn sbom_text(shop: &Shop) -> Result<Vec<u8>, String> {
    said_by_example(shop, "sbom")
}

/// The licences of all libraries in what we ship, with their texts.
///
/// # Errors
/// What cargo says if it cannot be made.
pub fn licences_text(shop: &Shop) -> Result<Vec<u8>, String> {
    said_by_example(shop, "licences")
}

fn said_by_example(shop: &Shop, name: &str) -> Result<Vec<u8>, String> {
    let mut command = shop.cargo(&["run", "--quiet", "--package", "touchline-tidy", "--example", name]);
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}
