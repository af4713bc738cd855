//! Robots that touch something when a step begins: what their drives bring to the ground, and what presses against them, worked out
//! together. (W4)
//!
//! A drive is a force of limited size that takes its robot towards the velocity that it is told to have. So is a contact, which keeps two bodies from nearing,
//! with Coulomb's friction. If one of them were worked out after the other, a robot whose tyres would hold would be pushed
//! away within each step and brought back in the next. Here each in turn takes what it lacks or gives back what it no longer needs, until
//! nobody changes: a robot stands as long as its tyres hold, and who is blocked pushes with what its drive can do.
//!
//! Forces are constant over the step, so the mean velocity is the middle of those at its beginning and its end. Who nears a little when the
//! step begins is stopped at once: an impact without restitution. Who nears faster has an impact, which is none of this file's business, as is
//! whatever comes to touch within the step.

use super::Owner;
use super::body::{RobotBody, Tyres};
use super::impacts::{Fixtures, REST_M_S};
use super::impulse::{self, Response};
use super::journey::{Inertia, Journey};
use super::near::{Pair, Side, Spot, at_arm, moved};
use super::shape::{Vec2, add, cross, dot, left_of, norm, scale, sub};

/// Who is farther away is looked at in the next step, metres.
const NEAR_M: f64 = 1e-3;
/// Who nears more slowly does not near, m/s.
const STILL_M_S: f64 = 1e-6;
/// Who is off by less than this is settled, m/s.
const SETTLED_M_S: f64 = 1e-8;
/// What an impulse does at such a speed is rounding, m/s.
const ROUNDING_M_S: f64 = 1e-7;

/// How two pressed against each other in the last step: what the next one tries first.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    owners: [Owner; 2],
    /// Which of the places where they touch.
    spot: usize,
    /// Along the normal, and along the tangent, newton seconds.
    impulse: Vec2,
}

/// What is reused from step to step.
#[derive(Default)]
pub struct Pressing {
    /// Who may touch whom when the step begins: a robot, and a robot or a fixture.
    pub pairs: Vec<[Owner; 2]>,
    pressed: Vec<Pressed>,
    /// Of each robot, its place among those that are pressed.
    places: Vec<Option<usize>>,
    contacts: Vec<Contact>,
    spots: Vec<Spot>,
}

/// A robot that touches something.
struct Pressed {
    robot: usize,
    inertia: Inertia,
    tyres: Tyres,
    /// What contacts change of its velocity in the step.
    by_contacts: (Vec2, f64),
    /// Whether it, or one that presses against it, nears something when the step begins.
    nears: bool,
    /// How often contacts have changed it.
    changes: u32,
}

#[derive(Clone, Copy)]
struct Contact {
    owners: [Owner; 2],
    spot: usize,
    /// Places in the list of those that are pressed; `None` for a fixture.
    sides: [Option<usize>; 2],
    /// From the centres of mass, metres.
    arms: [Vec2; 2],
    /// Towards the first, of length 1.
    normal: Vec2,
    friction: f64,
    response: Response,
    /// As fast as this they may near, for they are not quite there, m/s.
    may_near_m_s: f64,
    /// Of the first against the second when the step begins: along the normal and along the tangent, m/s.
    before: Vec2,
    /// Along the normal, and along the tangent, newton seconds.
    impulse: Vec2,
    /// How often the two had been changed when there was nothing left to do here.
    settled_at: Option<[u32; 2]>,
}

impl Pressing {
    pub fn forget(&mut self) {
        self.pairs.clear();
        self.pressed.clear();
        self.places.clear();
        self.contacts.clear();
    }

    /// Plans the step anew of those that something presses against. `pushes` are those of the last step, and become those of this one.
    pub fn plan(
        &mut self,
        robots: &mut [RobotBody],
        fixtures: &Fixtures,
        pushes: &mut Vec<Push>,
        dt_secs: f64,
    ) {
        self.places.resize(robots.len(), None);
        for pair in 0..self.pairs.len() {
            self.find_contacts(robots, fixtures, self.pairs[pair], dt_secs);
        }
        self.begin_with(pushes);
        pushes.clear();
        if self.contacts.is_empty() {
            return;
        }
        self.solve();
        let pushing = self.contacts.iter().filter(|contact| contact.impulse != [0.0; 2]);
        pushes.extend(pushing.map(|&Contact { owners, spot, impulse, .. }| Push { owners, spot, impulse }));
        if self.contacts.iter().all(|contact| contact.impulse[0] == 0.0) {
            return;
        }
        self.find_nearing();
        for pressed in self.pressed.iter().filter(|pressed| pressed.by_contacts != ([0.0; 2], 0.0)) {
            let (now, end) = (pressed.tyres.now, pressed.end());
            let middle = (scale(add(now.0, end.0), 0.5), (now.1 + end.1) / 2.0);
            let mean = if pressed.nears { end } else { middle };
            robots[pressed.robot].plan_anew(mean, end, dt_secs);
        }
    }

