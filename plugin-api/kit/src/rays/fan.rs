//! All beams of a range finder against all shapes.

use super::{cross, dot, is_solid_at};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use touchline_plugin_api::geometry::{Pose2, sin_cos, wrap_angle};
use touchline_plugin_api::view::{Object, Shape, ShapeKind, WorldView};

/// The directions of a fan of beams, in the sensor's frame: made once, used at every step.
#[derive(Clone, Debug, PartialEq)]
pub struct FanTable {
    angle_min_rad: f64,
    angle_step_rad: f64,
    /// `angle_min_rad`, wrapped.
    start_rad: f64,
    beams_per_rad: f64,
    /// Whether the beams span more than half a turn.
    is_wide: bool,
    cos: Vec<f64>,
    sin: Vec<f64>,
}

impl FanTable {
    /// Beam `i` points to `angle_min_rad + i * angle_step_rad`, counter-clockwise from the sensor's x axis.
    ///
    /// `None` unless there is a beam, the step is above zero and the beams span no more than one turn.
    pub fn new(angle_min_rad: f64, angle_step_rad: f64, beams: usize) -> Option<Self> {
        let span_rad = beams.checked_sub(1)? as f64 * angle_step_rad;
        // A full turn may come out of a division, so it gets a little room.
        if !angle_min_rad.is_finite()
            || angle_step_rad.is_nan()
            || angle_step_rad <= 0.0
            || span_rad > TAU + 1e-9
        {
            return None;
        }
        let (sin, cos) = (0..beams).map(|i| sin_cos(angle_min_rad + i as f64 * angle_step_rad)).unzip();
        Some(Self {
            angle_min_rad,
            angle_step_rad,
            start_rad: wrap_angle(angle_min_rad),
            beams_per_rad: 1.0 / angle_step_rad,
            is_wide: span_rad > PI,
            cos,
            sin,
        })
    }

    /// Beams spread evenly over a field of view that is centred on the sensor's x axis.
    ///
    /// The first and last beam lie on its edges; in a full turn, where these would be the same, the last is a step
    /// short of the first. A single beam points ahead. `None` as for [`FanTable::new`].
    pub fn centred(field_of_view_rad: f64, beams: usize) -> Option<Self> {
        let gaps = match beams {
            0 => return None,
            1 => return Self::new(0.0, field_of_view_rad, 1),
            _ if field_of_view_rad >= TAU - 1e-9 => beams,
            _ => beams - 1,
        };
        Self::new(-field_of_view_rad / 2.0, field_of_view_rad / gaps as f64, beams)
    }

    /// Number of beams.
    pub fn len(&self) -> usize {
        self.cos.len()
    }

    /// Never: a table has a beam.
    pub fn is_empty(&self) -> bool {
        self.cos.is_empty()
    }

    /// The direction of beam 0, radians.
    pub fn angle_min_rad(&self) -> f64 {
        self.angle_min_rad
    }

    /// The angle from one beam to the next, radians.
    pub fn angle_step_rad(&self) -> f64 {
        self.angle_step_rad
    }

    /// Where a beam points in the sensor's frame, as a unit vector.
    ///
    /// # Panics
    /// If there is no such beam.
    #[inline]
    pub fn direction(&self, beam: usize) -> [f64; 2] {
        [self.cos[beam], self.sin[beam]]
    }

    /// Whether no beam can meet a disc, from the fan's two edges alone. May say no to a disc that is not met.
    fn misses_disc(&self, centre: [f64; 2], radius_m: f64) -> bool {
        let right_of_first = cross(centre, self.direction(0)) > radius_m;
        let left_of_last = cross(self.direction(self.len() - 1), centre) > radius_m;
        if self.is_wide { right_of_first && left_of_last } else { right_of_first || left_of_last }
    }
}

