//! Plugins and robot files of the hand-made world.

use super::frame::spec;
use crate::files::{Read, Ready, Source, Wanted};
use serde_json::json;
use std::sync::Arc;
use touchline_board::{Problem, Reply};
use touchline_plugin_api::instance::SensorInstance;
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::plugin::{Fault, PluginDescription, PluginKind};
use touchline_plugin_api::sensor::{AdvanceInput, SensorDatum, SensorInput};
use touchline_sim::PluginFactory;
use touchline_sim::scenario::RobotSpec;

/// What the laser of every robot reads: five beams from right to left, the third hits nothing.
pub const LASER: [u32; 7] = [-1_570_796i32 as u32, 78_539_816, 812, 1100, u32::MAX, 1100, 812];
/// What the camera of every robot reads: a ball 2 m away, 0.25 rad to the right.
pub const CAMERA: [u32; 2] = [2000, -2500i32 as u32];

/// A sensor that reads the same for ever.
pub(super) struct Readings {
    pub layout: Layout,
    pub is_laser: bool,
    pub data: Vec<SensorDatum>,
}

impl SensorInstance for Readings {
    fn sensor_type(&self) -> &str {
        if self.is_laser { "laser" } else { "camera" }
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn data(&self) -> &[SensorDatum] {
        &self.data
    }

    fn is_stateless(&self) -> bool {
        true
    }

    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    fn advance(&self, _: &mut Vec<u8>, _: &AdvanceInput<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn generate(&self, _: &[u8], _: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        quantised.copy_from_slice(if self.is_laser { &LASER } else { &CAMERA });
        Ok(())
    }
}

/// One player and one referee, which nobody ever makes.
pub(super) struct Plugins;

impl PluginFactory for Plugins {
    fn descriptions(&self) -> Vec<PluginDescription> {
        let plugin = |kind, name: &str, summary: &str, params_schema| PluginDescription {
            name: name.into(),
            kind,
            version: "0.1.0".into(),
            summary: summary.into(),
            params_schema,
        };
        vec![
            plugin(PluginKind::Player, "striker", "goes for the ball and kicks it", json!({})),
            plugin(
                PluginKind::Referee,
                "f2000",
                "the rules",
                json!({ "x-commands": ["START", "KICKOFF <team>"] }),
            ),
        ]
    }
}

/// One robot file; of those that are sent, all are right that have a motion model.
pub(super) struct Files;

impl Read for Files {
    fn robot(&self, _: &str, source: Source) -> Result<Arc<RobotSpec>, Reply> {
        match source {
            Source::File(file) if file != "pioneer" => {
                let message = format!("no robot file \"{file}\"; pioneer");
                Err(Reply::error("board/no-such-file", message))
            }
            Source::Text(text) if !text.contains("motion") => {
                Err(Reply::problems("config/bad-file", "the robot file has 2 problems", &problems()))
            }
            Source::File(_) | Source::Text(_) => Ok(Arc::new(spec())),
        }
    }

    fn list(&self) -> Vec<(String, String)> {
        vec![("pioneer".into(), "two wheels, laser, camera".into())]
    }

    fn player(&self, wanted: Wanted) -> Result<Ready, Reply> {
        Ok(Ready { player: wanted.player, made: None })
    }
}

fn problems() -> [Problem; 2] {
    let out_of_range = Problem {
        line: Some(2),
        column: Some(11),
        code: "config/out-of-range".into(),
        got: Some("mass_kg = -8".into()),
        allowed: Some("a number, 0.001 <= mass_kg <= 1000: the mass of the whole robot, kilograms".into()),
        hint: Some("the nearest allowed value is 0.001".into()),
        message: "\"mass_kg\" is outside what is allowed".into(),
        ..Problem::default()
    };
    let unknown = Problem {
        line: Some(3),
        column: Some(1),
        code: "config/unknown-key".into(),
        got: Some("moton = { plugin = \"differential\" }".into()),
        allowed: Some("body, colour, include, manipulator, mass_kg, model, motion, sensor".into()),
        hint: Some("did you mean \"motion\"?".into()),
        message: "unknown key \"moton\"".into(),
        ..Problem::default()
    };
    [out_of_range, unknown]
}
