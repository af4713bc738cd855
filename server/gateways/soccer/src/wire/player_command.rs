//! What players command. How it is read: `parser`.

mod parser;

pub use parser::PlayerCommands;

use touchline_soccer_law::hearing::EarPart;

/// One command of a player; angles in degrees as on the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayerCommand<'a> {
    /// `(dash POWER [DIR])`.
    Dash {
        /// Percent.
        power: f64,
        /// Degrees.
        dir_deg: f64,
    },
    /// One leg's part of `(dash (l POWER DIR) (r POWER DIR))`; each is done as soon as it is read.
    DashLeg {
        /// Whether it is the left one.
        is_left: bool,
        /// Percent.
        power: f64,
        /// Degrees.
        dir_deg: f64,
    },
    /// `(turn MOMENT)`.
    Turn(f64),
    /// `(turn_neck MOMENT)`.
    TurnNeck(f64),
    /// `(change_focus MOMENT_DIST MOMENT_DIR)`.
    ChangeFocus {
        /// Metres.
        dist: f64,
        /// Degrees.
        dir_deg: f64,
    },
    /// `(kick POWER DIR)`.
    Kick {
        /// Percent.
        power: f64,
        /// Degrees.
        dir_deg: f64,
    },
    /// `(long_kick POWER DIR)`, which does nothing.
    LongKick,
    /// `(catch DIR)`.
    Catch(f64),
    /// `(say MESSAGE)` or `(say "MESSAGE")`.
    Say(&'a str),
    /// `(sense_body)`.
    SenseBody,
    /// `(score)`.
    Score,
    /// `(move X Y)`.
    Move([f64; 2]),
    /// `(change_view WIDTH [QUALITY])`.
    ChangeView {
        /// How wide.
        width: ViewWidth,
        /// Whether high, if it is said.
        is_high: Option<bool>,
    },
    /// `(compression LEVEL)`.
    Compression(i32),
    /// `(bye)`.
    Bye,
    /// `(done)`.
    Done,
    /// `(pointto DIST DIR)` or `(pointto off)`.
    PointTo(Option<[f64; 2]>),
    /// `(attentionto TEAM UNUM)` or `(attentionto off)`.
    AttentionTo(Option<(TeamWord<'a>, i32)>),
    /// `(tackle POWER_OR_ANGLE [FOUL])`.
    Tackle {
        /// A power before version 12, then an angle in degrees.
        power_or_angle: f64,
        /// Whether a foul is wanted.
        foul: bool,
    },
    /// `(clang (ver MIN MAX))`.
    Clang([i32; 2]),
    /// `(ear (on|off [TEAM] [PART]))`.
    Ear {
        /// Whether from now on it is heard.
        on: bool,
        /// Whom; both teams if not said.
        team: Option<TeamWord<'a>>,
        /// Which messages; both kinds if not said.
        part: Option<EarPart>,
    },
    /// `(synch_see)`.
    SynchSee,
    /// `(gaussian_see)`.
    GaussianSee,
}

/// How wide a player looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ViewWidth {
    /// Half of the normal angle, or two thirds when synchronous.
    Narrow,
    /// The normal angle, or four thirds of it.
    #[default]
    Normal,
    /// Twice the normal angle.
    Wide,
}

impl ViewWidth {
    /// Its word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::Narrow => "narrow",
            Self::Normal => "normal",
            Self::Wide => "wide",
        }
    }
}

/// Which team is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamWord<'a> {
    /// `our`.
    Our,
    /// `opp`.
    Opp,
    /// `l` or `left`.
    Left,
    /// `r` or `right`.
    Right,
    /// The one of this name.
    Named(&'a str),
}

/// A text that is no command: `(error illegal_command_form)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal_command_form")]
pub struct IllegalForm;

#[cfg(test)]
mod tests;
