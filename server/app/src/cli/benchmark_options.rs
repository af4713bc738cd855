//! What can be said to `touchline benchmark`.

use clap::{Args, Subcommand};
use std::path::PathBuf;
use touchline_benchmark::conditions::SetUp;
use touchline_benchmark::keeper::Keeper;

/// What can be measured.
#[derive(Debug, Subcommand)]
pub enum Benchmark {
    /// One attacker against one goalkeeper: how often it scores, see docs/goalkeeper-benchmark.md
    #[command(after_help = "\
Examples:
  touchline benchmark goalkeeper --policy random --levels none,still,block-2 --json
  touchline benchmark goalkeeper --policy scripted --levels all --episodes 1000 --seed 1
  touchline benchmark goalkeeper --policy target/release/libmy_player.so --levels intercept")]
    Goalkeeper(GoalkeeperOptions),
    /// Draw a list of fixed starts from the ranges of a world file's table [episode], as CSV
    #[command(after_help = "\
Examples:
  touchline benchmark starts worlds/goalkeeper.toml --count 1000 --seed 2003 > worlds/parts/goalkeeper-starts.csv")]
    Starts(StartsOptions),
}

/// Options of `benchmark goalkeeper`.
#[derive(Debug, Args)]
pub struct GoalkeeperOptions {
    /// Who attacks: random, scripted (the player striker), or a player plugin by its name or its file
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    pub policy: String,
    /// Parameters of the player, as JSON
    #[arg(long, value_name = "JSON", value_parser = params)]
    pub params: Option<serde_json::Value>,
    /// Against whom: all, none (an empty goal), block (five levels), block-2, …, parted by commas
    #[arg(long, value_name = "LEVELS", default_value = "all", value_parser = levels)]
    pub levels: Levels,
    /// What the attacker observes; a player plugin reads its robot's sensors, whatever this is
    #[arg(long, value_name = "truth|camera|laser", default_value = "truth")]
    pub set_up: SetUp,
    /// How many episodes against each
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub episodes: u64,
    /// What the seeds of all episodes are made from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many threads; 0 is one for each core. The results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Write a table of all episodes: keeper, episode, start, seed, outcome, steps
    #[arg(long, value_name = "FILE.csv")]
    pub details: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The keepers of a run, as a value of the command line.
#[derive(Clone, Debug)]
pub struct Levels(pub Vec<Keeper>);

/// Options of `benchmark starts`.
#[derive(Debug, Args)]
pub struct StartsOptions {
    /// The world file
    pub world: PathBuf,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub count: u64,
    /// What they are drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

fn levels(text: &str) -> Result<Levels, String> {
    Keeper::parse_list(text).map(Levels)
}

fn policy(text: &str) -> Result<String, String> {
    match text {
        "" => Err("it is random, scripted, or a player plugin's name or file".into()),
        "tcp" => Err("programs over the message board cannot be measured yet".into()),
        _ if text.starts_with("onnx:") || text.ends_with(".onnx") => {
            Err("ONNX models cannot be measured yet; take a player plugin".into())
        }
        _ => Ok(text.into()),
    }
}

fn params(text: &str) -> Result<serde_json::Value, String> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if value.is_object() { Ok(value) } else { Err("an object such as {\"speed_fraction\": 0.5}".into()) }
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|threads| *threads <= 1024).ok_or_else(|| "a number from 0 to 1024".into())
}