/// Measures along all beams of a fan: `ranges_m[i]` is the distance to the first solid shape that beam `i` meets at
/// the height `z_m`, or `+inf` if there is none up to `range_max_m`.
///
/// Shapes of the object `exclude_object` (an index into [`WorldView::objects`], usually the robot that carries the
/// sensor; [`touchline_plugin_api::view::NONE`] for nobody) are not met.
///
/// # Panics
/// If `ranges_m` has not the table's length.
pub fn cast_fan(
    view: &WorldView<'_>,
    sensor_pose: Pose2,
    table: &FanTable,
    range_max_m: f64,
    z_m: f64,
    exclude_object: u32,
    ranges_m: &mut [f64],
) {
    assert_eq!(ranges_m.len(), table.len(), "one range for each beam");
    ranges_m.fill(f64::INFINITY);
    let (sin, cos) = sin_cos(sensor_pose.theta_rad);
    let position = [sensor_pose.x_m, sensor_pose.y_m];
    let mut fan = Fan { table, position, cos, sin, range_max_m, z_m, ranges_m };
    if !view.grid.frame.is_empty() {
        for index in view.near(position, range_max_m) {
            if let Some(object) = view.objects.get(index as usize) {
                fan.meet_objects(view, index as usize, std::slice::from_ref(object), exclude_object);
            }
        }
        return fan.cut_off();
    }
    let (groups, rest) = view.objects.as_chunks::<GROUP>();
    for (group, objects) in groups.iter().enumerate() {
        if !are_far(objects, position, range_max_m) {
            fan.meet_objects(view, group * GROUP, objects, exclude_object);
        }
    }
    fan.meet_objects(view, groups.len() * GROUP, rest, exclude_object);
    fan.cut_off();
}

/// So many objects are compared with the range at once: in a large world all of most groups are far.
const GROUP: usize = 4;

/// Whether no beam reaches any object of a whole group, by their places and sizes alone.
///
/// The margin is far more than rounding makes of a distance, so nobody is passed over whom a closer look would not pass over.
#[inline]
fn are_far(objects: &[Object; GROUP], [x, y]: [f64; 2], range_max_m: f64) -> bool {
    const MARGIN: f64 = 1.0 + 1e-9;
    let is_far = objects.each_ref().map(|object| {
        let offset = [object.pose.x_m - x, object.pose.y_m - y];
        let reach_m = range_max_m + object.radius_m;
        dot(offset, offset) > MARGIN * (reach_m * reach_m)
    });
    // All are worked out, so that the processor does it side by side.
    is_far.into_iter().fold(true, |all, one| all & one)
}

/// One scan in the making. All vectors are in the sensor's frame.
struct Fan<'a> {
    table: &'a FanTable,
    position: [f64; 2],
    cos: f64,
    sin: f64,
    range_max_m: f64,
    z_m: f64,
    ranges_m: &'a mut [f64],
}

