//! Fixtures that hang above the floor, such as crossbars: robots that are lower pass under them. By the law `rigid`, as groups of colliders
//! that do not meet. (W4)

use super::impacts::are_level;
use crate::scenario::{Fixture, Primitive};

/// So many different heights have a group of their own; fixtures of further ones stand in the way of all robots.
const GROUPS: usize = 31;
/// The group of all robots.
const ROBOTS: u32 = 1 << GROUPS;

/// The heights of all fixtures that hang, each once.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    heights: Vec<[f64; 2]>,
}

impl Bars {
    pub fn new(fixtures: &[Fixture]) -> Self {
        let mut heights: Vec<[f64; 2]> = Vec::new();
        for fixture in fixtures.iter().filter(|fixture| fixture.solid && fixture.primitive.z_m[0] > 0.0) {
            if !heights.contains(&fixture.primitive.z_m) && heights.len() < GROUPS {
                heights.push(fixture.primitive.z_m);
            }
        }
        Self { heights }
    }

    /// The groups of which a shape is, and those which it meets, as bits; in a world without bars all are of all.
    pub fn groups_of(&self, primitive: &Primitive, is_fixture: bool) -> [u32; 2] {
        if self.heights.is_empty() {
            return [u32::MAX; 2];
        }
        if is_fixture {
            let place = self.heights.iter().position(|&z_m| z_m == primitive.z_m);
            return [place.map_or(u32::MAX, |place| 1 << place), u32::MAX];
        }
        let above = self.heights.iter().enumerate().filter(|&(_, &z_m)| !are_level(z_m, primitive.z_m));
        [ROBOTS, above.fold(u32::MAX, |meets, (place, _)| meets & !(1 << place))]
    }
}
