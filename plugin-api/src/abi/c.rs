//! The door for plugins written in C and C++: the same functions as in [`Table`], any of which may be missing.
//!
//! The other side is `plugin-api/include/touchline/plugin.h`, which a test compares with the types here.

use super::{
    Act, Create, Created, Generate, INTERFACE_VERSION, Instance, Judge, MotionAdvance, MotionReply, Nothing,
    OrdersReply, Prepare, QuantisedReply, Reply, SensorAdvance, StateReply, Table, Text, kind_code, status,
};
use crate::plugin::PluginKind;

/// How the name of the one exported function begins; [`INTERFACE_VERSION`] follows.
pub const C_SYMBOL_PREFIX: &str = "touchline_plugin_v";

/// The exported function: gives a table that lives as long as the library.
pub type CEntry = unsafe extern "C" fn() -> *const CTable;

/// A function of the C table.
pub type CFunction<I, O> = Option<unsafe extern "C" fn(*const Instance, *const I, *mut O) -> i32>;

/// The table of a plugin written in C or C++: `touchline_plugin` in the header.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CTable {
    /// [`INTERFACE_VERSION`] of the header that it was built with.
    pub interface_version: u32,
    /// [`kind_code`].
    pub kind: u32,
    /// The table's length as the plugin was compiled, bytes.
    pub size: u32,
    /// Padding; zero.
    pub reserved: u32,
    /// As in [`Table`]; needed.
    pub describe: CFunction<Nothing, Text>,
    /// As in [`Table`]; needed.
    pub create: CFunction<Create, Created>,
    /// As in [`Table`]; needed.
    pub destroy: CFunction<Nothing, Reply>,
    /// As in [`Table`]; without it the state is empty.
    pub initial_state: CFunction<Nothing, StateReply>,
    /// As in [`Table`]; a motion model needs it.
    pub advance_motion: CFunction<MotionAdvance, MotionReply>,
    /// As in [`Table`]; a sensor that is not stateless needs it.
    pub advance_sensor: CFunction<SensorAdvance, StateReply>,
    /// As in [`Table`]; a sensor needs it.
    pub generate: CFunction<Generate, QuantisedReply>,
    /// As in [`Table`]; a player needs it.
    pub act: CFunction<Act, OrdersReply>,
    /// As in [`Table`]; a referee needs it that says that it prepares.
    pub prepare: CFunction<Prepare, OrdersReply>,
    /// As in [`Table`]; a referee needs it.
    pub judge: CFunction<Judge, OrdersReply>,
}

/// Why a C table is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCTable {
    /// It was built with another version of the header.
    #[error("built for interface {0}, this server has interface {INTERFACE_VERSION}")]
    OtherVersion(u32),
    /// The plugin's table is shorter than this version's.
    #[error(
        "it has {size} bytes, and version {INTERFACE_VERSION} has {}; set `size` to sizeof(touchline_plugin)",
        size_of::<CTable>()
    )]
    Short {
        /// The length that it says.
        size: u32,
    },
    /// No kind has this number.
    #[error("there is no kind {0}; set `kind` to one of the TL_KIND_…")]
    NoKind(u32),
    /// A function is missing that a plugin of this kind has to have.
    #[error("its function `{function}` is NULL, and a {kind} plugin needs it: put one into the table")]
    Missing {
        /// Kind of the plugin that lacks the function.
        kind: PluginKind,
        /// The function's name in the header.
        function: &'static str,
    },
}

impl CTable {
    /// Fills the gaps, after the check that there is no gap where a function is needed.
    ///
    /// # Errors
    /// Says what is wrong with the table.
    pub fn to_table(&self) -> Result<Table, BadCTable> {
        if self.interface_version != INTERFACE_VERSION {
            return Err(BadCTable::OtherVersion(self.interface_version));
        }
        if (self.size as usize) < size_of::<Self>() {
            return Err(BadCTable::Short { size: self.size });
        }
        let kind = PluginKind::ALL.into_iter().find(|&kind| kind_code(kind) == self.kind);
        let kind = kind.ok_or(BadCTable::NoKind(self.kind))?;
        let missing = |function| BadCTable::Missing { kind, function };
        let (function, is_there) = match kind {
            PluginKind::Motion => ("advance_motion", self.advance_motion.is_some()),
            PluginKind::Sensor => ("generate", self.generate.is_some()),
            PluginKind::Player => ("act", self.act.is_some()),
            PluginKind::Referee => ("judge", self.judge.is_some()),
        };
        if !is_there {
            return Err(missing(function));
        }
        Ok(Table {
            interface_version: self.interface_version,
            kind: self.kind,
            // Nothing in C can panic; the C++ header catches what is thrown.
            unwinds: 1,
            checked_by_caller: 1,
            describe: self.describe.ok_or_else(|| missing("describe"))?,
            create: self.create.ok_or_else(|| missing("create"))?,
            destroy: self.destroy.ok_or_else(|| missing("destroy"))?,
            initial_state: self.initial_state.unwrap_or(no_state),
            advance_motion: self.advance_motion.unwrap_or(unsupported),
            advance_sensor: self.advance_sensor.unwrap_or(unsupported),
            generate: self.generate.unwrap_or(unsupported),
            act: self.act.unwrap_or(unsupported),
            prepare: self.prepare.unwrap_or(unsupported),
            judge: self.judge.unwrap_or(unsupported),
        })
    }
}

extern "C" fn unsupported<I, O>(_: *const Instance, _: *const I, _: *mut O) -> i32 {
    status::UNSUPPORTED
}

unsafe extern "C" fn no_state(_: *const Instance, _: *const Nothing, output: *mut StateReply) -> i32 {
    // SAFETY: the block is valid or null, as `Table` promises.
    match unsafe { output.as_mut() } {
        Some(output) => {
            output.state.len = 0;
            status::OK
        }
        None => status::BAD_BLOCK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: CTable = CTable {
        interface_version: INTERFACE_VERSION,
        kind: 1,
        size: size_of::<CTable>() as u32,
        reserved: 0,
        describe: Some(unsupported),
        create: Some(unsupported),
        destroy: Some(unsupported),
        initial_state: None,
        advance_motion: None,
        advance_sensor: None,
        generate: Some(unsupported),
        act: None,
        prepare: None,
        judge: None,
    };

    /// P7: a table is taken if it has what its kind needs, and is refused with the reason otherwise.
    #[test]
    fn a_table_needs_the_functions_of_its_kind() {
        assert!(EMPTY.to_table().is_ok_and(|table| table.checked_by_caller == 1));
        let reason = |table: CTable| table.to_table().err().map(|error| error.to_string());
        let needs = |reason: Option<String>, text: &str| assert!(reason.unwrap().contains(text));
        let older = INTERFACE_VERSION - 1;
        needs(reason(CTable { interface_version: older, ..EMPTY }), &format!("built for interface {older}"));
        needs(reason(CTable { size: 16, ..EMPTY }), "it has 16 bytes");
        needs(reason(CTable { kind: 9, ..EMPTY }), "no kind 9");
        needs(reason(CTable { generate: None, ..EMPTY }), "`generate` is NULL, and a sensor plugin needs it");
        needs(reason(CTable { destroy: None, ..EMPTY }), "`destroy` is NULL");
        needs(reason(CTable { kind: 3, ..EMPTY }), "`judge` is NULL");
    }
}
