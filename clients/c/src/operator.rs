//! Control of the world, for those who joined as `TOUCHLINE_ROLE_OPERATOR`.

use crate::border::text;
use crate::client::TouchlineClient;
use crate::status::{TouchlineStatus, on_client};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use touchline_client::{Request, RobotRef};

fn ask(client: Option<&TouchlineClient>, request: &Request) -> TouchlineStatus {
    on_client(client, |client| {
        client.client.ask(request)?;
        Ok(())
    })
}

/// Stops simulated time.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_pause(client: Option<&TouchlineClient>) -> TouchlineStatus {
    ask(client, &Request::new("PAUSE"))
}

/// Lets simulated time go on.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_resume(client: Option<&TouchlineClient>) -> TouchlineStatus {
    ask(client, &Request::new("RESUME"))
}

/// Brings the world back to its first step; robots of clients stay.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_reset(client: Option<&TouchlineClient>) -> TouchlineStatus {
    ask(client, &Request::new("RESET"))
}

/// Makes 1 to 1,000,000 steps at once and returns when they are made; then simulated time stands. That may take
/// `timeout_ms` of the options, and 10 ms more for each step.
///
/// The number of the last step is written to `step`, which may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_step(
    client: Option<&TouchlineClient>,
    steps: u32,
    step: Option<&mut MaybeUninit<u64>>,
) -> TouchlineStatus {
    on_client(client, |client| {
        let number = client.client.step(steps)?;
        if let Some(step) = step {
            step.write(number);
        }
        Ok(())
    })
}

/// Simulated seconds in a second, 0.001 to 1000; infinity: as fast as possible; 0: lockstep, a step only when told.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_speed(client: Option<&TouchlineClient>, factor: f64) -> TouchlineStatus {
    let speed = match factor {
        0.0 => "lockstep".into(),
        f64::INFINITY => "max".into(),
        factor => factor.to_string(),
    };
    ask(client, &Request::new("SPEED").plain(speed))
}

/// Puts a robot somewhere in the world, at rest: metres, metres, radians. NULL is one's own robot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_place_robot(
    client: Option<&TouchlineClient>,
    robot: *const c_char,
    x_m: f64,
    y_m: f64,
    theta_rad: f64,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's text is NULL or ends in NUL.
        let robot = match unsafe { crate::border::optional_text(robot, "robot") }? {
            Some(name) => RobotRef::Name(name.into()),
            None => RobotRef::Number(client.client.robot_number()),
        };
        client.client.ask(&Request::new("PLACE").robot(&robot).numbers(&[x_m, y_m, theta_rad]))?;
        Ok(())
    })
}

/// Puts a ball, counted from 0, somewhere in the world with a velocity: metres, m/s.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_place_ball(
    client: Option<&TouchlineClient>,
    ball: u32,
    x_m: f64,
    y_m: f64,
    velocity_x_m_s: f64,
    velocity_y_m_s: f64,
) -> TouchlineStatus {
    let numbers = [x_m, y_m, velocity_x_m_s, velocity_y_m_s];
    ask(client, &Request::new("BALL").plain(ball).numbers(&numbers))
}

/// The same at a height of its lowest point above the floor, and with a speed upwards: metres, m/s.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_place_flying_ball(
    client: Option<&TouchlineClient>,
    ball: u32,
    x_m: f64,
    y_m: f64,
    z_m: f64,
    velocity_x_m_s: f64,
    velocity_y_m_s: f64,
    velocity_z_m_s: f64,
) -> TouchlineStatus {
    let numbers = [x_m, y_m, velocity_x_m_s, velocity_y_m_s];
    let request = Request::new("BALL").plain(ball).numbers(&numbers);
    ask(client, &request.field("z", &z_m.to_string()).field("vz", &velocity_z_m_s.to_string()))
}

/// Sets a team's goals.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_set_score(
    client: Option<&TouchlineClient>,
    team: *const c_char,
    goals: u32,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's text ends in NUL.
        let team = unsafe { text(team, "team") }?;
        client.client.ask(&Request::new("SETSCORE").text(team).plain(goals))?;
        Ok(())
    })
}

/// Says something to the referee, which knows what to make of it, such as `KICKOFF blue`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_referee(
    client: Option<&TouchlineClient>,
    line: *const c_char,
) -> TouchlineStatus {
    on_client(client, |client| {
        // SAFETY: the caller's text ends in NUL.
        let line = unsafe { text(line, "line") }?;
        client.client.ask(&Request::new("REFEREE").quoted(line))?;
        Ok(())
    })
}
