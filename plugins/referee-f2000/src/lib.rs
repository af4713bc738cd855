//! The rules of the F2000 league, as far as a machine can judge them. (G1)
//!
//! It keeps score and clock, brings the ball back when it leaves the field, resets everything after a goal, drops
//! the ball where it is stuck, and ends the halves. [`rules`] says what happens when; [`field`] where the ball goes;
//! [`reward`] what learners are paid.
//!
//! # Invariants
//! - A goal counts once: only in play, and after it the game waits for a kick-off.
//! - Only the ball is ever placed during play; robots outside the field stay there.
//! - What one team is paid the other pays: rewards are zero-sum, and those for ways pay nothing for going back and forth.
//!
//! # Not here
//! Fouls, cards, offside. Teams do not change sides at half time: goals belong to teams in the world file.

#![forbid(unsafe_code)]

mod command;
mod field;
mod params;
mod phase;
mod reward;
mod rules;

use bytemuck::{Pod, Zeroable};
use field::Field;
pub use params::F2000Params;
use std::sync::OnceLock;
use touchline_plugin_api::game::{GameDescription, GameState};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{PrepareInput, Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::view::NONE;

pub struct F2000 {
    params: F2000Params,
    field: Field,
    teams: [String; 2],
    first_kick_off: u32,
    /// What the fixtures are called.
    fixtures: Vec<String>,
    /// Where the goals are among the fixtures, which stay as they are: found once.
    goals: OnceLock<Box<[u32]>>,
}

/// What it remembers beside the game's own state.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct F2000State {
    /// Where the first ball was when it last moved, metres.
    ball_anchor: [f64; 2],
    /// How long the ball has been there, seconds.
    still_secs: f64,
    /// How long the phase has lasted, seconds.
    phase_secs: f64,
    /// The clock when this half began, seconds.
    half_began_secs: f64,
    /// 1 once the match was opened.
    opened: u32,
    /// 1 if `ball_anchor` is known.
    anchored: u32,
    /// How far the first ball was on its way from the first team's goal to the second's, metres.
    ball_way_m: f64,
    /// 1 if `ball_way_m` is known.
    has_way: u32,
    /// 1 once a goal has ended the episode; until the objects are reset nothing is judged.
    is_over: u32,
    /// Which reset of the objects was the last when this was judged.
    episode: u32,
    /// How many resets it has ordered itself in the last step, for kick-offs; any other begins an episode. Counted where a goal ends one.
    own_resets: u32,
}

impl Referee for F2000 {
    const NAME: &'static str = "f2000";
    const SUMMARY: &'static str = "Score, clock, half time, kick-off, ball out and dropped ball.";
    type Params = F2000Params;
    type State = F2000State;

    fn new(params: Self::Params, setup: &RefereeSetup) -> Result<Self, SetupError> {
        let teams: [String; 2] = setup.teams.clone().try_into().map_err(|teams: Vec<String>| {
            SetupError::new(format!("this world has {} teams; the league's rules are for two", teams.len()))
        })?;
        params.check()?;
        let first_kick_off = match &params.first_kick_off {
            None => 0,
            Some(name) => teams.iter().position(|team| team == name).ok_or_else(|| {
                let message = format!("no team \"{name}\"; the teams are {} and {}", teams[0], teams[1]);
                SetupError::param("first_kick_off", message)
            })? as u32,
        };
        let field = Field::new(params.field_length_m, params.field_width_m, params.restart_inset_m);
        Ok(Self {
            params,
            field,
            teams,
            first_kick_off,
            fixtures: setup.world.fixtures.clone(),
            goals: OnceLock::new(),
        })
    }

    fn description(&self) -> GameDescription {
        GameDescription { prepares: self.params.refuse_kicks, ..phase::description() }
    }

    fn initial_state(&self) -> Self::State {
        F2000State::default()
    }

    /// Refuses the kicks of those who may not move.
    fn prepare(
        &self,
        _state: &mut Self::State,
        input: &PrepareInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        for (place, kick) in input.kicks.iter().enumerate() {
            let team = input.view.robot(kick.robot).map_or(NONE, |robot| robot.team);
            if !input.game.may_move(team) {
                orders.refuse_kick(place);
                orders.event("kick-refused", Some(team), "it may not move now");
            }
        }
        Ok(())
    }

    fn judge(
        &self,
        state: &mut Self::State,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let is_reset = state.episode != input.game.episode;
        if state.is_over == 1 && !is_reset {
            return Ok(());
        }
        let mut game = input.game.to_state();
        let expected = state.episode.wrapping_add(std::mem::take(&mut state.own_resets));
        if is_reset {
            if self.params.goal_ends_episode && input.game.episode != expected {
                // The world has begun an episode, which is a match of its own: else its clock would end all that follow.
                *state = F2000State::default();
                game = GameState {
                    episode: game.episode,
                    ..GameState::new(self.teams.len(), &phase::description())
                };
            }
            // Nobody has played the ball to where it is now: the referee's own resets, and those of a world whose episode's time was up.
            (state.has_way, state.anchored, state.still_secs) = (0, 0, 0.0);
            state.episode = input.game.episode;
        }
        let mut match_ = rules::Match { referee: self, state, input, orders, game };
        match_.open();
        for line in input.commands.lines() {
            match_.obey(line);
        }
        match_.tell_posts();
        match_.advance();
        let game = match_.game;
        if game.view() != input.game {
            orders.set_game(&game);
        }
        Ok(())
    }
}

touchline_plugin_api::export_referee!(F2000);

#[cfg(test)]
mod tests;
