//! What one robot plays alone: a run, a kick at a target, a ball that rolls by.

use crate::Challenger;
use crate::ball::{ROLLS_M_S, at, speed_m_s, velocity};
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::PlayerInput;
use touchline_plugin_api::view::Object;

impl Challenger {
    /// Along +x.
    pub fn run(&self, own: &Object) -> Twist2 {
        Twist2::new(self.speed_m_s, 0.0, self.turn_to(-own.pose.theta_rad))
    }

    /// To the ball, on the line from it to the target, and kicks when it has it.
    pub fn kick(&self, own: &Object, ball: &Object, input: &PlayerInput<'_>, orders: &mut Orders) -> Twist2 {
        if speed_m_s(ball) > ROLLS_M_S {
            return Twist2::ZERO;
        }
        self.let_go(input, orders);
        if self.kicks(own, at(ball), self.target(), input, orders) {
            return Twist2::ZERO;
        }
        let to_ball = own.pose.point_to_inner(at(ball));
        let gap_m = (to_ball[0] * to_ball[0] + to_ball[1] * to_ball[1]).sqrt();
        // Slower the nearer it is: what it brings along is added to the kick.
        let forward_m_s = (self.params.approach_per_s * gap_m).min(self.speed_m_s);
        if self.is_holonomic {
            let left_m_s = (2.0 * to_ball[1]).clamp(-self.speed_m_s, self.speed_m_s);
            return Twist2::new(forward_m_s, left_m_s, self.turn_to(own.pose.bearing_rad(self.target())));
        }
        Twist2::new(forward_m_s, 0.0, self.turn_to(own.pose.bearing_rad(at(ball))))
    }

    /// To a ball that lies, and throws it; then it stays.
    pub fn throw(&self, own: &Object, ball: &Object, input: &PlayerInput<'_>, orders: &mut Orders) -> Twist2 {
        if speed_m_s(ball) > ROLLS_M_S || !ball.vertical.is_on_floor() {
            return Twist2::ZERO;
        }
        self.shoot(own, ball, self.target(), input, orders)
    }

    /// Stands, and kicks what comes into its kicker.
    pub fn volley(
        &self,
        own: &Object,
        ball: &Object,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Twist2 {
        self.let_go(input, orders);
        self.kicks(own, at(ball), self.target(), input, orders);
        Twist2::new(0.0, 0.0, self.turn_to(own.pose.bearing_rad(self.target())))
    }

    /// Puts its kicker on the way of a ball that comes, kicks it, and goes after one that has passed.
    pub fn meet(&self, own: &Object, ball: &Object, input: &PlayerInput<'_>, orders: &mut Orders) -> Twist2 {
        let has_waited = speed_m_s(ball) <= ROLLS_M_S;
        if has_waited || self.comes(own, ball) {
            self.let_go(input, orders);
            if self.kicks(own, at(ball), self.target(), input, orders) {
                return Twist2::ZERO;
            }
            let aim_rad = own.pose.bearing_rad(self.target());
            return match has_waited {
                true => self.drive(own, [0.0; 2], aim_rad),
                false => self.drive(own, self.to_its_way(own, ball), aim_rad),
            };
        }
        let [vx, vy] = velocity(ball);
        if vx > 0.0 && vx > vy.abs() {
            // It goes where it shall.
            return Twist2::ZERO;
        }
        let mut twist = self.shoot(own, ball, self.target(), input, orders);
        if own.pose.x_m > self.params.limit_x_m && twist.x_m_s > 0.0 {
            twist = Twist2::ZERO;
        }
        twist
    }
}
