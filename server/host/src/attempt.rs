//! What became of each file that was looked at.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};

/// One file of a plugin folder, or a folder that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The file, as it was found.
    pub path: PathBuf,
    /// Outcome of the attempt to load it.
    pub result: AttemptResult,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AttemptResult {
    /// It is a plugin, and can be used.
    Loaded(PluginDescription),
    /// It is a plugin, but cannot be used.
    Refused(Refusal),
    /// It is a sound dynamic library, but no plugin.
    NotAPlugin,
}

impl std::fmt::Display for Attempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.result {
            AttemptResult::Loaded(plugin) => {
                write!(f, "{} plugin \"{}\" {}", plugin.kind, plugin.name, plugin.version)
            }
            AttemptResult::Refused(refusal) => write!(f, "{refusal}"),
            AttemptResult::NotAPlugin => f.write_str("a dynamic library, but no Touchline plugin"),
        }
    }
}

/// Why a file is not used: one sentence each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Refusal {
    /// The file or folder cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is no dynamic library, or not the whole of one.
    #[error("not a dynamic library of this system: {0}")]
    NotALibrary(String),
    /// The file ends before the library does.
    #[error("the file is cut off: it has {have} bytes of {need}")]
    CutOff {
        /// The file's length, bytes.
        have: u64,
        /// The length that its own tables tell, bytes.
        need: u64,
    },
    /// The system's loader does not take it.
    #[error("the system cannot load it: {0}")]
    CannotLoad(String),
    /// It was built with another version of the interface.
    #[error("built for plugin-api {plugin}, this server has {server}; rebuild it against that version")]
    OtherInterface {
        /// plugin-api version that the plugin was built with.
        plugin: String,
        /// plugin-api version of the server.
        server: String,
    },
    /// It says the right version, but its records are laid out differently.
    #[error(
        "its plugin-api says version {version}, as the server's does, but its records are laid out differently; \
         rebuild it from the same sources"
    )]
    OtherLayout {
        /// The version that both say.
        version: String,
    },
    /// It was built with another version of `abi_stable`, or with a compiler that passes values differently.
    #[error("built with tools that do not fit this server's: {0}")]
    OtherTools(String),
    /// The system would give the library that was there before.
    #[error("the file has changed since this program loaded it; start the program anew to use it")]
    Changed,
    /// A panic in it could not be caught.
    #[error(
        "built with panic = \"abort\", so a panic in it would end the server; build it with panic = \"unwind\""
    )]
    CannotUnwind,
    /// Its table makes no sense.
    #[error("its table of functions makes no sense: {0}")]
    BadTable(String),
    /// It cannot say what it is.
    #[error("it cannot describe itself: {0}")]
    BadDescription(String),
    /// What came of loading it in a process of its own.
    #[error("it failed when it was tried: {0}")]
    FailedOnTrial(String),
    /// It makes no sound instance.
    #[error("it cannot be used: {0}")]
    BadInstance(String),
    /// Another plugin of this kind has the name.
    #[error("there is a {kind} plugin \"{name}\" already, from {first}")]
    Duplicate {
        /// Kind of both plugins.
        kind: PluginKind,
        /// Name that both plugins have.
        name: String,
        /// The file that is used.
        first: String,
    },
}
