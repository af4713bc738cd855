//! The state of the game, as the referee last said it.
//!
//! The core knows no game: which phases, restarts and values there are is the referee's word ([`GameDescription`]), and so is who may
//! move. A [`GameState`] is what it says, a [`Game`] what others read of it.

use crate::motion::MotionDatum;
use crate::view::NONE;
use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a referee's words mean: the same over the whole run, and told to players when they are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GameDescription {
    /// The phases, such as `kick-off`: [`Game::phase`] counts in this list. The game begins in the first.
    pub phases: Vec<String>,
    /// How play can be taken up again, such as `free-kick`: [`Restart::kind`] counts in this list.
    pub restarts: Vec<String>,
    /// What else is said of the game, in numbers.
    pub values: Vec<GameValue>,
    /// The motion data that the referee reads and sets, by the names that motion models give them, such as `stamina`; at most
    /// [`MAX_MOTION_DATA`](crate::motion::MAX_MOTION_DATA). Their places in this list are those of [`DataRecord::values`](crate::player::DataRecord::values) in what
    /// the referee is told, and the `datum` of [`Orders::set_datum`](crate::orders::Orders::set_datum).
    pub motion_data: Vec<String>,
    /// Whether the referee is asked before the physics of each step as well ([`Referee::prepare`](crate::referee::Referee::prepare)).
    pub prepares: bool,
}

impl Default for GameDescription {
    fn default() -> Self {
        Self {
            phases: vec!["play".into()],
            restarts: Vec::new(),
            values: Vec::new(),
            motion_data: Vec::new(),
            prepares: false,
        }
    }
}

impl GameDescription {
    /// A game that goes through these phases.
    pub fn of_phases(phases: &[&str]) -> Self {
        Self { phases: phases.iter().map(|&phase| phase.into()).collect(), ..Self::default() }
    }

    /// The phase of this name.
    pub fn phase(&self, name: &str) -> Option<u32> {
        self.phases.iter().position(|phase| phase == name).map(|place| place as u32)
    }

    /// The name of a phase; empty if there is no such phase.
    pub fn phase_name(&self, phase: u32) -> &str {
        self.phases.get(phase as usize).map_or("", String::as_str)
    }

    /// Which of a motion model's data each of [`GameDescription::motion_data`] is: indices into `data`; `None` where it has none of the
    /// name.
    pub fn find_motion_data(&self, data: &[MotionDatum]) -> Vec<Option<usize>> {
        let find = |name: &String| data.iter().position(|datum| datum.name == *name);
        self.motion_data.iter().map(find).collect()
    }

    /// The place of the value of this name.
    pub fn value(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| value.name == name)
    }
}

/// One number that is said of the game, such as `half`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameValue {
    /// Such as `half`.
    pub name: String,
    /// Such as `s`; empty for a count.
    #[serde(default)]
    pub unit: String,
    /// What it is when the game begins.
    #[serde(default)]
    pub initial: f64,
}

/// How play is taken up again.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct Restart {
    /// Where, metres, world frame.
    pub place: [f64; 2],
    /// By which time it must have been taken, on the game's clock, seconds; infinite if it may take any time.
    pub deadline_secs: f64,
    /// Which of [`GameDescription::restarts`], or [`NONE`]: play goes on.
    pub kind: u32,
    /// Whose it is: index into the world's teams, or [`NONE`].
    pub team: u32,
}

impl Restart {
    /// No restart is due; play goes on.
    pub const NOTHING: Self = Self { place: [0.0; 2], deadline_secs: f64::INFINITY, kind: NONE, team: NONE };

    /// Whether there is one to be taken.
    pub fn is_due(&self) -> bool {
        self.kind != NONE
    }
}

/// How the game stands for one team.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct TeamState {
    /// Its goals, or whatever counts here.
    pub score: i64,
    /// 1 if the rules let its robots move now.
    pub may_move: u32,
    /// Nothing; keeps the record's length a multiple of eight.
    pub reserved: u32,
}

impl Default for TeamState {
    fn default() -> Self {
        Self { score: 0, may_move: 1, reserved: 0 }
    }
}

/// The state of the game, for reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Game<'a> {
    /// The playing time so far, seconds.
    pub clock_secs: f64,
    /// Index into [`GameDescription::phases`].
    pub phase: u32,
    /// How many times the objects were brought to their starting places.
    pub episode: u32,
    /// How play is taken up again.
    pub restart: Restart,
    /// One for each of the world's teams.
    pub teams: &'a [TeamState],
    /// One for each of [`GameDescription::values`].
    pub values: &'a [f64],
}

impl Game<'_> {
    /// Whether the rules let this team's robots move now; those of no team may always.
    pub fn may_move(&self, team: u32) -> bool {
        self.teams.get(team as usize).is_none_or(|team| team.may_move != 0)
    }

    /// The same as a value of its own, to be changed.
    pub fn to_state(&self) -> GameState {
        GameState {
            clock_secs: self.clock_secs,
            phase: self.phase,
            episode: self.episode,
            restart: self.restart,
            teams: self.teams.to_vec(),
            values: self.values.to_vec(),
        }
    }

    /// As bytes, for the list of orders.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let head = Head {
            clock_secs: self.clock_secs,
            restart: self.restart,
            phase: self.phase,
            episode: self.episode,
            teams: self.teams.len() as u64,
            values: self.values.len() as u64,
        };
        out.extend_from_slice(bytemuck::bytes_of(&head));
        out.extend_from_slice(bytemuck::cast_slice(self.teams));
        out.extend_from_slice(bytemuck::cast_slice(self.values));
    }
}

