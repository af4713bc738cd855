//! The plugin's side of the border: an author's type behind the [`Table`]'s functions.

use super::guard::{drop_instance, filled, guarded, instance, into_instance};
use super::spare::SpareOrders;
use super::{
    Act, Create, Created, Generate, INTERFACE_VERSION, Instance, Judge, MotionAdvance, MotionReply, Nothing,
    OrdersReply, Prepare, QuantisedReply, Reply, Room, SensorAdvance, StateReply, Table, Text, kind_code,
    status,
};
use crate::container::SensorCatalogue;
use crate::game::GameDescription;
use crate::instance::{
    InProcess, MotionInstance, PlayerInstance, RefereeInstance, SensorFace, SensorInstance, with_saved,
};
use crate::layout::Layout;
use crate::motion::{Motion, MotionDescription, MotionInput};
use crate::orders::Orders;
use crate::player::{Player, PlayerInput, PlayerSetup, Readings};
use crate::plugin::{Fault, PluginDescription, PluginKind, SetupError};
use crate::radio::Inbox;
use crate::referee::{PrepareInput, Referee, RefereeInput};
use crate::sensor::{AdvanceInput, Sensor, SensorDatum, SensorInput};
use crate::state::State;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::marker::PhantomData;

/// What only the plugin's own crate knows; the export macros say it.
pub trait PluginCrate: 'static {
    /// Version of the plugin's crate, such as `0.1.0`.
    const VERSION: &'static str;
    /// Whether panics can be caught in it.
    const UNWINDS: bool;
}

/// What `create` says of a new sensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensorText {
    /// [`Sensor::TYPE`].
    #[serde(rename = "type")]
    pub sensor_type: String,
    /// [`Sensor::layout`].
    pub layout: Layout,
    /// Whether `advance_sensor` need never be called.
    pub stateless: bool,
    /// [`Sensor::data`]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<SensorDatum>,
}

/// The table of a motion plugin.
pub struct MotionDoor<T, C>(PhantomData<(T, C)>);
/// The table of a sensor plugin.
pub struct SensorDoor<T, C>(PhantomData<(T, C)>);
/// The table of a player plugin.
pub struct PlayerDoor<T, C>(PhantomData<(T, C)>);
/// The table of a referee plugin.
pub struct RefereeDoor<T, C>(PhantomData<(T, C)>);

/// A table with nothing but what all kinds have.
const fn table<C: PluginCrate>(
    kind: PluginKind,
    describe: unsafe extern "C" fn(*const Instance, *const Nothing, *mut Text) -> i32,
    create: unsafe extern "C" fn(*const Instance, *const Create, *mut Created) -> i32,
    destroy: unsafe extern "C" fn(*const Instance, *const Nothing, *mut Reply) -> i32,
    initial_state: unsafe extern "C" fn(*const Instance, *const Nothing, *mut StateReply) -> i32,
) -> Table {
    Table {
        interface_version: INTERFACE_VERSION,
        kind: kind_code(kind),
        unwinds: C::UNWINDS as u32,
        checked_by_caller: 0,
        describe,
        create,
        destroy,
        initial_state,
        advance_motion: unsupported,
        advance_sensor: unsupported,
        generate: unsupported,
        act: unsupported,
        prepare: unsupported,
        judge: unsupported,
    }
}

extern "C" fn unsupported<I, O>(_: *const Instance, _: *const I, _: *mut O) -> i32 {
    status::UNSUPPORTED
}

// All functions below are called under the promises of `Table`; `guarded` checks the blocks before they are read,
// and what is in a block is as valid as the block.

