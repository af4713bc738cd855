//! The law and the rules of the RoboCup Soccer Server: a referee that works out what the players' commands come to, and judges. \[G1\]
//!
//! Before the physics of a step it carries out the commands and sets off bodies and ball; after it, it moves apart who overlaps, keeps the clock and applies the
//! rules. The law itself is in `touchline-soccer-law`; all its numbers are this referee's parameters.

#![forbid(unsafe_code)]

mod agents;
mod collisions;
mod game;
mod keepers;
mod law;
mod memory;
mod obey;
mod posts;
mod rules;
mod scenes;
mod step;
mod told;
mod vector;
mod world;

use law::Law;
use memory::Memory;
use touchline_plugin_api::game::{GameDescription, GameValue};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{PrepareInput, Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Encoded;
use touchline_soccer_law::PlayMode;
use touchline_soccer_law::face::{Datum, REFEREE_PLUGIN, Value};
use touchline_soccer_law::params::SoccerParams;
use touchline_soccer_law::player_type::{player_types, types_seed};

/// The referee.
pub struct Soccer(Law);

impl Referee for Soccer {
    const NAME: &'static str = REFEREE_PLUGIN;
    const SUMMARY: &'static str = "The law and the rules of the RoboCup Soccer Server.";
    type Params = SoccerParams;
    type State = Encoded<Memory>;

    fn new(params: SoccerParams, setup: &RefereeSetup) -> Result<Self, SetupError> {
        let mut problems = SetupError::default();
        if let Err(error) = params.check() {
            problems.require(false, "", error.to_string());
        }
        problems.require(setup.teams.len() == 2, "", "needs a world with two teams");
        problems.require(setup.world.balls == 1, "", "needs a world with one ball");
        problems.into_result()?;
        let SoccerParams { server, player, keepaway, task } = params;
        // Referees are told no seed: who wants other types in each game sets random_seed.
        let types = player_types(&server, &player, types_seed(&player, 0) as u64);
        Ok(Self(Law { cycle_secs: setup.dt_secs, server, player, keepaway, task, types }))
    }

    fn description(&self) -> GameDescription {
        let value =
            |value: &Value| GameValue { name: value.name().into(), unit: String::new(), initial: 0.0 };
        GameDescription {
            phases: PlayMode::all().map(|mode| mode.word().into()).collect(),
            values: Value::ALL.iter().map(value).collect(),
            motion_data: Datum::ALL.iter().map(|datum| datum.name().into()).collect(),
            prepares: true,
            ..GameDescription::default()
        }
    }

    fn initial_state(&self) -> Encoded<Memory> {
        Encoded(Memory::default())
    }

    fn prepare(
        &self,
        memory: &mut Encoded<Memory>,
        input: &PrepareInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        step::prepare(&self.0, &mut memory.0, input, orders);
        Ok(())
    }

    fn judge(
        &self,
        memory: &mut Encoded<Memory>,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        step::judge(&self.0, &mut memory.0, input, orders);
        Ok(())
    }
}

touchline_plugin_api::export_referee!(Soccer);

#[cfg(test)]
mod tests;
