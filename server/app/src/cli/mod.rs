//! The command line: what can be said, and one file for each command that does it.
//!
//! The options, the exit codes and the `--json` outputs are a contract: scripts rely on them.

mod addresses;
mod bench;
mod benchmark;
mod benchmark_options;
mod benchmark_remote;
mod challenge;
mod challenge_check;
mod challenge_desk;
mod challenge_keys;
mod challenge_live;
mod challenge_options;
mod challenge_orders;
mod challenge_play;
mod challenge_replay;
mod challenge_serve;
mod check;
mod compare;
mod connect;
mod contract;
mod costs;
#[cfg(target_os = "linux")]
mod descendants;
mod describe;
mod expect;
mod failure;
mod file_kind;
pub mod keeper;
mod kept;
mod keys;
mod lockstep;
mod log;
mod log_csv;
mod log_options;
mod log_verify;
mod match_recording;
mod option_values;
mod options;
mod output;
mod perception;
mod places;
mod players;
mod plot;
mod plugins;
mod priority;
mod process;
mod programs;
mod reading;
mod replay;
mod restart;
mod round;
mod run;
mod schema;
mod serve;
mod serve_options;
mod service;
mod shelf;
mod shipped;
mod signals;
mod soccer;
mod soccer_game;
mod soccer_log;
mod soccer_params;
mod soccer_team;
mod tournament;
mod train;
mod train_options;
mod watch;
mod watchdog;
mod written;

pub use failure::Failure;
pub(crate) use log::create as create_new;
pub use options::{Arguments, Command, PluginOptions};
pub use output::not_parsed;
pub(crate) use output::{data, text};
pub use serve_options::VideoOptions;
pub(crate) use written::{name_part, part_of};

use output::print;
use std::process::ExitCode;
use touchline_sim::PluginFactory;

/// Does what the command line says.
pub fn run(arguments: Arguments) -> ExitCode {
    let plugins = arguments.plugins;
    let result = match arguments.command {
        Command::Demo(options) => serve::demo(&options, &plugins),
        Command::Serve(options) => serve::serve(&options.world, &options.live, &plugins),
        Command::Replay(options) => replay::replay(&options, &plugins),
        Command::Log { what } => log::log(&what, &plugins),
        Command::Connect(options) => connect::connect(&options),
        Command::Soccer(options) => soccer_game::play(&options, &plugins),
        Command::SoccerTeam(options) => soccer_team::run(&options),
        Command::Run(options) => run::run(&options, &plugins),
        Command::Bench(options) => bench::bench(&options, &plugins),
        Command::Benchmark { what } => benchmark::benchmark(&what, &plugins),
        Command::Tournament(options) => tournament::tournament(&options, &plugins),
        Command::Challenge { what } => challenge::challenge(&what, &plugins),
        Command::NewChallenge { name, dir } => crate::new_challenge::create(&name, dir.as_deref()),
        Command::Check(options) => check::check(&options, &plugins),
        Command::Describe { robot, world } => describe::describe(&robot, world.as_deref(), &plugins),
        Command::Plugins(options) => plugins::list(&options, &plugins),
        Command::Schema { of } => schema::print(of),
        Command::NewPlugin { kind, name, dir, language } => {
            let there = shipped::find_plugins(&plugins).map(|host| host.descriptions());
            there.and_then(|there| crate::new_plugin::create(kind, &name, language, dir.as_deref(), &there))
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
