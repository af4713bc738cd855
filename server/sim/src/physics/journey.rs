//! How bodies go through one step, in `f64`. (R2, W4)
//!
//! A robot goes through a step with a twist that is constant in its own frame, which is an arc; what pushes it changes the
//! twist from that moment on.

use super::impacts::Way;
use super::place::Place;
use super::shape::{Vec2, add, cross, left_of, norm, scale, sub, turned, turned_back};
use std::f64::consts::{PI, TAU};
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos, wrap_angle};

/// What a body sets against a push.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inertia {
    /// 1 / kg; 0 does not move.
    pub per_mass: f64,
    /// 1 / (kg m^2); 0 does not turn.
    pub per_moment: f64,
    /// The centre of mass in the body's frame, metres.
    pub centre: Vec2,
}

/// The chord of an arc that leads somewhere, as a part of the arc.
const LEAST_CHORD: f64 = 0.1;

/// Of the turns that lead to the same heading as this one the nearest to another, radians: it is told from -pi to pi, and a robot may turn by
/// more than half a circle in a step.
pub fn turn_near(turned_rad: f64, about_rad: f64) -> f64 {
    let off_rad = about_rad - turned_rad;
    // As nearly always.
    if off_rad.abs() <= PI {
        return turned_rad;
    }
    turned_rad + TAU * (off_rad / TAU).round()
}

/// The velocity in the body frame of a robot whose centre of mass has this one in the world.
pub fn told(centre_m_s: Vec2, turn_rad_s: f64, centre: Vec2, at: &Place) -> Twist2 {
    let [x, y] = sub(turned_back(at.heading, centre_m_s), scale(left_of(centre), turn_rad_s));
    Twist2::new(x, y, turn_rad_s)
}

/// How a robot went through a step, but for what balls do to it.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// Where it began: at its place, or where it was put out of what it overlapped.
    pub start: Place,
    /// Constant over the step, in the body frame.
    pub twist: Twist2,
    pub arrival: Place,
    /// The velocity at the end, in the body frame there.
    pub end: Twist2,
}

impl Passage {
    /// The arc from here to there of who turns by about so much in the step. An arc of nearly a full circle leads nowhere: where that
    /// would be asked for, it is the shorter one the other way round.
    pub fn between(start: Place, arrival: Place, end: Twist2, about_rad: f64, dt_secs: f64) -> Self {
        let shorter_rad = wrap_angle(arrival.pose.theta_rad - start.pose.theta_rad);
        let longer_rad = turn_near(shorter_rad, about_rad);
        // An arc is longer than its chord, which has turned half way.
        let arc = |turn_rad: f64| {
            let half_rad = turn_rad / 2.0;
            let half = sin_cos(half_rad);
            (turn_rad, half, if half_rad.abs() < 1e-4 { 1.0 } else { half.0 / half_rad })
        };
        let (mut turn_rad, mut half, mut chord_of_arc) = arc(longer_rad);
        if longer_rad != shorter_rad && chord_of_arc.abs() < LEAST_CHORD {
            (turn_rad, half, chord_of_arc) = arc(shorter_rad);
        }
        let way = scale(sub(arrival.origin(), start.origin()), 1.0 / (chord_of_arc * dt_secs));
        let [x, y] = turned_back(half, turned_back(start.heading, way));
        Self { start, twist: Twist2::new(x, y, turn_rad / dt_secs), arrival, end }
    }

    /// How fast a point goes that is given in the body frame, m/s.
    pub fn speed_at(&self, point: Vec2) -> f64 {
        let Twist2 { x_m_s, y_m_s, turn_rad_s } = self.twist;
        norm(add([x_m_s, y_m_s], scale(left_of(point), turn_rad_s)))
    }
}

pub fn world_twist(place: &Place, twist: Twist2) -> Twist2 {
    let [x, y] = turned(place.heading, [twist.x_m_s, twist.y_m_s]);
    Twist2::new(x, y, twist.turn_rad_s)
}

