//! A plugin's library as it was when it was looked at: a process of its own loads it again, and is to find the same.

use crate::attempt::Refusal;
use crate::loaded::{Stamp, identify};
use std::path::PathBuf;
use touchline_plugin_api::plugin::PluginDescription;

/// The library of a plugin that was found.
pub struct Library {
    /// The file, as it was found.
    pub path: PathBuf,
    /// What the plugin says of itself.
    pub description: PluginDescription,
    /// The file as it was before anything was known of it; none of one that is no file.
    pub found: Option<(PathBuf, Stamp)>,
}

impl Library {
    /// Whether another file lies there now. One that is gone is none: a linker may be about to write it.
    pub fn has_changed(&self) -> bool {
        let now = self.found.as_ref().and_then(|_| identify(&self.path));
        self.found.as_ref().zip(now).is_some_and(|(then, now)| *then != now)
    }

    /// # Errors
    /// When another file lies there now.
    pub fn expect_unchanged(&self) -> Result<(), Refusal> {
        if self.has_changed() { Err(Refusal::Changed) } else { Ok(()) }
    }

    /// # Errors
    /// When what was loaded from there is another plugin, which two files of one length and time may be.
    pub fn expect_same(&self, loaded: &PluginDescription) -> Result<(), Refusal> {
        let known = |plugin: &PluginDescription| (plugin.kind, plugin.name.clone(), plugin.version.clone());
        if known(loaded) == known(&self.description) { Ok(()) } else { Err(Refusal::Changed) }
    }
}
