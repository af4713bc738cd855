//! Where it believes to be: landmarks and walls of the map against what is seen. (L3)

use crate::eyes::{Eyes, Scan};
use crate::params::WandererParams;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use touchline_kit::visibility::GoalMouth;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::Noise;
use touchline_plugin_api::player::PlayerInput;
use touchline_plugin_api::view::{Role, WorldView};
use touchline_skills::localisation::{
    Area, Beams, Belief, BeliefParams, Estimate, Landmarks, Model, Seen, SightingNoise,
};

/// The time between two updates, seconds.
const PERIOD_SECS: f64 = 0.1;
/// What is farther is not compared: the beams of a laser, metres.
const BEAM_RANGE_M: f64 = 8.0;

/// How wrong a beam may be, metres: much more than a laser is, since a sample that is nearly right has to survive until
/// its copies are.
const BEAM_SIGMA_M: f64 = 0.3;
/// Who has seen no goal for so long looks round for one, seconds: without, the two halves of a field look alike.
const LOOK_ROUND_SECS: f64 = 2.0;

/// What is remembered of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Whereabouts {
    belief: Option<Belief>,
    /// The pose in the odometry frame at the last update.
    last: Option<Pose2>,
    since_secs: f64,
    /// How long no goal was seen, seconds.
    goalless_secs: f64,
}

impl Whereabouts {
    /// Follows what was driven and seen; gives a new estimate when there is one.
    ///
    /// The map is what the world's fixtures are: a robot is given it beforehand.
    pub fn update(
        &mut self,
        params: &WandererParams,
        eyes: &Eyes,
        input: &PlayerInput<'_>,
        noise: &mut Noise,
    ) -> Option<Estimate> {
        self.since_secs += input.elapsed_secs;
        self.goalless_secs += input.elapsed_secs;
        let odometry = eyes.odometry(&input.readings)?;
        let last = *self.last.get_or_insert(odometry);
        let belief = self.belief.get_or_insert_with(|| {
            let belief = BeliefParams { samples: params.samples as usize, ..BeliefParams::default() };
            Belief::everywhere(area(&input.view), belief, noise)
        });
        if self.since_secs < PERIOD_SECS {
            return None;
        }
        (self.since_secs, self.last) = (0.0, Some(odometry));
        belief.predict(last.relative(odometry), noise);

        let sighting = SightingNoise {
            sigma_bearing_rad: params.sigma_bearing_rad,
            sigma_distance_relative: params.sigma_distance_relative,
            sigma_distance_m: 0.05,
        };
        let (places, seen_goals) = paired(&goal_places(&input.view), &eyes.goals(&input.readings));
        let goals = Landmarks::labelled(&places, sighting).weigh(&seen_goals);
        // What the camera does not know at all is not looked for.
        if seen_goals.is_empty() || seen_goals.iter().any(Option::is_some) {
            self.goalless_secs = 0.0;
        }
        let posts = Landmarks::alike(&post_places(&input.view), sighting).weigh(&eyes.posts(&input.readings));
        let scan = eyes.scan(&input.readings).and_then(|scan| Thinned::of(&scan, params.beams as usize));
        let walls = scan.as_ref().map(|scan| scan.beams.weigh(&input.view, &scan.ranges_m));
        let mut models: Vec<&dyn Model> = vec![&goals, &posts];
        if let Some(walls) = &walls {
            models.push(walls);
        }
        belief.correct(&models, noise);
        Some(belief.estimate())
    }

    /// Whether it should stop and turn round, to see something that tells where it is.
    pub fn wants_to_look_round(&self) -> bool {
        self.goalless_secs > LOOK_ROUND_SECS
    }

    /// What it shows of its belief: some of the samples, as drawings in the world frame.
    pub fn drawing(&self, shown: usize) -> Value {
        let Some(belief) = &self.belief else { return Value::Null };
        let samples = belief.samples();
        let stride = (samples.len() / shown.max(1)).max(1);
        let rounded = |number: f64| (number * 1000.0).round() / 1000.0;
        let poses: Vec<Value> = (0..samples.len())
            .step_by(stride)
            .map(|index| samples.get(index))
            .map(|pose| json!([rounded(pose.x_m), rounded(pose.y_m), rounded(pose.theta_rad)]))
            .collect();
        json!({ "poses": poses, "frame": "world", "colour": "#ff9900" })
    }
}

/// Every n-th beam of a scan.
struct Thinned {
    beams: Beams,
    ranges_m: Vec<f64>,
}

impl Thinned {
    fn of(scan: &Scan, wanted: usize) -> Option<Self> {
        if wanted == 0 {
            return None;
        }
        let stride = scan.scan.ranges_m.len().div_ceil(wanted).max(1);
        let ranges_m: Vec<f64> = scan.scan.ranges_m.iter().copied().step_by(stride).collect();
        let step_rad = scan.scan.angle_step_rad * stride as f64;
        let place = (scan.mount, scan.z_m);
        let beams =
            Beams::new(scan.scan.angle_min_rad, step_rad, ranges_m.len(), place, BEAM_RANGE_M, BEAM_SIGMA_M)?;
        Some(Self { beams, ranges_m })
    }
}

/// Where robots can be: within the bounds of the fixtures.
fn area(view: &WorldView<'_>) -> Area {
    let fixtures = view.objects.first().map_or(&view.shapes[..0], |fixtures| view.shapes_of(fixtures));
    let bound = |start: f64, pick: fn(f64, f64) -> f64, of: fn(&touchline_plugin_api::view::Shape) -> f64| {
        fixtures.iter().map(of).fold(start, pick)
    };
    let (inf, none) = (f64::INFINITY, f64::NEG_INFINITY);
    let low = [bound(inf, f64::min, |shape| shape.x_m), bound(inf, f64::min, |shape| shape.y_m)];
    let high = [bound(none, f64::max, |shape| shape.x_m), bound(none, f64::max, |shape| shape.y_m)];
    if low[0] < high[0] && low[1] < high[1] {
        Area { low, high }
    } else {
        Area { low: [-10.0; 2], high: [10.0; 2] }
    }
}

/// The middle of each goal line, with the team whose goal it is.
fn goal_places(view: &WorldView<'_>) -> Vec<(u32, [f64; 2])> {
    view.landmarks(Role::Goal).map(|goal| (goal.team, GoalMouth::of(goal).centre)).collect()
}

/// Places of goals, and what was seen of each: row n of the sightings is of team n's goal. A team without a goal says nothing, and neither does one with several: which of them
/// was seen is not known.
pub fn paired(goals: &[(u32, [f64; 2])], rows: &[Option<Seen>]) -> (Vec<[f64; 2]>, Vec<Option<Seen>>) {
    let place_of = |team: u32| {
        let mut places = goals.iter().filter(|(owner, _)| *owner == team).map(|(_, place)| *place);
        places.next().filter(|_| places.next().is_none())
    };
    (0..).zip(rows).filter_map(|(team, seen)| Some((place_of(team)?, *seen))).unzip()
}

fn post_places(view: &WorldView<'_>) -> Vec<[f64; 2]> {
    view.landmarks(Role::Pole).map(|post| [post.x_m, post.y_m]).collect()
}
