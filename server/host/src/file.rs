//! A look into a library file, before the system's loader runs what is in it.
//!
//! The loader maps a file as its tables tell and runs its constructors; a file that was cut off makes it crash,
//! and a library that is no plugin has no business running anything here.

use crate::attempt::Refusal;
use object::read::{NameOrOrdinal, ReadCache};
use object::{Object, ObjectKind, ObjectSegment};
use std::fs::File;
use std::path::Path;
use touchline_plugin_api::abi::{C_SYMBOL_PREFIX, INTERFACE_VERSION};

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It has the symbol by which plugins written in Rust are known.
    Plugin,
    /// It has the function by which plugins written in C or C++ are known.
    CPlugin,
    /// It is a dynamic library with neither of the two.
    OtherLibrary,
}

/// The symbol of the Rust door.
const DOOR: &[u8] = abi_stable::library::ROOT_MODULE_LOADER_NAME.as_bytes();

/// Looks for the symbols of a plugin in a file, without loading it.
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
    let (mut found, mut other_version) = (Found::OtherLibrary, None);
    for export in object.exports().map_err(no_library)? {
        let export = export.map_err(no_library)?;
        let NameOrOrdinal::Name(name) = export.name() else { continue };
        // Mach-O puts an underscore before every C name.
        let is = |door: &[u8]| name == door || name.strip_prefix(b"_") == Some(door);
        if is(DOOR) {
            return Ok(Found::Plugin);
        }
        match c_version(name.strip_prefix(b"_").unwrap_or(name)) {
            Some(INTERFACE_VERSION) => found = Found::CPlugin,
            Some(other) if found == Found::OtherLibrary => other_version = Some(other),
            _ => {}
        }
    }
    match (found, other_version) {
        (Found::OtherLibrary, Some(other)) => Err(other_interface(other)),
        _ => Ok(found),
    }
}

/// The version in the name of a C plugin's function, if it is one.
fn c_version(name: &[u8]) -> Option<u32> {
    std::str::from_utf8(name).ok()?.strip_prefix(C_SYMBOL_PREFIX)?.parse().ok()
}

/// The refusal of a plugin that was built with another version of the header.
pub fn other_interface(plugin: u32) -> Refusal {
    Refusal::OtherInterface {
        plugin: format!("interface {plugin}"),
        server: format!("interface {INTERFACE_VERSION}"),
    }
}
