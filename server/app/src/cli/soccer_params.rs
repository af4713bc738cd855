//! The parameters of a game, changed from outside of its world file: by that server's own files, and by options.

use super::Failure;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use touchline_sim::Scenario;
use touchline_soccer::service::params_of;
use touchline_soccer_law::params::SoccerParams;

/// A file of parameters may be so long: ten times what that server writes.
const MAX_CONF_BYTES: u64 = 1 << 18;

/// Changes the parameters of a scenario.
///
/// # Errors
/// When the world is none of this league's, or the change fails.
pub fn change(
    scenario: &mut Scenario,
    change: impl FnOnce(&mut SoccerParams) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut params =
        params_of(scenario).map_err(|why| Failure::Configuration(format!("{}: {why}", scenario.name)))?;
    change(&mut params)?;
    if let Some(referee) = &mut scenario.referee {
        referee.params =
            serde_json::to_value(&params).map_err(|error| Failure::Configuration(error.to_string()))?;
    }
    Ok(())
}

/// Sets what files of that server say, one after the other.
///
/// # Errors
/// Names each line that cannot be used, of all files.
pub fn read_conf(params: &mut SoccerParams, files: &[PathBuf]) -> Result<(), Failure> {
    let mut errors = Vec::new();
    for file in files {
        let wrong = params.read_conf(&text_of(file)?).err().unwrap_or_default();
        errors.extend(wrong.iter().map(|error| format!("{}: {error}", file.display())));
    }
    if errors.is_empty() { Ok(()) } else { Err(Failure::Configuration(errors.join("\n"))) }
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| Failure::Resource(format!("{}: {error}", path.display()));
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_CONF_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MAX_CONF_BYTES {
        return Err(Failure::Configuration(format!(
            "{}: longer than {} kB; is it a file of parameters?",
            path.display(),
            MAX_CONF_BYTES >> 10
        )));
    }
    Ok(text)
}
