//! Robots that touch something: what their tyres do, and how they give way.

use super::super::body::Tyres;
use super::super::impulse::Response;
use super::super::journey::Inertia;
use super::super::shape::{Vec2, add, cross, dot, left_of, norm, scale, sub};

/// A robot that touches something.
#[derive(Debug)]
pub struct Pressed {
    pub robot: usize,
    pub inertia: Inertia,
    pub tyres: Tyres,
    /// What contacts change of its velocity in the step.
    pub by_contacts: (Vec2, f64),
    /// Whether a contact presses in the end: what rounding leaves of others is nothing.
    pub is_pressed: bool,
    /// Whether it, or one that presses against it, nears something when the step begins.
    pub nears: bool,
    /// How often contacts have changed it.
    pub changes: u32,
    /// Itself, or another robot of those that press against each other: see [`group_of`].
    joined: usize,
}

/// The first robot of those that press against each other.
pub fn group_of(pressed: &mut [Pressed], mut place: usize) -> usize {
    while pressed[place].joined != place {
        let next = pressed[place].joined;
        pressed[place].joined = pressed[next].joined;
        place = next;
    }
    place
}

/// Makes two robots, and all that press against either, one group.
pub fn join(pressed: &mut [Pressed], one: usize, other: usize) {
    let groups = [one, other].map(|place| group_of(pressed, place));
    pressed[groups[0].max(groups[1])].joined = groups[0].min(groups[1]);
}

impl Pressed {
    /// The robot that is to have this place among those that are pressed.
    pub fn new(robot: usize, inertia: Inertia, tyres: Tyres, place: usize) -> Self {
        Self {
            robot,
            inertia,
            tyres,
            by_contacts: Default::default(),
            is_pressed: false,
            nears: false,
            changes: 0,
            joined: place,
        }
    }

    /// The velocity at the end of the step.
    pub fn end(&self) -> (Vec2, f64) {
        self.end_with(self.by_contacts)
    }

    /// The same, if contacts changed this of it.
    pub fn end_with(&self, by_contacts: (Vec2, f64)) -> (Vec2, f64) {
        self.end_by(self.grip_and_slip(by_contacts).0, by_contacts)
    }

    pub fn end_by(&self, grip: (Vec2, f64), by_contacts: (Vec2, f64)) -> (Vec2, f64) {
        let now = self.tyres.now;
        (add(add(now.0, grip.0), by_contacts.0), now.1 + grip.1 + by_contacts.1)
    }

    /// What the tyres do: they take it towards what it wants, whatever presses against it.
    pub fn grip_and_slip(&self, by_contacts: (Vec2, f64)) -> ((Vec2, f64), Slip) {
        let Tyres { now, wanted, most_m_s, most_rad_s } = self.tyres;
        let lacks = sub(sub(wanted.0, now.0), by_contacts.0);
        let lacks_m_s = norm(lacks);
        let is_slipping = lacks_m_s > most_m_s;
        let share = if is_slipping { most_m_s / lacks_m_s } else { 1.0 };
        let lacks_rad_s = wanted.1 - now.1 - by_contacts.1;
        let grip = (scale(lacks, share), lacks_rad_s.clamp(-most_rad_s, most_rad_s));
        let slip = Slip {
            lacks,
            lacks_m_s,
            is_slipping,
            across: 1.0 - share,
            is_turning: lacks_rad_s.abs() > most_rad_s,
        };
        (grip, slip)
    }
}

/// How tyres give way to more than presses now.
pub struct Slip {
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
    pub fn response(&self, inertia: &Inertia, arm: Vec2, normal: Vec2) -> Response {
        let tangent = left_of(normal);
        let mut response = Response::default();
        if self.is_slipping {
            let (one, other) =
                (dot(self.lacks, normal) / self.lacks_m_s, dot(self.lacks, tangent) / self.lacks_m_s);
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
