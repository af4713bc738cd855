//! What the human referee, trainers and coaches tell the referee plugin: one line each.

use super::Side;
use crate::PlayMode;
use std::fmt;
use std::str::{FromStr, SplitWhitespace};
use touchline_plugin_api::motion::MAX_SPEED_M_S;

/// No place is farther from the centre, metres; no heading larger, rad. What is more would stop the referee.
const MOST: f64 = 200.0;

/// A card of the referee's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Card {
    /// A warning; the second sends off.
    Yellow,
    /// Sends off.
    Red,
}

impl Card {
    fn word(self) -> &'static str {
        match self {
            Self::Yellow => "yellow",
            Self::Red => "red",
        }
    }
}

/// One line for the referee: places in metres, world frame; angles in radians counter-clockwise; velocities in m/s, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RefereeCommand {
    /// `start`: kick-off, or the next half.
    Start,
    /// `mode WORD`: sets the mode of play.
    Mode(PlayMode),
    /// `foul SIDE X Y`: a free kick for a side; the other one is said to have fouled.
    Foul {
        /// Whose free kick it is.
        side: Side,
        /// Where.
        place: [f64; 2],
    },
    /// `drop X Y`: drops the ball, and play goes on.
    Drop {
        /// Where.
        place: [f64; 2],
    },
    /// `goalie SIDE UNUM`: a player is its team's goalkeeper.
    Goalie {
        /// Its team.
        side: Side,
        /// Its uniform number.
        unum: u32,
    },
    /// `type SIDE UNUM TYPE`: a player is replaced by one of another type, fresh and without a card.
    PlayerType {
        /// Its team.
        side: Side,
        /// Its uniform number.
        unum: u32,
        /// Index into the player types.
        player_type: u32,
    },
    /// `card SIDE UNUM yellow|red`: shows a card.
    Card {
        /// The player's team.
        side: Side,
        /// Its uniform number.
        unum: u32,
        /// Which one.
        card: Card,
    },
    /// `discard SIDE UNUM`: sends a player away.
    Discard {
        /// Its team.
        side: Side,
        /// Its uniform number.
        unum: u32,
    },
    /// `move SIDE UNUM X Y [THETA [VX VY]]`: puts a player somewhere; what is not said stays.
    Move {
        /// Its team.
        side: Side,
        /// Its uniform number.
        unum: u32,
        /// Where.
        place: [f64; 2],
        /// Heading of its body.
        theta_rad: Option<f64>,
        /// Its velocity.
        velocity: Option<[f64; 2]>,
    },
    /// `ball X Y [VX VY]`: puts the ball somewhere, at rest if no velocity is said.
    Ball {
        /// Where.
        place: [f64; 2],
        /// Its velocity.
        velocity: [f64; 2],
    },
    /// `recover`: all players have their full stamina again.
    Recover,
}

/// A line that is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{line}\": {problem}")]
pub struct BadCommand {
    /// The line.
    pub line: String,
    /// What is wrong with it, and what is known.
    pub problem: String,
}

impl RefereeCommand {
    /// All commands as people write them, for schemas and help.
    pub const KNOWN: [&str; 11] = [
        "start",
        "mode WORD",
        "foul left|right X Y",
        "drop X Y",
        "goalie left|right UNUM",
        "type left|right UNUM TYPE",
        "card left|right UNUM yellow|red",
        "discard left|right UNUM",
        "move left|right UNUM X Y [THETA [VX VY]]",
        "ball X Y [VX VY]",
        "recover",
    ];
}

impl FromStr for RefereeCommand {
    type Err = BadCommand;

    fn from_str(line: &str) -> Result<Self, BadCommand> {
        let mut words = Words(line.split_whitespace());
        let parsed = words.command().and_then(|command| match words.0.next() {
            None => Ok(command),
            Some(word) => Err(format!("\"{}\" is too much", shown(word))),
        });
        parsed.map_err(|problem| BadCommand { line: shown(line), problem })
    }
}

