//! Game logs (`.rcg`): what the server's monitors saw of a game, cycle by cycle. Versions 1 to 6 and JSON, gzip or not.
//!
//! Source: the formats as the server of version 19.0.0 writes them. A log holds poses, not inputs: nothing can be run again from it.

mod binary;
mod destination;
mod json;
mod text;
mod write;
mod writer;

use crate::PlayMode;
use crate::sexpr::SyntaxError;
pub use destination::Destination;
use std::io::Read;
pub use touchline_soccer_law::face::Side;
pub use write::TextVersion;
pub(crate) use write::{STAMINA, VIEW, write_positions};
pub use writer::{Head, Writer};

/// A log may unpack to so many bytes: ten times what a game with extra time and shoot-out takes.
pub const MAX_BYTES: u64 = 128 << 20;

/// What a log is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Binary records of 2052 bytes without a head.
    V1,
    /// Binary, a head, shows of the first monitors' form.
    V2,
    /// Binary, with parameters and finer numbers.
    V3,
    /// Text, one record in a line.
    Text(TextVersion),
    /// One JSON array of records.
    Json,
}

/// A parsed game log of the Soccer Server.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLog {
    /// What it was written in.
    pub version: Version,
    /// The parameters, in the order in which they stand there; of binary logs none, whose tables hold no names.
    pub parameters: Vec<Parameters>,
    /// What happened, in its order.
    pub records: Vec<Record>,
}

/// One message of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// `server_param`, `player_param` or `player_type`.
    pub kind: String,
    /// Name and value as they are printed; texts with their quotation marks.
    pub values: Vec<(String, String)>,
}

/// One record of a game log.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// Change of the play mode.
    Mode {
        /// Cycle of the game clock.
        cycle: u32,
        /// Play mode from this cycle on.
        mode: PlayMode,
    },
    /// Names and scores of both sides.
    Teams {
        /// Cycle of the game clock.
        cycle: u32,
        /// The left one, the right one.
        teams: [Team; 2],
    },
    /// Positions of the ball and all players in one cycle.
    Show(Show),
    /// A text for all who look.
    Message {
        /// Cycle of the game clock.
        cycle: u32,
        /// Which board of the monitor it is for.
        board: u32,
        /// Text of the message.
        text: String,
    },
}

/// Name and score of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// `None` as long as nobody has joined.
    pub name: Option<String>,
    /// Number of goals.
    pub score: u32,
    /// Penalties of a shoot-out that went in, and that did not.
    pub penalties: Option<[u32; 2]>,
}

/// Positions of the ball and all players in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Show {
    /// Cycle of the game clock; several shows have the same while it stands.
    pub cycle: u32,
    /// x, y, m; velocity x, y, m a cycle.
    pub ball: [f64; 4],
    /// In the order left 1 to 11, right 1 to 11, as far as they are told.
    pub players: Vec<Player>,
}

/// The side of a letter, `l` or `r`.
fn side_from_letter(letter: &str) -> Option<Side> {
    match letter {
        "l" => Some(Side::Left),
        "r" => Some(Side::Right),
        _ => None,
    }
}

/// One player in one cycle. What its log does not tell is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The side that it plays for.
    pub side: Side,
    /// 1 to 11.
    pub number: u32,
    /// Number of its player type.
    pub kind: u32,
    /// Bits: 1 stands on the field, 2 kicks, 8 goalkeeper, and more; 0 is nobody.
    pub state: u32,
    /// x, y, m; velocity x, y, m a cycle.
    pub motion: [f64; 4],
    /// Of the body, degrees.
    pub body_deg: f64,
    /// Of the neck against the body, degrees.
    pub neck_deg: f64,
    /// Where it points to, m.
    pub points_to: Option<[f64; 2]>,
    /// Quality, `h` or `l`, and width, degrees.
    pub view: Option<(char, f64)>,
    /// Distance, m, and direction, degrees, of what its eyes are focused on.
    pub focus: Option<[f64; 2]>,
    /// Stamina, effort, recovery.
    pub stamina: Option<[f64; 3]>,
    /// What of its stamina can still be recovered.
    pub capacity: Option<f64>,
    /// Side and number of the player that it listens to.
    pub listens_to: Option<(Side, u32)>,
    /// How many commands of each kind it has given: kick, dash, turn, catch, move, turn_neck, change_view, say, tackle, pointto, attentionto,
    /// change_focus.
    pub counts: Vec<u32>,
}

impl Player {
    /// Whether `state` is not 0: somebody plays it.
    pub fn is_there(&self) -> bool {
        self.state != 0
    }

