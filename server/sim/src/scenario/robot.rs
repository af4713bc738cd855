//! What a robot is made of: one robot file. (R1)

use super::{PluginChoice, Primitive, is_default};
use serde::{Deserialize, Serialize};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::Pose2;

/// One robot file. (R1)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobotSpec {
    /// The make, such as `pioneer`.
    pub model: String,
    /// The body's shapes, in the robot's frame.
    pub body: Vec<Primitive>,
    /// Kilograms, shared out over the body's shapes by their area.
    pub mass_kg: f64,
    /// The strongest acceleration that the drive can bring to the ground, m/s^2.
    pub traction_m_s2: f64,
    /// The colour of the body where neither the shape nor the team says one, `0xRRGGBB`.
    pub colour: u32,
    /// Motion plugin, with its parameters.
    pub motion: PluginChoice,
    /// Sensors, in the order of the robot file.
    pub sensors: Vec<SensorSpec>,
    /// Manipulators, such as a kicker, in the order of the robot file.
    pub manipulators: Vec<ManipulatorSpec>,
    /// When commands take effect, and how long they last.
    #[serde(default, skip_serializing_if = "is_default")]
    pub commands: CommandTiming,
}

/// A sensor of a robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensorSpec {
    /// Its name, unique within the robot.
    pub id: String,
    /// The make, such as `LMS200`.
    pub model: String,
    /// Pose in the robot's frame.
    pub mount: Mount,
    /// The motion datum that turns the mount, such as `neck-angle`: radians, added to its heading.
    #[serde(default, skip_serializing_if = "is_default")]
    pub follows: Option<String>,
    /// Sensor plugin, with its parameters.
    pub choice: PluginChoice,
    /// When it does so, and when that can be read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timing: SensorTiming,
}

/// When a sensor samples the world, and when a sample can be read; by default it shows the world as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SensorTiming {
    /// Samples per second; between two of them the last one is read. `None` samples in every step.
    pub rate_hz: Option<f64>,
    /// When the first sample is taken, from the beginning of the episode, seconds.
    pub phase_secs: f64,
    /// From the sample until it can be read, seconds: exposure, work and transfer.
    pub delay_secs: f64,
}

/// What happens to commands between who gives them and the robot; by default they take effect at once, and stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommandTiming {
    /// From a command, also a manipulator's, until it takes effect, seconds.
    pub delay_secs: f64,
    /// After so long without a new one the motion command is zero, seconds.
    pub hold_secs: Option<f64>,
}

/// A part of the robot that switches between states of different shape. (R5)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManipulatorSpec {
    /// Its name, unique within the robot.
    pub name: String,
    /// Its states, at least one; it starts in the first.
    pub states: Vec<ManipulatorState>,
}

impl ManipulatorSpec {
    pub(crate) fn can_hold(&self) -> bool {
        self.states.iter().any(|state| state.hold.is_some())
    }

    /// Whether the robot looks, and is, another in the one state than in the other.
    pub(crate) fn changes_shape(&self, from: usize, to: usize) -> bool {
        let shapes = |state: usize| self.states.get(state).map_or(&[][..], |state| &state.shapes);
        from != to && shapes(from) != shapes(to)
    }
}

/// One state of a manipulator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManipulatorState {
    /// Its name, unique within the manipulator.
    pub name: String,
    /// Its shapes, in the robot's frame; may be none.
    pub shapes: Vec<Primitive>,
    /// What it does to a ball when it is entered.
    pub kick: Option<Kick>,
    /// What it does to a ball as long as it lasts.
    pub hold: Option<Hold>,
    /// After this time it goes back to the first state, seconds; `None` stays.
    pub returns_after_secs: Option<f64>,
}

/// How a state accelerates a ball. (R5)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kick {
    /// The ball's speed against the robot after a kick of full strength, m/s.
    pub speed_m_s: f64,
    /// Its direction in the robot's frame, radians.
    pub direction_rad: f64,
    /// The directions that a command may ask for instead, from and to, radians; `None` is no other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub direction_range_rad: Option<[f64; 2]>,
    /// Its elevation above the floor in `[0, pi/2)`, radians.
    #[serde(default)]
    pub elevation_rad: f64,
    /// The elevations that a command may ask for instead, from and to, radians; `None` is no other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub elevation_range_rad: Option<[f64; 2]>,
    /// A ball is kicked if its centre lies here.
    pub zone: Zone,
    /// The time until the next kick, seconds.
    pub recharge_secs: f64,
    /// The time from the order to the kick, seconds; 0 kicks at once.
    #[serde(default)]
    pub delay_secs: f64,
    /// Standard deviation of the speed, as a part of it.
    #[serde(default)]
    pub speed_scatter: f64,
    /// Standard deviation of the direction, radians.
    #[serde(default)]
    pub direction_scatter_rad: f64,
    /// Both scatters are greater by this part for each m/s with which the ball moves against the robot, s/m.
    #[serde(default)]
    pub scatter_growth_s_m: f64,
}

/// How a state keeps a ball at the robot: a dribbler's roller. (R5)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    /// A ball is held, and pulled to the middle, if its centre lies here.
    pub zone: Zone,
    /// The greatest force on the ball, newtons; what pulls harder gets it out.
    pub force_n: f64,
}

/// A rectangle in the robot's frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zone {
    /// Its middle, and the direction of its length.
    pub pose: Pose2,
    /// Its length along its x and its width along its y, metres.
    pub size_m: [f64; 2],
    /// A ball whose lowest point is higher than this is out of reach, metres above the floor.
    pub height_m: f64,
}

impl Zone {
    /// Whether a point in the robot's frame lies in it.
    pub fn contains(&self, point: [f64; 2]) -> bool {
        // Most balls are far away, and need no sine.
        let (dx, dy) = (point[0] - self.pose.x_m, point[1] - self.pose.y_m);
        if dx.abs().max(dy.abs()) > self.size_m[0] + self.size_m[1] {
            return false;
        }
        let [x, y] = self.pose.point_to_inner(point);
        x.abs() <= self.size_m[0] / 2.0 && y.abs() <= self.size_m[1] / 2.0
    }
}
