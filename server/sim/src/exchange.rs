//! A robot's player given up for another, while the robot goes on as it is. (Y2)
//!
//! # Invariants
//! - Nothing but the player changes: pose, velocity, motion data, the standing command, manipulators and what was paid stay.
//! - The new player begins as players do: with its first state, an empty inbox, and no time since its last call.
//! - A reset brings back the player that the world file names.

use crate::chosen::{By, chosen};
use crate::command::{CommandError, RobotNumber};
use crate::events::EventKind;
use crate::scenario::{PlayerChoice, PluginChoice};
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::plugin::Fault;

impl World {
    /// Gives a robot another player in place of the one that it has.
    pub(crate) fn exchange_player(
        &mut self,
        number: RobotNumber,
        choice: &PlayerChoice,
        by: By,
    ) -> Result<(), CommandError> {
        let index = self.index(number)?;
        let robot = &self.state.robots[index];
        let identity = Arc::clone(&robot.identity);
        let Some(before) = &robot.player else {
            let name = &identity.name;
            return Err(CommandError::Player(format!("robot \"{name}\" has no player to exchange")));
        };
        let parts = self.parts(number, &identity.name, identity.description.team, &identity.spec);
        let choice = chosen(parts.scenario, parts.factory, choice, Some(&before.choice), by)?;
        let mut driver = parts.driver(&identity, &choice)?;
        driver.exchanged = true;
        let shadow = parts.shadow(&identity, Some(&choice));
        let robot = &mut self.state.robots[index];
        (robot.player, robot.shadow) = (Some(driver), shadow);
        let (name, plugin) = (identity.name.clone(), choice.choice.plugin);
        self.event(EventKind::PlayerExchanged { number, name, plugin });
        Ok(())
    }

    /// Carries out [`Order::ExchangePlayer`]; `team` is that of who orders it, `None` for the referee.
    pub(crate) fn exchange_by_order(&mut self, order: &Order<'_>, team: Option<u32>) -> Result<(), Fault> {
        let bad = |problem: String| Fault::BadOutput(problem);
        let Order::ExchangePlayer { robot: number, plugin, params, period_secs } = *order else {
            return Err(bad("no exchange of a player".into()));
        };
        let index = self
            .robot_index(number)
            .ok_or_else(|| bad(format!("no robot {number} to exchange the player of")))?;
        let robot = &self.state.robots[index];
        let name = &robot.identity.name;
        if team.is_some() && team != robot.identity.description.team {
            return Err(bad(format!(
                "robot \"{name}\" is not of its team: its player is not to be exchanged"
            )));
        }
        let player = robot.player.as_ref();
        let before = player.ok_or_else(|| bad(format!("robot \"{name}\" has no player to exchange")))?;
        let params = serde_json::from_str(params).map_err(|error| {
            bad(format!("the parameters of \"{name}\"'s new player are no JSON: {error}"))
        })?;
        let plugin = if plugin.is_empty() { &before.choice.choice.plugin } else { plugin };
        let period_secs = match period_secs {
            0.0 => before.choice.period_secs,
            secs if secs > 0.0 && secs.is_finite() => secs,
            secs => return Err(bad(format!("a player cannot be asked every {secs} s"))),
        };
        let choice = PlayerChoice { choice: PluginChoice::new(plugin, params), period_secs };
        self.exchange_player(number, &choice, By::Order).map_err(|error| bad(error.to_string()))
    }
}