    /// Its place among all 22.
    pub fn place(&self) -> usize {
        let first = match self.side {
            Side::Left => 0,
            Side::Right => 11,
        };
        first + (self.number as usize).saturating_sub(1)
    }
}

/// Why something is no game log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// A line makes no sense.
    #[error("line {line}, {problem}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// The syntax error.
        problem: SyntaxError,
    },
    /// A line is no UTF-8.
    #[error("line {line} is no UTF-8")]
    NoText {
        /// Counted from 1.
        line: usize,
    },
    /// A binary record makes no sense, or is cut off.
    #[error("byte {at}: {problem}")]
    Binary {
        /// From the beginning of the unpacked log.
        at: usize,
        /// Reason, in words.
        problem: String,
    },
    /// The JSON makes no sense.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A version that there is not.
    #[error("a game log of version {0}; versions 1 to 6 and JSON are read")]
    Version(String),
    /// It unpacks to too much.
    #[error("it unpacks to more than {} MB", MAX_BYTES >> 20)]
    TooLarge,
    /// The log cannot be unpacked; the error of the reader.
    #[error("it cannot be unpacked: {0}")]
    Unpack(#[from] std::io::Error),
}

/// What a file begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginning {
    Gzip,
    Text,
    Binary,
    Json,
    First,
    Other,
}

fn beginning(bytes: &[u8]) -> Beginning {
    match bytes {
        [0x1f, 0x8b, ..] => Beginning::Gzip,
        [b'U', b'L', b'G', b'0'..=b'9', ..] => Beginning::Text,
        [b'U', b'L', b'G', ..] => Beginning::Binary,
        // An array of objects; a table of TOML begins with a bracket too.
        _ if bytes
            .trim_ascii_start()
            .strip_prefix(b"[")
            .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"{")) =>
        {
            Beginning::Json
        }
        // Without a head: a record's mode, 1 to 3, in two bytes.
        [0, 1..=4, ..] => Beginning::First,
        _ => Beginning::Other,
    }
}

/// Unpacks at most so many bytes.
fn unpacked(bytes: &[u8], most: u64) -> Result<Vec<u8>, LogError> {
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes).take(most + 1).read_to_end(&mut unpacked)?;
    if unpacked.len() as u64 > most { Err(LogError::TooLarge) } else { Ok(unpacked) }
}

impl GameLog {
    /// Whether a file that begins so may be a game log, packed or not: enough to tell it from a recording.
    pub fn may_be_one(bytes: &[u8]) -> bool {
        beginning(bytes) != Beginning::Other
    }

    /// Reads a log, unpacked or in gzip's form.
    ///
    /// # Errors
    /// Names the first line or byte that makes no sense.
    pub fn read(bytes: &[u8]) -> Result<Self, LogError> {
        if beginning(bytes) == Beginning::Gzip {
            return Self::read_unpacked(&unpacked(bytes, MAX_BYTES)?);
        }
        Self::read_unpacked(bytes)
    }

    fn read_unpacked(bytes: &[u8]) -> Result<Self, LogError> {
        match beginning(bytes) {
            Beginning::Text => text::read(bytes),
            Beginning::Binary => match bytes[3..].first() {
                Some(2) => binary::read_second(&bytes[4..]),
                Some(3) => binary::read_third(&bytes[4..]),
                other => Err(LogError::Version(other.map_or("none".into(), |byte| format!("byte {byte}")))),
            },
            Beginning::First => binary::read_first(bytes),
            Beginning::Json => json::read(bytes),
            Beginning::Gzip => Err(LogError::Version("packed twice".into())),
            Beginning::Other => Err(LogError::Version("unknown: it begins as no game log does".into())),
        }
    }

    /// All shows, in their order.
    pub fn shows(&self) -> impl Iterator<Item = &Show> {
        self.records.iter().filter_map(|record| match record {
            Record::Show(show) => Some(show),
            Record::Mode { .. } | Record::Teams { .. } | Record::Message { .. } => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{LogError, unpacked};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    /// A small file that unpacks to gigabytes would be refused before it has filled the memory.
    #[test]
    fn no_more_is_unpacked_than_may_be() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&[b'\n'; 1 << 16]).unwrap();
        let packed = packed.finish().unwrap();
        assert!(packed.len() < 1 << 10);
        assert_eq!(unpacked(&packed, 1 << 16).unwrap().len(), 1 << 16);
        assert!(matches!(unpacked(&packed, (1 << 16) - 1), Err(LogError::TooLarge)));
    }
}
