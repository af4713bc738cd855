//! A challenge file: a world, how often and how long it is played, and how a team's result comes from what the referee measures. (CH1)

use crate::document::{At, Document};
use crate::files::{NAME, Player};
use crate::plugins::Plugins;
use crate::report::Report;
use crate::robot;
use crate::schema::{Schema, nearest};
use crate::source::{BESIDE, FileSource, SourceFile};
use crate::world;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::PluginFactory;
use touchline_sim::scenario::{PlayerChoice, Scenario};

/// A challenge: what one team after the other tries, each with the same starts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Touchline challenge file")]
#[allow(dead_code, reason = "some keys are read one by one")]
pub(crate) struct ChallengeFile {
    /// Files with parts of a challenge, relative to this file.
    #[serde(default)]
    #[schemars(length(max = 32))]
    pub include: Vec<String>,
    /// Its name, by which commands choose it.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// What it is about, in one line.
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// The world file that is played, relative to this file. It has a referee, which places, measures and says when an attempt is
    /// over; the robots of its first team are those that a team drives.
    #[schemars(length(min = 1))]
    pub world: String,
    /// How many attempts make a run. Each is a world of its own; its referee is told which it is by its parameters `attempt` (from 0) and `attempts`.
    #[serde(default = "one_attempt")]
    #[schemars(range(min = 1, max = 1000))]
    pub attempts: u32,
    /// How many runs a team plays.
    #[serde(default = "one_attempt")]
    #[schemars(range(min = 1, max = 1000))]
    pub runs: u32,
    /// What the seeds of all attempts are made from: run and attempt of the same number begin alike for all teams.
    #[serde(default = "one")]
    #[schemars(range(min = 0))]
    pub seed: u64,
    /// How long an attempt takes at most, simulated seconds: the referee ends it before.
    #[schemars(range(max = 86_400.0), extend("exclusiveMinimum" = 0))]
    pub max_s: f64,
    /// Whether a team may know where everything really is.
    #[serde(default = "yes")]
    pub truth: bool,
    /// What a script is started with. In these words `{host}` and `{port}` stand for where it connects, `{key}` for what it shows there,
    /// `{robot}` for the robot that it drives, `{x}`, `{y}` and `{theta}` for where that was placed (metres, radians), `{seed}` for what
    /// its own dice begin with, `{run}` and `{attempt}` for the numbers. The same is in its environment, as `TOUCHLINE_HOST` and so on.
    #[serde(default = "arguments")]
    #[schemars(length(max = 32))]
    pub arguments: Vec<String>,
    /// Parameters of the referee that a competition file may set for a team, each a column of its table.
    #[serde(default)]
    #[schemars(length(max = 32))]
    pub team_params: Vec<String>,
    /// How long the world waits for each order of a script, seconds of the clock on the wall: one that is later voids its run.
    #[serde(default = "order_timeout")]
    #[schemars(range(min = 0.1, max = 86_400.0))]
    pub order_timeout_s: f64,
    /// How long a script may take to start, until it has taken its robot: seconds of the clock on the wall.
    #[serde(default = "start_timeout")]
    #[schemars(range(min = 0.1, max = 86_400.0))]
    pub start_timeout_s: f64,
    /// How it is counted.
    pub score: ScoreFile,
    /// Players of ours, with the result that they reach: somebody to be compared with.
    #[serde(default)]
    #[schemars(length(max = 16))]
    pub reference: Vec<ReferenceFile>,
}

/// How a team's result comes from its attempts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScoreFile {
    /// What a score is, such as `distance`.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// Its unit, such as `m`; empty for a count.
    #[serde(default)]
    pub unit: String,
    /// Which way is better.
    pub better: Better,
    /// How a run's score comes from those of its attempts.
    #[serde(default)]
    pub attempts: Count,
    /// How a team's score comes from those of its runs.
    #[serde(default)]
    pub runs: Count,
    /// Of so many best runs alone; all if it is not given.
    #[schemars(range(min = 1, max = 1000))]
    pub best_runs: Option<u32>,
    /// What an attempt counts by the word with which its referee ended it, if the referee measures no `score`; a word that is not here counts as `failed`.
    #[serde(default)]
    #[schemars(extend("additionalProperties" = { "type": "number", "minimum": -1e12, "maximum": 1e12 }))]
    pub outcomes: BTreeMap<String, f64>,
    /// What an attempt counts in which the team failed: its player was stopped, its script ended, or time was up without a score.
    #[schemars(range(min = -1e12, max = 1e12))]
    pub failed: f64,
    /// To so many digits behind the point scores are rounded before teams are compared.
    #[serde(default = "digits")]
    #[schemars(range(max = 9))]
    pub digits: u32,
}