/// The state of the game; the fields are those of [`Game`].
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "Game says what they are")]
pub struct GameState {
    pub clock_secs: f64,
    pub phase: u32,
    pub episode: u32,
    pub restart: Restart,
    pub teams: Vec<TeamState>,
    pub values: Vec<f64>,
}

/// A game without teams, in its first phase.
impl Default for GameState {
    fn default() -> Self {
        Self::new(0, &GameDescription::default())
    }
}

impl GameState {
    /// Before the first step: the first phase, no score, everybody may move.
    pub fn new(teams: usize, description: &GameDescription) -> Self {
        Self {
            clock_secs: 0.0,
            phase: 0,
            episode: 0,
            restart: Restart::NOTHING,
            teams: vec![TeamState::default(); teams],
            values: description.values.iter().map(|value| value.initial).collect(),
        }
    }

    /// A read-only view of the state, as players get it.
    pub fn view(&self) -> Game<'_> {
        Game {
            clock_secs: self.clock_secs,
            phase: self.phase,
            episode: self.episode,
            restart: self.restart,
            teams: &self.teams,
            values: &self.values,
        }
    }

    /// A team's score; 0 for a team that is not there.
    pub fn score(&self, team: usize) -> i64 {
        self.teams.get(team).map_or(0, |team| team.score)
    }

    /// Lets this team's robots move and no other's; [`NONE`] stops all of them.
    pub fn let_move(&mut self, only: u32) {
        for (team, state) in (0..).zip(&mut self.teams) {
            state.may_move = u32::from(team == only);
        }
    }

    /// Lets the robots of all teams move.
    pub fn let_all_move(&mut self) {
        self.teams.iter_mut().for_each(|team| team.may_move = 1);
    }

    /// The parts of what [`Game::write`] wrote; `None` if the bytes are not of that form.
    pub(crate) fn parts(bytes: &[u8]) -> Option<(Head, &[u8], &[u8])> {
        let (head, rest) = bytes.split_at_checked(size_of::<Head>())?;
        let head: Head = bytemuck::pod_read_unaligned(head);
        let team_bytes = usize::try_from(head.teams).ok()?.checked_mul(size_of::<TeamState>())?;
        let value_bytes = usize::try_from(head.values).ok()?.checked_mul(size_of::<f64>())?;
        let (teams, values) = rest.split_at_checked(team_bytes)?;
        (values.len() == value_bytes).then_some((head, teams, values))
    }
}

/// A [`GameState`] as it stands in a list of orders, in memory of the list's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaidGame<'a> {
    head: Head,
    teams: &'a [u8],
    values: &'a [u8],
}

impl<'a> SaidGame<'a> {
    /// Reads what [`Game::write`] wrote; `None` if the bytes are not of that form.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, teams, values) = GameState::parts(bytes)?;
        Some(Self { head, teams, values })
    }

    /// A value of its own.
    pub fn to_state(&self) -> GameState {
        let mut state = GameState::default();
        self.write_to(&mut state);
        state
    }

    /// The same in place of another, whose memory is used.
    pub fn write_to(&self, state: &mut GameState) {
        let Head { clock_secs, phase, episode, restart, .. } = self.head;
        (state.clock_secs, state.phase, state.episode, state.restart) = (clock_secs, phase, episode, restart);
        state.teams.clear();
        state.teams.extend(
            self.teams.chunks_exact(size_of::<TeamState>()).map(bytemuck::pod_read_unaligned::<TeamState>),
        );
        state.values.clear();
        state
            .values
            .extend(self.values.chunks_exact(size_of::<f64>()).map(bytemuck::pod_read_unaligned::<f64>));
    }
}

/// How the bytes of a [`GameState`] begin; teams and values follow.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Head {
    /// See [`Game`].
    pub clock_secs: f64,
    /// See [`Game`].
    pub restart: Restart,
    /// See [`Game`].
    pub phase: u32,
    /// See [`Game`].
    pub episode: u32,
    /// Number of teams that follow.
    pub teams: u64,
    /// How many values follow behind them.
    pub values: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let description = GameDescription {
            values: vec![GameValue { name: "half".into(), unit: String::new(), initial: 1.0 }],
            ..GameDescription::of_phases(&["stopped", "play"])
        };
        let mut state = GameState::new(3, &description);
        state.let_move(1);
        state.teams[2].score = -7;
        state.restart = Restart { place: [1.0, -2.0], deadline_secs: 9.5, kind: 0, team: 1 };
        let mut bytes = Vec::new();
        state.view().write(&mut bytes);
        assert_eq!(SaidGame::read(&bytes).map(|said| said.to_state()), Some(state));
        assert_eq!(SaidGame::read(&bytes[..bytes.len() - 1]), None);
        assert_eq!(SaidGame::read(&[]), None);
    }

    /// G1: who may move is what the referee says; a robot without a team always may.
    #[test]
    fn who_may_move_is_the_referees_word() {
        let mut state = GameState::new(2, &GameDescription::default());
        assert!(state.view().may_move(0) && state.view().may_move(1));
        state.let_move(1);
        assert!(!state.view().may_move(0) && state.view().may_move(1) && state.view().may_move(NONE));
        state.let_move(NONE);
        assert!(!state.view().may_move(1));
    }
}
