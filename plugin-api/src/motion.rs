//! Motion models: from a command to the velocity that is wanted over one step. [R2-R4, M1-M3]

use crate::geometry::Twist2;
use crate::noise::NoiseKey;
use crate::plugin::{Fault, Params, SetupError};
use crate::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most numbers that a motion command can have.
pub const MAX_DIMENSIONS: usize = 8;
/// The greatest velocity along an axis by which a world moves a robot or a ball, m/s: a model that wants more is stopped.
pub const MAX_SPEED_M_S: f64 = 50.0;
/// The greatest rate of turn of a robot, rad/s.
pub const MAX_TURN_RAD_S: f64 = 100.0;
/// The most numbers of internal state that a motion model can publish.
pub const MAX_MOTION_DATA: usize = 16;

/// How one kind of robot moves.
///
/// The physics has the last word: what was achieved in the last step comes back in the next [`MotionInput`].
pub trait Motion: Send + Sync + Sized + 'static {
    /// The name by which robot files choose it.
    const NAME: &'static str;
    /// One-line summary, shown in lists of plugins.
    const SUMMARY: &'static str;
    /// What stands in the robot file's table.
    type Params: Params;
    /// What it remembers from step to step.
    type State: State;

    /// Makes an instance.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    fn new(params: Self::Params, setup: &MotionSetup) -> Result<Self, SetupError>;

    /// What the command's numbers mean, and what motion data is published.
    fn description(&self) -> MotionDescription;

    /// The state before the first step.
    fn initial_state(&self) -> Self::State;

    /// Says how the robot would move over the next step if nothing were in its way.
    ///
    /// # Errors
    /// A [`Fault`] stops this instance for good; its robot stands still.
    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault>;
}

/// What a motion model is told when it is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionSetup {
    /// Name of the robot that the model moves.
    pub robot: String,
    /// The length of one step, seconds.
    pub dt_secs: f64,
}

/// What a motion model takes and publishes. [R3, R4]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MotionDescription {
    /// The command's numbers, at most [`MAX_DIMENSIONS`].
    pub dimensions: Vec<CommandDimension>,
    /// The published motion data, at most [`MAX_MOTION_DATA`].
    pub data: Vec<MotionDatum>,
    /// How long a command counts.
    #[serde(default)]
    pub command_life: CommandLife,
}

/// How long a command counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CommandLife {
    /// Until another one comes.
    #[default]
    Stands,
    /// For one step; then all its numbers are 0 again, as for a player of the Soccer Server that dashes.
    OneStep,
}

impl MotionDescription {
    /// Which number of the command plays this part.
    pub fn dimension(&self, part: CommandPart) -> Option<usize> {
        self.dimensions.iter().position(|dimension| dimension.part == part)
    }
}

/// One number of a motion command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandDimension {
    /// Such as `forward`.
    pub name: String,
    /// Such as `m/s`.
    pub unit: String,
    /// The lowest number that has an effect.
    pub min: f64,
    /// The highest number that has an effect.
    pub max: f64,
    /// Which of the standard commands sets it.
    pub part: CommandPart,
}

impl CommandDimension {
    /// A number of which as much has an effect to one side as to the other: from `-max` to `max`.
    pub fn symmetric(name: &str, unit: &str, max: f64, part: CommandPart) -> Self {
        Self { name: name.into(), unit: unit.into(), min: -max, max, part }
    }
}

/// The standard commands, which every client knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CommandPart {
    /// The translational velocity, forward.
    Forward,
    /// The translational velocity to the left.
    Left,
    /// The rotational velocity.
    Turn,
    /// None of them: set by the command vector alone.
    Other,
}

/// One published number of internal state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MotionDatum {
    /// Such as `wheel-left`.
    pub name: String,
    /// Such as `rad/s`.
    pub unit: String,
    /// What it is before the first step.
    #[serde(default)]
    pub initial: f64,
    /// Whether a referee may set it between two steps, as it fills up a stamina or a battery.
    #[serde(default)]
    pub settable: bool,
}

impl MotionDatum {
    /// A number that the model alone sets, 0 before the first step.
    pub fn new(name: &str, unit: &str) -> Self {
        Self { name: name.into(), unit: unit.into(), initial: 0.0, settable: false }
    }

    /// A number that a referee may set as well.
    pub fn settable(name: &str, unit: &str, initial: f64) -> Self {
        Self { name: name.into(), unit: unit.into(), initial, settable: true }
    }
}

/// What a motion model is told at each step.
#[derive(Clone, Copy, Debug)]
pub struct MotionInput<'a> {
    /// The length of the step, seconds.
    pub dt_secs: f64,
    /// The command, one number for each dimension, finite; not yet held to the dimensions' ranges.
    pub command: &'a [f64],
    /// The data that it published last, with what a referee has set since.
    pub data: &'a [f64],
    /// The constant velocity in the body frame that makes the last step's change of pose.
    pub achieved: Twist2,
    /// The velocity now, in the body frame.
    pub twist: Twist2,
    /// This instance's random stream of this step.
    pub noise: NoiseKey,
}

/// What a motion model wants of the next step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, abi_stable::StableAbi)]
pub struct MotionOutput {
    /// The velocity over the step, constant in the body frame: the robot goes on an arc, which the physics follows exactly.
    pub twist: Twist2,
    /// The velocity at the end of the step, in the body frame there; another one than `twist` where the robot gains speed.
    pub end_twist: Twist2,
    /// The motion data, as many numbers as the description says; the rest is 0.
    pub data: [f64; MAX_MOTION_DATA],
}

impl MotionOutput {
    /// One velocity over the whole step and at its end, and no data.
    pub fn steady(twist: Twist2) -> Self {
        Self { twist, end_twist: twist, data: [0.0; MAX_MOTION_DATA] }
    }

    /// Looks at what a motion model with so many motion data gave; what is behind these becomes 0.
    ///
    /// # Errors
    /// When a number is not finite.
    #[inline]
    pub fn check(&mut self, data: usize) -> Result<(), Fault> {
        for (index, datum) in self.data.iter_mut().enumerate() {
            // One by one: to fill what may be none takes a call.
            *datum = if index < data { *datum } else { 0.0 };
        }
        self.check_published(data)
    }

    /// Looks at the velocities and the first data.
    #[inline]
    pub(crate) fn check_published(&self, data: usize) -> Result<(), Fault> {
        let is_finite = self.twist.is_finite()
            && self.end_twist.is_finite()
            && self.data.iter().take(data).all(|datum| datum.is_finite());
        if is_finite { Ok(()) } else { Err(self.not_finite()) }
    }

    #[cold]
    fn not_finite(&self) -> Fault {
        Fault::BadOutput(if !self.twist.is_finite() {
            format!("its velocity is not finite: {:?}", self.twist)
        } else if !self.end_twist.is_finite() {
            format!("its velocity at the end is not finite: {:?}", self.end_twist)
        } else {
            let index = self.data.iter().position(|datum| !datum.is_finite()).unwrap_or_default();
            format!("its motion datum {index} is not finite: {}", self.data[index])
        })
    }
}
