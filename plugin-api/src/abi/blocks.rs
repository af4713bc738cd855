//! The blocks that cross the border: plain data, slices and buffers of plain records.

use super::{Buffer, Instance, Slice, Visit, Visitor};
use crate::game::{Game, Restart, TeamState};
use crate::geometry::{Pose2, Twist2};
use crate::grid::{Grid, GridFrame};
use crate::motion::MotionOutput;
use crate::noise::NoiseKey;
use crate::orders::OrderRecord;
use crate::player::{DataRecord, ManipulatorStatus, ReadingSpan};
use crate::radio::MessageRecord;
use crate::referee::{CommandRecord, ContactRecord, KickRecord, WaypointRecord};
use crate::view::{Object, Shape, WorldView};
use abi_stable::StableAbi;

/// Size and version, with which every block begins.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, StableAbi)]
pub struct Head {
    /// The block's length, bytes. A block may be longer than its reader knows, never shorter.
    pub size: u32,
    /// [`super::INTERFACE_VERSION`].
    pub version: u32,
}

impl Head {
    /// The head of a block of type `B`.
    pub const fn of<B>() -> Self {
        Self { size: size_of::<B>() as u32, version: super::INTERFACE_VERSION }
    }
}

/// A block: something that begins with a [`Head`].
///
/// # Safety
/// `#[repr(C)]`, with a [`Head`] as first field.
pub unsafe trait Block {}

/// A block that a call writes: it has room for a message.
pub trait ReplyBlock: Block {
    /// Where a failure is explained.
    fn message(&mut self) -> &mut Buffer<u8>;
}

/// The world, as in [`WorldView`].
#[repr(C)]
#[derive(Clone, Copy, Debug, StableAbi)]
pub struct View {
    /// [`WorldView::step`].
    pub step: u64,
    /// [`WorldView::time_secs`].
    pub time_secs: f64,
    /// [`WorldView::objects`].
    pub objects: Slice<Object>,
    /// [`WorldView::shapes`].
    pub shapes: Slice<Shape>,
    /// [`Grid::frame`].
    pub grid: Slice<GridFrame>,
    /// [`Grid::cells`].
    pub cells: Slice<u32>,
}

impl View {
    /// Lends the parts of a view; they must outlive the block.
    pub fn of(view: &WorldView<'_>) -> Self {
        Self {
            step: view.step,
            time_secs: view.time_secs,
            objects: Slice::of(view.objects),
            shapes: Slice::of(view.shapes),
            grid: Slice::of(view.grid.frame),
            cells: Slice::of(view.grid.cells),
        }
    }

    /// The view.
    ///
    /// # Safety
    /// The slices are valid for `'a`.
    pub unsafe fn view<'a>(&self) -> WorldView<'a> {
        // SAFETY: the caller's promise.
        let (objects, shapes) = unsafe { (self.objects.slice(), self.shapes.slice()) };
        // SAFETY: likewise.
        let grid = unsafe { Grid { frame: self.grid.slice(), cells: self.cells.slice() } };
        WorldView { step: self.step, time_secs: self.time_secs, objects, shapes, grid }
    }
}

/// The state of the game, as in [`Game`].
#[repr(C)]
#[derive(Clone, Copy, Debug, StableAbi)]
pub struct GameView {
    /// [`Game::clock_secs`].
    pub clock_secs: f64,
    /// [`Game::restart`].
    pub restart: Restart,
    /// [`Game::phase`].
    pub phase: u32,
    /// [`Game::episode`].
    pub episode: u32,
    /// [`Game::teams`].
    pub teams: Slice<TeamState>,
    /// [`Game::values`].
    pub values: Slice<f64>,
}

impl GameView {
    /// Lends the parts of a game; they must outlive the block.
    pub fn of(game: &Game<'_>) -> Self {
        Self {
            clock_secs: game.clock_secs,
            restart: game.restart,
            phase: game.phase,
            episode: game.episode,
            teams: Slice::of(game.teams),
            values: Slice::of(game.values),
        }
    }

