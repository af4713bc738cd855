//! The journal: one line of JSON for each match that was played, added as it is finished.
//!
//! A tournament that is started again takes from it what fits and plays the rest. A line says by its digest under which conditions
//! its match was played, so nothing is mixed that cannot be compared.

use crate::lines::{Lines, LinesError};
use crate::load::Tournament;
use crate::play::MatchResult;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A journal that is open for writing. Nobody else can open it meanwhile.
#[derive(Debug)]
pub struct Journal {
    lines: Lines,
}

/// A journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Path of the journal.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// Another process is writing the journal.
    #[error("{}: another tournament is writing it", .0.display())]
    InUse(PathBuf),
    /// A line is no result of a match.
    #[error("{}:{line}: not a line of a tournament's journal: {why}", path.display())]
    BadLine {
        /// Path of the journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Reason, from the parser.
        why: String,
    },
    /// A match was played under other conditions.
    #[error(
        "{}:{line}: {} against {} was played under other conditions: the world, a robot, the players, the length of a match, the \
         seed, a plugin or the program has changed since", path.display(), entrants[0], entrants[1]
    )]
    OtherConditions {
        /// Path of the journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Names of the two entrants.
        entrants: [String; 2],
    },
}

impl From<LinesError> for JournalError {
    fn from(error: LinesError) -> Self {
        match error {
            LinesError::Io { path, error } => Self::Io { path, error },
            LinesError::InUse(path) => Self::InUse(path),
        }
    }
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
        let (lines, results) = Lines::open(path, |bytes| read(path, bytes, tournament))?;
        Ok((Self { lines }, results))
    }

    /// Throws away what a journal has, and begins it anew.
    ///
    /// # Errors
    /// When it cannot be written, or somebody else writes it.
    pub fn restart(path: &Path) -> Result<Self, JournalError> {
        Ok(Self { lines: Lines::restart(path)? })
    }

    /// Adds a match.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, result: &MatchResult) -> io::Result<()> {
        self.lines.add(result)
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
