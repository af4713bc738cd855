//! Keys of the desk of challenges and of what it opens: drawn by this program, and in the addresses alone that it gives to its operator. (CH8)
//!
//! Entrants' scripts run on this machine, so that it says nothing of somebody that he is here.

use super::Failure;
use super::keys::{self, RoleName};
use std::path::PathBuf;
use tempfile::TempDir;
use touchline_gate::{Keys, Pass, Role, digest};

/// A new key, and what it opens.
///
/// # Errors
/// When the system has no chance to give.
pub fn draw(role: Role) -> Result<(String, Keys), Failure> {
    let key = keys::new_key()?;
    let keys = Keys::new([(digest(&key), Pass::at_desk(role))]);
    Ok((key, keys))
}

/// The address of a page with the key that opens it, behind `#`: what stands there a browser sends to nobody, and the page takes it away.
pub fn address(url: &str, key: &str) -> String {
    format!("{url}/#key={key}")
}

/// A file of one new key for a program that is started: command lines can be read by others, and the file has its digest alone.
pub struct KeyFile {
    folder: TempDir,
    /// The key.
    pub key: String,
}

impl KeyFile {
    /// # Errors
    /// When it cannot be written.
    pub fn make(role: RoleName) -> Result<Self, Failure> {
        let folder = tempfile::Builder::new().prefix("touchline-").tempdir()?;
        let key = keys::make_one(&path_in(&folder), role)?;
        Ok(Self { folder, key })
    }

    pub fn path(&self) -> PathBuf {
        path_in(&self.folder)
    }
}

fn path_in(folder: &TempDir) -> PathBuf {
    folder.path().join("keys.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CH8: who can read the file does not know the key.
    #[test]
    fn the_file_has_no_key() {
        let file = KeyFile::make(RoleName::Operator).unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(text.contains("operator") && !text.contains(&file.key), "{text}");
        assert!(file.key.len() >= touchline_gate::MIN_KEY_BYTES);
        let path = file.path();
        drop(file);
        assert!(!path.exists());
    }

    #[test]
    fn each_key_opens_its_own() {
        let ((one, of_one), (two, of_two)) = (draw(Role::Monitor).unwrap(), draw(Role::Operator).unwrap());
        assert_eq!(of_one.find(&one).map(|pass| pass.role), Some(Role::Monitor));
        assert_eq!((of_one.find(&two), of_two.find(&one)), (None, None));
    }
}
