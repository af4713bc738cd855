//! The game as the world keeps it: what the referee said last, and what its words mean. The core reads who may move and nothing else.

use crate::command::CommandError;
use std::ops::Deref;
use std::sync::Arc;
use touchline_plugin_api::game::{GameDescription, GameState, SaidGame};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::view::NONE;

/// The state of the game with its words; a copy shares both.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    description: Arc<GameDescription>,
    state: Arc<GameState>,
}

impl Match {
    /// State of the game before the first step.
    pub fn new(teams: usize, description: GameDescription) -> Self {
        let state = Arc::new(GameState::new(teams, &description));
        Self { description: Arc::new(description), state }
    }

    /// The same words with this state, such as one of a recording.
    pub fn with_state(&self, state: GameState) -> Self {
        Self { description: Arc::clone(&self.description), state: Arc::new(state) }
    }

    /// The same with another count of episodes.
    pub fn with_episode(&self, episode: u32) -> Self {
        self.with_state(GameState { episode, ..(*self.state).clone() })
    }

    /// Declared phases, restarts, values and motion data.
    pub fn description(&self) -> &GameDescription {
        &self.description
    }

    /// The name of the phase, such as `play`.
    pub fn phase_name(&self) -> &str {
        self.description.phase_name(self.state.phase)
    }

    /// The name of the restart that is due, and whose it is, if that is somebody's.
    pub fn restart_name(&self) -> Option<(&str, Option<u32>)> {
        let restart = self.state.restart;
        let name = self.description.restarts.get(restart.kind as usize).filter(|_| restart.is_due())?;
        Some((name, (restart.team != NONE).then_some(restart.team)))
    }

    /// The values with their names.
    pub fn values(&self) -> impl Iterator<Item = (&str, f64)> {
        let names = self.description.values.iter().map(|value| value.name.as_str());
        names.zip(self.state.values.iter().copied())
    }

    /// The value of this name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.values().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub(crate) fn set_clock(&mut self, secs: f64) {
        if self.state.clock_secs != secs {
            Arc::make_mut(&mut self.state).clock_secs = secs;
        }
    }

    pub(crate) fn count_episode(&mut self) {
        Arc::make_mut(&mut self.state).episode += 1;
    }

    pub(crate) fn set_score(&mut self, team: u32, score: i64) -> Result<(), CommandError> {
        let state = Arc::make_mut(&mut self.state);
        let team = state.teams.get_mut(team as usize).ok_or(CommandError::NoSuchTeam(team))?;
        team.score = score;
        Ok(())
    }

    /// Takes what a referee says, if it keeps to the words that it declared. Episodes are counted by the world.
    ///
    /// `space` is memory to read it in.
    pub(crate) fn take(&mut self, said: &SaidGame<'_>, space: &mut GameState) -> Result<(), Fault> {
        said.write_to(space);
        let said = &*space;
        let words = &self.description;
        let bad = |what: String| Err(Fault::BadOutput(format!("the game: {what}")));
        if said.phase as usize >= words.phases.len() {
            return bad(format!("phase {} of {}", said.phase, words.phases.len()));
        }
        if said.restart.is_due() && said.restart.kind as usize >= words.restarts.len() {
            return bad(format!("restart {} of {}", said.restart.kind, words.restarts.len()));
        }
        if said.restart.team != NONE && said.restart.team as usize >= self.state.teams.len() {
            return bad(format!("a restart for team {} of {}", said.restart.team, self.state.teams.len()));
        }
        let counts = (said.teams.len(), said.values.len());
        if counts != (self.state.teams.len(), words.values.len()) {
            let (teams, values) = (self.state.teams.len(), words.values.len());
            return bad(format!("{} teams and {} values; it has {teams} and {values}", counts.0, counts.1));
        }
        let numbers = || said.values.iter().chain(&said.restart.place).chain([&said.clock_secs]);
        if !numbers().all(|number| number.is_finite()) || said.restart.deadline_secs.is_nan() {
            return bad("a number is not finite".into());
        }
        space.episode = self.state.episode;
        match Arc::get_mut(&mut self.state) {
            Some(state) => std::mem::swap(state, space),
            None => self.state = Arc::new(space.clone()),
        }
        Ok(())
    }
}

impl Deref for Match {
    type Target = GameState;

    fn deref(&self) -> &GameState {
        &self.state
    }
}
