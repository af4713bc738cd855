//! `cargo play`: from a fresh checkout to a running match.

use crate::shop::Shop;
use std::process::{Command, ExitCode};

/// Builds the server and its plugins in release mode, then becomes the server.
///
/// # Errors
/// When cargo or the server cannot be started.
pub fn play(arguments: &[String]) -> Result<ExitCode, String> {
    let shop = Shop::open()?;
    let build: Vec<String> = shop.release_build();
    let build: Vec<&str> = build.iter().map(String::as_str).collect();
    let mut cargo = shop.cargo(&build);
    cargo.env_remove("CARGO_TERM_COLOR");
    if !cargo.status().map_err(|error| format!("cargo: {error}"))?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let name = format!("touchline{}", std::env::consts::EXE_SUFFIX);
    let mut server = Command::new(shop.target.join("release").join(name));
    // A first word that is no option is a world of the user's own, seen from where he is.
    let own_world = arguments.first().is_some_and(|first| !first.starts_with('-'));
    server.arg("serve");
    if !own_world {
        server.arg(shop.root.join("worlds/f2000.toml"));
    }
    server.args(arguments);
    become_program(server)
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
