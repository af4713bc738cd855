//! Passing: four robots pass a ball on, each touches it, and the last one scores. (CH24)
//!
//! One attempt in each world. Measured are `score`, the time of a goal after all four have touched the ball, or else a number above all such times, and
//! `passes`, how many robots have passed the ball.
//!
//! # Invariants
//! - Where everybody begins depends on the world's seed alone: it is drawn in the first step.
//! - It judges what is really so, and counts no touch of two robots that are close to each other.
//!
//! # Source
//! The challenge of the RoboCup 3D simulation league, as magmaChallenge's `PassingBenchmarkReferee` has it (2017): what a touch, a pass and the score are.

#![forbid(unsafe_code)]

mod params;

use bytemuck::{Pod, Zeroable};
pub use params::PassingRules;
use serde_json::json;
use touchline_kit::challenge::{
    self, Clock, OVER, Outcome, PLACED, STARTED, distance_m, own_robots, place_of, speed_m_s,
};
use touchline_plugin_api::game::{GameDescription, GameValue};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::view::{NONE, Object};

/// How many play.
const PLAYERS: usize = 4;
/// A ball that gains less speed in a step was not touched, m/s.
const TOUCH_M_S: f64 = 0.01;
/// A robot that has not touched the ball, has touched it, has passed it on.
const NEUTRAL: u32 = 0;
const TOUCHED: u32 = 1;
const PASSED: u32 = 2;

pub struct Passing {
    rules: PassingRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Attempt {
    /// Where the ball was when it was touched last, metres.
    touched: [f64; 2],
    /// Where the ball was in the last step, metres.
    ball: [f64; 2],
    /// How fast it was then, m/s.
    speed_m_s: f64,
    clock: Clock,
    /// What each player has done, in the order of the robots.
    done: [u32; PLAYERS],
    /// Who has touched it last, or [`NONE`].
    last: u32,
    /// Nothing; keeps the record's length a multiple of eight.
    reserved: u32,
}

impl Referee for Passing {
    const NAME: &'static str = "challenge-passing";
    const SUMMARY: &'static str = "Passing: how soon do four robots pass a ball on, and score.";
    type Params = PassingRules;
    type State = Attempt;

    fn new(rules: PassingRules, setup: &RefereeSetup) -> Result<Self, SetupError> {
        rules.check()?;
        challenge::require_ball_and_robots(setup, &[PLAYERS])?;
        Ok(Self { rules })
    }

    fn description(&self) -> GameDescription {
        let values = vec![GameValue { name: "passes".into(), unit: String::new(), initial: 0.0 }];
        GameDescription { values, ..GameDescription::of_phases(&challenge::PHASES) }
    }

    fn initial_state(&self) -> Attempt {
        Attempt { last: NONE, ..Attempt::zeroed() }
    }

    fn judge(&self, state: &mut Attempt, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if state.clock.phase == OVER {
            return Ok(());
        }
        let players: Vec<&Object> = own_robots(&input.view).take(PLAYERS).collect();
        let (PLAYERS, Some(ball)) = (players.len(), input.view.balls().next()) else { return Ok(()) };
        state.clock.tick(input.dt_secs);
        match state.clock.phase {
            0 => self.place(state, &players, ball, input, orders),
            PLACED => state.clock.enter(STARTED),
            _ => {
                self.note_touch(state, &players, ball);
                self.watch(state, ball, input.dt_secs, orders);
            }
        }
        (state.ball, state.speed_m_s) = (place_of(ball), speed_m_s(ball));
        state.clock.publish(&[f64::from(passes(state))], input, orders);
        Ok(())
    }
}

impl Passing {
    fn place(
        &self,
        state: &mut Attempt,
        players: &[&Object],
        ball: &Object,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) {
        let PassingRules { first_x_m, apart_x_m, side_m, ahead_m, .. } = self.rules;
        let mut noise = input.noise.stream();
        for (place, player) in players.iter().enumerate() {
            let at = [first_x_m + place as f64 * apart_x_m, noise.uniform(-side_m, side_m)];
            orders.place_robot(player.number, Pose2::new(at[0], at[1], 0.0));
            if place == 0 {
                state.touched = [at[0] + ahead_m, at[1]];
                orders.place_ball(ball.number, state.touched, [0.0; 2]);
            }
        }
        let [x, y] = [self.rules.goal_x_m, self.rules.goal_width_m / 2.0];
        orders.annotate("goal", &json!({ "line": [[x, -y], [x, y]], "colour": "#00ff00" }));
        state.clock.enter(PLACED);
    }

    /// A touch: the robot that is nearest to the ball is near it, alone, and the ball has got faster.
    fn note_touch(&self, state: &mut Attempt, players: &[&Object], ball: &Object) {
        let away_m = |player: &Object| distance_m(place_of(player), state.ball);
        let nearest = (0..PLAYERS).min_by(|&a, &b| away_m(players[a]).total_cmp(&away_m(players[b])));
        let Some(own) = nearest else { return };
        let is_near = away_m(players[own]) <= self.rules.touch_m;
        let has_gained = speed_m_s(ball) > state.speed_m_s + TOUCH_M_S;
        let gap_m = |other: usize| distance_m(place_of(players[other]), place_of(players[own]));
        let is_alone = (0..PLAYERS).all(|other| other == own || gap_m(other) >= self.rules.clear_m);
        if !is_near || !has_gained || !is_alone {
            return;
        }
        let last = state.last as usize;
        if state.last != NONE && last != own && state.done[last] == TOUCHED {
            let is_pass = distance_m(place_of(ball), state.touched) > self.rules.pass_m;
            state.done[last] = if is_pass { PASSED } else { NEUTRAL };
        }
        (state.last, state.touched) = (own as u32, place_of(ball));
        if state.done[own] != PASSED {
            state.done[own] = TOUCHED;
        }
    }

    fn watch(&self, state: &mut Attempt, ball: &Object, dt_secs: f64, orders: &mut Orders) {
        let PassingRules { goal_x_m, goal_width_m, end_x_m, end_y_m, play_secs, .. } = self.rules;
        let [x_m, y_m] = place_of(ball);
        let is_goal = x_m > goal_x_m + ball.radius_m && y_m.abs() < goal_width_m / 2.0;
        let is_out = x_m.abs() > end_x_m + ball.radius_m || y_m.abs() > end_y_m + ball.radius_m;
        let (word, text) = if is_goal {
            ("goal", "the ball is in the goal")
        } else if is_out {
            ("out", "the ball has left the field")
        } else if state.clock.is_over(play_secs, dt_secs) {
            ("time", "time is up")
        } else {
            return;
        };
        let passes = passes(state);
        let has_touched = state.last != NONE && state.done[state.last as usize] == TOUCHED;
        let is_whole = is_goal && passes as usize == PLAYERS - 1 && has_touched;
        let score = if is_whole || passes as usize == PLAYERS {
            state.clock.secs
        } else {
            self.rules.worst_secs - f64::from(passes) - f64::from(u8::from(is_goal))
        };
        orders.measure("passes", f64::from(passes), "");
        Outcome { word, text, score, unit: "s", penalties: 0 }.finish(&mut state.clock, orders);
    }
}

/// How many have passed the ball on.
fn passes(state: &Attempt) -> u32 {
    state.done.iter().filter(|done| **done == PASSED).count() as u32
}

touchline_plugin_api::export_referee!(Passing);

#[cfg(test)]
mod tests;
