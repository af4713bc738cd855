//! What an isolated plugin may do.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How plugins are kept apart.
#[derive(Clone, Debug)]
pub struct Jail {
    /// The program that is started for each of them: this one, or another of the same build, that begins with
    /// [`super::run_if_asked`]: what it has compared of a library is not compared again.
    pub program: PathBuf,
    /// Limits on time and memory of each process.
    pub limits: Limits,
}

/// What one plugin's process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long a call may take.
    pub longest_call: Duration,
    /// Its memory, bytes, beside what is shared with the server.
    pub memory_bytes: u64,
}

/// Which plugins run in processes of their own; one whose choice says `isolate = true` always does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// Only plugins whose choice asks for it.
    #[default]
    Asked,
    /// All whose library does not lie in a folder of ours.
    Foreign,
    /// All plugins.
    All,
}

/// How libraries are tried, and which plugins are kept apart.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// What is taken from the processes.
    pub jail: Jail,
    /// Plugins that are kept apart without being asked for it.
    pub which: Which,
    /// Folders of plugins that are trusted.
    pub ours: Vec<PathBuf>,
}

impl Isolation {
    /// Whether the plugin of a library runs in a process of its own without being asked for it.
    pub(crate) fn is_for(&self, library: &Path) -> bool {
        let folder = |path: &Path| std::fs::canonicalize(path).ok();
        match self.which {
            Which::Asked => false,
            Which::All => true,
            Which::Foreign => {
                let here = library.parent().and_then(folder);
                here.is_none() || !self.ours.iter().any(|ours| folder(ours) == here)
            }
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { longest_call: Duration::from_secs(2), memory_bytes: 512 << 20 }
    }
}

impl Jail {
    /// Of the running program itself.
    pub fn of_this_program(limits: Limits) -> Self {
        // Also if the file was replaced since.
        Self { program: "/proc/self/exe".into(), limits }
    }
}
