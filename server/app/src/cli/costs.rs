//! What robots' sensors cost, for `touchline check`: measured here and now, each reading from one Frame.

use cpu_time::ThreadTime;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;
use touchline_host::Host;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::scenario::{Limits, PhysicsLaw, Radio, RobotPlacement, RobotSpec, SensorTiming, Surface};
use touchline_sim::{Frame, RobotFrame, Scenario, World};

/// How long one sensor is measured.
const LONG_ENOUGH: Duration = Duration::from_millis(2);
/// The length of a step where no world says one, seconds: that of a world file without `dt_s`.
const DT_SECS: f64 = 0.01;

/// A table for a robot that stands alone; empty if it has no sensors.
pub fn of_robot(spec: RobotSpec, host: &Arc<Host>) -> String {
    of_world(alone(spec), host)
}

/// A world with nothing in it but a robot.
pub fn alone(spec: RobotSpec) -> Scenario {
    let placement = RobotPlacement {
        name: spec.model.clone(),
        team: None,
        spec: Arc::new(spec),
        pose: Some(Pose2::ORIGIN),
        player: None,
    };
    Scenario {
        gravity_m_s2: touchline_sim::scenario::GRAVITY_M_S2,
        name: "alone".into(),
        seed: 1,
        dt_secs: DT_SECS,
        physics: PhysicsLaw::default(),
        surface: Surface::new(0.5, 0.5),
        teams: Vec::new(),
        fixtures: Vec::new(),
        balls: Vec::new(),
        robots: vec![placement],
        referee: None,
        radio: Radio::default(),
        episode: None,
        limits: Limits::default(),
    }
}

/// A table for each make of robot in a world, as it stands there at the beginning.
pub fn of_world(mut scenario: Scenario, host: &Arc<Host>) -> String {
    let specs: Vec<Arc<RobotSpec>> = scenario.robots.iter().map(|robot| Arc::clone(&robot.spec)).collect();
    // Every sensor gives a new reading whenever it is asked: what is held costs nothing.
    for robot in &mut scenario.robots {
        let spec = Arc::make_mut(&mut robot.spec);
        spec.sensors.iter_mut().for_each(|sensor| sensor.timing = SensorTiming::default());
    }
    let dt_secs = scenario.dt_secs;
    // Whoever checks a file says himself why it makes no world.
    let Ok(world) = World::new(scenario, Arc::clone(host) as _) else { return String::new() };
    let frame = world.frame();
    let mut text = String::new();
    for (index, (spec, robot)) in specs.iter().zip(&frame.robots).enumerate() {
        if !specs[..index].contains(spec) && !spec.sensors.is_empty() {
            let many = specs.iter().filter(|other| *other == spec).count();
            table(spec, many, &frame, robot, dt_secs, &mut text);
        }
    }
    text
}

fn table(spec: &RobotSpec, many: usize, frame: &Frame, robot: &RobotFrame, dt_secs: f64, text: &mut String) {
    let make = if many > 1 { format!("{} (one of {many})", spec.model) } else { spec.model.clone() };
    // Writing into a text cannot fail.
    let _ = writeln!(
        text,
        "  {make:<24} {:>10} {:>11} {:>10} {:>10}",
        "readings/s", "numbers/s", "us/reading", "real time"
    );
    let (mut readings, mut numbers, mut share) = (0.0, 0.0, 0.0);
    for (index, sensor) in spec.sensors.iter().enumerate() {
        let per_sec = sensor.timing.rate_hz.unwrap_or(f64::INFINITY).min(1.0 / dt_secs);
        let of_sensor = per_sec * robot.identity.sensors[index].len as f64;
        let Some(micros) = micros_per_reading(frame, robot, index) else {
            let _ = writeln!(text, "    {:<22} cannot be read at the beginning", sensor.id);
            continue;
        };
        row(&sensor.id, [per_sec, of_sensor, micros, per_sec * micros * 1e-6], text);
        readings += per_sec;
        numbers += of_sensor;
        share += per_sec * micros * 1e-6;
    }
    row("all", [readings, numbers, share / readings.max(1e-9) * 1e6, share], text);
}

fn row(name: &str, [readings, numbers, micros, share]: [f64; 4], text: &mut String) {
    let percent = share * 100.0;
    let _ = writeln!(text, "    {name:<22} {readings:>10.2} {numbers:>11.0} {micros:>10.2} {percent:>8.3} %");
}

/// The processor's time for one reading; `None` if there is none.
fn micros_per_reading(frame: &Frame, robot: &RobotFrame, sensor: usize) -> Option<f64> {
    let mut quantised = Vec::new();
    let mut read = || frame.read_sensor(robot, sensor, &mut quantised).ok().flatten();
    // The first one fills the caches; of what takes long, one is enough.
    let start = ThreadTime::now();
    read()?;
    let first = start.elapsed();
    if first >= LONG_ENOUGH {
        return Some(first.as_secs_f64() * 1e6);
    }
    let start = ThreadTime::now();
    let mut made = 0u32;
    while made == 0 || start.elapsed() < LONG_ENOUGH {
        // So many between two looks at the clock that it does not count.
        for _ in 0..if made == 0 { 1 } else { made.min(64) } {
            read()?;
            made += 1;
        }
    }
    Some(start.elapsed().as_secs_f64() * 1e6 / f64::from(made))
}