macro_rules! common_functions {
    ($door:ident, $trait:ident, $kind:expr, $instance:ty) => {
        impl<T: $trait, C: PluginCrate> $door<T, C> {
            unsafe extern "C" fn describe(
                _: *const Instance,
                input: *const Nothing,
                output: *mut Text,
            ) -> i32 {
                // SAFETY: as `Table` promises.
                unsafe {
                    guarded(input, output, |_, output| {
                        let description =
                            PluginDescription::new::<T::Params>($kind, T::NAME, C::VERSION, T::SUMMARY);
                        Ok(filled(&mut output.text, &json(&description)?))
                    })
                }
            }

            unsafe extern "C" fn destroy(
                this: *const Instance,
                input: *const Nothing,
                output: *mut Reply,
            ) -> i32 {
                // SAFETY: as `Table` promises; `create` made it of this type.
                unsafe {
                    guarded(input, output, |_, _| {
                        drop_instance::<$instance>(this);
                        Ok(status::OK)
                    })
                }
            }

            unsafe extern "C" fn initial_state(
                this: *const Instance,
                input: *const Nothing,
                output: *mut StateReply,
            ) -> i32 {
                // SAFETY: as `Table` promises; `create` made it of this type.
                unsafe {
                    guarded(input, output, |_, output| {
                        let state = instance::<$instance>(this)?.initial_state()?;
                        Ok(filled(&mut output.state, &state))
                    })
                }
            }
        }
    };
}

type MotionBox<T> = InProcess<T, MotionDescription>;
type SensorBox<T> = InProcess<T, SensorFace>;

/// A player, with the catalogue that its setup told.
struct PlayerBox<T> {
    player: InProcess<T, Vec<usize>>,
    catalogue: SensorCatalogue,
    orders: SpareOrders,
}

/// A referee, with memory for its orders.
struct RefereeBox<T> {
    referee: InProcess<T, GameDescription>,
    orders: SpareOrders,
}

impl<T: Referee> RefereeBox<T> {
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.referee.initial_state()
    }
}

impl<T: Player> PlayerBox<T> {
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.player.initial_state()
    }
}

common_functions!(MotionDoor, Motion, PluginKind::Motion, MotionBox<T>);
common_functions!(SensorDoor, Sensor, PluginKind::Sensor, SensorBox<T>);
common_functions!(PlayerDoor, Player, PluginKind::Player, PlayerBox<T>);
common_functions!(RefereeDoor, Referee, PluginKind::Referee, RefereeBox<T>);

impl<T: Motion, C: PluginCrate> MotionDoor<T, C> {
    /// Functions by which the server calls the motion model.
    pub const TABLE: Table = Table {
        advance_motion: Self::advance,
        ..table::<C>(PluginKind::Motion, Self::describe, Self::create, Self::destroy, Self::initial_state)
    };

    unsafe extern "C" fn create(_: *const Instance, input: *const Create, output: *mut Created) -> i32 {
        // SAFETY: as `Table` promises.
        unsafe {
            guarded(input, output, |input, output| {
                create(input, output, |params, setup| {
                    let this = MotionBox::<T>::motion(params, setup)?;
                    let description = json(this.description());
                    Ok((this, description))
                })
            })
        }
    }

    unsafe extern "C" fn advance(
        this: *const Instance,
        input: *const MotionAdvance,
        output: *mut MotionReply,
    ) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<MotionBox<T>>(this)?;
                let mut state = T::State::load(stored(&output.state))?;
                let input = MotionInput {
                    dt_secs: input.dt_secs,
                    command: input.command.slice(),
                    data: input.data.slice(),
                    achieved: input.achieved,
                    twist: input.twist,
                    noise: input.noise,
                };
                this.checked_advance(&mut state, &input, &mut output.output)?;
                with_saved(state, |bytes| filled(&mut output.state, bytes))
            })
        }
    }
}

impl<T: Sensor, C: PluginCrate> SensorDoor<T, C> {
    /// Functions by which the server calls the sensor.
    pub const TABLE: Table = Table {
        advance_sensor: Self::advance,
        generate: Self::generate,
        ..table::<C>(PluginKind::Sensor, Self::describe, Self::create, Self::destroy, Self::initial_state)
    };

    unsafe extern "C" fn create(_: *const Instance, input: *const Create, output: *mut Created) -> i32 {
        // SAFETY: as `Table` promises.
        unsafe {
            guarded(input, output, |input, output| {
                create(input, output, |params, setup| {
                    let this = SensorBox::<T>::sensor(params, setup)?;
                    let description = json(&SensorText {
                        sensor_type: this.sensor_type().into(),
                        layout: this.layout().clone(),
                        stateless: this.is_stateless(),
                        data: this.data().to_vec(),
                    });
                    Ok((this, description))
                })
            })
        }
    }

