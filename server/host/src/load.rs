//! From a file to a table of functions, with everything compared that can be.

use crate::attempt::Refusal;
use crate::call::{call, done, enlarge, lend, take};
use crate::file::{Found, look, other_interface};
use crate::loaded::{self, Stamp, identify};
use abi_stable::library::{AbiHeader, LibraryError, RootModule, lib_header_from_path};
use abi_stable::sabi_types::{VersionNumber, VersionStrings};
use std::error::Error;
use std::path::{Path, PathBuf};
use touchline_plugin_api::abi::{
    BadCTable, Buffer, C_SYMBOL_PREFIX, CEntry, CTable, Head, INTERFACE_VERSION, Nothing, RootRef, Table,
    Text, kind_code,
};
use touchline_plugin_api::plugin::{Fault, PluginDescription, PluginKind};

/// A plugin that passed all checks.
#[derive(Clone)]
pub struct Plugin {
    /// Function table of the plugin.
    pub table: &'static Table,
    /// What it says of itself.
    pub description: PluginDescription,
}

/// Loads the plugin of a file; `None` if the file is a library, but no plugin.
pub fn load(path: &Path) -> Result<Option<Plugin>, Refusal> {
    load_tried(path, None)
}

/// A file as it was when another process of this program loaded it, and what it said of itself there.
pub struct Tried {
    pub found: (PathBuf, Stamp),
    pub description: PluginDescription,
}

/// The same of a file that was tried. If it is still that file, its layout is not compared and its description is not asked for again: both take
/// longer than all else.
pub fn load_tried(path: &Path, tried: Option<Tried>) -> Result<Option<Plugin>, Refusal> {
    let Some(Door { table, was_compared }) = door_of(path, tried.as_ref())? else { return Ok(None) };
    let Some(Tried { description, .. }) = tried.filter(|_| was_compared) else {
        // SAFETY: the table's layout was compared; its functions keep the promises of `Table`, as an author in C does by the header.
        return unsafe { adopt(table) }.map(Some);
    };
    let kind = kind_of(table)?;
    if description.kind != kind {
        return Err(Refusal::BadTable(format!(
            "it said {} when it was tried, and is a {kind} plugin",
            description.kind
        )));
    }
    Ok(Some(Plugin { table, description }))
}

/// A library's table, and whether it is the file that was tried.
struct Door {
    table: &'static Table,
    was_compared: bool,
}

/// Opens a library and finds its table, with all versions compared, and its layout unless that was done before.
fn door_of(path: &Path, tried: Option<&Tried>) -> Result<Option<Door>, Refusal> {
    // Asked when the file is open: one that takes its place later is not what runs here.
    let is_tried = |path: &Path| tried.is_some_and(|tried| identify(path).as_ref() == Some(&tried.found));
    // The system's loader looks for a name without a folder elsewhere than here.
    let path = &std::path::absolute(path).map_err(|error| Refusal::Unreadable(error.to_string()))?;
    match look(path)? {
        Found::OtherLibrary => Ok(None),
        Found::Plugin => {
            loaded::note(path)?;
            // What opens it again finds it open.
            std::mem::forget(open(path)?);
            // Not `RootModule::load_from_file`: it keeps the first library for ever and gives it for every other.
            let header = lib_header_from_path(path).map_err(refusal)?;
            check_version(header.version_strings())?;
            let was_compared = is_tried(path);
            let root = if was_compared {
                // SAFETY: another process of this program has compared the layout of the file of this place, size and time.
                unsafe { header.init_root_module_with_unchecked_layout::<RootRef>() }
            } else {
                header.init_root_module::<RootRef>()
            };
            // The library is never unloaded.
            Ok(Some(Door { table: root.map_err(refusal)?.table(), was_compared }))
        }
        Found::CPlugin => {
            loaded::note(path)?;
            let library = open(path)?;
            let symbol = format!("{C_SYMBOL_PREFIX}{INTERFACE_VERSION}");
            let no_door = |_| Refusal::BadTable("the door's symbol is not there".into());
            // SAFETY: the header says what a function of this name is.
            let entry = *unsafe { library.get::<CEntry>(&symbol) }.map_err(no_door)?;
            // Its functions are used as long as the program runs.
            std::mem::forget(library);
            // SAFETY: the function takes nothing, and gives null or a table that lives as long as the library.
            let table = unsafe { c_table(entry()) }?;
            Ok(Some(Door { table: Box::leak(Box::new(table)), was_compared: is_tried(path) }))
        }
    }
}

/// Opens a library and finds all that it needs, now: what is missing is named here, and does not end the program at its first use.
fn open(path: &Path) -> Result<libloading::Library, Refusal> {
    let cannot_load = |error: libloading::Error| {
        Refusal::CannotLoad(error.source().map_or_else(|| error.to_string(), ToString::to_string))
    };
    #[cfg(unix)]
    {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        // SAFETY: the file is a plugin by its symbols (`look`); what a library does when it is opened is its author's promise.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        library.map(Into::into).map_err(cannot_load)
    }
    #[cfg(not(unix))]
    // SAFETY: as above.
    unsafe { libloading::Library::new(path) }.map_err(cannot_load)
}

