//! Keep-away: three keepers keep a ball from a taker, in a square that shrinks. (CH23)
//!
//! One attempt in each world. The keepers are the first three robots of the first team, the taker is the first of the second. The attempt ends when the
//! ball is outside of the square or the taker has it. Measured is `score`, how long that took.
//!
//! # Invariants
//! - Where everybody begins depends on the world's seed alone: it is drawn in the first step.
//! - How large the square is, is said in the game's state as `half-side`: half of its side, metres.
//!
//! # Source
//! The challenge of the RoboCup 3D simulation league; the square and how fast it shrinks are those of magmaChallenge's keep-away challenge (2016 to
//! 2017). There the taker is a program of the organisers; here it is whatever drives the world's robot.

#![forbid(unsafe_code)]

mod params;

use bytemuck::{Pod, Zeroable};
pub use params::KeepAwayRules;
use serde_json::json;
use touchline_kit::challenge::{
    self, Clock, OVER, Outcome, PLACED, STARTED, distance_m, own_robots, place_of,
};
use touchline_plugin_api::game::{GameDescription, GameValue};
use touchline_plugin_api::geometry::{Pose2, sin_cos, wrap_angle};
use touchline_plugin_api::noise::Noise;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::view::Object;

/// How many keep.
const KEEPERS: usize = 3;
/// The square is drawn anew so often, seconds.
const DRAW_SECS: f64 = 1.0;

pub struct KeepAway {
    rules: KeepAwayRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attempt {
    /// When the square is drawn next, seconds of the clock.
    draw_secs: f64,
    clock: Clock,
}

impl Referee for KeepAway {
    const NAME: &'static str = "challenge-keep-away";
    const SUMMARY: &'static str = "Keep-away: how long do three keep a ball from one.";
    type Params = KeepAwayRules;
    type State = Attempt;

    fn new(rules: KeepAwayRules, setup: &RefereeSetup) -> Result<Self, SetupError> {
        rules.check()?;
        challenge::require_ball_and_robots(setup, &[KEEPERS, 1])?;
        Ok(Self { rules })
    }

    fn description(&self) -> GameDescription {
        let initial = self.rules.side_m / 2.0;
        let values = vec![GameValue { name: "half-side".into(), unit: "m".into(), initial }];
        GameDescription { values, ..GameDescription::of_phases(&challenge::PHASES) }
    }

    fn initial_state(&self) -> Attempt {
        Attempt::default()
    }

    fn judge(&self, state: &mut Attempt, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if state.clock.phase == OVER {
            return Ok(());
        }
        let taker = input.view.robots().find(|robot| robot.team == 1);
        // Without one of them there is nothing to judge: the attempt ends by its time.
        let (Some(taker), Some(ball)) = (taker, input.view.balls().next()) else { return Ok(()) };
        state.clock.tick(input.dt_secs);
        match state.clock.phase {
            0 => self.place(state, taker, ball, input, orders),
            PLACED if state.clock.is_over(self.rules.ready_secs, input.dt_secs) => {
                orders.hold_robot(taker.number, false);
                state.clock.enter(STARTED);
            }
            STARTED => self.watch(state, taker, ball, orders),
            _ => {}
        }
        state.clock.publish(&[self.half_m(state)], input, orders);
        Ok(())
    }
}

impl KeepAway {
    /// Half of the square's side, metres.
    fn half_m(&self, state: &Attempt) -> f64 {
        let secs = if state.clock.phase >= STARTED { state.clock.secs } else { 0.0 };
        (self.rules.side_m - self.rules.shrink_m_per_min * secs / 60.0).max(0.0) / 2.0
    }

    fn place(
        &self,
        state: &mut Attempt,
        taker: &Object,
        ball: &Object,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) {
        let KeepAwayRules { side_m, ring_part, scatter_m, ahead_m, .. } = self.rules;
        let mut noise = input.noise.stream();
        let scatter = |noise: &mut Noise| noise.uniform(-scatter_m, scatter_m);
        let turn_rad = noise.uniform(0.0, std::f64::consts::TAU);
        for (place, keeper) in own_robots(&input.view).take(KEEPERS).enumerate() {
            let bearing_rad = turn_rad + place as f64 * std::f64::consts::TAU / KEEPERS as f64;
            let (sin, cos) = sin_cos(bearing_rad);
            let far_m = ring_part * side_m / 2.0;
            let at = [far_m * cos + scatter(&mut noise), far_m * sin + scatter(&mut noise)];
            // They look to the middle.
            let facing_rad = wrap_angle(bearing_rad + std::f64::consts::PI);
            orders.place_robot(keeper.number, Pose2::new(at[0], at[1], facing_rad));
            if place == 0 {
                let (sin, cos) = sin_cos(facing_rad);
                orders.place_ball(ball.number, [at[0] + ahead_m * cos, at[1] + ahead_m * sin], [0.0; 2]);
            }
        }
        let [x_m, y_m] = [scatter(&mut noise), scatter(&mut noise)];
        orders.place_robot(taker.number, Pose2::new(x_m, y_m, turn_rad));
        orders.hold_robot(taker.number, true);
        state.clock.enter(PLACED);
        self.draw(state, orders);
    }

    fn draw(&self, state: &Attempt, orders: &mut Orders) {
        let h = self.half_m(state);
        orders.annotate(
            "area",
            &json!({ "line": [[h, h], [-h, h], [-h, -h], [h, -h], [h, h]], "colour": "#ff0000" }),
        );
    }

    fn watch(&self, state: &mut Attempt, taker: &Object, ball: &Object, orders: &mut Orders) {
        if state.clock.secs >= state.draw_secs {
            self.draw(state, orders);
            state.draw_secs += DRAW_SECS;
        }
        let half_m = self.half_m(state);
        let has_m = taker.radius_m + ball.radius_m + self.rules.take_m;
        let (word, text) = if ball.pose.x_m.abs() > half_m || ball.pose.y_m.abs() > half_m {
            ("out", "the ball has left the square")
        } else if distance_m(place_of(taker), place_of(ball)) <= has_m {
            ("taken", "the taker has the ball")
        } else {
            return;
        };
        let score = state.clock.secs;
        Outcome { word, text, score, unit: "s", penalties: 0 }.finish(&mut state.clock, orders);
    }
}

touchline_plugin_api::export_referee!(KeepAway);

#[cfg(test)]
mod tests;
