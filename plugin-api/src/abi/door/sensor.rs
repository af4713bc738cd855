//! A sensor behind the table's functions.

use super::{PluginCrate, common_functions, create, json, stored, table};
use crate::abi::guard::{drop_instance, filled, guarded, instance};
use crate::abi::{
    Create, Created, Generate, Instance, Nothing, QuantisedReply, Reply, SensorAdvance, StateReply, Table,
    Text, status,
};
use crate::instance::{InProcess, SensorFace, SensorInstance, with_saved};
use crate::layout::Layout;
use crate::plugin::{PluginDescription, PluginKind};
use crate::radio::Inbox;
use crate::sensor::{AdvanceInput, Sensor, SensorDatum, SensorInput};
use crate::state::State;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

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
    /// [`Sensor::SERVES_ALL`]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub serves_all: bool,
    /// [`Sensor::IS_DEAF`]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deaf: bool,
    /// [`Sensor::data`]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<SensorDatum>,
}

/// The table of a sensor plugin.
pub struct SensorDoor<T, C>(PhantomData<(T, C)>);

type SensorBox<T> = InProcess<T, SensorFace>;

common_functions!(SensorDoor, Sensor, PluginKind::Sensor, SensorBox<T>);

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
                        serves_all: T::SERVES_ALL,
                        deaf: T::IS_DEAF,
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
                    inbox: Inbox { records: input.inbox_records.slice(), text: input.inbox_text.slice() },
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
