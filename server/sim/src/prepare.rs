//! Players made ahead of time, so that a world that is told to make one need not load anything: it stands meanwhile.

use crate::assemble::Parts;
use crate::chosen::{By, chosen};
use crate::command::CommandError;
use crate::factory::{MakeError, PluginFactory};
use crate::scenario::{PlayerChoice, RobotSpec, Scenario};
use std::sync::Arc;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::PlayerInstance;
use touchline_plugin_api::player::{PlayerSetup, RobotDescription};
use touchline_plugin_api::world::WorldDescription;

/// The time between two calls, in steps; not always a whole number.
pub(crate) fn period_steps(dt_secs: f64, choice: &PlayerChoice) -> f64 {
    (choice.period_secs / dt_secs).max(1.0)
}

/// What a player of a robot of this scenario is told when it is made.
pub(crate) fn player_setup(
    scenario: &Scenario,
    game: &GameDescription,
    robot: &RobotDescription,
    choice: &PlayerChoice,
) -> PlayerSetup {
    let teams = scenario.teams.iter().map(|team| team.name.clone()).collect();
    let world = WorldDescription { game: game.clone(), ..scenario.description() };
    robot_player_setup(choice, robot.clone(), teams, world)
}

/// What a robot's player is told when it is made.
pub fn robot_player_setup(
    choice: &PlayerChoice,
    robot: RobotDescription,
    teams: Vec<String>,
    world: WorldDescription,
) -> PlayerSetup {
    let period_secs = period_steps(world.dt_secs, choice) * world.dt_secs;
    PlayerSetup { robot, team_robots: Vec::new(), teams, period_secs, world }
}

/// Makes the player that a world of this scenario will be told to make for a robot, so that it need load nothing then: see
/// [`PluginFactory::prepare_player`]. One that comes in place of a player in a process of its own says so in its choice.
///
/// # Errors
/// As the world's own attempt.
pub fn prepare_player(
    scenario: &Scenario,
    game: &GameDescription,
    factory: &dyn PluginFactory,
    robot: &RobotDescription,
    choice: &PlayerChoice,
) -> Result<Arc<dyn PlayerInstance>, MakeError> {
    let choice = &chosen(scenario, factory, choice, None, By::Command)?;
    factory.prepare_player(&choice.choice, &player_setup(scenario, game, robot, choice))
}

/// What a robot will be called and made of when a world of this scenario makes it.
///
/// # Errors
/// As the world's own attempt, but for its place.
pub fn describe_robot(
    scenario: &Scenario,
    game: &GameDescription,
    factory: &dyn PluginFactory,
    (name, team): (&str, Option<u32>),
    spec: &Arc<RobotSpec>,
) -> Result<RobotDescription, CommandError> {
    let parts = Parts { scenario, factory, number: 0, name, team, spec, shadows: &[], game };
    Ok(parts.assemble(Pose2::ORIGIN, None, None)?.identity.description.clone())
}
