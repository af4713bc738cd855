//! One instance behind the border, and what all four kinds do with it.

use crate::call::{Answer, Function, bad, call, done, enlarge, lend, take};
use crate::calls::{KnownLabel, Label, seen};
use crate::isolated::{Jail, Keep, load_again};
use crate::library::Library;
use crate::times::Identity;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use touchline_plugin_api::abi::{
    Block, Buffer, Create, Created, Generate, Head, Instance, Nothing, OrdersReply, QuantisedReply, Reply,
    ReplyBlock, Slice, StateReply, Table,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};

/// Why there is no instance.
#[derive(Debug)]
pub enum NoInstance {
    /// The plugin does not accept its parameters.
    Setup(SetupError),
    /// The plugin failed, or what it says makes no sense.
    Failed(String),
}

impl std::fmt::Display for NoInstance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Setup(error) => error.fmt(f),
            Self::Failed(message) => f.write_str(message),
        }
    }
}

impl From<Fault> for NoInstance {
    fn from(fault: Fault) -> Self {
        Self::Failed(fault.to_string())
    }
}

/// Where a plugin's functions are called.
pub enum Door<'a> {
    /// In the server's own process.
    Here(&'static Table),
    /// In a process of its own, which loads this library and may read these files.
    Apart {
        /// How it is kept apart.
        jail: &'a Jail,
        /// As it was found.
        library: &'a Arc<Library>,
        /// Files and folders that the process may read.
        readable: Vec<PathBuf>,
    },
}

/// What instances are made with.
struct Opened {
    table: &'static Table,
    for_watchers: Function<Generate, QuantisedReply>,
    /// What `create` takes as its instance.
    instance: *mut Instance,
    /// Takes note of what an instance was made of, so that it can be made again.
    keep: Option<Keep>,
}

impl Door<'_> {
    fn open(&self) -> Result<Opened, NoInstance> {
        match self {
            Self::Here(table) => {
                Ok(Opened { table, for_watchers: table.generate, instance: std::ptr::null_mut(), keep: None })
            }
            Self::Apart { jail, library, readable } => {
                let remote = load_again(jail, readable, library).map_err(NoInstance::Failed)?;
                let (table, for_watchers) = (remote.table(), remote.generate_for_watchers());
                let keep = Some(remote.keeper(Arc::clone(library)));
                Ok(Opened { table, for_watchers, instance: remote.into_instance(), keep })
            }
        }
    }
}

/// Makes an instance, and gives its description as JSON.
///
/// # Safety
/// The functions of the table keep the promises of [`Table`]; its `create` takes this instance.
pub unsafe fn make(
    table: &'static Table,
    instance: *mut Instance,
    params: &[u8],
    setup: &[u8],
) -> Result<(*mut Instance, Vec<u8>), NoInstance> {
    let mut json = Vec::with_capacity(4096);
    let input = Create { head: Head::of::<Create>(), params: Slice::of(params), setup: Slice::of(setup) };
    let mut reply = Created {
        head: Head::of::<Created>(),
        message: Buffer::NONE,
        instance: std::ptr::null_mut(),
        text: lend(table, &mut json),
    };
    let refit = |reply: &mut Created| enlarge(table, &mut json, &mut reply.text);
    // SAFETY: the caller's promise; the buffer is a vector's memory.
    let answer = unsafe { call(table.create, instance, &input, &mut reply, refit) }?;
    // SAFETY: the buffer is the vector's memory.
    unsafe { take(table, &mut json, &reply.text) }?;
    match answer {
        Answer::Done if reply.instance.is_null() => {
            Err(bad("it says that all went well, but there is no instance").into())
        }
        Answer::Done => Ok((reply.instance, json)),
        Answer::Setup => Err(match serde_json::from_slice(&json) {
            Ok(error) => NoInstance::Setup(error),
            Err(error) => NoInstance::Failed(format!("it refuses its parameters unreadably: {error}")),
        }),
    }
}

/// An instance that is ended when nobody needs it any more.
pub struct Handle {
    /// Function table of the plugin.
    pub table: &'static Table,
    /// The table's `generate` for those who look on.
    pub for_watchers: Function<Generate, QuantisedReply>,
    /// Null as long as there is nothing to end.
    instance: *mut Instance,
    identity: Identity,
    label: KnownLabel,
}

// SAFETY: an instance may be called from several threads at once, as `Table` says, and ended by any of them.
unsafe impl Send for Handle {}
// SAFETY: likewise.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.instance.is_null() {
            return;
        }
        let input = Nothing { head: Head::of::<Nothing>() };
        let mut reply = Reply { head: Head::of::<Reply>(), message: Buffer::NONE };
        // SAFETY: `create` of this table made the instance, and this is the last that is heard of it.
        let end = || unsafe { call(self.table.destroy, self.instance, &input, &mut reply, |_| Ok(false)) };
        let ended = seen(&self.label, end);
        if let Err(fault) = done(ended) {
            tracing::warn!("{}: an instance failed at its end: {fault}", self.identity.title);
        }
    }
}

impl Handle {
    /// Makes an instance, and gives its description as JSON.
    ///
    /// # Safety
    /// The functions of the door's table keep the promises of [`Table`].
    pub unsafe fn create(
        door: &Door<'_>,
        identity: Identity,
        params: &[u8],
        setup: &[u8],
    ) -> Result<(Self, Vec<u8>), NoInstance> {
        let label = Label::known(format!("{} of {}", identity.title, identity.owner));
        let Opened { table, for_watchers, instance, keep } = seen(&label, || door.open())?;
        let mut handle = Self { table, for_watchers, instance, identity, label };
        // SAFETY: the caller's promise; `create` takes the instance that the door gives.
        let (made, json) = seen(&handle.label, || unsafe { make(table, instance, params, setup) })?;
        handle.instance = made;
        if let Some(keep) = keep {
            keep(params, setup, &json);
        }
        Ok((handle, json))
    }