impl Fan<'_> {
    /// Beyond the range nothing is met.
    fn cut_off(self) {
        for range_m in self.ranges_m {
            *range_m = if *range_m <= self.range_max_m { *range_m } else { f64::INFINITY };
        }
    }

    /// Meets the shapes of some objects of the view, the first of which has the index `first`. Called, not inlined: so the loop
    /// over all groups, most of which are far, stays short.
    #[inline(never)]
    fn meet_objects(&mut self, view: &WorldView<'_>, first: usize, objects: &[Object], exclude_object: u32) {
        for (index, object) in (first..).zip(objects) {
            let centre = self.point([object.pose.x_m, object.pose.y_m]);
            if index as u32 == exclude_object || self.is_out_of_reach(centre, object.radius_m) {
                continue;
            }
            for shape in view.shapes_of(object).iter().take_while(|shape| shape.solid != 0) {
                if !is_solid_at(shape, self.z_m) {
                    continue;
                }
                let centre = self.point([shape.x_m, shape.y_m]);
                if !self.is_out_of_reach(centre, shape.radius_m) {
                    self.meet(shape, centre);
                }
            }
        }
    }

    #[inline(always)]
    fn is_out_of_reach(&self, centre: [f64; 2], radius_m: f64) -> bool {
        let reach_m = self.range_max_m + radius_m;
        dot(centre, centre) > reach_m * reach_m || self.table.misses_disc(centre, radius_m)
    }

    fn point(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        self.vector([x - self.position[0], y - self.position[1]])
    }

    fn vector(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.cos * x + self.sin * y, self.cos * y - self.sin * x]
    }

    fn meet(&mut self, shape: &Shape, centre: [f64; 2]) {
        match shape.kind() {
            ShapeKind::Rectangle => self.meet_rectangle(shape, centre),
            ShapeKind::Ellipse if shape.half_x_m == shape.half_y_m => {
                self.meet_circle(centre, shape.half_x_m)
            }
            ShapeKind::Ellipse => self.meet_ellipse(shape, centre),
            ShapeKind::Triangle => {
                self.meet_triangle([centre, self.point(shape.corner_b), self.point(shape.corner_c)]);
            }
        }
    }

    /// From outside, one or two sides of a rectangle can be seen.
    fn meet_rectangle(&mut self, shape: &Shape, centre: [f64; 2]) {
        let x_axis = self.vector([shape.cos, shape.sin]);
        let y_axis = [-x_axis[1], x_axis[0]];
        let (half_x, half_y) = (shape.half_x_m, shape.half_y_m);
        // The sensor in the shape's frame.
        let (x, y) = (-dot(centre, x_axis), -dot(centre, y_axis));
        if x.abs() <= half_x && y.abs() <= half_y {
            return self.ranges_m.fill(0.0);
        }
        let corner = |u: f64, v: f64| {
            [
                centre[0] + u * half_x * x_axis[0] + v * half_y * y_axis[0],
                centre[1] + u * half_x * x_axis[1] + v * half_y * y_axis[1],
            ]
        };
        if x.abs() > half_x {
            let side = 1.0f64.copysign(x);
            self.meet_edge(corner(side, side), corner(side, -side));
        }
        if y.abs() > half_y {
            let side = 1.0f64.copysign(y);
            self.meet_edge(corner(-side, side), corner(side, side));
        }
    }

    fn meet_triangle(&mut self, [a, b, c]: [[f64; 2]; 3]) {
        let is_clockwise = cross([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]) < 0.0;
        let corners = if is_clockwise { [a, c, b] } else { [a, b, c] };
        let mut is_inside = true;
        for i in 0..3 {
            // Seen from outside, a counter-clockwise outline runs clockwise along its near side.
            let (from, to) = (corners[i], corners[(i + 1) % 3]);
            if cross(from, to) < 0.0 {
                is_inside = false;
                self.meet_edge(to, from);
            }
        }
        if is_inside {
            self.ranges_m.fill(0.0);
        }
    }

    /// An edge that runs counter-clockwise from `a` to `b`, as seen from the sensor.
    fn meet_edge(&mut self, a: [f64; 2], b: [f64; 2]) {
        let edge = [b[0] - a[0], b[1] - a[1]];
        let area = cross(a, b);
        // An edge that points at the sensor has no width; its neighbour is met instead.
        if area <= 1e-14 * (a[0].abs() + a[1].abs()) * (b[0].abs() + b[1].abs()) {
            return;
        }
        self.each_beam_between(a, b, |cos, sin| area / (cos * edge[1] - sin * edge[0]));
    }

    fn meet_circle(&mut self, centre: [f64; 2], radius_m: f64) {
        let tangent_squared = dot(centre, centre) - radius_m * radius_m;
        if tangent_squared <= 0.0 {
            return self.ranges_m.fill(0.0);
        }
        let [right, left] = tangents(centre, tangent_squared.sqrt(), radius_m);
        self.each_beam_between(right, left, |cos, sin| {
            let along = centre[0] * cos + centre[1] * sin;
            let discriminant = along * along - tangent_squared;
            along - if discriminant > 0.0 { discriminant } else { 0.0 }.sqrt()
        });
    }

    /// As the circle, in a frame in which the ellipse is the unit circle.
    fn meet_ellipse(&mut self, shape: &Shape, centre: [f64; 2]) {
        let (half_x, half_y) = (shape.half_x_m, shape.half_y_m);
        let x_axis = self.vector([shape.cos, shape.sin]);
        let y_axis = [-x_axis[1], x_axis[0]];
        let scaled = [dot(centre, x_axis) / half_x, dot(centre, y_axis) / half_y];
        let tangent_squared = dot(scaled, scaled) - 1.0;
        if tangent_squared.is_nan() || tangent_squared <= 0.0 {
            return self.ranges_m.fill(0.0);
        }
        let [right, left] = tangents(scaled, tangent_squared.sqrt(), 1.0).map(|[u, v]| {
            let (u, v) = (u * half_x, v * half_y);
            [u * x_axis[0] + v * y_axis[0], u * x_axis[1] + v * y_axis[1]]
        });
        let u_row = [x_axis[0] / half_x, x_axis[1] / half_x];
        let v_row = [y_axis[0] / half_y, y_axis[1] / half_y];
        self.each_beam_between(right, left, |cos, sin| {
            let (u, v) = (cos * u_row[0] + sin * u_row[1], cos * v_row[0] + sin * v_row[1]);
            let (squared, along) = (u * u + v * v, u * scaled[0] + v * scaled[1]);
            let discriminant = along * along - squared * tangent_squared;
            (along - if discriminant > 0.0 { discriminant } else { 0.0 }.sqrt()) / squared
        });
    }

    /// Puts a distance on each beam that lies between the directions `a` and `b`, counter-clockwise and less than
    /// half a turn apart.
    #[inline(always)]
    fn each_beam_between(&mut self, a: [f64; 2], b: [f64; 2], distance_m: impl Fn(f64, f64) -> f64) {
        let table = self.table;
        let (from_rad, to_rad) = (rough_angle(a), rough_angle(b));
        let mut span_rad = to_rad - from_rad;
        if span_rad < -1.0 {
            span_rad += TAU;
        }
        let mut begin_rad = from_rad - table.start_rad;
        if begin_rad < 0.0 {
            begin_rad += TAU;
        }
        let top = (table.len() - 1) as f64;
        let first = (begin_rad - ROUGH_ERROR_RAD) * table.beams_per_rad;
        let last = (begin_rad + span_rad + ROUGH_ERROR_RAD) * table.beams_per_rad;
        let turn = TAU * table.beams_per_rad;
        // The angle may reach over the end of the turn, or, being rough, begin before the beginning.
        for shift in [0.0, -turn, turn] {
            let (low, high) = (first + shift, last + shift + 1.0);
            let (low, high) = (if low > 0.0 { low } else { 0.0 }, if high < top { high } else { top });
            if low > high {
                continue;
            }
            // No call of floor: for numbers above zero, the cast rounds down, and that to 32 bits is the shortest.
            let (mut low, mut high) = (low as u32 as usize, high as u32 as usize);
            let is_outside = |beam: usize| {
                let direction = table.direction(beam);
                cross(a, direction) < 0.0 || cross(direction, b) < 0.0
            };
            while low <= high && is_outside(low) {
                low += 1;
            }
            while high > low && is_outside(high) {
                high -= 1;
            }
            if low > high {
                continue;
            }
            let beams = table.cos[low..=high].iter().zip(&table.sin[low..=high]);
            for (range_m, (&cos, &sin)) in self.ranges_m[low..=high].iter_mut().zip(beams) {
                let distance_m = distance_m(cos, sin);
                *range_m = if distance_m < *range_m { distance_m } else { *range_m };
            }
        }
    }
}

