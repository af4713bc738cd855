//! One call over the border: blocks in, status and rooms out, everything checked that can be.

use std::mem::MaybeUninit;
use touchline_plugin_api::abi::{Block, Instance, ReplyBlock, Room, status};
use touchline_plugin_api::plugin::Fault;

/// The room for a plugin's message, bytes; a longer one is cut off.
const MESSAGE_BYTES: usize = 1024;
/// No output may be larger, bytes.
pub const MAX_OUTPUT_BYTES: usize = 64 << 20;

/// A function of the table.
pub type Function<I, O> = unsafe extern "C" fn(*const Instance, *const I, *mut O) -> i32;

/// A call that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The outputs are there.
    Done,
    /// The parameters are wrong, and the text says which (`create` only).
    Setup,
}

/// Calls a function, again and again until its outputs fit.
///
/// `refit` enlarges the output's rooms to what they need, and says whether any had to grow.
///
/// # Safety
/// The function keeps the promises of [`Table`](touchline_plugin_api::abi::Table); the instance is one that it
/// takes; spans and rooms of the blocks are valid, after `refit` as well.
#[inline]
pub unsafe fn call<I: Block, O: ReplyBlock>(
    function: Function<I, O>,
    instance: *const Instance,
    input: &I,
    output: &mut O,
    mut refit: impl FnMut(&mut O) -> Result<bool, Fault>,
) -> Result<Answer, Fault> {
    let mut message = [MaybeUninit::<u8>::uninit(); MESSAGE_BYTES];
    loop {
        *output.message() = Room::of_uninit(&mut message);
        // SAFETY: the caller's promise.
        let status = unsafe { function(instance, input, output) };
        if status == status::OK {
            return Ok(Answer::Done);
        }
        if status == status::SETUP {
            return Ok(Answer::Setup);
        }
        if status != status::MORE_ROOM {
            // SAFETY: the room is the array above, and the plugin wrote as much as it says.
            return Err(unsafe { failure(status, output.message()) });
        }
        if !refit(output)? {
            return Err(bad("it asks for more room, and needs none"));
        }
    }
}

/// The result of a function that cannot refuse its parameters.
pub fn done(answer: Result<Answer, Fault>) -> Result<(), Fault> {
    match answer? {
        Answer::Done => Ok(()),
        Answer::Setup => Err(bad(format!("a status that only create has: {}", status::SETUP))),
    }
}

/// # Safety
/// As many bytes as the message says are written, if it has room for them.
#[cold]
unsafe fn failure(status: i32, message: &Room<u8>) -> Fault {
    let text = || {
        if message.len == 0 || message.len > message.cap {
            return "it does not say why".to_owned();
        }
        // SAFETY: the caller's promise.
        let bytes = unsafe { std::slice::from_raw_parts(message.ptr, message.len) };
        String::from_utf8_lossy(bytes).into_owned()
    };
    match status {
        status::FAULT => Fault::Reported(text()),
        status::PANIC => Fault::Panicked(text()),
        status::BAD_BLOCK => bad("it does not take this server's blocks"),
        status::UNSUPPORTED => bad("it lacks this function of its kind"),
        other => bad(format!("there is no status {other}")),
    }
}

/// Makes a vector as large as its room needs, and lends it anew; says whether it grew.
#[cold]
pub fn enlarge<T>(vec: &mut Vec<T>, room: &mut Room<T>) -> Result<bool, Fault> {
    let needed = room.needed;
    if needed.saturating_mul(size_of::<T>()) > MAX_OUTPUT_BYTES {
        return Err(bad(format!(
            "it gives {needed} records of {} bytes; at most {MAX_OUTPUT_BYTES} bytes are taken",
            size_of::<T>()
        )));
    }
    let grows = needed > vec.capacity();
    if grows {
        vec.reserve(needed - vec.len());
    }
    *room = Room::of(vec);
    Ok(grows)
}

/// Takes into a vector what was written into its memory.
///
/// # Safety
/// The room is the vector's memory, and the plugin wrote as many elements as it says.
#[inline]
pub unsafe fn take<T: Copy>(vec: &mut Vec<T>, room: &Room<T>) -> Result<(), Fault> {
    if room.len > vec.capacity() {
        return Err(bad(format!("it gives {} records, and there was room for {}", room.len, vec.capacity())));
    }
    // SAFETY: there is room for them, and the caller promises that they are written.
    unsafe { vec.set_len(room.len) };
    Ok(())
}

/// Output that cannot be used.
#[cold]
pub fn bad(reason: impl Into<String>) -> Fault {
    Fault::BadOutput(reason.into())
}
