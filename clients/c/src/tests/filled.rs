//! Sensors that no server gives. [P4, C7]

use crate::data::{TouchlineScan, touchline_ball, touchline_scan};
use crate::filled::*;
use crate::sensors::*;
use crate::status::{TouchlineStatus, touchline_last_error};
use std::ffi::CStr;
use std::mem::MaybeUninit;

const LASER: &CStr = c"OK DESCRIBE robot=0 name=r radius_m=0.2 lines=5
SENSOR laser model=LMS200 type=laser plugin=laser x_m=0 y_m=0 z_m=0.3 theta_rad=0 integers=5
FEATURE scan integers=5
FIELD angle_min unit=rad scale=0.000001 signed=1 shape=scalar
FIELD angle_step unit=rad scale=0.00000001 signed=1 shape=scalar
FIELD ranges unit=m scale=0.001 signed=0 shape=3
";

fn given<T: Copy>(call: impl FnOnce(&mut MaybeUninit<T>) -> TouchlineStatus) -> T {
    let mut out = MaybeUninit::uninit();
    let status = call(&mut out);
    // SAFETY: the text lives until the next failure of this thread.
    assert_eq!(status, TouchlineStatus::Ok, "{:?}", unsafe { CStr::from_ptr(touchline_last_error(None)) });
    // SAFETY: the call succeeded.
    unsafe { out.assume_init() }
}

#[test]
fn what_a_driver_has_read_is_read_as_what_it_is() {
    // SAFETY: texts end in NUL, what succeeds gives boxes, arrays are as long as is said.
    unsafe {
        let empty = Box::from_raw(given(|out| touchline_sensors_described(LASER.as_ptr(), Some(out))));
        let null = std::ptr::null();
        let scan =
            given(|out| touchline_sensors_find(Some(&empty), null, c"laser".as_ptr(), null, Some(out)));
        let mut nothing = MaybeUninit::uninit();
        assert_eq!(
            touchline_reading_stamp(Some(&empty), scan, Some(&mut nothing)),
            TouchlineStatus::NoReading
        );

        let values = [-1.5, 0.75, 0.8121, f64::INFINITY, f64::NEG_INFINITY];
        let fill = |values: &[f64], out: &mut MaybeUninit<_>| {
            touchline_sensors_filled(Some(&empty), scan, values.as_ptr(), values.len(), 3.5, Some(out))
        };
        let sensors = Box::from_raw(given(|out| fill(&values, out)));
        let (mut ranges, mut len, mut head) = ([0.0; 3], MaybeUninit::uninit(), MaybeUninit::uninit());
        let status = touchline_scan(
            Some(&sensors),
            scan,
            Some(&mut head),
            ranges.as_mut_ptr(),
            ranges.len(),
            Some(&mut len),
        );
        assert_eq!(status, TouchlineStatus::Ok);
        let head: TouchlineScan = head.assume_init();
        assert_eq!((head.angle_min_rad, head.angle_step_rad), (-1.5, 0.75));
        assert_eq!(ranges, [0.812, f64::INFINITY, f64::NEG_INFINITY]);
        assert_eq!(given(|out| touchline_reading_stamp(Some(&sensors), scan, Some(out))), 3.5);

        let mut wrong = MaybeUninit::uninit();
        assert_eq!(fill(&values[..4], &mut wrong), TouchlineStatus::WrongFormat);
        assert!(wrong.assume_init().is_null());
        let mut wrong = MaybeUninit::uninit();
        assert_ne!(
            touchline_sensors_described(c"OK DESCRIBE robot=0 lines=9".as_ptr(), Some(&mut wrong)),
            TouchlineStatus::Ok
        );
        assert!(wrong.assume_init().is_null());
    }
}

const NECKED: &CStr = c"OK DESCRIBE robot=0 name=r radius_m=0.2 lines=7
SENSOR camera model=C type=camera plugin=camera x_m=0.1 y_m=0 z_m=0.5 theta_rad=0 integers=2 follows=neck-angle
FEATURE ball integers=2
FIELD distance unit=m scale=0.001 signed=0 shape=scalar
FIELD bearing unit=rad scale=0.0001 signed=1 shape=scalar
SENSOR odometry model=O type=odometry plugin=odometry x_m=0 y_m=0 z_m=0 theta_rad=0 integers=1
FEATURE odometry integers=1
FIELD motion/neck-angle unit=rad scale=0.0001 signed=1 shape=scalar
";

/// P4, S: what a camera on a neck sees is told where the neck has turned it; before anything was read of the neck it is not told.
#[test]
fn a_neck_turns_what_a_camera_sees() {
    // SAFETY: texts end in NUL, what succeeds gives boxes, arrays are as long as is said.
    unsafe {
        let empty = Box::from_raw(given(|out| touchline_sensors_described(NECKED.as_ptr(), Some(out))));
        let null = std::ptr::null();
        let find =
            |id: &CStr| given(|out| touchline_sensors_find(Some(&empty), null, id.as_ptr(), null, Some(out)));
        let (ball, odometry) = (find(c"camera"), find(c"odometry"));
        let fill = |sensors: &TouchlineSensors, feature, values: &[f64]| {
            let (start, len) = (values.as_ptr(), values.len());
            Box::from_raw(given(|out| {
                touchline_sensors_filled(Some(sensors), feature, start, len, 3.5, Some(out))
            }))
        };
        let seen = fill(&empty, ball, &[2.0, 0.5]);
        let mut sighting = MaybeUninit::uninit();
        assert_eq!(touchline_ball(Some(&seen), ball, Some(&mut sighting)), TouchlineStatus::NoReading);
        let turned = fill(&seen, odometry, &[std::f64::consts::FRAC_PI_2 - 0.5]);
        let sighting = given(|out| touchline_ball(Some(&turned), ball, Some(out)));
        assert!((sighting.forward_m - 0.1).abs() < 1e-3 && (sighting.left_m - 2.0).abs() < 1e-3);
        assert_eq!((sighting.distance_m, sighting.bearing_rad), (2.0, 0.5));
    }
}
