//! An iconic camera: in which direction and how far away it recognises ball, goals, posts and robots. (S2)
//!
//! No image is made. What lies in the field of view and within range is a sighting, with noise of its own.
//! One pass over the objects finds all of them; where the integers of each feature go was worked out before.
//!
//! # Not here
//! Fields of view and occlusion: `touchline_kit::visibility`.

#![forbid(unsafe_code)]

mod nearest;
mod params;

use nearest::{Candidate, Nearest};
use params::MAX_ROWS;
pub use params::{CameraParams, Thing};
use touchline_kit::data::{
    BEARING_SCALE_RAD, BallSighting, DISTANCE_SCALE_M, GoalSightings, PostSightings, RobotSightings,
};
use touchline_kit::visibility::{Eye, FieldOfView, GoalMouth, is_occluded, middle_height_m};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_plugin_api::layout::{Feature, Layout, encode};
use touchline_plugin_api::noise::Noise;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorDatum, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_plugin_api::view::{Object, ObjectKind, Role, Shape};

pub struct Camera {
    params: CameraParams,
    field: FieldOfView,
    layout: Layout,
    /// A reading in which nothing is seen.
    blank: Vec<u32>,
    ball: Option<Columns>,
    goals: Option<GoalColumns>,
    posts: Option<ListColumns>,
    /// Where it says which fixtures the posts are, if it does.
    fixtures: Option<usize>,
    robots: Option<RobotColumns>,
}

/// Where distances and bearings begin.
#[derive(Clone, Copy)]
struct Columns {
    distance: usize,
    bearing: usize,
}

struct GoalColumns {
    teams: usize,
    centre: Columns,
    left: usize,
    right: usize,
}

#[derive(Clone, Copy)]
struct ListColumns {
    count: usize,
    columns: Columns,
}

struct RobotColumns {
    list: ListColumns,
    team: usize,
}

impl Sensor for Camera {
    const NAME: &'static str = "camera";
    const SUMMARY: &'static str = "Iconic camera: distance and bearing of ball, goals, posts and robots.";
    const TYPE: &'static str = "camera";
    const SERVES_ALL: bool = true;
    type Params = CameraParams;
    type State = Stateless;

    fn new(params: Self::Params, setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let teams = setup.teams.len();
        let feature = |thing: &Thing| match thing {
            Thing::Ball => BallSighting::feature(),
            Thing::Goals => GoalSightings::feature(teams as u32),
            Thing::Posts if params.named_posts => PostSightings::named_feature(params.max_posts),
            Thing::Posts => PostSightings::feature(params.max_posts),
            Thing::Robots => RobotSightings::feature(params.max_robots),
        };
        let layout = Layout { features: params.features.iter().map(feature).collect() };
        let find = |feature: &str, field: &str| column(&layout, feature, field);
        let columns = |feature: &str| {
            Some(Columns { distance: find(feature, "distance")?, bearing: find(feature, "bearing")? })
        };
        let list =
            |feature: &str| Some(ListColumns { count: find(feature, "count")?, columns: columns(feature)? });
        let goals = || {
            let feature = GoalSightings::FEATURE;
            let (left, right) = (find(feature, "left")?, find(feature, "right")?);
            Some(GoalColumns { teams, centre: columns(feature)?, left, right })
        };
        let robots = || {
            let feature = RobotSightings::FEATURE;
            Some(RobotColumns { list: list(feature)?, team: find(feature, "team")? })
        };
        let (ball, goals, posts, robots) =
            (columns(BallSighting::FEATURE), goals(), list(PostSightings::FEATURE), robots());
        let fixtures = find(PostSightings::FEATURE, PostSightings::FIXTURE);
        let blank = layout.features.iter().flat_map(blank).collect();
        let field = FieldOfView::new(params.field_of_view_rad, params.range_max_m);
        Ok(Self { params, field, layout, blank, ball, goals, posts, fixtures, robots })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn data(&self) -> Vec<SensorDatum> {
        let limits = self.params.view_width_limits_rad;
        let width = limits.map(|[min, max]| SensorDatum {
            name: "view-width".into(),
            unit: "rad".into(),
            initial: self.params.field_of_view_rad,
            min,
            max,
        });
        width.into_iter().collect()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        // Most cameras need no more, and an empty list has a price.
        const FEW: usize = 8;
        if self.params.max_posts.max(self.params.max_robots) as usize <= FEW {
            self.look::<FEW>(input, quantised);
        } else {
            self.look::<MAX_ROWS>(input, quantised);
        }
        Ok(())
    }
}

impl Camera {
    /// The field of view, as wide as it is set.
    fn field_now(&self, data: &[f64]) -> FieldOfView {
        match data {
            &[width_rad] if width_rad != self.params.field_of_view_rad => {
                FieldOfView::new(width_rad, self.params.range_max_m)
            }
            _ => self.field,
        }
    }

