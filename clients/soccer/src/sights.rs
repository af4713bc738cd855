//! What a player remembers of ball and others: where they were seen last, moved on.

use crate::place::Located;
use crate::told::{Seen, What};
use touchline_plugin_api::geometry::sin_cos;
use touchline_soccer_team::Mover;

/// Players who were not seen for so many cycles are forgotten.
const FORGET_CYCLES: u32 = 30;
/// Somebody whose number is not seen is taken for who was seen within so many metres, and as many more for each cycle since.
const SAME_M: f64 = 2.0;
const SAME_M_A_CYCLE: f64 = 1.0;

/// Something that was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Track {
    /// Where it is thought to be, world frame.
    pub mover: Mover,
    /// Cycles since it was seen.
    pub age: u32,
}

/// A player that was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    pub is_mate: bool,
    pub unum: Option<u32>,
    pub track: Track,
}

/// All that was seen.
#[derive(Clone, Debug, Default)]
pub struct Sights {
    pub ball: Option<Track>,
    pub others: Vec<Other>,
}

impl Sights {
    /// A cycle has passed: what moved has moved on.
    pub fn pass_cycle(&mut self, ball_decay: f64, player_decay: f64) {
        if let Some(ball) = &mut self.ball {
            ball.pass_cycle(ball_decay);
        }
        self.others.iter_mut().for_each(|other| other.track.pass_cycle(player_decay));
        self.others.retain(|other| other.track.age <= FORGET_CYCLES);
    }

    /// Takes what is seen now. `velocity` is the player's own, metres a cycle.
    pub fn see(&mut self, seen: &[Seen<'_>], team: &str, here: &Located, velocity: [f64; 2]) {
        for thing in seen {
            let mover = mover(thing, here, velocity);
            match thing.what {
                What::Landmark(_) => {}
                What::Ball => {
                    // Without changes the way since the last cycle tells the velocity.
                    let before = self.ball.filter(|ball| ball.age == 1);
                    let velocity = match (thing.change, before) {
                        (None, Some(before)) => before.mover.velocity,
                        _ => mover.velocity,
                    };
                    self.ball = Some(Track { mover: Mover { velocity, ..mover }, age: 0 });
                }
                // Whoever is too far to be told apart is nobody.
                What::Player(None, _) => {}
                What::Player(Some(of), unum) => self.see_player(of == team, unum, mover),
            }
        }
    }

    fn see_player(&mut self, is_mate: bool, unum: Option<u32>, mover: Mover) {
        let same = |other: &Other| {
            other.is_mate == is_mate
                && match (unum, other.unum) {
                    (Some(unum), Some(known)) => unum == known,
                    _ => other.track.is_near(mover.place),
                }
        };
        let known = self.others.iter().position(|other| other.track.age > 0 && same(other));
        let unum = unum.or(known.and_then(|place| self.others[place].unum));
        let other = Other { is_mate, unum, track: Track { mover, age: 0 } };
        match known {
            Some(place) => self.others[place] = other,
            None => self.others.push(other),
        }
    }
}

impl Track {
    fn pass_cycle(&mut self, decay: f64) {
        let Mover { place, velocity, .. } = &mut self.mover;
        for axis in 0..2 {
            place[axis] += velocity[axis];
            velocity[axis] *= decay;
        }
        self.age += 1;
    }

    fn is_near(&self, [x, y]: [f64; 2]) -> bool {
        let [own_x, own_y] = self.mover.place;
        libm::hypot(x - own_x, y - own_y) < SAME_M + SAME_M_A_CYCLE * f64::from(self.age)
    }
}

/// Place, velocity and heading in the world of what is seen from here.
fn mover(thing: &Seen<'_>, here: &Located, velocity: [f64; 2]) -> Mover {
    let (sin, cos) = sin_cos(here.face_rad + thing.direction_rad);
    let place = [here.place[0] + thing.distance_m * cos, here.place[1] + thing.distance_m * sin];
    let velocity = thing.change.map_or([0.0; 2], |[by_m, by_rad]| {
        // Along the line of sight and across it, relative to the own velocity.
        let across = thing.distance_m * by_rad;
        [velocity[0] + by_m * cos - across * sin, velocity[1] + by_m * sin + across * cos]
    });
    Mover { place, velocity, heading_rad: here.face_rad + thing.body_rad.unwrap_or(0.0) }
}
