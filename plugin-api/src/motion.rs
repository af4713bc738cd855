//! Motion models: from a command to the relative change of pose over one cycle. [R2-R4, M1-M3]

use crate::geometry::{Pose2, Twist2};
use crate::noise::NoiseKey;
use crate::plugin::{Fault, Params, SetupError};
use crate::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most numbers that a motion command can have.
pub const MAX_DIMENSIONS: usize = 8;
/// The most numbers of internal state that a motion model can publish.
pub const MAX_MOTION_DATA: usize = 8;

/// How one kind of robot moves.
///
/// The physics has the last word: what was achieved in the last cycle comes back in the next [`MotionInput`].
pub trait Motion: Send + Sync + Sized + 'static {
    /// The name by which robot files choose it.
    const NAME: &'static str;
    /// One line for people.
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

    /// Says what the robot would do over the next cycle if nothing were in its way.
    ///
    /// # Errors
    /// A [`Fault`] stops this instance for good; its robot stands still.
    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault>;
}

/// What a motion model is told when it is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionSetup {
    /// The robot's name.
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
}

/// What a motion model is told each cycle.
#[derive(Clone, Copy, Debug)]
pub struct MotionInput<'a> {
    /// The length of the cycle, seconds.
    pub dt_secs: f64,
    /// The command, one number for each dimension, finite; not yet held to the dimensions' ranges.
    pub command: &'a [f64],
    /// How the pose changed in the last cycle, in the body frame at its beginning.
    pub achieved: Pose2,
    /// The velocity now, in the body frame.
    pub twist: Twist2,
    /// This instance's random stream of this step.
    pub noise: NoiseKey,
}

/// What a motion model wants of the next cycle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, abi_stable::StableAbi)]
pub struct MotionOutput {
    /// How the pose shall change over the cycle, in the body frame at its beginning.
    pub displacement: Pose2,
    /// The velocity at the end of the cycle, in the body frame.
    pub twist: Twist2,
    /// The motion data, as many numbers as the description says; the rest is 0.
    pub data: [f64; MAX_MOTION_DATA],
}

impl MotionOutput {
    /// Looks at what a motion model with so many motion data gave; what is behind these becomes 0.
    ///
    /// # Errors
    /// When a number is not finite.
    #[inline]
    pub fn check(&mut self, data: usize) -> Result<(), Fault> {
        for (index, datum) in self.data.iter_mut().enumerate() {
            // Eight numbers one by one: to fill what may be none takes a call.
            *datum = if index < data { *datum } else { 0.0 };
        }
        let is_finite = self.displacement.is_finite()
            && self.twist.is_finite()
            && self.data.iter().all(|datum| datum.is_finite());
        if is_finite { Ok(()) } else { Err(self.not_finite()) }
    }

    #[cold]
    fn not_finite(&self) -> Fault {
        Fault::BadOutput(if !self.displacement.is_finite() {
            format!("its displacement is not finite: {:?}", self.displacement)
        } else if !self.twist.is_finite() {
            format!("its velocity is not finite: {:?}", self.twist)
        } else {
            let index = self.data.iter().position(|datum| !datum.is_finite()).unwrap_or_default();
            format!("its motion datum {index} is not finite: {}", self.data[index])
        })
    }
}
