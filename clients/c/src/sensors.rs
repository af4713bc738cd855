//! The sensors at one step: features are found by what they are, and read as integers or in units.

use crate::border::{optional_text, put, put_list, text};
use crate::client::TouchlineClient;
use crate::status::{Failure, TouchlineStatus, guard, on_client};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;
use touchline_client::{Error, FeatureHandle, Query, Reading, Sensors};

/// All sensors of a robot at one and the same step. Made by the functions below, ended by `touchline_sensors_free`.
///
/// It never changes: several threads may read it. It may outlive its client.
pub struct TouchlineSensors {
    /// Whose messages of errors they are.
    pub(crate) client: u64,
    pub(crate) sensors: Arc<Sensors>,
}

/// A feature that was found: valid for all sensors of its client.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchlineFeature {
    /// Which of the robot's sensors.
    pub sensor: u32,
    /// Which of that sensor's features.
    pub feature: u32,
}

impl From<FeatureHandle> for TouchlineFeature {
    fn from(handle: FeatureHandle) -> Self {
        Self { sensor: handle.sensor as u32, feature: handle.feature as u32 }
    }
}

/// When the sensors were true.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineStamp {
    /// The number of the step.
    pub step: u64,
    /// How many times the sensors were read so far; 0: never, and there is nothing in them.
    pub updates: u64,
    /// The simulated time of that step, seconds.
    pub sim_s: f64,
    /// When that step was made, on the client's clock (`touchline_now_s`), seconds.
    pub stamp_s: f64,
}

/// Gives sensors to the caller.
fn give(
    client: Option<&TouchlineClient>,
    out: Option<&mut MaybeUninit<*mut TouchlineSensors>>,
    read: impl FnOnce(&TouchlineClient) -> Result<Arc<Sensors>, Error>,
) -> TouchlineStatus {
    on_client(client, |client| {
        let out = out.ok_or_else(|| Failure::null("sensors"))?;
        out.write(std::ptr::null_mut());
        let sensors = TouchlineSensors { client: client.id, sensors: read(client)? };
        out.write(Box::into_raw(Box::new(sensors)));
        Ok(())
    })
}

/// Waits for sensors that are newer than the last ones that this or `touchline_read_sensors` gave, at most so long.
///
/// `*sensors` is then the caller's, and NULL if this fails.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_next_sensors(
    client: Option<&TouchlineClient>,
    timeout_ms: u32,
    sensors: Option<&mut MaybeUninit<*mut TouchlineSensors>>,
) -> TouchlineStatus {
    let timeout = Duration::from_millis(timeout_ms.into());
    give(client, sensors, |client| client.client.next_sensors_within(timeout))
}

/// Asks for the sensors now and waits for the answer, which shows what all commands before it did: for lockstep.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_read_sensors(
    client: Option<&TouchlineClient>,
    sensors: Option<&mut MaybeUninit<*mut TouchlineSensors>>,
) -> TouchlineStatus {
    give(client, sensors, |client| client.client.read_sensors())
}

/// The newest sensors that have come, without waiting; empty before the first.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_latest_sensors(
    client: Option<&TouchlineClient>,
    sensors: Option<&mut MaybeUninit<*mut TouchlineSensors>>,
) -> TouchlineStatus {
    give(client, sensors, |client| Ok(client.client.sensors()))
}

/// Ends sensors. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_sensors_free(sensors: Option<Box<TouchlineSensors>>) {
    drop(sensors);
}

/// Runs a function that has sensors.
pub fn on_sensors(
    sensors: Option<&TouchlineSensors>,
    body: impl FnOnce(&Sensors) -> Result<(), Failure>,
) -> TouchlineStatus {
    let id = sensors.map_or(0, |sensors| sensors.client);
    guard(id, || body(&sensors.ok_or_else(|| Failure::null("sensors"))?.sensors))
}

/// When these sensors were true.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_sensors_stamp(
    sensors: Option<&TouchlineSensors>,
    stamp: Option<&mut MaybeUninit<TouchlineStamp>>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| {
        let value = TouchlineStamp {
            step: sensors.step(),
            updates: sensors.updates(),
            sim_s: sensors.sim_secs(),
            stamp_s: sensors.stamp_secs(),
        };
        put(stamp, "stamp", value)
    })
}

/// What is looked for.
///
/// # Safety
/// The texts are NULL or end in NUL.
pub unsafe fn query(
    model: *const c_char,
    sensor_type: *const c_char,
    feature: *const c_char,
) -> Result<Query, Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        Ok(Query {
            model: optional_text(model, "model")?.map(str::to_owned),
            sensor_type: optional_text(sensor_type, "sensor_type")?.map(str::to_owned),
            feature: optional_text(feature, "feature")?.map(str::to_owned),
        })
    }
}

