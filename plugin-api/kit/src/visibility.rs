//! What lies in a field of view, in which direction, how far away, and whether something stands in between.
//!
//! A sensor makes one [`Eye`] per reading and asks it about points; the sine and cosine of its heading are worked
//! out once. [`is_occluded`] costs a ray: ask it last.
//!
//! # Units, frames
//! Metres and radians. Points and poses in the world frame, sightings in the sensor's.
//!
//! # Not here
//! Noise, false negatives: the sensor plugins.

use crate::data::Sighting;
use crate::rays::is_solid_at;
use std::f64::consts::TAU;
use touchline_plugin_api::geometry::{Pose2, Transform2, atan2, sin_cos};
use touchline_plugin_api::view::{Object, Shape, ShapeKind, WorldView};

/// How wide and how far a sensor sees: what does not change from reading to reading.
#[derive(Clone, Copy, Debug)]
pub struct FieldOfView {
    /// The square of the cosine of half the angle, with the cosine's sign.
    signed_square: f64,
    range_max_m: f64,
}

impl FieldOfView {
    /// Centred on the sensor's x axis; its edges belong to it.
    pub fn new(angle_rad: f64, range_max_m: f64) -> Self {
        // Rounding may not hide a point that lies on an edge or, with a view all round, exactly behind.
        let edge = if angle_rad >= TAU { -1.0 } else { sin_cos(angle_rad / 2.0).1 };
        let cos = edge - 1e-12;
        Self { signed_square: cos * cos.abs(), range_max_m }
    }
}

/// A place to look from, with a limited field of view and range.
///
/// # Example
/// ```
/// use touchline_kit::visibility::Eye;
/// use touchline_plugin_api::geometry::Pose2;
///
/// let camera = Eye::new(Pose2::new(1.0, 0.0, 0.0), 1.0, 5.0);
/// assert!(camera.see([4.0, 1.0]).is_some());
/// assert!(camera.see([4.0, 2.0]).is_none());
/// assert!(camera.see([6.5, 0.0]).is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    own: Transform2,
    field: FieldOfView,
}

impl Eye {
    /// Looks along the pose's x axis; the field of view is centred on it, and its edges belong to it.
    pub fn new(sensor_pose: Pose2, field_of_view_rad: f64, range_max_m: f64) -> Self {
        Self::with_field(sensor_pose, FieldOfView::new(field_of_view_rad, range_max_m))
    }

    /// Looks along the pose's x axis.
    #[inline]
    pub fn with_field(sensor_pose: Pose2, field: FieldOfView) -> Self {
        Self { own: Transform2::new(sensor_pose), field }
    }

    /// Takes a point to the sensor's frame.
    #[inline]
    pub fn to_own(&self, point: [f64; 2]) -> [f64; 2] {
        self.own.to_inner(point)
    }

    /// The square of the distance of a point in the sensor's frame if it is in view, square metres.
    ///
    /// For many points, most of which are not seen: it takes neither a root nor an angle.
    #[inline]
    pub fn squared_distance(&self, [x, y]: [f64; 2]) -> Option<f64> {
        let squared = x * x + y * y;
        let in_range = squared <= self.field.range_max_m * self.field.range_max_m;
        // cos(bearing) >= cos(half the angle), both squared with their signs.
        (in_range && x * x.abs() >= self.field.signed_square * squared).then_some(squared)
    }

    /// Whether any point of a disc can be in view; `centre` is in the sensor's frame. It may say yes in vain.
    #[inline]
    pub fn may_see_disc(&self, [x, y]: [f64; 2], radius_m: f64) -> bool {
        let reach_m = self.field.range_max_m + radius_m;
        let is_behind = x < -radius_m && self.field.signed_square >= 0.0;
        x * x + y * y <= reach_m * reach_m && !is_behind
    }

    /// The distance of a point if it is in view, metres. The eye's own place is in view.
    pub fn distance_m(&self, point: [f64; 2]) -> Option<f64> {
        self.squared_distance(self.to_own(point)).map(f64::sqrt)
    }

    /// Where a point is seen, if it is in view.
    pub fn see(&self, point: [f64; 2]) -> Option<Sighting> {
        let distance_m = self.distance_m(point)?;
        Some(Sighting { distance_m, bearing_rad: self.bearing_rad(point) })
    }

