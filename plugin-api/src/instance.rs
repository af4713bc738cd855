//! Instances without their types: what the simulation calls, whoever made them.
//!
//! The host makes them from dynamic libraries; [`in_process`](InProcess) makes them from an author's type directly, for
//! tests and for the plugin's own side of the border. State goes in and out as bytes that the caller owns. All
//! calls are pure functions of what is handed in.

use crate::game::GameDescription;
use crate::layout::Layout;
use crate::motion::{Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup};
use crate::orders::Orders;
use crate::player::{Player, PlayerInput, PlayerSetup};
use crate::plugin::{Fault, SetupError};
use crate::referee::{PrepareInput, Referee, RefereeInput, RefereeSetup};
use crate::sensor::{AdvanceInput, Sensor, SensorDatum, SensorInput, SensorSetup};
use crate::state::State;
use serde::de::DeserializeOwned;

/// One motion model as the simulation calls it, whatever plugin it comes from.
pub trait MotionInstance: Send + Sync {
    /// What it takes and publishes.
    fn description(&self) -> &MotionDescription;
    /// The state before the first step.
    ///
    /// # Errors
    /// When the plugin fails.
    fn initial_state(&self) -> Result<Vec<u8>, Fault>;
    /// See [`Motion::advance`]; all numbers are finite. On an error the state is as it was.
    ///
    /// # Errors
    /// When the plugin fails.
    fn advance(&self, state: &mut Vec<u8>, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let mut output = MotionOutput::default();
        self.advance_into(state, input, &mut output)?;
        Ok(output)
    }
    /// [`MotionInstance::advance`] into memory of the caller's: of the data those that are published, and on an error nothing that
    /// counts.
    ///
    /// # Errors
    /// When the plugin fails.
    fn advance_into(
        &self,
        state: &mut Vec<u8>,
        input: &MotionInput<'_>,
        output: &mut MotionOutput,
    ) -> Result<(), Fault>;
}

