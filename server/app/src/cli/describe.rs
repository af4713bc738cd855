//! `touchline describe`: what a robot's numbers mean, without a server.

use super::places::Places;
use super::{Failure, PluginOptions, costs, data, shipped};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use touchline_board_server::description_reply;
use touchline_sim::scenario::RobotPlacement;
use touchline_sim::{PluginFactory, Scenario, World};

/// Prints what a server answers to `DESCRIBE` for such a robot, line by line.
///
/// # Errors
/// When a file is wrong, or a plugin is missing.
pub fn describe(robot: &Path, world: Option<&Path>, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    if let Some(why) = places.not_there(robot) {
        return Err(Failure::Resource(why));
    }
    let spec =
        touchline_config::load_robot_with(&places.robot_or_world(robot), &places.files(), host.as_ref())?;
    let alone = costs::alone(spec);
    let scenario = match world {
        None => alone,
        Some(world) => {
            let path = places.world(world)?;
            let checked = touchline_config::check_world_with(&path, &places.files(), host.as_ref())?;
            // Wherever it has room there; nobody has to judge it.
            let robots =
                alone.robots.into_iter().map(|robot| RobotPlacement { pose: None, ..robot }).collect();
            Scenario { robots, balls: Vec::new(), referee: None, episode: None, ..checked.scenario }
        }
    };
    let world = World::new(scenario, Arc::clone(&host) as _)?;
    let mut text = Vec::new();
    for robot in &world.frame().robots {
        description_reply(&robot.identity, None, &host.descriptions()).write(None, "DESCRIBE", &mut text);
    }
    let mut out = data();
    out.write_all(&text)?;
    Ok(out.flush()?)
}
