//! A look into a library file, before the system's loader runs what is in it.
//!
//! The loader maps a file as its tables tell and runs its constructors; a file that was cut off makes it crash,
//! and a library that is no plugin has no business running anything here.

use crate::attempt::Refusal;
use object::read::{NameOrOrdinal, ReadCache};
use object::{Object, ObjectKind, ObjectSegment};
use std::fs::File;
use std::path::Path;

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It has the symbol by which plugins are known.
    Plugin,
    /// It has not.
    OtherLibrary,
}

/// The symbol of the Rust door.
const DOOR: &[u8] = abi_stable::library::ROOT_MODULE_LOADER_NAME.as_bytes();

/// Looks into a file.
pub fn look(path: &Path) -> Result<Found, Refusal> {
    let unreadable = |error: std::io::Error| Refusal::Unreadable(error.to_string());
    // Before it is opened: to open a named pipe is to wait for its other end.
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(Refusal::NotALibrary("not a file".into()));
    }
    let have = metadata.len();
    if have == 0 {
        return Err(Refusal::Empty);
    }
    let cache = ReadCache::new(File::open(path).map_err(unreadable)?);
    let no_library = |error: object::read::Error| Refusal::NotALibrary(error.to_string());
    let object = object::File::parse(&cache).map_err(no_library)?;
    if object.kind() != ObjectKind::Dynamic {
        return Err(Refusal::NotALibrary(format!("an object of kind {:?}", object.kind())));
    }
    for segment in object.segments() {
        let (start, len) = segment.file_range();
        let need = start.saturating_add(len);
        if need > have {
            return Err(Refusal::CutOff { have, need });
        }
    }
    // Mach-O puts an underscore before every C name.
    let is_door = |name: &[u8]| name == DOOR || name.strip_prefix(b"_") == Some(DOOR);
    for export in object.exports().map_err(no_library)? {
        if matches!(export.map_err(no_library)?.name(), NameOrOrdinal::Name(name) if is_door(name)) {
            return Ok(Found::Plugin);
        }
    }
    Ok(Found::OtherLibrary)
}
