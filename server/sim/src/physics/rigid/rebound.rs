//! What robots give back where they met: the velocities after a step in which the library had to press some apart. (W4)
//!
//! The library knows the ends of steps, and is asked for no restitution: it brings robots to touch. What they have after that is solved
//! here in `f64`, from the velocities with which they went into the step: by Newton's law of restitution and Coulomb's law of friction, with the
//! normals and levers of the moment at which they touch on their arcs, in the closed form for two, by relaxation for more at once. So
//! it depends neither on the length of a step nor on where that begins; from that moment on they go straight to the end of the step, if
//! nobody is in the way. Else they are where the library has them.
//!
//! Who nears more slowly than [`REST_M_S`], or no faster than the drives have brought into this step, presses and does not bounce: it has
//! the velocity that the library gave it.

mod contact;

use super::super::Owner;
use super::super::body::RobotBody;
use super::super::impacts::{Fixtures, REST_M_S};
use super::super::journey::{Journey, Passage, told};
use super::super::near::{Pair, Side, Spot, at_arm};
use super::super::shape::{Vec2, add, dot, left_of, scale, sub};
use contact::{Change, Contact, push, relative};
use touchline_plugin_api::geometry::Twist2;

/// Who parts faster than this needs nobody to be parted, m/s.
const PARTS_M_S: f64 = 1e-5;

/// What it remembers of pressing makes the library give robots more energy than they had; less than this part of it is rounding.
const GAIN: f64 = 1e-6;

/// Who is deeper in another one is inside of it, metres.
const INSIDE_M: f64 = 1e-4;

/// Two whom the library has pressed apart in the step.
#[derive(Clone, Copy, Debug)]
pub struct Pressed {
    pub owners: [Owner; 2],
    /// The places of those that are robots in their list.
    pub robots: [Option<usize>; 2],
    /// How fast they were told to near each other, m/s; below 0 they part.
    pub nearing_m_s: f64,
    /// How fast the library lets them near so that they touch at the end, m/s.
    pub left_m_s: f64,
}

/// What the library has made of the energy of a robot, joules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energy {
    pub before: f64,
    pub after: f64,
}

impl Pressed {
    /// Slower than this they do not bounce, m/s.
    fn rest_m_s(&self, robots: &[RobotBody]) -> f64 {
        REST_M_S + self.robots.into_iter().flatten().map(|robot| robots[robot].gained_m_s()).sum::<f64>()
    }
}

impl Met {
    /// With what its drive brings it to the end of the step.
    fn at_end(&self, robot: &RobotBody) -> Journey {
        let mut journey = self.journey;
        journey.speed_up(robot.inertia.centre, self.gains);
        journey
    }
}

/// What is reused from step to step.
#[derive(Default)]
pub struct Space {
    pub pressed: Vec<Pressed>,
    /// Those of them that are pressed against each other.
    group: Vec<Pressed>,
    members: Vec<usize>,
    spots: Vec<Spot>,
    contacts: Vec<Contact>,
    /// Of each robot.
    changes: Vec<Change>,
    /// How the library has brought the robots through the step that go on from where they met.
    braked: Vec<(usize, Passage)>,
}

/// A robot where it first touches something, or, if it does not, where the step begins.
#[derive(Clone, Copy, Debug)]
struct Met {
    touches: bool,
    /// With the velocity that it has there.
    journey: Journey,
    /// What its drive brings the centre of mass from there to the end of the step, m/s, and the rate of turn.
    gains: (Vec2, f64),
}