/// A robot under way within a step.
#[derive(Clone, Copy, Debug)]
pub struct Journey {
    /// Where it is at `since_secs`.
    pub place: Place,
    pub since_secs: f64,
    /// In the body frame; constant from then on, unless it skids.
    pub twist: Twist2,
    pub was_pushed: bool,
    /// Whether it has what its drive brings it within the step beside its velocity over it.
    pub has_gained: bool,
    /// The centre of mass in the body's frame, if it skids: then that goes straight, and the robot turns about it.
    skids_about: Option<Vec2>,
    /// What balls have given it, while its tyres hold the rest of its velocity on its arc.
    given: Option<Given>,
}

/// A part of a robot's velocity that no tyre turns with the robot.
#[derive(Clone, Copy, Debug)]
struct Given {
    /// Of the centre of mass in the world, m/s.
    velocity: Vec2,
    turn_rad_s: f64,
    /// The centre of mass in the body's frame.
    centre: Vec2,
}

impl Journey {
    pub fn new(place: Place, twist: Twist2) -> Self {
        Self {
            place,
            since_secs: 0.0,
            twist,
            was_pushed: false,
            has_gained: false,
            skids_about: None,
            given: None,
        }
    }

    /// Of a robot that nothing holds on an arc: on the chord of its passage.
    pub fn skidding(passage: &Passage, centre: Vec2, dt_secs: f64) -> Self {
        let Passage { start, arrival, twist, .. } = passage;
        let way = sub(arrival.to_outer(centre), start.to_outer(centre));
        let twist = told(scale(way, 1.0 / dt_secs), twist.turn_rad_s, centre, start);
        Self { skids_about: Some(centre), ..Self::new(*start, twist) }
    }

    pub fn place_at(&self, secs: f64) -> Place {
        if secs == self.since_secs {
            self.place
        } else if let Some(centre) = self.skids_about {
            self.turned_about(centre, self.way(centre), secs - self.since_secs)
        } else if let Some(Given { centre, .. }) = self.given {
            self.turned_about(centre, self.way(centre), secs - self.since_secs)
        } else {
            self.place.advanced(self.twist, secs - self.since_secs)
        }
    }

    /// How its centre of mass goes on.
    pub fn way(&self, centre: Vec2) -> Way {
        let position = self.place.to_outer(centre);
        let velocity = self.velocity_at(position);
        match self.given {
            _ if self.skids_about.is_some() => {
                Way { position, velocity, bends_rad_s: 0.0, straight_m_s: [0.0; 2] }
            }
            None => Way { position, velocity, bends_rad_s: self.twist.turn_rad_s, straight_m_s: [0.0; 2] },
            Some(given) => Way {
                position,
                velocity: sub(velocity, given.velocity),
                bends_rad_s: self.twist.turn_rad_s - given.turn_rad_s,
                straight_m_s: given.velocity,
            },
        }
    }

    /// Where it is after a while whose centre of mass goes this way.
    fn turned_about(&self, centre: Vec2, way: Way, secs: f64) -> Place {
        let (middle, _) = way.after(secs);
        let turned_only = self.place.displaced(Pose2::new(0.0, 0.0, self.twist.turn_rad_s * secs));
        let [x_m, y_m] = sub(middle, turned(turned_only.heading, centre));
        Place { pose: Pose2 { x_m, y_m, ..turned_only.pose }, ..turned_only }
    }

    pub fn go_to(&mut self, secs: f64) {
        let place = self.place_at(secs);
        if let Some(centre) = self.skids_about.or(self.given.map(|given| given.centre)) {
            let (_, velocity) = self.way(centre).after(secs - self.since_secs);
            let around = scale(left_of(turned(place.heading, centre)), self.twist.turn_rad_s);
            let [x, y] = turned_back(place.heading, sub(velocity, around));
            (self.twist.x_m_s, self.twist.y_m_s) = (x, y);
        }
        *self = Self { place, since_secs: secs, ..*self };
    }