    /// The game.
    ///
    /// # Safety
    /// The slices are valid for `'a`.
    pub unsafe fn game<'a>(&self) -> Game<'a> {
        // SAFETY: the caller's promise.
        let (teams, values) = unsafe { (self.teams.slice(), self.values.slice()) };
        Game {
            clock_secs: self.clock_secs,
            phase: self.phase,
            episode: self.episode,
            restart: self.restart,
            teams,
            values,
        }
    }
}

macro_rules! blocks {
    ($($(#[$meta:meta])* $kind:ident $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {$(
        blocks!(@struct $kind $(#[$meta])* $name { $($(#[$field_meta])* pub $field: $type,)* });
        // SAFETY: the macro puts the head first.
        unsafe impl Block for $name {}
        impl Visit for $name {
            fn visit(&mut self, visitor: &mut impl Visitor) {
                blocks!(@message $kind self visitor);
                $(self.$field.visit(visitor);)*
            }
        }
    )*};
    (@message input $this:ident $visitor:ident) => {
        // One without slices has nothing to show.
        let _ = &$visitor;
    };
    (@message output $this:ident $visitor:ident) => {
        $this.message.visit($visitor);
    };
    (@struct input $(#[$meta:meta])* $name:ident { $($fields:tt)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, StableAbi)]
        pub struct $name {
            /// Size and version.
            pub head: Head,
            $($fields)*
        }
    };
    (@struct output $(#[$meta:meta])* $name:ident { $($fields:tt)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, StableAbi)]
        pub struct $name {
            /// Size and version.
            pub head: Head,
            /// What the plugin has to say of a failure, UTF-8; cut off where the buffer ends.
            pub message: Buffer<u8>,
            $($fields)*
        }
        impl ReplyBlock for $name {
            fn message(&mut self) -> &mut Buffer<u8> {
                &mut self.message
            }
        }
    };
}

blocks! {
    /// For functions that need no input.
    input Nothing {}

    /// What an instance is made from.
    input Create {
        /// The parameters, JSON.
        params: Slice<u8>,
        /// The setup of the plugin's kind, JSON.
        setup: Slice<u8>,
    }

    /// [`MotionInput`](crate::motion::MotionInput).
    input MotionAdvance {
        /// Length of the step, seconds.
        dt_secs: f64,
        /// One number for each dimension.
        command: Slice<f64>,
        /// One number for each published datum.
        data: Slice<f64>,
        /// Over the last step, body frame.
        achieved: Twist2,
        /// Now, body frame.
        twist: Twist2,
        /// Of this instance and step.
        noise: NoiseKey,
    }

    /// [`AdvanceInput`](crate::sensor::AdvanceInput).
    input SensorAdvance {
        /// How long the step is, seconds.
        dt_secs: f64,
        /// How the robot's pose changed in the step: metres and radians in the body frame at its beginning.
        displacement: Pose2,
        /// The robot's velocity at the end of the step, body frame.
        twist: Twist2,
        /// The robot's pose at the end of the step, world frame.
        pose: Pose2,
        /// What the motion model published, in the order of its description.
        motion_data: Slice<f64>,
        /// The numbers of the sensor that can be set, in the order of its description.
        data: Slice<f64>,
        /// Messages that its robot has heard in this step.
        inbox_records: Slice<MessageRecord>,
        /// Texts of these messages, one after the other, UTF-8.
        inbox_text: Slice<u8>,
        /// This instance's random stream of this step.
        noise: NoiseKey,
    }

    /// [`SensorInput`](crate::sensor::SensorInput), and the sensor's state.
    input Generate {
        /// The world as it is now.
        view: View,
        /// Number of the robot that carries the sensor.
        robot: u32,
        /// The place of the robot among the view's objects.
        robot_object: u32,
        /// The robot's pose, world frame.
        robot_pose: Pose2,
        /// The robot's velocity, body frame.
        robot_twist: Twist2,
        /// The sensor's pose, world frame: the robot's with the mounting, and what it follows.
        sensor_pose: Pose2,
        /// The sensor's height above the floor, metres.
        sensor_z_m: f64,
        /// What the motion model published, in the order of its description.
        motion_data: Slice<f64>,
        /// The numbers of the sensor that can be set, in the order of its description.
        data: Slice<f64>,
        /// This instance's random stream of this step.
        noise: NoiseKey,
        /// State of the sensor, as `advance` left it.
        state: Slice<u8>,
    }

    /// [`PlayerInput`](crate::player::PlayerInput); the catalogue is the one of the setup.
    input Act {
        /// Number of the player's robot; [`NONE`](crate::view::NONE) for a player that belongs to a team.
        robot: u32,
        /// Padding; zero.
        reserved: u32,
        /// How long ago the last decision was, seconds.
        elapsed_secs: f64,
        /// [`Readings::stamp_secs`](crate::player::Readings::stamp_secs).
        stamp_secs: f64,
        /// [`Readings::spans`](crate::player::Readings::spans).
        spans: Slice<ReadingSpan>,
        /// [`Readings::quantised`](crate::player::Readings::quantised).
        quantised: Slice<u32>,
        /// The robot's manipulators, in the order of its description.
        manipulators: Slice<ManipulatorStatus>,
        /// [`Inbox::records`](crate::radio::Inbox::records).
        inbox_records: Slice<MessageRecord>,
        /// [`Inbox::text`](crate::radio::Inbox::text).
        inbox_text: Slice<u8>,
        /// What the motion model published, in the order of its description.
        motion_data: Slice<DataRecord>,
        /// The game's state, as the referee gave it last.
        game: GameView,
        /// The world as it is now.
        view: View,
        /// This instance's random stream of this step.
        noise: NoiseKey,
    }

    /// [`PrepareInput`](crate::referee::PrepareInput).
    input Prepare {
        /// Length of the step, seconds.
        dt_secs: f64,
        /// The world before the step.
        view: View,
        /// Motion commands, one for each robot.
        commands: Slice<CommandRecord>,
        /// In the order in which they are carried out.
        kicks: Slice<KickRecord>,
        /// One for each robot, if the referee names any.
        motion_data: Slice<DataRecord>,
        /// State of the game, as the referee gave it last.
        game: GameView,
        /// Random stream of this instance and step.
        noise: NoiseKey,
    }

    /// [`RefereeInput`](crate::referee::RefereeInput).
    input Judge {
        /// How long the step is, seconds.
        dt_secs: f64,
        /// The world as it is now.
        view: View,
        /// What touched in this step.
        contacts: Slice<ContactRecord>,
        /// Where balls were within the step.
        waypoints: Slice<WaypointRecord>,
        /// One for each robot, if the referee names any.
        motion_data: Slice<DataRecord>,
        /// The game's state, as the referee gave it last.
        game: GameView,
        /// Commands from outside for the referee, one in a line, UTF-8.
        commands: Slice<u8>,
        /// This instance's random stream of this step.
        noise: NoiseKey,
    }

    /// Output of functions that return nothing but an error message.
    output Reply {}

    /// Output of functions that return a text.
    output Text {
        /// UTF-8.
        text: Buffer<u8>,
    }

    /// Output of `create`.
    output Created {
        /// The instance; null unless the status is [`OK`](super::status::OK).
        instance: *mut Instance,
        /// The instance's description, or what is wrong with the parameters; JSON.
        text: Buffer<u8>,
    }

    /// Output of functions that make or change a state.
    output StateReply {
        /// State bytes: read as input, replaced by the new state.
        state: Buffer<u8>,
    }

    /// What a motion model wants.
    output MotionReply {
        /// State bytes: read as input, replaced by the new state.
        state: Buffer<u8>,
        /// Displacement, velocity, data.
        output: MotionOutput,
    }

    /// Output of a sensor: one reading.
    output QuantisedReply {
        /// Comes with as many zeros as the layout has integers, and goes with as many.
        quantised: Buffer<u32>,
    }

    /// What a player or a referee wants done.
    output OrdersReply {
        /// State bytes: read as input, replaced by the new state.
        state: Buffer<u8>,
        /// The orders, in the order in which they are carried out.
        records: Buffer<OrderRecord>,
        /// Texts of all orders, one after the other, UTF-8.
        text: Buffer<u8>,
    }
}