impl Space {
    /// Gives the robots that met something the velocities that they have after it; `energy` is that of a robot.
    pub fn give_back(
        &mut self,
        robots: &[RobotBody],
        fixtures: &Fixtures,
        passages: &mut [Passage],
        dt_secs: f64,
        energy: impl Fn(usize) -> Energy,
    ) {
        self.changes.clear();
        while let Some(first) = self.pressed.pop() {
            self.take_group(first);
            if self.group.iter().all(|pressed| pressed.nearing_m_s < -PARTS_M_S) {
                // The library remembers how it has pressed them; they do not.
                for robot in self.group.iter().flat_map(|pressed| pressed.robots).flatten() {
                    passages[robot] = robots[robot].passage(dt_secs);
                }
                continue;
            }
            if !self.has_met(robots, &energy) {
                continue;
            }
            self.changes.resize(robots.len(), Change::default());
            self.find_contacts(robots, fixtures, dt_secs);
            self.solve();
        }
        if !self.changes.is_empty() {
            self.go_on(robots, fixtures, passages, dt_secs);
        }
    }

    /// Takes out all who are pressed against each other, or against one of those.
    fn take_group(&mut self, first: Pressed) {
        self.group.clear();
        self.group.push(first);
        let mut known = 0;
        while known < self.group.len() {
            let one = self.group[known].robots;
            known += 1;
            let touches = |other: &Pressed| {
                let mut robots = other.robots.into_iter().flatten();
                robots.any(|robot| one.contains(&Some(robot)))
            };
            self.group.extend(self.pressed.extract_if(.., |other| touches(other)));
        }
    }

    /// Whether those of a group have met each other: they bounce, some part, or the library has left them what they cannot have after the step.
    fn has_met(&mut self, robots: &[RobotBody], energy: impl Fn(usize) -> Energy) -> bool {
        let is_hard = |pressed: &Pressed| {
            pressed.nearing_m_s.abs() > pressed.rest_m_s(robots) || pressed.left_m_s > REST_M_S
        };
        if self.group.iter().any(is_hard) {
            return true;
        }
        self.members.clear();
        self.members.extend(self.group.iter().flat_map(|pressed| pressed.robots).flatten());
        self.members.sort_unstable();
        self.members.dedup();
        let (mut before, mut after) = (0.0, 0.0);
        for energy in self.members.iter().map(|&robot| energy(robot)) {
            before += energy.before;
            after += energy.after;
        }
        after > (1.0 + GAIN) * before
    }

    /// Lets the robots go on from where they met to the end of the step; who would come to be inside of somebody is where the
    /// library has it, with the velocity that it has after all.
    fn go_on(&mut self, robots: &[RobotBody], fixtures: &Fixtures, passages: &mut [Passage], dt_secs: f64) {
        self.braked.clear();
        for (index, (robot, change)) in robots.iter().zip(&self.changes).enumerate() {
            let Some(met) = change.met else { continue };
            let onward = if change.by == ([0.0; 2], 0.0) {
                // It was only braked, and met nothing.
                robot.passage(dt_secs)
            } else {
                let mut free = free(robot, &met, change.by);
                let left_secs = dt_secs - met.journey.since_secs;
                let turns_rad =
                    met.journey.twist.turn_rad_s * met.journey.since_secs + free.twist.turn_rad_s * left_secs;
                free.go_to(left_secs);
                Passage::between(robot.place, free.place, free.twist, turns_rad, dt_secs)
            };
            let braked = std::mem::replace(&mut passages[index], onward);
            let centre = robot.inertia.centre;
            let velocity =
                Journey::new(onward.arrival, onward.end).velocity_at(onward.arrival.to_outer(centre));
            let end = told(velocity, onward.end.turn_rad_s, centre, &braked.arrival);
            self.braked.push((index, Passage { end, ..braked }));
        }
        while let Some(place) = (0..self.braked.len())
            .find(|&place| is_inside(robots, fixtures, passages, self.braked[place].0, &mut self.spots))
        {
            let (index, braked) = self.braked.swap_remove(place);
            passages[index] = braked;
        }
    }

