//! Where two bodies are nearest to each other, and when they touch, each on its arc. In `f64`, by the outlines that balls meet.

use super::body::RobotBody;
use super::impacts::Fixtures;
use super::impulse::{Response, response};
use super::journey::{Inertia, Journey};
use super::overlap::Body;
use super::place::Place;
use super::shape::{Edge, Gap, Solid, Vec2, add, dot, norm, scale, sub, turned};
use super::{Owner, where_met};
use touchline_plugin_api::geometry::Twist2;

/// Nearer than this is touching, metres.
const TOUCH_M: f64 = 1e-8;
/// Places that are farther from each other by no more than this touch at the same moment, as those of a flat front, metres.
const SAME_M: f64 = 1e-5;
/// So many corners has an outline at most: an ellipse.
const MOST_CORNERS: usize = 32;
/// Into so many pieces a step is taken at least, as far as something may still touch in it: between two of them nobody turns far.
const PIECES: f64 = 8.0;

/// One of two bodies that may touch.
pub struct Side<'a> {
    pub body: Body<'a>,
    pub owner: Owner,
    /// Place in the list of robots; `None` for a fixture.
    pub robot: Option<usize>,
    /// From the beginning of the step on.
    pub journey: Journey,
    pub inertia: Inertia,
}

impl<'a> Side<'a> {
    /// A robot, as it has planned the step.
    pub fn robot(robots: &'a [RobotBody], index: usize) -> Self {
        let robot = &robots[index];
        Side {
            body: Body::Robot(robot),
            owner: Owner::Robot(robot.number),
            robot: Some(index),
            journey: robot.planned(),
            inertia: robot.inertia,
        }
    }

    pub fn fixture(owner: Owner, solid: &'a Solid) -> Self {
        let journey = Journey::new(Place::WORLD, Twist2::ZERO);
        Side { body: Body::Fixture(solid), owner, robot: None, journey, inertia: Inertia::default() }
    }

    /// Whose it is; a ball is none.
    pub fn of(robots: &'a [RobotBody], fixtures: &'a Fixtures, owner: Owner) -> Option<Self> {
        match owner {
            Owner::Robot(_) => Some(Self::robot(robots, find(robots, owner)?)),
            Owner::Fixture(number) => Some(Self::fixture(owner, fixtures.of_number(number)?)),
            Owner::Ball(_) => None,
        }
    }

    /// No point of it goes faster than this, m/s.
    fn fastest_m_s(&self) -> f64 {
        match self.body {
            Body::Robot(robot) => {
                self.journey.fastest_m_s() + self.journey.twist.turn_rad_s.abs() * robot.radius_m
            }
            Body::Fixture(_) | Body::Ball(_) => 0.0,
        }
    }

    fn circle(&self) -> (Vec2, f64) {
        match self.body {
            Body::Robot(robot) => (self.journey.place.origin(), robot.radius_m),
            Body::Fixture(solid) | Body::Ball(solid) => (solid.middle(), solid.radius_m()),
        }
    }
}

/// Where two bodies are nearest to each other.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub gap_m: f64,
    /// Towards the first body, of length 1.
    pub normal: Vec2,
    pub point: Vec2,
    pub friction: f64,
    pub restitution: f64,
}

/// Two bodies at one moment of the step.
pub struct Pair<'a> {
    pub sides: [Side<'a>; 2],
    pub secs: f64,
}

