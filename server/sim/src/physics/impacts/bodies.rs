//! Who takes part in impacts, and what stands around.

use super::super::Owner;
use super::super::body::RobotBody;
use super::super::journey::{Inertia, Passage};
use super::super::shape::{Solid, Vec2};
use super::flight::Bounce;
use super::map::Map;
use crate::ball::{Ball, Slowing};
use crate::scenario::{BallSpec, Surface};

/// What can take part in an impact: the physics' own names, by places in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    Fixture(usize),
    Robot(usize),
    Ball(usize),
}

impl Body {
    pub fn robot(self) -> Option<usize> {
        if let Self::Robot(robot) = self { Some(robot) } else { None }
    }
}

/// Who meets whom at its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meetings {
    /// Balls meet all others; robots go as the library has carried them, but for what balls do to them.
    OfBalls,
    /// All meet all; robots are discs.
    OfAll,
    /// Balls and robots, which are discs, meet fixtures; each other they may overlap, and are moved apart after the step.
    WithFixtures,
    /// Balls and robots, which are discs, meet fixtures alone; each other they overlap.
    OnlyWithFixtures,
}

impl Meetings {
    /// Whether robots move by impacts.
    pub fn are_of_robots(self) -> bool {
        self != Self::OfBalls
    }

    /// Whether they meet each other, and not the fixtures alone.
    pub fn are_mutual(self) -> bool {
        matches!(self, Self::OfBalls | Self::OfAll)
    }
}

/// A ball as others meet it.
#[derive(Clone, Copy, Debug)]
pub struct BallForm {
    pub radius_m: f64,
    pub inertia: Inertia,
    pub surface: Surface,
    pub bounce: Bounce,
    pub slowing: Slowing,
}

impl BallForm {
    pub fn new(ball: &BallSpec, world: Surface, gravity_m_s2: f64) -> Self {
        // Of a solid ball, where the file does not say how the mass lies.
        let factor = ball.sliding.map_or(0.4, |sliding| sliding.inertia_factor);
        let per_mass = 1.0 / ball.mass_kg;
        let per_moment = per_mass / (factor * ball.radius_m * ball.radius_m);
        let inertia = Inertia { per_mass, per_moment, centre: [0.0; 2] };
        let bounce = Bounce::new(ball, gravity_m_s2);
        Self {
            radius_m: ball.radius_m,
            inertia,
            surface: ball.surface.unwrap_or(world),
            bounce,
            slowing: Slowing::of(ball),
        }
    }

    /// What a ball is where it is.
    pub fn solid(&self, ball: &Ball) -> Solid {
        let z_m = ball.vertical.z_m;
        Solid::disc(ball.position, self.radius_m, [z_m, z_m + 2.0 * self.radius_m], self.surface)
    }
}

/// All solid fixtures of the world.
pub struct Fixtures {
    pub solids: Vec<Solid>,
    /// Their places in the scenario's list, which has what is not solid as well.
    numbers: Vec<u32>,
    bounds: Vec<[Vec2; 2]>,
    map: Map,
}

impl Fixtures {
    pub fn new(numbered: impl Iterator<Item = (u32, Solid)>) -> Self {
        let (numbers, solids): (_, Vec<Solid>) = numbered.unzip();
        let bounds: Vec<[Vec2; 2]> = solids.iter().map(Solid::bounds).collect();
        let map = Map::new(&bounds);
        Self { solids, numbers, bounds, map }
    }

    /// Whose body a solid is.
    pub fn owner(&self, place: usize) -> Owner {
        Owner::Fixture(self.numbers[place])
    }

    /// What the fixture of this place in the scenario's list is, if it is solid.
    pub fn of_number(&self, number: u32) -> Option<&Solid> {
        self.numbers.binary_search(&number).ok().map(|place| &self.solids[place])
    }

    /// Those that a disc of this radius may meet, with their places.
    #[inline]
    pub fn near(&self, [x, y]: Vec2, radius_m: f64) -> impl Iterator<Item = (usize, &Solid)> {
        let is_near = move |[low, high]: &[Vec2; 2]| {
            x + radius_m >= low[0]
                && x - radius_m <= high[0]
                && y + radius_m >= low[1]
                && y - radius_m <= high[1]
        };
        let near = self.map.around([x, y], radius_m).iter().map(|&place| place as usize);
        near.filter(move |&place| is_near(&self.bounds[place])).map(|place| (place, &self.solids[place]))
    }
}

/// What is there besides the balls.
pub struct Bodies<'a> {
    pub meetings: Meetings,
    pub fixtures: &'a Fixtures,
    pub robots: &'a [RobotBody],
    pub passages: &'a [Passage],
    pub forms: &'a [BallForm],
    pub gravity_m_s2: f64,
}
