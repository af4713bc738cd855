//! Recordings and game logs, which somebody may take for files of worlds and robots: told by how they begin.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How a recording (MCAP) begins.
const MCAP: &[u8] = b"\x89MCAP";
/// How a game log of most versions begins; others are told by their names.
const GAME_LOG: &[u8] = b"ULG";

/// What a file is in words, if it is a recording or a game log.
pub(crate) fn recorded(path: &Path) -> Option<&'static str> {
    // What is no regular file, such as a pipe, is not read twice.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut first = [0; MCAP.len()];
    let mut file = File::open(path).ok()?;
    let count = file.read(&mut first).ok()?;
    let first = first.get(..count)?;
    let name = path.file_name()?.to_string_lossy();
    let is_named = [".rcg", ".rcg.gz"].iter().any(|ending| name.ends_with(ending));
    if first.starts_with(MCAP) {
        Some("a recording, not a configuration")
    } else if first.starts_with(GAME_LOG) || is_named {
        Some("a game log of the RoboCup Soccer Server, not a configuration")
    } else {
        None
    }
}
