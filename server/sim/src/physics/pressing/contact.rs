//! Two that touch: the impulse that keeps them from nearing, with Coulomb's friction, while the tyres of both answer.

use super::super::Owner;
use super::super::impulse::{self, Response};
use super::super::near::{at_arm, moved};
use super::super::shape::{Vec2, add, dot, left_of, scale, sub};
use super::SETTLED_M_S;
use super::tyres::Pressed;

/// Friction that is less than what it can be by no more than rounding is all that it can be.
const LIMIT: f64 = 1.0 - 1e-12;

#[derive(Clone, Copy)]
pub struct Contact {
    pub owners: [Owner; 2],
    pub spot: usize,
    /// Places in the list of those that are pressed; `None` for a fixture.
    pub sides: [Option<usize>; 2],
    /// From the centres of mass, metres.
    pub arms: [Vec2; 2],
    /// Towards the first, of length 1.
    pub normal: Vec2,
    pub friction: f64,
    /// Without tyres.
    pub free_response: Response,
    /// As fast as this they may near, for they are not quite there, m/s.
    pub may_near_m_s: f64,
    /// Of the first against the second when the step begins: along the normal and along the tangent, m/s.
    pub before: Vec2,
    /// Along the normal, and along the tangent, newton seconds.
    pub impulse: Vec2,
    /// How often the two had been changed when there was nothing left to do here.
    pub settled_at: Option<[u32; 2]>,
    /// The first robot of those that press against each other.
    pub group: Option<usize>,
}

impl Contact {
    /// Holds the two, unless nobody has changed them since there was nothing left to do.
    pub fn hold_unless_settled(&mut self, pressed: &mut [Pressed]) -> f64 {
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
        (change[0] * self.free_response.normal).abs().max((change[1] * self.free_response.tangent).abs())
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
        let is_at_limit = tangent.abs() >= self.friction * normal * LIMIT;
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

    /// The same, one after the other: what keeps them apart, then friction.
    fn hold_in_turn(&mut self, pressed: &mut [Pressed]) -> f64 {
        let [was, tangent] = self.impulse;
        // Who slides goes on sliding, mostly: then friction grows with what keeps them apart.
        let slides = was > 0.0 && tangent.abs() >= self.friction * was * LIMIT;
        let along = slides.then(|| self.keep_apart(pressed, self.friction.copysign(tangent))).flatten();
        let along = along.filter(|&(_, by)| self.answer(pressed, by).0[1] * tangent <= 0.0);
        let (wrong_m_s, by) = along.or_else(|| self.keep_apart(pressed, 0.0)).unwrap_or_default();
        self.push(pressed, by);
        let normal = self.impulse[0];
        let rubbed =
            if self.friction == 0.0 { 0.0 } else { self.rub(pressed).abs() * self.free_response.tangent };
        if normal > 0.0 || was > 0.0 { wrong_m_s.abs().max(rubbed) } else { 0.0 }
    }

    /// What is to be added to the impulse so that they do not near, if friction grows with it by this share, and how fast they near, m/s; `None` if that
    /// would never keep them apart.
    fn keep_apart(&self, pressed: &[Pressed], share: f64) -> Option<(f64, Vec2)> {
        const DOUBLED: usize = 60;
        let was = self.impulse[0];
        let by = |impulse: f64| [impulse - was, share * (impulse - was)];
        let nears = |impulse: f64| {
            let [normal, tangent] = by(impulse);
            let impulse = add(scale(self.normal, normal), scale(left_of(self.normal), tangent));
            dot(self.after(pressed, impulse), self.normal) + self.may_near_m_s
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
                let (mut low, mut step) = ([was, lacks], -lacks / self.free_response.normal);
                let mut ends = (0..DOUBLED).map(|_| {
                    let high = [low[0] + step, nears(low[0] + step)];
                    let ends = (low, high);
                    (low, step) = (high, 2.0 * step);
                    ends
                });
                let (low, high) = ends.find(|(_, high)| high[1] >= 0.0)?;
                root(nears, low, high)
            }
        };
        Some((wrong_m_s, by(normal)))
    }

    /// Lets friction hold what it can; gives what it changed of it.
    fn rub(&mut self, pressed: &mut [Pressed]) -> f64 {
        let along = left_of(self.normal);
        let [normal, was] = self.impulse;
        let most = self.friction * normal;
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
        tangent - was
    }

    /// The velocity of the first against the second at the end of the step: along the normal and along the tangent, m/s.
    pub fn relative(&self, pressed: &[Pressed]) -> Vec2 {
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

    /// Gives it this impulse, as far as it presses and friction can be so much.
    pub fn go_to(&mut self, pressed: &mut [Pressed], [normal, tangent]: Vec2) {
        let normal = normal.max(0.0);
        let most = self.friction * normal;
        let impulse = [normal, tangent.clamp(-most, most)];
        self.push(pressed, sub(impulse, self.impulse));
        self.impulse = impulse;
    }

    pub fn push(&mut self, pressed: &mut [Pressed], [normal, tangent]: Vec2) {
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

/// The impulse that stops two that near with this velocity, and answer so; `None` where nothing answers.
fn stop(response: Response, velocity: Vec2, friction: f64) -> Option<Vec2> {
    // Where tyres that hold leave one way to give way, rounding would decide about the other.
    let least = response.mixed * response.mixed / response.normal * (1.0 + 1e-12);
    let response = Response { tangent: response.tangent.max(least), ..response };
    let impulse = impulse::stop(response, velocity, friction);
    (impulse[0] >= 0.0 && impulse.iter().all(|part| part.is_finite())).then_some(impulse)
}
