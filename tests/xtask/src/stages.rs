//! What `cargo verify` does: a closed list, cheapest first.

use crate::shop::{Run, Shop};
use crate::tally::{self, Tally};
use crate::tools::{self, CC, CHROMIUM, CMAKE, CXX, MAKE, NODE, NPM, PKG_CONFIG, PYTHON};
use std::env::consts::EXE_SUFFIX;
use std::process::Command;

/// The type checker, pinned: another version finds other faults.
const MYPY: &str = "mypy==2.4.1";

/// Reads recordings in Python.
const MCAP: &str = "mcap==1.6.0";

/// What the Python package is built and tested with, pinned as well.
const PACKAGE: &[&str] =
    &["maturin==1.16.0", "numpy==2.4.6", "gymnasium==1.4.0", "pettingzoo==1.27.0", "pytest==9.2.0", MYPY];

/// Ray's core, and what else the package needs; RLlib and PyTorch are not among it.
const RAY: &[&str] = &["maturin==1.16.0", "numpy==2.4.6", "pytest==9.2.0", "ray==2.60.0"];

/// The Python package's tests that need PyTorch.
const WITH_TORCH: [&str; 2] = ["tests/test_sb3.py", "tests/test_learn.py"];
/// Those that need Ray.
const ON_RAY: [&str; 2] = ["tests/test_ray.py", "tests/test_rllib.py"];

/// One line of the list.
pub struct Stage {
    /// The word that chooses it: `cargo verify clippy`.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Whether the stages that need a build need this one.
    pub is_build: bool,
    /// Whether it is skipped when the build has failed.
    pub needs_build: bool,
    /// Does it; the name is the log's.
    pub run: fn(&Shop, &str) -> Report,
}

/// All stages, in the order in which they run.
pub const STAGES: &[Stage] = &[
    Stage::early("rustfmt", "every Rust file is formatted", rustfmt),
    Stage::early("clippy", "no lint speaks, in any target", clippy),
    Stage::early("tidy", "the tree keeps its promises", tidy),
    Stage {
        is_build: true,
        ..Stage::early("build", "the server, the plugins, the examples in debug mode", build)
    },
    Stage::late("unit", "tests inside the crates", unit),
    Stage::late("system", "tests of the built server, with real plugins and sockets", system),
    Stage::late("doc-tests", "the examples in the documentation", doc_tests),
    Stage::late(
        "release",
        "what `cargo play` builds, determinism and reference results in release mode",
        release,
    ),
    Stage::late("rustdoc", "the documentation has no broken link", rustdoc),
    Stage::late("python", "the plain Python client", python),
    Stage::late(
        "python-package",
        "the Python package: built, installed, and tested with what others use",
        python_package,
    ),
    Stage::late("python-types", "the types of both", python_types),
    Stage::late(
        "python-sb3",
        "the Python package under PyTorch and Stable-Baselines3, if they are there",
        python_sb3,
    ),
    Stage::late("python-ray", "benchmark, rollouts, tournament on a cluster of two workers", python_ray),
    Stage::late("mcap", "a recording, read by the library that others use", mcap),
    Stage::late("c", "the C and C++ client: built, installed, found, and run against the server", c_client),
    Stage::late("browser", "the studio in a real browser", browser),
    Stage::early("deny", "licences and advisories of the libraries", deny),
];

impl Stage {
    const fn early(name: &'static str, about: &'static str, run: fn(&Shop, &str) -> Report) -> Self {
        Self { name, about, is_build: false, needs_build: false, run }
    }

    const fn late(name: &'static str, about: &'static str, run: fn(&Shop, &str) -> Report) -> Self {
        Self { name, about, is_build: false, needs_build: true, run }
    }
}

/// What came out of a stage.
#[derive(Default)]
pub struct Report {
    /// The numbers.
    pub tally: Tally,
    /// What the commands wrote; shown if anything failed.
    pub output: String,
    /// Lines for people, such as the reason why something was skipped.
    pub notes: Vec<String>,
}

impl Report {
    /// The stage was not run.
    pub fn skipped(reason: &str) -> Self {
        let tally = Tally { skipped: 1, ..Tally::default() };
        Self { tally, notes: vec![format!("skipped: {reason}")], ..Self::default() }
    }

    fn failed(reason: String) -> Self {
        Self { tally: Tally::check(false), output: reason, ..Self::default() }
    }

    /// A command that has no tests of its own: one check.
    fn check(run: Run) -> Self {
        Self { tally: Tally::check(run.success), output: run.output, ..Self::default() }
    }

    /// A test runner, whose numbers `count` reads.
    fn tests(run: Run, count: fn(&str) -> Tally) -> Self {
        let tally = count(&run.output).ended(run.success);
        let mut report = Self { tally, output: run.output, notes: Vec::new() };
        if tally == Tally::default() {
            report = Self::failed(report.output + "\nno test was run");
        }
        report
    }