impl Pair<'_> {
    fn go_to(&mut self, secs: f64) {
        self.sides.iter_mut().for_each(|side| side.journey.go_to(secs));
        self.secs = secs;
    }

    /// Goes to the moment at which the two touch, as they have planned the step, and finds the places where they do; false, and back at
    /// the beginning, if they pass each other.
    pub fn go_to_touch(&mut self, dt_secs: f64, spots: &mut Vec<Spot>) -> bool {
        const STEPS: usize = 40;
        let speeds_m_s: f64 = self.sides.iter().map(Side::fastest_m_s).sum();
        for _ in 0..STEPS {
            // Who is farther away is not met.
            self.look(speeds_m_s * (dt_secs - self.secs) + TOUCH_M, spots);
            let Some(nearest) = spots.iter().min_by(|a, b| a.gap_m.total_cmp(&b.gap_m)) else { break };
            if nearest.gap_m <= TOUCH_M && (nearest.gap_m >= -TOUCH_M || self.secs == 0.0) {
                return true;
            }
            let nearing_m_s = -self.velocity_at(nearest)[0];
            // A little before it, where a normal has a direction.
            let wanted_secs = (nearest.gap_m - TOUCH_M / 10.0) / nearing_m_s;
            let piece_secs =
                if nearing_m_s > 0.0 { wanted_secs.min(dt_secs / PIECES) } else { dt_secs / PIECES };
            let secs = (self.secs + piece_secs).max(0.0);
            if secs > dt_secs {
                break;
            }
            self.go_to(secs);
        }
        self.go_to(0.0);
        false
    }

    /// How deep the two are in each other where they are now, metres; if they are apart, something below 0.
    pub fn depth_m(&self, spots: &mut Vec<Spot>) -> f64 {
        let [(at, radius_m), (other_at, other_radius_m)] = self.sides.each_ref().map(Side::circle);
        let apart_m = norm(sub(at, other_at)) - radius_m - other_radius_m;
        if apart_m > 0.0 {
            return -apart_m;
        }
        self.look(0.0, spots);
        -spots.iter().map(|spot| spot.gap_m).fold(f64::INFINITY, f64::min)
    }

    /// Velocity of the first against the second: along the normal, along the tangent, m/s.
    pub fn velocity_at(&self, spot: &Spot) -> Vec2 {
        let [one, other] = self.sides.each_ref().map(|side| side.journey.velocity_at(spot.point));
        let velocity = sub(one, other);
        [dot(velocity, spot.normal), dot(velocity, [-spot.normal[1], spot.normal[0]])]
    }

    /// From each centre of mass to the spot.
    pub fn arms(&self, spot: &Spot) -> [Vec2; 2] {
        self.sides.each_ref().map(|side| sub(spot.point, side.journey.place.to_outer(side.inertia.centre)))
    }

    pub fn response(&self, spot: &Spot) -> Response {
        let [one, other] = self.arms(spot);
        let of = |side: &Side<'_>, arm| {
            response((side.inertia.per_mass, side.inertia.per_moment), arm, spot.normal)
        };
        of(&self.sides[0], one) + of(&self.sides[1], other)
    }

    /// Finds where the two are nearest now, if they are nearer than this: one place, or those that are as near.
    fn look(&self, within_m: f64, spots: &mut Vec<Spot>) {
        spots.clear();
        let mut nearest_m = within_m;
        self.each_spot(within_m, |spot| {
            nearest_m = nearest_m.min(spot.gap_m);
            spots.push(spot);
            nearest_m
        });
        spots.retain(|spot| spot.gap_m <= nearest_m.max(0.0) + SAME_M);
    }

    /// Finds all places where the two are nearer than this now.
    pub fn look_for_all(&self, within_m: f64, spots: &mut Vec<Spot>) {
        spots.clear();
        self.each_spot(within_m, |spot| {
            spots.push(spot);
            within_m
        });
    }

    /// Calls `found` with places where the two are nearer than this, or than what it last gave back.
    fn each_spot(&self, mut within_m: f64, mut found: impl FnMut(Spot) -> f64) {
        let [one, other] = &self.sides;
        let (at, other_at) = (&one.journey.place, &other.journey.place);
        for solid in one.body.shapes(&other.body) {
            let middle = at.to_outer(solid.middle());
            for second in other.body.shapes(&one.body) {
                let away = sub(middle, other_at.to_outer(second.middle()));
                let reach_m = solid.radius_m() + second.radius_m() + within_m.max(0.0) + SAME_M;
                if dot(away, away) > reach_m * reach_m || !one.body.is_level(solid, &other.body, second) {
                    continue;
                }
                let (friction, restitution) =
                    where_met((one.owner, solid.surface), (other.owner, second.surface));
                let solids = [(solid, at), (second, other_at)];
                nearest(solids, within_m.max(0.0) + SAME_M, |gap_m, normal, point| {
                    if gap_m <= within_m.max(0.0) + SAME_M {
                        within_m = found(Spot { gap_m, normal, point, friction, restitution });
                    }
                });
            }
        }
    }
}