    fn find_contacts(&mut self, robots: &[RobotBody], fixtures: &Fixtures, owners: [Owner; 2], dt_secs: f64) {
        let [Some(mut one), Some(mut other)] = owners.map(|owner| Side::of(robots, fixtures, owner)) else {
            return;
        };
        // As they are, and not as they have planned.
        let mut impact_m_s = REST_M_S;
        for side in [&mut one, &mut other] {
            if let Some(robot) = side.robot.map(|robot| &robots[robot]) {
                side.journey = Journey::new(robot.place, robot.twist);
                impact_m_s += robot.gained_m_s();
            }
        }
        let pair = Pair { sides: [one, other], secs: 0.0 };
        pair.look_for_all(NEAR_M, &mut self.spots);
        if self.spots.is_empty() || self.spots.iter().any(|spot| pair.velocity_at(spot)[0] < -impact_m_s) {
            return;
        }
        let sides = [0, 1].map(|side| pair.sides[side].robot.map(|robot| self.place_of(robot, robots)));
        self.contacts.extend(self.spots.iter().enumerate().map(|(place, spot)| Contact {
            owners,
            spot: place,
            sides,
            arms: pair.arms(spot),
            normal: spot.normal,
            friction: spot.friction,
            response: pair.response(spot),
            may_near_m_s: spot.gap_m.max(0.0) / dt_secs,
            before: pair.velocity_at(spot),
            impulse: [0.0; 2],
            settled_at: None,
        }));
    }

    /// Those who go on pressing do it as before, or nearly.
    fn begin_with(&mut self, pushes: &[Push]) {
        // Mostly they are in the same order.
        let mut next = 0;
        for push in pushes {
            let is_it = |contact: &Contact| contact.owners == push.owners && contact.spot == push.spot;
            let (before, behind) = self.contacts.split_at(next);
            let found = behind.iter().position(is_it).map(|place| next + place);
            if let Some(place) = found.or_else(|| before.iter().position(is_it)) {
                self.contacts[place].push(&mut self.pressed, push.impulse);
                next = place + 1;
            }
        }
    }

    /// The place of a robot among those that are pressed.
    fn place_of(&mut self, robot: usize, robots: &[RobotBody]) -> usize {
        *self.places[robot].get_or_insert_with(|| {
            let (inertia, tyres) = (robots[robot].inertia, robots[robot].tyres());
            let by_contacts = Default::default();
            self.pressed.push(Pressed { robot, inertia, tyres, by_contacts, nears: false, changes: 0 });
            self.pressed.len() - 1
        })
    }

    fn solve(&mut self) {
        self.relax();
        // What contacts do, with the mean of the velocities before and after: friction of several of them may make energy together.
        let works = |contact: &Contact| {
            let after = contact.relative(&self.pressed);
            (dot(contact.impulse, add(contact.before, after)) / 2.0, contact.impulse[0])
        };
        let (made, pushed) = self
            .contacts
            .iter()
            .map(works)
            .fold((0.0, 0.0), |(made, pushed), (work, push)| (made + work, pushed + push));
        if made > ROUNDING_M_S * pushed {
            for contact in &mut self.contacts {
                (contact.friction, contact.impulse, contact.settled_at) = (0.0, [0.0; 2], None);
            }
            self.pressed.iter_mut().for_each(|pressed| pressed.by_contacts = Default::default());
            self.relax();
        }
    }

