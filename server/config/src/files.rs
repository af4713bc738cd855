//! What may stand in robot and world files: one type per table, the source of parser, JSON Schema and reference.
//!
//! # Units, frames
//! SI and radians; x forward, y left, angles counter-clockwise; the world's origin is the middle of the field.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::Role;

/// A word that can be used in a command: letters, digits, `_`, `.` and `-`.
pub(crate) const NAME: &str = "^[A-Za-z0-9_.-]{1,64}$";
pub(crate) const COLOUR: &str = "^#[0-9A-Fa-f]{6}$";

/// A robot: one make, from which any number of robots can be built.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Touchline robot file")]
pub(crate) struct RobotFile {
    /// Files with parts of a robot, relative to this file. Their `[[…]]` lists come before this file's own; an entry with
    /// the name of one of theirs changes that one. A key that this file sets as well is taken from this file.
    #[serde(default)]
    #[schemars(length(max = 32))]
    #[allow(dead_code, reason = "worked out before the types are read")]
    pub include: Vec<String>,
    /// The make, such as `pioneer`.
    #[schemars(pattern(NAME))]
    pub model: String,
    /// The mass of the whole robot, kilograms.
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
    pub mass_kg: f64,
    /// The strongest acceleration that the drive can bring to the ground, m/s^2.
    #[serde(default = "default_traction")]
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
    pub traction_m_s2: f64,
    /// The colour of the body where neither the shape nor the team says one, `#rrggbb`.
    #[serde(default = "default_robot_colour")]
    #[schemars(pattern(COLOUR))]
    pub colour: String,
    /// The shapes of the body, in the robot's frame.
    #[schemars(length(min = 1, max = 32))]
    pub body: Vec<Shape>,
    /// How the robot moves.
    pub motion: Plugin,
    /// What the robot perceives.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub sensor: Vec<Sensor>,
    /// What the robot can switch.
    #[serde(default)]
    #[schemars(length(max = 16))]
    pub manipulator: Vec<Manipulator>,
}

fn default_traction() -> f64 {
    6.0
}

fn default_robot_colour() -> String {
    "#404040".into()
}

/// A plugin and its parameters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plugin {
    /// The plugin's name: `touchline plugins` lists what there is.
    pub plugin: String,
    /// The plugin's own parameters: `touchline plugins` lists them.
    #[serde(default)]
    pub params: Map<String, Value>,
}

/// A sensor.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sensor {
    /// Its name, unique within the robot.
    #[schemars(pattern(NAME))]
    pub id: String,
    /// The make, such as `LMS200`: one of the words by which a player finds it. Its id, if it is not set.
    #[schemars(pattern(NAME))]
    pub model: Option<String>,
    /// The plugin's name.
    pub plugin: String,
    /// The plugin's own parameters.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Where it sits on the robot.
    #[serde(default)]
    pub mount: Mount,
}

/// A part of the robot that switches between states of different shape.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manipulator {
    /// Its name, unique within the robot.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// Its states; it starts in the first.
    #[schemars(length(min = 1, max = 16))]
    pub state: Vec<State>,
}

/// A state of a manipulator.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    /// Its name, unique within the manipulator.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// After this time it goes back to the first state, seconds. Without it, it stays.
    #[schemars(range(max = 3600.0), extend("exclusiveMinimum" = 0))]
    pub returns_after_s: Option<f64>,
    /// What it does to a ball when it is entered.
    pub kick: Option<Kick>,
    /// What it does to a ball as long as it lasts: a dribbler.
    pub hold: Option<Hold>,
    /// Its shapes, in the robot's frame; there may be none.
    #[serde(default)]
    #[schemars(length(max = 16))]
    pub shape: Vec<Shape>,
}

/// How a state of a manipulator accelerates a ball.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kick {
    /// The ball's speed against the robot after a kick of full strength, m/s.
    #[schemars(range(max = 30.0), extend("exclusiveMinimum" = 0))]
    pub speed_m_s: f64,
    /// Its direction in the robot's frame, radians.
    #[serde(default)]
    #[schemars(range(min = -7.0, max = 7.0))]
    pub direction_rad: f64,
    /// A ball is kicked if its centre lies in this rectangle.
    pub zone: Zone,
    /// The time until the next kick, seconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub recharge_s: f64,
}