/// A player of ours.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the player is read by its checked form")]
pub(crate) struct ReferenceFile {
    /// Its name.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// What drives each robot of the team.
    pub player: Player,
    /// The score that it reaches with this file as it is; a test repeats it.
    pub score: f64,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

/// How one number comes from several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// Their mean.
    #[default]
    Mean,
    /// Their sum.
    Sum,
}

fn one() -> u64 {
    1
}

fn one_attempt() -> u32 {
    1
}

fn yes() -> bool {
    true
}

fn digits() -> u32 {
    3
}

fn order_timeout() -> f64 {
    10.0
}

fn start_timeout() -> f64 {
    30.0
}

fn arguments() -> Vec<String> {
    ["{host}", "{port}"].map(String::from).into()
}

/// What the words of a script's arguments can have in braces.
pub const SCRIPT_WORDS: [&str; 10] =
    ["host", "port", "key", "robot", "x", "y", "theta", "seed", "run", "attempt"];

/// What a challenge file says, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ChallengeSpec {
    /// Name of the challenge, as results and command lines call it.
    pub name: String,
    /// Short title for people.
    pub title: String,
    /// The world; it has a referee and a first team with robots.
    pub scenario: Scenario,
    /// How many attempts make a run.
    pub attempts: u32,
    /// How many runs a team plays.
    pub runs: u32,
    /// What the seeds of all attempts are made from.
    pub seed: u64,
    /// How long an attempt takes at most, simulated seconds.
    pub max_secs: f64,
    /// Whether a team may know where everything really is.
    pub truth: bool,
    /// What a script is started with.
    pub arguments: Vec<String>,
    /// Parameters of the referee that can be set for a team.
    pub team_params: Vec<String>,
    /// How long the world waits for each order of a script, seconds of the clock on the wall.
    pub order_timeout_secs: f64,
    /// How long a script may take to start, seconds of the clock on the wall.
    pub start_timeout_secs: f64,
    /// Rule by which a team's result is computed.
    pub score: ScoreSpec,
    /// Reference players, with the scores that they reach.
    pub references: Vec<ReferenceSpec>,
}

/// How a team's result comes from its attempts.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreSpec {
    /// Name of the measured quantity.
    pub name: String,
    /// Its unit; empty for a count.
    pub unit: String,
    /// Whether a higher or a lower score is better.
    pub better: Better,
    /// How a run's score comes from those of its attempts.
    pub attempts: Count,
    /// How a team's score comes from those of its runs.
    pub runs: Count,
    /// Of so many best runs alone.
    pub best_runs: Option<u32>,
    /// What an attempt without a measured score counts, by the referee's last word.
    pub outcomes: BTreeMap<String, f64>,
    /// What an attempt counts in which the team failed.
    pub failed: f64,
    /// To so many digits behind the point scores are rounded.
    pub digits: u32,
}

/// A player of ours, with what it reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceSpec {
    /// Name of the reference player.
    pub name: String,
    /// What drives each robot of the team.
    pub player: PlayerChoice,
    /// Score that it reaches.
    pub score: f64,
}

/// Loads a challenge file from disk, and the files that it names from `read`.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn load_challenge(
    path: &Path,
    read: &dyn FileSource,
    factory: &dyn PluginFactory,
) -> Result<ChallengeSpec, Report> {
    let file = SourceFile { path: path.to_owned(), text: crate::disk_text(path)? };
    parse(file, read, factory)
}

