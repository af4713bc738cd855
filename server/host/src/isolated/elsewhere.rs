//! Where the system has no shared memory of this kind: no plugin is kept apart, and who asks for it is told so.

use super::Keep;
use super::jail::Jail;
use crate::attempt::AttemptResult;
use crate::call::Function;
use crate::library::Library;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use touchline_plugin_api::abi::{Generate, Instance, QuantisedReply, Table};

/// What can be asked of a process.
pub enum Call {
    /// Load a library.
    Load,
    /// Load a library and make an instance on trial.
    Try,
}

/// Never made: this system has no isolated plugins.
pub enum Remote {}

impl Remote {
    /// # Errors
    /// Always.
    pub fn start(_: &Jail, _: &[PathBuf]) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "plugins are kept apart on Linux alone"))
    }

    pub fn load(&self, _: Call, _: &Path) -> AttemptResult {
        match *self {}
    }

    pub fn table(&self) -> &'static Table {
        match *self {}
    }

    pub fn generate_for_watchers(&self) -> Function<Generate, QuantisedReply> {
        match *self {}
    }

    pub fn keeper(&self, _: Arc<Library>) -> Keep {
        match *self {}
    }

    pub fn into_instance(self) -> *mut Instance {
        match self {}
    }

    pub fn is_alive(&self) -> bool {
        match *self {}
    }
}

/// No program is started for a plugin here.
pub fn run_if_asked() -> Option<ExitCode> {
    None
}
