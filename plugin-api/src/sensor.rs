//! Sensors: a pure reading of the world at one step. [P3, S1-S7]

use crate::container::Mount;
use crate::geometry::{Pose2, Twist2};
use crate::layout::Layout;
use crate::motion::MotionDescription;
use crate::noise::NoiseKey;
use crate::plugin::{Fault, Params, SetupError};
use crate::radio::Inbox;
use crate::state::State;
use crate::view::WorldView;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most numbers of a sensor that can be set.
pub const MAX_SENSOR_DATA: usize = 8;

/// One kind of sensor. The one function that has to be written is [`Sensor::generate`].
///
/// A reading is generated when somebody asks, by whichever thread asks, as often as anybody asks, and is the same
/// each time. What has to be integrated over time (drift, a filter) is integrated in [`Sensor::advance`].
pub trait Sensor: Send + Sync + Sized + 'static {
    /// The name by which robot files choose it.
    const NAME: &'static str;
    /// One-line summary, shown in lists of plugins.
    const SUMMARY: &'static str;
    /// What it is, such as `laser`: two plugins of one type are looked for by the same word. (P5)
    const TYPE: &'static str;
    /// Whether one instance serves all robots that have the sensor alike: then a thousand robots share one, and start in a fraction of the time.
    /// [`SensorSetup::robot`] is the name of the first of them then; all else in the setup is the same for all, and so are the parameters.
    const SERVES_ALL: bool = false;
    /// Whether what its robot hears by radio is nothing to it ([`AdvanceInput::inbox`]): then nobody lays it out for it in each step.
    const IS_DEAF: bool = false;
    /// What stands in the robot file's table.
    type Params: Params;
    /// What it integrates over time; most sensors are [`crate::state::Stateless`].
    type State: State;

    /// Makes an instance.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    fn new(params: Self::Params, setup: &SensorSetup) -> Result<Self, SetupError>;

    /// What the integers mean. Asked once; its length never changes.
    fn layout(&self) -> Layout;

    /// What its robot's player or client can set of it, such as a view's width; at most [`MAX_SENSOR_DATA`]. Asked once.
    fn data(&self) -> Vec<SensorDatum> {
        Vec::new()
    }

    /// The state before the first step.
    fn initial_state(&self) -> Self::State;

    /// Integrates one step. Called every step, unless the state is [`crate::state::Stateless`].
    ///
    /// # Errors
    /// A [`Fault`] stops this instance for good.
    fn advance(&self, state: &mut Self::State, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        let _ = (state, input);
        Ok(())
    }

    /// Reads the world.
    ///
    /// `quantised` has the layout's length and comes filled with zeros.
    ///
    /// # Errors
    /// Who reads gets the [`Fault`], and the next reading is a new attempt. If it was a player plugin that wanted the reading,
    /// the instance is stopped for good, so that a run does not depend on who looks on.
    fn generate(
        &self,
        state: &Self::State,
        input: &SensorInput<'_>,
        quantised: &mut [u32],
    ) -> Result<(), Fault>;
}

/// A number of a sensor that its robot's player or client can set. Who sets it has it read so from this step on, or when the robot's
/// commands arrive, if they take time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SensorDatum {
    /// Such as `view-width`.
    pub name: String,
    /// Such as `rad`.
    pub unit: String,
    /// What it is before anybody sets it, within its range.
    pub initial: f64,
    /// The lowest value.
    pub min: f64,
    /// The highest value.
    pub max: f64,
}

impl SensorDatum {
    /// Whether it can have this value. NaN is none.
    pub fn allows(&self, value: f64) -> bool {
        value >= self.min && value <= self.max
    }
}

/// What a sensor is told when it is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensorSetup {
    /// The robot's name.
    pub robot: String,
    /// The sensor's name within the robot.
    pub id: String,
    /// The make, from the robot file.
    pub model: String,
    /// Where it sits.
    pub mount: Mount,
    /// The length of one step, seconds.
    pub dt_secs: f64,
    /// What the robot's motion model takes and publishes.
    pub motion: MotionDescription,
    /// The names of the world's teams, in their order.
    pub teams: Vec<String>,
    /// The robot's team: index into `teams`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<u32>,
    /// The names of the world's fixtures, in the order of their shapes in the view, as in
    /// [`WorldDescription::fixtures`](crate::world::WorldDescription::fixtures).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixtures: Vec<String>,
}

/// What a sensor is told of its own robot after each step.
#[derive(Clone, Copy, Debug)]
pub struct AdvanceInput<'a> {
    /// The length of the step, seconds.
    pub dt_secs: f64,
    /// How the robot's pose changed in this step, in the body frame at its beginning.
    pub displacement: Pose2,
    /// The robot's velocity at the end of the step, in the body frame.
    pub twist: Twist2,
    /// The robot's pose in the world at the end of the step.
    pub pose: Pose2,
    /// What the motion model published.
    pub motion_data: &'a [f64],
    /// Its own data, as they are set: one number for each of [`Sensor::data`].
    pub data: &'a [f64],
    /// What its robot has been told by radio in this step, and what was said to it in this step.
    pub inbox: Inbox<'a>,
    /// This instance's random stream of this step.
    pub noise: NoiseKey,
}

/// What a sensor sees when it is read.
#[derive(Clone, Copy, Debug)]
pub struct SensorInput<'a> {
    /// Objects and shapes of the world at the time of the reading.
    pub view: WorldView<'a>,
    /// The number of the robot that carries the sensor.
    pub robot: u32,
    /// The index of that robot in [`WorldView::objects`].
    pub robot_object: u32,
    /// The robot's pose in the world.
    pub robot_pose: Pose2,
    /// The robot's velocity, in its body frame.
    pub robot_twist: Twist2,
    /// The sensor's own pose in the world: the robot's pose and the mounting, turned by the motion datum that it follows, if any.
    pub sensor_pose: Pose2,
    /// The sensor's height above the floor, metres.
    pub sensor_z_m: f64,
    /// What the motion model published.
    pub motion_data: &'a [f64],
    /// Its own data, as they are set: one number for each of [`Sensor::data`].
    pub data: &'a [f64],
    /// This instance's random stream of this step.
    pub noise: NoiseKey,
}