/// One sensor as the simulation calls it, whatever plugin it comes from.
pub trait SensorInstance: Send + Sync {
    /// See [`Sensor::TYPE`].
    fn sensor_type(&self) -> &str;
    /// Names, units and shapes of its integers.
    fn layout(&self) -> &Layout;
    /// What can be set of it.
    fn data(&self) -> &[SensorDatum];
    /// Whether [`SensorInstance::advance`] need never be called.
    fn is_stateless(&self) -> bool;
    /// See [`Sensor::SERVES_ALL`].
    fn serves_all(&self) -> bool {
        false
    }
    /// See [`Sensor::IS_DEAF`].
    fn is_deaf(&self) -> bool {
        false
    }
    /// The state before the first step.
    ///
    /// # Errors
    /// When the plugin fails.
    fn initial_state(&self) -> Result<Vec<u8>, Fault>;
    /// See [`Sensor::advance`]. On an error the state is as it was.
    ///
    /// # Errors
    /// When the plugin fails.
    fn advance(&self, state: &mut Vec<u8>, input: &AdvanceInput<'_>) -> Result<(), Fault>;
    /// See [`Sensor::generate`].
    ///
    /// # Errors
    /// When the plugin fails.
    fn generate(&self, state: &[u8], input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault>;
    /// [`SensorInstance::generate`] for somebody who only looks on: the same integers. Who starts what fails may let him wait, which
    /// the world never is.
    ///
    /// # Errors
    /// When the plugin fails, or has failed just now.
    fn generate_for_watcher(
        &self,
        state: &[u8],
        input: &SensorInput<'_>,
        quantised: &mut [u32],
    ) -> Result<(), Fault> {
        self.generate(state, input, quantised)
    }
}

/// One player as the simulation calls it, whatever plugin it comes from.
pub trait PlayerInstance: Send + Sync {
    /// The sensors that have to be read for it: indices into the catalogue, in order, each once.
    fn wanted_sensors(&self) -> &[usize];
    /// The state before the first call.
    ///
    /// # Errors
    /// When the plugin fails.
    fn initial_state(&self) -> Result<Vec<u8>, Fault>;
    /// See [`Player::sense_and_act`]. Appends to `orders`. On an error the state is as it was.
    ///
    /// # Errors
    /// When the plugin fails.
    fn sense_and_act(
        &self,
        state: &mut Vec<u8>,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault>;
}

/// One referee as the simulation calls it, whatever plugin it comes from.
pub trait RefereeInstance: Send + Sync {
    /// What its words of the game mean.
    fn description(&self) -> &GameDescription;
    /// The state before the first step.
    ///
    /// # Errors
    /// When the plugin fails.
    fn initial_state(&self) -> Result<Vec<u8>, Fault>;
    /// See [`Referee::prepare`]. Appends to `orders`. On an error the state is as it was.
    ///
    /// # Errors
    /// When the plugin fails.
    fn prepare(
        &self,
        state: &mut Vec<u8>,
        input: &PrepareInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault>;
    /// See [`Referee::judge`]. Appends to `orders`. On an error the state is as it was.
    ///
    /// # Errors
    /// When the plugin fails.
    fn judge(&self, state: &mut Vec<u8>, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault>;
}

/// An author's type as an instance in the same program.
///
/// Panics pass through: the plugin border catches them, tests want to see them.
pub struct InProcess<T, D> {
    pub(crate) plugin: T,
    description: D,
}

/// Reads typed parameters from JSON.
///
/// # Errors
/// When they do not fit the type; the message names the field.
pub fn read_params<P: DeserializeOwned>(params: &serde_json::Value) -> Result<P, SetupError> {
    P::deserialize(params).map_err(|error| SetupError::new(error.to_string()))
}

fn saved<S: State>(state: S) -> Result<Vec<u8>, Fault> {
    with_saved(state, <[u8]>::to_vec)
}

/// Gives the state's bytes to `store`; plain data is not copied before. The state's end, which may panic, comes before that.
pub(crate) fn with_saved<S: State, R>(state: S, store: impl FnOnce(&[u8]) -> R) -> Result<R, Fault> {
    if let Some(bytes) = state.plain_bytes() {
        return Ok(store(bytes));
    }
    let mut bytes = Vec::new();
    state.save(&mut bytes)?;
    drop(state);
    Ok(store(&bytes))
}

/// Runs `call` on the state's value, and writes it back only if all went well.
fn with_state<S: State, R>(
    bytes: &mut Vec<u8>,
    call: impl FnOnce(&mut S) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let mut state = S::load(bytes)?;
    let result = call(&mut state)?;
    with_saved(state, |saved| {
        bytes.clear();
        bytes.extend_from_slice(saved);
    })?;
    Ok(result)
}

impl<T: Motion> InProcess<T, MotionDescription> {
    /// Makes a motion model.
    ///
    /// # Errors
    /// When the parameters are wrong.
    pub fn motion(params: &serde_json::Value, setup: &MotionSetup) -> Result<Self, SetupError> {
        let plugin = T::new(read_params(params)?, setup)?;
        let description = plugin.description();
        Ok(Self { plugin, description })
    }
}

impl<T: Motion> MotionInstance for InProcess<T, MotionDescription> {
    fn description(&self) -> &MotionDescription {
        &self.description
    }
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        saved(self.plugin.initial_state())
    }
    fn advance_into(
        &self,
        state: &mut Vec<u8>,
        input: &MotionInput<'_>,
        output: &mut MotionOutput,
    ) -> Result<(), Fault> {
        with_state(state, |state| self.checked_advance(state, input, output))
    }
}

impl<T: Motion> InProcess<T, MotionDescription> {
    /// [`Motion::advance`], and a look at what it gave.
    #[inline]
    pub(crate) fn checked_advance(
        &self,
        state: &mut T::State,
        input: &MotionInput<'_>,
        output: &mut MotionOutput,
    ) -> Result<(), Fault> {
        let given = self.plugin.advance(state, input)?;
        let data = self.description.data.len();
        (output.twist, output.end_twist) = (given.twist, given.end_twist);
        // What is behind the data becomes 0 on the way: a copy of all before would cost as much as the look at them.
        for (index, (place, datum)) in output.data.iter_mut().zip(given.data).enumerate() {
            *place = if index < data { datum } else { 0.0 };
        }
        output.check_published(data)
    }
}

/// What a sensor says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SensorFace {
    layout: Layout,
    data: Vec<SensorDatum>,
}

impl<T: Sensor> InProcess<T, SensorFace> {
    /// Makes a sensor.
    ///
    /// # Errors
    /// When the parameters are wrong.
    pub fn sensor(params: &serde_json::Value, setup: &SensorSetup) -> Result<Self, SetupError> {
        let plugin = T::new(read_params(params)?, setup)?;
        let description = SensorFace { layout: plugin.layout(), data: plugin.data() };
        Ok(Self { plugin, description })
    }
}

impl<T: Sensor> SensorInstance for InProcess<T, SensorFace> {
    fn sensor_type(&self) -> &str {
        T::TYPE
    }
    fn layout(&self) -> &Layout {
        &self.description.layout
    }
    fn data(&self) -> &[SensorDatum] {
        &self.description.data
    }
    fn is_stateless(&self) -> bool {
        T::State::STATELESS
    }
    fn serves_all(&self) -> bool {
        T::SERVES_ALL
    }
    fn is_deaf(&self) -> bool {
        T::IS_DEAF
    }
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        saved(self.plugin.initial_state())
    }
    fn advance(&self, state: &mut Vec<u8>, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        with_state(state, |state| self.plugin.advance(state, input))
    }
    fn generate(&self, state: &[u8], input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        self.plugin.generate(&T::State::load(state)?, input, quantised)
    }
}

impl<T: Player> InProcess<T, Vec<usize>> {
    /// Makes a player.
    ///
    /// # Errors
    /// When the parameters are wrong.
    pub fn player(params: &serde_json::Value, setup: &PlayerSetup) -> Result<Self, SetupError> {
        let plugin = T::new(read_params(params)?, setup)?;
        let mut description: Vec<usize> = plugin.wants().iter().map(|handle| handle.sensor).collect();
        description.sort_unstable();
        description.dedup();
        Ok(Self { plugin, description })
    }
}

impl<T: Player> PlayerInstance for InProcess<T, Vec<usize>> {
    fn wanted_sensors(&self) -> &[usize] {
        &self.description
    }
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        saved(self.plugin.initial_state())
    }
    fn sense_and_act(
        &self,
        state: &mut Vec<u8>,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        with_state(state, |state| self.plugin.sense_and_act(state, input, orders))
    }
}

impl<T: Referee> InProcess<T, GameDescription> {
    /// Makes a referee.
    ///
    /// # Errors
    /// When the parameters are wrong.
    pub fn referee(params: &serde_json::Value, setup: &RefereeSetup) -> Result<Self, SetupError> {
        let plugin = T::new(read_params(params)?, setup)?;
        let description = plugin.description();
        Ok(Self { plugin, description })
    }
}

impl<T: Referee> RefereeInstance for InProcess<T, GameDescription> {
    fn description(&self) -> &GameDescription {
        &self.description
    }
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        saved(self.plugin.initial_state())
    }
    fn prepare(
        &self,
        state: &mut Vec<u8>,
        input: &PrepareInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        with_state(state, |state| self.plugin.prepare(state, input, orders))
    }
    fn judge(&self, state: &mut Vec<u8>, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        with_state(state, |state| self.plugin.judge(state, input, orders))
    }
}
