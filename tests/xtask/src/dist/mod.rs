//! `cargo xtask install` and `cargo xtask dist`: from a build to what others install.
//!
//! One tree of files (`tree.rs`) serves all: under a prefix, in an archive, in a Debian package. Wheels are Python's matter (`wheels.rs`).

mod debian;
mod tree;
mod wheels;

use crate::shop::Shop;
use crate::stages::try_packages;
pub use debian::{architecture, release};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tree::Parts;

/// The version of everything that is shipped.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
const CONTAINERFILE: &str = include_str!("texts/Containerfile");

/// Cargo profile of the packed programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// What users get.
    Release,
    /// To try the packaging itself: quick to build, slow to run, and without the wheel that is built in release mode alone.
    Debug,
}

impl Build {
    /// The folder in the target folder.
    fn folder(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Debug => "debug",
        }
    }
}

/// `cargo xtask install --prefix DIR`.
///
/// # Errors
/// What could not be built or written.
pub fn install(shop: &Shop, arguments: &[String]) -> Result<ExitCode, String> {
    let [option, prefix] = arguments else { return Err("cargo xtask install --prefix DIR".into()) };
    if option != "--prefix" {
        return Err(format!("unknown option \"{option}\": cargo xtask install --prefix DIR"));
    }
    let prefix = std::path::absolute(prefix).map_err(|error| format!("{prefix}: {error}"))?;
    build(shop, Build::Release)?;
    tree::plant(shop, Build::Release, &prefix, Parts::Program)?;
    let program = prefix.join("bin/touchline");
    println!("Installed: {}", program.display());
    println!("Next: {} demo", program.display());
    Ok(ExitCode::SUCCESS)
}

/// `cargo xtask dist [--debug] [--try]`: all packages, into `target/dist`; tried as the stage `dist` does.
///
/// # Errors
/// What could not be built or written.
pub fn dist(shop: &Shop, arguments: &[String]) -> Result<ExitCode, String> {
    let (mut build, mut is_tried) = (Build::Release, false);
    for argument in arguments {
        match argument.as_str() {
            "--debug" => build = Build::Debug,
            "--try" => is_tried = true,
            _ => return Err(format!("unknown option \"{argument}\": cargo xtask dist [--debug] [--try]")),
        }
    }
    let made = make(shop, "dist", build)?;
    made.iter().for_each(|made| println!("{}", made.display()));
    if !is_tried {
        return Ok(ExitCode::SUCCESS);
    }
    let report = try_packages(shop, "dist", &made);
    report.notes.iter().for_each(|note| println!("{note}"));
    println!(
        "{} passed, {} failed, {} skipped",
        report.tally.passed, report.tally.failed, report.tally.skipped
    );
    if report.tally.failed == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("{}\nmore in {}", report.besides, shop.log_file("dist").display());
    Ok(ExitCode::FAILURE)
}

/// Makes all packages, and gives their paths; what other programs print goes to the log of this name.
///
/// # Errors
/// What could not be built or written.
pub fn make(shop: &Shop, log: &str, build: Build) -> Result<Vec<PathBuf>, String> {
    let folder = shop.target.join("dist");
    fresh(&folder)?;
    self::build(shop, build)?;
    let name = format!("touchline-{VERSION}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let work = folder.join("work");
    tree::plant(shop, build, &work.join(&name), Parts::All { log })?;
    let archive = folder.join(format!("{name}.tar.gz"));
    let (archive_text, work_text) = (archive.display().to_string(), work.display().to_string());
    let owners = ["--owner=0", "--group=0", "--numeric-owner", "--sort=name"];
    let tar = [&["-czf", &archive_text, "-C", &work_text][..], &owners, &[&name]].concat();
    must(shop, log, shop.program("tar", ".", &tar))?;
    let mut made = vec![archive];
    match debian::package(shop, log, &work.join(&name), &folder)? {
        Some(package) => made.push(package),
        None => eprintln!("No Debian package: there is no program dpkg-deb here (apt-get install dpkg)."),
    }
    made.extend(wheels::make(shop, log, build, &folder)?);
    let recipe = folder.join("Containerfile");
    let filled = CONTAINERFILE.replace("@VERSION@", VERSION).replace("@DEBIAN@", &debian::release());
    write(&recipe, &filled)?;
    made.push(recipe);
    fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    Ok(made)
}

/// Builds the program, its plugins, and the library for programs in C.
fn build(shop: &Shop, build: Build) -> Result<(), String> {
    let arguments = shop.release_build();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    arguments.retain(|argument| build == Build::Release || *argument != "--release");
    arguments.extend(["--package", "touchline-client-c"]);
    let status = shop.cargo(&arguments).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the build failed, cargo says above why".into()) }
}

/// Runs a command that has to succeed.
fn must(shop: &Shop, log: &str, command: Command) -> Result<String, String> {
    let said = format!("{command:?}");
    let run = shop.run(log, command);
    if run.success { Ok(run.output) } else { Err(format!("{said} failed:\n{}", run.output)) }
}

/// Makes a folder empty, or creates it.
fn fresh(folder: &Path) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(wrong(error)),
        _ => {}
    }
    fs::create_dir_all(folder).map_err(wrong)
}

/// Writes a file, and the folders that it needs.
fn write(file: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", file.display());
    file.parent().map_or(Ok(()), fs::create_dir_all).map_err(wrong)?;
    fs::write(file, text).map_err(wrong)
}
