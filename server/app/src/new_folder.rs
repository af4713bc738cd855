//! A folder that a command makes: wholly, or not at all.

use crate::cli::Failure;
use std::fs;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// A new folder; without [`keep`](Self::keep) it is taken away again, so that another try finds room.
#[derive(Debug)]
pub struct NewFolder {
    path: PathBuf,
    is_kept: bool,
}

impl NewFolder {
    /// Makes a folder, and those above it that are not there.
    ///
    /// # Errors
    /// When it is there, or cannot be made.
    pub fn make(path: &Path) -> Result<Self, Failure> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| wrong(parent, &error))?;
        }
        fs::create_dir(path).map_err(|error| wrong(path, &error))?;
        Ok(Self { path: path.to_owned(), is_kept: false })
    }

    /// Writes a file in it, and the folders up to it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, file: &str, text: impl AsRef<[u8]>) -> Result<PathBuf, Failure> {
        let path = self.path.join(file);
        let within = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(within).map_err(|error| wrong(within, &error))?;
        fs::write(&path, text).map_err(|error| wrong(&path, &error))?;
        Ok(path)
    }

    /// All is there.
    pub fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            // The failure that led here is told.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// What is said of a file or folder that cannot be made.
pub(crate) fn wrong(path: &Path, error: &Error) -> Failure {
    let hint = match error.kind() {
        ErrorKind::AlreadyExists => "\n  hint     nothing was changed; take another name or another folder",
        _ => "",
    };
    Failure::Resource(format!("{}: {error}{hint}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_made_wholly_is_taken_away() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("above/new");
        let folder = NewFolder::make(&path).unwrap();
        folder.write("src/lib.rs", "").unwrap();
        // A file stands where a folder should be, for any reason why no more can be written.
        assert!(folder.write("src/lib.rs/more", "").is_err());
        drop(folder);
        assert!(!path.exists());
        let folder = NewFolder::make(&path).unwrap();
        folder.write("a.toml", "x").unwrap();
        folder.keep();
        assert!(NewFolder::make(&path).is_err());
        assert_eq!(fs::read_to_string(path.join("a.toml")).unwrap(), "x");
    }
}
