//! What several robots play together: they keep a ball, pass it on, or take it.

use crate::Challenger;
use crate::ball::{at, distance_m, dot, length, speed_m_s, velocity, way};
use touchline_plugin_api::geometry::{Twist2, sin_cos};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::PlayerInput;
use touchline_plugin_api::view::Object;

/// A keeper stands at one of so many places around the middle.
const PLACES: u32 = 16;
/// How far out these are, as a part of half of the square's side.
const RING_PART: f64 = 0.55;
/// A ball that is faster is a pass, m/s.
const PASS_M_S: f64 = 0.5;

impl Challenger {
    /// Drives to the ball.
    pub fn take(&self, own: &Object, ball: &Object) -> Twist2 {
        let to = way(at(own), self.foreseen(own, ball));
        self.drive(own, to.map(|part| 10.0 * part), own.pose.bearing_rad(at(ball)))
    }

    /// The keeper that is nearest to the ball passes it, the others stand where they can be passed to.
    pub fn keep(&self, own: &Object, ball: &Object, input: &PlayerInput<'_>, orders: &mut Orders) -> Twist2 {
        let mates = mates(own, input);
        let Some(taker) = taker(own, ball, input) else { return Twist2::ZERO };
        if self.receives(own, ball, &mates) {
            self.let_go(input, orders);
            return self.drive(own, self.to_its_way(own, ball), own.pose.bearing_rad(at(ball)));
        }
        if !self.is_nearest(own, ball, &mates) {
            return self.stand_open(own, ball, taker, &mates, input);
        }
        let openness = |mate: &&&Object| openness(at(ball), at(mate), taker);
        let Some(mate) = mates.iter().max_by(|a, b| openness(a).total_cmp(&openness(b))) else {
            return Twist2::ZERO;
        };
        if distance_m(at(taker), at(ball)) > self.params.hold_m {
            // There is time: it stands behind the ball and does not touch it.
            let line = way(at(ball), at(mate));
            let scale = 1.6 * self.params.reach_m / length(line).max(1e-6);
            let behind = [0, 1].map(|n| at(ball)[n] - scale * line[n]);
            return self.approach(own, behind, at(ball));
        }
        self.shoot(own, ball, at(mate), input, orders)
    }

    /// Whether the ball is a pass to it.
    fn receives(&self, own: &Object, ball: &Object, mates: &[&Object]) -> bool {
        let off = |robot: &Object| {
            let to = way(at(ball), at(robot));
            let [vx, vy] = velocity(ball);
            let ahead = dot([vx, vy], to);
            if ahead <= 0.0 { f64::INFINITY } else { (vx * to[1] - vy * to[0]).abs() / ahead }
        };
        let own_off = off(own);
        speed_m_s(ball) > PASS_M_S && own_off < 0.5 && mates.iter().all(|mate| own_off < off(mate))
    }

    fn is_nearest(&self, own: &Object, ball: &Object, mates: &[&Object]) -> bool {
        let away_m = |robot: &Object| distance_m(at(robot), self.foreseen(robot, ball));
        mates.iter().all(|mate| (away_m(own), own.number) < (away_m(mate), mate.number))
    }

    /// At the place around the middle to which a pass is safest.
    fn stand_open(
        &self,
        own: &Object,
        ball: &Object,
        taker: &Object,
        mates: &[&Object],
        input: &PlayerInput<'_>,
    ) -> Twist2 {
        let half_m = self.half_side.and_then(|place| input.game.values.get(place)).copied().unwrap_or(0.0);
        let worth = |place: &[f64; 2]| {
            let mate_m = mates.iter().map(|mate| distance_m(at(mate), *place)).fold(f64::INFINITY, f64::min);
            openness(at(ball), *place, taker) + 0.3 * mate_m.min(half_m) - 0.4 * distance_m(at(own), *place)
        };
        let places = (0..PLACES).map(|n| {
            let (sin, cos) = sin_cos(f64::from(n) * std::f64::consts::TAU / f64::from(PLACES));
            [RING_PART * half_m * cos, RING_PART * half_m * sin]
        });
        let here = at(own);
        let is_inside = here[0].abs().max(here[1].abs()) < RING_PART * half_m;
        let best = match self.params.moves {
            true => places.max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap_or([0.0; 2]),
            // Where it is, as long as that is in the square.
            false if is_inside => here,
            false => into_square(here, RING_PART * half_m),
        };
        let velocity = way(here, best).map(|part| 2.0 * part);
        self.drive(own, velocity, own.pose.bearing_rad(at(ball)))
    }

    /// Each passes to the next one in the order of their numbers, and the last one shoots at the target.
    pub fn pass(&self, own: &Object, ball: &Object, input: &PlayerInput<'_>, orders: &mut Orders) -> Twist2 {
        let mates = mates(own, input);
        if self.receives(own, ball, &mates) {
            self.let_go(input, orders);
            return self.drive(own, self.to_its_way(own, ball), own.pose.bearing_rad(at(ball)));
        }
        let goes = speed_m_s(ball) > PASS_M_S && dot(velocity(ball), way(at(own), at(ball))) > 0.0;
        if goes || !self.is_nearest(own, ball, &mates) {
            return self.drive(own, [0.0; 2], own.pose.bearing_rad(at(ball)));
        }
        let next = mates.iter().filter(|mate| mate.number > own.number).min_by_key(|mate| mate.number);
        self.shoot(own, ball, next.map_or(self.target(), |next| at(next)), input, orders)
    }
}

/// The nearest place that is no farther from the middle than this, along either side. A referee may say any number: nothing is inside of one below 0.
pub fn into_square(place: [f64; 2], half_m: f64) -> [f64; 2] {
    let half_m = half_m.max(0.0);
    place.map(|part| part.clamp(-half_m, half_m))
}

/// The others of its team.
fn mates<'a>(own: &Object, input: &PlayerInput<'a>) -> Vec<&'a Object> {
    input.view.robots().filter(|robot| robot.team == own.team && robot.number != own.number).collect()
}

/// The one of the other team that is nearest to the ball.
fn taker<'a>(own: &Object, ball: &Object, input: &PlayerInput<'a>) -> Option<&'a Object> {
    let others = input.view.robots().filter(|robot| robot.team != own.team);
    let away_m = |robot: &Object| distance_m(at(robot), at(ball));
    others.min_by(|a, b| away_m(a).total_cmp(&away_m(b)))
}

/// How far the taker is from the way of a pass, metres; nearer ways count less, as there is less time for it.
fn openness(from: [f64; 2], to: [f64; 2], taker: &Object) -> f64 {
    let line = way(from, to);
    let long_m = length(line).max(1e-6);
    let part = (dot(way(from, at(taker)), line) / (long_m * long_m)).clamp(0.0, 1.0);
    let foot = [from[0] + part * line[0], from[1] + part * line[1]];
    distance_m(at(taker), foot) - 0.1 * long_m
}
