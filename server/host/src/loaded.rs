//! Which files this process has loaded, and as they were then.
//!
//! The system's loader knows a library by its path: a file that is built anew is not loaded a second time, and what is played is
//! the old one. Results that bear the new file's number would be wrong.

use crate::attempt::Refusal;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// By what a changed file is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

// The loader's own list is the process's, too.
static LOADED: Mutex<BTreeMap<PathBuf, Stamp>> = Mutex::new(BTreeMap::new());

/// Notes that a file is about to be loaded.
///
/// # Errors
/// When it is not the file any more that was loaded from there.
pub fn note(path: &Path) -> Result<(), Refusal> {
    let Some((path, stamp)) = identify(path) else { return Ok(()) };
    let mut loaded = LOADED.lock();
    if *loaded.entry(path).or_insert(stamp) == stamp { Ok(()) } else { Err(Refusal::Changed) }
}

/// Whether the file at this path is another than the one that was loaded from there.
pub fn has_changed(path: &Path) -> bool {
    let loaded = LOADED.lock();
    identify(path).is_some_and(|(path, now)| loaded.get(&path).is_some_and(|then| *then != now))
}

/// Where a file really lies, and as it is now.
pub fn identify(path: &Path) -> Option<(PathBuf, Stamp)> {
    let metadata = fs::metadata(path).ok()?;
    let stamp = Stamp { bytes: metadata.len(), modified: metadata.modified().ok() };
    Some((fs::canonicalize(path).ok()?, stamp))
}
