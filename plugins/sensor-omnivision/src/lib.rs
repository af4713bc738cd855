//! An iconic camera that looks into a mirror above it: ball, goals, posts, robots and field lines, all round. (S3)
//!
//! No image is made. What lies in view and within range is a sighting, as from a camera, with the errors of a mirror.
//! The field's lines are looked for along scan lines that go out from the middle of the picture. Each feature draws
//! from a stream of its own, so that its noise does not depend on which others are asked for.
//!
//! # Not here
//! Fields of view and occlusion of balls: `touchline_kit::visibility`.

#![forbid(unsafe_code)]

mod lines;
mod params;
mod things;

use lines::Floor;
pub use params::{OmnivisionParams, Thing};
use things::Look;
use touchline_kit::data::{
    BallSighting, DataError, DataObject, GoalSightings, LineCrossings, PostSightings, RobotSightings,
};
use touchline_kit::rays::FanTable;
use touchline_kit::visibility::{Eye, FieldOfView};
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::layout::{Feature, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;

pub struct Omnivision {
    params: OmnivisionParams,
    field: FieldOfView,
    /// Directions of the scan lines.
    fan: FanTable,
    teams: usize,
    height_m: f64,
    layout: Layout,
}

impl Sensor for Omnivision {
    const NAME: &'static str = "omnivision";
    const SUMMARY: &'static str =
        "Iconic mirror camera: ball, goals, posts, robots and field lines, all round.";
    const TYPE: &'static str = "omnivision";
    const SERVES_ALL: bool = true;
    type Params = OmnivisionParams;
    type State = Stateless;

    fn new(params: Self::Params, setup: &SensorSetup) -> Result<Self, SetupError> {
        let (teams, height_m) = (setup.teams.len(), setup.mount.z_m);
        params.check(height_m)?;
        let view_rad = params.view_rad();
        let fan = FanTable::centred(view_rad, params.line_rays as usize)
            .ok_or_else(|| SetupError::param("field_of_view_rad", "no fan has this angle"))?;
        let feature = |thing: &Thing| match thing {
            Thing::Ball => BallSighting::feature(),
            Thing::Goals => GoalSightings::feature(teams as u32),
            Thing::Posts => PostSightings::feature(params.max_posts),
            Thing::Robots => RobotSightings::feature(params.max_robots),
            Thing::Lines => LineCrossings::feature(params.line_rays, params.line_crossings),
        };
        let layout = Layout { features: params.features.iter().map(feature).collect() };
        let field = FieldOfView::new(view_rad, params.range_max_m);
        Ok(Self { params, field, fan, teams, height_m, layout })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let mut rest = quantised;
        for (thing, feature) in self.params.features.iter().zip(&self.layout.features) {
            let (quantised, others) = rest.split_at_mut(feature.len());
            rest = others;
            let mut look = Look {
                params: &self.params,
                input,
                eye: Eye::with_field(input.sensor_pose, self.field),
                height_m: self.height_m,
                noise: input.noise.split(*thing as u64).stream(),
            };
            let written: Result<(), DataError> = match thing {
                Thing::Ball => look.ball().encode(feature, quantised),
                Thing::Goals => look.goals(self.teams).encode(feature, quantised),
                Thing::Posts => look.posts().encode(feature, quantised),
                Thing::Robots => look.robots().encode(feature, quantised),
                Thing::Lines => self.lines(&mut look, feature, quantised),
            };
            written.map_err(|error| Fault::new(error.to_string()))?;
        }
        Ok(())
    }
}

impl Omnivision {
    /// Writes the crossings one by one: a list for each of the scan lines would cost more than to find them.
    fn lines(&self, look: &mut Look<'_>, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        let OmnivisionParams { line_range_min_m, line_range_max_m, .. } = self.params;
        let (view, pose) = (&look.input.view, look.input.sensor_pose);
        let range_m = [line_range_min_m, line_range_max_m];
        let mut floor = Floor::new(view, [pose.x_m, pose.y_m], self.height_m, range_m);
        if self.params.occlusion {
            floor = floor.with_screens(view, look.input.robot_object);
        }
        let (angle_min_rad, angle_step_rad) = (self.fan.angle_min_rad(), self.fan.angle_step_rad());
        LineCrossings { angle_min_rad, angle_step_rad, distances_m: Vec::new() }
            .encode(feature, quantised)?;
        let Some((start, field)) = feature.field("distances") else { return Ok(()) };
        let rows = quantised[start..].chunks_exact_mut(self.params.line_crossings.max(1) as usize);
        let mut spans = Vec::new();
        for (index, row) in rows.enumerate().take(self.fan.len()) {
            let (sin, cos) = sin_cos(pose.theta_rad + angle_min_rad + index as f64 * angle_step_rad);
            let crossings = floor.crossings([cos, sin], &mut spans);
            let recognised = crossings.filter_map(|distance_m| look.recognised_distance_m(distance_m));
            for (count, distance_m) in row.iter_mut().zip(recognised) {
                *count = field.encode(distance_m);
            }
        }
        Ok(())
    }
}

touchline_plugin_api::export_sensor!(Omnivision);

#[cfg(test)]
mod tests;
