//! Stages in other languages: C and C++, the browser, and the library that others read recordings with.

use super::rust::program;
use crate::report::Report;
use crate::shop::Shop;
use crate::tally;
use crate::tools::{self, CC, CHROMIUM, CMAKE, CXX, MAKE, NODE, NPM, PKG_CONFIG};
use std::process::Command;

/// Reads recordings in Python.
const MCAP: &str = "mcap==1.6.0";
/// So many browsers at once: with more than cores a page may get no processor for seconds, and take its server for gone.
const TOGETHER: &str = "--test-concurrency=2";

pub fn mcap(shop: &Shop, log: &str) -> Report {
    let python = match tools::python_with(shop, log, MCAP) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    let program = match program(shop, log) {
        Ok(program) => program,
        Err(report) => return report,
    };
    let file = shop.target.join("verify/recording.mcap");
    let _ = std::fs::remove_file(&file);
    let file = file.display().to_string();
    let sensors = "*/laser,*/camera,*/odometry";
    let record = ["run", "worlds/f2000.toml", "--for", "10", "--record", &file, "--record-sensors", sensors];
    let recorded = shop.run(log, shop.program(&program, ".", &record));
    if !recorded.success {
        return Report::check(recorded);
    }
    Report::check(shop.run(log, shop.program(&python, ".", &["tests/mcap/check_recording.py", &file])))
}

/// The release library, as its users get it: cargo has built it for all, and builds nothing again.
pub fn c_client(shop: &Shop, log: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&CC, &CXX, &CMAKE, &MAKE, &PKG_CONFIG]) {
        return Report::failed(reason);
    }
    let program = match program(shop, log) {
        Ok(program) => program,
        Err(report) => return report,
    };
    let build = shop.target.join("c-client").display().to_string();
    let options = [
        ("CARGO", std::env::var("CARGO").unwrap_or("cargo".into())),
        ("CMAKE_BUILD_TYPE", "Release".into()),
        // As a debug build: gcc 12 warns of its own optional strings when it optimises beside a sanitizer.
        ("CMAKE_C_FLAGS_RELEASE", "-O0 -g".into()),
        ("CMAKE_CXX_FLAGS_RELEASE", "-O0 -g".into()),
        ("TOUCHLINE_CARGO_TARGET", shop.target.display().to_string()),
        ("TOUCHLINE_PROGRAM", program),
        ("TOUCHLINE_SANITIZE", "address,undefined".into()),
        ("TOUCHLINE_WARNINGS_AS_ERRORS", "ON".into()),
    ];
    let options: Vec<String> = options.into_iter().map(|(name, value)| format!("-D{name}={value}")).collect();
    let mut configure = vec!["-S", "clients/c", "-B", &build];
    configure.extend(options.iter().map(String::as_str));
    for arguments in [configure, vec!["--build", &build]] {
        let run = shop.run(log, shop.program("cmake", ".", &arguments));
        if !run.success {
            return Report::check(run);
        }
    }
    let tests = ["--test-dir", &build, "--output-on-failure", "--no-tests=error"];
    Report::tests(shop.run(log, shop.program("ctest", ".", &tests)), tally::ctest)
}

pub fn browser(shop: &Shop, log: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&NODE, &NPM, &CHROMIUM]) {
        return Report::failed(reason);
    }
    let program = match program(shop, log) {
        Ok(program) => program,
        Err(report) => return report,
    };
    // One page is shown what a plugin does that no user has.
    let misbehave =
        shop.run(log, shop.cargo(&["build", "--release", "--package", "touchline-test-misbehave"]));
    if !misbehave.success {
        return Report::check(misbehave);
    }
    let in_folder = |name: &str, arguments: &[&str]| -> Command {
        let mut command = shop.program(name, "tests/browser", arguments);
        // The browser is the system's own; no library shall bring another.
        command.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1").env("PUPPETEER_SKIP_DOWNLOAD", "1");
        command.env("TOUCHLINE_BIN", &program);
        command
    };
    if !shop.is_newer("tests/browser/node_modules/.package-lock.json", "tests/browser/package-lock.json") {
        let installed = shop.run(log, in_folder("npm", &["ci", "--no-audit", "--no-fund"]));
        if !installed.success {
            return Report::check(installed);
        }
    }
    let types = Report::check(shop.run(log, in_folder("npm", &["run", "--silent", "check"])));
    let tests = shop.run(log, in_folder("node", &["--test", TOGETHER, "--test-reporter=tap"]));
    types.and(Report::tests(tests, tally::node))
}