    /// The direction of a point, in view or not, radians in `[-pi, pi]`.
    #[inline]
    pub fn bearing_rad(&self, point: [f64; 2]) -> f64 {
        let [x, y] = self.to_own(point);
        atan2(y, x)
    }
}

/// Whether a solid shape stands on the straight line between two points, at the height `z_m`.
///
/// `ignore` names objects (indices into [`WorldView::objects`]) that hide nothing: the one that looks, and the
/// one that is looked at.
pub fn is_occluded(view: &WorldView<'_>, from: [f64; 2], to: [f64; 2], z_m: f64, ignore: &[u32]) -> bool {
    let line = Segment::new(from, to);
    if !view.grid.frame.is_empty() {
        return is_occluded_among_many(view, &line, z_m, ignore);
    }
    view.objects.iter().enumerate().any(|(index, object)| {
        line.may_meet_disc([object.pose.x_m, object.pose.y_m], object.radius_m)
            && !ignore.contains(&(index as u32))
            && hides(view, object, &line, z_m)
    })
}

/// The same by the view's grid, by itself: so the loop over a few objects stays short.
#[inline(never)]
fn is_occluded_among_many(view: &WorldView<'_>, line: &Segment, z_m: f64, ignore: &[u32]) -> bool {
    let [x, y] = [0, 1].map(|axis| line.from[axis] + line.direction[axis] * line.length_m / 2.0);
    view.near([x, y], line.length_m / 2.0).any(|index| {
        let object = view.objects.get(index as usize).filter(|_| !ignore.contains(&index));
        object.is_some_and(|object| {
            line.may_meet_disc([object.pose.x_m, object.pose.y_m], object.radius_m)
                && hides(view, object, line, z_m)
        })
    })
}

fn hides(view: &WorldView<'_>, object: &Object, line: &Segment, z_m: f64) -> bool {
    let mut solid = view.shapes_of(object).iter().take_while(|shape| shape.solid != 0);
    solid.any(|shape| {
        is_solid_at(shape, z_m)
            && line.may_meet_disc([shape.x_m, shape.y_m], shape.radius_m)
            && line.meets(shape)
    })
}

/// A line from one point to another.
struct Segment {
    from: [f64; 2],
    to: [f64; 2],
    length_m: f64,
    /// With length one; 0 for a line that is a point.
    direction: [f64; 2],
}

impl Segment {
    fn new(from: [f64; 2], to: [f64; 2]) -> Self {
        let [x, y] = [to[0] - from[0], to[1] - from[1]];
        let length_m = (x * x + y * y).sqrt();
        let per_length = if length_m > 0.0 { 1.0 / length_m } else { 0.0 };
        Self { from, to, length_m, direction: [x * per_length, y * per_length] }
    }

    /// Whether the line comes into the square around a disc that lies along it.
    #[inline]
    fn may_meet_disc(&self, [x, y]: [f64; 2], radius_m: f64) -> bool {
        let (dx, dy) = (x - self.from[0], y - self.from[1]);
        if (dy * self.direction[0] - dx * self.direction[1]).abs() > radius_m {
            return false;
        }
        let along = dx * self.direction[0] + dy * self.direction[1];
        // Written so that an infinite radius is near to everything.
        !(along < -radius_m || along - self.length_m > radius_m)
    }

    /// Whether the line has a point in this disc.
    fn meets_disc(&self, [x, y]: [f64; 2], radius_m: f64) -> bool {
        let (dx, dy) = (x - self.from[0], y - self.from[1]);
        let along = dx * self.direction[0] + dy * self.direction[1];
        let nearest = along.clamp(0.0, self.length_m);
        let (x, y) = (dx - nearest * self.direction[0], dy - nearest * self.direction[1]);
        x * x + y * y <= radius_m * radius_m
    }

