//! The journal: one line of JSON for each match that was played, added as it is finished.
//!
//! A tournament that is started again takes from it what fits and plays the rest. A line says by its digest under which conditions
//! its match was played, so nothing is mixed that cannot be compared.

use crate::load::Tournament;
use crate::play::MatchResult;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A journal that is open for writing. Nobody else can open it meanwhile.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

/// A journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Somebody else writes it.
    #[error("{}: another tournament is writing it", .0.display())]
    InUse(PathBuf),
    /// A line is no result of a match.
    #[error("{}:{line}: not a line of a tournament's journal: {why}", path.display())]
    BadLine {
        /// The journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A match was played under other conditions.
    #[error(
        "{}:{line}: {} against {} was played under other conditions: the world, a robot, the players, the length of a match, the \
         seed, a plugin or the program has changed since", path.display(), entrants[0], entrants[1]
    )]
    OtherConditions {
        /// The journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Who played.
        entrants: [String; 2],
    },
}

impl Journal {
    /// Opens a journal, or begins it, and gives the matches of the tournament that are in it, by number. What others left in it, such
    /// as an entrant that no longer takes part, stays in the file and is passed over.
    ///
    /// A last line that was not written to its end is cut off.
    ///
    /// # Errors
    /// When it cannot be used; it is left as it was.
    pub fn open(
        path: &Path,
        tournament: &Tournament,
    ) -> Result<(Self, BTreeMap<u64, MatchResult>), JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        let mut file = locked(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let results = read(path, &bytes[..whole], tournament)?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(io)?;
        }
        file.seek(SeekFrom::Start(whole as u64)).map_err(io)?;
        Ok((Self { file }, results))
    }

    /// Throws away what a journal has, and begins it anew.
    ///
    /// # Errors
    /// When it cannot be written, or somebody else writes it.
    pub fn restart(path: &Path) -> Result<Self, JournalError> {
        let file = locked(path)?;
        file.set_len(0).map_err(|error| JournalError::Io { path: path.to_owned(), error })?;
        Ok(Self { file })
    }

    /// Adds a match.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, result: &MatchResult) -> io::Result<()> {
        let mut line = serde_json::to_vec(result)?;
        line.push(b'\n');
        // In one piece, and given to the system at once: there is no buffer that could be lost.
        self.file.write_all(&line)
    }
}

/// Opens the file, for nobody else.
fn locked(path: &Path) -> Result<File, JournalError> {
    let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let file = open.map_err(|error| JournalError::Io { path: path.to_owned(), error })?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(JournalError::InUse(path.to_owned())),
        // Some network file systems have no locks: then there is none.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

fn read(
    path: &Path,
    bytes: &[u8],
    tournament: &Tournament,
) -> Result<BTreeMap<u64, MatchResult>, JournalError> {
    let matches = (0..tournament.matches()).filter_map(|number| tournament.nth(number));
    let names = tournament.entrants();
    let by_sides: BTreeMap<(u64, [&str; 2]), _> =
        matches.map(|one| ((one.pair, one.sides.map(|entrant| names[entrant])), one)).collect();
    let mut results = BTreeMap::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let line_number = index + 1;
        let mut result: MatchResult = serde_json::from_slice(line).map_err(|error| {
            JournalError::BadLine { path: path.to_owned(), line: line_number, why: error.to_string() }
        })?;
        let sides = [result.entrants[0].as_str(), result.entrants[1].as_str()];
        let Some(one) = by_sides.get(&(result.pair, sides)) else { continue };
        if result.digest != tournament.digest_of(one) || result.seed != one.seed {
            let entrants = result.entrants;
            return Err(JournalError::OtherConditions { path: path.to_owned(), line: line_number, entrants });
        }
        // It says nothing about the entrants, and is played again.
        if result.is_late() {
            continue;
        }
        // With other entrants it had another number.
        result.number = one.number;
        results.entry(one.number).or_insert(result);
    }
    Ok(results)
}