/// The directions in which a circle is touched from the origin: right, then left.
fn tangents([x, y]: [f64; 2], tangent: f64, radius: f64) -> [[f64; 2]; 2] {
    [
        [x * tangent + y * radius, y * tangent - x * radius],
        [x * tangent - y * radius, y * tangent + x * radius],
    ]
}

/// More than [`rough_angle`] can be wrong.
const ROUGH_ERROR_RAD: f64 = 1e-4;

/// The angle of a vector, to find candidates only.
fn rough_angle([x, y]: [f64; 2]) -> f64 {
    let (along, across) = (x.abs(), y.abs());
    let (small, large) = if along < across { (along, across) } else { (across, along) };
    // Any angle will do for the zero vector.
    let z = small / if large > 0.0 { large } else { 1.0 };
    let s = z * z;
    // Odd polynomial fitted to the arc tangent on [0, 1]; checked by a test.
    let series = 0.193_543_46 + s * (-0.116_432_87 + s * (0.052_653_32 - s * 0.011_721_20));
    let octant = z * (0.999_977_26 + s * (-0.332_623_47 + s * series));
    let quadrant = if along < across { FRAC_PI_2 - octant } else { octant };
    let half = if x < 0.0 { PI - quadrant } else { quadrant };
    if y < 0.0 { -half } else { half }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rough_angle_is_as_good_as_it_says() {
        for i in 0..100_000 {
            let angle = wrap_angle(f64::from(i) * 1e-3);
            let (sin, cos) = sin_cos(angle);
            let error = wrap_angle(rough_angle([3.0 * cos, 3.0 * sin]) - angle).abs();
            assert!(error < ROUGH_ERROR_RAD / 2.0, "{error} at {angle}");
        }
    }

    #[test]
    fn a_table_needs_a_beam_a_step_and_at_most_one_turn() {
        assert!(FanTable::new(0.0, 0.1, 0).is_none());
        assert!(FanTable::new(0.0, 0.0, 2).is_none());
        assert!(FanTable::new(0.0, f64::NAN, 2).is_none());
        assert!(FanTable::new(f64::INFINITY, 0.1, 2).is_none());
        assert!(FanTable::new(0.0, 0.1, 100).is_none());
        let half = FanTable::centred(PI, 181).unwrap();
        assert_eq!(half.angle_min_rad(), -FRAC_PI_2);
        assert!((half.angle_step_rad() - PI / 180.0).abs() < 1e-15);
        let full = FanTable::centred(TAU, 360).unwrap();
        assert!((full.angle_step_rad() - PI / 180.0).abs() < 1e-15);
        assert_eq!(FanTable::centred(1.0, 1).unwrap().direction(0), [1.0, 0.0]);
    }
}
