//! Who overlaps whom: the one answer, for world files, for commands and for the starts of episodes, by either law. (W4)
//!
//! Shape by shape, exactly, in `f64`. Who is far away is not looked at ([`Grid`]), so many are put down in a time that grows as they do.

use super::body::RobotBody;
use super::discs::Discs;
use super::impacts::are_level;
use super::place::Place;
use super::shape::{Solid, Vec2, norm, sub};
use crate::scenario::{PhysicsLaw, Primitive, RobotSpec, Surface};
use std::collections::BTreeMap;
use touchline_plugin_api::geometry::Pose2;

/// What is less than this is rounding: who touches does not overlap, metres.
const ROUNDING_M: f64 = 1e-9;

/// Something that stands, as others meet it.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    Fixture(&'a Solid),
    Ball(&'a Solid),
    Robot(&'a RobotBody),
}

impl Body<'_> {
    /// Whether the two overlap by more than this, metres.
    pub fn overlaps(&self, other: &Self, slack_m: f64) -> bool {
        let [(at, radius_m), (other_at, other_radius_m)] = [self.circle(), other.circle()];
        if norm(sub(other_at, at)) > radius_m + other_radius_m {
            return false;
        }
        let there = other.place().seen_from(self.place());
        let meet = |one: &Solid, second: &Solid| {
            self.is_level(one, other, second) && overlap(one, second, &there, slack_m + ROUNDING_M)
        };
        self.shapes(other).any(|one| other.shapes(self).any(|second| meet(one, second)))
    }

    fn place(&self) -> &Place {
        match self {
            Self::Robot(robot) => &robot.place,
            Self::Fixture(_) | Self::Ball(_) => &Place::WORLD,
        }
    }

    /// The middle and the radius of a circle around it.
    pub fn circle(&self) -> (Vec2, f64) {
        match self {
            Self::Robot(robot) => (robot.place.origin(), robot.reach_m),
            Self::Fixture(solid) | Self::Ball(solid) => (solid.middle(), solid.radius_m()),
        }
    }

    /// Lowest and highest x and y.
    pub fn bounds(&self) -> [Vec2; 2] {
        match self {
            Self::Fixture(solid) | Self::Ball(solid) => solid.bounds(),
            Self::Robot(_) => {
                let ([x, y], r) = self.circle();
                [[x - r, y - r], [x + r, y + r]]
            }
        }
    }

    /// What the other one meets of it: of a robot that is a disc, balls alone meet the manipulators.
    pub fn shapes(&self, other: &Self) -> impl Iterator<Item = &Solid> {
        let (solid, robot) = match *self {
            Self::Fixture(solid) | Self::Ball(solid) => (Some(solid), None),
            Self::Robot(robot) => (None, Some(robot)),
        };
        let meets_body_alone = robot.is_some_and(RobotBody::is_disc) && !matches!(other, Self::Ball(_));
        let of_robot = robot.into_iter().flat_map(move |robot| {
            robot.solids().take(if meets_body_alone { robot.body_count() } else { usize::MAX })
        });
        solid.into_iter().chain(of_robot)
    }

    /// Whether two shapes are at one height, as far as that matters: robots are never above each other, and only what hangs leaves room
    /// below it for one that is no disc.
    pub fn is_level(&self, shape: &Solid, other: &Self, second: &Solid) -> bool {
        let stands = |robot: &RobotBody, fixture: &Solid| !robot.is_disc() && fixture.z_m[0] <= 0.0;
        match (self, other) {
            (Self::Robot(_), Self::Robot(_)) => true,
            (Self::Robot(robot), Self::Fixture(fixture)) | (Self::Fixture(fixture), Self::Robot(robot))
                if stands(robot, fixture) =>
            {
                true
            }
            _ => are_level(shape.z_m, second.z_m),
        }
    }
}

/// Whether two convex outlines overlap by more than this; the second's frame is `there` in the first's.
fn overlap(one: &Solid, second: &Solid, there: &Place, slack_m: f64) -> bool {
    if second.is_circle() {
        return one.gap(there.to_outer(second.middle())).distance_m < second.radius_m() - slack_m;
    }
    if one.is_circle() {
        return second.gap(there.to_inner(one.middle())).distance_m < one.radius_m() - slack_m;
    }
    !one.has_beyond_a_side(second, |point| there.to_outer(point), -slack_m)
        && !second.has_beyond_a_side(one, |point| there.to_inner(point), -slack_m)
}

