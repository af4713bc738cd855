//! What a world is made of, as plain checked data: the simulation's only configuration.
//!
//! `touchline-config` makes these values from files; tests make them by hand. Names of plugins are resolved
//! by a [`crate::PluginFactory`].
//!
//! # Units
//! SI; every field whose unit is not obvious says it in its name.

mod bounds;
mod limits;
mod radio;
mod robot;

use crate::view::{View, order_of_view};
pub use bounds::{MAX_COORDINATE_M, MAX_HEIGHT_M, MAX_SPEED_M_S, MAX_TURN_RAD_S};
pub use limits::Limits;
pub use radio::Radio;
pub use robot::{
    CommandTiming, Hold, Kick, ManipulatorSpec, ManipulatorState, RobotSpec, SensorSpec, SensorTiming, Zone,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchline_kit::visibility::GoalMouth;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::{NONE, Role};
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

/// The name of each fixture, in the order of the world file: the one that it has there, or its role and its number among those of this
/// role, such as `pole-2`.
pub fn fixture_names(fixtures: &[Fixture]) -> Vec<String> {
    let mut counts = [0_u32; Role::ALL.len()];
    let name = |fixture: &Fixture| {
        let count = &mut counts[fixture.role.code() as usize];
        *count += 1;
        fixture.name.clone().unwrap_or_else(|| format!("{}-{count}", fixture.role.noun()))
    };
    fixtures.iter().map(name).collect()
}

/// The same names in the order of the view, as plugins are told them.
pub fn fixture_names_of_view(fixtures: &[Fixture]) -> Vec<String> {
    let mut names = fixture_names(fixtures);
    order_of_view(fixtures).into_iter().map(|place| std::mem::take(&mut names[place])).collect()
}

/// A description of the fixtures and the goals among them, and of nothing else.
pub fn of_fixtures(fixtures: &[Fixture]) -> WorldDescription {
    let view = View::of_fixtures(fixtures);
    let view = view.world(0, 0.0);
    let goals = || view.landmarks(Role::Goal);
    WorldDescription {
        fixtures: fixture_names_of_view(fixtures),
        goals: goals().map(|goal| GoalMouth::of(goal).posts).collect(),
        goal_teams: goals().map(|goal| (goal.team != NONE).then_some(goal.team)).collect(),
        ..WorldDescription::default()
    }
}

/// A world that is played in episodes, for learning and benchmarks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeSpec {
    /// The robots that decide from outside: indices into the scenario's robots, rising.
    pub agents: Vec<usize>,
    /// The steps from one of their decisions to the next, at least 1.
    pub decision_steps: u32,
    /// An episode is cut off after so many steps.
    pub max_steps: u64,
    /// What an agent observes, such as `truth.ball` or `camera/ball`, in this order.
    pub observe: Vec<String>,
    /// What an agent decides, such as `drive` or `kicker.kick`, in this order.
    pub act: Vec<String>,
    /// Places that are drawn anew for each episode.
    pub ranges: Vec<PlacementRange>,
    /// Fixed starts, of which each episode has one; they come after the ranges.
    pub starts: Vec<Vec<(StartOf, Placement)>>,
}

/// What is placed at a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StartOf {
    /// Index into the scenario's robots.
    Robot(usize),
    /// Index into the scenario's balls.
    Ball(usize),
}

/// Where something starts, world frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// x in the world frame, metres.
    pub x_m: f64,
    /// y in the world frame, metres.
    pub y_m: f64,
    /// A robot's heading; a ball's direction of motion, radians.
    pub theta_rad: f64,
    /// How fast a ball starts, m/s; robots start at rest.
    pub speed_m_s: f64,
}

/// Where something starts, drawn evenly from ranges: lowest and highest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementRange {
    /// The robot or ball that is placed.
    pub of: StartOf,
    /// See [`Placement`].
    pub x_m: [f64; 2],
    /// See [`Placement`].
    pub y_m: [f64; 2],
    /// See [`Placement`].
    pub theta_rad: [f64; 2],
    /// See [`Placement`].
    pub speed_m_s: [f64; 2],
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

/// What happens where two bodies touch. (W4)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Coulomb's coefficient: 0 slips, above about 1 sticks.
    pub friction: f64,
    /// Newton's coefficient of restitution in `[0, 1]`.
    pub restitution: f64,
    /// How two coefficients of friction make one.
    #[serde(default = "Surface::friction_rule")]
    pub friction_rule: Combine,
    /// How two coefficients of restitution make one.
    #[serde(default = "Surface::restitution_rule")]
    pub restitution_rule: Combine,
}

