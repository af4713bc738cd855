//! A motion model behind the table's functions.

use super::{PluginCrate, common_functions, create, json, stored, table};
use crate::abi::guard::{drop_instance, filled, guarded, instance};
use crate::abi::{
    Create, Created, Instance, MotionAdvance, MotionReply, Nothing, Reply, StateReply, Table, Text, status,
};
use crate::instance::{InProcess, MotionInstance, with_saved};
use crate::motion::{Motion, MotionDescription, MotionInput};
use crate::plugin::{PluginDescription, PluginKind};
use crate::state::State;
use std::marker::PhantomData;

/// The table of a motion plugin.
pub struct MotionDoor<T, C>(PhantomData<(T, C)>);

type MotionBox<T> = InProcess<T, MotionDescription>;

common_functions!(MotionDoor, Motion, PluginKind::Motion, MotionBox<T>);

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
