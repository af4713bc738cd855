//! What a world is made of, as plain checked data: the simulation's only configuration.
//!
//! `touchline-config` makes these values from files; tests make them by hand. Names of plugins are resolved
//! by a [`crate::PluginFactory`].
//!
//! # Units
//! SI; every field whose unit is not obvious says it in its name.

mod ball;
mod bounds;
mod episode;
mod fixture;
mod limits;
mod names;
mod radio;
mod robot;
mod surface;

pub use ball::{BOUNCE, BallPlacement, BallSpec, Sliding};
pub use bounds::{
    MAX_COORDINATE_M, MAX_HEIGHT_M, MAX_SPEED_M_S, MAX_TURN_RAD_S, MIN_MASS_KG, MIN_THICKNESS_M, STEP_SECS,
};
pub use episode::{EpisodeSpec, Near, Placement, PlacementRange, StartOf};
pub use fixture::{Fixture, Outline, Primitive, fixture_names, fixture_names_of_view, of_fixtures};
pub use limits::Limits;
pub use names::{MAX_NAME_BYTES, is_name, is_of_one_line, is_sensor_id};
pub use radio::Radio;
pub use robot::{
    CommandTiming, Hold, Kick, ManipulatorSpec, ManipulatorState, RobotSpec, SensorSpec, SensorTiming, Zone,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
pub use surface::{Combine, Surface};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::world::WorldDescription;

/// A whole world before its first step. (W1)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// Such as `f2000`.
    pub name: String,
    /// The seed of all randomness; the command line may replace it.
    pub seed: u64,
    /// The length of one step, seconds.
    pub dt_secs: f64,
    /// The law by which robots move among each other and the fixtures.
    #[serde(default, skip_serializing_if = "is_default")]
    pub physics: PhysicsLaw,
    /// How fast what falls gains speed, m/s^2, above 0.
    #[serde(default = "gravity", skip_serializing_if = "is_gravity")]
    pub gravity_m_s2: f64,
    /// What bodies do when they meet, unless their surface says otherwise.
    pub surface: Surface,
    /// The teams, in the order by which everything else numbers them.
    pub teams: Vec<Team>,
    /// Walls, goals, poles, lines.
    pub fixtures: Vec<Fixture>,
    /// The balls, with their starting places.
    pub balls: Vec<BallPlacement>,
    /// The robots that are there from the beginning.
    pub robots: Vec<RobotPlacement>,
    /// The rules, if there are any.
    pub referee: Option<PluginChoice>,
    /// How robots hear each other.
    pub radio: Radio,
    /// How it is played in episodes, if it is.
    #[serde(default)]
    pub episode: Option<EpisodeSpec>,
    /// What clients may use up.
    #[serde(default, skip_serializing_if = "is_default")]
    pub limits: Limits,
}

impl Scenario {
    /// What players are told of the world when they are made.
    pub fn description(&self) -> WorldDescription {
        WorldDescription {
            robots: self.robots.iter().map(|robot| robot.name.clone()).collect(),
            robot_teams: self.robots.iter().map(|robot| robot.team).collect(),
            balls: self.balls.len() as u32,
            dt_secs: self.dt_secs,
            episode_steps: self.episode.as_ref().map_or(0, |episode| episode.max_steps),
            ..of_fixtures(&self.fixtures)
        }
    }
}

/// The law by which robots move among each other and the fixtures. (W4)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PhysicsLaw {
    /// Rigid bodies of any shape that push each other, by a physics library.
    #[default]
    Rigid,
    /// Robots are discs, and go from impact to impact as balls do.
    Discs {
        /// What happens when two of them meet.
        contact: ContactRule,
        /// Whether a robot whose body is no disc is the circle around it. If not, it is refused.
        bounding_circles: bool,
    },
}

/// What happens where two bodies meet in a world of discs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactRule {
    /// An impulse at the moment when they meet: Newton's restitution and Coulomb's friction.
    #[default]
    Impulse,
    /// The Soccer Server's: who overlaps after the step is moved apart, and goes back with a tenth of its velocity.
    SoccerServer,
    /// Nothing: they meet fixtures alone, and overlap each other until a referee parts them.
    None,
}

/// A team of the world, with its name and colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Team {
    /// Such as `blue`.
    pub name: String,
    /// `0xRRGGBB`.
    pub colour: u32,
    /// Players that belong to the team and drive no robot: coaches, trainers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<TeamPlayer>,
}

/// A player that belongs to a team. (Y1)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TeamPlayer {
    /// Its name, unique in the world among these and the robots.
    pub name: String,
    /// Which plugin, and how often it is asked.
    pub player: PlayerChoice,
    /// What it is told of the world.
    pub sees: Sees,
    /// Whether it may put robots and balls somewhere, those of other teams too: a trainer, and no coach.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_trainer: bool,
}

/// What a player that belongs to a team is told of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sees {
    /// What it hears, and what the referee says.
    #[default]
    Nothing,
    /// The world itself, and what all motion models publish.
    Truth,
}

/// What balls fall with unless a world says otherwise, m/s^2.
pub const GRAVITY_M_S2: f64 = 9.81;

fn gravity() -> f64 {
    GRAVITY_M_S2
}

fn is_gravity(gravity_m_s2: &f64) -> bool {
    *gravity_m_s2 == GRAVITY_M_S2
}

/// A plugin by name, with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginChoice {
    /// Such as `differential`.
    pub plugin: String,
    /// What stands in its table.
    pub params: serde_json::Value,
    /// Whether it runs in a process of its own, whatever else does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub isolate: bool,
}

impl PluginChoice {
    /// A plugin, where all others run.
    pub fn new(plugin: impl Into<String>, params: serde_json::Value) -> Self {
        Self { plugin: plugin.into(), params, isolate: false }
    }
}

/// A robot and where it starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobotPlacement {
    /// Its name, unique in the world.
    pub name: String,
    /// Index into [`Scenario::teams`]; `None` for a robot without a team.
    pub team: Option<u32>,
    /// What the robot is made of.
    pub spec: Arc<RobotSpec>,
    /// Where; `None` finds a free place.
    pub pose: Option<Pose2>,
    /// Who drives it; `None` waits for a client.
    pub player: Option<PlayerChoice>,
}

/// A player plugin for one robot. (Y2)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerChoice {
    /// The plugin and its parameters.
    pub choice: PluginChoice,
    /// The time between two calls on average, seconds; at least one step.
    pub period_secs: f64,
}

/// What a file need not say is not written either.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
