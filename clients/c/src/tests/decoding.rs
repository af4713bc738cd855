//! The decoding cases that all clients share, through the C functions, from the bytes on a socket to numbers.
//! [P4, C3, C7, C8]

use crate::client::*;
use crate::robot::TouchlineRobot;
use crate::sensors::*;
use crate::status::{TouchlineStatus, touchline_last_error};
use serde_json::Value;
use std::ffi::{CStr, CString};
use std::io::{BufRead, BufReader, Write};
use std::mem::MaybeUninit;
use std::net::{SocketAddr, TcpListener};
use std::thread::JoinHandle;
use touchline_plugin_api::layout::{Feature, Field};

/// Serves one client whose robot has one sensor with one feature, and always the same data.
fn server(feature: Feature, id: String, data: String, stamp_us: i64) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let described = describe(&feature, &id);
    let answer = move |word: &str, rest: &str| match word {
        "SYNC" => format!("OK SYNC t0={rest} t1=0 t2=0\n"),
        "ROBOT" => "OK ROBOT robot=1 name=r\n".into(),
        "DESCRIBE" => described.clone(),
        "GET" => format!("OK GET robot=1 step=7 sim_us=70000 stamp_us={stamp_us} lines=1\n{data}\n"),
        word => format!("OK {word}\n"),
    };
    let serve = move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"TOUCHLINE 1 0.1.0\n").unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines();
        for line in lines.map_while(Result::ok) {
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            // The client may have gone already.
            let _ = stream.write_all(answer(word, rest).as_bytes());
        }
    };
    (address, std::thread::spawn(serve))
}

/// The answer to `DESCRIBE`, as docs/protocol.md has it.
fn describe(feature: &Feature, id: &str) -> String {
    let (len, name) = (feature.len(), &feature.name);
    let mut lines = vec![
        format!("SENSOR {id} model=M type=t plugin=p x_m=0 y_m=0 z_m=0 theta_rad=0 integers={len}"),
        format!("FEATURE {name} integers={len}"),
    ];
    for Field { name, unit, scale, signed, shape } in &feature.fields {
        let shape: Vec<String> = shape.iter().map(u32::to_string).collect();
        let shape = if shape.is_empty() { "scalar".into() } else { shape.join("x") };
        let signed = u8::from(*signed);
        lines.push(format!("FIELD {name} unit={unit} scale={scale} signed={signed} shape={shape}"));
    }
    format!("OK DESCRIBE robot=1 name=r radius_m=0.2 lines={}\n{}\n", lines.len(), lines.join("\n"))
}

fn connect(address: SocketAddr) -> Box<TouchlineClient> {
    let address = CString::new(address.to_string()).unwrap();
    let options = TouchlineOptions {
        address: address.as_ptr(),
        robot_named: c"r".as_ptr(),
        cycle_ms: 0,
        ..TouchlineOptions::default()
    };
    let mut client = MaybeUninit::uninit();
    // SAFETY: the options' texts live, and on success the client is a new box.
    unsafe {
        let status = touchline_connect(&raw const options, Some(&mut client));
        assert_eq!(status, TouchlineStatus::Ok, "{:?}", CStr::from_ptr(touchline_last_error(None)));
        Box::from_raw(client.assume_init())
    }
}

fn read(client: &TouchlineClient) -> Box<TouchlineSensors> {
    let mut sensors = MaybeUninit::uninit();
    assert_eq!(touchline_read_sensors(Some(client), Some(&mut sensors)), TouchlineStatus::Ok);
    // SAFETY: on success it is a new box.
    unsafe { Box::from_raw(sensors.assume_init()) }
}

