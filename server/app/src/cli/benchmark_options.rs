//! What can be said to `touchline benchmark`.

use super::option_values::{seed, whole};
use super::signals;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use touchline_benchmark::conditions::SetUp;
use touchline_benchmark::keeper::Keeper;

/// The policy that is a program at the message board.
const TCP: &str = "tcp";

/// What can be measured.
#[derive(Debug, Subcommand)]
pub enum Benchmark {
    /// One attacker against one goalkeeper: how often it scores, see docs/goalkeeper-benchmark.md
    #[command(after_help = "\
Examples:
  touchline benchmark goalkeeper --policy random --levels none,still,block-2 --json
  touchline benchmark goalkeeper --policy scripted --levels all --episodes 1000 --seed 1
  touchline benchmark goalkeeper --policy target/release/libmy_player.so --levels intercept
  touchline benchmark goalkeeper --policy onnx:model.onnx --set-up camera
  touchline benchmark goalkeeper --policy tcp --board 127.0.0.1:7050 --levels block-2 --episodes 100")]
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
    /// Who attacks: random, scripted (the player striker), a player plugin by its name or its file, onnx:FILE (a learned policy),
    /// or tcp (a program that connects to the message board)
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    pub policy: String,
    /// Parameters of the player, as JSON
    #[arg(long, value_name = "JSON", value_parser = params)]
    pub params: Option<serde_json::Value>,
    /// Against whom: all, none (an empty goal), block (five levels), block-2, …, parted by commas
    #[arg(long, value_name = "LEVELS", default_value = "all", value_parser = levels)]
    pub levels: Levels,
    /// What the attacker observes, if it is learned; others read their robot's sensors, whatever this is
    #[arg(long, value_name = "truth|camera|laser", default_value = "truth")]
    pub set_up: SetUp,
    /// How many episodes against each
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(1..=10_000_000_u64))]
    pub episodes: u64,
    /// What the seeds of all episodes are made from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// How many threads; 0 is one for each core. The results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = signals::threads)]
    pub threads: usize,
    /// Write a table of all episodes: keeper, episode, start, seed, outcome, steps
    #[arg(long, value_name = "FILE.csv")]
    pub details: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Of tcp: where the message board listens; 127.0.0.1:7050 if not given
    #[arg(long, value_name = "HOST:PORT")]
    pub board: Option<String>,
    /// Of tcp: how long to wait for a client, and for its next step, seconds; 60 if not given
    #[arg(long, value_name = "SECONDS", value_parser = timeout)]
    pub timeout: Option<f64>,
    /// Of tcp: print one line of JSON on stderr when the board listens: {"event":"ready","board":"…","robot":"attacker"}
    #[arg(long)]
    pub ready_json: bool,
}

impl GoalkeeperOptions {
    /// What was said for a client of the message board, where none attacks.
    fn misplaced(&self) -> Option<String> {
        let said = [
            (self.board.is_some(), "--board"),
            (self.timeout.is_some(), "--timeout"),
            (self.ready_json, "--ready-json"),
        ];
        let of_tcp = said.into_iter().find_map(|(is_said, option)| is_said.then_some(option))?;
        let policy = &self.policy;
        (policy != TCP).then(|| format!("{of_tcp} is of --policy {TCP} alone, and this is --policy {policy}"))
    }
}

impl Benchmark {
    /// What cannot be said together, if it was.
    pub fn conflict(&self) -> Option<String> {
        match self {
            Self::Goalkeeper(options) => options.misplaced(),
            Self::Starts(_) => None,
        }
    }
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
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(1..=1_000_000_u64))]
    pub count: u64,
    /// What they are drawn from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
}

fn levels(text: &str) -> Result<Levels, String> {
    Keeper::parse_list(text).map(Levels)
}

fn policy(text: &str) -> Result<String, String> {
    match text {
        "" => Err("it is random, scripted, or a player plugin's name or file".into()),
        "onnx:" => Err("the file is missing: onnx:model.onnx".into()),
        _ => Ok(text.into()),
    }
}

fn params(text: &str) -> Result<serde_json::Value, String> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if value.is_object() { Ok(value) } else { Err("an object such as {\"speed_fraction\": 0.5}".into()) }
}

fn timeout(text: &str) -> Result<f64, String> {
    let secs = text.parse().ok().filter(|secs| (0.1..=86_400.0).contains(secs));
    secs.ok_or_else(|| "seconds from 0.1 to 86400".into())
}
