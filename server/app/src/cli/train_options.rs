//! What can be said of `touchline train` on the command line.

use super::option_values::seed;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use touchline_train::columns::Columns;

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
  touchline train perception worlds/localisation.toml --robot seeker --features goals,posts --out seeker.table
  touchline train perception worlds/localisation.toml --looks 1 --twin robots/pioneer-perfect.toml --test 20000")]
    Perception(TrainPerceptionOptions),
}

/// Which logs, and how they are read.
#[derive(Debug, Args)]
pub struct LogOptions {
    /// Logs: CSV with a header line, or columns parted by tabs or spaces; may be gzipped
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
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
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
    /// How far it looks back at velocity settings, seconds; at most 15 cycles
    #[arg(long, value_name = "SECONDS", default_value = "0.25", value_parser = cycle)]
    pub memory: f64,
    /// Hidden units
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=64))]
    pub hidden: u8,
}

/// Options of `train ball`.
#[derive(Debug, Args)]
pub struct TrainBallOptions {
    /// Logs of one kick each: CSV with a header line, or columns parted by tabs or spaces; may be gzipped
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
    /// The robot file of a twin whose sensors make no errors, such as robots/pioneer-perfect.toml: what is expected is what it sees,
    /// and how much looks differ from that is measured with the robot itself
    #[arg(long, value_name = "FILE")]
    pub twin: Option<PathBuf>,
    /// How many new looks the table is tested with, from anywhere
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub test: u32,
    /// Where the table is written
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The seed of all randomness, in place of the world file's
    #[arg(long, value_name = "N", value_parser = seed)]
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
