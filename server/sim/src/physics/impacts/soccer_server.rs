//! The Soccer Server's rule of contact: bodies that overlap after the move are moved apart, and go back slowly.
//!
//! True to the simulator's rule in play. What it does besides needs to know the game, and is not here: outside of play its ball stays
//! and the player moves, and a goalkeeper that holds the ball does not collide.

use super::super::shape::{Vec2, add, norm, scale, sub};
use super::flight::are_level;
use super::{Body, Impacts, TOUCH_M};

/// They are moved apart so often at most, as one that gives way to another may come to overlap a third.
const ROUNDS: usize = 10;
/// What is left of the velocity of who has collided.
const VELOCITY_FACTOR: f64 = -0.1;

/// What one round does to a body.
#[derive(Clone, Copy, Default)]
struct Pushed {
    by: Vec2,
    times: u32,
}

impl Impacts<'_> {
    /// Moves apart what overlaps at the end of the step, each pair about its middle until they just touch, and takes the mean for who
    /// overlaps several. Then the velocity of all that have collided is multiplied with -0.1.
    pub fn collide(&mut self) {
        let balls = (0..self.balls.len()).map(Body::Ball);
        let bodies: Vec<Body> = balls.chain((0..self.bodies.robots.len()).map(Body::Robot)).collect();
        let mut has_collided = vec![false; bodies.len()];
        let heights: Vec<[f64; 2]> = bodies.iter().map(|&body| self.reach_of(body)).collect();
        for _ in 0..ROUNDS {
            let discs: Vec<(Vec2, f64)> = bodies.iter().map(|&body| self.disc_of(body)).collect();
            let mut pushed = vec![Pushed::default(); bodies.len()];
            for (one, &(place, radius_m)) in discs.iter().enumerate() {
                for (other, &(second, second_radius_m)) in discs.iter().enumerate().take(one) {
                    let away = sub(place, second);
                    let distance_m = norm(away);
                    let depth_m = radius_m + second_radius_m - distance_m;
                    if depth_m <= TOUCH_M || !are_level(heights[one], heights[other]) {
                        continue;
                    }
                    let normal = if distance_m > 0.0 { scale(away, 1.0 / distance_m) } else { [1.0, 0.0] };
                    for (body, sign) in [(one, 0.5), (other, -0.5)] {
                        pushed[body].by = add(pushed[body].by, scale(normal, sign * depth_m));
                        pushed[body].times += 1;
                        has_collided[body] = true;
                    }
                    self.tell_pair(bodies[one], bodies[other]);
                }
            }
            if pushed.iter().all(|pushed| pushed.times == 0) {
                break;
            }
            for (&body, pushed) in bodies.iter().zip(&pushed).filter(|(_, pushed)| pushed.times > 0) {
                self.shift(body, scale(pushed.by, 1.0 / f64::from(pushed.times)));
            }
        }
        for (&body, _) in bodies.iter().zip(&has_collided).filter(|&(_, &has_collided)| has_collided) {
            self.throw_back(body);
            if let Body::Robot(robot) = body
                && !std::mem::replace(&mut self.space.is_near[robot], true)
            {
                self.space.near_robots.push(robot);
            }
        }
    }

    /// From where to where it reaches above the floor, metres.
    fn reach_of(&self, body: Body) -> [f64; 2] {
        match body {
            Body::Ball(ball) => self.height_of_ball(ball, 0.0),
            Body::Robot(robot) => self.bodies.robots[robot].z_m,
            Body::Fixture(_) => [0.0; 2],
        }
    }

    fn disc_of(&mut self, body: Body) -> (Vec2, f64) {
        match body {
            Body::Ball(ball) => (self.balls[ball].position, self.bodies.forms[ball].radius_m),
            Body::Robot(robot) => self.disc(robot),
            Body::Fixture(_) => ([0.0; 2], 0.0),
        }
    }

    /// It goes on turning as it did.
    fn throw_back(&mut self, body: Body) {
        match body {
            Body::Ball(ball) => {
                let ball = &mut self.balls[ball];
                ball.velocity = scale(ball.velocity, VELOCITY_FACTOR);
            }
            Body::Robot(robot) => {
                let inertia = self.bodies.robots[robot].inertia;
                let journey = self.journey(robot);
                let middle = journey.place.to_outer(inertia.centre);
                let change = scale(journey.velocity_at(middle), VELOCITY_FACTOR - 1.0);
                journey.push(&inertia, scale(change, 1.0 / inertia.per_mass), middle);
            }
            Body::Fixture(_) => {}
        }
    }
}