    /// Makes a reading with lists of at most `N` rows.
    fn look<const N: usize>(&self, input: &SensorInput<'_>, quantised: &mut [u32]) {
        quantised.copy_from_slice(&self.blank);
        let eye = Eye::with_field(input.sensor_pose, self.field_now(input.data));
        let mut picture = Picture { camera: self, input, eye, noise: input.noise.stream(), quantised };
        let mut posts = Nearest::<N>::new(self.posts.map_or(0, |_| self.params.max_posts as usize));
        let mut robots =
            Nearest::<N>::new(self.robots.as_ref().map_or(0, |_| self.params.max_robots as usize));
        let mut ball = None;
        for (index, object) in input.view.objects.iter().enumerate() {
            match object.kind() {
                ObjectKind::Fixtures => picture.landmarks(object, &mut posts),
                ObjectKind::Ball if self.ball.is_some() => {
                    picture.nearer_ball(index as u32, object, &mut ball)
                }
                ObjectKind::Robot if self.robots.is_some() && index as u32 != input.robot_object => {
                    let own = eye.to_own([object.pose.x_m, object.pose.y_m]);
                    if let Some(squared) = eye.squared_distance(own) {
                        robots.offer(Candidate { squared, index: index as u32 });
                    }
                }
                _ => {}
            }
        }
        let view = &input.view;
        if let (Some(columns), Some(ball)) = (self.ball, ball)
            && !picture.is_missed()
        {
            let object = &view.objects[ball.index as usize];
            picture.put(columns, 0, [object.pose.x_m, object.pose.y_m], ball.squared);
        }
        if let Some(list) = self.posts {
            let place = |index: usize| [view.shapes[index].x_m, view.shapes[index].y_m];
            match self.fixtures {
                None => picture.list(list, posts.rows(), place, |_, _, _| {}),
                // The fixtures' shapes are the view's first.
                Some(fixtures) => picture.list(list, posts.rows(), place, |quantised, row, index| {
                    quantised[fixtures + row] = index as u32;
                }),
            }
        }
        if let Some(RobotColumns { list, team }) = self.robots {
            let place = |index: usize| [view.objects[index].pose.x_m, view.objects[index].pose.y_m];
            let set_team = |quantised: &mut [u32], row, index: usize| {
                quantised[team + row] = view.objects[index].team;
            };
            picture.list(list, robots.rows(), place, set_team);
        }
    }
}

/// Where a field's integers begin in the sensor's array.
fn column(layout: &Layout, feature: &str, field: &str) -> Option<usize> {
    let index = layout.features.iter().position(|f| f.name == feature)?;
    let (offset, _) = layout.features[index].field(field)?;
    Some(layout.range(index).start + offset)
}

/// Zeros, and all else not there.
fn blank(feature: &Feature) -> Vec<u32> {
    let nothing = |name: &str| if name == "count" { 0.0 } else { f64::INFINITY };
    feature
        .fields
        .iter()
        .flat_map(|field| std::iter::repeat_n(field.encode(nothing(&field.name)), field.len()))
        .collect()
}

/// One reading in the making.
struct Picture<'a> {
    camera: &'a Camera,
    input: &'a SensorInput<'a>,
    eye: Eye,
    noise: Noise,
    quantised: &'a mut [u32],
}