    /// What is not settled after these rounds is left to the impacts.
    fn relax(&mut self) {
        const ROUNDS: usize = 12;
        let Self { pressed, contacts, .. } = self;
        let count = contacts.len();
        for round in 0..ROUNDS {
            let mut most_m_s: f64 = 0.0;
            for place in 0..count {
                // To and fro, so that a push runs through a row of robots either way.
                let index = if round % 2 == 0 { place } else { count - 1 - place };
                most_m_s = most_m_s.max(contacts[index].hold_again(pressed));
            }
            if most_m_s < 10.0 * SETTLED_M_S {
                break;
            }
        }
    }

    /// Finds out who nears something when the step begins, and who is pressed against one of these.
    fn find_nearing(&mut self) {
        let Self { pressed, contacts, .. } = self;
        contacts.retain(|contact| contact.impulse[0] > 0.0);
        let mut is_new = true;
        while is_new {
            is_new = false;
            for contact in &mut *contacts {
                let sides = || contact.sides.into_iter().flatten();
                if contact.before[0] < -STILL_M_S || sides().any(|place| pressed[place].nears) {
                    is_new |= sides().any(|place| !pressed[place].nears);
                    sides().for_each(|place| pressed[place].nears = true);
                }
            }
        }
    }
}

impl Pressed {
    /// The velocity at the end of the step.
    fn end(&self) -> (Vec2, f64) {
        self.end_with(self.by_contacts)
    }

    /// The same, if contacts changed this of it.
    fn end_with(&self, by_contacts: (Vec2, f64)) -> (Vec2, f64) {
        self.end_by(self.grip_and_slip(by_contacts).0, by_contacts)
    }

    fn end_by(&self, grip: (Vec2, f64), by_contacts: (Vec2, f64)) -> (Vec2, f64) {
        let now = self.tyres.now;
        (add(add(now.0, grip.0), by_contacts.0), now.1 + grip.1 + by_contacts.1)
    }

    /// What the tyres do: they take it towards what it wants, whatever presses against it.
    fn grip_and_slip(&self, by_contacts: (Vec2, f64)) -> ((Vec2, f64), Slip) {
        let Tyres { now, wanted, most_m_s, most_rad_s } = self.tyres;
        let lacks = sub(sub(wanted.0, now.0), by_contacts.0);
        let lacks_m_s = norm(lacks);
        let is_slipping = lacks_m_s > most_m_s;
        let share = if is_slipping { most_m_s / lacks_m_s } else { 1.0 };
        let lacks_rad_s = wanted.1 - now.1 - by_contacts.1;
        let grip = (scale(lacks, share), lacks_rad_s.clamp(-most_rad_s, most_rad_s));
        let slip = Slip { lacks, lacks_m_s, is_slipping, across: 1.0 - share, is_turning: lacks_rad_s.abs() > most_rad_s };
        (grip, slip)
    }
}

/// How tyres give way to more than presses now.
struct Slip {
    /// What they do not bring it to, m/s.
    lacks: Vec2,
    lacks_m_s: f64,
    /// Whether they give way to all that comes along this.
    is_slipping: bool,
    /// To which part of what comes across it they give way.
    across: f64,
    /// Whether they give way to a torque.
    is_turning: bool,
}

impl Slip {
    /// What a little more at `arm` changes there.
    fn response(&self, inertia: &Inertia, arm: Vec2, normal: Vec2) -> Response {
        let tangent = left_of(normal);
        let mut response = Response::default();
        if self.is_slipping {
            let (one, other) = (dot(self.lacks, normal) / self.lacks_m_s, dot(self.lacks, tangent) / self.lacks_m_s);
            let along = 1.0 - self.across;
            response.normal = inertia.per_mass * (self.across + along * one * one);
            response.tangent = inertia.per_mass * (self.across + along * other * other);
            response.mixed = inertia.per_mass * along * one * other;
        }
        if self.is_turning {
            let (one, other) = (cross(arm, normal), cross(arm, tangent));
            response.normal += inertia.per_moment * one * one;
            response.tangent += inertia.per_moment * other * other;
            response.mixed += inertia.per_moment * one * other;
        }
        response
    }
}

/// The impulse that stops two that near with this velocity, and answer so; `None` where nothing answers.
fn stop(response: Response, velocity: Vec2, friction: f64) -> Option<Vec2> {
    let impulse = impulse::stop(response, velocity, friction);
    (impulse[0] >= 0.0 && impulse.iter().all(|part| part.is_finite())).then_some(impulse)
}

