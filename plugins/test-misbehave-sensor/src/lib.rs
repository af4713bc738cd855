//! A sensor that misbehaves on purpose, to prove that nobody else is harmed. [P1, P6]
//!
//! Its one count is the number of steps that were made.

#![forbid(unsafe_code)]

use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{AdvanceInput, Sensor, SensorInput, SensorSetup};

/// What it does wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Nothing.
    #[default]
    Not,
    /// Panics when an instance is made.
    PanicInNew,
    /// Panics when it integrates a step.
    PanicInAdvance,
    /// Panics when it is read.
    Panic,
    /// Gives an error when it is read.
    Error,
    /// Does not return when it is read.
    Hang,
    /// Says that it has more integers than fit into any memory.
    HugeLayout,
    /// Gives a field a scale that means nothing.
    BadScale,
}

/// The parameters.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MisbehaveParams {
    /// What it does wrong.
    #[serde(default)]
    how: How,
    /// How many steps it behaves before it does what it does in a step or a reading.
    #[serde(default)]
    after_steps: u32,
}

/// The sensor.
pub struct Misbehave {
    params: MisbehaveParams,
}

/// How many steps were made.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Steps(u32);

impl Misbehave {
    fn misbehaves(&self, how: How, steps: Steps) -> bool {
        self.params.how == how && steps.0 >= self.params.after_steps
    }
}

impl Sensor for Misbehave {
    const NAME: &'static str = "misbehave";
    const SUMMARY: &'static str = "Misbehaves on purpose: for tests.";
    const TYPE: &'static str = "test";
    type Params = MisbehaveParams;
    type State = Steps;

    fn new(params: Self::Params, setup: &SensorSetup) -> Result<Self, SetupError> {
        assert!(params.how != How::PanicInNew, "misbehaves: sensor {}", setup.id);
        Ok(Self { params })
    }

    fn layout(&self) -> Layout {
        let shape: &[u32] = if self.params.how == How::HugeLayout { &[u32::MAX, u32::MAX, 4] } else { &[] };
        let scale = if self.params.how == How::BadScale { 0.0 } else { 1.0 };
        Layout { features: vec![Feature::new("test", vec![Field::unsigned("steps", "1", scale, shape)])] }
    }

    fn initial_state(&self) -> Self::State {
        Steps(0)
    }

    fn advance(&self, state: &mut Self::State, _input: &AdvanceInput<'_>) -> Result<(), Fault> {
        assert!(!self.misbehaves(How::PanicInAdvance, *state), "misbehaves: step {}", state.0);
        state.0 += 1;
        Ok(())
    }

    fn generate(&self, state: &Steps, _input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        assert!(!self.misbehaves(How::Panic, *state), "misbehaves: reading {}", state.0);
        while self.misbehaves(How::Hang, *state) {
            std::thread::park();
        }
        if self.misbehaves(How::Error, *state) {
            return Err(Fault::new(format!("misbehaves: reading {}", state.0)));
        }
        quantised[0] = state.0;
        Ok(())
    }
}

touchline_plugin_api::export_sensor!(Misbehave);