impl Surface {
    /// A surface that meets others with the mean of friction and the greater of restitution.
    pub fn new(friction: f64, restitution: f64) -> Self {
        Self {
            friction,
            restitution,
            friction_rule: Self::friction_rule(),
            restitution_rule: Self::restitution_rule(),
        }
    }

    fn friction_rule() -> Combine {
        Combine::Mean
    }

    fn restitution_rule() -> Combine {
        Combine::Greater
    }
}

/// How the coefficients of two surfaces make the one with which they meet. If the two have different rules, the later one here
/// decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Combine {
    /// Arithmetic mean of both surfaces' values.
    Mean,
    /// Product of both surfaces' values.
    Product,
    /// The greater of both surfaces' values.
    Greater,
    /// The coefficient of the surface that has this rule; of two of them a fixture's before a robot's before a ball's.
    Own,
}

impl Combine {
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Mean,
            1 => Self::Product,
            2 => Self::Greater,
            _ => Self::Own,
        }
    }
}

/// An outline, centred on its own frame. (W1)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outline {
    /// Extents along its x and y, metres.
    Rectangle {
        /// Extent along x, metres.
        length_m: f64,
        /// Extent along y, metres.
        width_m: f64,
    },
    /// Extents along its x and y, metres; a circle if both are equal.
    Ellipse {
        /// Extent along x, metres.
        length_m: f64,
        /// Extent along y, metres.
        width_m: f64,
    },
    /// Three corners in the shape's frame, metres.
    Triangle {
        /// The corners, in either sense of rotation.
        corners: [[f64; 2]; 3],
    },
}

impl Outline {
    /// An ellipse with equal extents.
    pub fn circle(radius_m: f64) -> Self {
        Self::Ellipse { length_m: 2.0 * radius_m, width_m: 2.0 * radius_m }
    }
}

/// One geometric primitive with its place, height and looks. [W1, W2]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Primitive {
    /// Outline in the primitive's own frame.
    pub outline: Outline,
    /// Its place in the frame of what it is part of.
    pub pose: Pose2,
    /// Lowest and highest height above the floor, metres.
    pub z_m: [f64; 2],
    /// `0xRRGGBB`; `None` takes the colour of what it is part of.
    pub colour: Option<u32>,
    /// Its own surface; `None` takes the world's.
    pub surface: Option<Surface>,
}

/// A primitive that belongs to the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fixture {
    /// What the world file calls it; [`fixture_names`] has a name for those that it does not call anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Shape, pose in the world frame, height and colour.
    pub primitive: Primitive,
    /// What it is to a robot that looks for landmarks.
    pub role: Role,
    /// Whether bodies and rays meet it.
    pub solid: bool,
    /// A goal's owner: index into the teams.
    pub team: Option<u32>,
}

/// What balls fall with unless a world says otherwise, m/s^2.
pub const GRAVITY_M_S2: f64 = 9.81;
/// What a ball keeps of its speed at a bounce unless its file says otherwise: of a size-5 ball that is dropped on artificial turf.
pub const BOUNCE: f64 = 0.6;

fn gravity() -> f64 {
    GRAVITY_M_S2
}

fn is_gravity(gravity_m_s2: &f64) -> bool {
    *gravity_m_s2 == GRAVITY_M_S2
}

fn bounce() -> f64 {
    BOUNCE
}

/// A ball. (W5)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BallSpec {
    /// Radius, metres.
    pub radius_m: f64,
    /// Mass, kilograms.
    pub mass_kg: f64,
    /// The constant deceleration by rolling, m/s^2.
    pub rolling_resistance_m_s2: f64,
    /// The deceleration by air is this times the square of the speed, 1/m.
    pub drag_per_m: f64,
    /// How it slides before it rolls; `None` always rolls.
    pub sliding: Option<Sliding>,
    /// What it keeps of its vertical speed when it comes down on the floor, in `[0, 1]`; 0 stays there.
    #[serde(default = "bounce")]
    pub bounce: f64,
    /// `0xRRGGBB`.
    pub colour: u32,
    /// Its surface; `None` takes the world's.
    pub surface: Option<Surface>,
}

/// How a ball slides before it rolls. (W5)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sliding {
    /// The constant deceleration by sliding, m/s^2.
    pub deceleration_m_s2: f64,
    /// Its moment of inertia over mass and square of the radius: 2/5 for a solid sphere, 2/3 for a thin shell.
    pub inertia_factor: f64,
}

/// A ball and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BallPlacement {
    /// What the ball is made of.
    pub ball: BallSpec,
    /// Where it starts, metres.
    pub position: [f64; 2],
    /// How fast it starts, m/s.
    pub velocity: [f64; 2],
    /// How high it starts, and how fast it rises.
    #[serde(default, skip_serializing_if = "is_default")]
    pub vertical: Vertical,
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