/// How a state of a manipulator keeps a ball at the robot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hold {
    /// A ball is held, and pulled to the middle, if its centre lies in this rectangle.
    pub zone: Zone,
    /// The greatest force on the ball, newtons; what pulls harder gets it out.
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
    pub force_n: f64,
}

/// A rectangle in the robot's frame.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Zone {
    /// Its middle, forward of the robot's centre, metres.
    #[serde(default)]
    #[schemars(range(min = -5.0, max = 5.0))]
    pub x_m: f64,
    /// Its middle, left of the robot's centre, metres.
    #[serde(default)]
    #[schemars(range(min = -5.0, max = 5.0))]
    pub y_m: f64,
    /// Its heading, radians.
    #[serde(default)]
    pub theta_rad: f64,
    /// Its extent along its own x, metres.
    #[schemars(range(max = 5.0), extend("exclusiveMinimum" = 0))]
    pub length_m: f64,
    /// Its extent along its own y, metres.
    #[schemars(range(max = 5.0), extend("exclusiveMinimum" = 0))]
    pub width_m: f64,
}

/// The outline of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outline {
    /// `length_m` along its x, `width_m` along its y.
    Rectangle,
    /// `length_m` along its x, `width_m` along its y.
    Ellipse,
    /// `radius_m`.
    Circle,
    /// `corners_m`.
    Triangle,
}

/// Makes a table of the keys that every shape has, and of its own. (serde's `flatten` would lose the places of errors.)
macro_rules! shape {
    ($(#[$attribute:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            /// The outline.
            pub shape: Outline,
            /// The extent along its own x (rectangle, ellipse), metres.
            #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
            pub length_m: Option<f64>,
            /// The extent along its own y (rectangle, ellipse), metres.
            #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
            pub width_m: Option<f64>,
            /// The radius (circle), metres.
            #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
            pub radius_m: Option<f64>,
            /// The three corners (triangle) in the shape's frame: `[[x, y], [x, y], [x, y]]`, metres.
            pub corners_m: Option<[[f64; 2]; 3]>,
            /// Its place, metres.
            #[serde(default)]
            #[schemars(range(min = -1000.0, max = 1000.0))]
            pub x_m: f64,
            /// Its place, metres.
            #[serde(default)]
            #[schemars(range(min = -1000.0, max = 1000.0))]
            pub y_m: f64,
            /// Its heading, radians.
            #[serde(default)]
            pub theta_rad: f64,
            /// Its lowest and its highest height above the floor: `[bottom, top]`, metres. Without it, 0 to 0.5; on the
            /// floor, if it is not solid.
            pub z_m: Option<[f64; 2]>,
            /// Its colour, `#rrggbb`; without it, that of what it is part of.
            #[schemars(pattern(COLOUR))]
            pub colour: Option<String>,
            /// Coulomb's coefficient of its surface; set together with `restitution`, or neither: then the world's.
            #[schemars(range(min = 0.0, max = 10.0))]
            pub friction: Option<f64>,
            /// Newton's coefficient of restitution of its surface.
            #[schemars(range(min = 0.0, max = 1.0))]
            pub restitution: Option<f64>,
            $($own)*
        }

        impl $name {
            /// The keys that every shape has.
            pub(crate) fn outline(&self) -> ShapeKeys<'_> {
                ShapeKeys {
                    shape: self.shape,
                    length_m: self.length_m,
                    width_m: self.width_m,
                    radius_m: self.radius_m,
                    corners_m: self.corners_m,
                    pose: Pose2::new(self.x_m, self.y_m, self.theta_rad),
                    z_m: self.z_m,
                    colour: self.colour.as_deref(),
                    friction: self.friction,
                    restitution: self.restitution,
                }
            }
        }
    };
}

