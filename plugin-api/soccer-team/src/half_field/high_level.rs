//! The high-level features: ten of the agent and the ball, six for each mate, three for each opponent, the last command's success, and stamina.

use super::INVALID;
use super::low_level::STAMINA;
use super::observed::{Observed, Other, flag, longest_m, norm, norm_angle};
use super::open_angle::{to_goal, to_mate};
use crate::vector::{Vector, distance, sub};
use std::f64::consts::PI;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::pitch::{HALF_LENGTH_M, HALF_WIDTH_M};

/// Names of the first ones, in their order.
pub const HIGH_LEVEL: [&str; 10] = [
    "x",
    "y",
    "orientation",
    "ball_x",
    "ball_y",
    "able_to_kick",
    "goal_center_proximity",
    "goal_center_angle",
    "goal_opening_angle",
    "proximity_to_opponent",
];

/// What the features say; lists are in the order of [`Observed`]'s.
#[derive(Clone, Debug, PartialEq)]
pub struct HighLevelFeatures {
    /// The first ten.
    pub first: [f64; 10],
    /// Each mate's goal opening angle, proximity to its nearest opponent, pass opening angle, and place and uniform number.
    pub mates: Vec<([f64; 3], [f64; 3])>,
    /// Place and uniform number of each opponent.
    pub opponents: Vec<[f64; 3]>,
    /// Whether the last command can have come to something, and stamina.
    pub last: [f64; 2],
}

/// As the benchmark's program works them out: "proximities" grow with the distance there, and so they do here.
pub fn high_level(server: &ServerParams, observed: &Observed) -> HighLevelFeatures {
    let Observed { own, ball: (ball, _), mates, opponents } = observed;
    let x = |x: f64| {
        let margin = 0.1 * HALF_LENGTH_M;
        let [low, high] = if own.is_offense {
            [-margin, HALF_LENGTH_M + margin]
        } else {
            [-HALF_LENGTH_M - margin, margin]
        };
        norm(x, low, high)
    };
    let y = |y: f64| norm(y, -1.1 * HALF_WIDTH_M, 1.1 * HALF_WIDTH_M);
    let far = |distance_m: f64| norm(distance_m, 0.0, longest_m());
    let open = |angle_rad: f64| norm(angle_rad, 0.0, PI);
    let nearest = |place: Vector| {
        let away =
            opponents.iter().map(|opponent| distance(opponent.place, place)).fold(f64::INFINITY, f64::min);
        if opponents.is_empty() { INVALID } else { far(away) }
    };
    let goal = [if own.is_offense { HALF_LENGTH_M } else { -HALF_LENGTH_M }, 0.0];
    let to_goal_center = sub(goal, own.place);
    let first = [
        x(own.place[0]),
        y(own.place[1]),
        norm_angle(own.heading_rad),
        x(ball[0]),
        y(ball[1]),
        flag(own.can_kick),
        far(distance(goal, own.place)),
        norm_angle(libm::atan2(to_goal_center[1], to_goal_center[0])),
        open(to_goal(server, own.place, opponents)),
        nearest(own.place),
    ];
    let named = |other: &Other| [x(other.place[0]), y(other.place[1]), other.unum];
    let of_mate = |mate: &Other| {
        let angles = [
            open(to_goal(server, mate.place, opponents)),
            nearest(mate.place),
            open(to_mate(server, own.place, mate.place, opponents)),
        ];
        (angles, named(mate))
    };
    HighLevelFeatures {
        first,
        mates: mates.iter().map(of_mate).collect(),
        opponents: opponents.iter().map(named).collect(),
        last: [flag(own.had_success), norm(own.stamina, 0.0, STAMINA)],
    }
}
