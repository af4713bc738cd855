//! The words in which this referee speaks of the game.

use touchline_plugin_api::game::{GameDescription, GameState, GameValue, Restart};
use touchline_plugin_api::view::NONE;

/// What is going on, in the order of [`description`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The ball may be played by both teams.
    Play = 0,
    /// One team is to start; the other may not move.
    KickOff = 1,
    /// Nobody may move; the clock stands.
    Stopped = 2,
    /// Break between the two halves.
    HalfTime = 3,
    /// The match is over.
    Finished = 4,
}

impl Phase {
    const ALL: [Self; 5] = [Self::Play, Self::KickOff, Self::Stopped, Self::HalfTime, Self::Finished];

    /// The phase in which a game is.
    pub fn of(game: &GameState) -> Self {
        Self::ALL.get(game.phase as usize).copied().unwrap_or(Self::Play)
    }
}

/// The only restart there is.
const KICK_OFF: u32 = 0;
/// Of the values: which half is played, from 1.
const HALF: usize = 0;

/// The phases, the restart, and the half.
pub fn description() -> GameDescription {
    GameDescription {
        restarts: vec!["kick-off".into()],
        values: vec![GameValue { name: "half".into(), unit: String::new(), initial: 1.0 }],
        ..GameDescription::of_phases(&["play", "kick-off", "stopped", "half-time", "finished"])
    }
}

/// Which half is played, from 1.
pub fn half(game: &GameState) -> u32 {
    game.values[HALF] as u32
}

/// Goes on to the next half.
pub fn count_half(game: &mut GameState) {
    game.values[HALF] += 1.0;
}

/// The team that kicks off next.
pub fn set_kick_off(game: &mut GameState, team: u32) {
    game.restart = Restart { kind: KICK_OFF, team, ..Restart::NOTHING };
}

/// Enters a phase, and says who may move in it.
pub fn enter(game: &mut GameState, phase: Phase) {
    game.phase = phase as u32;
    match phase {
        Phase::Play => {
            game.restart = Restart::NOTHING;
            game.let_all_move();
        }
        Phase::KickOff => game.let_move(game.restart.team),
        Phase::Stopped | Phase::HalfTime | Phase::Finished => game.let_move(NONE),
    }
}
