//! What presses, against the laws that it has to obey; the tyres are worked out here once more, in plain words.

use super::contact::Contact;
use super::group::{Group, Space};
use super::tyres::Pressed;
use crate::physics::Owner;
use crate::physics::body::Tyres;
use crate::physics::impulse::response;
use crate::physics::journey::Inertia;
use crate::physics::shape::{Vec2, add, dot, left_of, norm, scale, sub};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::f64::consts::PI;

/// Settled to this, m/s: a hundred times what the solver calls settled, for what it adds up.
const NEAR_M_S: f64 = 1e-6;

/// A robot: mass, velocities and rates of turn that it has and wants, and how much of them its tyres can change.
fn robots(
    count: std::ops::Range<usize>,
    tyres: impl Strategy<Value = f64> + Clone,
) -> impl Strategy<Value = Vec<Pressed>> {
    let velocity = || (-1.0..1.0f64, -1.0..1.0f64, -2.0..2.0f64).prop_map(|(x, y, turn)| ([x, y], turn));
    let robot = (1.0..60.0f64, velocity(), velocity(), tyres).prop_map(|(mass_kg, now, wanted, most_m_s)| {
        let inertia =
            Inertia { per_mass: 1.0 / mass_kg, per_moment: 2.0 / (mass_kg * 0.04), centre: [0.0; 2] };
        (inertia, Tyres { now, wanted, most_m_s, most_rad_s: 10.0 * most_m_s })
    });
    let pressed = |(place, (inertia, tyres))| Pressed::new(place, inertia, tyres, place);
    proptest::collection::vec(robot, count)
        .prop_map(move |robots| robots.into_iter().enumerate().map(pressed).collect())
}

/// Where two of these touch: at the end of arms that lean by so much from the normal, as at a box.
fn contact(
    robots: &[Pressed],
    sides: [Option<usize>; 2],
    angle: f64,
    lean: [f64; 2],
    friction: f64,
) -> Contact {
    let (sin, cos) = libm::sincos(angle);
    let normal = [cos, sin];
    let arm = |sign: f64, lean: f64| add(scale(normal, -sign * 0.2), scale(left_of(normal), lean));
    let arms = [arm(1.0, lean[0]), arm(-1.0, lean[1])];
    let mut contact = Contact {
        owners: [Owner::Robot(0); 2],
        spot: 0,
        sides,
        arms,
        normal,
        friction,
        free_response: Default::default(),
        may_near_m_s: 0.0,
        before: [0.0; 2],
        impulse: [0.0; 2],
        settled_at: None,
        group: None,
    };
    let now = |robot: &Pressed| robot.tyres.now;
    contact.before = relative(robots, &contact, now);
    for (side, arm) in sides.into_iter().zip(arms) {
        if let Some(Inertia { per_mass, per_moment, .. }) = side.map(|place| robots[place].inertia) {
            contact.free_response = contact.free_response + response((per_mass, per_moment), arm, normal);
        }
    }
    contact
}

/// Of the first against the second where they touch, along the normal and the tangent, with these velocities.
fn relative(robots: &[Pressed], contact: &Contact, velocity: impl Fn(&Pressed) -> (Vec2, f64)) -> Vec2 {
    let at = |side: usize| {
        contact.sides[side].map_or([0.0; 2], |place| {
            let ((linear, turn), arm) = (velocity(&robots[place]), contact.arms[side]);
            [linear[0] - turn * arm[1], linear[1] + turn * arm[0]]
        })
    };
    let by = sub(at(0), at(1));
    [dot(by, contact.normal), dot(by, left_of(contact.normal))]
}

