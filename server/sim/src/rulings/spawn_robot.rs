//! `spawn-robot`: a further robot like one of the world file, until everything goes back to its starting place.

use super::{Ruling, read};
use crate::brief;
use crate::scenario::is_name;
use crate::world::World;
use serde::Deserialize;
use std::sync::Arc;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::player::is_robot_name;

/// So many at a time.
const MAX_SPAWNED: usize = 256;

pub(super) const RULING: Ruling = Ruling { word: "spawn-robot", run };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    name: String,
    /// A robot of the world file: the new one is made of the same, belongs to its team, and has its player.
    like: String,
    /// World frame; without it the free place nearest to the centre.
    pose: Option<Pose2>,
    /// Whether it has the other one's player.
    #[serde(default = "yes")]
    plays: bool,
}

fn yes() -> bool {
    true
}

fn run(world: &mut World, args: &str) -> Result<(), String> {
    let Args { name, like, pose, plays } = read(args)?;
    if !is_name(&name) || !is_robot_name(&name) {
        return Err(format!("\"{}\" is no robot's name", brief::word(&name)));
    }
    if world.spawned_robots().count() >= MAX_SPAWNED {
        return Err(format!("{MAX_SPAWNED} robots were spawned already, which is the most"));
    }
    let setup = Arc::clone(&world.setup);
    let model = setup.scenario.robots.iter().find(|robot| robot.name == like);
    let model = model.ok_or_else(|| format!("the world file has no robot \"{}\"", brief::word(&like)))?;
    let player = model.player.as_ref().filter(|_| plays);
    let added = world.add_robot(&name, model.team, &model.spec, pose, player, None);
    added.map(drop).map_err(|error| error.to_string())
}
