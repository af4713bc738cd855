//! What a player of the RoboCup Soccer Server knows of its own body: `sense_body`, and the numbers of its type. \[P3\]
//!
//! Exact but for what that server rounds: the speed to 0.01 metres a cycle, directions to whole degrees towards zero.
//!
//! # Not here
//! What a client keeps itself: counts of its commands, arm, focus of its ears. Recovery, which nobody is told.

#![forbid(unsafe_code)]

mod params;

pub use params::SenseBodyParams;

use std::f64::consts::{PI, TAU};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_soccer_law::face::{CYCLE_SECS, Datum, state};
use touchline_soccer_law::player_type::{PlayerType, player_types, types_seed};

const DEGREE_RAD: f64 = PI / 180.0;
/// The server tells speeds in this step, metres a cycle.
const SPEED_STEP_M: f64 = 0.01;
/// Of the numbers of a type.
const TYPE_SCALE: f64 = 1e-6;

/// The sensor.
pub struct SenseBody {
    types: Vec<PlayerType>,
    layout: Layout,
    /// Places of the motion data, in the order of [`Datum::ALL`].
    data: Vec<Option<usize>>,
}

impl Sensor for SenseBody {
    const NAME: &'static str = "sense-body";
    const SUMMARY: &'static str = "What a player of the RoboCup Soccer Server knows of its body.";
    const TYPE: &'static str = "soccer-body";
    const SERVES_ALL: bool = true;
    type Params = SenseBodyParams;
    type State = Stateless;

    fn new(params: SenseBodyParams, setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let types = player_types(&params.server, &params.player, types_seed(&params.player, 0) as u64);
        let place = |datum: &Datum| setup.motion.data.iter().position(|other| other.name == datum.name());
        let layout = Layout { features: vec![body_feature(), type_feature(&types[0])] };
        Ok(Self { types, layout, data: Datum::ALL.iter().map(place).collect() })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let datum = |datum: Datum| {
            let place = self.data[datum.index()];
            place.and_then(|place| input.motion_data.get(place)).copied().unwrap_or(0.0)
        };
        let own = input.view.objects.get(input.robot_object as usize);
        let own = own.ok_or_else(|| Fault::new("the robot is not in the view"))?;
        let velocity = [own.twist.x_m_s * CYCLE_SECS, own.twist.y_m_s * CYCLE_SECS];
        let speed = libm::rint(libm::hypot(velocity[0], velocity[1]) / SPEED_STEP_M) * SPEED_STEP_M;
        let face_rad = own.pose.theta_rad + datum(Datum::Neck);
        let direction_rad = libm::atan2(velocity[1], velocity[0]) - face_rad;
        let bits = datum(Datum::State) as u32;
        let collisions = [state::BALL_COLLIDE, state::PLAYER_COLLIDE, state::POST_COLLIDE];
        let collision: u32 =
            (0..).zip(collisions).map(|(place, bit)| u32::from(bits & bit != 0) << place).sum();
        let card = match () {
            () if bits & state::RED_CARD != 0 => 2.0,
            () if bits & state::YELLOW_CARD != 0 => 1.0,
            () => 0.0,
        };
        let type_id = datum(Datum::PlayerType).max(0.0);
        let body = [
            datum(Datum::Stamina),
            datum(Datum::Effort),
            datum(Datum::Capacity),
            speed / CYCLE_SECS,
            whole_degrees(direction_rad - libm::rint(direction_rad / TAU) * TAU),
            whole_degrees(datum(Datum::Neck)),
            datum(Datum::TackleCycles),
            datum(Datum::FoulCycles),
            f64::from(collision),
            card,
            datum(Datum::Unum),
            type_id,
            f64::from(bits & state::GOALIE != 0),
        ];
        let kind = self.types.get(type_id as usize).unwrap_or(&self.types[0]);
        let own_type = type_numbers(kind);
        let values = body.into_iter().chain(own_type.into_iter().map(|(_, _, value)| value));
        let fields = self.layout.features.iter().flat_map(|feature| &feature.fields);
        for ((count, field), value) in quantised.iter_mut().zip(fields).zip(values) {
            *count = field.encode(value);
        }
        Ok(())
    }
}

/// Whole degrees towards zero, as radians.
fn whole_degrees(angle_rad: f64) -> f64 {
    libm::trunc(angle_rad.to_degrees()) * DEGREE_RAD
}

/// `sense_body`. Directions are counter-clockwise, from the neck line (`speed_direction`) and from the body (`head_angle`).
fn body_feature() -> Feature {
    let whole = |name: &str| Field::unsigned(name, "1", 1.0, &[]);
    let cycles = |name: &str| Field::unsigned(name, "cycles", 1.0, &[]);
    let angle = |name: &str| Field::signed(name, "rad", DEGREE_RAD, &[]);
    Feature::new(
        "sense_body",
        vec![
            Field::unsigned("stamina", "1", 1e-3, &[]),
            Field::unsigned("effort", "1", 1e-6, &[]),
            Field::signed("capacity", "1", 1e-3, &[]),
            Field::unsigned("speed", "m/s", SPEED_STEP_M / CYCLE_SECS, &[]),
            angle("speed_direction"),
            angle("head_angle"),
            cycles("tackle_cycles"),
            cycles("foul_cycles"),
            whole("collision"),
            whole("card"),
            whole("unum"),
            whole("player_type"),
            whole("is_goalie"),
        ],
    )
}

/// `player_type`: what the type of the player can do.
fn type_feature(any: &PlayerType) -> Feature {
    let field = |(name, unit, _): (&str, &str, f64)| Field::unsigned(name, unit, TYPE_SCALE, &[]);
    Feature::new("player_type", type_numbers(any).into_iter().map(field).collect())
}

/// Name, unit and value; names and units are that server's, a speed is in metres a cycle.
fn type_numbers(kind: &PlayerType) -> [(&'static str, &'static str, f64); 14] {
    [
        ("player_speed_max", "m/cycle", kind.player_speed_max),
        ("stamina_inc_max", "1", kind.stamina_inc_max),
        ("player_decay", "1", kind.player_decay),
        ("inertia_moment", "1", kind.inertia_moment),
        ("dash_power_rate", "1", kind.dash_power_rate),
        ("player_size", "m", kind.player_size),
        ("kickable_margin", "m", kind.kickable_margin),
        ("kick_rand", "1", kind.kick_rand),
        ("extra_stamina", "1", kind.extra_stamina),
        ("effort_max", "1", kind.effort_max),
        ("effort_min", "1", kind.effort_min),
        ("kick_power_rate", "1", kind.kick_power_rate),
        ("foul_detect_probability", "1", kind.foul_detect_probability),
        ("catchable_area_l_stretch", "1", kind.catchable_area_l_stretch),
    ]
}

touchline_plugin_api::export_sensor!(SenseBody);

#[cfg(test)]
mod tests;
