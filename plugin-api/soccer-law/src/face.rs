//! The face of the world: robots' names, the command of a body, its motion data, the game's values, and the referee's commands.

mod agent_command;
mod body_command;
mod referee_command;

pub use agent_command::{AgentCommand, HighLevel};
pub use body_command::{BodyCommand, Leg};
pub use referee_command::{BadCommand, Card, RefereeCommand};

use crate::PlayMode;
use serde::{Deserialize, Serialize};
use touchline_plugin_api::game::Game;

/// Length of a cycle, seconds: the world's step.
pub const CYCLE_SECS: f64 = 0.1;
/// Players of a team.
pub const TEAM_SIZE: usize = 11;
/// Name of the motion plugin of the players.
pub const MOTION_PLUGIN: &str = "soccer";
/// Name of the referee plugin; its parameters are the server's and the players' under their own names.
pub const REFEREE_PLUGIN: &str = "soccer";

/// Side of the pitch that a team defends: left is the world's first team, x < 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Defends the goal at x = -52.5 m.
    Left,
    /// Defends the goal at x = 52.5 m.
    Right,
}

impl Side {
    /// Both, in the order of the world's teams.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Index into the world's teams.
    pub fn team(self) -> u32 {
        self as u32
    }

    /// Side of a world's team; `None` for a third one.
    pub fn of_team(team: u32) -> Option<Self> {
        Self::BOTH.get(team as usize).copied()
    }

    /// The other side.
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// 1 for left, -1 for right: what the server multiplies coordinates with.
    pub fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// Name of the team in the world file, and word of the referee's commands: `left` or `right`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// Letter on the wire and at the end of the modes' words: `l` or `r`.
    pub fn letter(self) -> char {
        match self {
            Self::Left => 'l',
            Self::Right => 'r',
        }
    }
}

/// Name of a player's robot, such as `left-7`. The motion plugin takes the uniform number from the name's end.
pub fn robot_name(side: Side, unum: u32) -> String {
    format!("{}-{unum}", side.word())
}

/// Place beside the pitch where the server keeps who has not come or is gone, metres.
pub fn waiting_place(side: Side, unum: u32) -> [f64; 2] {
    [-side.sign() * 3.0 * f64::from(unum), 37.0]
}

/// Motion data of a player's body: place in [`Datum::ALL`] is the number of `SetDatum` and of the data records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datum {
    /// Stamina, 0 to stamina_max.
    Stamina,
    /// Effort, a part of the dash power.
    Effort,
    /// Recovery, a part of the stamina that comes back in a cycle.
    Recovery,
    /// Stamina capacity: what can still come back in this game.
    Capacity,
    /// Neck, relative to the body, radians counter-clockwise. A sensor whose robot file says `follows = "neck-angle"` turns with it.
    Neck,
    /// Velocity over the next step, forward in the body's frame at its beginning, m/s; 0 after it. What it has afterwards is the frame's twist.
    VelocityX,
    /// The same to the left.
    VelocityY,
    /// Turn of the body in the next step, radians counter-clockwise.
    Turn,
    /// Part of the velocity that is left after a step: the type's player_decay.
    Decay,
    /// Player type, an index into the player types of the game.
    PlayerType,
    /// Uniform number, 1 to 11.
    Unum,
    /// Bits of [`state`], as the server shows them after a cycle.
    State,
    /// Cycles for which the body does not obey after a tackle.
    TackleCycles,
    /// Cycles for which the body does not obey after it was fouled.
    FoulCycles,
    /// Cycles until a goalkeeper may catch again.
    CatchBan,
}

impl Datum {
    /// All of them, in their order.
    pub const ALL: [Self; 15] = [
        Self::Stamina,
        Self::Effort,
        Self::Recovery,
        Self::Capacity,
        Self::Neck,
        Self::VelocityX,
        Self::VelocityY,
        Self::Turn,
        Self::Decay,
        Self::PlayerType,
        Self::Unum,
        Self::State,
        Self::TackleCycles,
        Self::FoulCycles,
        Self::CatchBan,
    ];

    /// Its number: index into [`Datum::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Name in the motion model's description.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stamina => "stamina",
            Self::Effort => "effort",
            Self::Recovery => "recovery",
            Self::Capacity => "stamina-capacity",
            Self::Neck => "neck-angle",
            Self::VelocityX => "velocity-x",
            Self::VelocityY => "velocity-y",
            Self::Turn => "turn",
            Self::Decay => "decay",
            Self::PlayerType => "player-type",
            Self::Unum => "unum",
            Self::State => "state",
            Self::TackleCycles => "tackle-cycles",
            Self::FoulCycles => "foul-cycles",
            Self::CatchBan => "catch-ban",
        }
    }

    /// Unit in the motion model's description; empty for a count or a part.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Neck | Self::Turn => "rad",
            Self::VelocityX | Self::VelocityY => "m/s",
            Self::TackleCycles | Self::FoulCycles | Self::CatchBan => "cycles",
            _ => "",
        }
    }
}

