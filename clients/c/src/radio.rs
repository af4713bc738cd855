//! Messages between robots.

use crate::border::text;
use crate::client::TouchlineClient;
use crate::status::{Failure, TouchlineStatus, c_text, on_client};
use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;

/// A radio message that the robot heard. Its texts live as long as the messages.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlineMessage {
    /// Counts up over the whole run.
    pub number: u64,
    /// The step in which it was heard.
    pub step: u64,
    /// The sender's number; `UINT32_MAX` if it was no robot.
    pub from: u32,
    /// 0 for the channel of all, 1 for that of the team.
    pub channel: u32,
    /// The direction in which the sender was, in the robot's frame, radians; infinite if the world's radio does not tell it.
    pub bearing_rad: f64,
    /// The sender's name.
    pub from_name: *const c_char,
    /// What was said.
    pub text: *const c_char,
}

/// Messages that were heard. Made by `touchline_hear`, ended by `touchline_messages_free`.
pub struct TouchlineMessages {
    list: Vec<TouchlineMessage>,
    _texts: Vec<CString>,
}

/// Broadcasts to all other robots, as far as the world's radio carries; heard at the end of the step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_say(
    client: Option<&TouchlineClient>,
    message: *const c_char,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's text ends in NUL.
        let message = unsafe { text(message, "message") }?;
        Ok(client.client.say(message)?)
    })
}

/// Says something on the channel of the robot's team: nobody else hears it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_say_to_team(
    client: Option<&TouchlineClient>,
    message: *const c_char,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's text ends in NUL.
        let message = unsafe { text(message, "message") }?;
        Ok(client.client.say_to_team(message)?)
    })
}

/// The messages that came since this was called last, oldest first. `*messages` is then the caller's.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_hear(
    client: Option<&TouchlineClient>,
    messages: Option<&mut MaybeUninit<*mut TouchlineMessages>>,
) -> TouchlineStatus {
    on_client(client, |client| {
        let messages = messages.ok_or_else(|| Failure::null("messages"))?;
        messages.write(std::ptr::null_mut());
        let (mut list, mut texts) = (Vec::new(), Vec::new());
        for heard in client.client.heard()? {
            let (from_name, text) = (c_text(&heard.from_name), c_text(&heard.text));
            list.push(TouchlineMessage {
                number: heard.number,
                step: heard.step,
                from: heard.from,
                channel: heard.channel as u32,
                bearing_rad: heard.bearing_rad.unwrap_or(f64::INFINITY),
                from_name: from_name.as_ptr(),
                text: text.as_ptr(),
            });
            texts.extend([from_name, text]);
        }
        messages.write(Box::into_raw(Box::new(TouchlineMessages { list, _texts: texts })));
        Ok(())
    })
}

/// How many messages there are; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_messages_count(messages: Option<&TouchlineMessages>) -> usize {
    messages.map_or(0, |messages| messages.list.len())
}

/// One message; NULL if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_messages_at(
    messages: Option<&TouchlineMessages>,
    index: usize,
) -> Option<&TouchlineMessage> {
    messages.and_then(|messages| messages.list.get(index))
}

/// Ends the messages and their texts. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_messages_free(messages: Option<Box<TouchlineMessages>>) {
    drop(messages);
}
