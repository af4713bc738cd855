//! How far and how high a robot's shapes reach.

use crate::scenario::{Outline, Primitive, RobotSpec};
use touchline_plugin_api::geometry::Pose2;

/// The radius of the circle round a robot's origin that holds its body and all states of its manipulators, metres.
pub fn radius_m(spec: &RobotSpec) -> f64 {
    let states = spec.manipulators.iter().flat_map(|m| &m.states).flat_map(|state| &state.shapes);
    spec.body.iter().chain(states).map(reach_m).fold(0.0, f64::max)
}

/// How high a robot's body reaches above the floor, metres: at least a millimetre, as it stands there.
pub fn height_m(spec: &RobotSpec) -> f64 {
    spec.body.iter().map(|primitive| primitive.z_m[1]).fold(0.001, f64::max)
}

/// The radius of the circle round a robot's origin that holds a shape of it, metres.
pub(crate) fn reach_m(primitive: &Primitive) -> f64 {
    let reach_m = |corner: [f64; 2]| {
        let [x, y] = primitive.pose.point_to_outer(corner);
        libm::hypot(x, y)
    };
    match primitive.outline {
        Outline::Rectangle { length_m, width_m } => {
            let (x, y) = (length_m / 2.0, width_m / 2.0);
            [[x, y], [x, -y], [-x, y], [-x, -y]].map(reach_m).into_iter().fold(0.0, f64::max)
        }
        Outline::Triangle { corners } => corners.map(reach_m).into_iter().fold(0.0, f64::max),
        // Exact for a circle, too much by a little for an ellipse aside.
        Outline::Ellipse { .. } => {
            primitive.pose.distance_m(Pose2::ORIGIN) + outline_radius_m(&primitive.outline)
        }
    }
}

/// How far an outline reaches from its own origin, metres.
pub(crate) fn outline_radius_m(outline: &Outline) -> f64 {
    match *outline {
        Outline::Rectangle { length_m, width_m } => libm::hypot(length_m, width_m) / 2.0,
        Outline::Ellipse { length_m, width_m } => length_m.max(width_m) / 2.0,
        Outline::Triangle { corners } => corners.iter().map(|c| libm::hypot(c[0], c[1])).fold(0.0, f64::max),
    }
}
