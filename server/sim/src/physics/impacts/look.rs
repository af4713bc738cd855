//! Who may meet whom in what is left of the step: found out at its beginning, and again of those who go farther than was thought.

use super::super::shape::{Vec2, norm, sub};
use super::meet::Contact;
use super::{Body, Impacts, Meetings, Space, TOLD_M, TOUCH_M};

impl Impacts<'_> {
    /// Finds out which fixtures and robots may be met, or may meet something, in what is left of the step.
    pub fn look_round(&mut self) {
        self.space.near_fixtures.clear();
        self.space.is_near.clear();
        self.space.is_near.resize(self.bodies.robots.len(), false);
        self.look_round_balls();
        if !self.bodies.meetings.are_of_robots() {
            return self.list_near();
        }
        self.look_round_robots(0.0);
        self.list_near();
        let Space { next_secs, unforeseen, near_robots, .. } = &mut *self.space;
        next_secs.clear();
        next_secs.resize(self.bodies.robots.len(), f64::INFINITY);
        unforeseen.clone_from(near_robots);
    }

    /// The same after somebody has met these, or was thought to meet somebody: faster than before they may come farther.
    pub fn look_round_again(&mut self, body: Body, contacts: &[Contact]) {
        if !self.bodies.meetings.are_of_robots() {
            return self.look_round();
        }
        self.look_round_balls();
        let sides = contacts.iter().flat_map(|contact| [contact.one, contact.other]);
        let robots = sides.chain([body]).filter_map(Body::robot);
        // Before they have other neighbours: these have reckoned with where they went.
        robots.clone().for_each(|robot| self.unforesee(robot));
        let leaving = robots.clone().filter(|&robot| self.leaves_its_reach(robot));
        let fastest_m_s = leaving.map(|robot| self.whence(robot).2).reduce(f64::max);
        if let Some(fastest_m_s) = fastest_m_s {
            // With room for those whom it meets, and who meet it: then there is mostly no need to look for them once more.
            self.look_round_robots(2.0 * fastest_m_s);
            robots.for_each(|robot| self.unforesee(robot));
        }
        if fastest_m_s.is_some() || !self.balls.is_empty() {
            self.list_near();
        }
    }

    fn look_round_balls(&mut self) {
        for (ball, form) in self.balls.iter().zip(self.bodies.forms) {
            let reach_m = form.radius_m + norm(ball.velocity) * self.left_secs() + TOLD_M;
            for (fixture, _) in self.bodies.fixtures.near(ball.position, reach_m) {
                if !self.space.near_fixtures.contains(&fixture) {
                    self.space.near_fixtures.push(fixture);
                }
            }
            for robot in 0..self.bodies.robots.len() {
                if !self.space.is_near[robot] && self.is_near(robot, ball.position, reach_m) {
                    self.space.is_near[robot] = true;
                }
            }
        }
    }

    fn look_round_robots(&mut self, least_m_s: f64) {
        self.find_neighbours(least_m_s);
        let Space { near_fixtures, is_near, reaches, neighbours, .. } = &mut *self.space;
        for (robot, &(place, reach_m)) in reaches.iter().enumerate() {
            for (fixture, _) in self.bodies.fixtures.near(place, reach_m) {
                is_near[robot] = true;
                if !near_fixtures.contains(&fixture) {
                    near_fixtures.push(fixture);
                }
            }
        }
        neighbours.pairs().flatten().for_each(|robot| is_near[robot] = true);
    }

    /// Lists who is near, in the order of their places.
    fn list_near(&mut self) {
        let Space { near_fixtures, near_robots, is_near, .. } = &mut *self.space;
        near_fixtures.sort_unstable();
        near_robots.clear();
        near_robots.extend((0..is_near.len()).filter(|&robot| is_near[robot]));
    }

    /// Finds out which robots that are discs may meet each other in what is left of the step, if none goes faster than it does, or than this.
    pub fn find_neighbours(&mut self, least_m_s: f64) {
        self.space.reaches.clear();
        for robot in 0..self.bodies.robots.len() {
            let (place, left_secs, speed_m_s) = self.whence(robot);
            let reach_m =
                self.bodies.robots[robot].disc_radius_m + speed_m_s.max(least_m_s) * left_secs + TOLD_M;
            self.space.reaches.push((place, reach_m));
        }
        if self.bodies.meetings == Meetings::OnlyWithFixtures {
            self.space.neighbours.clear();
        } else {
            self.space.neighbours.find(&self.space.reaches);
        }
    }

    /// Whether a robot may come farther than was thought when neighbours were looked for.
    fn leaves_its_reach(&self, robot: usize) -> bool {
        let ((place, left_secs, speed_m_s), (middle, reach_m)) =
            (self.whence(robot), self.space.reaches[robot]);
        let needs_m = self.bodies.robots[robot].disc_radius_m + speed_m_s * left_secs + TOLD_M;
        norm(sub(place, middle)) + needs_m > reach_m + TOUCH_M
    }

    /// Where a robot's disc last met something, what was left of the step then, and how fast it goes from there on, m/s.
    fn whence(&self, robot: usize) -> (Vec2, f64, f64) {
        if self.space.journeys[robot].is_none() {
            // As most robots go through most steps: nobody needs its journey yet.
            let (passage, centre) = (&self.bodies.passages[robot], self.bodies.robots[robot].inertia.centre);
            return (passage.start.to_outer(centre), self.dt_secs, passage.speed_at(centre));
        }
        let (since_secs, way) = self.way_since(robot);
        (way.position, self.dt_secs - since_secs, way.fastest_m_s())
    }
}
