//! `touchline check --contract`: a built library, in any language, is run through the contract of its kind, over the table through
//! which a world calls it, and in processes of its own: what ends or hangs there is a broken rule.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_host::Host;
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, RefereeInstance, SensorInstance};
use touchline_plugin_api::motion::MotionSetup;
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::plugin::PluginDescription;
use touchline_plugin_api::referee::RefereeSetup;
use touchline_plugin_api::sensor::SensorSetup;
use touchline_plugin_testing::{Maker, NotMade, library_verdict};
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

/// What the library's plugin did, or which rules it breaks.
pub fn keep(path: &Path, params: &Value, host: &Host) -> Result<String, String> {
    let host = host.of_file_apart(&absolute(path)).map_err(|attempt| attempt.to_string())?;
    let Some(plugin) = host.descriptions().pop() else {
        return Err(format!("{}: it holds no plugin", path.display()));
    };
    let verdict = library_verdict(&plugin, &params.to_string(), &Library { host: &host, plugin: &plugin });
    let what = format!("{} plugin \"{}\" {}", plugin.kind, plugin.name, plugin.version);
    if verdict.violations.is_empty() {
        let seen: String = verdict.seen.iter().map(|line| format!("\n  {line}")).collect();
        return Ok(format!("{what} keeps its contract{seen}"));
    }
    let (file, count) = (path.display(), verdict.violations.len());
    let broken: String = verdict.violations.iter().map(|violation| format!("\n  {violation}")).collect();
    Err(format!("{file}: {what} breaks {count} rule(s):{broken}"))
}

/// A plugin together with its loaded library.
struct Library<'a> {
    host: &'a Host,
    plugin: &'a PluginDescription,
}

impl Library<'_> {
    /// A file that a parameter names is meant from the folder in which the command was given.
    fn choice(&self, params: &Value) -> PluginChoice {
        let mut params = params.clone();
        for name in self.plugin.path_params() {
            if let Some(value) = params.get_mut(name)
                && let Some(file) = value.as_str().filter(|file| !file.is_empty())
            {
                *value = absolute(Path::new(file)).to_string_lossy().into();
            }
        }
        PluginChoice::new(self.plugin.name.clone(), params)
    }
}

impl Maker for Library<'_> {
    fn motion(&self, params: &Value, setup: &MotionSetup) -> Result<Arc<dyn MotionInstance>, NotMade> {
        self.host.motion(&self.choice(params), setup).map_err(not_made)
    }
    fn sensor(&self, params: &Value, setup: &SensorSetup) -> Result<Arc<dyn SensorInstance>, NotMade> {
        self.host.sensor(&self.choice(params), setup).map_err(not_made)
    }
    fn player(&self, params: &Value, setup: &PlayerSetup) -> Result<Arc<dyn PlayerInstance>, NotMade> {
        self.host.player(&self.choice(params), setup).map_err(not_made)
    }
    fn referee(&self, params: &Value, setup: &RefereeSetup) -> Result<Arc<dyn RefereeInstance>, NotMade> {
        self.host.referee(&self.choice(params), setup).map_err(not_made)
    }
}

fn not_made(error: MakeError) -> NotMade {
    match error {
        MakeError::Setup { error, .. } => NotMade::Setup(error),
        MakeError::Failed { message, .. } => NotMade::Failed(message),
        error @ MakeError::NoSuchPlugin { .. } => NotMade::Failed(error.to_string()),
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
