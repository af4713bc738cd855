//! Any command of the protocol, and its answer.

use crate::border::text;
use crate::client::TouchlineClient;
use crate::status::{Failure, TouchlineStatus, c_text, on_client};
use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use touchline_client::Message;

/// The server's answer. Made by `touchline_ask`, ended by `touchline_answer_free`; its texts live as long.
pub struct TouchlineAnswer {
    fields: Vec<(String, CString)>,
    lines: Vec<CString>,
}

impl TouchlineAnswer {
    fn new(message: &Message) -> Self {
        Self {
            fields: message.fields.iter().map(|(key, value)| (key.clone(), c_text(value))).collect(),
            lines: message.lines.iter().map(|line| c_text(line)).collect(),
        }
    }
}

/// Sends one line of the protocol and waits for its answer: for all that has no function of its own, such as
/// `STATUS`, `WORLD` or `EVENTS since=7`. An `ERR` is `TOUCHLINE_STATUS_REFUSED`.
///
/// `answer` may be NULL, for one that is not of interest; else `*answer` is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_ask(
    client: Option<&TouchlineClient>,
    line: *const c_char,
    answer: Option<&mut MaybeUninit<*mut TouchlineAnswer>>,
) -> TouchlineStatus {
    on_client(client, |client| {
        let mut answer = answer;
        if let Some(answer) = answer.as_deref_mut() {
            answer.write(std::ptr::null_mut());
        }
        // SAFETY: the caller's text ends in NUL.
        let message = client.client.ask_line(unsafe { text(line, "line") }?).map_err(Failure::from)?;
        if let Some(answer) = answer {
            answer.write(Box::into_raw(Box::new(TouchlineAnswer::new(&message))));
        }
        Ok(())
    })
}

/// The value of a field in the answer's head, such as `step`; NULL if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_answer_field(
    answer: Option<&TouchlineAnswer>,
    key: *const c_char,
) -> *const c_char {
    // SAFETY: the caller's text ends in NUL.
    let key = unsafe { text(key, "key") }.unwrap_or_default();
    let found = answer.and_then(|answer| answer.fields.iter().find(|(name, _)| name == key));
    found.map_or(std::ptr::null(), |(_, value)| value.as_ptr())
}

/// How many lines belong to the answer, its head not counted; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_answer_line_count(answer: Option<&TouchlineAnswer>) -> usize {
    answer.map_or(0, |answer| answer.lines.len())
}

/// One of these lines, such as `BALL 0 x=1.5 y=-0.25 vx=0.8 vy=0 z=0 vz=0`; NULL if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_answer_line(answer: Option<&TouchlineAnswer>, index: usize) -> *const c_char {
    let line = answer.and_then(|answer| answer.lines.get(index));
    line.map_or(std::ptr::null(), |line| line.as_ptr())
}

/// Ends the answer and its texts. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_answer_free(answer: Option<Box<TouchlineAnswer>>) {
    drop(answer);
}