    /// No faster than this its origin moves, m/s.
    pub fn fastest_m_s(&self) -> f64 {
        let speed_m_s = norm([self.twist.x_m_s, self.twist.y_m_s]);
        // The origin goes round the centre of mass, now with its way and now against it.
        let around_m_s = |centre: Vec2| 2.0 * self.twist.turn_rad_s.abs() * norm(centre);
        match (self.skids_about, self.given) {
            (None, None) => speed_m_s,
            (Some(centre), _) => speed_m_s + around_m_s(centre),
            // And what it was given goes now with the rest and now against it.
            (None, Some(given)) => speed_m_s + around_m_s(given.centre) + 2.0 * norm(given.velocity),
        }
    }

    /// Leaves it where it is, whatever its drive would do.
    pub fn stop(&mut self) {
        (self.twist, self.skids_about) = (Twist2::ZERO, Some([0.0; 2]));
        self.was_pushed = true;
    }

    pub fn skids(&self) -> bool {
        self.skids_about.is_some()
    }

    /// Changes its velocity by the difference of two.
    pub fn gain(&mut self, from: Twist2, to: Twist2) {
        self.twist.x_m_s += to.x_m_s - from.x_m_s;
        self.twist.y_m_s += to.y_m_s - from.y_m_s;
        self.twist.turn_rad_s += to.turn_rad_s - from.turn_rad_s;
    }

    /// Gives it the velocity that its drive has brought it to by now, in place of the mean over the step.
    pub fn gain_within(&mut self, twist: Twist2) {
        self.twist = twist;
        if let Some(Given { velocity, turn_rad_s, centre }) = self.given {
            self.speed_up(centre, (velocity, turn_rad_s));
        }
        (self.was_pushed, self.has_gained) = (true, true);
    }

    /// Changes the velocity of its centre of mass (world frame, m/s) and its rate of turn.
    pub fn speed_up(&mut self, centre: Vec2, (by, turns_by): (Vec2, f64)) {
        let [x, y] = sub(turned_back(self.place.heading, by), scale(left_of(centre), turns_by));
        self.twist.x_m_s += x;
        self.twist.y_m_s += y;
        self.twist.turn_rad_s += turns_by;
    }

    /// Lets it go on as a free body: its tyres do not hold it on its arc.
    pub fn skid(&mut self, inertia: &Inertia) {
        self.skids_about = Some(inertia.centre);
    }

    /// The velocity of a point of the body at `since_secs`, in the world frame, m/s.
    pub fn velocity_at(&self, point: Vec2) -> Vec2 {
        let Twist2 { x_m_s, y_m_s, turn_rad_s } = world_twist(&self.place, self.twist);
        add([x_m_s, y_m_s], scale(left_of(sub(point, self.place.origin())), turn_rad_s))
    }

    /// An impulse at a point of the world.
    pub fn push(&mut self, inertia: &Inertia, impulse: Vec2, point: Vec2) {
        let centre = self.place.to_outer(inertia.centre);
        let turn_rad_s = cross(sub(point, centre), impulse) * inertia.per_moment;
        let [x, y] = turned_back(self.place.heading, scale(impulse, inertia.per_mass));
        // The origin goes round the centre of mass.
        let [around_x, around_y] = scale(left_of(inertia.centre), -turn_rad_s);
        self.twist.x_m_s += x + around_x;
        self.twist.y_m_s += y + around_y;
        self.twist.turn_rad_s += turn_rad_s;
        self.was_pushed = true;
    }

    /// The impulse of a ball, which leaves the robot's tyres where they hold it: what it gives goes straight, and the rest goes on along its arc.
    pub fn push_lightly(&mut self, inertia: &Inertia, impulse: Vec2, point: Vec2) {
        let turned_rad_s = self.twist.turn_rad_s;
        self.push(inertia, impulse, point);
        let none = Given { velocity: [0.0; 2], turn_rad_s: 0.0, centre: inertia.centre };
        let given = self.given.get_or_insert(none);
        given.velocity = add(given.velocity, scale(impulse, inertia.per_mass));
        given.turn_rad_s += self.twist.turn_rad_s - turned_rad_s;
    }

    /// Moves it by a vector of the world without changing its velocity.
    pub fn shift(&mut self, by: Vec2) {
        self.place.pose.x_m += by[0];
        self.place.pose.y_m += by[1];
        self.was_pushed = true;
    }
}