/// How far a point is outside of a shape, both in the frame in which the shape is given, metres; 0 inside.
pub fn distance_m(shape: &Primitive, point: [f64; 2]) -> f64 {
    Solid::new(shape, no_surface()).gap(point).distance_m.max(0.0)
}

/// Of what is not touched, but only looked at.
fn no_surface() -> Surface {
    Surface::new(0.0, 0.0)
}

/// Something that shall stand somewhere at the beginning of a world.
pub struct Standing(Stands);

enum Stands {
    Fixture(Solid),
    Ball(Solid),
    Robot(Box<RobotBody>),
}

impl Standing {
    /// A fixture that is solid.
    pub fn fixture(primitive: &Primitive) -> Self {
        Self(Stands::Fixture(Solid::new(primitive, no_surface())))
    }

    /// A ball, from its lowest to its highest point.
    pub fn ball(position: [f64; 2], radius_m: f64, z_m: [f64; 2]) -> Self {
        Self(Stands::Ball(Solid::disc(position, radius_m, z_m, no_surface())))
    }

    /// A robot, with its manipulators in their first states.
    pub fn robot(spec: &RobotSpec, pose: Pose2, law: PhysicsLaw) -> Self {
        Self(Stands::Robot(Box::new(match law {
            PhysicsLaw::Rigid => RobotBody::new(u32::MAX, spec, &spec.body, no_surface(), pose),
            PhysicsLaw::Discs { .. } => Discs::robot(u32::MAX, spec, no_surface(), pose),
        })))
    }

    fn body(&self) -> Body<'_> {
        match &self.0 {
            Stands::Fixture(solid) => Body::Fixture(solid),
            Stands::Ball(solid) => Body::Ball(solid),
            Stands::Robot(robot) => Body::Robot(robot),
        }
    }
}

/// All that overlap by more than `slack_m`, as places in the list, each with those before it; fixtures may overlap each other.
pub fn overlapping_pairs(standing: &[Standing], slack_m: f64) -> Vec<[usize; 2]> {
    let (mut grid, mut near, mut pairs) = (Grid::default(), Vec::new(), Vec::new());
    for (later, one) in standing.iter().enumerate() {
        let body = one.body();
        if !matches!(body, Body::Fixture(_)) {
            grid.near(body.bounds(), &mut near);
            let overlapping = near.iter().filter(|&&other| body.overlaps(&standing[other].body(), slack_m));
            pairs.extend(overlapping.map(|&other| [later, other]));
        }
        grid.insert(later, body.bounds());
    }
    pairs
}

/// Who is near whom: squares of the floor, each with those that reach into it.
#[derive(Default)]
pub struct Grid {
    squares: BTreeMap<[i32; 2], Vec<usize>>,
    /// Those that reach into too many squares to be in each.
    large: Vec<usize>,
    count: usize,
}

const SQUARE_M: f64 = 1.0;
const MANY_SQUARES: i64 = 64;

impl Grid {
    /// Adds the next one, which is within these bounds.
    pub fn insert(&mut self, place: usize, bounds: [Vec2; 2]) {
        self.count = self.count.max(place + 1);
        match squares(bounds) {
            Some(squares) => squares.for_each(|square| self.squares.entry(square).or_default().push(place)),
            None => self.large.push(place),
        }
    }

    /// Those that may be within these bounds, sorted, in place of what was in the list.
    pub fn near(&self, bounds: [Vec2; 2], found: &mut Vec<usize>) {
        found.clear();
        match squares(bounds) {
            Some(squares) => {
                found.extend_from_slice(&self.large);
                squares.filter_map(|square| self.squares.get(&square)).for_each(|all| found.extend(all));
                found.sort_unstable();
                found.dedup();
            }
            None => found.extend(0..self.count),
        }
    }
}

/// The squares that something reaches into, if they are few.
fn squares([low, high]: [Vec2; 2]) -> Option<impl Iterator<Item = [i32; 2]>> {
    // What is too far away for a number is put into the last square.
    let square = |at_m: f64| (at_m / SQUARE_M).floor() as i32;
    let ([from_x, to_x], [from_y, to_y]) =
        ([square(low[0]), square(high[0])], [square(low[1]), square(high[1])]);
    let span = |from: i32, to: i32| i64::from(to) - i64::from(from) + 1;
    let count = span(from_x, to_x).saturating_mul(span(from_y, to_y));
    (count <= MANY_SQUARES).then(|| (from_x..=to_x).flat_map(move |x| (from_y..=to_y).map(move |y| [x, y])))
}

#[cfg(test)]
mod tests;
