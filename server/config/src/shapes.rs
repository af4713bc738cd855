//! Shapes: what a schema cannot say of their keys, and whether two of them overlap.

use crate::document::{At, Document};
use crate::files::{self, ShapeKeys, SurfaceKeys};
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::scenario::{Combine, Outline, Primitive, Surface};

/// Overlaps up to this depth are rounding, metres.
const TOUCH_M: f64 = 1e-3;
/// Places and extents beyond this are a mistake, metres.
pub(crate) const WORLD_LIMIT_M: f64 = 1000.0;

/// Reports what is wrong with a shape's keys as a whole.
pub(crate) fn check(document: &mut Document, pointer: &str, keys: &ShapeKeys<'_>) {
    let (name, needed): (_, &[&str]) = match keys.shape {
        files::Outline::Rectangle => ("rectangle", &["length_m", "width_m"]),
        files::Outline::Ellipse => ("ellipse", &["length_m", "width_m"]),
        files::Outline::Circle => ("circle", &["radius_m"]),
        files::Outline::Triangle => ("triangle", &["corners_m"]),
    };
    let set = [
        ("length_m", keys.length_m.is_some()),
        ("width_m", keys.width_m.is_some()),
        ("radius_m", keys.radius_m.is_some()),
        ("corners_m", keys.corners_m.is_some()),
    ];
    for (key, is_set) in set {
        let rule = format!("a {name} has {}", needed.join(" and "));
        let pointer = format!("{pointer}/{key}");
        match (needed.contains(&key), is_set) {
            (true, false) => {
                let problem =
                    document.report(&pointer, At::Key, "config/missing-key", format!("\"{key}\" is missing"));
                problem.got = None;
                problem.allowed = Some(rule);
            }
            (false, true) => {
                let what = format!("a {name} has no \"{key}\"");
                document.report(&pointer, At::Key, "config/bad-value", what).allowed = Some(rule);
            }
            _ => {}
        }
    }
    if let Some([a, b, c]) = keys.corners_m {
        let twice_area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let is_far = [a, b, c].iter().flatten().any(|x| x.abs() > WORLD_LIMIT_M);
        if is_far || twice_area.abs() < 1e-9 {
            let what = "the corners do not make a triangle".to_owned();
            let problem =
                document.report(&format!("{pointer}/corners_m"), At::Value, "config/bad-value", what);
            problem.allowed = Some("three corners that are not in one line, at most 1000 m away".into());
        }
    }
    if let Some([bottom, top]) = keys.z_m
        && !(bottom <= top && bottom.abs() <= WORLD_LIMIT_M && top.abs() <= WORLD_LIMIT_M)
    {
        let what = "the lowest height is above the highest".to_owned();
        let problem = document.report(&format!("{pointer}/z_m"), At::Value, "config/bad-value", what);
        problem.allowed = Some("z_m = [lowest, highest], -1000 <= lowest <= highest <= 1000 (metres)".into());
        if bottom > top {
            problem.hint = Some("the two values look swapped".into());
        }
    }
    check_surface(document, pointer, keys.surface);
}

/// Reports a surface of which only one half is said.
pub(crate) fn check_surface(document: &mut Document, pointer: &str, keys: SurfaceKeys) {
    let rule =
        keys.friction_rule.map(|_| "friction_rule").or(keys.restitution_rule.map(|_| "restitution_rule"));
    let (set, missing) = match (keys.friction, keys.restitution, rule) {
        (Some(_), None, _) => ("friction", "restitution"),
        (None, Some(_), _) => ("restitution", "friction"),
        (None, None, Some(rule)) => (rule, "friction and restitution"),
        _ => return,
    };
    let what = format!("\"{set}\" is set without \"{missing}\"");
    let problem = document.report(&format!("{pointer}/{set}"), At::Key, "config/bad-value", what);
    problem.allowed = Some("both make a surface of its own; neither takes the world's".into());
    problem.hint = Some(format!("add {missing}"));
}

/// The surface of a shape or ball, if it has one of its own.
pub(crate) fn surface(keys: SurfaceKeys) -> Option<Surface> {
    let surface = Surface::new(keys.friction?, keys.restitution?);
    Some(with_rules(surface, keys.friction_rule, keys.restitution_rule))
}