impl Contact {
    /// Holds the two, unless nobody has changed them since there was nothing left to do.
    fn hold_again(&mut self, pressed: &mut [Pressed]) -> f64 {
        let before = self.changes(pressed);
        if self.settled_at == Some(before) {
            return 0.0;
        }
        let wrong_m_s = self.hold(pressed);
        let after = self.changes(pressed);
        self.settled_at = (before == after).then_some(after);
        wrong_m_s
    }

    fn changes(&self, pressed: &[Pressed]) -> [u32; 2] {
        self.sides.map(|side| side.map_or(0, |place| pressed[place].changes))
    }

    /// Keeps the two from nearing, and from sliding as far as friction goes, whatever their tyres do; gives how fast they neared or slid before that,
    /// m/s.
    fn hold(&mut self, pressed: &mut [Pressed]) -> f64 {
        let Some(impulse) = self.solve(pressed) else {
            return self.hold_in_turn(pressed);
        };
        let change = sub(impulse, self.impulse);
        self.push(pressed, change);
        self.impulse = impulse;
        (change[0] * self.response.normal).abs().max((change[1] * self.response.tangent).abs())
    }

    /// The impulse with which the two neither near nor slide more than friction lets them. By Newton's method, as if tyres that hold or give way now went on
    /// doing so; `None` if it finds no end, as where all that is more is taken by tyres.
    fn solve(&self, pressed: &[Pressed]) -> Option<Vec2> {
        const ROUNDS: usize = 6;
        let mut impulse = self.impulse;
        for _ in 0..ROUNDS {
            let (velocity, response) = self.answer(pressed, sub(impulse, self.impulse));
            let velocity = [velocity[0] + self.may_near_m_s, velocity[1]];
            if self.is_held(impulse, velocity) {
                return Some(impulse);
            }
            let Response { normal, tangent, mixed } = response;
            let without = [
                velocity[0] - normal * impulse[0] - mixed * impulse[1],
                velocity[1] - mixed * impulse[0] - tangent * impulse[1],
            ];
            impulse = if without[0] >= 0.0 { [0.0; 2] } else { stop(response, without, self.friction)? };
        }
        None
    }

    /// Whether an impulse is what two need that have this velocity with it, along the normal and along the tangent, m/s.
    fn is_held(&self, [normal, tangent]: Vec2, [nears, slides]: Vec2) -> bool {
        const ENOUGH_M_S: f64 = SETTLED_M_S / 10.0;
        if normal == 0.0 {
            return nears >= -ENOUGH_M_S;
        }
        let is_at_limit = tangent.abs() >= self.friction * normal * (1.0 - 1e-12);
        nears.abs() <= ENOUGH_M_S && (slides.abs() <= ENOUGH_M_S || is_at_limit && slides * tangent <= 0.0)
    }

