//! The command `touchline`.
#![forbid(unsafe_code)]

use clap::Parser;
use std::io::IsTerminal;
use std::process::ExitCode;
use touchline::cli::{Arguments, run};

fn main() -> ExitCode {
    if let Some(code) = touchline_host::run_if_asked() {
        return code;
    }
    let arguments = Arguments::parse();
    // Reports go to stderr; stdout is for what was asked for.
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        // A file shall not hold a terminal's colours.
        .with_ansi(std::io::stderr().is_terminal())
        .with_max_level(tracing::Level::INFO)
        .with_target(false)
        .init();
    touchline_host::name_plugins_that_crash();
    run(arguments)
}