/// Finds where two outlines may be nearest: how far from each other, the normal towards the first, and a point of the one or the other.
///
/// Two convex outlines are nearest at a corner of one of them, or where one is round.
fn nearest(
    [(one, at), (other, other_at)]: [(&Solid, &Place); 2],
    within_m: f64,
    mut found: impl FnMut(f64, Vec2, Vec2),
) {
    let mut flipped = |gap_m, normal, point| found(gap_m, scale(normal, -1.0), point);
    if other.is_circle() && !one.is_circle() {
        return of_round(other, other_at, one, at, flipped);
    }
    if one.is_circle() {
        return of_round(one, at, other, other_at, found);
    }
    let (mut corners, mut other_corners) = ([[0.0; 2]; MOST_CORNERS], [[0.0; 2]; MOST_CORNERS]);
    let side = widest(one, put_corners(other, &other_at.seen_from(at), &mut other_corners));
    if side.0 > within_m {
        return;
    }
    let other_side = widest(other, put_corners(one, &at.seen_from(other_at), &mut corners));
    if other_side.0 > within_m {
        return;
    }
    if side.0.max(other_side.0) > TOUCH_M {
        of_corners(other, other_at, one, at, &mut flipped);
        of_corners(one, at, other, other_at, found);
    } else if side.0 >= other_side.0 {
        on_side(&side.1, at, other, other_at, flipped);
    } else {
        on_side(&other_side.1, other_at, one, at, found);
    }
}

/// How far a disc is from the other outline; the normal points towards the disc.
fn of_round(
    round: &Solid,
    at: &Place,
    solid: &Solid,
    solid_at: &Place,
    mut found: impl FnMut(f64, Vec2, Vec2),
) {
    let middle = at.to_outer(round.middle());
    let Gap { distance_m, normal } = solid.gap(solid_at.to_inner(middle));
    let normal = turned(solid_at.heading, normal);
    found(distance_m - round.radius_m(), normal, sub(middle, scale(normal, round.radius_m())));
}

/// How far each corner is from the other outline; normals point towards the corners.
fn of_corners(
    cornered: &Solid,
    at: &Place,
    solid: &Solid,
    solid_at: &Place,
    mut found: impl FnMut(f64, Vec2, Vec2),
) {
    for edge in cornered.edges() {
        let point = at.to_outer(edge.corner);
        let Gap { distance_m, normal } = solid.gap(solid_at.to_inner(point));
        found(distance_m, turned(solid_at.heading, normal), point);
    }
}

/// The corners of a polygon in a frame in which it is `there`.
fn put_corners<'a>(solid: &Solid, there: &Place, corners: &'a mut [Vec2; MOST_CORNERS]) -> &'a [Vec2] {
    let edges = solid.edges();
    for (corner, edge) in corners.iter_mut().zip(edges) {
        *corner = there.to_outer(edge.corner);
    }
    &corners[..edges.len().min(MOST_CORNERS)]
}

/// The side of a polygon that has the nearest of these corners farthest above it, and how far that is: no nearer are the two to each other, and
/// below 0 they overlap.
fn widest(solid: &Solid, corners: &[Vec2]) -> (f64, Edge) {
    let mut widest = (f64::NEG_INFINITY, Edge { corner: [0.0; 2], along: [1.0, 0.0], length_m: 0.0 });
    for edge in solid.edges() {
        let normal = edge.normal();
        let least_m = corners.iter().map(|&corner| dot(corner, normal)).fold(f64::INFINITY, f64::min);
        let least_m = least_m - dot(edge.corner, normal);
        if least_m > widest.0 {
            widest = (least_m, *edge);
        }
    }
    widest
}

/// The corners of a polygon where it stands on a side of another, within the length of that; normals point towards the corners.
fn on_side(side: &Edge, at: &Place, solid: &Solid, solid_at: &Place, mut found: impl FnMut(f64, Vec2, Vec2)) {
    let there = solid_at.seen_from(at);
    for edge in solid.edges() {
        let from = sub(there.to_outer(edge.corner), side.corner);
        let (above_m, along_m) = (dot(from, side.normal()), dot(from, side.along));
        let point = add(side.corner, scale(side.along, along_m.clamp(0.0, side.length_m)));
        let point = at.to_outer(add(point, scale(side.normal(), above_m)));
        found(above_m, turned(at.heading, side.normal()), point);
    }
}

/// The place of a robot in the list, which is in the order of numbers.
pub fn find(robots: &[RobotBody], owner: Owner) -> Option<usize> {
    let Owner::Robot(number) = owner else { return None };
    robots.binary_search_by_key(&number, |robot| robot.number).ok()
}

/// What an impulse at `arm` from the centre of mass does to the velocity there.
pub fn moved(inertia: &Inertia, impulse: Vec2, arm: Vec2) -> (Vec2, f64) {
    let turn = (arm[0] * impulse[1] - arm[1] * impulse[0]) * inertia.per_moment;
    (scale(impulse, inertia.per_mass), turn)
}

/// The velocity of a place at `arm` from the centre of mass.
pub fn at_arm((velocity, turn_rad_s): (Vec2, f64), arm: Vec2) -> Vec2 {
    add(velocity, [-turn_rad_s * arm[1], turn_rad_s * arm[0]])
}
