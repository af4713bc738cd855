//! Lists of fixed starts, drawn from the ranges of a world file's `[episode]`.

use std::fmt::Write;
use std::sync::Arc;
use touchline_batch::episode_seed;
use touchline_plugin_api::geometry::atan2;
use touchline_sim::scenario::{PlacementRange, StartOf};
use touchline_sim::{EpisodeEnd, PluginFactory, Scenario, World, WorldError};

/// Draws `count` starts, as the CSV that `starts_file` names; `None` if the world draws none.
///
/// # Errors
/// When the world cannot be made, or there is no room for a start.
pub fn draw(
    mut scenario: Scenario,
    factory: Arc<dyn PluginFactory>,
    count: u64,
    seed: u64,
) -> Result<Option<String>, WorldError> {
    let Some(episode) = &mut scenario.episode else { return Ok(None) };
    episode.starts.clear();
    let ranges = episode.ranges.clone();
    if ranges.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = scenario.robots.iter().map(|robot| robot.name.clone()).collect();
    let mut head: Vec<String> = Vec::new();
    for range in &ranges {
        match range.of {
            StartOf::Robot(robot) => {
                let name = names.get(robot).map_or("", String::as_str);
                head.extend(["x_m", "y_m", "theta_rad"].map(|part| format!("{name}.{part}")));
            }
            StartOf::Ball(ball) => {
                head.extend(ball_parts(range).iter().map(|part| format!("ball-{ball}.{part}")));
            }
        }
    }
    let mut world = World::new(scenario, factory)?;
    let mut text = head.join(",") + "\n";
    for number in 0..count {
        world.begin_episode(episode_seed(seed, number, 0), None);
        if let Some(EpisodeEnd::NoRoom(no_start)) = world.episode_end() {
            let error = no_start.clone().into();
            return Err(WorldError { place: "episode".into(), index: None, error });
        }
        let numbers: Vec<f64> = ranges.iter().flat_map(|range| placed(&world, range)).collect();
        // A tenth of a millimetre is fine enough, and keeps the list short.
        let cells: Vec<String> = numbers.iter().map(|number| format!("{number:.4}")).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
    Ok(Some(text))
}

/// A ball that starts at rest has no direction.
fn ball_parts(range: &PlacementRange) -> &'static [&'static str] {
    if range.speed_m_s == [0.0; 2] { &["x_m", "y_m"] } else { &["x_m", "y_m", "theta_rad", "speed_m_s"] }
}

/// Where a thing is in the world, in the order of its columns.
fn placed(world: &World, range: &PlacementRange) -> Vec<f64> {
    let view = world.view();
    match range.of {
        StartOf::Robot(robot) => {
            let robot = view.robot(robot as u32);
            robot.map_or_else(Vec::new, |robot| vec![robot.pose.x_m, robot.pose.y_m, robot.pose.theta_rad])
        }
        StartOf::Ball(ball) => {
            let Some(ball) = view.balls().nth(ball) else { return Vec::new() };
            let (vx, vy) = (ball.twist.x_m_s, ball.twist.y_m_s);
            let all = [ball.pose.x_m, ball.pose.y_m, atan2(vy, vx), (vx * vx + vy * vy).sqrt()];
            all[..ball_parts(range).len()].to_vec()
        }
    }
}
