//! Players that are chosen while a world runs, by a command or an order: no check of a file has seen them.
//!
//! # Invariants
//! - What the world file keeps in a process of its own stays in one: a robot's player whatever comes in its place, and a plugin whoever
//!   chooses it.
//! - Parameters outside of what their plugin allows make no player.

use crate::factory::{MakeError, PluginFactory};
use crate::scenario::{PlayerChoice, PluginChoice, Scenario};
use touchline_plugin_api::plugin::PluginKind;

/// Who chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A client, or a recording that has kept what a client was let do.
    Command,
    /// A plugin of the world.
    Order,
}

/// The player as it is to be made; `replaced` is the choice of the one that it comes in place of.
pub(crate) fn chosen(
    scenario: &Scenario,
    factory: &dyn PluginFactory,
    choice: &PlayerChoice,
    replaced: Option<&PlayerChoice>,
    by: By,
) -> Result<PlayerChoice, MakeError> {
    // A command that is shown again was let when it was recorded, whatever the plugin of today allows.
    if by == By::Order || !factory.makes_stand_ins() {
        factory.check_params(PluginKind::Player, &choice.choice)?;
    }
    let isolate = choice.choice.isolate
        || replaced.is_some_and(|replaced| replaced.choice.isolate)
        || keeps_apart(scenario, &choice.choice.plugin);
    Ok(PlayerChoice { choice: PluginChoice { isolate, ..choice.choice.clone() }, ..*choice })
}

/// Whether the world file has a player of this plugin in a process of its own.
pub(crate) fn keeps_apart(scenario: &Scenario, plugin: &str) -> bool {
    let of_robots = scenario.robots.iter().filter_map(|robot| robot.player.as_ref());
    let of_teams = scenario.teams.iter().flat_map(|team| &team.players).map(|player| &player.player);
    of_robots.chain(of_teams).any(|player| player.choice.isolate && player.choice.plugin == plugin)
}