/// P4, C7: integers mean to C what they mean to Rust and Python.
#[test]
fn integers_mean_what_the_cases_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conformance/decode");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "{paths:?}");
    for path in paths {
        let case: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let feature: Feature = serde_json::from_value(case["feature"].clone()).unwrap();
        let data = case["data"].as_str().unwrap();
        // The cases write `sensor.feature`, the sensor's name may be anything.
        let id = data.split(' ').nth(1).unwrap().split('.').next().unwrap().to_owned();
        let data = data.replacen(data.split(' ').nth(1).unwrap(), &format!("{id}.{}", feature.name), 1);
        let stamp_us = case["stamp_us"].as_i64().unwrap();
        let (address, server) = server(feature.clone(), id, data, stamp_us);
        let client = connect(address);
        let sensors = read(&client);

        let mut stamp = MaybeUninit::uninit();
        assert_eq!(touchline_sensors_stamp(Some(&sensors), Some(&mut stamp)), TouchlineStatus::Ok);
        // SAFETY: the call succeeded.
        let stamp: TouchlineStamp = unsafe { stamp.assume_init() };
        assert_eq!((stamp.step, stamp.updates), (7, 1));
        assert!((stamp.sim_s - 0.07).abs() < 1e-9);
        assert!((stamp.stamp_s - stamp_us as f64 * 1e-6).abs() < 1e-9, "{stamp:?}");

        let name = CString::new(feature.name.clone()).unwrap();
        let mut found = MaybeUninit::uninit();
        let handle = found.as_mut_ptr();
        // SAFETY: the texts end in NUL.
        let status = unsafe {
            let any = std::ptr::null();
            touchline_find(Some(&client), any, c"t".as_ptr(), name.as_ptr(), Some(&mut found))
        };
        assert_eq!(status, TouchlineStatus::Ok);
        // SAFETY: the call succeeded.
        let handle: TouchlineFeature = unsafe { *handle };
        let mut taken = MaybeUninit::uninit();
        assert_eq!(touchline_reading_stamp(Some(&sensors), handle, Some(&mut taken)), TouchlineStatus::Ok);
        // SAFETY: the call succeeded.
        let taken = unsafe { taken.assume_init() };
        let line_us: f64 = case["data"].as_str().unwrap().split(' ').nth(2).unwrap().parse().unwrap();
        assert!((taken - line_us * 1e-6).abs() < 1e-9, "{taken}");
        for (field, want) in case["values"].as_object().unwrap() {
            let want: Vec<f64> = want.as_array().unwrap().iter().map(number).collect();
            let got = values(&sensors, handle, field, want.len());
            let same = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
            assert!(got.iter().zip(&want).all(same), "{}: {field}: {got:?}, not {want:?}", path.display());
        }
        let robot: &TouchlineRobot = touchline_robot(Some(&client)).unwrap();
        assert_eq!((robot.sensor_count, robot.team_index, robot.team), (1, -1, std::ptr::null()));
        // SAFETY: there is one sensor with one feature, and its fields are as many as it says.
        let fields = unsafe {
            let features = &*(*robot.sensors).features;
            std::slice::from_raw_parts(features.fields, features.field_count)
        };
        for (field, wanted) in fields.iter().zip(&feature.fields) {
            assert_eq!((field.scale, field.is_signed), (wanted.scale, wanted.signed));
            assert_eq!((field.integer_count, field.shape_count), (wanted.len(), wanted.shape.len()));
            assert_eq!(field.first, feature.field(&wanted.name).unwrap().0);
        }
        touchline_close(Some(client));
        touchline_sensors_free(Some(sensors));
        server.join().unwrap();
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

/// A field's values: first how many, then all of them; and an array that is too small.
fn values(sensors: &TouchlineSensors, feature: TouchlineFeature, field: &str, len: usize) -> Vec<f64> {
    let field = CString::new(field).unwrap();
    let mut got = vec![0.0; len];
    let mut count = MaybeUninit::new(0);
    let mut call = |values: *mut f64, capacity: usize| {
        // SAFETY: the text ends in NUL; there is room for `capacity` values.
        let status = unsafe {
            touchline_values(Some(sensors), feature, field.as_ptr(), values, capacity, Some(&mut count))
        };
        // SAFETY: it was initialised.
        assert_eq!(unsafe { count.assume_init() }, len, "{field:?}");
        status
    };
    assert_eq!(call(std::ptr::null_mut(), 0), TouchlineStatus::Ok);
    if len > 0 {
        assert_eq!(call(got.as_mut_ptr(), len - 1), TouchlineStatus::TooSmall);
        assert_eq!(call(std::ptr::null_mut(), len), TouchlineStatus::NullArgument);
    }
    assert_eq!(call(got.as_mut_ptr(), len), TouchlineStatus::Ok);
    got
}