/// Reads the table of a plugin written in C or C++, no further than it is long.
///
/// # Safety
/// The pointer is null, or points to the table's first four numbers and as many bytes as they say.
unsafe fn c_table(table: *const CTable) -> Result<Table, Refusal> {
    if table.is_null() {
        return Err(Refusal::BadTable(format!("{C_SYMBOL_PREFIX}{INTERFACE_VERSION} gave NULL")));
    }
    // SAFETY: the caller's promise.
    let [version, _, size, _] = unsafe { table.cast::<[u32; 4]>().read() };
    if version != INTERFACE_VERSION {
        return Err(other_interface(version));
    }
    if (size as usize) < size_of::<CTable>() {
        return Err(Refusal::BadTable(BadCTable::Short { size }.to_string()));
    }
    // SAFETY: it is long enough.
    unsafe { table.read() }.to_table().map_err(|error| Refusal::BadTable(error.to_string()))
}

/// Whether a plugin of this version of plugin-api fits. `abi_stable` alone would take 0.2 where 0.1 is expected.
fn check_version(plugin: VersionStrings) -> Result<(), Refusal> {
    let number = |strings| VersionNumber::new(strings).map_err(|error| refusal(error.into()));
    let (plugin, server) = (number(plugin)?, number(RootRef::VERSION_STRINGS)?);
    let fits = match server.major {
        0 => plugin.minor == server.minor,
        _ => plugin.minor <= server.minor,
    };
    if plugin.major == server.major && fits {
        return Ok(());
    }
    Err(Refusal::OtherInterface { plugin: plugin.to_string(), server: server.to_string() })
}

/// Checks a table and asks for its description.
///
/// # Safety
/// The table's functions keep the promises of [`Table`].
pub unsafe fn adopt(table: &'static Table) -> Result<Plugin, Refusal> {
    let kind = kind_of(table)?;
    // SAFETY: the caller's promise.
    let description = unsafe { describe(table) }.map_err(Refusal::BadDescription)?;
    if description.kind != kind {
        let (says, has) = (description.kind, kind);
        return Err(Refusal::BadTable(format!("it says {says} and has the functions of a {has} plugin")));
    }
    Ok(Plugin { table, description })
}

/// The kind of a table that this program can call.
fn kind_of(table: &Table) -> Result<PluginKind, Refusal> {
    if table.interface_version != INTERFACE_VERSION {
        return Err(other_interface(table.interface_version));
    }
    if table.unwinds != 1 {
        return Err(Refusal::CannotUnwind);
    }
    let kind = PluginKind::ALL.into_iter().find(|&kind| kind_code(kind) == table.kind);
    kind.ok_or_else(|| Refusal::BadTable(format!("there is no kind {}", table.kind)))
}

/// # Safety
/// The table's functions keep the promises of [`Table`].
unsafe fn describe(table: &Table) -> Result<PluginDescription, String> {
    let text = |fault: Fault| fault.to_string();
    let mut json = Vec::with_capacity(16 * 1024);
    let input = Nothing { head: Head::of::<Nothing>() };
    let mut reply = Text { head: Head::of::<Text>(), message: Buffer::NONE, text: lend(table, &mut json) };
    let refit = |reply: &mut Text| enlarge(table, &mut json, &mut reply.text);
    // SAFETY: the caller's promise; `describe` takes no instance, and the buffer is a vector's memory.
    unsafe {
        done(call(table.describe, std::ptr::null(), &input, &mut reply, refit)).map_err(text)?;
        take(table, &mut json, &reply.text).map_err(text)?;
    }
    let description: PluginDescription = serde_json::from_slice(&json).map_err(|error| {
        format!("{error}; it gives JSON with kind, name, version, summary, params_schema")
    })?;
    let name = &description.name;
    let valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(valid) {
        return Err(format!("its name is {name:?}; allowed are 1 to 64 of a-z, 0-9 and -"));
    }
    Ok(description)
}

/// One sentence for each of the loader's errors; those of `abi_stable` fill pages.
fn refusal(error: LibraryError) -> Refusal {
    match error {
        LibraryError::OpenError { err, .. } => {
            let reason = err.source().map_or_else(|| err.to_string(), ToString::to_string);
            Refusal::CannotLoad(reason)
        }
        LibraryError::IncompatibleVersionNumber { expected_version, actual_version, .. } => {
            Refusal::OtherInterface {
                plugin: actual_version.to_string(),
                server: expected_version.to_string(),
            }
        }
        LibraryError::AbiInstability(_) => {
            Refusal::OtherLayout { version: RootRef::VERSION_STRINGS.version.to_string() }
        }
        LibraryError::InvalidAbiHeader(header) => Refusal::OtherTools(format!(
            "it has abi_stable {}.{}, this server has {}.{}",
            header.abi_major,
            header.abi_minor,
            AbiHeader::VALUE.abi_major,
            AbiHeader::VALUE.abi_minor
        )),
        LibraryError::InvalidCAbi { .. } => Refusal::OtherTools("values are passed differently".into()),
        LibraryError::GetSymbolError { .. } => Refusal::BadTable("the door's symbol is not there".into()),
        LibraryError::ParseVersionError(_) => Refusal::BadTable("its version is no version".into()),
        LibraryError::RootModule { .. } => Refusal::BadTable("it failed to hand it out".into()),
        LibraryError::Many(_) => Refusal::BadTable("there are several errors in it".into()),
    }
}