/// The keys that every shape has, read from either table.
pub(crate) struct ShapeKeys<'a> {
    pub shape: Outline,
    pub length_m: Option<f64>,
    pub width_m: Option<f64>,
    pub radius_m: Option<f64>,
    pub corners_m: Option<[[f64; 2]; 3]>,
    pub pose: Pose2,
    pub z_m: Option<[f64; 2]>,
    pub colour: Option<&'a str>,
    pub friction: Option<f64>,
    pub restitution: Option<f64>,
}

shape! {
    /// A geometric primitive of a robot.
    Shape {}
}

shape! {
    /// A geometric primitive of the world: a wall, a goal, a pole, a line.
    Fixture {
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
    #[schemars(length(max = 4096))]
    pub robot: Vec<Robot>,
    /// The rules; without them nobody judges.
    pub referee: Option<Plugin>,
    /// How robots hear each other.
    #[serde(default)]
    pub radio: Radio,
    /// How it is played in episodes, for learning and benchmarks; without it, it goes on without end.
    pub episode: Option<Episode>,
}

pub(crate) fn default_dt() -> f64 {
    0.01
}

/// What happens where two bodies touch.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Surface {
    /// Coulomb's coefficient: 0 slips, above about 1 sticks. Two surfaces meet with the mean of theirs.
    #[serde(default = "default_friction")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub friction: f64,
    /// Newton's coefficient of restitution. Two surfaces meet with the greater of theirs.
    #[serde(default = "default_restitution")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f64,
}

fn default_friction() -> f64 {
    0.5
}

fn default_restitution() -> f64 {
    0.3
}

impl Default for Surface {
    fn default() -> Self {
        Self { friction: default_friction(), restitution: default_restitution() }
    }
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
}

/// A ball and where it starts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ball {
    /// The radius, metres.
    #[schemars(range(min = 0.001, max = 5.0))]
    pub radius_m: f64,
    /// The mass, kilograms.
    #[schemars(range(min = 0.0001, max = 100.0))]
    pub mass_kg: f64,
    /// The constant deceleration by rolling, m/s^2.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub rolling_resistance_m_s2: f64,
    /// The deceleration by air is this times the square of the speed, 1/m.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub drag_per_m: f64,
    /// How it slides after a kick or a bounce, before it rolls. Without it, it always rolls.
    pub sliding: Option<Sliding>,
    /// Its colour, `#rrggbb`.
    #[serde(default = "default_ball_colour")]
    #[schemars(pattern(COLOUR))]
    pub colour: String,
    /// Coulomb's coefficient of its surface; set together with `restitution`, or neither: then the world's.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub friction: Option<f64>,
    /// Newton's coefficient of restitution of its surface.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: Option<f64>,
    /// Where it starts, metres.
    #[serde(default)]
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub x_m: f64,
    /// Where it starts, metres.
    #[serde(default)]
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub y_m: f64,
    /// How fast it starts, along the world's x and y, m/s.
    #[serde(default)]
    pub velocity_m_s: [f64; 2],
}

/// How a ball slides before it rolls.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sliding {
    /// The constant deceleration by sliding, m/s^2.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 0))]
    pub deceleration_m_s2: f64,
    /// Its moment of inertia over mass and square of the radius: 0.4 for a solid ball, 0.667 for a shell.
    #[serde(default = "default_inertia_factor")]
    #[schemars(range(min = 0.01, max = 1.0))]
    pub inertia_factor: f64,
}

fn default_inertia_factor() -> f64 {
    0.4
}

fn default_ball_colour() -> String {
    "#ff7800".into()
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
}

fn default_max_bytes() -> u32 {
    256
}

impl Default for Radio {
    fn default() -> Self {
        Self { range_m: None, loss: 0.0, max_bytes: default_max_bytes() }
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
    /// Metres.
    pub x_m: [f64; 2],
    /// Metres.
    pub y_m: [f64; 2],
    /// A robot's heading, or the direction in which a ball moves, radians.
    #[serde(default)]
    pub theta_rad: [f64; 2],
    /// How fast a ball starts, m/s; robots start at rest.
    #[serde(default)]
    pub speed_m_s: [f64; 2],
}
