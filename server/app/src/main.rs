//! The command `touchline`.
#![forbid(unsafe_code)]

use std::io::IsTerminal;
use std::process::ExitCode;
use touchline::cli::{Arguments, keeper, not_parsed, run};
use touchline::reports;

fn main() -> ExitCode {
    let asked = touchline_host::run_if_asked().or_else(keeper::run_if_asked);
    if let Some(code) = asked {
        return code;
    }
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(error) => return not_parsed(&error),
    };
    // Reports go to stderr; stdout is for what was asked for.
    tracing_subscriber::fmt()
        .with_writer(reports::report)
        // A file shall not hold a terminal's colours.
        .with_ansi(std::io::stderr().is_terminal())
        .with_max_level(tracing::Level::INFO)
        .with_target(false)
        .init();
    touchline_host::name_plugins_that_crash();
    run(arguments)
}