    fn find_contacts(&mut self, robots: &[RobotBody], fixtures: &Fixtures, dt_secs: f64) {
        self.contacts.clear();
        for pressed in &self.group {
            let [Some(one), Some(other)] = pressed.owners.map(|owner| Side::of(robots, fixtures, owner))
            else {
                continue;
            };
            let rest_m_s = pressed.rest_m_s(robots);
            let mut pair = Pair { sides: [one, other], secs: 0.0 };
            let touches = pair.go_to_touch(dt_secs, &mut self.spots);
            // Who does not come to touch within the step meets nobody, whatever happens to it: the next step sees to that.
            let touching = if touches { &self.spots[..] } else { &[] };
            self.contacts.extend(touching.iter().map(|spot| Contact {
                robots: pair.sides.each_ref().map(|side| side.robot),
                inertias: pair.sides.each_ref().map(|side| side.inertia),
                arms: pair.arms(spot),
                normal: spot.normal,
                friction: spot.friction,
                restitution: spot.restitution,
                response: pair.response(spot),
                rest_m_s,
                met: [0.0; 2],
                before: [0.0; 2],
                wanted_m_s: 0.0,
                impulse: [0.0; 2],
            }));
            for side in pair.sides {
                if let Some(robot) = side.robot {
                    let known = &mut self.changes[robot].met;
                    // Its first touch, if there is any.
                    let order = |met: &Met| (!met.touches, met.journey.since_secs);
                    let mut met = Met { touches, journey: side.journey, gains: ([0.0; 2], 0.0) };
                    if touches {
                        let past = met.journey.since_secs / dt_secs;
                        let (robot, arrival) = (&robots[robot], robots[robot].passage(dt_secs).arrival);
                        met.journey.gain_within(robot.velocity_within(past, &met.journey.place, &arrival));
                        let (by, turns_by) = robot.speeds_up(&arrival);
                        met.gains = (scale(by, 1.0 - past), turns_by * (1.0 - past));
                    }
                    if known.as_ref().is_none_or(|known| order(&met) < order(known)) {
                        *known = Some(met);
                    }
                }
            }
        }
        self.find_speeds(robots);
        // Nor is who parts in the way.
        self.contacts.retain(|contact| contact.before[0] <= contact.rest_m_s);
    }

    /// The speeds at all contacts, with each robot as it was when it first touched something: who turns on an arc has another velocity
    /// a moment later, which would make energy of two contacts.
    ///
    /// What their drives bring them after that is added, so that nobody is farther away from what he has met than he will be.
    fn find_speeds(&mut self, robots: &[RobotBody]) {
        for contact in &mut self.contacts {
            let velocity = |side: usize, journey: fn(&Met, &RobotBody) -> Journey| {
                let robot =
                    contact.robots[side].map(|robot| (&robots[robot], self.changes[robot].met.as_ref()));
                let Some((robot, Some(met))) = robot else { return [0.0; 2] };
                let journey = journey(met, robot);
                let centre = journey.place.to_outer(contact.inertias[side].centre);
                at_arm((journey.velocity_at(centre), journey.twist.turn_rad_s), contact.arms[side])
            };
            let along =
                |velocity: Vec2| [dot(velocity, contact.normal), dot(velocity, left_of(contact.normal))];
            let there = |met: &Met, _: &RobotBody| met.journey;
            let met = along(sub(velocity(0, there), velocity(1, there)));
            let before = along(sub(velocity(0, Met::at_end), velocity(1, Met::at_end)));
            let nearing = met[0].min(0.0);
            contact.wanted_m_s = if nearing < -contact.rest_m_s {
                f64::max(before[0] - met[0] - contact.restitution * nearing, 0.0)
            } else {
                // As fast as who rests here parts, it may near again: to be held back would make energy.
                -met[0].max(0.0)
            };
            (contact.met, contact.before) = (met, before);
        }
    }

