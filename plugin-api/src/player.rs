//! Players: one function, sense and act, that drives one robot, or speaks for a team. (Y1)

use crate::container::{FeatureHandle, Reading, SensorCatalogue};
use crate::game::Game;
use crate::motion::{MAX_MOTION_DATA, MotionDescription};
use crate::noise::NoiseKey;
use crate::orders::Orders;
use crate::plugin::{Fault, Params, SetupError};
use crate::radio::Inbox;
use crate::state::State;
use crate::view::{NONE, WorldView};
use crate::world::WorldDescription;
use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What drives a robot from inside the server.
pub trait Player: Send + Sync + Sized + 'static {
    /// The name by which world files choose it.
    const NAME: &'static str;
    /// One-line summary, shown in lists of plugins.
    const SUMMARY: &'static str;
    /// What stands in the world file's table.
    type Params: Params;
    /// What it remembers from one call to the next.
    type State: State;

    /// Makes an instance for one robot. The place to look up features in the robot's sensors.
    ///
    /// # Errors
    /// Names every parameter that is wrong, or what the robot lacks.
    fn new(params: Self::Params, setup: &PlayerSetup) -> Result<Self, SetupError>;

    /// The features that it reads; only their sensors are generated.
    fn wants(&self) -> Vec<FeatureHandle>;

    /// The state before the first call.
    fn initial_state(&self) -> Self::State;

    /// Reads the sensors and says what the robot shall do.
    ///
    /// # Errors
    /// A [`Fault`] stops this player for good; its robot stands still.
    fn sense_and_act(
        &self,
        state: &mut Self::State,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault>;
}

/// What a player is told when it is made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerSetup {
    /// Its robot. For one that belongs to a team (a coach, a trainer) its own name and team, and nothing else.
    pub robot: RobotDescription,
    /// The team's robots that the world file has, if it belongs to a team; none if it drives a robot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub team_robots: Vec<RobotDescription>,
    /// The names of the world's teams, in their order.
    pub teams: Vec<String>,
    /// The time between two calls, seconds.
    pub period_secs: f64,
    /// What the world file says of the world; nothing, where there is none.
    #[serde(default)]
    pub world: WorldDescription,
}

/// A robot, as those see it who drive it: players on the server, clients outside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RobotDescription {
    /// Its name, unique in the world.
    pub name: String,
    /// Its team: index into the world's teams.
    pub team: Option<u32>,
    /// No point of the robot is farther from its origin, metres.
    pub radius_m: f64,
    /// What its motion model takes.
    pub motion: MotionDescription,
    /// Its sensors.
    pub sensors: SensorCatalogue,
    /// Its manipulators.
    pub manipulators: Vec<ManipulatorDescription>,
}

/// A part of the robot that switches between states. (R5)
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ManipulatorDescription {
    /// Such as `kicker`.
    pub name: String,
    /// The names of its states; it starts in the first.
    pub states: Vec<String>,
}

impl RobotDescription {
    /// The numbers of a manipulator and of one of its states.
    pub fn manipulator(&self, name: &str, state: &str) -> Option<(usize, usize)> {
        let index = self.manipulators.iter().position(|m| m.name == name)?;
        let state = self.manipulators[index].states.iter().position(|s| s == state)?;
        Some((index, state))
    }
}

/// A manipulator at one step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct ManipulatorStatus {
    /// The state in which it is: index into its description's states.
    pub state: u32,
    /// 1 if it touches a ball, or has one in its zone.
    pub has_ball: u32,
    /// How long until it can accelerate the ball again, seconds; 0 if it is ready.
    pub ready_in_secs: f64,
}

/// Where one sensor's integers lie among the readings.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct ReadingSpan {
    /// The first integer, or [`NONE`] if there is no reading.
    pub start: u32,
    /// Number of integers of the reading.
    pub len: u32,
    /// When the reading was taken, simulated seconds: earlier than now for a sensor with a rate or a delay. 0 if there is none.
    pub stamp_secs: f64,
}

impl ReadingSpan {
    /// Of a sensor that was not wanted, has failed, or has nothing to be read yet.
    pub const NOTHING: Self = Self { start: NONE, len: 0, stamp_secs: 0.0 };
}

/// The readings of one call: those of the sensors that the player wants.
#[derive(Clone, Copy, Debug)]
pub struct Readings<'a> {
    /// Descriptions of the robot's sensors.
    pub catalogue: &'a SensorCatalogue,
    /// One entry for each sensor of the catalogue.
    pub spans: &'a [ReadingSpan],
    /// Integers of all readings, one after the other.
    pub quantised: &'a [u32],
    /// The time of this call, simulated seconds; each reading has its own stamp.
    pub stamp_secs: f64,
}

impl<'a> Readings<'a> {
    /// A feature's reading; `None` if the player did not want it, its sensor has failed, or has nothing to be read yet.
    pub fn get(&self, handle: FeatureHandle) -> Option<Reading<'a>> {
        let span = self.spans.get(handle.sensor).filter(|span| span.start != NONE)?;
        let sensor = self.quantised.get(span.start as usize..)?.get(..span.len as usize)?;
        let layout = &self.catalogue.sensors[handle.sensor].layout;
        Some(Reading {
            feature: layout.features.get(handle.feature)?,
            quantised: sensor.get(layout.range(handle.feature))?,
            stamp_secs: span.stamp_secs,
        })
    }
}

/// What one robot's motion model publishes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct DataRecord {
    /// Number of the robot.
    pub robot: u32,
    /// Number of valid entries of `values`.
    pub len: u32,
    /// In the order of its description's data.
    pub values: [f64; MAX_MOTION_DATA],
}

/// What a player is told at each call.
#[derive(Clone, Copy, Debug)]
pub struct PlayerInput<'a> {
    /// The number of its robot; [`NONE`] for one that belongs to a team.
    pub robot: u32,
    /// The time since the last call, seconds; 0 at the first.
    pub elapsed_secs: f64,
    /// The sensors that it wants, all of one and the same step.
    pub readings: Readings<'a>,
    /// State of each manipulator, in the order of its description.
    pub manipulators: &'a [ManipulatorStatus],
    /// Radio messages since the last call.
    pub inbox: Inbox<'a>,
    /// What the motion models of all robots publish, in the order of the robots' numbers, for one that belongs to a team and sees the
    /// truth; nothing for any other.
    pub motion_data: &'a [DataRecord],
    /// State of the game, as the referee gave it last.
    pub game: Game<'a>,
    /// The world itself, for benchmark players; players that shall run on a real robot do not look. Empty for one that belongs to
    /// a team and sees nothing.
    pub view: WorldView<'a>,
    /// This instance's random stream of this step.
    pub noise: NoiseKey,
}

/// Whether a robot may be called so: commands and answers tell robots' names from numbers, and from `me`. How long a name may be is
/// said elsewhere.
///
/// ```
/// # use touchline_plugin_api::player::is_robot_name;
/// assert!(is_robot_name("blue-1"));
/// assert!(!is_robot_name("17") && !is_robot_name("Me") && !is_robot_name(".."));
/// ```
pub fn is_robot_name(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    !name.is_empty()
        && name.bytes().all(allowed)
        && !name.bytes().all(|b| b.is_ascii_digit())
        && !name.bytes().all(|b| b == b'.')
        && !name.eq_ignore_ascii_case("me")
        && name != "-"
}