    /// Calls a function that may not refuse anything.
    ///
    /// # Safety
    /// As [`call`], with this instance.
    #[inline]
    pub unsafe fn call<I: Block, O: ReplyBlock>(
        &self,
        function: Function<I, O>,
        input: &I,
        output: &mut O,
        refit: impl FnMut(&mut O) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        // SAFETY: the caller's promise; the instance lives until it is dropped.
        let call = || unsafe { call(function, self.instance, input, output, refit) };
        done(seen(&self.label, || self.identity.times.count(call)))
    }

    /// Says whose it is from now on, to who looks on.
    pub fn belongs_to(&mut self, owner: String) {
        self.label = Label::known(format!("{} of {owner}", self.identity.title));
        self.identity.owner = owner;
    }

    pub fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        let mut state = Vec::new();
        let input = Nothing { head: Head::of::<Nothing>() };
        let mut reply = StateReply {
            head: Head::of::<StateReply>(),
            message: Buffer::NONE,
            state: lend(self.table, &mut state),
        };
        let refit = |reply: &mut StateReply| enlarge(self.table, &mut state, &mut reply.state);
        // SAFETY: the buffer is the vector's memory.
        unsafe {
            self.call(self.table.initial_state, &input, &mut reply, refit)?;
            take(self.table, &mut state, &reply.state)?;
        }
        Ok(state)
    }
}

/// Parses an instance's description from JSON.
pub fn described<T: serde::de::DeserializeOwned>(json: &[u8]) -> Result<T, NoInstance> {
    serde_json::from_slice(json).map_err(|error| {
        NoInstance::Failed(format!("its description cannot be read (numbers must be finite): {error}"))
    })
}

thread_local! {
    // The memory of the copies that calls work on is kept.
    static STATE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Runs a call on the state. A call that fails leaves no trace in it.
///
/// A Rust plugin's side of the border writes the state only when all went well, and has looked at the output before.
#[inline]
pub fn on_state<R>(
    table: &Table,
    state: &mut Vec<u8>,
    call: impl FnOnce(&mut Vec<u8>) -> Result<R, Fault>,
) -> Result<R, Fault> {
    // A C plugin's buffer is lent with slack behind it, which the state itself is not to have.
    if table.checked_by_caller != 0 { on_a_copy(state, call) } else { call(state) }
}

/// Runs a call on a copy of the state, which replaces the state if all went well.
fn on_a_copy<R>(
    state: &mut Vec<u8>,
    call: impl FnOnce(&mut Vec<u8>) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let mut copy = STATE.take();
    copy.clear();
    copy.extend_from_slice(state);
    let result = call(&mut copy);
    if result.is_ok() {
        std::mem::swap(state, &mut copy);
    }
    STATE.set(copy);
    result
}

/// Calls a function that gives orders; appends them if all went well.
///
/// # Safety
/// As [`call`], with this instance; the buffers are seen to here.
pub unsafe fn take_orders<I: Block>(
    handle: &Handle,
    function: Function<I, OrdersReply>,
    input: &I,
    state: &mut Vec<u8>,
    orders: &mut Orders,
) -> Result<(), Fault> {
    if orders.records.is_empty() && orders.text.is_empty() {
        // SAFETY: the caller's promise.
        let given = unsafe { new_orders(handle, function, input, state, orders) };
        return given.inspect_err(|_| orders.clear());
    }
    let mut new = Orders::default();
    // SAFETY: the caller's promise.
    unsafe { new_orders(handle, function, input, state, &mut new) }?;
    append(orders, &new)
}

/// Calls a function that gives orders, into a list without any. If it fails, what the list holds is of no use.
///
/// # Safety
/// As [`take_orders`].
unsafe fn new_orders<I: Block>(
    handle: &Handle,
    function: Function<I, OrdersReply>,
    input: &I,
    state: &mut Vec<u8>,
    new: &mut Orders,
) -> Result<(), Fault> {
    let table = handle.table;
    on_state(table, state, |state| {
        let mut reply = OrdersReply {
            head: Head::of::<OrdersReply>(),
            message: Buffer::NONE,
            state: lend(table, state),
            records: lend(table, &mut new.records),
            text: lend(table, &mut new.text),
        };
        let refit = |reply: &mut OrdersReply| {
            let state_grew = enlarge(table, state, &mut reply.state)?;
            let records_grew = enlarge(table, &mut new.records, &mut reply.records)?;
            let text_grew = enlarge(table, &mut new.text, &mut reply.text)?;
            Ok(state_grew | records_grew | text_grew)
        };
        // SAFETY: the caller's promise; the buffers are the vectors' memory.
        unsafe {
            handle.call(function, input, &mut reply, refit)?;
            take(table, state, &reply.state)?;
            take(table, &mut new.records, &reply.records)?;
            take(table, &mut new.text, &reply.text)?;
        }
        if table.checked_by_caller != 0 { new.check() } else { Ok(()) }
    })
}

/// Appends orders; their texts' places move with them.
fn append(orders: &mut Orders, new: &Orders) -> Result<(), Fault> {
    let total = orders.text.len() + new.text.len();
    if u32::try_from(total).is_err() {
        return Err(bad(format!("with it the orders have {total} bytes of text")));
    }
    let base = orders.text.len() as u32;
    orders.text.extend_from_slice(&new.text);
    // A record without a text may say anything about its place.
    let moved = new.records.iter().map(|record| {
        let mut record = *record;
        record.text_start = record.text_start.saturating_add(base);
        record
    });
    orders.records.extend(moved);
    Ok(())
}
