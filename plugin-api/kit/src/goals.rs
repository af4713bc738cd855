//! Balls in goals: at one moment, and on their way through a step.

use crate::rays;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::referee::WaypointRecord;
use touchline_plugin_api::view::{Object, Shape};

/// Whether a ball is in a goal: its middle over the goal's area and below its top, the crossbar. One that lies on the floor is, however
/// low the area; an area without a height, painted on the floor, has no crossbar.
#[inline]
pub fn is_in_goal(goal: &Shape, ball: &Object) -> bool {
    let is_below = || {
        let height_m = goal.z_top_m - goal.z_bottom_m;
        height_m <= 0.0 || ball.vertical.z_m + ball.radius_m <= goal.z_top_m
    };
    goal.contains([ball.pose.x_m, ball.pose.y_m]) && (ball.vertical.z_m == 0.0 || is_below())
}

/// Whether a ball was in a goal at any moment of the step: at its end, or on its way from waypoint to waypoint, however fast it was.
///
/// `waypoints` are those of [`RefereeInput`](touchline_plugin_api::referee::RefereeInput), `objects` the view's.
pub fn was_in_goal(goal: &Shape, ball: &Object, waypoints: &[WaypointRecord], objects: &[Object]) -> bool {
    let is_its = |waypoint: &&WaypointRecord| {
        let object = objects.get(waypoint.object as usize);
        object.is_some_and(|object| (object.kind_code, object.number) == (ball.kind_code, ball.number))
    };
    let mut from = None;
    for waypoint in waypoints.iter().filter(is_its) {
        let at = Object {
            pose: Pose2::new(waypoint.x_m, waypoint.y_m, ball.pose.theta_rad),
            vertical: Vertical { z_m: waypoint.z_m, ..ball.vertical },
            ..*ball
        };
        if is_in_goal(goal, &at) || from.is_some_and(|from| enters(goal, &from, &at)) {
            return true;
        }
        from = Some(at);
    }
    is_in_goal(goal, ball) || from.is_some_and(|from| enters(goal, &from, ball))
}

/// Whether a ball that goes straight from one place to another, neither of them in the goal, comes into it on the way.
fn enters(goal: &Shape, from: &Object, to: &Object) -> bool {
    let (start, end) = ([from.pose.x_m, from.pose.y_m], [to.pose.x_m, to.pose.y_m]);
    let way = [end[0] - start[0], end[1] - start[1]];
    let length_m = libm::hypot(way[0], way[1]);
    if length_m == 0.0 || libm::hypot(goal.x_m - start[0], goal.y_m - start[1]) > goal.radius_m + length_m {
        return false;
    }
    let Some(entry_m) = rays::distance(goal, start, way.map(|along| along / length_m)) else { return false };
    let part = entry_m / length_m;
    // Just within, so that the edge does not count for rounding.
    let part = part + 1e-9 * (1.0 - part);
    let z_m = from.vertical.z_m + part * (to.vertical.z_m - from.vertical.z_m);
    part <= 1.0
        && is_in_goal(
            goal,
            &Object {
                pose: Pose2::new(start[0] + part * way[0], start[1] + part * way[1], 0.0),
                vertical: Vertical { z_m, ..to.vertical },
                ..*to
            },
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use touchline_plugin_api::geometry::Twist2;
    use touchline_plugin_api::view::ShapeKind;
    use touchline_plugin_testing::{FakeWorld, outline};

    /// A goal of 0.5 x 2 m with a crossbar at 1 m, turned and put anywhere.
    fn goal(pose: Pose2) -> Shape {
        outline(ShapeKind::Rectangle, pose, [0.5, 2.0], 1.0)
    }

    fn ball(place: [f64; 2], z_m: f64) -> Object {
        let world = FakeWorld::new().flying_ball(place, [0.0; 2], Vertical { z_m, speed_m_s: 0.0 });
        *world.view().balls().next().unwrap()
    }

    fn waypoint([x_m, y_m]: [f64; 2], z_m: f64) -> WaypointRecord {
        WaypointRecord { object: 0, reserved: 0, x_m, y_m, z_m, secs: 0.0 }
    }

    proptest! {
        /// A way of two straight parts on the floor, against many places along it. What only grazes an edge may be told either way.
        #[test]
        fn a_way_through_a_goal_is_found(
            corners in prop::array::uniform3((-1.5f64..1.5, -2.0f64..2.0)),
            theta_rad in -3.0f64..3.0,
        ) {
            let goal = goal(Pose2::new(0.2, -0.1, theta_rad));
            let places = corners.map(|(x, y)| [x, y]);
            let end = ball(places[2], 0.0);
            let waypoints = [waypoint(places[0], 0.0), waypoint(places[1], 0.0)];
            let found = was_in_goal(&goal, &end, &waypoints, &[end]);
            let between = |part: &[[f64; 2]], share: f64| {
                [0, 1].map(|axis| part[0][axis] + share * (part[1][axis] - part[0][axis]))
            };
            let all = places.windows(2).flat_map(|part| (0..=4000).map(move |k| between(part, f64::from(k) / 4000.0)));
            let moments = all.filter(|place| goal.contains(*place)).count();
            if moments > 0 {
                prop_assert!(found || moments < 4, "{moments} places in the goal");
            } else {
                prop_assert!(!found || grazes(&goal, &places));
            }
        }
    }

    /// Through the mouth below the crossbar and out again within a step it is one; over the bar it is none.
    #[test]
    fn the_crossbar_counts_on_the_way() {
        let goal = goal(Pose2::ORIGIN);
        let passes = |z_m: f64| {
            was_in_goal(
                &goal,
                &ball([2.0, 0.0], z_m),
                &[waypoint([-2.0, 0.0], z_m)],
                &[ball([2.0, 0.0], z_m)],
            )
        };
        assert!(passes(0.0) && passes(0.7));
        assert!(!passes(0.95), "its top is above the bar");
        assert!(!passes(1.5));
    }

    /// Whether the way comes nearer to the goal than a step of the places that are looked at.
    fn grazes(goal: &Shape, places: &[[f64; 2]; 3]) -> bool {
        let wider = Shape { half_x_m: goal.half_x_m + 2e-3, half_y_m: goal.half_y_m + 2e-3, ..*goal };
        places.windows(2).any(|part| {
            let way = [0, 1].map(|axis| part[1][axis] - part[0][axis]);
            let length_m = libm::hypot(way[0], way[1]);
            rays::distance(&wider, part[0], way.map(|along| along / length_m))
                .is_some_and(|at| at <= length_m)
        })
    }

    #[test]
    fn another_ball_s_way_is_not_its() {
        let world = FakeWorld::new().ball([3.0, 0.0], [0.0; 2]).ball([0.0, 0.0], [0.0; 2]);
        let (view, goal) = (world.view(), goal(Pose2::ORIGIN));
        let balls: Vec<&Object> = view.balls().collect();
        let through = WaypointRecord { object: 2, ..waypoint([0.0, 0.0], 0.0) };
        assert!(!was_in_goal(&goal, balls[0], &[through], view.objects));
        assert!(was_in_goal(&goal, balls[1], &[through], view.objects));
        let moving = Object { twist: Twist2::new(9.0, 0.0, 0.0), ..*balls[0] };
        assert!(was_in_goal(
            &goal,
            &moving,
            &[WaypointRecord { object: 1, ..waypoint([-3.0, 0.0], 0.0) }],
            view.objects
        ));
    }
}
