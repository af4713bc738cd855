//! The plugin border: one table of C functions for all plugins, in whatever language they are written.
//!
//! Every function takes an opaque instance, one flat input block and one flat output block, and returns a
//! [`status`]. A block is plain data that begins with its size and version; nothing in it is owned or can be
//! called, so a call could as well go to another process. All memory of outputs is the caller's: a plugin that
//! needs more answers [`status::BUFFER_TOO_SMALL`], and the caller repeats the call, which is legal because calls are
//! pure. Descriptions, setups and parameters cross as JSON, what is needed in every step as plain records.
//!
//! One [`Visitor`] walks over all that a block lends, so a call can be carried to where the caller's pointers mean nothing.
//!
//! Authors see none of it: they write [`export_motion!`](crate::export_motion), [`export_sensor!`](crate::export_sensor),
//! [`export_player!`](crate::export_player) or [`export_referee!`](crate::export_referee) once. The other side is
//! `touchline-host`.
//!
//! # Invariants
//! - No panic crosses the border: it is caught on the plugin's side, where its copy of the library can (P6).
//! - The [`Root`] module's layout holds that of all blocks and records, so a difference is refused before anything
//!   of the plugin runs (`layouts_are_compared_to_the_last_record`).
//! - A state is written back only if the call went well.
//!
//! # Not here
//! Loading: `server/host`. What authors in C and C++ see: `plugin-api/include/touchline`.

#![allow(unsafe_code)]

mod blocks;
mod c;
mod door;
mod export;
mod guard;
mod lent;
#[cfg(test)]
mod narrow_tests;
mod spare;
#[cfg(test)]
mod tests;
mod visit;

pub use abi_stable;
pub use blocks::*;
pub use c::{BadCTable, C_SYMBOL_PREFIX, CEntry, CFunction, CTable};
pub use door::{MotionDoor, PlayerDoor, PluginCrate, RefereeDoor, SensorDoor, SensorText};
pub use lent::{Buffer, Slice};
pub use visit::{Visit, Visitor};

use crate::plugin::PluginKind;
use abi_stable::library::RootModule;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::{StableAbi, package_version_strings};

/// The version of table and blocks. A plugin with another one is refused.
pub const INTERFACE_VERSION: u32 = 8;

/// What a call comes back with.
pub mod status {
    /// The call succeeded and its outputs are valid.
    pub const OK: i32 = 0;
    /// An output did not fit; `needed` says how much it needs. Nothing was done.
    pub const BUFFER_TOO_SMALL: i32 = 1;
    /// The plugin says that it cannot go on; the message says why.
    pub const FAULT: i32 = 2;
    /// The plugin panicked (or threw); the message is the panic's.
    pub const PANIC: i32 = 3;
    /// A block is missing, shorter than expected or of another version.
    pub const BAD_BLOCK: i32 = 4;
    /// This kind of plugin has no such function.
    pub const UNSUPPORTED: i32 = 5;
    /// The parameters are wrong; the text is the JSON of a [`crate::plugin::SetupError`].
    pub const SETUP: i32 = 6;
}

/// The number that stands for a kind in [`Table::kind`].
pub const fn kind_code(kind: PluginKind) -> u32 {
    kind as u32
}

/// An instance, as the caller sees it: an address that only the plugin understands.
#[repr(C)]
#[derive(StableAbi)]
pub struct Instance {
    private: u8,
}

/// All functions of a plugin. Those that its kind has not return [`status::UNSUPPORTED`].
///
/// # Safety
/// All pointers are valid for the call. Blocks and buffers do not overlap, and buffers may be written to. An instance
/// was made by this table's `create` and not yet destroyed; except for `destroy`, which comes last, an instance
/// may be called from several threads at once.
#[repr(C)]
#[derive(Clone, Copy, StableAbi)]
pub struct Table {
    /// [`INTERFACE_VERSION`] of the interface that it was built with.
    pub interface_version: u32,
    /// [`kind_code`].
    pub kind: u32,
    /// 1 if a panic can be caught in it: it was not built with `panic = "abort"`.
    pub unwinds: u32,
    /// 1 if no compiler checks what it writes (C, C++): the caller then watches the ends of the buffers that it lends, lends it a copy
    /// of the state, and looks at all numbers. Behind the export macros of Rust nothing is written by a call that fails.
    pub checked_by_caller: u32,
    /// Gives the JSON of a [`crate::plugin::PluginDescription`]. Takes no instance.
    pub describe: unsafe extern "C" fn(*const Instance, *const Nothing, *mut Text) -> i32,
    /// Makes an instance, and gives its description as JSON: a motion's
    /// [`MotionDescription`](crate::motion::MotionDescription), a sensor's [`SensorText`], the indices of the sensors that a
    /// player wants, `null` for a referee. Takes no instance.
    pub create: unsafe extern "C" fn(*const Instance, *const Create, *mut Created) -> i32,
    /// Ends an instance. It is gone whatever the status says.
    pub destroy: unsafe extern "C" fn(*const Instance, *const Nothing, *mut Reply) -> i32,
    /// Gives the state before the first call.
    pub initial_state: unsafe extern "C" fn(*const Instance, *const Nothing, *mut StateReply) -> i32,
    /// Motion: one cycle.
    pub advance_motion: unsafe extern "C" fn(*const Instance, *const MotionAdvance, *mut MotionReply) -> i32,
    /// Sensor: integrates one step.
    pub advance_sensor: unsafe extern "C" fn(*const Instance, *const SensorAdvance, *mut StateReply) -> i32,
    /// Sensor: reads the world.
    pub generate: unsafe extern "C" fn(*const Instance, *const Generate, *mut QuantisedReply) -> i32,
    /// Player: senses and acts.
    pub act: unsafe extern "C" fn(*const Instance, *const Act, *mut OrdersReply) -> i32,
    /// Referee: looks at what the robots want before the physics of a step.
    pub prepare: unsafe extern "C" fn(*const Instance, *const Prepare, *mut OrdersReply) -> i32,
    /// Referee: judges one step.
    pub judge: unsafe extern "C" fn(*const Instance, *const Judge, *mut OrdersReply) -> i32,
}

/// The door for plugins written in Rust: what `abi_stable` finds in the library, with its whole layout.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = RootRef, prefix_fields = RootPrefix)))]
#[sabi(missing_field(panic))]
pub struct Root {
    /// Table of the plugin's functions.
    #[sabi(last_prefix_field)]
    pub table: &'static Table,
}

impl RootModule for RootRef {
    abi_stable::declare_root_module_statics! {RootRef}
    const BASE_NAME: &'static str = "touchline_plugin";
    const NAME: &'static str = "touchline plugin";
    const VERSION_STRINGS: VersionStrings = package_version_strings!();
}