/// What all impulses together change of a robot, and its velocity at the end of the step: the tyres take it as near to what it wants as they can.
fn end(robot: &Pressed, place: usize, contacts: &[Contact]) -> (Vec2, f64) {
    let (mut by, mut turns_by) = ([0.0; 2], 0.0);
    for contact in contacts {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if contact.sides[side] == Some(place) {
                let [normal, tangent] = contact.impulse;
                let impulse =
                    scale(add(scale(contact.normal, normal), scale(left_of(contact.normal), tangent)), sign);
                let arm = contact.arms[side];
                by = add(by, scale(impulse, robot.inertia.per_mass));
                turns_by += (arm[0] * impulse[1] - arm[1] * impulse[0]) * robot.inertia.per_moment;
            }
        }
    }
    let Tyres { now, wanted, most_m_s, most_rad_s } = robot.tyres;
    let pushed = (add(now.0, by), now.1 + turns_by);
    let (lacks, lacks_rad_s) = (sub(wanted.0, pushed.0), wanted.1 - pushed.1);
    let grip = if norm(lacks) > most_m_s { scale(lacks, most_m_s / norm(lacks)) } else { lacks };
    (add(pushed.0, grip), pushed.1 + lacks_rad_s.clamp(-most_rad_s, most_rad_s))
}

/// How far this is from Signorini's and Coulomb's laws, m/s; infinity outside of the cone of friction.
fn off_m_s(robots: &[Pressed], contacts: &[Contact], index: usize) -> f64 {
    let contact = &contacts[index];
    let ends: Vec<_> = robots.iter().enumerate().map(|(place, robot)| end(robot, place, contacts)).collect();
    let at = |robot: &Pressed| ends[robot.robot];
    let ([nears, slides], [normal, tangent]) = (relative(robots, contact, at), contact.impulse);
    let most = contact.friction * normal;
    if normal < 0.0 || tangent.abs() > most * (1.0 + 1e-9) {
        return f64::INFINITY;
    }
    let apart = if normal > 0.0 { nears.abs() } else { (-nears).max(0.0) };
    let sticks = tangent.abs() < most * (1.0 - 1e-9);
    let rubs = match normal > 0.0 {
        true if most == 0.0 => 0.0,
        true if sticks => slides.abs(),
        // It slides the way that friction is against.
        true => (slides * tangent.signum()).max(0.0),
        false => 0.0,
    };
    apart.max(rubs)
}

/// The work of all contacts, with the mean of the velocities before and after, joules, and what they press.
fn work(robots: &[Pressed], contacts: &[Contact]) -> (f64, f64) {
    let ends: Vec<_> = robots.iter().enumerate().map(|(place, robot)| end(robot, place, contacts)).collect();
    contacts.iter().fold((0.0, 0.0), |(made, pressed), contact| {
        let after = relative(robots, contact, |robot| ends[robot.robot]);
        (made + dot(contact.impulse, add(contact.before, after)) / 2.0, pressed + contact.impulse[0])
    })
}

/// Also ice, and more in a step than any drive has.
fn any_tyres() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![Just(0.0), Just(1e-11), 0.001..0.5f64, Just(20.0)]
}

/// Two robots, or one and a fixture, that touch, and what was pushed before.
#[derive(Debug)]
struct Case {
    robots: Vec<Pressed>,
    with_fixture: bool,
    angle: f64,
    lean: [f64; 2],
    friction: f64,
    begun: Vec2,
}

fn case(
    tyres: impl Strategy<Value = f64> + Clone,
    friction: impl Strategy<Value = f64>,
) -> impl Strategy<Value = Case> {
    let lean = [-0.2..0.2f64, -0.2..0.2f64];
    let begun = [-1.0..30.0f64, -30.0..30.0f64];
    (robots(2..3, tyres), any::<bool>(), -PI..PI, lean, friction, begun).prop_map(
        |(robots, with_fixture, angle, lean, friction, begun)| Case {
            robots,
            with_fixture,
            angle,
            lean,
            friction,
            begun,
        },
    )
}

impl Case {
    /// After so many rounds at most; true if there is nothing left to do.
    fn solved(self, rounds: usize) -> (Vec<Pressed>, [Contact; 1], bool) {
        let Self { mut robots, with_fixture, angle, lean, friction, begun } = self;
        let sides = [Some(0), (!with_fixture).then_some(1)];
        let mut contacts = [contact(&robots, sides, angle, lean, friction)];
        contacts[0].go_to(&mut robots, begun);
        let is_settled = (0..rounds).any(|_| contacts[0].hold_unless_settled(&mut robots) < 1e-7);
        (robots, contacts, is_settled)
    }
}

