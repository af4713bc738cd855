//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::{FRAC_PI_3, TAU};
use touchline_plugin_api::plugin::SetupError;
use touchline_soccer_law::params::{PlayerParams, ServerParams, SoccerParams};

/// Parameters of a player's eyes.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SeeParams {
    /// Opening of the cone until somebody sets `view-angle`, radians. 60 degrees is the narrow view, with which that server's players see in every cycle.
    #[schemars(range(min = 0.0, max = 6.2842))]
    pub view_angle_rad: f64,
    /// Whether distances have a Gaussian noise, as of players who asked for it; otherwise they are quantised.
    pub gaussian: bool,
    /// The parameters of the game that the referee has under the same names.
    pub server: ServerParams,
    /// The parameters of the players' types, likewise.
    pub player: PlayerParams,
}

impl Default for SeeParams {
    fn default() -> Self {
        let SoccerParams { server, player, .. } = SoccerParams::today();
        Self { view_angle_rad: FRAC_PI_3, gaussian: false, server, player }
    }
}

impl SeeParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let angle = self.view_angle_rad;
        problems.require(
            (0.0..=TAU + 1e-3).contains(&angle),
            "view_angle_rad",
            format!("{angle} rad; it must be from 0 to 6.284 (a whole turn)"),
        );
        for (table, result) in [("server", self.server.check()), ("player", self.player.check())] {
            if let Err(error) = result {
                problems.require(false, table, error.to_string());
            }
        }
        problems.into_result()
    }
}
