//! The container of a robot whose sensors are real: filled by its drivers, read as that of a client. [P4, C7]

use crate::border::{array, put, text};
use crate::sensors::{TouchlineFeature, TouchlineSensors, handle_of, on_sensors, query};
use crate::status::{Failure, TouchlineStatus, guard};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;
use touchline_client::{Error, Sensors, read_description};

/// The sensors of a robot of which nothing was read yet, from a description that was kept: what the server answers to DESCRIBE, and
/// `touchline describe ROBOT` prints. No server is needed.
///
/// `*sensors` is then the caller's, and NULL if this fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_sensors_described(
    description: *const c_char,
    sensors: Option<&mut MaybeUninit<*mut TouchlineSensors>>,
) -> TouchlineStatus {
    guard(0, || {
        let sensors = sensors.ok_or_else(|| Failure::null("sensors"))?;
        sensors.write(std::ptr::null_mut());
        // SAFETY: the caller's text ends in NUL.
        let robot = read_description(unsafe { text(description, "description") }?)?;
        sensors.write(boxed(Sensors::new(Arc::new(robot.sensors))));
        Ok(())
    })
}

/// `touchline_find` in sensors, for those that have no client.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_sensors_find(
    sensors: Option<&TouchlineSensors>,
    model: *const c_char,
    sensor_type: *const c_char,
    feature: *const c_char,
    found: Option<&mut MaybeUninit<TouchlineFeature>>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| {
        // SAFETY: the caller's texts are NULL or end in NUL.
        let query = unsafe { query(model, sensor_type, feature) }?;
        put(found, "found", sensors.catalogue().find(&query).map_err(Error::from)?.into())
    })
}

/// The same sensors, with what a real one has read at `stamp_s` in place of this feature's reading before; all others stay, with
/// their own stamps. All numbers of the feature in their units, one field after the other, rows first; `INFINITY` is nothing there,
/// `-INFINITY` too close.
///
/// `*filled` is then the caller's, as `sensors` still are, and NULL if this fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_sensors_filled(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    values: *const f64,
    len: usize,
    stamp_s: f64,
    filled: Option<&mut MaybeUninit<*mut TouchlineSensors>>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| {
        let filled = filled.ok_or_else(|| Failure::null("filled"))?;
        filled.write(std::ptr::null_mut());
        let handle = handle_of(sensors, feature)?;
        // SAFETY: the caller's array has `len` values.
        let values = unsafe { array(values, len, "values") }?;
        filled.write(boxed(sensors.filled_values(handle, values, stamp_s)?));
        Ok(())
    })
}

/// Sensors of no client.
fn boxed(sensors: Sensors) -> *mut TouchlineSensors {
    Box::into_raw(Box::new(TouchlineSensors { client: 0, sensors: Arc::new(sensors) }))
}