/// W4: of single contacts of robots with the tyres that robots have, 99 in 100 have nothing left to do after the third round.
#[test]
fn one_that_presses_is_settled_at_once() {
    let mut runner = TestRunner::deterministic();
    let usual = case(prop_oneof![Just(0.0), 0.001..0.5f64], 0.0..1.0f64);
    let mut settled = || usual.new_tree(&mut runner).unwrap().current().solved(3).2;
    let count = (0..2000).filter(|_| settled()).count();
    assert!(count > 1980, "{count} of 2000");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// W4: one contact, of robots with any tyres, or with a fixture, from whatever was pushed before, also what friction cannot do: nothing pulls, friction is within its cone, the
    /// robots have what the impulse gives them, and once it is settled nobody nears, nothing holds who parts, and friction is against the sliding.
    #[test]
    fn one_that_presses_obeys_the_laws(case in case(any_tyres(), prop_oneof![Just(0.0), 0.0..1.0f64, Just(10.0)])) {
        let (robots, contacts, is_settled) = case.solved(40);
        let off = off_m_s(&robots, &contacts, 0);
        prop_assert!(off.is_finite(), "outside of the cone: {:?}", contacts[0].impulse);
        prop_assert!(!is_settled || off < NEAR_M_S, "off by {off} m/s with {:?}", contacts[0].impulse);
        for (place, robot) in robots.iter().enumerate() {
            let (expected, got) = (end(robot, place, &contacts), robot.end());
            let apart = norm(sub(expected.0, got.0)).max((expected.1 - got.1).abs());
            prop_assert!(apart < 1e-9, "robot {place} goes {got:?}, {expected:?} expected");
        }
    }

    /// W4: robots in a row or a heap, between fixtures or not: nothing pulls, friction is within its cone, no energy is made but what is not settled, and where it says that it
    /// is settled, the laws hold at each contact.
    #[test]
    fn a_heap_obeys_the_laws(
        mut robots in prop_oneof![robots(2..9, any_tyres()), robots(2..9, Just(1e-11))], angles in proptest::collection::vec(-PI..PI, 16), others in proptest::collection::vec(0..10usize, 16),
        friction in prop_oneof![Just(0.0), 0.0..0.8f64],
    ) {
        let count = robots.len();
        let mut contacts: Vec<Contact> = (0..count)
            .map(|place| {
                let other = (others[place] % count != place).then_some(others[place] % count);
                contact(&robots, [Some(place), other.filter(|_| others[place] < 9)], angles[place], [0.0; 2], friction)
            })
            .collect();
        Group { pressed: &mut robots, contacts: &mut contacts }.solve(&mut Space::default());
        let (made, pressed) = work(&robots, &contacts);
        let mut again: f64 = 0.0;
        let (kept_robots, kept): (Vec<Vec2>, Vec<Vec2>) =
            (robots.iter().map(|robot| robot.end().0).collect(), contacts.iter().map(|contact| contact.impulse).collect());
        for contact in &mut contacts {
            contact.settled_at = None;
            again = again.max(contact.hold_unless_settled(&mut robots));
        }
        let was_settled = again < 1e-7;
        contacts.iter_mut().zip(kept).for_each(|(contact, impulse)| contact.impulse = impulse);
        for index in 0..count {
            let off = off_m_s(&robots, &contacts, index);
            prop_assert!(off.is_finite(), "outside of the cone: {:?}", contacts[index].impulse);
            prop_assert!(!was_settled || off < NEAR_M_S, "contact {index} is off by {off} m/s");
        }
        prop_assert!(kept_robots.iter().flatten().all(|part| part.is_finite()));
        // Drives that are held bring energy in, which is none of the contacts' making.
        let are_driven = robots.iter().any(|robot| robot.tyres.most_m_s > 1e-9);
        prop_assert!(are_driven || made <= again.max(1e-7) * pressed * 4.0 + 1e-12, "{made} J made, {again} m/s left, {pressed} Ns");
    }
}
