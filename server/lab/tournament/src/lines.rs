//! A file of lines of JSON that grows: each is whole, or is cut off when the file is opened again.

use serde::Serialize;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// No file of lines is longer: a match or a run has some hundred bytes.
const MAX_BYTES: u64 = 256 << 20;

/// A file of lines that is open for writing. Nobody else can open it meanwhile.
#[derive(Debug)]
pub struct Lines {
    file: File,
}

/// A file of lines cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum LinesError {
    /// It cannot be opened, read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// Another process is writing the file.
    #[error("{}: somebody else is writing it", .0.display())]
    InUse(PathBuf),
}

impl Lines {
    /// Opens a file, or begins it, and gives what `read` makes of its whole lines. A last line that was not written to its end is cut off.
    ///
    /// # Errors
    /// When it cannot be used, or `read` refuses what is in it; it is left as it was.
    pub fn open<T, E: From<LinesError>>(
        path: &Path,
        read: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<(Self, T), E> {
        let io = |error| LinesError::Io { path: path.to_owned(), error };
        let mut file = locked(path)?;
        let bytes = read_up_to(&mut file, MAX_BYTES).map_err(io)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let found = read(&bytes[..whole])?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(io)?;
        }
        file.seek(SeekFrom::Start(whole as u64)).map_err(io)?;
        Ok((Self { file }, found))
    }

    /// Throws away what a file has, and begins it anew.
    ///
    /// # Errors
    /// When it cannot be written, or somebody else writes it.
    pub fn restart(path: &Path) -> Result<Self, LinesError> {
        let file = locked(path)?;
        file.set_len(0).map_err(|error| LinesError::Io { path: path.to_owned(), error })?;
        Ok(Self { file })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        // In one piece, and given to the system at once: nothing waits in a buffer that could be lost.
        self.file.write_all(&line)
    }
}

/// Reads all of a file.
fn read_up_to(file: &mut File, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Not even begun with if it is known to be too long.
    if file.metadata()?.len() <= max_bytes {
        file.take(max_bytes + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= max_bytes {
            return Ok(bytes);
        }
    }
    Err(io::Error::other(format!("longer than {max_bytes} bytes")))
}

/// Opens the file, for nobody else.
fn locked(path: &Path) -> Result<File, LinesError> {
    // Such as a pipe, at which opening may wait, or a device that never ends.
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(LinesError::Io { path: path.to_owned(), error: io::Error::other("not a regular file") });
    }
    let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let file = open.map_err(|error| LinesError::Io { path: path.to_owned(), error })?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(LinesError::InUse(path.to_owned())),
        // Some network file systems have no locks: then there is none.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path) -> Result<usize, LinesError> {
        Lines::open(path, |bytes| Ok::<_, LinesError>(bytes.len())).map(|(_, length)| length)
    }

    #[test]
    fn what_is_no_file_or_too_long_is_refused_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        std::fs::write(&path, "{}\n").unwrap();
        assert_eq!(open(&path).unwrap(), 3);
        // It takes no place on the disk.
        File::options().write(true).open(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        let message = open(&path).unwrap_err().to_string();
        assert!(message.contains("longer than"), "{message}");
        assert!(open(folder.path()).unwrap_err().to_string().contains("not a regular file"));
        #[cfg(unix)]
        assert!(open(Path::new("/dev/zero")).unwrap_err().to_string().contains("not a regular file"));
    }
}
