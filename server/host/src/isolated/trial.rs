//! What becomes of libraries when they are loaded, found out in a process that may end by it.

use super::jail::Jail;
use super::{Call, Remote};
use crate::attempt::{AttemptResult, Refusal};
use std::path::{Path, PathBuf};

/// Loads each library of a folder; those behind one that ended the process are loaded in a new one.
pub fn try_all(jail: &Jail, folder: &Path, paths: &[PathBuf]) -> Vec<AttemptResult> {
    let readable = [std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())];
    let mut running: Option<Remote> = None;
    let load = |path: &PathBuf| {
        let remote = match running.take().filter(Remote::is_alive) {
            Some(remote) => remote,
            None => match Remote::start(jail, &readable) {
                Ok(remote) => remote,
                Err(error) => return no_process(&error),
            },
        };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let result = remote.load(Call::Load, &path);
        running = Some(remote);
        result
    };
    paths.iter().map(load).collect()
}

/// Loads a library and makes an instance on trial.
pub fn try_one(jail: &Jail, path: &Path) -> AttemptResult {
    let readable = [path.parent().unwrap_or(path).to_owned()];
    match Remote::start(jail, &readable) {
        Ok(remote) => remote.load(Call::Try, path),
        Err(error) => no_process(&error),
    }
}

fn no_process(error: &std::io::Error) -> AttemptResult {
    AttemptResult::Refused(Refusal::FailedOnTrial(format!("there is no process for it: {error}")))
}
