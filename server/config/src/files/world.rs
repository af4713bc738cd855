//! What may stand in a world file.

use super::{Ball, COLOUR, NAME, Outline, Physics, Plugin, ShapeKeys, Surface};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::Role;
use touchline_sim::scenario::Limits;

shape! {
    /// A geometric primitive of the world: a wall, a goal, a pole, a line.
    Fixture {
        /// Its name, unique among the fixtures, by which contacts are told and plugins find it. Without it, its role and its number among
        /// those of this role, such as `pole-2`; `fixture-1` has no role.
        #[schemars(pattern(NAME))]
        pub name: Option<String>,
        /// What it is to a robot that looks for landmarks.
        #[serde(default)]
        pub role: Role,
        /// Whether bodies and rays meet it; what is not solid is only seen.
        #[serde(default = "yes")]
        pub solid: bool,
        /// A goal's owner: the name of a team.
        pub team: Option<String>,
    }
}

fn yes() -> bool {
    true
}

/// A world before its first step.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Touchline world file")]
pub(crate) struct WorldFile {
    /// Files with parts of a world, relative to this file. Their `[[…]]` lists come before this file's own; an entry with
    /// the name of one of theirs changes that one. A key that this file sets as well is taken from this file.
    #[serde(default)]
    #[schemars(length(max = 32))]
    #[allow(dead_code, reason = "worked out before the types are read")]
    pub include: Vec<String>,
    /// The world's name, such as `f2000`.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// The seed of all randomness; the command line may replace it.
    #[serde(default)]
    pub seed: u64,
    /// The length of one step, seconds.
    #[serde(default = "default_dt")]
    #[schemars(range(min = 0.0005, max = 0.1))]
    pub dt_s: f64,
    /// The law by which robots move among each other and the fixtures.
    #[serde(default)]
    pub physics: Physics,
    /// What bodies do when they meet, unless their own surface says otherwise.
    #[serde(default)]
    pub surface: Surface,
    /// The teams.
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub team: Vec<Team>,
    /// Walls, goals, poles, lines.
    #[serde(default)]
    #[schemars(length(max = 4096))]
    pub fixture: Vec<Fixture>,
    /// The balls; there may be none.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub ball: Vec<Ball>,
    /// The robots that are there from the beginning.
    #[serde(default)]
    #[schemars(length(max = 16384))]
    pub robot: Vec<Robot>,
    /// The rules; without them nobody judges.
    pub referee: Option<Plugin>,
    /// How robots hear each other.
    #[serde(default)]
    pub radio: Radio,
    /// How it is played in episodes, for learning and benchmarks; without it, it goes on without end.
    pub episode: Option<Episode>,
    /// What clients may use up of the server.
    pub limits: Option<Limits>,
}

pub(crate) fn default_dt() -> f64 {
    0.01
}

/// A team.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Team {
    /// Its name, unique in the world.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// Its colour, `#rrggbb`.
    #[schemars(pattern(COLOUR))]
    pub colour: String,
    /// Players that belong to the team and drive no robot: coaches, trainers.
    #[serde(default)]
    #[schemars(length(max = 16))]
    pub player: Vec<TeamPlayer>,
}

/// A player plugin that belongs to a team and drives no robot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TeamPlayer {
    /// Its name, unique in the world among these and the robots.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// The plugin's name.
    pub plugin: String,
    /// The plugin's own parameters.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Whether it runs in a process of its own: a crash, an endless loop or a full memory then costs no more than this plugin.
    #[serde(default)]
    pub isolate: bool,
    /// How often it is asked, Hz; the time between two calls is rounded to whole steps.
    #[serde(default = "default_rate")]
    #[schemars(range(max = 2000.0), extend("exclusiveMinimum" = 0))]
    pub rate_hz: f64,
    /// What it is told of the world beside what it hears.
    #[serde(default)]
    pub sees: TeamPlayerSees,
    /// Whether it is a trainer, who may also put robots and balls of all teams somewhere; a coach may not.
    #[serde(default)]
    pub trainer: bool,
}

/// What a player that belongs to a team is told of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TeamPlayerSees {
    /// Nothing but what the referee says.
    #[default]
    Nothing,
    /// The world itself, and what all motion models publish.
    Truth,
}

