//! What is done with a ball: where it will be, how to come behind it, when to kick.

use crate::Challenger;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::PlayerInput;
use touchline_plugin_api::view::Object;

/// A ball that is faster is on its way, m/s.
pub const ROLLS_M_S: f64 = 0.03;
/// Nobody looks farther ahead, seconds.
const AHEAD_SECS: f64 = 1.0;
/// It comes to a place so fast for each metre that is left, 1/s.
const PLACE_GAIN_PER_S: f64 = 4.0;
/// It comes onto a ball's way so fast for each metre that is left, 1/s.
const WAY_GAIN_PER_S: f64 = 12.0;

/// Where an object is, metres.
pub fn at(object: &Object) -> [f64; 2] {
    [object.pose.x_m, object.pose.y_m]
}

/// How fast an object is along the floor, m/s.
pub fn velocity(object: &Object) -> [f64; 2] {
    [object.twist.x_m_s, object.twist.y_m_s]
}

pub fn speed_m_s(object: &Object) -> f64 {
    length(velocity(object))
}

pub fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// From `a` to `b`.
pub fn way(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [b[0] - a[0], b[1] - a[1]]
}

pub fn distance_m(a: [f64; 2], b: [f64; 2]) -> f64 {
    length(way(a, b))
}

pub fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

impl Challenger {
    /// Switches a dribbler off.
    pub fn let_go(&self, input: &PlayerInput<'_>, orders: &mut Orders) {
        if let Some((dribbler, off)) = self.dribbler
            && input.manipulators.get(dribbler).is_some_and(|now| now.state as usize != off)
        {
            orders.manipulate(dribbler, off, 1.0);
        }
    }

    /// Kicks, if it has the ball and looks at the target; as hard as the ball has to roll from `ball`.
    pub fn kicks(
        &self,
        own: &Object,
        ball: [f64; 2],
        target: [f64; 2],
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> bool {
        let Some((kicker, state)) = self.kicker else { return false };
        let now = input.manipulators.get(kicker);
        let is_ready = now.is_some_and(|now| now.has_ball == 1 && now.ready_in_secs <= 0.0);
        if !is_ready || own.pose.bearing_rad(target).abs() > self.params.aim_rad {
            return false;
        }
        let strength = self.params.strength(distance_m(ball, target));
        let aim = Aim { elevation_rad: self.params.elevation_rad, ..Aim::strength(strength) };
        orders.manipulate_aimed(kicker, state, aim);
        true
    }

    /// Comes behind a ball, wherever it is, and kicks it to the target.
    pub fn shoot(
        &self,
        own: &Object,
        ball: &Object,
        target: [f64; 2],
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Twist2 {
        self.let_go(input, orders);
        if self.kicks(own, at(ball), target, input, orders) {
            return Twist2::ZERO;
        }
        self.approach(own, self.foreseen(own, ball), target)
    }

    /// Where a ball will be when the robot can be there, if it goes on as it does.
    pub fn foreseen(&self, own: &Object, ball: &Object) -> [f64; 2] {
        let secs = (distance_m(at(own), at(ball)) / self.speed_m_s).min(AHEAD_SECS);
        let ([x, y], [vx, vy]) = (at(ball), velocity(ball));
        [x + secs * vx, y + secs * vy]
    }

    /// Behind a place on the line to the target, around the place if need be, and then through it.
    pub fn approach(&self, own: &Object, place: [f64; 2], target: [f64; 2]) -> Twist2 {
        let line = way(place, target);
        let long_m = length(line).max(1e-6);
        let ahead = [line[0] / long_m, line[1] / long_m];
        let left = [-ahead[1], ahead[0]];
        let rel = way(place, at(own));
        let (along_m, across_m) = (dot(rel, ahead), dot(rel, left));
        let reach_m = self.params.reach_m;
        let direction_rad = own.pose.bearing_rad([own.pose.x_m + ahead[0], own.pose.y_m + ahead[1]]);
        // Behind it and looking there, it goes on; it stays on the line meanwhile.
        if along_m < -0.5 * reach_m && across_m.abs() < 0.35 * reach_m && direction_rad.abs() < 0.3 {
            let forward_m_s = (-self.params.approach_per_s * along_m).min(self.speed_m_s);
            let back_m_s = -PLACE_GAIN_PER_S * across_m;
            let velocity = [0, 1].map(|n| forward_m_s * ahead[n] + back_m_s * left[n]);
            return self.drive(own, velocity, direction_rad);
        }
        // Beside it or before it, it goes around.
        let around_m = if along_m > -reach_m { 1.5 * reach_m.copysign(across_m) } else { 0.0 };
        let goal = [0, 1].map(|n| place[n] - 1.6 * reach_m * ahead[n] + around_m * left[n]);
        let velocity = way(at(own), goal).map(|part| PLACE_GAIN_PER_S * part);
        self.drive(own, velocity, direction_rad)
    }

    /// Whether a ball rolls towards it.
    pub fn comes(&self, own: &Object, ball: &Object) -> bool {
        speed_m_s(ball) > ROLLS_M_S && dot(velocity(ball), way(at(ball), self.kicker_at(own))) > 0.0
    }

    /// Where its kicker is.
    fn kicker_at(&self, own: &Object) -> [f64; 2] {
        own.pose.point_to_outer([self.params.reach_m, 0.0])
    }

    /// The velocity that brings its kicker onto the line on which a ball rolls, m/s.
    pub fn to_its_way(&self, own: &Object, ball: &Object) -> [f64; 2] {
        let (kicker, [vx, vy]) = (self.kicker_at(own), velocity(ball));
        let speed_m_s = length([vx, vy]).max(1e-6);
        let normal = [-vy / speed_m_s, vx / speed_m_s];
        let off_m = dot(way(at(ball), kicker), normal);
        normal.map(|part| -WAY_GAIN_PER_S * off_m * part)
    }
}
