//! What keeps the border: panics, reasons for each handle and thread, structs of other versions. (C8)

use crate::client::*;
use crate::status::*;
use std::ffi::CStr;
use std::ptr;

fn reason() -> String {
    // SAFETY: the text lives until the next failure of this thread.
    unsafe { CStr::from_ptr(touchline_last_error(None)) }.to_str().unwrap().to_owned()
}

fn fail(text: &str) -> TouchlineStatus {
    guard(0, || Err(Failure::new(TouchlineStatus::NotFound, text)))
}

/// I6: a panic becomes a status with a message, and goes no further.
#[test]
fn a_panic_does_not_cross() {
    assert_eq!(guard(0, || panic!("so sorry")), TouchlineStatus::Internal);
    assert!(reason().contains("so sorry"), "{}", reason());
    assert_eq!(guard(0, || std::panic::panic_any(7)), TouchlineStatus::Internal);
    assert_eq!(guard(0, || Ok(())), TouchlineStatus::Ok);
}

/// A reason belongs to the thread whose call failed, and survives calls that succeed.
#[test]
fn each_thread_has_its_own_reason() {
    assert_eq!(reason(), "");
    assert_eq!(fail("here"), TouchlineStatus::NotFound);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            assert_eq!(reason(), "");
            fail("there");
            assert_eq!(reason(), "there");
        });
    });
    assert_eq!(guard(0, || Ok(())), TouchlineStatus::Ok);
    assert_eq!(reason(), "here");
    // A NUL within would cut the text in C: it ends there.
    fail("before\0after");
    assert_eq!(reason(), "before");
}

/// A client's reason is kept until it is closed; those of closed ones, which their sensors may still ask for, not without end.
#[test]
fn handles_do_not_fill_the_memory() {
    // No test that connects comes as far as these numbers.
    const FIRST: u64 = 1 << 40;
    let text = |client| {
        // SAFETY: the text lives until the client is closed.
        unsafe { CStr::from_ptr(last_error_of(client)) }.to_str().unwrap().to_owned()
    };
    fail("mine");
    remember_while_open(FIRST);
    guard(FIRST, || Err(Failure::null("it")));
    let kept = last_error_of(FIRST);
    for closed in FIRST + 1..FIRST + 63 {
        guard(closed, || Err(Failure::null("x")));
    }
    assert_eq!(text(FIRST + 1), "x is NULL");
    guard(FIRST + 63, || Err(Failure::null("x")));
    assert_eq!(text(FIRST + 1), "", "the oldest of the closed ones is forgotten");
    assert_eq!(text(FIRST + 2), "x is NULL");
    assert_eq!((reason().as_str(), text(FIRST).as_str()), ("mine", "it is NULL"));
    assert_eq!(last_error_of(FIRST), kept, "a text that was given stays where it is");
    // Whoever has many clients keeps all of their reasons.
    for open in FIRST + 100..FIRST + 200 {
        remember_while_open(open);
        guard(open, || Err(Failure::null("y")));
    }
    assert_eq!((text(FIRST).as_str(), text(FIRST + 100).as_str()), ("it is NULL", "y is NULL"));
    assert_eq!(text(FIRST + 63), "", "none of a closed one is left");
    for open in (FIRST + 100..FIRST + 200).chain([FIRST, 0]) {
        forget(open);
        assert_eq!(text(open), "");
    }
}

/// A program that was built with an older, shorter struct gets no more than it has room for.
#[test]
fn an_older_struct_is_not_overrun() {
    let short = std::mem::offset_of!(TouchlineOptions, cycle_ms);
    let mut options = TouchlineOptions { cycle_ms: 77, has_pose: true, ..TouchlineOptions::default() };
    options.address = ptr::null();
    // SAFETY: the struct has more than `short` bytes.
    assert_eq!(unsafe { touchline_options_init(&raw mut options, short) }, TouchlineStatus::Ok);
    assert!(!options.address.is_null());
    assert_eq!((options.struct_size, options.cycle_ms, options.has_pose), (short, 77, true));
    // SAFETY: nothing is written beyond the end that this library knows.
    let newer = unsafe { touchline_options_init(&raw mut options, 4096) };
    assert_eq!((newer, options.struct_size), (TouchlineStatus::Ok, size_of::<TouchlineOptions>()));
    for wrong in [0, 7, 4097, usize::MAX] {
        // SAFETY: nothing is written.
        let status = unsafe { touchline_options_init(&raw mut options, wrong) };
        assert_eq!(status, TouchlineStatus::BadArgument, "{wrong}");
    }
}

/// Every status has a text of its own.
#[test]
fn every_status_has_a_text() {
    // SAFETY: the texts live for ever.
    let text = |status| unsafe { CStr::from_ptr(touchline_status_text(status)) }.to_str().unwrap();
    let texts: std::collections::BTreeSet<&str> =
        (-1..=TouchlineStatus::Internal as i32 + 1).map(text).collect();
    assert_eq!(texts.len(), TouchlineStatus::Internal as usize + 2);
    assert_eq!(text(TouchlineStatus::Internal as i32), "a mistake in the library");
}
