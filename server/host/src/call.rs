//! One call over the border: blocks in, status and buffers out, everything checked that can be.

use std::mem::MaybeUninit;
use touchline_plugin_api::abi::{Block, Buffer, Instance, ReplyBlock, Table, status};
use touchline_plugin_api::plugin::Fault;

/// The room for a plugin's message, bytes; a longer one is cut off.
const MESSAGE_BYTES: usize = 1024;
/// No output may be larger, bytes.
pub const MAX_OUTPUT_BYTES: usize = 64 << 20;

/// So often a call is repeated because its outputs did not fit: each of three buffers may be found to be too small by itself.
const MOST_REPEATS: u32 = 3;

/// A function of the table.
pub type Function<I, O> = unsafe extern "C" fn(*const Instance, *const I, *mut O) -> i32;

/// A call that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The outputs are valid.
    Done,
    /// The parameters are wrong, and the text says which (`create` only).
    Setup,
}

/// Calls a function, and again until its outputs fit, three times at most.
///
/// `refit` enlarges the output's buffers to what they need, and says whether any had to grow.
///
/// # Safety
/// The function keeps the promises of [`Table`](touchline_plugin_api::abi::Table); the instance is one that it
/// takes; slices and buffers of the blocks are valid, after `refit` as well.
#[inline]
pub unsafe fn call<I: Block, O: ReplyBlock>(
    function: Function<I, O>,
    instance: *const Instance,
    input: &I,
    output: &mut O,
    mut refit: impl FnMut(&mut O) -> Result<bool, Fault>,
) -> Result<Answer, Fault> {
    let mut message = [MaybeUninit::<u8>::uninit(); MESSAGE_BYTES];
    for _ in 0..=MOST_REPEATS {
        *output.message() = Buffer::of_uninit(&mut message);
        // SAFETY: the caller's promise.
        let status = unsafe { function(instance, input, output) };
        if status == status::OK {
            return Ok(Answer::Done);
        }
        if status == status::SETUP {
            return Ok(Answer::Setup);
        }
        if status != status::BUFFER_TOO_SMALL {
            // Only the length is the plugin's word: where the text lies is known here.
            let written = message.get(..output.message().len as usize).unwrap_or_default();
            // SAFETY: the plugin wrote as much as it says, and any byte will do.
            let text = unsafe { &*(std::ptr::from_ref(written) as *const [u8]) };
            return Err(failure(status, text));
        }
        if !refit(output)? {
            return Err(bad("it asks for more room, and needs none: set `needed` with that status"));
        }
    }
    Err(bad("it asks for more room again and again: set `needed` of all buffers to what they need"))
}

/// The result of a function that cannot refuse its parameters.
pub fn done(answer: Result<Answer, Fault>) -> Result<(), Fault> {
    match answer? {
        Answer::Done => Ok(()),
        Answer::Setup => Err(bad(format!("a status that only create has: {}", status::SETUP))),
    }
}

#[cold]
fn failure(status: i32, message: &[u8]) -> Fault {
    let text = || match message {
        [] => "it does not say why".to_owned(),
        _ => String::from_utf8_lossy(message).into_owned(),
    };
    match status {
        status::FAULT => Fault::Reported(text()),
        status::PANIC => Fault::Panicked(text()),
        status::BAD_BLOCK => bad("it does not take this server's blocks"),
        status::UNSUPPORTED => bad("it lacks this function of its kind: put it into the table"),
        other => bad(format!(
            "there is no status {other}; a function returns 0 to {}: end every way out of it with one of these",
            status::SETUP
        )),
    }
}

/// Behind a buffer that nobody but the plugin guards stand so many bytes that it must not touch,
const GUARD_BYTES: usize = 64;
/// The byte with which these are filled.
const GUARD: u8 = 0xa5;
/// And so many where a write that goes further does no harm.
const SLACK_BYTES: usize = 4096;

/// How many records a guard takes.
const fn guard_len<T>() -> usize {
    GUARD_BYTES.div_ceil(size_of::<T>())
}

/// How many records are kept behind a guarded buffer.
const fn behind_len<T>() -> usize {
    guard_len::<T>() + SLACK_BYTES.div_ceil(size_of::<T>())
}

/// How much of a vector's memory is lent by [`lend`], or was.
fn lent<T>(table: &Table, vec: &Vec<T>) -> usize {
    if table.checked_by_caller == 0 {
        return vec.capacity();
    }
    vec.capacity() - behind_len::<T>()
}

/// Lends a vector's memory as a buffer; its elements are the input. A C plugin's buffer ends at a guard.
#[inline]
pub fn lend<T: Copy>(table: &Table, vec: &mut Vec<T>) -> Buffer<T> {
    if table.checked_by_caller == 0 { Buffer::of(vec) } else { lend_guarded(table, vec) }
}