/// Bits of a player's state, as monitors and logs have them.
pub mod state {
    /// Plays.
    pub const STAND: u32 = 0x1;
    /// Kicked in this cycle.
    pub const KICK: u32 = 0x2;
    /// Its kick failed.
    pub const KICK_FAULT: u32 = 0x4;
    /// Is the goalkeeper.
    pub const GOALIE: u32 = 0x8;
    /// Tried to catch in this cycle.
    pub const CATCH: u32 = 0x10;
    /// Its catch failed.
    pub const CATCH_FAULT: u32 = 0x20;
    /// Ran into the ball, or was hit by it.
    pub const BALL_TO_PLAYER: u32 = 0x40;
    /// Ran into the ball.
    pub const PLAYER_TO_BALL: u32 = 0x80;
    /// Was sent away by the human referee.
    pub const DISCARD: u32 = 0x100;
    /// Lost its way; never set.
    pub const LOST: u32 = 0x200;
    /// Collided with the ball.
    pub const BALL_COLLIDE: u32 = 0x400;
    /// Collided with a player.
    pub const PLAYER_COLLIDE: u32 = 0x800;
    /// Tackles.
    pub const TACKLE: u32 = 0x1000;
    /// Its tackle failed.
    pub const TACKLE_FAULT: u32 = 0x2000;
    /// Caught a pass of its own team.
    pub const BACK_PASS: u32 = 0x4000;
    /// Broke a rule of free kicks.
    pub const FREE_KICK_FAULT: u32 = 0x8000;
    /// Collided with a post.
    pub const POST_COLLIDE: u32 = 0x10000;
    /// Was fouled, and cannot move.
    pub const FOUL_CHARGED: u32 = 0x20000;
    /// Has a yellow card.
    pub const YELLOW_CARD: u32 = 0x40000;
    /// Has a red card.
    pub const RED_CARD: u32 = 0x80000;
    /// Was one of too many defenders.
    pub const ILLEGAL_DEFENSE: u32 = 0x100000;
}

/// Values of the game, in their order in `Game::values`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Cycles since the game's clock stopped; 0 while it goes.
    Stoppage,
    /// Penalty kicks that the left team has scored.
    PenaltyScoreLeft,
    /// Penalty kicks that the left team has missed.
    PenaltyMissLeft,
    /// Penalty kicks that the right team has scored.
    PenaltyScoreRight,
    /// Penalty kicks that the right team has missed.
    PenaltyMissRight,
    /// The goalkeeper that holds the ball: 1 to 11 of the left team, 12 to 22 of the right one; 0 for nobody.
    Catcher,
}

impl Value {
    /// All of them, in their order.
    pub const ALL: [Self; 6] = [
        Self::Stoppage,
        Self::PenaltyScoreLeft,
        Self::PenaltyMissLeft,
        Self::PenaltyScoreRight,
        Self::PenaltyMissRight,
        Self::Catcher,
    ];

    /// Index into `Game::values`.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Name in the game's description.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stoppage => "stoppage",
            Self::PenaltyScoreLeft => "penalty-score-left",
            Self::PenaltyMissLeft => "penalty-miss-left",
            Self::PenaltyScoreRight => "penalty-score-right",
            Self::PenaltyMissRight => "penalty-miss-right",
            Self::Catcher => "catcher",
        }
    }
}

/// Cycle of the game's clock.
pub fn cycle(game: &Game<'_>) -> u32 {
    libm::round(game.clock_secs / CYCLE_SECS).max(0.0) as u32
}

/// Mode of play, from `Game::phase`: phases are the modes in the order of their numbers, without the empty one.
pub fn mode_of_phase(phase: u32) -> Option<PlayMode> {
    u8::try_from(phase).ok()?.checked_add(1).and_then(PlayMode::from_number)
}

/// Phase of a mode of play.
pub fn phase_of_mode(mode: PlayMode) -> u32 {
    u32::from(mode.number().saturating_sub(1))
}

/// Kinds of the referee's events, beside its announcements, whose texts are the words that the server's referee says (`kick_off_l`,
/// `goal_r_2`, `half_time`, ...).
pub mod event {
    /// A goal: the team that scored; text: its score.
    pub const GOAL: &str = "goal";
    /// A player has another type: its team; text: uniform number and type, such as `3 7`.
    pub const PLAYER_TYPE: &str = "player-type";
    /// A player is its team's goalkeeper from now on: its team; text: the uniform number.
    pub const GOALIE: &str = "goalie";
    /// A goalkeeper with the ball moved more often than goalie_max_moves, and stayed: its team; text: the uniform number.
    pub const TOO_MANY_MOVES: &str = "too-many-moves";
    /// What was announced in this step since the last event of this kind was said before the clock went on; of no team; text: what it showed
    /// then, its cycle and the cycles since it stopped, such as `10 51`.
    pub const SAID_AT: &str = "data-said-at";
}

#[cfg(test)]
mod tests;
