//! Programs beside cargo that some stages need: looked for, and installed where that is allowed.

use crate::shop::Shop;
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// One installation at a time: stages run beside each other.
static INSTALLING: Mutex<()> = Mutex::new(());

/// A program, and Debian's package that holds it.
pub struct Tool {
    /// Any of these will do.
    pub programs: &'static [&'static str],
    /// Name of the package in apt.
    pub package: &'static str,
}

/// Needed by the tests of the Python client.
pub const PYTHON: Tool = Tool { programs: &["python3"], package: "python3" };
/// For plugins and clients in C.
pub const CC: Tool = Tool { programs: &["cc"], package: "gcc" };
/// For plugins and clients in C++, with its sanitizers.
pub const CXX: Tool = Tool { programs: &["c++"], package: "g++" };
/// Builds plugins and clients in C and C++, as their users build.
pub const CMAKE: Tool = Tool { programs: &["cmake"], package: "cmake" };
/// Needed by the tests of the studio.
pub const NODE: Tool = Tool { programs: &["node"], package: "nodejs" };
/// Fetches the libraries of the studio's tests.
pub const NPM: Tool = Tool { programs: &["npm"], package: "npm" };
/// Shows the studio to the tests.
pub const CHROMIUM: Tool =
    Tool { programs: &["chromium", "chromium-browser", "google-chrome"], package: "chromium" };

/// Packs films, and reads them for the tests.
pub const FFMPEG: Tool = Tool { programs: &["ffmpeg"], package: "ffmpeg" };
/// Needed by cmake.
pub const MAKE: Tool = Tool { programs: &["make"], package: "make" };
/// Finds the installed C client.
pub const PKG_CONFIG: Tool = Tool { programs: &["pkg-config"], package: "pkg-config" };

/// Makes sure that the tools are there, and installs what is missing if we are root on a machine with apt-get.
///
/// # Errors
/// The command by which the user can install what is missing.
pub fn ensure(shop: &Shop, stage: &str, tools: &[&Tool]) -> Result<(), String> {
    let _alone = INSTALLING.lock();
    let missing: Vec<&str> = tools.iter().filter(|tool| !tool.is_there()).map(|tool| tool.package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let install = format!("apt-get install -y {}", missing.join(" "));
    if !is_root() || !answers("apt-get") {
        return Err(format!("missing: {}; run: sudo {install}", missing.join(", ")));
    }
    let apt = |arguments: &[&str]| {
        let mut command = shop.program("apt-get", ".", arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        shop.run(stage, command).success
    };
    apt(&["update"]);
    apt(&[&["install", "-y"], missing.as_slice()].concat());
    if tools.iter().all(|tool| tool.is_there()) {
        return Ok(());
    }
    Err(format!("missing: {}; tried: {install}; see {}", missing.join(", "), shop.log_file(stage).display()))
}

/// Makes sure that a part of the toolchain is there, such as `fmt`; rustup can add it without being root.
///
/// # Errors
/// The command by which the user can install it.
pub fn ensure_component(shop: &Shop, stage: &str, subcommand: &str, component: &str) -> Result<(), String> {
    if cargo_has(shop, subcommand) {
        return Ok(());
    }
    shop.run(stage, shop.program("rustup", ".", &["component", "add", component]));
    if cargo_has(shop, subcommand) {
        return Ok(());
    }
    Err(format!("`cargo {subcommand}` is missing; run: rustup component add {component}"))
}

/// Whether cargo knows this subcommand.
pub fn cargo_has(shop: &Shop, subcommand: &str) -> bool {
    succeeds(&mut shop.cargo(&[subcommand, "--version"]))
}

/// A Python of our own that has this package, such as `mypy==2.4.1`; it is made in the target folder when it is not there.
///
/// # Errors
/// What could not be installed, and where the log is.
pub fn python_with(shop: &Shop, stage: &str, package: &str) -> Result<String, String> {
    python_for(shop, stage, &package.replace("==", "-"), &[package])
}

/// A Python of our own, of this name, that has these packages: `mypy==2.4.1`, or `a-b==1.0 as c` where the module is called otherwise.
///
/// # Errors
/// What could not be installed, and where the log is.
pub fn python_for(shop: &Shop, stage: &str, name: &str, packages: &[&str]) -> Result<String, String> {
    ensure(shop, stage, &[&PYTHON])?;
    let folder = shop.target.join("verify").join(format!("python-{name}"));
    let python = folder.join("bin/python3").display().to_string();
    let module = |entry: &str| match entry.split_once(" as ") {
        Some((_, module)) => module.to_owned(),
        None => entry.split("==").next().unwrap_or(entry).replace('-', "_"),
    };
    let imports = packages.iter().map(|entry| module(entry)).collect::<Vec<_>>().join(", ");
    let packages: Vec<&str> =
        packages.iter().map(|entry| entry.split(" as ").next().unwrap_or(entry)).collect();
    // What was installed when it was made: with other versions it is another one.
    let list = folder.join("packages.txt");
    let is_there = || succeeds(Command::new(&python).args(["-c", &format!("import {imports}")]));
    if std::fs::read_to_string(&list).is_ok_and(|made_of| made_of == packages.join("\n")) && is_there() {
        return Ok(python);
    }
    let make = || {
        let place = folder.display().to_string();
        shop.run(stage, shop.program("python3", ".", &["-m", "venv", "--clear", &place])).success
    };
    // Debian's Python comes without venv.
    if !make() && is_root() && answers("apt-get") {
        let _alone = INSTALLING.lock();
        shop.run(stage, shop.program("apt-get", ".", &["install", "-y", "python3-venv"]));
        make();
    }
    let install =
        [&["-m", "pip", "install", "--quiet", "--disable-pip-version-check"][..], &packages[..]].concat();
    if shop.run(stage, shop.program(&python, ".", &install)).success && is_there() {
        std::fs::write(&list, packages.join("\n")).map_err(|error| format!("{}: {error}", list.display()))?;
        return Ok(python);
    }
    Err(format!("cannot install {} by pip; see {}", packages.join(", "), shop.log_file(stage).display()))
}

impl Tool {
    fn is_there(&self) -> bool {
        self.programs.iter().any(|program| answers(program))
    }
}

/// Whether it is there and runs; ffmpeg wants one dash.
fn answers(program: &str) -> bool {
    ["--version", "-version"].iter().any(|question| succeeds(Command::new(program).arg(question)))
}

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output();
    user.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