    unsafe extern "C" fn advance(
        this: *const Instance,
        input: *const SensorAdvance,
        output: *mut StateReply,
    ) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<SensorBox<T>>(this)?;
                let mut state = T::State::load(stored(&output.state))?;
                let input = AdvanceInput {
                    dt_secs: input.dt_secs,
                    displacement: input.displacement,
                    twist: input.twist,
                    pose: input.pose,
                    motion_data: input.motion_data.slice(),
                    data: input.data.slice(),
                    noise: input.noise,
                };
                this.plugin.advance(&mut state, &input)?;
                with_saved(state, |bytes| filled(&mut output.state, bytes))
            })
        }
    }

    unsafe extern "C" fn generate(
        this: *const Instance,
        input: *const Generate,
        output: *mut QuantisedReply,
    ) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type; the room for the reading comes filled with zeros.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<SensorBox<T>>(this)?;
                let len = output.quantised.len as usize;
                let quantised: &mut [u32] = if len == 0 {
                    &mut []
                } else {
                    std::slice::from_raw_parts_mut(output.quantised.ptr, len)
                };
                let state = input.state.slice();
                let input = SensorInput {
                    view: input.view.view(),
                    robot: input.robot,
                    robot_object: input.robot_object,
                    robot_pose: input.robot_pose,
                    robot_twist: input.robot_twist,
                    sensor_pose: input.sensor_pose,
                    sensor_z_m: input.sensor_z_m,
                    motion_data: input.motion_data.slice(),
                    data: input.data.slice(),
                    noise: input.noise,
                };
                SensorInstance::generate(this, state, &input, quantised)?;
                Ok(status::OK)
            })
        }
    }
}

impl<T: Player, C: PluginCrate> PlayerDoor<T, C> {
    /// Functions by which the server calls the player.
    pub const TABLE: Table = Table {
        act: Self::act,
        ..table::<C>(PluginKind::Player, Self::describe, Self::create, Self::destroy, Self::initial_state)
    };

    unsafe extern "C" fn create(_: *const Instance, input: *const Create, output: *mut Created) -> i32 {
        // SAFETY: as `Table` promises.
        unsafe {
            guarded(input, output, |input, output| {
                create(input, output, |params, setup: &PlayerSetup| {
                    let player = InProcess::<T, Vec<usize>>::player(params, setup)?;
                    let description = json(player.wanted_sensors());
                    let catalogue = setup.robot.sensors.clone();
                    Ok((PlayerBox { player, catalogue, orders: SpareOrders::new() }, description))
                })
            })
        }
    }

    unsafe extern "C" fn act(this: *const Instance, input: *const Act, output: *mut OrdersReply) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<PlayerBox<T>>(this)?;
                let input = PlayerInput {
                    robot: input.robot,
                    elapsed_secs: input.elapsed_secs,
                    readings: Readings {
                        catalogue: &this.catalogue,
                        spans: input.spans.slice(),
                        quantised: input.quantised.slice(),
                        stamp_secs: input.stamp_secs,
                    },
                    manipulators: input.manipulators.slice(),
                    inbox: Inbox { records: input.inbox_records.slice(), text: input.inbox_text.slice() },
                    motion_data: input.motion_data.slice(),
                    game: input.game.game(),
                    view: input.view.view(),
                    noise: input.noise,
                };
                let mut state = T::State::load(stored(&output.state))?;
                let mut orders = this.orders.lend();
                this.player.plugin.sense_and_act(&mut state, &input, &mut orders)?;
                orders.check()?;
                with_saved(state, |bytes| give_orders(output, bytes, &orders))
            })
        }
    }
}

impl<T: Referee, C: PluginCrate> RefereeDoor<T, C> {
    /// Functions by which the server calls the referee.
    pub const TABLE: Table = Table {
        prepare: Self::prepare,
        judge: Self::judge,
        ..table::<C>(PluginKind::Referee, Self::describe, Self::create, Self::destroy, Self::initial_state)
    };

    unsafe extern "C" fn create(_: *const Instance, input: *const Create, output: *mut Created) -> i32 {
        // SAFETY: as `Table` promises.
        unsafe {
            guarded(input, output, |input, output| {
                create(input, output, |params, setup| {
                    let referee = InProcess::<T, GameDescription>::referee(params, setup)?;
                    let description = json(referee.description());
                    Ok((RefereeBox { referee, orders: SpareOrders::new() }, description))
                })
            })
        }
    }