    /// The velocity of the first against the second at the end of the step, if it were pushed by this along the normal and along the tangent as well, and
    /// how a little more would change it.
    fn answer(&self, pressed: &[Pressed], [normal, tangent]: Vec2) -> (Vec2, Response) {
        let along = left_of(self.normal);
        let impulse = add(scale(self.normal, normal), scale(along, tangent));
        let (mut velocity, mut response) = ([0.0; 2], Response::default());
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(place) = self.sides[side] else { continue };
            let (pressed, arm) = (&pressed[place], self.arms[side]);
            let by_contacts = self.with(pressed, side, scale(impulse, sign));
            let (grip, slip) = pressed.grip_and_slip(by_contacts);
            velocity = add(velocity, scale(at_arm(pressed.end_by(grip, by_contacts), arm), sign));
            response = response + slip.response(&pressed.inertia, arm, self.normal);
        }
        ([dot(velocity, self.normal), dot(velocity, along)], response)
    }

    /// The same, one after the other: along the normal, then along the tangent.
    fn hold_in_turn(&mut self, pressed: &mut [Pressed]) -> f64 {
        let along = left_of(self.normal);
        let was = self.impulse[0];
        let nears = |impulse: f64| {
            dot(self.after(pressed, scale(self.normal, impulse - was)), self.normal) + self.may_near_m_s
        };
        let wrong_m_s = nears(was);
        let normal = match wrong_m_s {
            little if little.abs() < SETTLED_M_S => was,
            // It presses more than it needs to.
            over if over > 0.0 => {
                let alone = if was > 0.0 { nears(0.0) } else { over };
                if alone >= 0.0 { 0.0 } else { root(nears, [0.0, alone], [was, over]) }
            }
            lacks => {
                // The tyres of both take what they can; what is more moves them.
                let (mut low, mut step) = ([was, lacks], -lacks / self.response.normal);
                loop {
                    let high = [low[0] + step, nears(low[0] + step)];
                    if high[1] >= 0.0 || step > f64::MAX / 4.0 || step.is_nan() {
                        break root(nears, low, high);
                    }
                    (low, step) = (high, 2.0 * step);
                }
            }
        };
        self.push(pressed, [normal - was, 0.0]);
        if self.friction == 0.0 {
            return if normal > 0.0 || was > 0.0 { wrong_m_s.abs() } else { 0.0 };
        }
        let (was, most) = (self.impulse[1], self.friction * normal);
        let slides = |impulse: f64| dot(self.after(pressed, scale(along, impulse - was)), along);
        // Most go on as they were: they slide the same way, or stick.
        let held = was.clamp(-most, most);
        let slips_m_s = slides(held);
        let end = if slips_m_s > 0.0 { -most } else { most };
        let tangent = if held == end || slips_m_s.abs() < SETTLED_M_S {
            held
        } else {
            match slides(end) {
                still if still * slips_m_s >= 0.0 => end,
                still if end > 0.0 => root(slides, [held, slips_m_s], [end, still]),
                still => root(slides, [end, still], [held, slips_m_s]),
            }
        };
        self.push(pressed, [0.0, tangent - was]);
        if normal > 0.0 { wrong_m_s.abs().max((tangent - was).abs() * self.response.tangent) } else { 0.0 }
    }

    /// The velocity of the first against the second at the end of the step: along the normal and along the tangent, m/s.
    fn relative(&self, pressed: &[Pressed]) -> Vec2 {
        let velocity = self.after(pressed, [0.0; 2]);
        [dot(velocity, self.normal), dot(velocity, left_of(self.normal))]
    }

    /// The velocity of the first against the second at the end of the step, if it were pushed by this as well.
    fn after(&self, pressed: &[Pressed], impulse: Vec2) -> Vec2 {
        let velocity = |side: usize, sign: f64| {
            self.sides[side].map_or([0.0; 2], |place| {
                let pressed = &pressed[place];
                at_arm(pressed.end_with(self.with(pressed, side, scale(impulse, sign))), self.arms[side])
            })
        };
        sub(velocity(0, 1.0), velocity(1, -1.0))
    }

    /// What contacts change of the velocity of a robot with this impulse more.
    fn with(&self, pressed: &Pressed, side: usize, impulse: Vec2) -> (Vec2, f64) {
        let by = moved(&pressed.inertia, impulse, self.arms[side]);
        (add(pressed.by_contacts.0, by.0), pressed.by_contacts.1 + by.1)
    }

    fn push(&mut self, pressed: &mut [Pressed], [normal, tangent]: Vec2) {
        if [normal, tangent] == [0.0; 2] {
            return;
        }
        self.impulse = add(self.impulse, [normal, tangent]);
        let impulse = add(scale(self.normal, normal), scale(left_of(self.normal), tangent));
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(place) = self.sides[side] {
                let pressed = &mut pressed[place];
                pressed.by_contacts = self.with(pressed, side, scale(impulse, sign));
                pressed.changes += 1;
            }
        }
    }
}

/// Where a function that never falls is 0, between a place where it is below and one where it is not.
fn root(value: impl Fn(f64) -> f64, mut low: Vec2, mut high: Vec2) -> f64 {
    const ROUNDS: usize = 40;
    for round in 0..ROUNDS {
        if high[1] <= SETTLED_M_S / 10.0 {
            break;
        }
        // It is made of straight pieces: where a line meets 0, unless that is slow.
        let line = low[0] - low[1] * (high[0] - low[0]) / (high[1] - low[1]);
        let at = if round % 3 == 2 { (low[0] + high[0]) / 2.0 } else { line };
        let found = value(at);
        if found.abs() <= SETTLED_M_S / 10.0 {
            return at;
        }
        if found < 0.0 { low = [at, found] } else { high = [at, found] }
    }
    high[0]
}
