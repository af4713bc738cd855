//! What the contracts are asked of: an author's type, or an instance whose type nobody knows, such as one behind the plugin border.
//!
//! The state of the first is a value, which must come through saving and loading as it was. That of the second is bytes from the
//! beginning: what it hides elsewhere shows when a call is made twice from the same bytes, and in another instance.

use std::sync::Arc;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, RefereeInstance, SensorInstance};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{Motion, MotionDescription, MotionInput, MotionOutput};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::referee::{PrepareInput, Referee, RefereeInput};
use touchline_plugin_api::sensor::{AdvanceInput, Sensor, SensorDatum, SensorInput};
use touchline_plugin_api::state::{State, StateError};

/// An instance without its type.
pub(super) struct Untyped<I: ?Sized>(pub Arc<I>);

/// The state of an instance without its type.
#[derive(Clone)]
pub(super) struct Bytes(Vec<u8>);

impl State for Bytes {
    fn save(&self, out: &mut Vec<u8>) -> Result<(), StateError> {
        out.extend_from_slice(&self.0);
        Ok(())
    }
    fn load(bytes: &[u8]) -> Result<Self, StateError> {
        Ok(Self(bytes.to_vec()))
    }
}

pub(super) trait MotionSubject {
    type State: State;
    fn description(&self) -> MotionDescription;
    fn initial_state(&self) -> Result<Self::State, Fault>;
    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault>;
}

impl<T: Motion> MotionSubject for T {
    type State = T::State;
    fn description(&self) -> MotionDescription {
        Motion::description(self)
    }
    fn initial_state(&self) -> Result<T::State, Fault> {
        Ok(Motion::initial_state(self))
    }
    fn advance(&self, state: &mut T::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        Motion::advance(self, state, input)
    }
}

impl MotionSubject for Untyped<dyn MotionInstance> {
    type State = Bytes;
    fn description(&self) -> MotionDescription {
        self.0.description().clone()
    }
    fn initial_state(&self) -> Result<Bytes, Fault> {
        self.0.initial_state().map(Bytes)
    }
    fn advance(&self, state: &mut Bytes, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        self.0.advance(&mut state.0, input)
    }
}

pub(super) trait SensorSubject {
    type State: State;
    fn sensor_type(&self) -> &str;
    fn layout(&self) -> Layout;
    fn data(&self) -> Vec<SensorDatum>;
    fn is_stateless(&self) -> bool;
    fn serves_all(&self) -> bool;
    fn is_deaf(&self) -> bool;
    fn initial_state(&self) -> Result<Self::State, Fault>;
    fn advance(&self, state: &mut Self::State, input: &AdvanceInput<'_>) -> Result<(), Fault>;
    fn generate(
        &self,
        state: &Self::State,
        input: &SensorInput<'_>,
        quantised: &mut [u32],
    ) -> Result<(), Fault>;
}

impl<T: Sensor> SensorSubject for T {
    type State = T::State;
    fn sensor_type(&self) -> &str {
        T::TYPE
    }
    fn layout(&self) -> Layout {
        Sensor::layout(self)
    }
    fn data(&self) -> Vec<SensorDatum> {
        Sensor::data(self)
    }
    fn serves_all(&self) -> bool {
        T::SERVES_ALL
    }
    fn is_deaf(&self) -> bool {
        T::IS_DEAF
    }
    fn is_stateless(&self) -> bool {
        T::State::STATELESS
    }
    fn initial_state(&self) -> Result<T::State, Fault> {
        Ok(Sensor::initial_state(self))
    }
    fn advance(&self, state: &mut T::State, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        Sensor::advance(self, state, input)
    }
    fn generate(
        &self,
        state: &T::State,
        input: &SensorInput<'_>,
        quantised: &mut [u32],
    ) -> Result<(), Fault> {
        Sensor::generate(self, state, input, quantised)
    }
}

impl SensorSubject for Untyped<dyn SensorInstance> {
    type State = Bytes;
    fn sensor_type(&self) -> &str {
        self.0.sensor_type()
    }
    fn layout(&self) -> Layout {
        self.0.layout().clone()
    }
    fn data(&self) -> Vec<SensorDatum> {
        self.0.data().to_vec()
    }
    fn serves_all(&self) -> bool {
        self.0.serves_all()
    }
    fn is_deaf(&self) -> bool {
        self.0.is_deaf()
    }
    fn is_stateless(&self) -> bool {
        self.0.is_stateless()
    }
    fn initial_state(&self) -> Result<Bytes, Fault> {
        self.0.initial_state().map(Bytes)
    }
    fn advance(&self, state: &mut Bytes, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        self.0.advance(&mut state.0, input)
    }
    fn generate(&self, state: &Bytes, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        self.0.generate(&state.0, input, quantised)
    }
}

pub(super) trait PlayerSubject {
    type State: State;
    fn initial_state(&self) -> Result<Self::State, Fault>;
    fn sense_and_act(
        &self,
        state: &mut Self::State,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault>;
}

impl<T: Player> PlayerSubject for T {
    type State = T::State;
    fn initial_state(&self) -> Result<T::State, Fault> {
        Ok(Player::initial_state(self))
    }
    fn sense_and_act(
        &self,
        state: &mut T::State,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        Player::sense_and_act(self, state, input, orders)
    }
}

impl PlayerSubject for Untyped<dyn PlayerInstance> {
    type State = Bytes;
    fn initial_state(&self) -> Result<Bytes, Fault> {
        self.0.initial_state().map(Bytes)
    }
    fn sense_and_act(
        &self,
        state: &mut Bytes,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        self.0.sense_and_act(&mut state.0, input, orders)
    }
}

pub(super) trait RefereeSubject {
    type State: State;
    fn description(&self) -> GameDescription;
    fn initial_state(&self) -> Result<Self::State, Fault>;
    fn prepare(
        &self,
        state: &mut Self::State,
        input: &PrepareInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault>;
    fn judge(
        &self,
        state: &mut Self::State,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault>;
}

impl<T: Referee> RefereeSubject for T {
    type State = T::State;
    fn description(&self) -> GameDescription {
        Referee::description(self)
    }
    fn initial_state(&self) -> Result<T::State, Fault> {
        Ok(Referee::initial_state(self))
    }
    fn prepare(
        &self,
        state: &mut T::State,
        input: &PrepareInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        Referee::prepare(self, state, input, orders)
    }
    fn judge(
        &self,
        state: &mut T::State,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        Referee::judge(self, state, input, orders)
    }
}

impl RefereeSubject for Untyped<dyn RefereeInstance> {
    type State = Bytes;
    fn description(&self) -> GameDescription {
        self.0.description().clone()
    }
    fn initial_state(&self) -> Result<Bytes, Fault> {
        self.0.initial_state().map(Bytes)
    }
    fn prepare(&self, state: &mut Bytes, input: &PrepareInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.0.prepare(&mut state.0, input, orders)
    }
    fn judge(&self, state: &mut Bytes, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.0.judge(&mut state.0, input, orders)
    }
}