    fn meets(&self, shape: &Shape) -> bool {
        match shape.kind() {
            ShapeKind::Ellipse if shape.half_x_m == shape.half_y_m => {
                self.meets_disc([shape.x_m, shape.y_m], shape.half_x_m)
            }
            // In the frame in which the ellipse is the unit circle, it is a matter of the nearest point again.
            ShapeKind::Ellipse => {
                let own = |[x, y]: [f64; 2]| {
                    let (dx, dy) = (x - shape.x_m, y - shape.y_m);
                    [
                        (shape.cos * dx + shape.sin * dy) / shape.half_x_m,
                        (shape.cos * dy - shape.sin * dx) / shape.half_y_m,
                    ]
                };
                Self::new(own(self.from), own(self.to)).meets_disc([0.0, 0.0], 1.0)
            }
            ShapeKind::Rectangle => self.meets_rectangle(shape),
            ShapeKind::Triangle => self.meets_triangle(shape),
        }
    }

    /// In the rectangle's frame: apart exactly if they are along x, along y, or across the line.
    #[inline]
    fn meets_rectangle(&self, shape: &Shape) -> bool {
        let own = |x: f64, y: f64| [shape.cos * x + shape.sin * y, shape.cos * y - shape.sin * x];
        let (half_x_m, half_y_m) = (shape.half_x_m, shape.half_y_m);
        let half = own(0.5 * (self.to[0] - self.from[0]), 0.5 * (self.to[1] - self.from[1]));
        let middle =
            own(0.5 * (self.from[0] + self.to[0]) - shape.x_m, 0.5 * (self.from[1] + self.to[1]) - shape.y_m);
        middle[1].abs() <= half_y_m + half[1].abs()
            && middle[0].abs() <= half_x_m + half[0].abs()
            && (middle[0] * half[1] - middle[1] * half[0]).abs()
                <= half_x_m * half[1].abs() + half_y_m * half[0].abs()
    }

    /// Two convex things are apart exactly if a line along an edge, or along the segment, parts them.
    fn meets_triangle(&self, shape: &Shape) -> bool {
        if shape.contains(self.from) || shape.contains(self.to) {
            return true;
        }
        let side = |a: [f64; 2], v: [f64; 2], p: [f64; 2]| v[0] * (p[1] - a[1]) - v[1] * (p[0] - a[0]);
        let corners = [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c];
        (0..3).any(|i| {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let edge = [b[0] - a[0], b[1] - a[1]];
            side(self.from, self.direction, a) * side(self.from, self.direction, b) <= 0.0
                && side(a, edge, self.from) * side(a, edge, self.to) <= 0.0
        })
    }
}

/// A goal as a robot sees it: the middle and the two ends of the goal line, world frame, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalMouth {
    /// The middle of the goal line.
    pub centre: [f64; 2],
    /// Its ends, where the posts are.
    pub posts: [[f64; 2]; 2],
}

impl GoalMouth {
    /// Finds the goal line of a goal's area: the side of the rectangle that faces the field's centre.
    ///
    /// An area of another form is taken as a point.
    pub fn of(goal: &Shape) -> Self {
        let centre = [goal.x_m, goal.y_m];
        if goal.kind() != ShapeKind::Rectangle {
            return Self { centre, posts: [centre; 2] };
        }
        let (x_axis, y_axis) = ([goal.cos, goal.sin], [-goal.sin, goal.cos]);
        // The field's centre in the goal's frame.
        let x = -(centre[0] * x_axis[0] + centre[1] * x_axis[1]);
        let y = -(centre[0] * y_axis[0] + centre[1] * y_axis[1]);
        let (depth, half_width, out, across) = if x.abs() - goal.half_x_m >= y.abs() - goal.half_y_m {
            (goal.half_x_m.copysign(x), goal.half_y_m, x_axis, y_axis)
        } else {
            (goal.half_y_m.copysign(y), goal.half_x_m, y_axis, x_axis)
        };
        let middle = [centre[0] + depth * out[0], centre[1] + depth * out[1]];
        let post = |side: f64| [middle[0] + side * across[0], middle[1] + side * across[1]];
        Self { centre: middle, posts: [post(half_width), post(-half_width)] }
    }

    /// The ends of the goal line as seen from a place: left, then right.
    pub fn left_and_right_of(&self, [x, y]: [f64; 2]) -> [[f64; 2]; 2] {
        let [a, b] = self.posts;
        let turn = (b[0] - x) * (a[1] - y) - (b[1] - y) * (a[0] - x);
        if turn >= 0.0 { [a, b] } else { [b, a] }
    }
}

