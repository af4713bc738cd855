//! Motion and manipulators.

use crate::border::{array, text};
use crate::client::TouchlineClient;
use crate::status::{TouchlineStatus, on_client};
use std::ffi::c_char;
use touchline_client::Aim;

/// Sets all standard velocities: m/s forward, m/s to the left, rad/s counter-clockwise.
///
/// Refused if the robot has no such velocity and it is not 0, or a number is not finite.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_twist(
    client: Option<&TouchlineClient>,
    forward_m_s: f64,
    left_m_s: f64,
    turn_rad_s: f64,
) -> TouchlineStatus {
    on_client(client, |client| Ok(client.client.twist(forward_m_s, left_m_s, turn_rad_s)?))
}

/// Sets the translational velocity, m/s; the rotational one stays.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_forward(client: Option<&TouchlineClient>, forward_m_s: f64) -> TouchlineStatus {
    on_client(client, |client| Ok(client.client.forward(forward_m_s)?))
}

/// Sets the rotational velocity, rad/s counter-clockwise; the translational one stays.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_turn(client: Option<&TouchlineClient>, turn_rad_s: f64) -> TouchlineStatus {
    on_client(client, |client| Ok(client.client.turn(turn_rad_s)?))
}

/// Sets the whole command vector: as many numbers as the robot has dimensions, each in its dimension's unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_drive(
    client: Option<&TouchlineClient>,
    command: *const f64,
    count: usize,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's array has `count` numbers.
        let command = unsafe { array(command, count, "command") }?;
        Ok(client.client.drive(command)?)
    })
}

/// Switches a manipulator to a state, such as `kicker` to `kick`, with a part of its full power in `[0, 1]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_manipulate(
    client: Option<&TouchlineClient>,
    manipulator: *const c_char,
    state: *const c_char,
    strength: f64,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's texts end in NUL.
        let (manipulator, state) = unsafe { (text(manipulator, "manipulator")?, text(state, "state")?) };
        Ok(client.client.manipulate(manipulator, state, strength)?)
    })
}

/// The same with a direction in the robot's frame and an elevation above the floor, radians, where the state's robot file leaves them to
/// the command; NULL is what the file says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_manipulate_aimed(
    client: Option<&TouchlineClient>,
    manipulator: *const c_char,
    state: *const c_char,
    strength: f64,
    direction_rad: Option<&f64>,
    elevation_rad: Option<&f64>,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's texts end in NUL.
        let (manipulator, state) = unsafe { (text(manipulator, "manipulator")?, text(state, "state")?) };
        let aim =
            Aim { strength, direction_rad: direction_rad.copied(), elevation_rad: elevation_rad.copied() };
        Ok(client.client.manipulate_aimed(manipulator, state, aim)?)
    })
}

/// Sets a number of a sensor that can be set, such as `camera`'s `view-width`, within its range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_set_sensor(
    client: Option<&TouchlineClient>,
    sensor: *const c_char,
    name: *const c_char,
    value: f64,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's texts end in NUL.
        let (sensor, name) = unsafe { (text(sensor, "sensor")?, text(name, "name")?) };
        Ok(client.client.set_sensor(sensor, name, value)?)
    })
}
