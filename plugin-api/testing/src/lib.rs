//! For the tests of plugin authors: a small world made by hand, and the contract that every plugin has to keep.
//!
//! [`check_sensor`] and its three sisters run an author's type through the rules of its trait and panic with the
//! name of each rule that it breaks. One line in a test is enough:
//!
//! ```
//! use touchline_plugin_api::layout::{Feature, Field, Layout};
//! use touchline_plugin_api::plugin::{Fault, SetupError};
//! use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
//! use touchline_plugin_api::state::Stateless;
//!
//! /// Where north is.
//! struct Compass;
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct CompassParams {}
//!
//! impl Sensor for Compass {
//!     const NAME: &'static str = "compass";
//!     const SUMMARY: &'static str = "The robot's heading against north.";
//!     const TYPE: &'static str = "compass";
//!     type Params = CompassParams;
//!     type State = Stateless;
//!
//!     fn new(_params: CompassParams, _setup: &SensorSetup) -> Result<Self, SetupError> {
//!         Ok(Self)
//!     }
//!     fn layout(&self) -> Layout {
//!         let heading = Field::signed("heading", "rad", 1e-4, &[]);
//!         Layout { features: vec![Feature::new("heading", vec![heading])] }
//!     }
//!     fn initial_state(&self) -> Stateless {
//!         Stateless
//!     }
//!     fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
//!         quantised[0] = touchline_plugin_api::layout::encode(input.sensor_pose.theta_rad, 1e-4, true);
//!         Ok(())
//!     }
//! }
//!
//! touchline_plugin_testing::check_sensor::<Compass>("{}");
//! ```
//!
//! # Not here
//! The plugin border: `touchline check --contract` runs a built library through the same rules ([`library_verdict`]). Whether a model is *right*: that
//! is what the author's own tests are for.

mod contract;
mod library;
mod motion;
mod pitch;
mod player;
mod referee;
mod robot;
mod seat;
mod sensor;
mod subject;
#[cfg(test)]
mod tests;
mod world;

pub use contract::Violation;
pub use library::{Maker, NotMade, Verdict, library_verdict};
pub use motion::{check_motion, motion_violations};
pub use pitch::{PITCH_DT_SECS, Pitch};
pub use player::{check_player, check_player_of, check_team_player, player_violations};
pub use referee::{check_referee, referee_violations};
pub use robot::{FakeReadings, FakeRobot};
pub use sensor::{check_sensor, sensor_setup, sensor_violations};
pub use world::{FakeWorld, outline};

/// The examples of the guide are compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/plugins.md")]
struct PluginGuide;