impl Picture<'_> {
    fn landmarks<const N: usize>(&mut self, fixtures: &Object, posts: &mut Nearest<N>) {
        const LAST: (bool, u32) = (true, Role::layer(Role::Pole.code()));
        let (eye, has_posts) = (self.eye, self.camera.posts.is_some());
        for (index, shape) in self.input.view.shapes_of(fixtures).iter().enumerate() {
            if shape.role_code == Role::Pole.code() && has_posts {
                if let Some(squared) = eye.squared_distance(eye.to_own([shape.x_m, shape.y_m])) {
                    posts.offer(Candidate { squared, index: fixtures.first_shape + index as u32 });
                }
            } else if shape.role_code == Role::Goal.code() {
                self.goal(shape);
            } else if shape.fixture_order() > LAST {
                // Areas and lines, to the end.
                break;
            }
        }
    }

    fn goal(&mut self, shape: &Shape) {
        let Some(columns) = self.camera.goals.as_ref().filter(|goals| (shape.team as usize) < goals.teams)
        else {
            return;
        };
        // The goal line is an edge of its area.
        if !self.eye.may_see_disc(self.eye.to_own([shape.x_m, shape.y_m]), shape.radius_m) {
            return;
        }
        let row = shape.team as usize;
        let mouth = GoalMouth::of(shape);
        let pose = self.input.sensor_pose;
        let [left, right] = mouth.left_and_right_of([pose.x_m, pose.y_m]);
        let eye = self.eye;
        let squared = |point| eye.squared_distance(eye.to_own(point));
        let seen = [squared(mouth.centre), squared(left), squared(right)];
        if seen == [None; 3] || self.is_missed() {
            return;
        }
        if let Some(squared) = seen[0] {
            self.put(columns.centre, row, mouth.centre, squared);
        }
        let errors_rad = self.noise.gaussian_pair([self.camera.params.sigma_bearing_rad; 2]);
        if seen[1].is_some() {
            self.quantised[columns.left + row] = self.bearing(left, errors_rad[0]);
        }
        if seen[2].is_some() {
            self.quantised[columns.right + row] = self.bearing(right, errors_rad[1]);
        }
    }

    /// Keeps the nearest ball that nothing hides.
    fn nearer_ball(&self, index: u32, object: &Object, best: &mut Option<Candidate>) {
        let point = [object.pose.x_m, object.pose.y_m];
        let Some(squared) = self.eye.squared_distance(self.eye.to_own(point)) else { return };
        if best.is_some_and(|best| best.squared <= squared) {
            return;
        }
        let view = &self.input.view;
        let from = [self.input.sensor_pose.x_m, self.input.sensor_pose.y_m];
        let ignore = [index, self.input.robot_object];
        let is_hidden = self.camera.params.occlusion
            && is_occluded(view, from, point, middle_height_m(view, object), &ignore);
        if !is_hidden {
            *best = Some(Candidate { squared, index });
        }
    }

    /// Writes the rows of those that are recognised.
    #[inline]
    fn list(
        &mut self,
        list: ListColumns,
        candidates: &[Candidate],
        place: impl Fn(usize) -> [f64; 2],
        also: impl Fn(&mut [u32], usize, usize),
    ) {
        let mut row = 0;
        for candidate in candidates {
            if !self.is_missed() {
                let index = candidate.index as usize;
                self.put(list.columns, row, place(index), candidate.squared);
                also(self.quantised, row, index);
                row += 1;
            }
        }
        self.quantised[list.count] = row as u32;
    }

    #[inline]
    fn is_missed(&mut self) -> bool {
        let probability = self.camera.params.false_negative_probability;
        probability > 0.0 && self.noise.chance(probability)
    }

    fn put(&mut self, columns: Columns, row: usize, point: [f64; 2], squared: f64) {
        let CameraParams { sigma_distance_relative, sigma_bearing_rad, .. } = self.camera.params;
        let [stretch, error_rad] = self.noise.gaussian_pair([sigma_distance_relative, sigma_bearing_rad]);
        let measured_m = (squared.sqrt() * (1.0 + stretch)).max(0.0);
        self.quantised[columns.distance + row] = encode(measured_m, DISTANCE_SCALE_M, false);
        self.quantised[columns.bearing + row] = self.bearing(point, error_rad);
    }

    #[inline]
    fn bearing(&self, point: [f64; 2], error_rad: f64) -> u32 {
        encode(wrap_angle(self.eye.bearing_rad(point) + error_rad), BEARING_SCALE_RAD, true)
    }
}

touchline_plugin_api::export_sensor!(Camera);

#[cfg(test)]
mod tests;
