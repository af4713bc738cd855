//! What becomes of libraries when they are loaded, found out in a process that may end by it.

use super::jail::Jail;
use super::{Call, Remote};
use crate::attempt::{AttemptResult, Refusal};
use crate::library::Library;
use std::io;
use std::path::{Path, PathBuf};

/// So many libraries are loaded in one process: all that it has may take no more memory than one plugin may.
const TOGETHER: usize = 8;

/// Loads each library of a folder, some in one process; those behind one that ended the process are loaded in a new one.
///
/// # Errors
/// Why this machine has no process to try them in.
pub fn try_all(jail: &Jail, folder: &Path, paths: &[PathBuf]) -> io::Result<Vec<AttemptResult>> {
    let readable = [folder.to_owned()];
    let mut running = Some(Remote::start(jail, &readable)?);
    let load = |(index, path): (usize, &PathBuf)| {
        let is_full = index > 0 && index.is_multiple_of(TOGETHER);
        let remote = match running.take().filter(|remote| !is_full && remote.is_alive()) {
            Some(remote) => remote,
            // There was one before: what the last library did may be the reason.
            None => match Remote::start(jail, &readable) {
                Ok(remote) => remote,
                Err(error) => return no_process(&error),
            },
        };
        let result = remote.load(Call::Load, path);
        running = Some(remote);
        result
    };
    Ok(paths.iter().enumerate().map(load).collect())
}

/// Loads a library and makes an instance on trial.
///
/// # Errors
/// Why this machine has no process to try it in.
pub fn try_one(jail: &Jail, path: &Path) -> io::Result<AttemptResult> {
    let readable = [path.parent().unwrap_or(path).to_owned()];
    Ok(Remote::start(jail, &readable)?.load(Call::Try, path))
}

/// A process that has loaded a library: the one that was tried, and no other that lies there now.
///
/// # Errors
/// Why there is none.
pub fn load_again(jail: &Jail, readable: &[PathBuf], library: &Library) -> Result<Remote, String> {
    let refused = |refusal: Refusal| refusal.to_string();
    library.expect_unchanged().map_err(refused)?;
    let remote =
        Remote::start(jail, readable).map_err(|error| format!("there is no process for it: {error}"))?;
    match remote.load(Call::Load, &library.path) {
        // It may have been replaced meanwhile.
        AttemptResult::Loaded(found) => {
            library.expect_unchanged().and_then(|()| library.expect_same(&found)).map_err(refused)?;
            Ok(remote)
        }
        AttemptResult::Refused(refusal) => Err(refusal.to_string()),
        AttemptResult::NotAPlugin => Err("it is no plugin any more".into()),
    }
}

/// The refusal of a library for which there is no process.
pub fn no_process(error: &io::Error) -> AttemptResult {
    AttemptResult::Refused(Refusal::FailedOnTrial(format!("there is no process for it: {error}")))
}
