//! The command `touchline`.
#![forbid(unsafe_code)]

use clap::Parser;
use std::process::ExitCode;
use touchline::cli::{Arguments, run};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Reports go to stderr; stdout is for what was asked for.
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing::Level::INFO)
        .with_target(false)
        .init();
    run(arguments)
}
