//! Where things are: the half field, the goal area, the goal's mouth.
//!
//! # Frame
//! World frame; the attack goes towards +x.

use crate::params::GoalkeeperRules;
use touchline_kit::visibility::GoalMouth;
use touchline_plugin_api::view::{Role, Shape, WorldView};

/// Dimensions of the half field, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    near_line_x_m: f64,
    goal_line_x_m: f64,
    half_width_m: f64,
    area_depth_m: f64,
    half_area_m: f64,
}

impl Field {
    pub fn new(params: &GoalkeeperRules) -> Self {
        Self {
            near_line_x_m: params.near_line_x_m,
            goal_line_x_m: params.goal_line_x_m,
            half_width_m: params.field_width_m / 2.0,
            area_depth_m: params.goal_area_depth_m,
            half_area_m: params.goal_area_width_m / 2.0,
        }
    }

    /// Whether a point is within the lines; the line is inside.
    pub fn contains(&self, [x, y]: [f64; 2]) -> bool {
        (self.near_line_x_m..=self.goal_line_x_m).contains(&x) && y.abs() <= self.half_width_m
    }

    /// Whether a point is in the goal area or behind it.
    pub fn is_in_area(&self, [x, y]: [f64; 2]) -> bool {
        x > self.goal_line_x_m - self.area_depth_m && y.abs() < self.half_area_m
    }
}

/// The goal that this team defends.
pub fn goal<'a>(view: &WorldView<'a>, team: u32) -> Option<&'a Shape> {
    view.landmarks(Role::Goal).find(|goal| goal.team == team)
}

/// From a point to the nearest point of the goal line between the posts, metres.
pub fn to_mouth_m([x, y]: [f64; 2], goal: &Shape) -> f64 {
    let [[ax, ay], [bx, by]] = GoalMouth::of(goal).posts;
    let (dx, dy) = (bx - ax, by - ay);
    let square = dx * dx + dy * dy;
    let along = if square > 0.0 { (((x - ax) * dx + (y - ay) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    distance_m([x, y], [ax + along * dx, ay + along * dy])
}

/// The distance between two points, metres.
pub fn distance_m(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    (dx * dx + dy * dy).sqrt()
}