/// Finds the first feature of this model (`LMS200`), type (`laser`) and name (`180DegreeScan`), in the order of the
/// robot file; NULL fits everything. Sensors that give the same feature are interchangeable.
///
/// `TOUCHLINE_STATUS_NOT_FOUND` if there is none; the message lists what there is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_find(
    client: Option<&TouchlineClient>,
    model: *const c_char,
    sensor_type: *const c_char,
    feature: *const c_char,
    found: Option<&mut MaybeUninit<TouchlineFeature>>,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's texts are NULL or end in NUL.
        let query = unsafe { query(model, sensor_type, feature) }?;
        let handle = client.client.description().sensors.find(&query).map_err(Error::from)?;
        put(found, "found", handle.into())
    })
}

/// Finds all of them. `*len` is how many; with `found` NULL and `capacity` 0 nothing else is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_find_all(
    client: Option<&TouchlineClient>,
    model: *const c_char,
    sensor_type: *const c_char,
    feature: *const c_char,
    found: *mut TouchlineFeature,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's texts are NULL or end in NUL.
        let query = unsafe { query(model, sensor_type, feature) }?;
        let handles = client.client.description().sensors.find_all(&query);
        let list: Vec<TouchlineFeature> = handles.map(TouchlineFeature::from).collect();
        // SAFETY: the caller's array has room for `capacity` of them.
        unsafe { put_list(&list, found, capacity, len) }
    })
}

/// The feature's handle, if the robot has it.
pub fn handle_of(sensors: &Sensors, feature: TouchlineFeature) -> Result<FeatureHandle, Failure> {
    let handle = FeatureHandle { sensor: feature.sensor as usize, feature: feature.feature as usize };
    let sensor = sensors.catalogue().sensors.get(handle.sensor);
    if sensor.is_none_or(|sensor| handle.feature >= sensor.layout.features.len()) {
        let message = format!("the robot has no feature {}.{}", feature.sensor, feature.feature);
        return Err(Failure::new(TouchlineStatus::NotFound, message));
    }
    Ok(handle)
}

/// The reading of a feature.
pub fn reading(sensors: &Sensors, feature: TouchlineFeature) -> Result<Reading<'_>, Failure> {
    Ok(sensors.reading(handle_of(sensors, feature)?)?)
}

/// A feature's integers as they came. They live as long as the sensors.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_quantised(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    quantised: Option<&mut MaybeUninit<*const u32>>,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| {
        let reading = reading(sensors, feature)?;
        put(quantised, "quantised", reading.quantised.as_ptr())?;
        put(len, "len", reading.quantised.len())
    })
}

/// When a feature's reading was taken, on the client's clock (`touchline_now_s`), seconds: before the step of these sensors if its
/// sensor has a rate or a delay.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_reading_stamp(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    stamp_s: Option<&mut MaybeUninit<f64>>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| put(stamp_s, "stamp_s", reading(sensors, feature)?.stamp_secs))
}

/// A field's values in its unit; `INFINITY` is nothing there, `-INFINITY` too close.
///
/// `*len` is how many there are; with `values` NULL and `capacity` 0 nothing else is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_values(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    field: *const c_char,
    values: *mut f64,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| {
        // SAFETY: the caller's text ends in NUL.
        let list = field_values(sensors, feature, unsafe { text(field, "field") }?)?;
        // SAFETY: the caller's array has room for `capacity` values.
        unsafe { put_list(&list, values, capacity, len) }
    })
}

/// The value of a field that has one, in its unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_value(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    field: *const c_char,
    value: Option<&mut MaybeUninit<f64>>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| {
        // SAFETY: the caller's text ends in NUL.
        let name = unsafe { text(field, "field") }?;
        match field_values(sensors, feature, name)?.as_slice() {
            &[one] => put(value, "value", one),
            list => {
                let message = format!("the field \"{name}\" has {} values: touchline_values", list.len());
                Err(Failure::new(TouchlineStatus::WrongFormat, message))
            }
        }
    })
}

fn field_values(sensors: &Sensors, feature: TouchlineFeature, name: &str) -> Result<Vec<f64>, Failure> {
    let reading = reading(sensors, feature)?;
    let values = reading.field(name).ok_or_else(|| {
        let fields: Vec<&str> = reading.feature.fields.iter().map(|field| field.name.as_str()).collect();
        let (feature, fields) = (&reading.feature.name, fields.join(", "));
        Failure::new(
            TouchlineStatus::NotFound,
            format!("feature \"{feature}\" has no field \"{name}\"; it has {fields}"),
        )
    })?;
    Ok(values.collect())
}
