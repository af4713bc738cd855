//! What is seen of ball, goals, posts and robots.

use crate::OmnivisionParams;
use touchline_kit::data::{
    BallSighting, GoalSighting, GoalSightings, PostSightings, RobotSighting, RobotSightings, Sighting,
};
use touchline_kit::visibility::{Eye, GoalMouth, is_occluded, middle_height_m};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_plugin_api::noise::Noise;
use touchline_plugin_api::sensor::SensorInput;
use touchline_plugin_api::view::{NONE, Object, ObjectKind, Role};

/// One feature of one reading in the making.
pub struct Look<'a> {
    pub params: &'a OmnivisionParams,
    pub input: &'a SensorInput<'a>,
    pub eye: Eye,
    /// Of the eye, above the floor.
    pub height_m: f64,
    pub noise: Noise,
}

impl Look<'_> {
    /// The nearest ball that nothing hides.
    pub fn ball(&mut self) -> BallSighting {
        let view = self.input.view;
        let balls = view.balls().filter_map(|ball| Some((self.squared_m(place(ball))?, ball)));
        let mut balls: Vec<_> = balls.collect();
        balls.sort_by(|a, b| a.0.total_cmp(&b.0));
        let nearest = balls.into_iter().find(|(_, ball)| !self.is_hidden(ball));
        BallSighting { ball: nearest.and_then(|(_, ball)| self.recognised(place(ball))) }
    }

    fn is_hidden(&self, ball: &Object) -> bool {
        let (view, pose) = (&self.input.view, self.input.sensor_pose);
        let index = view.objects.iter().position(|object| std::ptr::eq(object, ball));
        let ignore = [index.map_or(NONE, |index| index as u32), self.input.robot_object];
        self.params.occlusion
            && is_occluded(view, [pose.x_m, pose.y_m], place(ball), middle_height_m(view, ball), &ignore)
    }

    /// Both ends and the middle of each goal line, each if it is in view.
    pub fn goals(&mut self, teams: usize) -> GoalSightings {
        let mut goals = vec![GoalSighting::default(); teams];
        let pose = self.input.sensor_pose;
        for shape in self.input.view.landmarks(Role::Goal) {
            let Some(goal) = goals.get_mut(shape.team as usize) else { continue };
            let mouth = GoalMouth::of(shape);
            let [left, right] = mouth.left_and_right_of([pose.x_m, pose.y_m]);
            let is_seen = |point| self.squared_m(point).is_some();
            let seen = [mouth.centre, left, right].map(is_seen);
            if seen == [false; 3] || self.is_missed() {
                continue;
            }
            let centre = seen[0].then(|| self.measured(mouth.centre));
            let mut bearing = |is_seen: bool, point| is_seen.then(|| self.measured_bearing_rad(point));
            *goal = GoalSighting {
                centre,
                left_bearing_rad: bearing(seen[1], left),
                right_bearing_rad: bearing(seen[2], right),
            };
        }
        GoalSightings { goals }
    }

    /// The nearest posts, nearest first.
    pub fn posts(&mut self) -> PostSightings {
        let posts = self.input.view.landmarks(Role::Pole).map(|post| ([post.x_m, post.y_m], ()));
        let nearest = self.nearest(posts, self.params.max_posts);
        let posts = nearest.into_iter().filter_map(|(point, ())| self.recognised(point)).collect();
        PostSightings { posts }
    }

    /// The nearest other robots, nearest first.
    pub fn robots(&mut self) -> RobotSightings {
        let objects = self.input.view.objects.iter().enumerate();
        let others = objects.filter(|(index, object)| {
            object.kind() == ObjectKind::Robot && *index as u32 != self.input.robot_object
        });
        let others = others.map(|(_, robot)| (place(robot), robot.team));
        let nearest = self.nearest(others, self.params.max_robots);
        let seen = nearest.into_iter().filter_map(|(point, team)| {
            let sighting = self.recognised(point)?;
            Some(RobotSighting { sighting, team: (team != NONE).then_some(team) })
        });
        RobotSightings { robots: seen.collect() }
    }

    /// Those in view, the nearest first, not more than `max`.
    fn nearest<T>(&self, of: impl Iterator<Item = ([f64; 2], T)>, max: u32) -> Vec<([f64; 2], T)> {
        let in_view = of.filter_map(|(point, what)| Some((self.squared_m(point)?, point, what)));
        let mut rows: Vec<_> = in_view.collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.into_iter().take(max as usize).map(|(_, point, what)| (point, what)).collect()
    }

    fn squared_m(&self, point: [f64; 2]) -> Option<f64> {
        self.eye.squared_distance(self.eye.to_own(point))
    }

    fn recognised(&mut self, point: [f64; 2]) -> Option<Sighting> {
        (!self.is_missed()).then(|| self.measured(point))
    }

    /// What the sensor says of a crossing, unless it misses it.
    pub fn recognised_distance_m(&mut self, distance_m: f64) -> Option<f64> {
        (!self.is_missed()).then(|| self.measured_distance_m(distance_m))
    }

    fn is_missed(&mut self) -> bool {
        let probability = self.params.false_negative_probability;
        probability > 0.0 && self.noise.chance(probability)
    }

    fn measured(&mut self, point: [f64; 2]) -> Sighting {
        let [x, y] = self.eye.to_own(point);
        let distance_m = self.measured_distance_m((x * x + y * y).sqrt());
        Sighting { distance_m, bearing_rad: self.measured_bearing_rad(point) }
    }

    fn measured_bearing_rad(&mut self, point: [f64; 2]) -> f64 {
        wrap_angle(self.eye.bearing_rad(point) + self.noise.gaussian(self.params.sigma_bearing_rad))
    }

    /// What the sensor says of a true distance on the floor.
    fn measured_distance_m(&mut self, distance_m: f64) -> f64 {
        let relative_m = self.params.sigma_distance_relative * distance_m;
        let elevation_rad = self.params.sigma_elevation_rad;
        // d = h / tan(e), so an error of the angle e is one of the distance times (d^2 + h^2) / h.
        let elevation_m = if elevation_rad > 0.0 {
            elevation_rad * (distance_m * distance_m + self.height_m * self.height_m) / self.height_m
        } else {
            0.0
        };
        let sigma_m = (relative_m * relative_m + elevation_m * elevation_m).sqrt();
        (distance_m + self.noise.gaussian(sigma_m)).max(0.0)
    }
}

fn place(object: &Object) -> [f64; 2] {
    [object.pose.x_m, object.pose.y_m]
}