    unsafe extern "C" fn prepare(
        this: *const Instance,
        input: *const Prepare,
        output: *mut OrdersReply,
    ) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<RefereeBox<T>>(this)?;
                let input = PrepareInput {
                    dt_secs: input.dt_secs,
                    view: input.view.view(),
                    commands: input.commands.slice(),
                    kicks: input.kicks.slice(),
                    motion_data: input.motion_data.slice(),
                    game: input.game.game(),
                    noise: input.noise,
                };
                let mut state = T::State::load(stored(&output.state))?;
                let mut orders = this.orders.lend();
                this.referee.plugin.prepare(&mut state, &input, &mut orders)?;
                orders.check()?;
                with_saved(state, |bytes| give_orders(output, bytes, &orders))
            })
        }
    }

    unsafe extern "C" fn judge(this: *const Instance, input: *const Judge, output: *mut OrdersReply) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<RefereeBox<T>>(this)?;
                let input = RefereeInput {
                    dt_secs: input.dt_secs,
                    view: input.view.view(),
                    contacts: input.contacts.slice(),
                    motion_data: input.motion_data.slice(),
                    game: input.game.game(),
                    commands: std::str::from_utf8(input.commands.slice())
                        .map_err(|_| Fault::new("the commands are not UTF-8"))?,
                    noise: input.noise,
                };
                let mut state = T::State::load(stored(&output.state))?;
                let mut orders = this.orders.lend();
                this.referee.plugin.judge(&mut state, &input, &mut orders)?;
                orders.check()?;
                with_saved(state, |bytes| give_orders(output, bytes, &orders))
            })
        }
    }
}

/// Reads parameters and setup, makes the instance, and gives it away with its description.
fn create<T, S: DeserializeOwned>(
    input: &Create,
    output: &mut Created,
    make: impl FnOnce(&serde_json::Value, &S) -> Result<(T, Result<Vec<u8>, Fault>), SetupError>,
) -> Result<i32, Fault> {
    output.instance = std::ptr::null_mut();
    // SAFETY: what is in a block is as valid as the block.
    let (params, setup) = unsafe { (input.params.slice(), input.setup.slice()) };
    let unreadable = |error: serde_json::Error| Fault::new(format!("cannot read the setup: {error}"));
    let params = serde_json::from_slice(params).map_err(unreadable)?;
    let setup = serde_json::from_slice(setup).map_err(unreadable)?;
    match make(&params, &setup) {
        Ok((instance, description)) => {
            let status = filled(&mut output.text, &description?);
            if status == status::OK {
                output.instance = into_instance(instance);
            }
            Ok(status)
        }
        Err(error) => {
            let status = filled(&mut output.text, &json(&error)?);
            Ok(if status == status::OK { status::SETUP } else { status })
        }
    }
}

/// Hands out state and orders: all of them or none.
fn give_orders(output: &mut OrdersReply, state: &[u8], orders: &Orders) -> i32 {
    let fits = [
        (&mut output.state.needed, output.state.cap, state.len()),
        (&mut output.records.needed, output.records.cap, orders.records.len()),
        (&mut output.text.needed, output.text.cap, orders.text.len()),
    ]
    .map(|(needed, cap, len)| {
        *needed = len as u64;
        *needed <= cap
    });
    if fits.contains(&false) {
        return status::MORE_ROOM;
    }
    filled(&mut output.records, &orders.records);
    filled(&mut output.text, &orders.text);
    filled(&mut output.state, state)
}

/// The state that the caller handed in.
fn stored(room: &Room<u8>) -> &[u8] {
    if room.len == 0 {
        return &[];
    }
    // SAFETY: what is in a block is as valid as the block.
    unsafe { std::slice::from_raw_parts(room.ptr, room.len as usize) }
}

fn json<S: Serialize + ?Sized>(value: &S) -> Result<Vec<u8>, Fault> {
    serde_json::to_vec(value).map_err(|error| Fault::new(format!("cannot write its description: {error}")))
}