fn lend_guarded<T: Copy>(table: &Table, vec: &mut Vec<T>) -> Buffer<T> {
    vec.reserve(behind_len::<T>());
    let cap = lent(table, vec);
    // SAFETY: the guard lies in the vector's memory, behind what is lent.
    unsafe { vec.as_mut_ptr().add(cap).write_bytes(GUARD, guard_len::<T>()) };
    Buffer { cap: cap as u64, ..Buffer::of(vec) }
}

/// Makes a vector as large as its buffer needs, and lends it anew; says whether it grew.
#[cold]
pub fn enlarge<T: Copy>(table: &Table, vec: &mut Vec<T>, buffer: &mut Buffer<T>) -> Result<bool, Fault> {
    let needed = usize::try_from(buffer.needed).unwrap_or(usize::MAX);
    if needed.saturating_mul(size_of::<T>()) > MAX_OUTPUT_BYTES {
        return Err(bad(format!(
            "it gives {needed} records of {} bytes; at most {MAX_OUTPUT_BYTES} bytes are taken: give fewer",
            size_of::<T>()
        )));
    }
    watch(table, vec)?;
    let grows = needed > lent(table, vec);
    if grows {
        let behind = if table.checked_by_caller == 0 { 0 } else { behind_len::<T>() };
        vec.reserve(needed - vec.len() + behind);
    }
    *buffer = lend(table, vec);
    Ok(grows)
}

/// Takes into a vector what was written into its memory.
///
/// # Safety
/// The memory was lent by [`lend`], and the plugin wrote as many elements as it says.
#[inline]
pub unsafe fn take<T: Copy>(table: &Table, vec: &mut Vec<T>, buffer: &Buffer<T>) -> Result<(), Fault> {
    watch(table, vec)?;
    let cap = lent(table, vec);
    if buffer.len > cap as u64 {
        return Err(bad(format!(
            "it gives {} records, and there was room for {cap}: ask for more room first",
            buffer.len
        )));
    }
    // SAFETY: there is room for them, and the caller promises that they are written.
    unsafe { vec.set_len(buffer.len as usize) };
    Ok(())
}

/// Whether the guard behind a vector that was lent is as it was.
#[inline]
fn watch<T: Copy>(table: &Table, vec: &Vec<T>) -> Result<(), Fault> {
    if table.checked_by_caller == 0 {
        return Ok(());
    }
    let cap = lent(table, vec);
    // SAFETY: `lend` wrote the guard there.
    let guard = unsafe {
        std::slice::from_raw_parts(vec.as_ptr().add(cap).cast::<u8>(), guard_len::<T>() * size_of::<T>())
    };
    if guard.iter().all(|&byte| byte == GUARD) { Ok(()) } else { Err(past_the_end(cap, size_of::<T>())) }
}

/// A plugin that wrote where nothing was lent to it.
#[cold]
fn past_the_end(cap: usize, record_bytes: usize) -> Fault {
    bad(format!(
        "it writes past the end of its buffer, which is {cap} records of {record_bytes} bytes: look at `cap` first"
    ))
}

/// A buffer for so many integers, for a plugin that nobody else guards: filled with zeros, with a guard behind.
#[derive(Default)]
pub struct GuardedReading(Vec<u32>);

impl GuardedReading {
    /// An empty buffer; memory is allocated by the first [`Self::lend`].
    pub const NEW: Self = Self(Vec::new());
    const GUARD_LEN: usize = 16;
    const GUARD_WORDS: [u32; Self::GUARD_LEN] = [u32::from_ne_bytes([GUARD; 4]); Self::GUARD_LEN];
    /// Words behind it where a write does no harm.
    const SLACK_LEN: usize = 16 * 1024;

    /// Lends a buffer of `len` zeros, with a guard behind it.
    #[inline]
    pub fn lend(&mut self, len: usize) -> Buffer<u32> {
        if self.0.len() != len + Self::GUARD_LEN {
            self.0.clear();
            self.0.reserve(len + Self::GUARD_LEN + Self::SLACK_LEN);
            self.0.resize(len, 0);
            self.0.extend_from_slice(&Self::GUARD_WORDS);
        }
        // A guard that was left alone still stands.
        self.0[..len].fill(0);
        Buffer { ptr: self.0.as_mut_ptr(), len: len as u64, cap: len as u64, needed: 0 }
    }

    /// Gives what was written, if it stayed in the buffer; says whether it did.
    #[inline]
    pub fn take(&mut self, quantised: &mut [u32]) -> bool {
        let (written, guard) = self.0.split_at(quantised.len());
        let is_kept_to = guard == Self::GUARD_WORDS;
        if is_kept_to {
            quantised.copy_from_slice(written);
        } else {
            self.0.clear();
        }
        is_kept_to
    }
}

/// A plugin that wrote more integers than its layout has.
#[cold]
pub fn past_the_reading(len: usize) -> Fault {
    bad(format!("it writes past the end of its reading; its layout has {len}: write no more than these"))
}

/// Output that cannot be used.
#[cold]
pub fn bad(reason: impl Into<String>) -> Fault {
    Fault::BadOutput(reason.into())
}
