//! Referees: the rules of a league, of a benchmark, of an episode. (G1)

use crate::game::{Game, GameDescription};
use crate::motion::MAX_DIMENSIONS;
use crate::noise::NoiseKey;
use crate::orders::Orders;
use crate::player::DataRecord;
use crate::plugin::{Fault, Params, SetupError};
use crate::state::State;
use crate::view::WorldView;
use crate::world::WorldDescription;
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// Rules: they see the world and what happened in it, decide, and may place objects.
pub trait Referee: Send + Sync + Sized + 'static {
    /// The name by which world files choose it.
    const NAME: &'static str;
    /// One-line summary, shown in lists of plugins.
    const SUMMARY: &'static str;
    /// What stands in the world file's table.
    type Params: Params;
    /// What it remembers from step to step.
    type State: State;

    /// Makes an instance.
    ///
    /// # Errors
    /// Names every parameter that is wrong, or what the world lacks.
    fn new(params: Self::Params, setup: &RefereeSetup) -> Result<Self, SetupError>;

    /// What its words of the game mean; by default there is one phase, `play`.
    fn description(&self) -> GameDescription {
        GameDescription::default()
    }

    /// The state before the first step.
    fn initial_state(&self) -> Self::State;

    /// Looks at what the robots want before the physics of a step, and decides: may a kick be, is a ball caught. Called only if
    /// [`GameDescription::prepares`] says so.
    ///
    /// # Errors
    /// As [`Referee::judge`].
    fn prepare(
        &self,
        _state: &mut Self::State,
        _input: &PrepareInput<'_>,
        _orders: &mut Orders,
    ) -> Result<(), Fault> {
        Ok(())
    }

    /// Looks at the world after each step, and decides.
    ///
    /// # Errors
    /// A [`Fault`] stops the referee for good; the world goes on without one.
    fn judge(
        &self,
        state: &mut Self::State,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault>;
}

/// What a referee is told when it is made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RefereeSetup {
    /// The names of the world's teams, in their order.
    pub teams: Vec<String>,
    /// The length of one step, seconds.
    pub dt_secs: f64,
    /// What the world file says of the world.
    #[serde(default)]
    pub world: WorldDescription,
}

/// Something that happened in the physics of this step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct ContactRecord {
    /// The one object: index into [`WorldView::objects`].
    pub object_a: u32,
    /// The other object: index into [`WorldView::objects`].
    pub object_b: u32,
    /// 1 if they began to touch in this step, 0 if they ceased to.
    pub began: u32,
    /// Which fixture, if the one object is the fixtures: index into [`WorldView::shapes`], and into the names of
    /// [`WorldDescription::fixtures`]; otherwise [`NONE`](crate::view::NONE).
    pub fixture: u32,
}

/// Where a ball was at the beginning of the step, or at a moment within it at which something was met: by it or, in a world of several, by
/// another. From one to the next, and to its place after the step, a ball goes straight.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct WaypointRecord {
    /// The ball: index into [`WorldView::objects`].
    pub object: u32,
    /// Padding; zero.
    pub reserved: u32,
    /// Its place, metres, world frame.
    pub x_m: f64,
    /// As `x_m`.
    pub y_m: f64,
    /// The height of its lowest point above the floor, metres.
    pub z_m: f64,
    /// When it was there, seconds since the step began.
    pub secs: f64,
}

/// What one robot is told to do in this step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct CommandRecord {
    /// Number of the robot.
    pub robot: u32,
    /// How many of `values` count.
    pub len: u32,
    /// The motion command, in the order of the motion model's dimensions.
    pub values: [f64; MAX_DIMENSIONS],
}

/// A kick that comes in this step, if nobody refuses it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct KickRecord {
    /// Number of the robot that kicks.
    pub robot: u32,
    /// Index into the robot's manipulators.
    pub manipulator: u32,
    /// The state whose kick it is: index into the manipulator's states.
    pub state: u32,
    /// Nothing; keeps the record's length a multiple of eight.
    pub reserved: u32,
    /// The part of full power, in `[0, 1]`.
    pub strength: f64,
    /// Where to, in the robot's frame, before any scatter, radians.
    pub direction_rad: f64,
    /// How high above the floor, radians.
    pub elevation_rad: f64,
}

/// What a referee is told before the physics of each step.
#[derive(Clone, Copy, Debug)]
pub struct PrepareInput<'a> {
    /// The length of the step, seconds.
    pub dt_secs: f64,
    /// The world before the step.
    pub view: WorldView<'a>,
    /// What each robot is told, in the order of their numbers.
    pub commands: &'a [CommandRecord],
    /// The kicks that come, in the order in which they are carried out. One is refused by [`Orders::refuse_kick`].
    pub kicks: &'a [KickRecord],
    /// What the robots' motion models publish of [`GameDescription::motion_data`], one record for each robot in the order of their numbers;
    /// NaN where a model has none of the name. Empty if the description names none.
    pub motion_data: &'a [DataRecord],
    /// The game's state as it stands.
    pub game: Game<'a>,
    /// The referee's random stream of this step; another one than when it judges.
    pub noise: NoiseKey,
}

/// What a referee is told after each step.
#[derive(Clone, Copy, Debug)]
pub struct RefereeInput<'a> {
    /// The length of the step, seconds.
    pub dt_secs: f64,
    /// The world after the step.
    pub view: WorldView<'a>,
    /// The touches that began or ceased in this step.
    pub contacts: &'a [ContactRecord],
    /// Where balls were within the step, in the order of the moments: what flies through a gate and back within one step was in it.
    pub waypoints: &'a [WaypointRecord],
    /// As [`PrepareInput::motion_data`], after the step.
    pub motion_data: &'a [DataRecord],
    /// The game's state as it stands.
    pub game: Game<'a>,
    /// Commands from outside for the referee, one in a line, in the order in which they came.
    pub commands: &'a str,
    /// The referee's random stream of this step.
    pub noise: NoiseKey,
}
