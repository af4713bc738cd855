//! What may stand in a robot file.

use super::{COLOUR, MAX_HEADING_RAD, NAME, Outline, SENSOR_ID, ShapeKeys};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::timing::{MAX_DELAY_SECS, MAX_PHASE_SECS, MAX_RATE_HZ};

/// Steeper than this is no kick, radians.
pub(crate) const MAX_ELEVATION_RAD: f64 = 1.57;

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
    #[schemars(range(min = touchline_sim::scenario::MIN_MASS_KG, max = 1000.0))]
    pub mass_kg: f64,
    /// The strongest acceleration that the drive can bring to the ground, and with which it holds against what pushes it, m/s^2.
    #[serde(default = "default_traction")]
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
    pub traction_m_s2: f64,
    /// The colour of the body where neither the shape nor the team says one, `#rrggbb`.
    #[serde(default = "default_robot_colour")]
    #[schemars(pattern(COLOUR))]
    pub colour: String,
    /// Whether its motion model and its sensors run in processes of their own, each.
    #[serde(default)]
    pub isolate: bool,
    /// The shapes of the body, in the robot's frame.
    #[schemars(length(min = 1, max = 32))]
    pub body: Vec<Shape>,
    /// How the robot moves.
    pub motion: Motion,
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

/// How a robot moves.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Motion {
    /// The plugin's name: `touchline plugins` lists what there is.
    pub plugin: String,
    /// The plugin's own parameters: `touchline plugins` lists them.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Whether it runs in a process of its own: a crash, an endless loop or a full memory then costs no more than this plugin.
    #[serde(default)]
    pub isolate: bool,
    /// From a command, also a manipulator's, until it takes effect, seconds: what radio, serial line and controllers take.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_DELAY_SECS))]
    pub command_delay_s: f64,
    /// After so long without a new command the robot is told to stand, seconds: its watchdog. Without it a command stands until the
    /// next one.
    #[schemars(range(max = 3600.0), extend("exclusiveMinimum" = 0))]
    pub command_hold_s: Option<f64>,
}

/// A sensor.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sensor {
    /// Its name, unique within the robot.
    #[schemars(pattern(SENSOR_ID))]
    pub id: String,
    /// The make, such as `LMS200`: one of the words by which a player finds it. Its id, if it is not set.
    #[schemars(pattern(NAME))]
    pub model: Option<String>,
    /// The plugin's name.
    pub plugin: String,
    /// The plugin's own parameters.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Whether it runs in a process of its own: a crash, an endless loop or a full memory then costs no more than this plugin.
    #[serde(default)]
    pub isolate: bool,
    /// Where it sits on the robot; `theta_rad` is from -6.3 to 6.3.
    #[serde(default)]
    pub mount: Mount,
    /// A motion datum that turns it, such as `neck-angle`: radians against the body, added to the heading of its mount. Without it
    /// the mount is fixed.
    pub follows: Option<String>,
    /// Samples per second; between two of them the last one is read. Without it there is one in every step.
    #[schemars(range(max = MAX_RATE_HZ), extend("exclusiveMinimum" = 0))]
    pub rate_hz: Option<f64>,
    /// When the first sample is taken, from the beginning, seconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_PHASE_SECS))]
    pub phase_s: f64,
    /// From a sample until it can be read, seconds: exposure, work and transfer.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_DELAY_SECS))]
    pub delay_s: f64,
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
    /// The directions that a command may ask for in place of that, from and to, radians. Without it, none.
    pub direction_range_rad: Option<[f64; 2]>,
    /// Its elevation above the floor, radians: above 0 the ball flies.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_ELEVATION_RAD))]
    pub elevation_rad: f64,
    /// The elevations that a command may ask for in place of that, from and to, radians. Without it, none.
    pub elevation_range_rad: Option<[f64; 2]>,
    /// A ball is kicked if its centre lies in this rectangle.
    pub zone: Zone,
    /// The time until the next kick, seconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub recharge_s: f64,
    /// The time from the order to the kick, seconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub delay_s: f64,
    /// Standard deviation of the speed, as a part of it.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub speed_scatter: f64,
    /// Standard deviation of the direction, radians.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 3.0))]
    pub direction_scatter_rad: f64,
    /// Both scatters are greater by this part for each m/s with which the ball moves against the robot, s/m.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub scatter_growth_s_m: f64,
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
    #[schemars(range(min = -MAX_HEADING_RAD, max = MAX_HEADING_RAD))]
    pub theta_rad: f64,
    /// Its extent along its own x, metres.
    #[schemars(range(max = 5.0), extend("exclusiveMinimum" = 0))]
    pub length_m: f64,
    /// Its extent along its own y, metres.
    #[schemars(range(max = 5.0), extend("exclusiveMinimum" = 0))]
    pub width_m: f64,
    /// A ball whose lowest point is higher than this above the floor is out of reach, metres. Without it, as high as the robot's body.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub height_m: Option<f64>,
}

shape! {
    /// A geometric primitive of a robot.
    Shape {}
}
