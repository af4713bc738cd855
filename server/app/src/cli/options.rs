//! What can be said on the command line.

use super::bench::BenchOptions;
use super::benchmark_options::Benchmark;
use super::log_options::Log;
use super::players::PlayerOptions;
use super::tournament::TournamentOptions;
use crate::runtime::{Control, Speed};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use touchline_plugin_api::plugin::PluginKind;
use touchline_record::SensorChoice;
use touchline_train::columns::Columns;

/// A 2D multi-robot simulation server: motions, sensors, players and rules are plugins.
#[derive(Debug, Parser)]
#[command(name = "touchline", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Arguments {
    /// A folder with plugins, searched before the program's own; may be given several times
    #[arg(long, global = true, value_name = "DIR")]
    pub plugins: Vec<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  fine
  1  a check failed
  2  the command line is wrong
  3  a robot file, world file or log is wrong
  4  an address or a file cannot be used
  5  a plugin is missing or failed";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a world in real time, with message board and studio
    #[command(after_help = "\
Examples:
  touchline serve worlds/f2000.toml
  touchline serve worlds/empty.toml --board 0.0.0.0:7050 --studio off
  touchline serve worlds/keeper.toml --speed lockstep --board 127.0.0.1:0 --ready-json
  touchline serve worlds/f2000.toml --record match.mcap --record-sensors '*/laser'
  touchline serve worlds/f2000.toml --foxglove 127.0.0.1:8765")]
    Serve(ServeOptions),
    /// Show a recording, as if it were live: the same page, the same message board
    #[command(after_help = "\
Examples:
  touchline replay match.mcap
  touchline replay match.mcap --player blue-2=target/release/libmy_player.so
  touchline replay match.mcap --speed 4 --board 127.0.0.1:0 --ready-json")]
    Replay(ReplayOptions),
    /// Look into recordings, check them, cut them, make tables of them
    #[command(after_help = "\
Examples:
  touchline log info match.mcap
  touchline log verify match.mcap")]
    Log {
        /// What to do
        #[command(subcommand)]
        what: Log,
    },
    /// Run a world as fast as possible, with no port opened, and say how it went
    #[command(after_help = "\
Examples:
  touchline run worlds/f2000.toml --for 600 --seed 1 --json
  touchline run worlds/f2000.toml --steps 1000
  touchline run worlds/f2000.toml --for 600 --record match.mcap")]
    Run(RunOptions),
    /// Measure how well a policy plays, under conditions that can be met again
    #[command(after_help = "\
Examples:
  touchline benchmark goalkeeper --policy scripted
  touchline benchmark starts worlds/goalkeeper.toml --count 1000 > starts.csv")]
    Benchmark {
        /// What to do
        #[command(subcommand)]
        what: Benchmark,
    },
    /// Let players or teams play many matches against each other, and say who is better, with a confidence
    #[command(after_help = "\
Examples:
  touchline tournament worlds/tournaments/striker-speed.toml
  touchline tournament mine.toml --pairs 50 --results mine-50.jsonl --json
  touchline tournament mine.toml --match 17")]
    Tournament(TournamentOptions),
    /// Measure how fast many worlds are stepped together on this machine
    #[command(after_help = "\
Examples:
  touchline bench
  touchline bench worlds/4v4.toml --worlds 32 --threads 1 --json")]
    Bench(BenchOptions),
    /// Check robot, world and tournament files and plugins, and say everything that is wrong with them
    #[command(after_help = "\
