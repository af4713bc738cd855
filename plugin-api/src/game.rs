//! The state of the game, as the referee last said it.

use crate::view::NONE;
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// The most teams that a score has room for.
pub const MAX_TEAMS: usize = 4;

/// What is going on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The ball is free.
    #[default]
    Play = 0,
    /// One team is to start.
    KickOff = 1,
    /// Nobody may move; the clock stands.
    Stopped = 2,
    /// Between two halves.
    HalfTime = 3,
    /// The match or the episode is over.
    Finished = 4,
}

impl Phase {
    const ALL: [Self; 5] = [Self::Play, Self::KickOff, Self::Stopped, Self::HalfTime, Self::Finished];
}

/// Score, clock and phase.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct GameState {
    /// The playing time so far, seconds.
    pub clock_secs: f64,
    /// The goals of each team.
    pub score: [u32; MAX_TEAMS],
    /// See [`GameState::phase`].
    pub phase_code: u32,
    /// 1 for the first half.
    pub half: u32,
    /// The team that kicks off next: index into the world's teams, or [`NONE`].
    pub kick_off_team: u32,
    /// How many times the objects were brought to their starting places.
    pub episode: u32,
}

impl Default for GameState {
    fn default() -> Self {
        Self {
            clock_secs: 0.0,
            score: [0; MAX_TEAMS],
            phase_code: Phase::Play as u32,
            half: 1,
            kick_off_team: NONE,
            episode: 0,
        }
    }
}

impl GameState {
    /// What is going on.
    pub fn phase(&self) -> Phase {
        Phase::ALL.get(self.phase_code as usize).copied().unwrap_or_default()
    }

    /// Whether the rules let this team's robots move now: in play, and at its own kick-off.
    pub fn may_move(&self, team: u32) -> bool {
        match self.phase() {
            Phase::Play => true,
            Phase::KickOff => self.kick_off_team == team || self.kick_off_team == NONE,
            Phase::Stopped | Phase::HalfTime | Phase::Finished => false,
        }
    }

    /// The same with another phase.
    pub fn with_phase(self, phase: Phase) -> Self {
        Self { phase_code: phase as u32, ..self }
    }
}
