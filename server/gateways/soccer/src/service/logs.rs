//! The files of a game's logs, which take no other's place, and stay only of a game that has begun. Each ends for itself: what cannot be written is
//! said at the end of the game, and disturbs nothing else.

use crate::log::Destination;
use crate::sessions::Piece;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

/// A log that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}{}", path.display(), if *is_begun { "; what was written before can be read" } else { "" })]
pub struct LogFileError {
    path: PathBuf,
    error: io::Error,
    is_begun: bool,
}

/// Where a log is written.
#[derive(Clone, Debug)]
pub struct LogPlace {
    /// The file.
    pub path: PathBuf,
    /// 0 as it is, 1 to 9 packed by gzip.
    pub compression: u32,
}

/// The open files of a game's logs.
#[derive(Debug)]
pub struct Logs {
    game: LogFile,
    commands: LogFile,
}

#[derive(Debug)]
struct LogFile {
    path: PathBuf,
    /// The open file, or why it ended. Closed before it may be removed.
    file: Result<Destination<File>, io::Error>,
    made: Made,
}

/// A file that was made. It is removed again if no game begins, so that it is not in the way of the next start.
#[derive(Debug)]
struct Made {
    path: PathBuf,
    is_kept: bool,
}

impl Drop for Made {
    fn drop(&mut self) {
        if !self.is_kept {
            // It cannot be told any more.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Logs {
    /// Begins the game log and the log of commands. Dropped before they are kept, it leaves none behind.
    ///
    /// # Errors
    /// Names the file that is there already or cannot be made.
    pub fn create([game, commands]: &[LogPlace; 2]) -> Result<Self, LogFileError> {
        Ok(Self { game: LogFile::create(game)?, commands: LogFile::create(commands)? })
    }

    /// The game has begun: from now on the files stay, whatever comes.
    pub fn keep(&mut self) {
        (self.game.made.is_kept, self.commands.made.is_kept) = (true, true);
    }

    /// Writes a piece to its file, unless that has ended.
    pub fn write(&mut self, piece: &Piece) {
        match piece {
            Piece::Game(bytes) => self.game.write(bytes),
            Piece::Commands(text) => self.commands.write(text.as_bytes()),
        }
    }

    /// Closes both files, and says which of them are not whole. Those that are not kept are gone then.
    pub fn finish(self) -> Vec<LogFileError> {
        [self.game, self.commands].into_iter().filter_map(|log| log.finish().err()).collect()
    }
}

impl LogFile {
    fn create(LogPlace { path, compression }: &LogPlace) -> Result<Self, LogFileError> {
        // A pipe or a device has nothing that could be lost.
        let is_made = fs::metadata(path).map_or(true, |found| found.is_file());
        let begun = if is_made { File::create_new(path) } else { OpenOptions::new().write(true).open(path) };
        let file = begun.map_err(|error| LogFileError {
            path: path.clone(),
            error: match error.kind() {
                io::ErrorKind::AlreadyExists => io::Error::new(
                    error.kind(),
                    "there is such a file already; remove it, or take another name",
                ),
                _ => error,
            },
            is_begun: false,
        })?;
        let made = Made { path: path.clone(), is_kept: !is_made };
        Ok(Self { path: path.clone(), file: Ok(Destination::new(file, *compression)), made })
    }

    fn write(&mut self, bytes: &[u8]) {
        let Ok(file) = &mut self.file else { return };
        if let Err(error) = file.write_all(bytes) {
            tracing::error!("soccer: {}: {error}; this log ends here", self.path.display());
            self.file = Err(error);
        }
    }

    fn finish(self) -> Result<(), LogFileError> {
        if !self.made.is_kept {
            // Nothing is lost with it.
            return Ok(());
        }
        let Self { path, file, .. } = self;
        let ended = file.and_then(Destination::finish);
        ended.map_err(|error| LogFileError { path, error, is_begun: true })
    }
}