Examples:
  touchline check robots/*.toml worlds/*.toml
  touchline check target/release/libmy_sensor.so")]
    Check(CheckOptions),
    /// List the plugins that were found, and what was refused and why
    #[command(after_help = "\
Examples:
  touchline plugins
  touchline plugins --json --plugins target/release")]
    Plugins {
        /// Explain the parameters of this plugin, such as `striker`
        name: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of a file format
    #[command(after_help = "\
Examples:
  touchline schema robot > robot.schema.json")]
    Schema {
        /// Which format
        of: SchemaOf,
    },
    /// Make a new plugin that builds, passes its tests and loads as it is
    #[command(after_help = "\
Examples:
  touchline new-plugin sensor compass
  touchline new-plugin sensor compass --language cpp
  touchline new-plugin motion tracked ../my-plugins")]
    NewPlugin {
        /// What kind of plugin
        #[arg(value_name = "KIND", value_parser = plugin_kind)]
        kind: PluginKind,
        /// Its name: lower-case letters, digits and hyphens
        #[arg(value_parser = crate::new_plugin::name)]
        name: String,
        /// Where the new folder KIND-NAME is made; by default here
        dir: Option<PathBuf>,
        /// What it is written in
        #[arg(long, value_enum, default_value_t)]
        language: crate::new_plugin::Language,
    },
    /// Learn from the log of a real robot
    #[command(after_help = "\
Examples:
  touchline train motion log.csv --out model.toml
  touchline train odometry Robot1_Odometry.dat --truth Robot1_Groundtruth.dat --out odometry.toml")]
    Train {
        /// What to learn
        #[command(subcommand)]
        what: Train,
    },
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  touchline completions bash > /etc/bash_completion.d/touchline")]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the man page
    #[command(after_help = "\
Examples:
  touchline man > touchline.1")]
    Man,
}

/// What can be learned.
#[derive(Debug, Subcommand)]
pub enum Train {
    /// A motion model: a small network, tested on the last part of the log against first-order models
    #[command(after_help = "\
Examples:
  touchline train motion log.csv --out model.toml
  touchline train motion monday.csv tuesday.csv --test-log wednesday.csv --json
  touchline train motion log.csv --columns time=stamp*1e-9,command_forward=cmd,position=range*-1")]
    Motion(TrainMotionOptions),
    /// The errors of odometry, so that the simulated one drifts as the real one does
    #[command(after_help = "\
Examples:
  touchline train odometry log.csv --out odometry.toml
  touchline train odometry Robot1_Odometry.dat --truth Robot1_Groundtruth.dat --horizon 10")]
    Odometry(TrainOdometryOptions),
    /// How a ball slides and rolls, from logs of kicks: one kick in each
    #[command(after_help = "\
Examples:
  touchline train ball kicks/*.csv --out ball.toml
  touchline train ball monday/*.csv --test-log tuesday/*.csv --json
  touchline train ball kick.csv --columns x=position_x*0.001,y=position_y*0.001,velocity_x=vx*0.001,velocity_y=vy*0.001")]
    Ball(TrainBallOptions),
    /// What a robot sees from everywhere: a table for localisation, learned by looking from every pose of a grid
    #[command(after_help = "\
Examples:
  touchline train perception worlds/localisation.toml --robot seeker --features goals,posts --out seeker.table")]
    Perception(TrainPerceptionOptions),
}

/// Which logs, and how they are read.
#[derive(Debug, Args)]
pub struct LogOptions {
    /// Logs: CSV with a header line, or columns parted by spaces; may be gzipped
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Files with what the robot really did, one for each log in the same order, if the logs do not hold it; for
    /// X_Odometry.dat it is X_Groundtruth.dat beside it if not given
    #[arg(long, value_name = "FILE")]
    pub truth: Vec<PathBuf>,
    /// Which column is what: ROLE=COLUMN or ROLE=COLUMN*FACTOR (to SI units), parted by commas; COLUMN is a name, or a number
    /// from 1. Columns with usual names are recognised. The roles are in docs/learned-motion.md
    #[arg(long, value_name = "ROLE=COLUMN,…", value_parser = Columns::parse)]
    pub columns: Vec<Columns>,
    /// Where the result is written: a part of a robot file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Options of `train motion`.
#[derive(Debug, Args)]
pub struct TrainMotionOptions {
    /// The logs.
    #[command(flatten)]
    pub log: LogOptions,
    /// The last part of each log, by time, that is kept for the test
    #[arg(long, value_name = "FRACTION", default_value = "0.3", value_parser = fraction)]
    pub test: f64,
    /// Further logs that are used for the test alone
    #[arg(long, value_name = "LOG")]
    pub test_log: Vec<PathBuf>,
    /// The length of the model's cycle in seconds; by default the usual interval of the log, at least 0.02
    #[arg(long, value_name = "SECONDS", value_parser = cycle)]
    pub dt: Option<f64>,
    /// How far it looks back at velocity settings, seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.25", value_parser = cycle)]
    pub memory: f64,
    /// Hidden units
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=64))]
    pub hidden: u8,
}

/// Options of `train ball`.
#[derive(Debug, Args)]
pub struct TrainBallOptions {
    /// Logs of one kick each: CSV with a header line, or columns parted by spaces; may be gzipped
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Other logs for the test; without them each log is tested in turn
    #[arg(long, value_name = "LOG", num_args = 1..)]
    pub test_log: Vec<PathBuf>,
    /// Which column is what: ROLE=COLUMN or ROLE=COLUMN*FACTOR (to SI units), parted by commas. The roles are x, y, and time, or
    /// velocity_x and velocity_y in place of it
    #[arg(long, value_name = "ROLE=COLUMN,…", value_parser = Columns::parse)]
    pub columns: Vec<Columns>,
    /// Where the result is written: lines for the ball of a world file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Options of `train perception`.
#[derive(Debug, Args)]
pub struct TrainPerceptionOptions {
    /// The world file
    pub world: PathBuf,
    /// The robot that looks; the world's first if not given. All other robots and the balls are left out
    #[arg(long, value_name = "NAME")]
    pub robot: Option<String>,
    /// The features that it learns
    #[arg(long, value_name = "FEATURE,…", value_delimiter = ',', default_value = "goals,posts")]
    pub features: Vec<String>,
    /// The distance of two neighbouring places, metres
    #[arg(long, value_name = "METRES", default_value = "0.1", value_parser = cell)]
    pub cell: f64,
    /// How many headings there are at each place
    #[arg(long, value_name = "N", default_value_t = 36, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub headings: u32,
    /// How often it looks from each pose
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub looks: u32,
    /// Where the table is written
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The seed of all randomness, in place of the world file's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Options of `train odometry`.
#[derive(Debug, Args)]
pub struct TrainOdometryOptions {
    /// The logs.
    #[command(flatten)]
    pub log: LogOptions,
    /// After how long the drift is compared, seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = horizon)]
    pub horizon: f64,
}

/// Where the services listen.
#[derive(Debug, Args)]
pub struct ServiceOptions {
    /// Where the message board listens; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7050")]
    pub board: String,
    /// Where the studio page is served; `off` for no page
    #[arg(long, value_name = "ADDR|off", default_value = "127.0.0.1:7051")]
    pub studio: String,
    /// Where Foxglove and Lichtblick can watch ("Foxglove WebSocket"), and any web page that is open on this machine
    #[arg(long, value_name = "ADDR")]
    pub foxglove: Option<String>,
    /// Print one line of JSON when everything is listening: {"event":"ready","board":"…","studio":"…"}, and "foxglove" if asked for
    #[arg(long)]
    pub ready_json: bool,
    /// A file with the token by which an operator from another machine is known; without it there is none
    #[arg(long, value_name = "FILE")]
    pub operator_token: Option<PathBuf>,
}

/// Options of `replay`.
#[derive(Debug, Args)]
pub struct ReplayOptions {
    /// The recording
    pub log: PathBuf,
    /// Where it is served.
    #[command(flatten)]
    pub service: ServiceOptions,
    /// What runs beside it.
    #[command(flatten)]
    pub players: PlayerOptions,
    /// Recorded seconds a second, or `max`; a negative factor runs backwards
    #[arg(long, value_name = "FACTOR|max", default_value = "1", allow_negative_numbers = true, value_parser = replay_speed)]
    pub speed: Speed,
}

/// Options of `serve`.
#[derive(Debug, Args)]
pub struct ServeOptions {
    /// The world file
    pub world: PathBuf,
    /// Where it is served.
    #[command(flatten)]
    pub service: ServiceOptions,
    /// Simulated seconds a second, `max` for as fast as possible, `lockstep` for a step only when told
    #[arg(long, value_name = "FACTOR|max|lockstep", default_value = "1", value_parser = speed)]
    pub speed: Speed,
    /// The seed of all randomness, in place of the world file's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The folder of robot files that clients may name; by default `robots` beside the world file's folder
    #[arg(long, value_name = "DIR")]
    pub robots: Option<PathBuf>,
    /// Record everything from the first step on
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Sensors whose readings are recorded ten times a simulated second: ROBOT/SENSOR, each a name or *
    #[arg(long, value_name = "ROBOT/SENSOR,…", value_delimiter = ',')]
    pub record_sensors: Vec<SensorChoice>,
    /// The folder of recordings that are made from the page or the board; by default here
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub recordings: PathBuf,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// The world file
    pub world: PathBuf,
    /// How long, in simulated seconds
    #[arg(long = "for", value_name = "SECONDS", conflicts_with = "steps", default_value = "60", value_parser = seconds)]
    pub seconds: f64,
    /// How long, in steps
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// The seed of all randomness, in place of the world file's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Record everything; the world waits for the disk when it must
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Sensors whose readings are recorded ten times a simulated second: ROBOT/SENSOR, each a name or *
    #[arg(long, value_name = "ROBOT/SENSOR,…", value_delimiter = ',')]
    pub record_sensors: Vec<SensorChoice>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub struct CheckOptions {
    /// Robot files, world files and plugin libraries
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// The formats that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// Robot files
    Robot,
    /// World files
    World,
    /// Tournament files
    Tournament,
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("a time in seconds from 0 to 1e9".into()),
    }
}

fn fraction(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|part| (0.05..=0.9).contains(part)).ok_or("a part from 0.05 to 0.9".into())
}

fn cycle(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|dt| (0.005..=1.0).contains(dt)).ok_or("a time from 0.005 to 1 s".into())
}

fn horizon(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|horizon| (0.5..=1000.0).contains(horizon))
        .ok_or("a time from 0.5 to 1000 s".into())
}

fn cell(text: &str) -> Result<f64, String> {
    let metres = text.parse().ok().filter(|metres| (0.001..=100.0).contains(metres));
    metres.ok_or_else(|| "a distance from 0.001 to 100 m".into())
}

fn speed(text: &str) -> Result<Speed, String> {
    match text {
        "max" => Ok(Speed::Max),
        "lockstep" => Ok(Speed::Lockstep),
        _ => match text.parse::<f64>() {
            Ok(factor) if Control::SPEED_FACTORS.contains(&factor) => Ok(Speed::Factor(factor)),
            _ => Err("a factor from 0.001 to 1000, max, or lockstep".into()),
        },
    }
}

fn replay_speed(text: &str) -> Result<Speed, String> {
    match text.strip_prefix('-') {
        Some(factor) => match speed(factor) {
            Ok(Speed::Factor(factor)) => Ok(Speed::Factor(-factor)),
            _ => Err("a factor from 0.001 to 1000, with a minus to run backwards, or max".into()),
        },
        None => speed(text).and_then(|speed| match speed {
            Speed::Lockstep => Err("a recording is gone through step by step by pausing it".into()),
            speed => Ok(speed),
        }),
    }
}

fn plugin_kind(text: &str) -> Result<PluginKind, String> {
    let kinds = PluginKind::ALL.map(PluginKind::as_str).join(", ");
    PluginKind::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(format!("one of {kinds}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    /// Every command explains itself with an example.
    #[test]
    fn every_command_has_examples() {
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("touchline {}", command.get_name())), "{}", command.get_name());
        }
    }

    #[test]
    fn speeds_are_read() {
        assert_eq!(speed("2.5"), Ok(Speed::Factor(2.5)));
        assert_eq!(speed("max"), Ok(Speed::Max));
        for wrong in ["0", "-1", "nan", "inf", "fast", "1e9"] {
            assert!(speed(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_read() {
        assert_eq!((seconds("0"), seconds("1e3")), (Ok(0.0), Ok(1000.0)));
        for wrong in ["nan", "inf", "-1", "1e10", "1 s", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
