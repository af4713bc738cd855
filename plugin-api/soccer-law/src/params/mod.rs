//! The server's parameters under their own names: what a world file may set and what clients are told.
//!
//! Units and angles are that server's: metres, degrees, cycles, metres a cycle. Each parameter has one row: type, default of today, the
//! version of the protocol that knows it, and its range.

mod conf;
mod player;
mod server;

pub use conf::{ConfError, ConfProblem};
pub use player::PlayerParams;
pub use server::ServerParams;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Parameters that only monitors and logs are told have this version.
pub const MONITORS_ONLY: u32 = 999;

/// All parameters of a world, as they stand in the referee's table: `server.half_time = 300`, `player.pt_max = 1`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SoccerParams {
    /// Parameters of the game, `server::` in that server's own files.
    pub server: ServerParams,
    /// Parameters of the players' types, `player::` there.
    pub player: PlayerParams,
    /// What that server has not: keepaway as an agent's task.
    pub keepaway: KeepawayParams,
    /// What that server has not either: agents are paid, and episodes end.
    pub task: TaskParams,
}

/// What agents are paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Nothing.
    #[default]
    None,
    /// Goals of the whole game: each player of the team that scores is paid 1, each of the other -1.
    Goals,
    /// Half field offense: the left team attacks in the right half until it has scored, or has lost the ball; no other rule holds. A goal pays 1 to the left team's players, -1 to the
    /// others.
    HalfField,
}

/// Agents' tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TaskParams {
    /// What is paid for.
    pub pays: Task,
    /// Half field offense ends when nobody has been at the ball for more cycles than this.
    #[schemars(range(min = 1, max = 100_000))]
    pub untouched_cycles: u32,
}

impl Default for TaskParams {
    fn default() -> Self {
        Self { pays: Task::None, untouched_cycles: 100 }
    }
}

/// Keepaway as an agent's task. The left team's players are then the benchmark's keepers, and an agent chooses for the one who has the ball.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KeepawayParams {
    /// Uniform number of the left player whose command's `option` chooses; 0: nobody's, each player is driven by its own commands.
    #[schemars(range(max = 11))]
    pub chooser: u32,
}

impl SoccerParams {
    /// The defaults of version 19.
    pub fn today() -> Self {
        Self::default()
    }

    /// The defaults of the manual of 2002 (version 7.06), as far as today's rules can play them.
    pub fn of_2002() -> Self {
        Self { server: ServerParams::of_2002(), player: PlayerParams::of_2002(), ..Self::default() }
    }

    /// Sets a parameter by the name that it has in that server's files, such as `server::half_time`; without a module it is looked for in both.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        match name.split_once("::") {
            Some(("server", name)) => self.server.set(name, value),
            Some(("player", name)) => self.player.set(name, value),
            Some(_) => Err(ParamError::Unknown { name: name.to_owned(), hint: None }),
            None if PlayerParams::row(name).is_some() => self.player.set(name, value),
            None => self.server.set(name, value),
        }
    }

    /// Whether every number is in its range.
    pub fn check(&self) -> Result<(), ParamError> {
        self.server.check()?;
        self.player.check()
    }
}

/// What is known of a parameter beside its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamRow {
    /// Its name on the wire and in files.
    pub name: &'static str,
    /// The first version of the protocol whose clients are told of it.
    pub since: u32,
    /// Smallest and largest value of a number.
    pub range: Option<[f64; 2]>,
}

/// A parameter's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamValue<'a> {
    /// A number with a fraction.
    Real(f64),
    /// A whole number.
    Integer(i32),
    /// 0 or 1 on the wire.
    Flag(bool),
    /// Between quotation marks on the wire.
    Text(&'a str),
}

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// No parameter has this name.
    #[error("there is no parameter `{name}`{}", Hint(*hint))]
    Unknown {
        /// As given.
        name: String,
        /// The nearest name that there is.
        hint: Option<&'static str>,
    },
    /// The text is none of the parameter's type.
    #[error("`{name} = {value}`: expected {expected}")]
    Form {
        /// The parameter.
        name: &'static str,
        /// As given.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A number beyond its range.
    #[error("`{name}` is {value}; allowed is {min} to {max}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// As given.
        value: f64,
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
}

/// The end of a message that has a hint.
struct Hint(Option<&'static str>);

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, "; did you mean `{name}`?"))
    }
}

/// The type of a parameter.
trait Param: Sized {
    /// What a text of it looks like.
    const EXPECTED: &'static str;
    fn parse(text: &str) -> Option<Self>;
    fn value(&self) -> ParamValue<'_>;
}

impl Param for f64 {
    const EXPECTED: &'static str = "a number";
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number: &f64| number.is_finite())
    }
    fn value(&self) -> ParamValue<'_> {
        ParamValue::Real(*self)
    }
}

impl Param for i32 {
    const EXPECTED: &'static str = "a whole number";
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn value(&self) -> ParamValue<'_> {
        ParamValue::Integer(*self)
    }
}