/// A robot and where it starts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Robot {
    /// Its name, unique in the world.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// The name of its team.
    pub team: Option<String>,
    /// Its robot file, relative to this file.
    #[allow(dead_code, reason = "read where the place is known")]
    pub file: String,
    /// Where it starts; without it, a free place is found.
    pub pose: Option<Pose2>,
    /// Who drives it; without it, it waits for a client.
    pub player: Option<Player>,
}

/// A player plugin for one robot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Player {
    /// The plugin's name.
    pub plugin: String,
    /// The plugin's own parameters.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Whether it runs in a process of its own: a crash, an endless loop or a full memory then costs no more than this plugin.
    #[serde(default)]
    pub isolate: bool,
    /// How often it is asked, Hz; the time between two calls is rounded to whole steps.
    #[serde(default = "default_rate")]
    #[schemars(range(max = 2000.0), extend("exclusiveMinimum" = 0))]
    pub rate_hz: f64,
}

fn default_rate() -> f64 {
    30.0
}

/// How robots hear each other.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Radio {
    /// Who is farther away hears nothing, metres; without it, everybody hears.
    #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0))]
    pub range_m: Option<f64>,
    /// The probability with which a message is not heard by one receiver.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub loss: f64,
    /// The longest message, bytes.
    #[serde(default = "default_max_bytes")]
    #[schemars(range(min = 1, max = 65536))]
    pub max_bytes: u32,
    /// How many messages the channel `all` carries in one step; what is more is lost, and counted. Without it, all.
    #[schemars(range(max = 65536))]
    pub all_capacity: Option<u32>,
    /// How many messages each team's channel `team` carries in one step; what is more is lost, and counted. Without it, all.
    #[schemars(range(max = 65536))]
    pub team_capacity: Option<u32>,
    /// Whether who hears a robot is told in which direction it is.
    #[serde(default)]
    pub bearing: bool,
}

fn default_max_bytes() -> u32 {
    256
}

impl Default for Radio {
    fn default() -> Self {
        Self {
            range_m: None,
            loss: 0.0,
            max_bytes: default_max_bytes(),
            all_capacity: None,
            team_capacity: None,
            bearing: false,
        }
    }
}

/// A world that is played in episodes: the referee says what a robot is paid and when an episode is over.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Episode {
    /// The names of the robots that decide from outside; they have no player.
    #[serde(default)]
    #[schemars(length(max = 256))]
    pub agents: Vec<String>,
    /// The time from one decision of the agents to the next, seconds: a whole number of steps.
    #[serde(default = "default_decision")]
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0))]
    pub decision_s: f64,
    /// An episode is cut off after this time, seconds.
    #[serde(default = "default_max")]
    #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0))]
    pub max_s: f64,
    /// What an agent observes, in this order: `truth.…` or `sensor/feature`, see docs/episodes.md.
    #[serde(default)]
    #[schemars(length(max = 256))]
    pub observe: Vec<String>,
    /// What an agent decides, in this order: `drive`, or `manipulator.state`.
    #[serde(default = "default_act")]
    #[schemars(length(max = 64))]
    pub act: Vec<String>,
    /// Places that are drawn anew for each episode.
    #[serde(default)]
    #[schemars(length(max = 256))]
    pub start: Vec<Start>,
    /// A list of fixed starts beside this file, of which each episode has one: CSV with columns such as `keeper.x_m`.
    pub starts_file: Option<String>,
}

fn default_decision() -> f64 {
    0.1
}

fn default_max() -> f64 {
    30.0
}

fn default_act() -> Vec<String> {
    vec!["drive".into()]
}

/// Where a robot or a ball starts, drawn evenly from ranges: lowest and highest.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Start {
    /// The robot's name.
    pub robot: Option<String>,
    /// Or the ball's number, from 0.
    pub ball: Option<u32>,
    /// A robot's name, or `ball-0`, whose start comes before this one: x_m and y_m are the way from its place.
    pub near: Option<String>,
    /// Metres.
    pub x_m: [f64; 2],
    /// Metres.
    pub y_m: [f64; 2],
    /// With near: a place beyond this range of x is put to its end, metres.
    pub within_x_m: Option<[f64; 2]>,
    /// The same of y.
    pub within_y_m: Option<[f64; 2]>,
    /// A robot's heading, or the direction in which a ball moves, radians, from -6.3 to 6.3.
    #[serde(default)]
    pub theta_rad: [f64; 2],
    /// How fast a ball starts, m/s; robots start at rest.
    #[serde(default)]
    pub speed_m_s: [f64; 2],
}
