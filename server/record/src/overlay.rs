//! A Frame with everything where a recording says that it was: for ticks that cannot be run again.

use crate::poses::{Block, ObjectId, height_m, id, pose};
use crate::reader::LoggedGame;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::view::{ObjectKind, Shape};
use touchline_sim::Frame;

/// Moves the balls and robots of a Frame to their recorded places; what was no longer there is taken away.
///
/// What came later is not shown: the Frame does not know its shape. Velocities are not recorded.
pub fn overlay(frame: &mut Frame, block: &Block, index: usize, dt_secs: f64) {
    if index >= block.digests.len() {
        return;
    }
    let places = block.places();
    let places = &places[index * block.objects.len()..];
    let place = |object: ObjectId| {
        let units = *places.get(block.objects.iter().position(|&other| other == object)?)?;
        Some((pose(units), height_m(units)))
    };
    (frame.step, frame.run) = (block.step + index as u64, block.run);
    frame.time_secs = frame.step as f64 * dt_secs;
    // Readers tell Frames by this number: one for each tick, and none that a live Frame has.
    frame.revision = (1 << 63) | (block.tick + index as u64);
    let (objects, shapes) = (std::mem::take(&mut frame.objects), std::mem::take(&mut frame.shapes));
    let mut new_index = vec![None; objects.len()];
    for (old, mut object) in objects.into_iter().enumerate() {
        let first = object.first_shape as usize;
        let own = shapes.get(first..first + object.shape_count as usize).unwrap_or_default();
        let first_shape = frame.shapes.len() as u32;
        if object.kind() == ObjectKind::Fixtures {
            frame.shapes.extend_from_slice(own);
        } else {
            let Some((pose, z_m)) = place(id(&object)) else { continue };
            let turn = pose.compose(object.pose.inverse());
            let rise_m = z_m - object.vertical.z_m;
            frame
                .shapes
                .extend(own.iter().map(|shape| moved(shape, turn, rise_m, frame.objects.len() as u32)));
            (object.pose, object.twist) = (pose, Twist2::ZERO);
            object.vertical = Vertical { z_m, speed_m_s: 0.0 };
        }
        object.first_shape = first_shape;
        new_index[old] = Some(frame.objects.len() as u32);
        frame.objects.push(object);
    }
    frame.robots.retain_mut(|robot| {
        let object = new_index.get(robot.object as usize).copied().flatten();
        let pose = place(ObjectId { is_robot: true, number: robot.identity.number });
        let (Some(object), Some((pose, _))) = (object, pose) else { return false };
        (robot.object, robot.pose, robot.heading) = (object, pose, sin_cos(pose.theta_rad));
        robot.twist = Twist2::ZERO;
        // What a player would do in this world nobody knows.
        robot.shadow = None;
        // The samples that were taken are of the other world, and would stay the last for ever.
        robot.held.clear();
        true
    });
}

/// Score and clock as they were recorded.
pub fn overlay_game(frame: &mut Frame, game: &LoggedGame) {
    let words = frame.game.description();
    let mut state = (*frame.game).clone();
    (state.clock_secs, state.episode) = (game.clock_secs, game.episode);
    state.phase = words.phase(&game.phase).unwrap_or(state.phase);
    for (value, name) in state.values.iter_mut().zip(&words.values) {
        *value = game.values.get(&name.name).copied().unwrap_or(*value);
    }
    for (team, recorded) in state.teams.iter_mut().zip(&game.score) {
        team.score = *recorded;
    }
    frame.game = frame.game.with_state(state);
}

fn moved(shape: &Shape, by: Pose2, rise_m: f64, object: u32) -> Shape {
    let (sin, cos) = sin_cos(by.theta_rad);
    let [x_m, y_m] = by.point_to_outer([shape.x_m, shape.y_m]);
    Shape {
        x_m,
        y_m,
        cos: cos * shape.cos - sin * shape.sin,
        sin: sin * shape.cos + cos * shape.sin,
        corner_b: by.point_to_outer(shape.corner_b),
        corner_c: by.point_to_outer(shape.corner_c),
        z_bottom_m: shape.z_bottom_m + rise_m,
        z_top_m: shape.z_top_m + rise_m,
        object,
        ..*shape
    }
}
