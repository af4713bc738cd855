//! The command line: what can be said, and one file for each command that does it.
//!
//! The options, the exit codes and the `--json` outputs are a contract: scripts rely on them.

mod addresses;
mod bench;
mod benchmark;
mod benchmark_options;
mod benchmark_remote;
mod challenge;
mod challenge_options;
mod challenge_play;
mod check;
mod compare;
mod connect;
mod contract;
mod costs;
mod expect;
mod failure;
mod keys;
mod lockstep;
mod log;
mod log_options;
mod options;
mod perception;
mod places;
mod players;
mod plot;
mod plugins;
mod priority;
mod process;
mod programs;
mod replay;
mod round;
mod run;
mod schema;
mod serve;
mod service;
mod shipped;
mod signals;
mod soccer_log;
mod tournament;
mod train;
mod train_options;
mod watchdog;

pub use failure::Failure;
pub use options::{Arguments, Command, PluginOptions};

use serde::Serialize;
use std::io::{self, StdoutLock, Write};
use std::process::ExitCode;

/// Does what the command line says.
pub fn run(arguments: Arguments) -> ExitCode {
    let plugins = arguments.plugins;
    let result = match arguments.command {
        Command::Demo(options) => serve::demo(&options, &plugins),
        Command::Serve(options) => serve::serve(&options.world, &options.live, &plugins),
        Command::Replay(options) => replay::replay(&options, &plugins),
        Command::Log { what } => log::log(&what, &plugins),
        Command::Connect(options) => connect::connect(&options),
        Command::Run(options) => run::run(&options, &plugins),
        Command::Bench(options) => bench::bench(&options, &plugins),
        Command::Benchmark { what } => benchmark::benchmark(&what, &plugins),
        Command::Tournament(options) => tournament::tournament(&options, &plugins),
        Command::Challenge { what } => challenge::challenge(&what, &plugins),
        Command::NewChallenge { name, dir } => crate::new_challenge::create(&name, dir.as_deref()),
        Command::Check(options) => check::check(&options, &plugins),
        Command::Plugins(options) => plugins::list(&options, &plugins),
        Command::Schema { of } => schema::print(of),
        Command::NewPlugin { kind, name, dir, language } => {
            crate::new_plugin::create(kind, &name, language, dir.as_deref())
        }
        Command::Key(options) => keys::make(&options),
        Command::Train { what } => train::train(&what, &plugins),
        Command::Completions { shell } => schema::completions(shell),
        Command::Man => schema::man(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Prints what came out: one JSON object, or the text.
fn print(
    json: bool,
    result: &impl Serialize,
    text: impl FnOnce(&mut StdoutLock<'_>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(result).map_err(io::Error::from)?)?;
    } else {
        text(&mut out)?;
    }
    Ok(out.flush()?)
}
