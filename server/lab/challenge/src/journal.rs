//! The journal: one line of JSON for each run that was played, added as it is finished. (CH10)
//!
//! A competition that is started again takes from it what fits and plays the rest.

use crate::course::RunResult;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use touchline_tournament::lines::{Lines, LinesError};

/// A run by its names: challenge, team, number.
pub type RunKey = (String, String, u32);

/// A journal that is open for writing.
#[derive(Debug)]
pub struct Journal {
    lines: Lines,
}

/// A journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or written, or somebody else writes it.
    #[error(transparent)]
    File(#[from] LinesError),
    /// A line is no run.
    #[error("{}:{line}: not a line of a competition's journal: {why}", path.display())]
    BadLine {
        /// Path of the journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Reason, from the parser.
        why: String,
    },
    /// A run was played under other conditions.
    #[error(
        "{}:{line}: team \"{team}\" played \"{challenge}\" under other conditions: the challenge, its world, a plugin or the team has \
         changed since", path.display()
    )]
    OtherConditions {
        /// Path of the journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Name of the team that played.
        team: String,
        /// Name of the challenge.
        challenge: String,
    },
}

impl Journal {
    /// Opens a journal, or begins it, and gives the runs in it whose digests are `wanted`. What others left in it is passed over, and so is a
    /// run in which a script was waited for in vain: it is played again.
    ///
    /// # Errors
    /// When it cannot be used; it is left as it was.
    pub fn open(
        path: &Path,
        wanted: &BTreeMap<RunKey, String>,
    ) -> Result<(Self, BTreeMap<RunKey, RunResult>), JournalError> {
        let (lines, runs) = Lines::open(path, |bytes| read(path, bytes, wanted))?;
        Ok((Self { lines }, runs))
    }

    /// Throws away what a journal has, and begins it anew.
    ///
    /// # Errors
    /// When it cannot be written, or somebody else writes it.
    pub fn restart(path: &Path) -> Result<Self, JournalError> {
        Ok(Self { lines: Lines::restart(path)? })
    }

    /// Adds a run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, run: &RunResult) -> io::Result<()> {
        self.lines.add(run)
    }
}

fn read(
    path: &Path,
    bytes: &[u8],
    wanted: &BTreeMap<RunKey, String>,
) -> Result<BTreeMap<RunKey, RunResult>, JournalError> {
    let mut runs = BTreeMap::new();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let run: RunResult = serde_json::from_slice(text).map_err(|error| JournalError::BadLine {
            path: path.to_owned(),
            line,
            why: error.to_string(),
        })?;
        let key = (run.challenge.clone(), run.team.clone(), run.run);
        let Some(digest) = wanted.get(&key) else { continue };
        if *digest != run.digest {
            let RunResult { team, challenge, .. } = run;
            return Err(JournalError::OtherConditions { path: path.to_owned(), line, team, challenge });
        }
        if !run.is_late() {
            runs.entry(key).or_insert(run);
        }
    }
    Ok(runs)
}