/// The height of an object's middle: halfway between its lowest and highest shape, metres above the floor.
#[inline]
pub fn middle_height_m(view: &WorldView<'_>, object: &Object) -> f64 {
    let Some((first, others)) = view.shapes_of(object).split_first() else { return 0.0 };
    let (mut bottom, mut top) = (first.z_bottom_m, first.z_top_m);
    for shape in others {
        bottom = bottom.min(shape.z_bottom_m);
        top = top.max(shape.z_top_m);
    }
    (bottom + top) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::cast_ray;
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    use touchline_plugin_api::view::{NONE, Role};
    use touchline_plugin_testing::FakeWorld;

    #[test]
    fn a_sighting_is_in_the_sensors_own_frame() {
        let eye = Eye::new(Pose2::new(1.0, 1.0, FRAC_PI_2), PI, 5.0);
        let seen = eye.see([0.0, 2.0]).unwrap();
        assert!(
            (seen.distance_m - 2f64.sqrt()).abs() < 1e-12 && (seen.bearing_rad - FRAC_PI_4).abs() < 1e-12
        );
        assert_eq!(eye.see([1.0, -1.0]), None);
        assert_eq!(eye.see([1.0, 6.1]), None);
        assert!(Eye::new(Pose2::ORIGIN, TAU, 5.0).see([-3.0, 0.0]).is_some());
    }

    /// S2: the goal line is the side of the goal that faces the field, wherever the goal is and however turned.
    #[test]
    fn the_goal_mouth_faces_the_field() {
        let world = FakeWorld::new().goal(0, Pose2::new(-5.25, 0.0, 0.0), [0.5, 2.0]).goal(
            1,
            Pose2::new(5.25, 0.0, FRAC_PI_2),
            [2.0, 0.5],
        );
        let view = world.view();
        let mouths: Vec<_> = view.landmarks(Role::Goal).map(GoalMouth::of).collect();
        for (mouth, x) in mouths.iter().zip([-5.0, 5.0]) {
            assert!((mouth.centre[0] - x).abs() < 1e-12 && mouth.centre[1].abs() < 1e-12);
            let [left, right] = mouth.left_and_right_of([0.0, 0.0]);
            assert!((left[1] - x.signum()).abs() < 1e-12 && (right[1] + x.signum()).abs() < 1e-12);
        }
    }

    #[test]
    fn only_what_stands_between_and_high_enough_hides() {
        let world = FakeWorld::new().robot(Pose2::new(2.0, 0.0, 0.0), NONE).ball([4.0, 0.0], [0.0; 2]);
        let view = world.view();
        let (robot, ball) = (2, 1);
        let hidden = |to, z, ignore: &[u32]| is_occluded(&view, [0.0, 0.0], to, z, ignore);
        assert!(hidden([4.0, 0.0], 0.1, &[ball]));
        assert!(!hidden([4.0, 0.0], 0.1, &[ball, robot]));
        assert!(!hidden([4.0, 0.0], 5.0, &[]));
        assert!(!hidden([1.0, 0.0], 0.1, &[]));
        assert!(!hidden([4.0, 2.0], 0.1, &[]));
    }

    proptest! {
        /// A line of sight is hidden exactly if a ray along it ends before its end.
        #[test]
        fn occlusion_agrees_with_a_ray(
            world in crate::worlds::worlds(), from in (-4.0..4.0, -4.0..4.0), to in (-4.0..4.0, -4.0..4.0),
        ) {
            let (from, to) = ([from.0, from.1], [to.0, to.1]);
            let length = libm::hypot(to[0] - from[0], to[1] - from[1]);
            let angle = libm::atan2(to[1] - from[1], to[0] - from[0]);
            let reach = |angle| {
                let hit = cast_ray(&world.view(), from, angle, 20.0, |shape| is_solid_at(shape, 0.2));
                hit.map_or(f64::INFINITY, |hit| hit.distance_m)
            };
            // Where a hair's breadth decides, both answers are right.
            let reaches = [reach(angle), reach(angle + 1e-7), reach(angle - 1e-7)];
            let verdicts = reaches.map(|reach| (reach < length - 1e-6, reach <= length + 1e-6));
            prop_assume!(verdicts.iter().all(|&verdict| verdict == (verdict.0, verdict.0) && verdict == verdicts[0]));
            prop_assert_eq!(is_occluded(&world.view(), from, to, 0.2, &[]), verdicts[0].0);
        }
    }
}