    fn solve(&mut self) {
        // With less restitution where several contacts with friction would make energy together.
        const SHARES: [f64; 4] = [1.0, 0.7, 0.4, 0.0];
        if let [contact] = &mut self.contacts[..] {
            contact.meet_alone();
            let (contact, by) = (*contact, contact.impulse);
            return push(&mut self.changes, &contact, by);
        }
        for share in SHARES {
            self.relax(share);
            // What relaxation has left undone is no energy.
            let moved: f64 =
                self.contacts.iter().map(|contact| (contact.impulse[0] * contact.before[0]).abs()).sum();
            if self.gained() <= 1e-9 * moved {
                break;
            }
        }
    }

    /// The energy that the impulses have made, joules.
    fn gained(&self) -> f64 {
        let of = |contact: &Contact| {
            let after = sub(relative(&self.changes, contact), sub(contact.before, contact.met));
            dot(contact.impulse, add(contact.met, after)) / 2.0
        };
        self.contacts.iter().map(of).sum()
    }

    /// Each contact in turn gets the impulses that it lacks or gives back those that it no longer needs, until all have what they want.
    fn relax(&mut self, share: f64) {
        const ROUNDS: usize = 400;
        const SETTLED_M_S: f64 = 1e-10;
        for contact in &mut self.contacts {
            contact.impulse = [0.0; 2];
            for robot in contact.robots.into_iter().flatten() {
                self.changes[robot].by = ([0.0; 2], 0.0);
            }
        }
        for round in 0..ROUNDS {
            let mut most_m_s: f64 = 0.0;
            for place in 0..self.contacts.len() {
                let index = if round % 2 == 0 { place } else { self.contacts.len() - 1 - place };
                let contact = self.contacts[index];
                let wanted_m_s =
                    if contact.wanted_m_s > 0.0 { share * contact.wanted_m_s } else { contact.wanted_m_s };
                let now = relative(&self.changes, &contact);
                let normal = (contact.impulse[0] + (wanted_m_s - now[0]) / contact.response.normal).max(0.0);
                let by = normal - contact.impulse[0];
                let sliding = now[1] + contact.response.mixed * by;
                let most = contact.friction * normal;
                let tangent = (contact.impulse[1] - sliding / contact.response.tangent).clamp(-most, most);
                let by = [by, tangent - contact.impulse[1]];
                self.contacts[index].impulse = [normal, tangent];
                push(&mut self.changes, &contact, by);
                most_m_s = most_m_s
                    .max((by[0] * contact.response.normal).abs())
                    .max((by[1] * contact.response.tangent).abs());
            }
            if most_m_s < SETTLED_M_S {
                break;
            }
        }
    }
}

/// A robot after what it met, from that moment on.
fn free(robot: &RobotBody, met: &Met, (by, turns_by): (Vec2, f64)) -> Journey {
    let (centre, met) = (robot.inertia.centre, met.at_end(robot));
    let velocity = add(met.velocity_at(met.place.to_outer(centre)), by);
    let mut free =
        Journey::new(met.place, told(velocity, met.twist.turn_rad_s + turns_by, centre, &met.place));
    free.skid(&robot.inertia);
    free
}

/// Whether a robot is inside of another one or of a fixture at the end of the step.
fn is_inside(
    robots: &[RobotBody],
    fixtures: &Fixtures,
    passages: &[Passage],
    robot: usize,
    spots: &mut Vec<Spot>,
) -> bool {
    let at_end = |robot: usize| Side {
        journey: Journey::new(passages[robot].arrival, Twist2::ZERO),
        ..Side::robot(robots, robot)
    };
    let mut is_inside =
        |other: Side<'_>| Pair { sides: [at_end(robot), other], secs: 0.0 }.depth_m(spots) > INSIDE_M;
    let mut near = fixtures.near(passages[robot].arrival.origin(), robots[robot].radius_m);
    (0..robots.len()).filter(|&other| other != robot).any(|other| is_inside(at_end(other)))
        || near.any(|(place, solid)| is_inside(Side::fixture(fixtures.owner(place), solid)))
}