/// A surface that combines with others as a file says.
pub(crate) fn with_rules(
    surface: Surface,
    friction: Option<files::Combine>,
    restitution: Option<files::Combine>,
) -> Surface {
    let rule = |rule| match rule {
        files::Combine::Mean => Combine::Mean,
        files::Combine::Product => Combine::Product,
        files::Combine::Greater => Combine::Greater,
        files::Combine::Own => Combine::Own,
    };
    Surface {
        friction_rule: friction.map_or(surface.friction_rule, rule),
        restitution_rule: restitution.map_or(surface.restitution_rule, rule),
        ..surface
    }
}

/// A colour that the schema has accepted.
pub(crate) fn colour(text: &str) -> u32 {
    u32::from_str_radix(text.trim_start_matches('#'), 16).unwrap_or_default()
}

/// A shape that [`check`] found nothing wrong with.
pub(crate) fn primitive(keys: &ShapeKeys<'_>, default_z_m: [f64; 2]) -> Primitive {
    let (length_m, width_m) = (keys.length_m.unwrap_or_default(), keys.width_m.unwrap_or_default());
    let outline = match keys.shape {
        files::Outline::Rectangle => Outline::Rectangle { length_m, width_m },
        files::Outline::Ellipse => Outline::Ellipse { length_m, width_m },
        files::Outline::Circle => Outline::circle(keys.radius_m.unwrap_or_default()),
        files::Outline::Triangle => Outline::Triangle { corners: keys.corners_m.unwrap_or_default() },
    };
    Primitive {
        outline,
        pose: keys.pose,
        z_m: keys.z_m.unwrap_or(default_z_m),
        colour: keys.colour.map(colour),
        surface: surface(keys.surface),
    }
}

/// A convex area of the floor: the points within `radius_m` of a polygon.
#[derive(Clone, Debug)]
pub(crate) struct Area {
    corners: Vec<[f64; 2]>,
    radius_m: f64,
    z_m: [f64; 2],
}

impl Area {
    /// A disc.
    pub(crate) fn disc(centre: [f64; 2], radius_m: f64, z_m: [f64; 2]) -> Self {
        Self { corners: vec![centre], radius_m, z_m }
    }

    /// What a shape covers, seen from the frame in which `frame` is given.
    pub(crate) fn of(primitive: &Primitive, frame: Pose2) -> Self {
        let pose = frame.compose(primitive.pose);
        let (corners, radius_m) = match primitive.outline {
            Outline::Rectangle { length_m, width_m } => {
                let (x, y) = (length_m / 2.0, width_m / 2.0);
                (vec![[x, y], [-x, y], [-x, -y], [x, -y]], 0.0)
            }
            Outline::Ellipse { length_m, width_m } if length_m == width_m => {
                (vec![[0.0, 0.0]], length_m / 2.0)
            }
            Outline::Ellipse { length_m, width_m } => {
                let corner = |index: u32| {
                    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(
                        f64::from(index) * std::f64::consts::TAU / 32.0,
                    );
                    [cos * length_m / 2.0, sin * width_m / 2.0]
                };
                ((0..32).map(corner).collect(), 0.0)
            }
            Outline::Triangle { corners } => (corners.to_vec(), 0.0),
        };
        let corners = corners.into_iter().map(|corner| pose.point_to_outer(corner)).collect();
        Self { corners, radius_m, z_m: primitive.z_m }
    }

