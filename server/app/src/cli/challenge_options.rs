//! What can be said of challenges on the command line.

use super::option_values::table;
use super::{places, signals};
use clap::{Args, Subcommand};
use serde_json::Value;
use std::path::PathBuf;

/// What to do with challenges.
#[derive(Debug, Subcommand)]
pub enum ChallengeCommand {
    /// List the challenges that there are
    List {
        /// Where they are
        #[command(flatten)]
        place: Place,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Play one challenge with one team, or with the players that the challenge is published with
    Run(RunOptions),
    /// Play the first attempt of each team, and say which of them work
    Test(TestOptions),
    /// Play challenges with all teams of a competition file
    Competition(CompetitionOptions),
    /// Play a sample of published results again, and compare
    Check(CheckOptions),
    /// Serve the page of challenges: what is played is chosen, started and looked at in a browser of this machine
    Serve(DeskOptions),
}

/// Where challenges are.
#[derive(Clone, Debug, Args)]
pub struct Place {
    /// The folder of the challenges that are chosen by name; by default `worlds/challenges` here, or those that came with the program
    #[arg(long, value_name = "DIR")]
    pub challenges: Option<PathBuf>,
}

impl Place {
    /// The folder that is meant.
    pub fn folder(&self) -> PathBuf {
        let here = || Some(PathBuf::from("worlds/challenges")).filter(|folder| folder.is_dir());
        let found = self.challenges.clone().or_else(here).or_else(places::own_challenges);
        found.unwrap_or_else(|| "worlds/challenges".into())
    }
}

/// How much is played, and what becomes of it.
#[derive(Clone, Debug, Args)]
pub struct PlayOptions {
    /// Where challenges are.
    #[command(flatten)]
    pub place: Place,
    /// How many runs a team plays, in place of the challenge's number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: Option<u32>,
    /// How many runs are played at a time; 0 is one for each core. The results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = signals::threads)]
    pub threads: usize,
    /// Record every attempt in this folder
    #[arg(long, value_name = "DIR")]
    pub recordings: Option<PathBuf>,
    /// Where the results are written as JSON; - is stdout
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Where all attempts are written as a table with ; between its columns
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Where the results are written as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

/// Options of `challenge run`.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// The challenge: its name, or its file
    pub challenge: String,
    /// The team's start script
    #[arg(long, value_name = "FILE", conflicts_with = "plugin")]
    pub script: Option<PathBuf>,
    /// The team's player plugin: its name, or its library file
    #[arg(long, value_name = "PLUGIN")]
    pub plugin: Option<String>,
    /// The plugin's parameters
    #[arg(long, value_name = "JSON", requires = "plugin", value_parser = table)]
    pub params: Option<Value>,
    /// How often the plugin decides, 1/s
    #[arg(long, value_name = "HZ", requires = "plugin", default_value_t = 50.0, value_parser = rate)]
    pub rate: f64,
    /// How much is played, and what becomes of it.
    #[command(flatten)]
    pub play: PlayOptions,
}

/// Options of `challenge test`.
#[derive(Debug, Args)]
pub struct TestOptions {
    /// The competition file: a table with ; between its columns (name;script), or TOML
    pub file: PathBuf,
    /// The challenges, by name or file, with commas between them
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "run")]
    pub challenge: Vec<String>,
    /// Where challenges are.
    #[command(flatten)]
    pub place: Place,
    /// How many teams are tried at a time; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = signals::threads)]
    pub threads: usize,
    /// Record every attempt in this folder
    #[arg(long, value_name = "DIR")]
    pub recordings: Option<PathBuf>,
}

impl TestOptions {
    /// A run of each team, written nowhere.
    pub fn play(&self) -> PlayOptions {
        PlayOptions {
            place: self.place.clone(),
            runs: Some(1),
            threads: self.threads,
            recordings: self.recordings.clone(),
            json: None,
            csv: None,
            markdown: None,
        }
    }
}

/// Options of `challenge competition`.
#[derive(Debug, Args)]
pub struct CompetitionOptions {
    /// The competition file: a table with ; between its columns (name;script), or TOML
    pub file: PathBuf,
    /// The challenges, by name or file, with commas between them
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub challenge: Vec<String>,
    /// Where finished runs are kept; FILE.runs.jsonl if not given. What is in it already is not played again
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Throw away what the journal has, and begin anew
    #[arg(long)]
    pub restart: bool,
    /// How much is played, and what becomes of it.
    #[command(flatten)]
    pub play: PlayOptions,
}

/// Options of `challenge serve`.
#[derive(Debug, Args)]
pub struct DeskOptions {
    /// A competition file, whose teams are opened at once
    pub competition: Option<PathBuf>,
    /// Where challenges are.
    #[command(flatten)]
    pub place: Place,
    /// Where the page is served, an address of this machine alone; port 0 takes a free one. What is printed has the key that lets you in
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7051")]
    pub studio: String,
    /// The folder in which every attempt is recorded
    #[arg(long, value_name = "DIR", default_value = "challenge-recordings")]
    pub recordings: PathBuf,
    /// Print one line of JSON when it is listening: {"event":"ready","studio":"http://…/#key=…"}
    #[arg(long)]
    pub ready_json: bool,
}

/// Options of `challenge check`.
#[derive(Debug, Args)]
pub struct CheckOptions {
    /// The results, as --json has written them
    pub results: PathBuf,
    /// Where challenges are.
    #[command(flatten)]
    pub place: Place,
    /// How many runs of each team are played again
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub sample: u32,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate: &f64| *rate > 0.0 && *rate <= 10_000.0);
    rate.ok_or_else(|| "a number above 0, up to 10000 (1/s)".into())
}
