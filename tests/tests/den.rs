//! A folder with scripts that play challenges, each of which does what its name says.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use tempfile::TempDir;

/// The folder, with a table of the teams: one for each script.
pub struct Den(pub TempDir);

impl Den {
    pub fn new(script: &str, names: &[&str]) -> Self {
        let den = Self(tempfile::tempdir().unwrap());
        let mut table = String::from("name;script\n");
        for name in names {
            fs::write(den.path(name), script).unwrap();
            fs::set_permissions(den.path(name), fs::Permissions::from_mode(0o755)).unwrap();
            table += &format!("{name};{name}\n");
        }
        fs::write(den.path("teams.csv"), table).unwrap();
        den
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}
