//! What can be said on the command line.

use super::bench::BenchOptions;
use super::benchmark_options::Benchmark;
use super::challenge_options::ChallengeCommand;
use super::connect::ConnectOptions;
use super::expect::Expectation;
use super::keys::KeyOptions;
use super::log_options::Log;
use super::option_values::{plugin_kind, seconds, seed, steps, table};
use super::plugins::PluginsOptions;
use super::serve_options::{LiveOptions, ReplayOptions, ServeOptions};
use super::soccer_game::SoccerOptions;
use super::soccer_team::TeamOptions;
use super::tournament::TournamentOptions;
use super::train_options::Train;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use touchline_plugin_api::plugin::PluginKind;
use touchline_record::SensorChoice;

/// A 2D multi-robot simulation server: motions, sensors, players and rules are plugins.
#[derive(Debug, Parser)]
#[command(name = "touchline", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Arguments {
    /// Where plugins, robots and worlds are.
    #[command(flatten)]
    pub plugins: PluginOptions,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Where plugins, robots and worlds are, and where plugins run.
#[derive(Clone, Debug, Args)]
pub struct PluginOptions {
    /// A folder with plugins, searched before those of TOUCHLINE_PLUGINS and the program's own; may be given several times
    #[arg(long, global = true, value_name = "DIR")]
    pub plugins: Vec<PathBuf>,
    /// A folder with worlds that need no path, searched before those of TOUCHLINE_WORLDS and the program's own; may be given several times
    #[arg(long = "worlds-dir", id = "worlds-dir", global = true, value_name = "DIR")]
    pub worlds: Vec<PathBuf>,
    /// The folder of robot files that clients and files may name without a path; by default that of TOUCHLINE_ROBOTS, `robots` beside the
    /// world file's folder (for clients), or the program's own
    #[arg(long, global = true, value_name = "DIR")]
    pub robots: Option<PathBuf>,
    /// Run plugins in processes of their own, which can read no file, reach no network and end nobody else: all that are not
    /// in the program's own folders, or all
    #[arg(long, global = true, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "foreign")]
    pub isolate: Option<Isolate>,
    /// How long one call of an isolated plugin may take, milliseconds
    #[arg(long, global = true, value_name = "MS", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=600_000))]
    pub isolate_ms: u32,
    /// How much memory each isolated plugin may use, megabytes
    #[arg(long, global = true, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(16..=1_000_000))]
    pub isolate_mb: u32,
}

/// Which plugins run in processes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Isolate {
    /// Those that are not in the program's own folders
    Foreign,
    /// All
    All,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  fine
  1  a check failed
  2  the command line is wrong
  3  a robot file, world file or log is wrong
  4  an address or a file cannot be used
  5  a plugin is missing or failed
  130  `run --record`, `soccer`, `challenge test`, `challenge check`, `tournament --match`: stopped before all was done";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play the match that came with the program, and say where its page is
    #[command(after_help = "\
Examples:
  touchline demo
  touchline demo --speed 4")]
    Demo(LiveOptions),
    /// Run a world in real time, with message board and studio
    #[command(after_help = "\
Examples:
  touchline serve f2000
  touchline serve my-worlds/room.toml
  touchline serve worlds/f2000.toml --keys keys.toml --board 0.0.0.0:7050
  touchline serve worlds/keeper.toml --speed lockstep --board 127.0.0.1:0 --ready-json
  touchline serve worlds/f2000.toml --record match.mcap --record-sensors '*/laser'
  touchline serve worlds/f2000.toml --foxglove 127.0.0.1:8765")]
    Serve(ServeOptions),
    /// Talk to a server by hand: what you type is sent, what it says is shown; HELP lists the commands
    #[command(after_help = "\
Examples:
  touchline connect
  TOUCHLINE_KEY=KEY touchline connect 127.0.0.1:7050
  printf 'STATUS\\nLIST\\n' | touchline connect")]
    Connect(ConnectOptions),
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
    /// Play one game of two teams of the RoboCup Soccer Server, as fast as they answer, and say how it went
    #[command(after_help = "\
Examples:
  touchline soccer --left './reds/start.sh {host} {port}' --right './blues/start.sh {host} {port}' --seed 7 --json
  touchline soccer --left ./reds.sh --right ./blues.sh --set server::half_time=60 --logs game")]
    Soccer(SoccerOptions),
    /// Play in a game of the RoboCup Soccer Server's protocol with a team of ours, eleven clients and a coach, at this program or that server
    #[command(after_help = "\
Examples:
  touchline soccer-team 127.0.0.1:6000 --name Blues
  touchline soccer --left './reds/start.sh {host} {port}' --right 'touchline soccer-team {host}:{port} --coach-port {coach-port} --name Ours'")]
    SoccerTeam(TeamOptions),
    /// Run a world as fast as possible, with no port opened, and say how it went
    #[command(after_help = "\
Examples:
  touchline run f2000 --for 600 --seed 1 --json
  touchline run worlds/f2000.toml --steps 1000
  touchline run worlds/f2000.toml --for 600 --record match.mcap
  touchline run my-world.toml --for 60 --expect 'score.blue >= 1' --junit results.xml")]
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
    /// Let teams try challenges, one after the other with the same starts: start scripts or players in, tables of results out
    #[command(after_help = "\