    fn and(mut self, other: Self) -> Self {
        self.tally += other.tally;
        self.output += &other.output;
        self.notes.extend(other.notes);
        self
    }
}

fn rustfmt(shop: &Shop, log: &str) -> Report {
    match tools::ensure_component(shop, log, "fmt", "rustfmt") {
        Ok(()) => Report::check(shop.run(log, shop.cargo(&["fmt", "--all", "--check"]))),
        Err(reason) => Report::failed(reason),
    }
}

fn clippy(shop: &Shop, log: &str) -> Report {
    match tools::ensure_component(shop, log, "clippy", "clippy") {
        Ok(()) => {
            let arguments = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
            Report::check(shop.run(log, shop.cargo(&arguments)))
        }
        Err(reason) => Report::failed(reason),
    }
}

fn tidy(shop: &Shop, log: &str) -> Report {
    rust_tests(shop, log, &["--test", "tidy"])
}

fn build(shop: &Shop, log: &str) -> Report {
    Report::check(shop.run(log, shop.cargo(&["build", "--workspace", "--lib", "--bins", "--examples"])))
}

fn unit(shop: &Shop, log: &str) -> Report {
    rust_tests(shop, log, &["--lib", "--bins"])
}

fn system(shop: &Shop, log: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&CC, &CXX, &CMAKE, &PYTHON]) {
        return Report::failed(reason);
    }
    let names = integration_tests(shop);
    let chosen: Vec<&str> = names.iter().flat_map(|name| ["--test", name]).collect();
    rust_tests(shop, log, &chosen)
}

/// The names of all integration tests but tidy, which has had its turn.
fn integration_tests(shop: &Shop) -> Vec<String> {
    let mut members = vec!["plugin-api".to_owned(), "clients/rust".into(), "tests".into()];
    for group in ["server", "plugins"] {
        members.extend(shop.folders(group).into_iter().map(|name| format!("{group}/{name}")));
    }
    let mut names = Vec::new();
    for member in members.iter().filter(|member| shop.root.join(member).join("Cargo.toml").is_file()) {
        let folder = shop.root.join(member).join("tests");
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let is_test = path.extension().is_some_and(|ext| ext == "rs") || path.join("main.rs").is_file();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            names.extend(stem.filter(|stem| is_test && *stem != "tidy").map(str::to_owned));
        }
    }
    names.sort();
    names.dedup();
    names
}

/// Runs some of the workspace's tests, by nextest if it is there.
///
/// Packages are never chosen: another choice of packages is another choice of features, and builds the libraries anew.
fn rust_tests(shop: &Shop, log: &str, chosen: &[&str]) -> Report {
    let run = |arguments: &[&str]| shop.run(log, shop.cargo(&[arguments, &["--workspace"], chosen].concat()));
    let mut report = if tools::cargo_has(shop, "nextest") {
        Report::tests(run(&["nextest", "run", "--no-fail-fast"]), tally::nextest)
    } else {
        Report::tests(run(&["test", "--no-fail-fast"]), tally::cargo_test)
    };
    if report.tally.skipped > 0 {
        report.notes.push("skipped: tests marked #[ignore], each with its reason in the source".into());
    }
    report
}

fn doc_tests(shop: &Shop, log: &str) -> Report {
    Report::tests(shop.run(log, shop.cargo(&["test", "--workspace", "--doc", "--no-fail-fast"])), |output| {
        tally::cargo_test(output)
    })
}

/// What `cargo play` builds; the determinism tests at full length, which compare it with the debug build; and the published results.
///
/// One set of features for both, so that the libraries are built once: that of the tests.
/// Built first: the tests ask for it, and a test may not take as long as that does.
fn release(shop: &Shop, log: &str) -> Report {
    let build = ["build", "--release", "--workspace", "--lib", "--bins", "--examples"];
    let built = shop.run(log, shop.cargo(&build));
    if !built.success {
        return Report::check(built);
    }
    rust_tests(shop, log, &["--release", "--test", "determinism", "--test", "reference"])
}

fn rustdoc(shop: &Shop, log: &str) -> Report {
    let mut command = shop.cargo(&["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    Report::check(shop.run(log, command))
}

fn python(shop: &Shop, log: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&PYTHON]) {
        return Report::failed(reason);
    }
    let command =
        shop.program("python3", "clients/python", &["-m", "unittest", "discover", "-s", "tests/plain"]);
    let mut report = Report::tests(shop.run(log, command), tally::unittest);
    if report.tally.skipped > 0 {
        report.notes.push("skipped: Python tests, each with its reason in the source".into());
    }
    report
}

