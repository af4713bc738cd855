//! What can be said about recordings on the command line.

use super::option_values::{game_log_version, seconds};
use super::players::PlayerOptions;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use touchline_record::compare_series::FieldChoice;
use touchline_soccer::log::Version;

/// What can be done with recordings.
#[derive(Debug, Subcommand)]
pub enum Log {
    /// What is in it: world, versions, length, topics, goals, gaps
    #[command(after_help = "\
Examples:
  touchline log info match.mcap
  touchline log info match.mcap --json")]
    Info {
        /// The recording
        log: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Run its world again and compare it, bit by bit; names the first step that differs
    #[command(after_help = "\
Examples:
  touchline log verify match.mcap
  touchline log verify tournament-recordings
  touchline log verify match.mcap --player blue-2=target/release/libmy_player.so")]
    Verify {
        /// The recording, or a folder: each recording in it
        log: PathBuf,
        /// What runs beside it.
        #[command(flatten)]
        players: PlayerOptions,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write a part of it as a recording of its own
    #[command(after_help = "\
Examples:
  touchline log cut match.mcap --from 30 --to 40 --out goal.mcap")]
    Cut {
        /// The recording
        log: PathBuf,
        /// From when, seconds of simulated time
        #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
        from: f64,
        /// Until when; its end if not given
        #[arg(long, value_name = "SECONDS", value_parser = seconds)]
        to: Option<f64>,
        /// The new file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make a recording of a game log of the RoboCup Soccer Server (.rcg, versions 1 to 6 and JSON, packed by gzip or not)
    #[command(after_help = "\
Examples:
  touchline log import game.rcg --out game.mcap
  touchline log import game.rcg.gz --out game.mcap")]
    Import {
        /// The game log
        log: PathBuf,
        /// The new file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write a game log of the RoboCup Soccer Server in another version
    #[command(after_help = "\
Examples:
  touchline log convert game.rcg --version 5 --out game5.rcg
  touchline log convert game.rcg --version json --out game.json.gz")]
    Convert {
        /// The game log
        log: PathBuf,
        /// Of the new file: 1 to 6, or json
        #[arg(long, value_name = "1..6|json", value_parser = game_log_version)]
        version: Version,
        /// The new file; packed by gzip if its name ends in .gz
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// What a game log of the RoboCup Soccer Server comes to: score, possession, passes, balls lost, shots
    #[command(after_help = "\
Examples:
  touchline log statistics game.rcg
  touchline log statistics game.rcg.gz --json")]
    Statistics {
        /// The game log
        log: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make a whole recording of one that is damaged or was cut off: all that is whole is kept, on both sides of the damage
    #[command(after_help = "\
Examples:
  touchline log recover match.mcap --out recovered.mcap")]
    Recover {
        /// The recording
        log: PathBuf,
        /// The new file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make a table: a line for each object of each tick, or a topic's numbers
    #[command(after_help = "\
Examples:
  touchline log csv match.mcap > poses.csv
  touchline log csv match.mcap --topic /sensors/blue-1/odometry/odometry > odometry.csv
  touchline log csv tournament-recordings > all.csv")]
    Csv {
        /// The recording, or a folder: the rows of each recording in it, with its name in the first column
        log: PathBuf,
        /// A topic with JSON messages, in place of the poses
        #[arg(long, value_name = "TOPIC")]
        topic: Option<String>,
        /// Print a JSON object for each line of the table
        #[arg(long)]
        json: bool,
    },
    /// Lay two recordings side by side by their stamps, such as a simulated and a real robot's, and say how they differ
    #[command(after_help = "\
Examples:
  touchline log compare one.mcap two.mcap --topic /sensors/blue-1/odometry/odometry
  touchline log compare sim.mcap real.csv --topic /sensors/blue-1/odometry/odometry \\
    --field pose.position.x=x_m --align start --plot drift.svg")]
    Compare(CompareOptions),
}

/// Options of `log compare`.
#[derive(Debug, Args)]
pub struct CompareOptions {
    /// A recording (any MCAP file), or a table (CSV) whose first column is the time in seconds
    pub a: PathBuf,
    /// What it is compared with
    pub b: PathBuf,
    /// The topic, whose messages must be JSON; tables have none
    #[arg(long, value_name = "TOPIC")]
    pub topic: Option<String>,
    /// The topic in B, if it is another
    #[arg(long, value_name = "TOPIC")]
    pub topic_b: Option<String>,
    /// Compare only these fields; NAME=NAME if it is called something else in B
    #[arg(long = "field", value_name = "NAME,…", value_delimiter = ',')]
    pub fields: Vec<FieldChoice>,
    /// Put the first stamps of both at 0
    #[arg(long, value_enum, value_name = "WHERE")]
    pub align: Option<Align>,
    /// Move B's stamps by this, seconds
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = offset)]
    pub offset: f64,
    /// How far apart the stamps of a pair may be; by default half the median period of the slower one
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub threshold: Option<f64>,
    /// Draw both and their difference: the fields chosen, or the first four that move
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Where two recordings are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Align {
    /// At their first messages
    Start,
}

fn offset(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|secs: &f64| secs.abs() <= 1e12).ok_or("a time in seconds".into())
}
