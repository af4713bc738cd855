//! What a client shows of itself: drawings and values in the studio and in the log. (C9)

use crate::border::{array, optional_text, text};
use crate::client::TouchlineClient;
use crate::status::{Failure, TouchlineStatus, on_client};
use std::ffi::c_char;
use std::fmt::Write;

/// Where the numbers of a drawing are measured.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchlineFrame {
    /// From the robot's origin, x forward: the drawing moves with the robot.
    Robot = 0,
    /// From the world's origin.
    World = 1,
}

/// How a drawing looks. NULL in its place: as the studio chooses, in the robot's frame.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlinePen {
    /// A `TouchlineFrame`.
    pub frame: i32,
    /// Such as `#ff8000`; NULL: the studio chooses.
    pub colour: *const c_char,
}

/// A place: metres, in the pen's frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlinePoint {
    /// Forward, or to the right on the field.
    pub x_m: f64,
    /// To the left, or up on the field.
    pub y_m: f64,
}

/// Publishes a drawing or a value about the robot, as JSON in one line, in place of the last one under this key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_annotate(
    client: Option<&TouchlineClient>,
    key: *const c_char,
    json: *const c_char,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's texts end in NUL.
        let (key, json) = unsafe { (text(key, "key")?, text(json, "json")?) };
        Ok(client.client.annotate(key, json)?)
    })
}

/// Draws a point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_draw_point(
    client: Option<&TouchlineClient>,
    key: *const c_char,
    at: TouchlinePoint,
    pen: Option<&TouchlinePen>,
) -> TouchlineStatus {
    // SAFETY: the caller's texts end in NUL.
    unsafe { draw(client, key, pen, || Ok(format!("\"point\":{}", place(at)?))) }
}

/// Draws a line through points, two or more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_draw_line(
    client: Option<&TouchlineClient>,
    key: *const c_char,
    points: *const TouchlinePoint,
    count: usize,
    pen: Option<&TouchlinePen>,
) -> TouchlineStatus {
    // SAFETY: the caller's texts end in NUL, and the array has `count` points.
    unsafe { draw(client, key, pen, || Ok(format!("\"line\":{}", places(points, count, 2)?))) }
}

/// Draws a circle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_draw_circle(
    client: Option<&TouchlineClient>,
    key: *const c_char,
    centre: TouchlinePoint,
    radius_m: f64,
    pen: Option<&TouchlinePen>,
) -> TouchlineStatus {
    let shape = || Ok(format!("\"circle\":{},\"radius_m\":{}", place(centre)?, finite(radius_m)?));
    // SAFETY: the caller's texts end in NUL.
    unsafe { draw(client, key, pen, shape) }
}

/// Draws a closed polygon of three or more points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_draw_polygon(
    client: Option<&TouchlineClient>,
    key: *const c_char,
    points: *const TouchlinePoint,
    count: usize,
    pen: Option<&TouchlinePen>,
) -> TouchlineStatus {
    // SAFETY: the caller's texts end in NUL, and the array has `count` points.
    unsafe { draw(client, key, pen, || Ok(format!("\"polygon\":{}", places(points, count, 3)?))) }
}

/// Writes a text at a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_draw_text(
    client: Option<&TouchlineClient>,
    key: *const c_char,
    at: TouchlinePoint,
    words: *const c_char,
    pen: Option<&TouchlinePen>,
) -> TouchlineStatus {
    // SAFETY: the caller's texts end in NUL.
    unsafe {
        draw(client, key, pen, || {
            Ok(format!("\"text\":{},\"at\":{}", quoted(text(words, "words")?), place(at)?))
        })
    }
}

/// # Safety
/// The key and the pen's colour end in NUL.
unsafe fn draw(
    client: Option<&TouchlineClient>,
    key: *const c_char,
    pen: Option<&TouchlinePen>,
    shape: impl FnOnce() -> Result<String, Failure>,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's promise.
        let key = unsafe { text(key, "key") }?;
        let mut json = format!("{{{}", shape()?);
        if let Some(pen) = pen {
            match pen.frame {
                frame if frame == TouchlineFrame::Robot as i32 => {}
                frame if frame == TouchlineFrame::World as i32 => json.push_str(",\"frame\":\"world\""),
                frame => {
                    return Err(bad(format!(
                        "pen.frame is {frame}; allowed are TOUCHLINE_FRAME_ROBOT and _WORLD"
                    )));
                }
            }
            // SAFETY: the caller's promise.
            if let Some(colour) = unsafe { optional_text(pen.colour, "pen.colour") }? {
                json.push_str(",\"colour\":");
                json.push_str(&quoted(colour));
            }
        }
        json.push('}');
        Ok(client.client.annotate(key, &json)?)
    })
}

fn bad(message: String) -> Failure {
    Failure::new(TouchlineStatus::BadArgument, message)
}

fn finite(number: f64) -> Result<f64, Failure> {
    if number.is_finite() { Ok(number) } else { Err(bad(format!("a drawing's number is {number}"))) }
}

fn place(at: TouchlinePoint) -> Result<String, Failure> {
    Ok(format!("[{},{}]", finite(at.x_m)?, finite(at.y_m)?))
}

/// # Safety
/// There are `count` points.
unsafe fn places(points: *const TouchlinePoint, count: usize, least: usize) -> Result<String, Failure> {
    // SAFETY: the caller's promise.
    let points = unsafe { array(points, count, "points") }?;
    if count < least {
        return Err(bad(format!("{count} points; at least {least} are needed")));
    }
    let places: Vec<String> = points.iter().map(|&point| place(point)).collect::<Result<_, _>>()?;
    Ok(format!("[{}]", places.join(",")))
}

/// A text as JSON has it.
fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            // Writing to a string cannot fail.
            c if c.is_control() => drop(write!(json, "\\u{:04x}", c as u32)),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}
