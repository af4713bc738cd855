//! What an agent of half field offense observes: the benchmark's low-level or high-level features. \[P3\]
//!
//! Exact, of the whole field; the features are [`touchline_soccer_team::half_field`]'s, in the benchmark's own frame (that of the Soccer Server: y to the right, angles
//! clockwise). Each player has a feature of its own, so that a world observes as many as it has.

#![forbid(unsafe_code)]

mod form;

use form::{Form, form};
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::PI;
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_plugin_api::view::{NONE, Object};
use touchline_soccer_law::body::kickable_distance;
use touchline_soccer_law::face::{CYCLE_SECS, Datum, Side, state};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;
use touchline_soccer_team::half_field::{Observed, Other, Own};

/// What stands in the robot file's table.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HalfFieldParams {
    /// Which features it tells.
    pub features: Features,
    /// The parameters of the game that the referee has under the same names.
    pub server: ServerParams,
}

/// Which features are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Features {
    /// Angles and proximities of all that is on the field, egocentric.
    #[default]
    LowLevel,
    /// Places, and how much of the goal and of the lanes to mates is open.
    HighLevel,
}

/// The sensor.
pub struct HalfField {
    server: ServerParams,
    kind: PlayerType,
    form: Form,
    /// Places of the motion data, in the order of [`Datum::ALL`].
    data: Vec<Option<usize>>,
}

impl Sensor for HalfField {
    const NAME: &'static str = "half-field";
    const SUMMARY: &'static str = "The features of half field offense, low-level or high-level.";
    const TYPE: &'static str = "half-field";
    const SERVES_ALL: bool = true;
    type Params = HalfFieldParams;
    type State = Stateless;

    fn new(params: HalfFieldParams, setup: &SensorSetup) -> Result<Self, SetupError> {
        params.server.check().map_err(|error| SetupError::new(error.to_string()))?;
        let place = |datum: &Datum| setup.motion.data.iter().position(|other| other.name == datum.name());
        Ok(Self {
            kind: PlayerType::default_of(&params.server),
            form: form(params.features),
            data: Datum::ALL.iter().map(place).collect(),
            server: params.server,
        })
    }

    fn layout(&self) -> Layout {
        self.form.layout.clone()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        // Without a ball and a body of its own there is nothing to be read.
        let observed = self.observe(input);
        let numbers = observed.map(|observed| self.form.numbers(&self.server, &observed));
        for (place, (count, field)) in quantised.iter_mut().zip(self.form.fields()).enumerate() {
            *count = field.encode(numbers.as_ref().map_or(f64::INFINITY, |numbers| numbers[place]));
        }
        Ok(())
    }
}

impl HalfField {
    fn observe(&self, input: &SensorInput<'_>) -> Option<Observed> {
        let ball = input.view.balls().next()?;
        let me = input.view.objects.get(input.robot_object as usize)?;
        let side = Side::of_team(me.team)?;
        let datum = |datum: Datum| {
            let place = self.data[datum.index()];
            place.and_then(|place| input.motion_data.get(place)).copied().unwrap_or(0.0)
        };
        let bits = datum(Datum::State) as u32;
        let is = |bit: u32| bits & bit != 0;
        // As there, high-level features are in the frame of the agent's team: its own goal is at x < 0.
        let turns = self.form.features == Features::HighLevel && side == Side::Right;
        let seen = |object: &Object, unum: f64| seen(object, unum, turns);
        let (own, ball) = (seen(me, 0.0), seen(ball, 0.0));
        let [x, y] = [0, 1].map(|axis| own.place[axis] - ball.place[axis]);
        let reach_m = kickable_distance(&self.server, &self.kind);
        let own = Own {
            place: own.place,
            velocity: own.velocity,
            heading_rad: own.heading_rad,
            stamina: datum(Datum::Stamina),
            is_frozen: datum(Datum::TackleCycles) + datum(Datum::FoulCycles) > 0.0,
            collides: [state::BALL_COLLIDE, state::PLAYER_COLLIDE, state::POST_COLLIDE].map(is),
            can_kick: x * x + y * y <= reach_m * reach_m,
            had_success: !is(state::KICK_FAULT | state::TACKLE_FAULT | state::CATCH_FAULT),
            is_offense: side == Side::Left,
        };
        let (mut mates, mut opponents) = (Vec::new(), Vec::new());
        for robot in input.view.robots() {
            let Some(of) = Side::of_team(robot.team) else { continue };
            let unum = if robot.shirt == NONE { f64::INFINITY } else { f64::from(robot.shirt) };
            match () {
                () if robot.number == input.robot => {}
                () if of == side => mates.push(seen(robot, unum)),
                () => opponents.push(seen(robot, unum)),
            }
        }
        Some(Observed::new(own, (ball.place, ball.velocity), mates, opponents))
    }
}

/// In the server's frame and units, turned by half a turn or not.
fn seen(object: &Object, unum: f64, turns: bool) -> Other {
    let (sign, turn_rad) = if turns { (-1.0, PI) } else { (1.0, 0.0) };
    let Object { pose, twist, .. } = object;
    Other {
        unum,
        place: [sign * pose.x_m, -sign * pose.y_m],
        velocity: [sign * twist.x_m_s * CYCLE_SECS, -sign * twist.y_m_s * CYCLE_SECS],
        heading_rad: turn_rad - pose.theta_rad,
    }
}

touchline_plugin_api::export_sensor!(HalfField);

#[cfg(test)]
mod tests;
