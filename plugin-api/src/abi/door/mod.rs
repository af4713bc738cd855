//! The plugin's side of the border: an author's type behind the [`Table`]'s functions. What all kinds share is here, a file for each has the rest.

mod motion;
mod player;
mod referee;
mod sensor;

use super::guard::{filled, into_instance};
use super::{
    Buffer, Create, Created, INTERFACE_VERSION, Instance, Nothing, OrdersReply, Reply, StateReply, Table,
    Text, kind_code, status,
};
use crate::orders::Orders;
use crate::plugin::{Fault, PluginKind, SetupError};
pub use motion::MotionDoor;
pub use player::PlayerDoor;
pub use referee::RefereeDoor;
pub use sensor::{SensorDoor, SensorText};
use serde::{Serialize, de::DeserializeOwned};

/// What only the plugin's own crate knows; the export macros say it.
pub trait PluginCrate: 'static {
    /// Version of the plugin's crate, such as `0.1.0`.
    const VERSION: &'static str;
    /// Whether panics can be caught in it.
    const UNWINDS: bool;
}

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
use common_functions;

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
        return status::BUFFER_TOO_SMALL;
    }
    filled(&mut output.records, &orders.records);
    filled(&mut output.text, &orders.text);
    filled(&mut output.state, state)
}

/// The state that the caller handed in.
fn stored(buffer: &Buffer<u8>) -> &[u8] {
    if buffer.len == 0 {
        return &[];
    }
    // SAFETY: what is in a block is as valid as the block.
    unsafe { std::slice::from_raw_parts(buffer.ptr, buffer.len as usize) }
}

fn json<S: Serialize + ?Sized>(value: &S) -> Result<Vec<u8>, Fault> {
    serde_json::to_vec(value).map_err(|error| Fault::new(format!("cannot write its description: {error}")))
}