fn parse(
    file: SourceFile,
    read: &dyn FileSource,
    factory: &dyn PluginFactory,
) -> Result<ChallengeSpec, Report> {
    let mut document = Document::parse(file, read);
    if let Some(schema) = schema() {
        schema.check(&mut document, "");
    }
    document.check_unique("/reference", "name");
    let plugins = Plugins::new(factory);
    let mut elsewhere = Vec::new();
    let scenario = scenario(&mut document, read, &plugins, &mut elsewhere);
    if let Some(scenario) = &scenario {
        check_world(&mut document, scenario);
    }
    check_words(&mut document);
    let players = document.items("/reference").into_iter().map(|pointer| {
        let table = format!("{pointer}/player");
        plugins.resolve_paths(&mut document, PluginKind::Player, &table, read);
        let choice = plugins.choice(&mut document, PluginKind::Player, &table);
        let player = document.read::<Player>(&table)?;
        choice?;
        let choice = robot::choice(&player.plugin, &player.params, player.isolate);
        Some(PlayerChoice { choice, period_secs: 1.0 / player.rate_hz })
    });
    let players: Vec<_> = players.collect();
    let file = document.finish::<ChallengeFile>();
    let mut problems = document.problems;
    problems.append(&mut elsewhere);
    let (Some(file), Some(scenario), true) = (file, scenario, problems.is_empty()) else {
        return Err(Report::new(problems));
    };
    let references = file.reference.into_iter().zip(players).filter_map(|(reference, player)| {
        Some(ReferenceSpec { name: reference.name, player: player?, score: reference.score })
    });
    let ScoreFile { name, unit, better, attempts, runs, best_runs, outcomes, failed, digits } = file.score;
    Ok(ChallengeSpec {
        references: references.collect(),
        name: file.name,
        title: file.title,
        scenario,
        attempts: file.attempts,
        runs: file.runs,
        seed: file.seed,
        max_secs: file.max_s,
        truth: file.truth,
        arguments: file.arguments,
        team_params: file.team_params,
        order_timeout_secs: file.order_timeout_s,
        start_timeout_secs: file.start_timeout_s,
        score: ScoreSpec { name, unit, better, attempts, runs, best_runs, outcomes, failed, digits },
    })
}

fn schema() -> Option<&'static Schema> {
    static SCHEMA: OnceLock<Option<Schema>> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema::new(crate::challenge_rules()).ok()).as_ref()
}

/// The world that the file names; what is wrong with it is said of its own file.
fn scenario(
    document: &mut Document,
    read: &dyn FileSource,
    plugins: &Plugins<'_>,
    elsewhere: &mut Vec<crate::report::Problem>,
) -> Option<Scenario> {
    let world = document.read::<String>("/world")?;
    match read.read(document.path_of("/world"), &world) {
        Err(reason) => {
            let what = format!("cannot read the world file \"{world}\": {reason}");
            document.report("/world", At::Value, "config/file-not-read", what).hint = Some(BESIDE.into());
            None
        }
        Ok(file) => match world::read(file, read, plugins) {
            Ok(scenario) => Some(scenario),
            Err(problems) => {
                *elsewhere = problems;
                None
            }
        },
    }
}

fn check_world(document: &mut Document, scenario: &Scenario) {
    let mut wrong = |what: String, hint: &str| {
        document.report("/world", At::Value, "config/bad-value", what).hint = Some(hint.into());
    };
    if scenario.referee.is_none() {
        wrong(
            format!("world \"{}\" has no referee", scenario.name),
            "a referee places and measures: add [referee]",
        );
    }
    if !scenario.robots.iter().any(|robot| robot.team == Some(0)) {
        let what = format!("world \"{}\" has no robot in a first team", scenario.name);
        wrong(what, "a team of the challenge drives the robots of the world's first team");
    }
}

/// Words in braces that mean nothing.
fn check_words(document: &mut Document) {
    for pointer in document.items("/arguments") {
        let Some(word) = document.read::<String>(&pointer) else { continue };
        for name in word.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)) {
            if SCRIPT_WORDS.contains(&name) {
                continue;
            }
            let what = format!("nothing is known for \"{{{name}}}\"");
            let problem = document.report(&pointer, At::Value, "config/unknown-value", what);
            problem.allowed = Some(SCRIPT_WORDS.map(|name| format!("{{{name}}}")).join(", "));
            problem.hint = nearest(name, SCRIPT_WORDS.into_iter())
                .map(|nearest| format!("did you mean \"{{{nearest}}}\"?"));
        }
    }
}