/// The package as a user gets it: `pip install ./clients/python` into a Python of its own, and its tests there.
fn python_package(shop: &Shop, log: &str) -> Report {
    let python = match tools::python_for(shop, log, "package", PACKAGE) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    let elsewhere = [&["tests/plain"], &WITH_TORCH[..], &ON_RAY].concat();
    let ignored: Vec<String> = elsewhere.iter().map(|tests| format!("--ignore={tests}")).collect();
    let chosen: Vec<&str> = std::iter::once("tests").chain(ignored.iter().map(String::as_str)).collect();
    install_package(shop, log, &python).unwrap_or_else(|| pytest(shop, log, &python, &chosen))
}

/// Builds and installs the package; `None` if that went well.
fn install_package(shop: &Shop, log: &str, python: &str) -> Option<Report> {
    let install = [
        "-m",
        "pip",
        "install",
        "--no-build-isolation",
        "--no-deps",
        "--force-reinstall",
        "./clients/python",
    ];
    let installed = shop.run(log, shop.program(python, ".", &install));
    (!installed.success).then(|| Report::check(installed))
}

/// Ray's core alone. RLlib needs PyTorch: it is tested if somebody has installed both there, and never fetched.
fn python_ray(shop: &Shop, log: &str) -> Report {
    let python = match tools::python_for(shop, log, "ray", RAY) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    install_package(shop, log, &python).unwrap_or_else(|| pytest(shop, log, &python, &ON_RAY))
}

fn pytest(shop: &Shop, log: &str, python: &str, chosen: &[&str]) -> Report {
    let arguments = [&["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"], chosen].concat();
    let mut command = shop.program(python, "clients/python", &arguments);
    // What the package gives is compared with what the program prints.
    command.env("TOUCHLINE_PROGRAM", shop.target.join("debug").join(format!("touchline{EXE_SUFFIX}")));
    let mut report = Report::tests(shop.run(log, command), tally::pytest);
    if report.tally.skipped > 0 {
        report.notes.push("skipped: Python tests, each with its reason in the log".into());
    }
    report
}

fn python_types(shop: &Shop, log: &str) -> Report {
    let python = match tools::python_for(shop, log, "package", PACKAGE) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    let arguments = ["-m", "mypy", "--cache-dir", "/dev/null"];
    Report::check(shop.run(log, shop.program(&python, "clients/python", &arguments)))
}

/// PyTorch is a gigabyte: it is used if somebody has installed it, and never fetched.
fn python_sb3(shop: &Shop, log: &str) -> Report {
    let python = match tools::python_for(shop, log, "package", PACKAGE) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    let probe = ["-c", "import torch, stable_baselines3, touchline"];
    if !shop.run(log, shop.program(&python, ".", &probe)).success {
        let reason =
            format!("no stable-baselines3 there; to check: {python} -m pip install stable-baselines3");
        return Report::skipped(&reason);
    }
    pytest(shop, log, &python, &WITH_TORCH)
}

fn mcap(shop: &Shop, log: &str) -> Report {
    let python = match tools::python_with(shop, log, MCAP) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    let program = shop.target.join("debug").join(format!("touchline{EXE_SUFFIX}")).display().to_string();
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

fn c_client(shop: &Shop, log: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&CC, &CXX, &CMAKE, &MAKE, &PKG_CONFIG]) {
        return Report::failed(reason);
    }
    let in_target = |path: &str| shop.target.join(path).display().to_string();
    let (build, program) = (in_target("c-client"), in_target(&format!("debug/touchline{EXE_SUFFIX}")));
    let options = [
        ("CARGO", std::env::var("CARGO").unwrap_or("cargo".into())),
        ("CMAKE_BUILD_TYPE", "Debug".into()),
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

fn browser(shop: &Shop, log: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&NODE, &NPM, &CHROMIUM]) {
        return Report::failed(reason);
    }
    let in_folder = |name: &str, arguments: &[&str]| -> Command {
        let mut command = shop.program(name, "tests/browser", arguments);
        // The browser is the system's own; no library shall bring another.
        command.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1").env("PUPPETEER_SKIP_DOWNLOAD", "1");
        command
    };
    if !shop.is_newer("tests/browser/node_modules/.package-lock.json", "tests/browser/package-lock.json") {
        let installed = shop.run(log, in_folder("npm", &["ci", "--no-audit", "--no-fund"]));
        if !installed.success {
            return Report::check(installed);
        }
    }
    let types = Report::check(shop.run(log, in_folder("npm", &["run", "--silent", "check"])));
    let tests = shop.run(log, in_folder("node", &["--test", "--test-reporter=tap"]));
    types.and(Report::tests(tests, tally::node))
}

fn deny(shop: &Shop, log: &str) -> Report {
    if !tools::cargo_has(shop, "deny") {
        return Report::skipped("cargo-deny is not installed; to check: cargo install cargo-deny --locked");
    }
    Report::check(shop.run(log, shop.cargo(&["deny", "check"])))
}
