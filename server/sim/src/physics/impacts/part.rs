//! Bodies that overlap are parted: a ball gives way to fixtures and robots, and where it cannot, the robot does.

use super::super::shape::{Vec2, add, norm, scale, sub, turned};
use super::curve::disc_meets;
use super::flight::are_level;
use super::{Body, Impacts, TOLD_M, TOUCH_M};

impl Impacts<'_> {
    /// Parts robots that are discs from the fixtures and from each other.
    pub fn part_robots(&mut self) {
        const ROUNDS: usize = 32;
        if !self.bodies.meetings.are_of_robots() {
            return;
        }
        // Each is looked at in every round: once to the end of the step is enough.
        for near in 0..self.space.near_robots.len() {
            self.journey(self.space.near_robots[near]);
        }
        // Since it was found out who is near whom.
        let mut moved_m = 0.0;
        for _ in 0..ROUNDS {
            let from_robots_m =
                if self.bodies.meetings.are_mutual() { self.part_robots_from_robots() } else { 0.0 };
            let deepest_m = self.part_robots_from_fixtures().max(from_robots_m);
            if deepest_m == 0.0 {
                return;
            }
            moved_m += deepest_m;
            // One may be among many, each of which moves it.
            if moved_m > TOLD_M / 16.0 {
                self.find_neighbours(0.0);
                moved_m = 0.0;
            }
        }
    }

    /// Gives the depth of the deepest overlap that there was, metres.
    fn part_robots_from_fixtures(&mut self) -> f64 {
        let mut deepest_m: f64 = 0.0;
        for near in 0..self.space.near_robots.len() {
            let robot = self.space.near_robots[near];
            let (mut place, radius_m) = self.disc(robot);
            let fixtures = self.bodies.fixtures;
            let z_m = self.bodies.robots[robot].z_m;
            for (_, solid) in fixtures.near(place, radius_m).filter(|(_, solid)| are_level(solid.z_m, z_m)) {
                let gap = solid.gap(place);
                if gap.distance_m < radius_m - TOUCH_M {
                    let by = scale(gap.normal, radius_m - gap.distance_m);
                    place = add(place, by);
                    self.shift_robot(robot, by);
                    deepest_m = deepest_m.max(radius_m - gap.distance_m);
                }
            }
        }
        deepest_m
    }

    /// Gives the depth of the deepest overlap that there was, metres.
    fn part_robots_from_robots(&mut self) -> f64 {
        let mut deepest_m: f64 = 0.0;
        for near in 0..self.space.near_robots.len() {
            let one = self.space.near_robots[near];
            for place in 0..self.space.neighbours.of(one).len() {
                let other = self.space.neighbours.of(one)[place] as usize;
                if other > one || !self.space.is_near[other] {
                    continue;
                }
                let ((place, radius_m), (second, second_radius_m)) = (self.disc(one), self.disc(other));
                let away = sub(place, second);
                let distance_m = norm(away);
                let depth_m = radius_m + second_radius_m - distance_m;
                if depth_m > TOUCH_M {
                    let normal = if distance_m > 0.0 { scale(away, 1.0 / distance_m) } else { [1.0, 0.0] };
                    let half = scale(normal, depth_m / 2.0);
                    self.shift_robot(one, half);
                    self.shift_robot(other, scale(half, -1.0));
                    deepest_m = deepest_m.max(depth_m);
                }
            }
        }
        deepest_m
    }

    /// Moves a robot at the end of the step, where it has what its drive brings it in the step.
    fn shift_robot(&mut self, robot: usize, by: Vec2) {
        let end = self.bodies.passages[robot].end;
        let journey = self.journey(robot);
        if !journey.was_pushed {
            journey.twist = end;
        }
        journey.shift(by);
    }

    /// Moves a body at the end of the step by a vector of the world.
    pub fn shift(&mut self, body: Body, by: Vec2) {
        match body {
            Body::Ball(ball) => self.balls[ball].position = add(self.balls[ball].position, by),
            Body::Robot(robot) => self.shift_robot(robot, by),
            Body::Fixture(_) => {}
        }
    }

    /// Parts a ball from what it overlaps.
    pub fn part(&mut self, ball: usize) {
        const ROUNDS: usize = 8;
        for _ in 0..ROUNDS {
            let from_fixtures = self.part_from_fixtures(ball);
            let is_mutual = self.bodies.meetings.are_mutual();
            let from_robots = is_mutual && self.part_from_robots(ball);
            let from_balls = is_mutual && self.part_from_balls(ball);
            if !(from_fixtures || from_robots || from_balls) {
                return;
            }
        }
        self.part_from_fixtures(ball);
    }

    fn part_from_fixtures(&mut self, ball: usize) -> bool {
        let (mut position, radius_m) = (self.balls[ball].position, self.bodies.forms[ball].radius_m);
        let mut overlaps = false;
        for &fixture in &self.space.near_fixtures {
            let solid = &self.bodies.fixtures.solids[fixture];
            if !self.is_level(ball, solid, 0.0) || solid.is_beyond(position, radius_m) {
                continue;
            }
            let gap = solid.gap(position);
            if gap.distance_m < radius_m - TOUCH_M {
                position = add(position, scale(gap.normal, radius_m - gap.distance_m));
                overlaps = true;
            }
        }
        self.balls[ball].position = position;
        overlaps
    }

    fn part_from_robots(&mut self, ball: usize) -> bool {
        let radius_m = self.bodies.forms[ball].radius_m;
        let mut overlaps = false;
        for near in 0..self.space.near_robots.len() {
            let robot = self.space.near_robots[near];
            let position = self.balls[ball].position;
            let place = self.place_now(robot);
            let inner = place.to_inner(position);
            let solids = self.bodies.robots[robot].solids().filter(|solid| self.is_level(ball, solid, 0.0));
            let gaps = solids.map(|solid| solid.gap(inner));
            let Some(gap) = gaps.min_by(|a, b| a.distance_m.total_cmp(&b.distance_m)) else { continue };
            let depth_m = radius_m - gap.distance_m;
            if depth_m <= TOUCH_M {
                continue;
            }
            overlaps = true;
            let out = scale(turned(place.heading, gap.normal), depth_m);
            let near = self.bodies.fixtures.near(position, radius_m + depth_m);
            let part = near
                .filter(|(_, solid)| self.is_level(ball, solid, 0.0))
                .filter_map(|(_, solid)| disc_meets(solid, position, out, radius_m, 0.0))
                .fold(1.0, f64::min);
            self.balls[ball].position = add(position, scale(out, part));
            if part < 1.0 {
                self.shift_robot(robot, scale(out, part - 1.0));
            }
        }
        overlaps
    }

    fn part_from_balls(&mut self, ball: usize) -> bool {
        let mut overlaps = false;
        for other in (0..self.balls.len()).filter(|&other| other != ball) {
            let away = sub(self.balls[ball].position, self.balls[other].position);
            let distance_m = norm(away);
            let depth_m = self.bodies.forms[ball].radius_m + self.bodies.forms[other].radius_m - distance_m;
            if depth_m > TOUCH_M && self.balls_are_level(ball, other, 0.0) {
                let normal = if distance_m > 0.0 { scale(away, 1.0 / distance_m) } else { [1.0, 0.0] };
                let half = scale(normal, depth_m / 2.0);
                self.balls[ball].position = add(self.balls[ball].position, half);
                self.balls[other].position = sub(self.balls[other].position, half);
                overlaps = true;
            }
        }
        overlaps
    }
}
