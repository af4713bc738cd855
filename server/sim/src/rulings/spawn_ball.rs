//! `spawn-ball`: a further ball, until everything goes back to its starting place.

use super::{Ruling, read};
use crate::scenario::{BallPlacement, BallSpec};
use crate::world::World;
use serde::Deserialize;
use touchline_plugin_api::flight::Vertical;

/// So many a world file may have, too.
const MAX_BALLS: usize = 64;

pub(super) const RULING: Ruling = Ruling { word: "spawn-ball", run };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The ball that it is as, but for what follows.
    #[serde(default)]
    like: usize,
    radius_m: Option<f64>,
    mass_kg: Option<f64>,
    /// `0xrrggbb`
    colour: Option<u32>,
    /// x and y, world frame, metres.
    position_m: [f64; 2],
    #[serde(default)]
    z_m: f64,
    #[serde(default)]
    velocity_m_s: [f64; 2],
    #[serde(default)]
    rising_m_s: f64,
}

fn run(world: &mut World, args: &str) -> Result<(), String> {
    let args: Args = read(args)?;
    let balls = world.state.placements.len();
    let like = world.state.placements.get(args.like);
    let like =
        like.ok_or_else(|| format!("no ball {} that it could be like; there are {balls}", args.like))?;
    if balls >= MAX_BALLS {
        return Err(format!("there are {MAX_BALLS} balls already, which is the most"));
    }
    let ball = BallSpec {
        radius_m: args.radius_m.unwrap_or(like.ball.radius_m),
        mass_kg: args.mass_kg.unwrap_or(like.ball.mass_kg),
        colour: args.colour.unwrap_or(like.ball.colour),
        ..like.ball
    };
    if !(0.001..=5.0).contains(&ball.radius_m) || !(0.0001..=100.0).contains(&ball.mass_kg) {
        let (radius_m, mass_kg) = (ball.radius_m, ball.mass_kg);
        return Err(format!(
            "a ball of {radius_m} m and {mass_kg} kg; allowed are 0.001 to 5 m, 0.0001 to 100 kg"
        ));
    }
    let (position, velocity) = (args.position_m, args.velocity_m_s);
    let vertical = Vertical { z_m: args.z_m, speed_m_s: args.rising_m_s };
    world.add_ball(BallPlacement { ball, position, velocity, vertical }).map_err(|error| error.to_string())
}
