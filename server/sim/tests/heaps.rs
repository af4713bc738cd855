//! Robots that meet and press each other in one place do what they would do if nobody were anywhere else. [W4, W7]

use crate::common::*;
use crate::contacts::*;
use crate::discs::{by, turned, twist};
use std::f64::consts::TAU;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::World;
use touchline_sim::scenario::*;

/// A heap comes together somewhere: of how many robots, and where.
#[derive(Clone, Copy)]
struct Heap {
    robots: u32,
    middle: [f64; 2],
}

const SMALL: Heap = Heap { robots: 7, middle: [0.3, -0.2] };
const NEXT: Heap = Heap { robots: 9, middle: [0.0, 6.0] };
/// With it there are more robots than are asked about each other one by one.
const LARGE: Heap = Heap { robots: 40, middle: [20.0, 1.0] };

impl Heap {
    /// Around its middle: robots of different weights and tyres.
    fn robots(self) -> impl Iterator<Item = (Self, RobotPlacement)> {
        (0..self.robots).map(move |n| {
            let (ring, angle) =
                (n / 10, TAU * f64::from(n % 10) / f64::from(self.robots.min(10)) + 0.3 * f64::from(n / 10));
            let away_m = 0.9 + 0.6 * f64::from(ring);
            let spec = RobotSpec {
                mass_kg: 4.0 + f64::from(n * n % 5) * 6.0,
                traction_m_s2: 1.5 + f64::from(n % 3) * 2.0,
                ..disc_robot()
            };
            let [x, y] = turned([away_m, 0.0], angle);
            let pose = Pose2::new(self.middle[0] + x, self.middle[1] + y, 1.7 * angle);
            (self, robot(&format!("{}-{n}", self.robots), spec, pose))
        })
    }

    /// All drive to its middle, and turn.
    fn order(self, world: &World, number: u32) -> Twist2 {
        let pose = world.view().robot(number).unwrap().pose;
        let way = [self.middle[0] - pose.x_m, self.middle[1] - pose.y_m];
        let [x, y] = turned(way, -pose.theta_rad);
        let share = 1.5 / libm::hypot(x, y).max(0.3);
        Twist2::new(share * x, share * y, 2.0 * libm::sin(pose.theta_rad))
    }
}

/// How the robots of the first of these heaps go: the bits of place, heading and velocity of each in each step.
fn run(heaps: &[Heap], scenario: Scenario) -> Vec<[u64; 6]> {
    let mut all: Vec<_> = heaps.iter().flat_map(|heap| heap.robots().enumerate()).collect();
    // They take turns in the order of numbers.
    all.sort_by_key(|(place, _)| *place);
    let (heap_of, robots): (Vec<Heap>, _) = all.into_iter().map(|(_, robot)| robot).unzip();
    let steps = (1.5 / scenario.dt_secs) as usize;
    let mut world = world(Scenario { robots, ..scenario });
    let is_of_first = |&(_, heap): &(u32, &Heap)| heap.robots == heaps[0].robots;
    let mut bits = Vec::new();
    for _ in 0..steps {
        let orders: Vec<_> =
            (0..).zip(&heap_of).map(|(number, heap)| set_twist(number, heap.order(&world, number))).collect();
        world.step(&orders);
        bits.extend((0..).zip(&heap_of).filter(is_of_first).map(|(number, _)| {
            let pose = world.view().robot(number).unwrap().pose;
            let Twist2 { x_m_s, y_m_s, turn_rad_s } = twist(&world, number);
            [pose.x_m, pose.y_m, pose.theta_rad, x_m_s, y_m_s, turn_rad_s].map(f64::to_bits)
        }));
    }
    bits
}

/// W4, W7: who presses or meets whom elsewhere changes nothing, to the bit, whether few are there or many.
#[test]
fn a_heap_does_not_feel_another() {
    for (dt_secs, e) in STEPS_SECS.into_iter().flat_map(|dt| [(dt, 0.0), (dt, 0.6)]) {
        let scenario = || by(DISCS, dt_secs, 0.5, e);
        let alone = run(&[SMALL], scenario());
        for others in [&[SMALL, NEXT][..], &[SMALL, NEXT, LARGE]] {
            assert!(alone == run(others, scenario()), "dt {dt_secs}, e {e}, {} heaps", others.len());
        }
    }
}
