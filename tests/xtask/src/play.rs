//! `cargo play`: from a fresh checkout to a running match.

use crate::shop::Shop;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Processor time of a first build, seconds: on the fastest and the slowest machine on which it was measured (docs/benchmarks.md).
const FIRST_BUILD_CORE_SECS: [f64; 2] = [480.0, 1280.0];

/// Builds the server and its plugins in release mode, then becomes the server.
///
/// # Errors
/// When cargo or the server cannot be started.
pub fn play(arguments: &[String]) -> Result<ExitCode, String> {
    let shop = Shop::open()?;
    let name = format!("touchline{}", std::env::consts::EXE_SUFFIX);
    let program = shop.target.join("release").join(name);
    if !program.exists() {
        eprintln!("{}", expectation());
    }
    let start = Instant::now();
    let build: Vec<String> = shop.release_build();
    let build: Vec<&str> = build.iter().map(String::as_str).collect();
    let mut cargo = shop.cargo(&build);
    // On a terminal cargo counts what is built, in a line of its own.
    cargo.env_remove("CARGO_TERM_COLOR");
    if !cargo.status().map_err(|error| format!("cargo: {error}"))?.success() {
        eprintln!(
            "xtask: the build failed, cargo says above why; what was built is kept, `cargo play` goes on from there"
        );
        return Ok(ExitCode::FAILURE);
    }
    if start.elapsed().as_secs() > 10 {
        eprintln!(
            "Built in {}. From now on only what has changed is built.",
            in_words(start.elapsed().as_secs_f64())
        );
    }
    let mut server = Command::new(program);
    // A first word that is no option is a world of the user's own, seen from where he is.
    let own_world = arguments.first().is_some_and(|first| !first.starts_with('-'));
    server.arg("serve");
    if !own_world {
        server.arg(shop.root.join("worlds/f2000.toml"));
    }
    server.args(arguments);
    become_program(server)
}

/// What somebody who builds for the first time may expect.
fn expectation() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Up to some point crates wait for each other, however many cores there are.
    let [fast, slow] = FIRST_BUILD_CORE_SECS.map(|core_secs| core_secs / cores.min(6) as f64 / 60.0);
    let noun = if cores == 1 { "core" } else { "cores" };
    format!(
        "First the server and its plugins are built, and the libraries that they use fetched: with {cores} {noun} that are free \
         {fast:.0} to {slow:.0} minutes, once.\nThe match starts by itself then. Ctrl-C ends it; what is built by then is kept."
    )
}

fn in_words(secs: f64) -> String {
    if secs < 90.0 { format!("{secs:.0} seconds") } else { format!("{:.1} minutes", secs / 60.0) }
}

/// Takes the server's place, so that Ctrl-C and the exit code are the server's own.
#[cfg(unix)]
fn become_program(mut program: Command) -> Result<ExitCode, String> {
    let error = std::os::unix::process::CommandExt::exec(&mut program);
    Err(format!("cannot start {program:?}: {error}"))
}

#[cfg(not(unix))]
fn become_program(mut program: Command) -> Result<ExitCode, String> {
    let status = program.status().map_err(|error| format!("cannot start {program:?}: {error}"))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