impl Param for bool {
    const EXPECTED: &'static str = "true or false";
    fn parse(text: &str) -> Option<Self> {
        match text {
            "true" | "on" | "yes" | "1" => Some(true),
            "false" | "off" | "no" | "0" => Some(false),
            _ => None,
        }
    }
    fn value(&self) -> ParamValue<'_> {
        ParamValue::Flag(*self)
    }
}

impl Param for String {
    const EXPECTED: &'static str = "a text without quotation marks";
    fn parse(text: &str) -> Option<Self> {
        let quoted = ['"', '\''].iter().find_map(|&mark| text.strip_prefix(mark)?.strip_suffix(mark));
        let text = quoted.unwrap_or(text);
        (!text.contains(['"', '\n', '\0'])).then(|| text.to_owned())
    }
    fn value(&self) -> ParamValue<'_> {
        ParamValue::Text(self)
    }
}

impl ParamRow {
    fn check(&self, value: ParamValue<'_>) -> Result<(), ParamError> {
        let number = match value {
            ParamValue::Real(number) => number,
            ParamValue::Integer(number) => f64::from(number),
            ParamValue::Text(text) if <String as Param>::parse(text).as_deref() != Some(text) => {
                let value = text.to_owned();
                return Err(ParamError::Form { name: self.name, value, expected: String::EXPECTED });
            }
            ParamValue::Flag(_) | ParamValue::Text(_) => return Ok(()),
        };
        match self.range {
            // Written so that what is no number is refused as well.
            Some([min, max]) if !(min <= number && number <= max) => {
                Err(ParamError::Range { name: self.name, value: number, min, max })
            }
            _ => Ok(()),
        }
    }
}

/// The nearest name, for a name that there is not.
fn nearest(name: &str, rows: &'static [ParamRow]) -> Option<&'static str> {
    let near = rows.iter().map(|row| (strsim::osa_distance(name, row.name), row.name)).min()?;
    (near.0 <= 2 + name.len() / 5).then_some(near.1)
}

/// Makes a struct with one field for each row, its defaults, its table and access by name.
macro_rules! params {
    (
        $(#[$meta:meta])* $name:ident {
            $($(#[doc = $doc:literal])* $field:ident: $kind:ty = $default:expr, $since:literal, [$($min:expr, $max:expr)?];)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $(
                $(#[doc = $doc])*
                $(#[schemars(range(min = $min, max = $max))])?
                pub $field: $kind,
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: <$kind>::from($default),)* }
            }
        }

        impl $name {
            /// What is known of each parameter, in the order of the fields.
            pub const ROWS: &'static [crate::params::ParamRow] = &[
                $(crate::params::ParamRow {
                    name: stringify!($field),
                    since: $since,
                    range: crate::params::range_of(&[$($min as f64, $max as f64)?]),
                },)*
            ];

            /// The row of this name.
            pub fn row(name: &str) -> Option<&'static crate::params::ParamRow> {
                Self::ROWS.iter().find(|row| row.name == name)
            }

            /// All values beside their rows, by the names' alphabet.
            pub fn alphabetical(&self) -> Vec<(&'static crate::params::ParamRow, crate::params::ParamValue<'_>)> {
                let values = [$(crate::params::Param::value(&self.$field)),*];
                let mut all: Vec<_> = Self::ROWS.iter().zip(values).collect();
                all.sort_by_key(|(row, _)| row.name);
                all
            }

            /// The value of this name.
            pub fn get(&self, name: &str) -> Option<crate::params::ParamValue<'_>> {
                match name {
                    $(stringify!($field) => Some(crate::params::Param::value(&self.$field)),)*
                    _ => None,
                }
            }

            /// Sets the parameter of this name from the text that stands in a file or an option.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), crate::params::ParamError> {
                match name {
                    $(stringify!($field) => {
                        let parsed = <$kind as crate::params::Param>::parse(value);
                        let parsed = parsed.ok_or_else(|| crate::params::ParamError::Form {
                            name: stringify!($field),
                            value: value.to_owned(),
                            expected: <$kind as crate::params::Param>::EXPECTED,
                        })?;
                        if let Some(row) = Self::row(name) {
                            row.check(crate::params::Param::value(&parsed))?;
                        }
                        self.$field = parsed;
                        Ok(())
                    })*
                    _ => Err(crate::params::ParamError::Unknown {
                        name: name.to_owned(),
                        hint: crate::params::nearest(name, Self::ROWS),
                    }),
                }
            }

            /// Whether every number is in its range.
            pub fn check(&self) -> Result<(), crate::params::ParamError> {
                self.alphabetical().into_iter().try_for_each(|(row, value)| row.check(value))
            }
        }
    };
}
use params;

const fn range_of(ends: &[f64]) -> Option<[f64; 2]> {
    match ends {
        [min, max] => Some([*min, *max]),
        _ => None,
    }
}
