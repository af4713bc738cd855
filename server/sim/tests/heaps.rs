//! Robots that meet and press each other in one place do what they would do if nobody were anywhere else. [W4, W7]

use crate::common::*;
use crate::contacts::*;
use crate::discs::{by, coasting, place, turned, twist};
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};
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

/// Discs on a grid with a little room between them, thrown about, that nothing drives or holds.
fn thrown(scenario: Scenario, masses_kg: &[f64], velocities: &[[f64; 2]]) -> World {
    let at = |n: usize| Pose2::new(0.45 * (n % 4) as f64, 0.45 * (n / 4) as f64 + 0.1 * (n % 2) as f64, 0.0);
    let spec = |n: usize| RobotSpec { traction_m_s2: 1e-15, ..coasting(masses_kg[n]) };
    let robots = (0..masses_kg.len()).map(|n| robot(&format!("r{n}"), spec(n), at(n))).collect();
    let twists: Vec<_> = velocities.iter().map(|&[x, y]| Twist2::new(x, y, 0.0)).collect();
    world(Scenario { robots, referee: Some(throwing(&twists)), ..scenario })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// W4: a light and fast disc among heavy ones, in steps in which it meets one after the other: all momentum stays, nobody is in another, and nobody is
    /// stopped who was only thought to meet somebody.
    #[test]
    fn whom_one_does_not_meet_after_all_stops_nobody(
        heavy in proptest::collection::vec((1.0..40.0f64, -0.3..0.3f64, -0.3..0.3f64), 2..12),
        fast in (0.2..2.0f64, 1.0..8.0f64, -PI..PI), place_of_fast in 0..12usize,
        (e, friction) in prop_oneof![Just((0.0, 0.0)), Just((0.0, 0.5)), Just((0.6, 0.3)), Just((1.0, 0.0))],
        dt_secs in prop_oneof![Just(0.01), Just(0.05)],
    ) {
        let (mass_kg, speed, angle) = fast;
        let mut discs = heavy;
        let place_of_fast = place_of_fast % discs.len();
        discs.insert(place_of_fast, (mass_kg, speed * libm::cos(angle), speed * libm::sin(angle)));
        let masses_kg: Vec<f64> = discs.iter().map(|disc| disc.0).collect();
        let velocities: Vec<_> = discs.iter().map(|disc| [disc.1, disc.2]).collect();
        let mut world = thrown(by(DISCS, dt_secs, friction, e), &masses_kg, &velocities);
        let sum = |along: &dyn Fn(usize) -> f64| (0..masses_kg.len()).map(|n| masses_kg[n] * along(n)).sum::<f64>();
        let expected = [0, 1].map(|axis| sum(&|n| velocities[n][axis]));
        let scale = sum(&|n| libm::hypot(velocities[n][0], velocities[n][1]));
        for step in 0..(0.3 / dt_secs) as usize {
            world.step(&[]);
            let now = |n: usize| twist(&world, n as u32);
            let momentum = [sum(&|n| now(n).x_m_s), sum(&|n| now(n).y_m_s)];
            let off = libm::hypot(momentum[0] - expected[0], momentum[1] - expected[1]);
            prop_assert!(off < 1e-9 * scale, "step {step}: {momentum:?} for {expected:?}");
            for n in 1..masses_kg.len() {
                for other in 0..n {
                    let ([x, y], [a, b]) = (place(&world, n as u32), place(&world, other as u32));
                    let apart_m = libm::hypot(x - a, y - b) - 0.4;
                    prop_assert!(apart_m > -1e-6, "step {step}: {n} is {apart_m} m in {other}");
                }
            }
        }
    }
}