    /// Whether the two overlap by more than rounding, in the plane and in height.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        if self.z_m[0] >= other.z_m[1] || other.z_m[0] >= self.z_m[1] {
            return false;
        }
        // Two convex areas are apart if there is an axis along which they are: a side's normal, or the line
        // between their nearest corners.
        !self.normals().chain(other.normals()).chain(self.corner_axis(other)).any(|axis| {
            let (a, b) = (self.extent(axis), other.extent(axis));
            a[1] - b[0] < TOUCH_M || b[1] - a[0] < TOUCH_M
        })
    }

    /// How far a point of the floor is outside, metres; 0 inside.
    pub(crate) fn distance_m(&self, point: [f64; 2]) -> f64 {
        let count = self.corners.len();
        let mut is_left = [false; 2];
        let mut nearest_m = f64::INFINITY;
        for (index, a) in self.corners.iter().enumerate() {
            let b = self.corners[(index + 1) % count];
            let (side, to) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
            is_left[usize::from(side[0] * to[1] - side[1] * to[0] > 0.0)] = true;
            let square = side[0] * side[0] + side[1] * side[1];
            let along = if square > 0.0 {
                ((to[0] * side[0] + to[1] * side[1]) / square).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let off = [to[0] - along * side[0], to[1] - along * side[1]];
            nearest_m = nearest_m.min((off[0] * off[0] + off[1] * off[1]).sqrt());
        }
        // On the same side of all sides: inside, whichever way round the corners go.
        let is_inside = count > 2 && is_left != [true; 2];
        if is_inside { 0.0 } else { (nearest_m - self.radius_m).max(0.0) }
    }

    fn normals(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let count = self.corners.len();
        (0..count).filter_map(move |index| {
            let (a, b) = (self.corners[index], self.corners[(index + 1) % count]);
            unit([b[1] - a[1], a[0] - b[0]])
        })
    }

    fn corner_axis(&self, other: &Self) -> Option<[f64; 2]> {
        let pairs =
            self.corners.iter().flat_map(|a| other.corners.iter().map(move |b| [b[0] - a[0], b[1] - a[1]]));
        let square = |v: &[f64; 2]| v[0] * v[0] + v[1] * v[1];
        pairs.min_by(|a, b| square(a).total_cmp(&square(b))).and_then(unit)
    }

    fn extent(&self, axis: [f64; 2]) -> [f64; 2] {
        let along = self.corners.iter().map(|corner| corner[0] * axis[0] + corner[1] * axis[1]);
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(s), h.max(s)));
        [low - self.radius_m, high + self.radius_m]
    }
}

fn unit([x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let length = (x * x + y * y).sqrt();
    (length > 0.0).then(|| [x / length, y / length])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(outline: Outline, x_m: f64, y_m: f64, theta_rad: f64) -> Area {
        let primitive =
            Primitive { outline, pose: Pose2::ORIGIN, z_m: [0.0, 1.0], colour: None, surface: None };
        Area::of(&primitive, Pose2::new(x_m, y_m, theta_rad))
    }

    #[test]
    fn areas_overlap_when_they_share_points() {
        let square =
            |x_m, y_m, theta| area(Outline::Rectangle { length_m: 1.0, width_m: 1.0 }, x_m, y_m, theta);
        let disc = |x_m, y_m| area(Outline::circle(0.5), x_m, y_m, 0.0);
        assert!(square(0.0, 0.0, 0.0).overlaps(&square(0.9, 0.9, 0.0)));
        assert!(!square(0.0, 0.0, 0.0).overlaps(&square(1.0, 0.0, 0.0)), "they touch");
        assert!(!square(0.0, 0.0, 0.0).overlaps(&square(1.21, 0.0, 0.785)));
        assert!(square(0.0, 0.0, 0.0).overlaps(&square(1.19, 0.0, 0.785)));
        assert!(disc(0.0, 0.0).overlaps(&disc(0.7, 0.7)));
        assert!(!disc(0.0, 0.0).overlaps(&disc(0.71, 0.71)));
        assert!(!square(0.0, 0.0, 0.0).overlaps(&disc(0.86, 0.86)), "past the corner");
        assert!(square(0.0, 0.0, 0.0).overlaps(&disc(0.84, 0.84)));
        assert!(square(0.0, 0.0, 0.0).overlaps(&disc(0.1, 0.0)), "inside");
    }

    #[test]
    fn a_point_is_as_far_as_the_nearest_side_corner_or_rim() {
        let rectangle = area(Outline::Rectangle { length_m: 2.0, width_m: 1.0 }, 0.0, 0.0, 0.0);
        for (point, expected_m) in
            [([0.9, 0.4], 0.0), ([1.5, 0.0], 0.5), ([0.0, -0.75], 0.25), ([1.3, 0.9], 0.5), ([1.0, 0.5], 0.0)]
        {
            assert!((rectangle.distance_m(point) - expected_m).abs() < 1e-12, "{point:?}");
        }
        let disc = area(Outline::circle(0.5), 1.0, 0.0, 0.0);
        assert!((disc.distance_m([0.0, 0.0]) - 0.5).abs() < 1e-12);
        assert_eq!(disc.distance_m([1.2, 0.2]), 0.0);
        let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
        assert_eq!(area(Outline::Triangle { corners }, 0.0, 0.0, 0.0).distance_m([0.2, 0.2]), 0.0);
    }

    #[test]
    fn what_is_above_does_not_overlap() {
        let low = Area::disc([0.0, 0.0], 1.0, [0.0, 0.2]);
        assert!(!low.overlaps(&Area::disc([0.0, 0.0], 1.0, [0.5, 1.0])));
    }
}