impl fmt::Display for RefereeCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Start => write!(f, "start"),
            Self::Mode(mode) => write!(f, "mode {}", mode.word()),
            Self::Foul { side, place: [x, y] } => write!(f, "foul {} {x} {y}", side.word()),
            Self::Drop { place: [x, y] } => write!(f, "drop {x} {y}"),
            Self::Goalie { side, unum } => write!(f, "goalie {} {unum}", side.word()),
            Self::PlayerType { side, unum, player_type } => {
                write!(f, "type {} {unum} {player_type}", side.word())
            }
            Self::Card { side, unum, card } => write!(f, "card {} {unum} {}", side.word(), card.word()),
            Self::Discard { side, unum } => write!(f, "discard {} {unum}", side.word()),
            Self::Move { side, unum, place: [x, y], theta_rad, velocity } => {
                write!(f, "move {} {unum} {x} {y}", side.word())?;
                if let Some(theta) = theta_rad.or_else(|| velocity.map(|_| 0.0)) {
                    write!(f, " {theta}")?;
                }
                if let Some([vx, vy]) = velocity {
                    write!(f, " {vx} {vy}")?;
                }
                Ok(())
            }
            Self::Ball { place: [x, y], velocity: [0.0, 0.0] } => write!(f, "ball {x} {y}"),
            Self::Ball { place: [x, y], velocity: [vx, vy] } => write!(f, "ball {x} {y} {vx} {vy}"),
            Self::Recover => write!(f, "recover"),
        }
    }
}

/// What is shown of a line or a word that came from outside: no more than people read.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

/// What is left of a line.
struct Words<'a>(SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn command(&mut self) -> Result<RefereeCommand, String> {
        let word = self.next("a command")?;
        match word {
            "start" => Ok(RefereeCommand::Start),
            "mode" => {
                let word = self.next("a mode of play")?;
                let mode = PlayMode::from_word(word);
                mode.map(RefereeCommand::Mode)
                    .ok_or_else(|| format!("\"{}\" is no mode of play", shown(word)))
            }
            "foul" => Ok(RefereeCommand::Foul { side: self.side()?, place: self.place()? }),
            "drop" => Ok(RefereeCommand::Drop { place: self.place()? }),
            "goalie" => Ok(RefereeCommand::Goalie { side: self.side()?, unum: self.unum()? }),
            "type" => Ok(RefereeCommand::PlayerType {
                side: self.side()?,
                unum: self.unum()?,
                player_type: self.whole("a player type", 0..=999)?,
            }),
            "card" => {
                let (side, unum) = (self.side()?, self.unum()?);
                let card = match self.next("a card")? {
                    "yellow" => Card::Yellow,
                    "red" => Card::Red,
                    word => return Err(format!("\"{}\" is no card: yellow or red", shown(word))),
                };
                Ok(RefereeCommand::Card { side, unum, card })
            }
            "discard" => Ok(RefereeCommand::Discard { side: self.side()?, unum: self.unum()? }),
            "move" => {
                let (side, unum, place) = (self.side()?, self.unum()?, self.place()?);
                let theta_rad = if self.is_more() { Some(self.number("a heading", MOST)?) } else { None };
                let velocity = if self.is_more() { Some(self.velocity()?) } else { None };
                Ok(RefereeCommand::Move { side, unum, place, theta_rad, velocity })
            }
            "ball" => {
                let place = self.place()?;
                let velocity = if self.is_more() { self.velocity()? } else { [0.0; 2] };
                Ok(RefereeCommand::Ball { place, velocity })
            }
            "recover" => Ok(RefereeCommand::Recover),
            _ => Err(format!("known are: {}", RefereeCommand::KNOWN.join(", "))),
        }
    }

    fn is_more(&self) -> bool {
        self.0.clone().next().is_some()
    }

    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| format!("{what} is missing"))
    }

    fn side(&mut self) -> Result<Side, String> {
        match self.next("a side")? {
            "left" => Ok(Side::Left),
            "right" => Ok(Side::Right),
            word => Err(format!("\"{}\" is no side: left or right", shown(word))),
        }
    }

    fn unum(&mut self) -> Result<u32, String> {
        self.whole("a uniform number", 1..=super::TEAM_SIZE as u32)
    }

    fn whole(&mut self, what: &str, range: std::ops::RangeInclusive<u32>) -> Result<u32, String> {
        let word = self.next(what)?;
        let number = word.parse().ok().filter(|number| range.contains(number));
        let (low, high) = range.into_inner();
        number.ok_or_else(|| format!("\"{}\" is not {what} from {low} to {high}", shown(word)))
    }

    fn number(&mut self, what: &str, most: f64) -> Result<f64, String> {
        let word = self.next(what)?;
        let number = word.parse().ok().filter(|number| (-most..=most).contains(number));
        number.ok_or_else(|| format!("\"{}\" is not {what} from -{most} to {most}", shown(word)))
    }

    fn place(&mut self) -> Result<[f64; 2], String> {
        Ok([self.number("an x, metres,", MOST)?, self.number("a y, metres,", MOST)?])
    }

    fn velocity(&mut self) -> Result<[f64; 2], String> {
        let what = "a part of a velocity, m/s,";
        Ok([self.number(what, MAX_SPEED_M_S)?, self.number(what, MAX_SPEED_M_S)?])
    }
}
