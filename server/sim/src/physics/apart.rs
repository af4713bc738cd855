//! Who can meet anything in a step: where nobody can, the library, which finds that out at ten times the price, is not asked. (W4)
//!
//! Two bodies stay apart if circles around them do, or if a side of one has the other wholly beyond it, by more than they can come nearer.

use super::body::RobotBody;
use super::impacts::{Fixtures, are_level};
use super::journey::Passage;
use super::place::Place;
use super::shape::{Solid, dot, norm, sub};

/// Among more robots some nearly always may meet, and to look at all pairs costs more than it saves.
const FEW_ROBOTS: usize = 32;
/// More than the library's own slack, and than where it has robots otherwise, metres.
const MARGIN_M: f64 = 0.001;

/// How much nearer two that may meet can come to each other in the step at most, metres; `None` if nobody may meet anybody.
pub fn nearing_m(
    robots: &[RobotBody],
    passages: &[Passage],
    fixtures: &Fixtures,
    dt_secs: f64,
) -> Option<f64> {
    if robots.len() > FEW_ROBOTS {
        return Some(nearing_of_fastest_m(robots, passages, dt_secs));
    }
    let mut ways_m = [0.0; FEW_ROBOTS];
    let mut most_m: Option<f64> = None;
    for (one, (robot, passage)) in robots.iter().zip(passages).enumerate() {
        ways_m[one] = way_m(robot, passage, dt_secs);
        for other in 0..one {
            let nearing_m = ways_m[one] + ways_m[other];
            if most_m.is_none_or(|most_m| nearing_m > most_m) {
                let places = [&passage.start, &passages[other].start];
                if may_meet([robot, &robots[other]], places, nearing_m + MARGIN_M) {
                    most_m = Some(nearing_m);
                }
            }
        }
        if most_m.is_none_or(|most_m| ways_m[one] > most_m)
            && may_meet_fixture(robot, &passage.start, fixtures, ways_m[one] + MARGIN_M)
        {
            most_m = Some(ways_m[one]);
        }
    }
    most_m
}

/// As if the two fastest were beside each other.
fn nearing_of_fastest_m(robots: &[RobotBody], passages: &[Passage], dt_secs: f64) -> f64 {
    let ways_m = robots.iter().zip(passages).map(|(robot, passage)| way_m(robot, passage, dt_secs));
    let [first_m, second_m] = ways_m.fold([0.0_f64; 2], |[first_m, second_m], way_m| {
        [first_m.max(way_m), second_m.max(way_m.min(first_m))]
    });
    first_m + second_m
}

/// So far no point of a robot comes in the step.
fn way_m(robot: &RobotBody, passage: &Passage, dt_secs: f64) -> f64 {
    let twist = &passage.twist;
    (norm([twist.x_m_s, twist.y_m_s]) + twist.turn_rad_s.abs() * robot.radius_m) * dt_secs
}

fn may_meet([one, other]: [&RobotBody; 2], [at, other_at]: [&Place; 2], distance_m: f64) -> bool {
    let between = sub(at.origin(), other_at.origin());
    let touching_m = one.radius_m + other.radius_m + distance_m;
    if dot(between, between) > touching_m * touching_m {
        return false;
    }
    let there = other_at.seen_from(at);
    one.solids().any(|solid| other.solids().any(|second| !are_apart(solid, second, &there, distance_m)))
}

fn may_meet_fixture(robot: &RobotBody, at: &Place, fixtures: &Fixtures, distance_m: f64) -> bool {
    let there = Place::WORLD.seen_from(at);
    let mut near = fixtures.near(at.origin(), robot.radius_m + distance_m);
    near.any(|(_, fixture)| {
        // The library goes shape by shape: what a manipulator carries high up meets what the body passes under.
        let meets_body = are_level(fixture.z_m, robot.z_m);
        let may_meet = |solid: &Solid| {
            (meets_body || are_level(fixture.z_m, solid.z_m))
                && !are_apart(solid, fixture, &there, distance_m)
        };
        robot.solids().any(may_meet)
    })
}

/// Whether more than this is between two outlines, the second of which is given in a frame that is `there` in the first's.
fn are_apart(solid: &Solid, other: &Solid, there: &Place, distance_m: f64) -> bool {
    solid.is_beyond(there.to_outer(other.middle()), other.radius_m() + distance_m)
        || solid.has_beyond_a_side(other, |point| there.to_outer(point), distance_m)
        || other.has_beyond_a_side(solid, |point| there.to_inner(point), distance_m)
}
