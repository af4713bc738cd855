//! The low-level features: 58 of the agent, the field and the ball, eight of each player, uniform numbers, and the last command's success.

use super::observed::{Observed, Other, angle, flag, landmark, norm, proximity};
use crate::vector::length;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::pitch::{HALF_LENGTH_M, HALF_WIDTH_M, PENALTY_AREA_LENGTH_M, PENALTY_AREA_WIDTH_M};

/// Names of the first ones, in their order; those of an angle are its sine and cosine.
pub const LOW_LEVEL: [&str; 58] = [
    "self_pos_valid",
    "self_vel_valid",
    "self_vel_sin",
    "self_vel_cos",
    "self_vel_mag",
    "self_ang_sin",
    "self_ang_cos",
    "stamina",
    "frozen",
    "colliding_with_ball",
    "colliding_with_player",
    "colliding_with_post",
    "kickable",
    "goal_center_sin",
    "goal_center_cos",
    "goal_center_proximity",
    "goal_post_top_sin",
    "goal_post_top_cos",
    "goal_post_top_proximity",
    "goal_post_bot_sin",
    "goal_post_bot_cos",
    "goal_post_bot_proximity",
    "penalty_box_center_sin",
    "penalty_box_center_cos",
    "penalty_box_center_proximity",
    "penalty_box_top_sin",
    "penalty_box_top_cos",
    "penalty_box_top_proximity",
    "penalty_box_bot_sin",
    "penalty_box_bot_cos",
    "penalty_box_bot_proximity",
    "center_field_sin",
    "center_field_cos",
    "center_field_proximity",
    "corner_top_left_sin",
    "corner_top_left_cos",
    "corner_top_left_proximity",
    "corner_top_right_sin",
    "corner_top_right_cos",
    "corner_top_right_proximity",
    "corner_bot_right_sin",
    "corner_bot_right_cos",
    "corner_bot_right_proximity",
    "corner_bot_left_sin",
    "corner_bot_left_cos",
    "corner_bot_left_proximity",
    "oob_left_proximity",
    "oob_right_proximity",
    "oob_top_proximity",
    "oob_bot_proximity",
    "ball_pos_valid",
    "ball_sin",
    "ball_cos",
    "ball_proximity",
    "ball_vel_valid",
    "ball_vel_mag",
    "ball_vel_sin",
    "ball_vel_cos",
];

/// Names of a player's features.
pub const OF_PLAYER: [&str; 8] =
    ["sin", "cos", "proximity", "body_sin", "body_cos", "vel_mag", "vel_sin", "vel_cos"];

/// The largest values that the benchmark reckons with: speed of the agent, of others, of the ball, metres a cycle; stamina.
const OWN_SPEED: f64 = 0.46;
const PLAYER_SPEED: f64 = 0.75;
const BALL_SPEED: f64 = 5.0;
pub(super) const STAMINA: f64 = 8000.0;

/// The first 58, and eight for each mate and each opponent. The agent attacks the goal at x > 0, or defends it: features are the same.
pub fn low_level(server: &ServerParams, observed: &Observed) -> ([f64; 58], Vec<[f64; 8]>, Vec<[f64; 8]>) {
    let Observed { own, ball: (ball, ball_velocity), mates, opponents } = observed;
    let mut features = Vec::with_capacity(LOW_LEVEL.len());
    let course_rad = libm::atan2(own.velocity[1], own.velocity[0]);
    features.extend([1.0, 1.0]);
    features.extend(angle(own.heading_rad - course_rad));
    features.push(norm(length(own.velocity), 0.0, OWN_SPEED));
    features.extend(angle(own.heading_rad));
    features.extend([norm(own.stamina, 0.0, STAMINA), flag(own.is_frozen)]);
    features.extend(own.collides.map(flag));
    features.push(flag(own.can_kick));
    let goal_half_m = server.goal_width / 2.0;
    let (box_x, box_y) = (HALF_LENGTH_M - PENALTY_AREA_LENGTH_M, PENALTY_AREA_WIDTH_M / 2.0);
    let places = [
        [HALF_LENGTH_M, 0.0],
        [HALF_LENGTH_M, -goal_half_m],
        [HALF_LENGTH_M, goal_half_m],
        [box_x, 0.0],
        [box_x, -box_y],
        [box_x, box_y],
        [0.0, 0.0],
        [0.0, -HALF_WIDTH_M],
        [HALF_LENGTH_M, -HALF_WIDTH_M],
        [HALF_LENGTH_M, HALF_WIDTH_M],
        [0.0, HALF_WIDTH_M],
    ];
    features.extend(places.into_iter().flat_map(|place| landmark(own, place)));
    let [x, y] = own.place;
    features.extend([x, HALF_LENGTH_M - x].map(|away| proximity(away, 1.1 * HALF_LENGTH_M)));
    features.extend([HALF_WIDTH_M + y, HALF_WIDTH_M - y].map(|away| proximity(away, 2.1 * HALF_WIDTH_M)));
    features.push(1.0);
    features.extend(landmark(own, *ball));
    features.extend([1.0, norm(length(*ball_velocity), 0.0, BALL_SPEED)]);
    features.extend(angle(libm::atan2(ball_velocity[1], ball_velocity[0])));
    let of_player = |other: &Other| {
        let [sin, cos, near] = landmark(own, other.place);
        let [body_sin, body_cos] = angle(other.heading_rad);
        let [vel_sin, vel_cos] = angle(libm::atan2(other.velocity[1], other.velocity[0]));
        let speed = norm(length(other.velocity), 0.0, PLAYER_SPEED);
        [sin, cos, near, body_sin, body_cos, speed, vel_sin, vel_cos]
    };
    let first = std::array::from_fn(|place| features[place]);
    (first, mates.iter().map(of_player).collect(), opponents.iter().map(of_player).collect())
}