Examples:
  touchline challenge list
  touchline challenge run kick
  touchline challenge run kick --script ./startChallengePlayer.sh
  touchline challenge test teams.csv --challenge kick
  touchline challenge competition teams.csv --challenge kick,goalie --json results.json --markdown results.md
  touchline challenge serve teams.csv
  touchline challenge check results.json")]
    Challenge {
        /// What to do
        #[command(subcommand)]
        what: ChallengeCommand,
    },
    /// Make a folder with a new challenge: its file, its world, its robot, a start script
    #[command(after_help = "\
Examples:
  touchline new-challenge sprint
  touchline challenge run sprint/sprint.toml --script sprint/startChallengePlayer.sh")]
    NewChallenge {
        /// Its name: lower-case letters, digits and single hyphens
        #[arg(value_parser = crate::new_plugin::name)]
        name: String,
        /// Where the folder is made; here if not given
        #[arg(long)]
        dir: Option<PathBuf>,
    },
    /// Measure how fast many worlds are stepped together on this machine
    #[command(after_help = "\
Examples:
  touchline bench
  touchline bench worlds/4v4.toml --worlds 32 --threads 1 --json")]
    Bench(BenchOptions),
    /// Check files of robots, worlds, tournaments, challenges, competitions and keys, and plugins, and say everything that is wrong with them
    #[command(after_help = "\
Examples:
  touchline check robots/*.toml worlds/*.toml
  touchline check target/release/libmy_sensor.so
  touchline check --contract --params '{\"range_max_m\": 2.0}' target/release/libmy_sensor.so")]
    Check(CheckOptions),
    /// Print what a robot's numbers mean, as the board's DESCRIBE does: the catalogue for programs that read real sensors
    #[command(after_help = "\
Examples:
  touchline describe pioneer
  touchline describe robots/pioneer.toml --world f2000 > pioneer.txt")]
    Describe {
        /// A robot file, or the name of a robot that came with the program
        robot: PathBuf,
        /// The world in which it is: some sensors have a row for each team. None has no teams
        #[arg(long, value_name = "WORLD")]
        world: Option<PathBuf>,
    },
    /// List the plugins that were found, and what was refused and why
    #[command(after_help = "\
Examples:
  touchline plugins
  touchline plugins --json --plugins target/release")]
    Plugins(PluginsOptions),
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
  touchline new-plugin sensor sonar
  touchline new-plugin sensor sonar --language cpp
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
    /// Make a key for a client, and add its digest to a keys file
    #[command(after_help = "\
Examples:
  touchline key keys.toml blue --role team --team blue
  touchline key keys.toml keeper --role player --team blue --robot blue-1
  touchline serve worlds/f2000.toml --keys keys.toml --board 0.0.0.0:7050")]
    Key(KeyOptions),
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

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// The world file, or the name of a world that came with the program
    pub world: PathBuf,
    /// How long, in simulated seconds
    #[arg(long = "for", value_name = "SECONDS", conflicts_with = "steps", default_value = "60", value_parser = seconds)]
    pub seconds: f64,
    /// How long, in steps
    #[arg(long, value_name = "N", value_parser = steps)]
    pub steps: Option<u64>,
    /// The seed of all randomness, in place of the world file's
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// Record everything; the world waits for the disk when it must
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Sensors whose readings are recorded ten times a simulated second: ROBOT/SENSOR, each a name or *
    #[arg(long, value_name = "ROBOT/SENSOR,…", value_delimiter = ',', requires = "record")]
    pub record_sensors: Vec<SensorChoice>,
    /// Bring the recording to the disk each second (fsync), so that it is there when the power has gone
    #[arg(long, requires = "record")]
    pub record_sync: bool,
    /// What must be so at the end, such as `score.blue >= 1`; may be given several times. What is not is exit code 1
    #[arg(long, value_name = "EXPECTATION", value_parser = Expectation::parse, allow_hyphen_values = true)]
    pub expect: Vec<Expectation>,
    /// Write what was expected, and how it came, as JUnit's XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub struct CheckOptions {
    /// Files of robots, worlds and their parts, tournaments, challenges, competitions and keys; plugin libraries
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Run plugin libraries through the contract of their kind, each in a process of its own
    #[arg(long)]
    pub contract: bool,
    /// The parameters with which they are made: a JSON object
    #[arg(long, value_name = "JSON", default_value = "{}", requires = "contract", value_parser = table)]
    pub params: serde_json::Value,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
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
    /// Challenge files
    Challenge,
    /// Competition files in TOML
    Competition,
    /// Keys files
    Keys,
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

    /// A command's own option of a global one's name would end the program where the global one is read.
    #[test]
    fn no_command_has_an_option_of_a_global_ones_name() {
        fn check(command: &clap::Command, globals: &[&str]) {
            for own in command.get_arguments().filter(|argument| !argument.is_global_set()) {
                assert!(
                    !globals.contains(&own.get_id().as_str()),
                    "{}: {}",
                    command.get_name(),
                    own.get_id()
                );
            }
            command.get_subcommands().for_each(|sub| check(sub, globals));
        }
        let arguments = Arguments::command();
        let globals = arguments.get_arguments().filter(|argument| argument.is_global_set());
        let globals: Vec<&str> = globals.map(|argument| argument.get_id().as_str()).collect();
        assert!(globals.contains(&"plugins"), "{globals:?}");
        check(&arguments, &globals);
    }
}
