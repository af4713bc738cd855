//! `hear`: what is said, in the forms of players, coaches and trainers.

use super::name::write_player;
use crate::state::Who;
use std::fmt::Write;

/// Who reads a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A player of this version.
    Player(u32),
    /// An online coach of this version.
    Coach(u32),
    /// A trainer of this version.
    Trainer(u32),
}

/// The referee's words. Trainers read the sender first, in every version.
pub fn referee(reader: Reader, time: u32, word: &str) -> String {
    match reader {
        Reader::Trainer(_) => format!("(hear referee {time} {word})"),
        Reader::Player(_) | Reader::Coach(_) => format!("(hear {time} referee {word})"),
    }
}

/// A player's own words.
pub fn own(version: u32, time: u32, message: &str) -> String {
    if version < 7 {
        format!("(hear {time} self {message})")
    } else {
        format!("(hear {time} self \"{message}\")")
    }
}

/// Somebody's words, to a player before version 8.
pub fn somebody(version: u32, time: u32, dir_deg: i32, message: &str) -> String {
    if version < 7 {
        format!("(hear {time} {dir_deg} {message})")
    } else {
        format!("(hear {time} {dir_deg} \"{message}\")")
    }
}

/// A team mate's words; without them, that it has spoken.
pub fn ours(time: u32, unum: u32, full: Option<(i32, &str)>) -> String {
    match full {
        Some((dir_deg, message)) => format!("(hear {time} {dir_deg} our {unum} \"{message}\")"),
        None => format!("(hear {time} our {unum})"),
    }
}

/// An opponent's words; without them, that one has spoken.
pub fn theirs(time: u32, full: Option<(i32, &str)>) -> String {
    match full {
        Some((dir_deg, message)) => format!("(hear {time} {dir_deg} opp \"{message}\")"),
        None => format!("(hear {time} opp)"),
    }
}

/// A player's words, to a coach or trainer, who is told its name.
pub fn player(reader: Reader, time: u32, team: &str, who: Who, is_goalie: bool, message: &str) -> String {
    let mut name = String::new();
    let (Reader::Player(version) | Reader::Coach(version) | Reader::Trainer(version)) = reader;
    // Coaches have the long names up to version 6.
    let _ = write_player(&mut name, if version < 7 { 1 } else { version }, team, who, is_goalie);
    match reader {
        Reader::Trainer(version) if version < 7 => format!("(hear {name} {time} {message})"),
        _ if version < 7 => format!("(hear {time} {name} {message})"),
        _ => format!("(hear {time} {name} \"{message}\")"),
    }
}

/// Words of a coach (`online_coach_left`) or trainer (`coach`; before version 7 `referee`) as they were said, without marks.
pub fn coach(reader: Reader, time: u32, name: &str, message: &str) -> String {
    let mut text = String::new();
    let _ = match reader {
        Reader::Trainer(version) if version < 7 => write!(text, "(hear {name} {time} {message})"),
        Reader::Player(version) | Reader::Trainer(version) if version >= 7 => {
            write!(text, "(hear {time} {name} \"{message}\")")
        }
        // An online coach takes a trainer's words for the referee's.
        Reader::Coach(_) => write!(text, "(hear {time} referee {message})"),
        Reader::Player(_) | Reader::Trainer(_) => write!(text, "(hear {time} {name} {message})"),
    };
    text
}

/// A message in the coaches' language, printed already: players read it as it is, trainers from version 7 on between marks.
pub fn language(reader: Reader, time: u32, name: &str, message: &str) -> String {
    match reader {
        Reader::Trainer(version) if version < 7 => format!("(hear {name} {time} {message})"),
        Reader::Trainer(_) => format!("(hear {time} {name} \"{message}\")"),
        Reader::Player(_) | Reader::Coach(_) => format!("(hear {time} {name} {message})"),
    }
}
