//! What every function of the plugin's side does first and last: check the blocks, catch the panic, fill the buffers.

use super::{Block, Buffer, Head, Instance, ReplyBlock, status};
use crate::plugin::Fault;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs one call of the border.
///
/// # Safety
/// `input` and `output` are null or point to blocks that begin with a [`Head`], with as many bytes as it says.
pub(super) unsafe fn guarded<I: Block, O: ReplyBlock>(
    input: *const I,
    output: *mut O,
    call: impl FnOnce(&I, &mut O) -> Result<i32, Fault>,
) -> i32 {
    // SAFETY: the caller's promise; a block begins with a head, and only blocks that are long enough are read.
    let fits = unsafe { is_block(input) && is_block(output.cast_const()) };
    if !fits {
        return status::BAD_BLOCK;
    }
    // SAFETY: both are not null and long enough.
    let (input, output) = unsafe { (&*input, &mut *output) };
    // The plugin's values are immutable and the outputs count only if the call went well, so nothing
    // half-changed is seen after a panic.
    match catch_unwind(AssertUnwindSafe(|| call(input, output))) {
        Ok(Ok(status)) => status,
        Ok(Err(fault)) => {
            let (status, message) = match fault {
                Fault::Panicked(message) => (status::PANIC, message),
                Fault::Reported(message) => (status::FAULT, message),
                bad @ Fault::BadOutput(_) => (status::FAULT, bad.to_string()),
            };
            say(output, &message);
            status
        }
        Err(payload) => {
            let message = panic_message(payload.as_ref());
            say(output, &message);
            discard(payload);
            status::PANIC
        }
    }
}

/// # Safety
/// `block` is null or points to a [`Head`].
unsafe fn is_block<B: Block>(block: *const B) -> bool {
    if block.is_null() {
        return false;
    }
    // SAFETY: the caller's promise.
    let head = unsafe { block.cast::<Head>().read() };
    head.size >= Head::of::<B>().size && head.version == Head::of::<B>().version
}

/// The author's type behind an instance pointer.
///
/// # Safety
/// `instance` is null or was made by [`into_instance`] from a `T` that lives as long as `'a`.
pub(super) unsafe fn instance<'a, T>(instance: *const Instance) -> Result<&'a T, Fault> {
    // SAFETY: the caller's promise.
    unsafe { instance.cast::<T>().as_ref() }.ok_or_else(|| Fault::new("the call names no instance"))
}

/// Gives an instance away; [`drop_instance`] takes it back.
pub(super) fn into_instance<T>(instance: T) -> *mut Instance {
    Box::into_raw(Box::new(instance)).cast()
}

/// # Safety
/// `instance` was made by [`into_instance`] from a `T`, and nobody uses it any more.
pub(super) unsafe fn drop_instance<T>(instance: *const Instance) {
    if !instance.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(instance.cast_mut().cast::<T>()) });
    }
}

/// Writes all of `source` into the buffer, or says how much room it needs.
pub(super) fn fill<T: Copy>(buffer: &mut Buffer<T>, source: &[T]) -> bool {
    let len = source.len() as u64;
    buffer.needed = len;
    if len > buffer.cap {
        return false;
    }
    if !source.is_empty() {
        // SAFETY: the buffer has `cap` places, and belongs to the caller alone.
        unsafe { std::ptr::copy_nonoverlapping(source.as_ptr(), buffer.ptr, source.len()) };
    }
    buffer.len = len;
    true
}

/// [`fill`], as a status.
pub(super) fn filled<T: Copy>(buffer: &mut Buffer<T>, source: &[T]) -> i32 {
    if fill(buffer, source) { status::OK } else { status::BUFFER_TOO_SMALL }
}

/// Writes as much of the message as there is room for.
fn say<O: ReplyBlock>(output: &mut O, message: &str) {
    let buffer = output.message();
    let end = message.floor_char_boundary(buffer.cap as usize);
    fill(buffer, &message.as_bytes()[..end]);
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("with a value that is no text")
        .to_owned()
}

/// Drops a panic's payload, which may itself panic.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
}
