//! What comes from C, made safe to use: texts, outputs, arrays.

use crate::status::{Failure, TouchlineStatus};
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

/// A place to which C lets us write.
pub type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// Writes a result.
pub fn put<T>(out: Out<'_, T>, name: &str, value: T) -> Result<(), Failure> {
    out.ok_or_else(|| Failure::null(name))?.write(value);
    Ok(())
}

/// A text that may be absent.
///
/// # Safety
/// `text` is NULL, or ends in NUL and lives for `'a`.
pub unsafe fn optional_text<'a>(text: *const c_char, name: &str) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    match text.to_str() {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(Failure::new(TouchlineStatus::BadArgument, format!("{name} is not UTF-8"))),
    }
}

/// A text that must be there.
///
/// # Safety
/// As [`optional_text`].
pub unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    // SAFETY: the caller's promise.
    unsafe { optional_text(text, name) }?.ok_or_else(|| Failure::null(name))
}

/// An array that is read; NULL is an empty one if its length is 0.
///
/// # Safety
/// `items` is NULL, or points to `len` items that live for `'a`.
pub unsafe fn array<'a, T>(items: *const T, len: usize, name: &str) -> Result<&'a [T], Failure> {
    match (items.is_null(), len) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::null(name)),
        // SAFETY: the caller's promise.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(items, len) }),
    }
}

/// Copies a list into an array, and writes its length in any case. Without an array only the length is asked for.
///
/// # Safety
/// `items` is NULL, or points to room for `capacity` items.
pub unsafe fn put_list<T: Copy>(
    list: &[T],
    items: *mut T,
    capacity: usize,
    len: Out<'_, usize>,
) -> Result<(), Failure> {
    put(len, "len", list.len())?;
    if items.is_null() && capacity == 0 {
        return Ok(());
    }
    if items.is_null() {
        return Err(Failure::null("the array"));
    }
    if list.len() > capacity {
        let message = format!("the array has room for {capacity}, {} are needed", list.len());
        return Err(Failure::new(TouchlineStatus::TooSmall, message));
    }
    // SAFETY: there is room for `capacity` items, which is not less; ours are no part of the caller's array.
    unsafe { std::ptr::copy_nonoverlapping(list.as_ptr(), items, list.len()) };
    Ok(())
}
