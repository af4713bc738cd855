//! The contract of a sensor.

use super::contract::{Report, Violation, made, verdict};
use super::subject::SensorSubject;
use super::world::FakeWorld;
use std::fmt::Display;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::grid::Cells;
use touchline_plugin_api::instance::read_params;
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{MotionDatum, MotionDescription};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::radio::{Inbox, MessageRecord};
use touchline_plugin_api::sensor::{AdvanceInput, MAX_SENSOR_DATA, Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::State;
use touchline_plugin_api::view::{NONE, WorldView};

/// What the checks tell a sensor when they make it: a robot with two motion data, in a world of two teams, with
/// steps of 10 ms, sitting 0.1 m before the robot's centre and 0.2 m high.
pub fn sensor_setup() -> SensorSetup {
    let wheel = |name: &str| MotionDatum::new(name, "rad/s");
    SensorSetup {
        robot: "blue-1".into(),
        id: "sensor".into(),
        model: "test".into(),
        mount: Mount { x_m: 0.1, y_m: 0.0, z_m: 0.2, theta_rad: 0.0 },
        dt_secs: 0.01,
        motion: MotionDescription {
            data: vec![wheel("wheel-left"), wheel("wheel-right")],
            ..MotionDescription::default()
        },
        teams: vec!["blue".into(), "yellow".into()],
        team: Some(0),
        fixtures: FakeWorld::f2000().fixture_names(),
    }
}

/// Checks a sensor against the contract of [`Sensor`], with these parameters (JSON).
///
/// # Panics
/// Names every rule that is broken.
#[track_caller]
pub fn check_sensor<T: Sensor>(params: &str) {
    verdict("sensor", T::NAME, &sensor_violations::<T>(params));
}

/// The same as [`check_sensor`], as a list.
pub fn sensor_violations<T: Sensor>(params: &str) -> Vec<Violation> {
    let mut report = Report::default();
    let _ = check::<T>(&mut report, params);
    report.violations
}

/// `None` as soon as nothing more can be tried.
fn check<T: Sensor>(report: &mut Report, params: &str) -> Option<()> {
    let params = report.params::<T::Params>(T::NAME, T::SUMMARY, params)?;
    run(report, |setup| T::new(read_params(&params)?, setup)).map(drop)
}

/// The rules for what instances do; gives how much that was.
pub(super) fn run<S: SensorSubject, E: Display>(
    report: &mut Report,
    make: impl Fn(&SensorSetup) -> Result<S, E>,
) -> Option<String> {
    let setup = sensor_setup();
    let mut sensors = made(report, || make(&setup))?;
    if sensors[0].serves_all() {
        // Whose it is is nothing to it: that of another robot is the same.
        let other = SensorSetup { robot: "yellow-11".into(), ..setup.clone() };
        sensors[1] = report.run("making that of another robot", || make(&other))?;
    }
    report.require("the type is not empty", !sensors[0].sensor_type().is_empty(), String::new);
    let layout = check_layout(report, &sensors)?;
    let data = check_data(report, &sensors)?;
    let states =
        [report.initial(|| sensors[0].initial_state())?, report.initial(|| sensors[1].initial_state())?];
    let first = report.same_beginning(&states)?;
    let state = integrate(report, &sensors, first, &data)?;
    let mut readings = 0;
    for (name, world) in scenes() {
        for step in [0, 1, 7_777_777_777] {
            let world = world.clone().at(step, step as f64 * setup.dt_secs);
            let input =
                SensorInput { motion_data: &[1.0, -2.0], data: &data, ..world.sensor_input(0, setup.mount) };
            let place = format!("reading scene \"{name}\" at step {step}");
            let read_in = |sensor: &S, state: &S::State, input: &SensorInput<'_>| {
                let mut quantised = vec![0; layout.len()];
                sensor.generate(state, input, &mut quantised).map(|()| quantised)
            };
            let read = |sensor: &S, state: &S::State| read_in(sensor, state, &input);
            readings += 1;
            let once = report.call(&place, || read(&sensors[0], &state))?;
            let twice = report.call(&place, || read(&sensors[0], &state))?;
            report.require("a reading is the same however often it is asked", once == twice, || {
                difference(&place, &layout, &once, &twice)
            });
            let other = report.call(&place, || read(&sensors[1], &state))?;
            report.require("two instances are the same", once == other, || {
                difference(&place, &layout, &once, &other)
            });
            // As in a world of many.
            let mut cells = Cells::default();
            cells.lay_objects(input.view.objects);
            let gridded = SensorInput { view: WorldView { grid: cells.grid(), ..input.view }, ..input };
            let gridded = report.call(&place, || read_in(&sensors[0], &state, &gridded))?;
            report.require("a reading is the same without the view's grid", once == gridded, || {
                difference(&place, &layout, &once, &gridded)
            });
        }
    }
    Some(format!("{readings} readings of {} integers", layout.len()))
}

fn check_layout<S: SensorSubject>(report: &mut Report, sensors: &[S; 2]) -> Option<Layout> {
    let layout = report.run("the layout", || Ok::<_, String>(sensors[0].layout()))?;
    let again = report.run("the layout", || Ok::<_, String>([sensors[0].layout(), sensors[1].layout()]))?;
    report.require("the layout never changes", again.iter().all(|other| *other == layout), || {
        format!("{layout:?}, then {again:?}")
    });
    report.require("there is something to read", !layout.is_empty(), || "the layout has no integers".into());
    for (i, feature) in layout.features.iter().enumerate() {
        let known = layout.features[..i].iter().any(|other| other.name == feature.name);
        report.require("features have names of their own", !known && !feature.name.is_empty(), || {
            format!("{:?}", feature.name)
        });
        for (j, field) in feature.fields.iter().enumerate() {
            let known = feature.fields[..j].iter().any(|other| other.name == field.name);
            report.require("fields have names of their own", !known && !field.name.is_empty(), || {
                format!("{:?} in feature \"{}\"", field.name, feature.name)
            });
            let sound = field.scale.is_finite() && field.scale > 0.0 && !field.unit.is_empty();
            report.require("fields have a unit, and a scale above zero", sound, || {
                format!("{}.{}: unit {:?}, scale {}", feature.name, field.name, field.unit, field.scale)
            });
        }
    }
    Some(layout)
}

/// What can be set of it, as it is before anybody sets it.
fn check_data<S: SensorSubject>(report: &mut Report, sensors: &[S; 2]) -> Option<Vec<f64>> {
    let data = report.run("the data", || Ok::<_, String>(sensors[0].data()))?;
    let again = report.run("the data", || Ok::<_, String>([sensors[0].data(), sensors[1].data()]))?;
    report.require("the data never change", again.iter().all(|other| *other == data), || format!("{data:?}"));
    report.require("not more can be set than there is room for", data.len() <= MAX_SENSOR_DATA, || {
        format!("{} numbers, at most {MAX_SENSOR_DATA}", data.len())
    });
    for datum in &data {
        let sound = datum.min.is_finite() && datum.max.is_finite() && datum.allows(datum.initial);
        report.require("a number begins within its range", sound, || format!("{datum:?}"));
    }
    Some(data.iter().map(|datum| datum.initial).collect())
}

/// Drives a while. A state that is saved and loaded at every step, by turns in two instances, must stay the one that is
/// kept in memory.
fn integrate<S: SensorSubject>(
    report: &mut Report,
    sensors: &[S; 2],
    initial: Vec<u8>,
    data: &[f64],
) -> Option<S::State> {
    let mut kept = report.run("loading the initial state", || S::State::load(&initial))?;
    if sensors[0].is_stateless() {
        return Some(kept);
    }
    let mut bytes = initial;
    // A mate with words, somebody of no team without, and bytes that are no text.
    let record = |from, from_team, start, len| MessageRecord {
        from,
        from_team,
        from_shirt: from_team,
        start,
        len,
        ..MessageRecord::default()
    };
    let records = [record(1, 0, 0, 5), record(2, NONE, 5, 0), record(3, 1, 5, 2)];
    let heard = Inbox { records: &records, text: b"hello\xff\xfe" };
    let key = NoiseKey::for_owner(2, "contract");
    let mut pose = Pose2::ORIGIN;
    for step in 0..200u64 {
        let mut draw = key.split(7).at_step(step).stream();
        let dt_secs = 0.01;
        let twist = match step % 50 {
            0 => Twist2::ZERO,
            1 => Twist2::new(1e3, -1e3, 300.0),
            _ => Twist2::new(draw.uniform(-3.0, 3.0), draw.uniform(-3.0, 3.0), draw.uniform(-9.0, 9.0)),
        };
        let displacement = Pose2::ORIGIN.advanced(twist, dt_secs);
        pose = pose.compose(displacement);
        let motion_data = &[twist.x_m_s, twist.turn_rad_s];
        let noise = key.at_step(step);
        let inbox = if step % 3 == 0 { heard } else { Inbox::default() };
        let input = AdvanceInput { dt_secs, displacement, twist, pose, motion_data, data, inbox, noise };
        let place = format!("step {step} of the integration");
        report.call(&place, || sensors[0].advance(&mut kept, &input))?;
        let mut loaded = report.run(&place, || S::State::load(&bytes))?;
        if sensors[0].is_deaf() {
            let mut deaf = report.run(&place, || S::State::load(&bytes))?;
            let unheard = AdvanceInput { inbox: Inbox::default(), ..input };
            report.call(&place, || sensors[0].advance(&mut deaf, &unheard))?;
            let (deaf, heard) = (report.saved(&place, &deaf)?, report.saved(&place, &kept)?);
            report.require("what is heard is nothing to a deaf sensor", deaf == heard, || place.clone());
        }
        report.call(&place, || sensors[step as usize % 2].advance(&mut loaded, &input))?;
        bytes = report.saved(&place, &loaded)?;
        let memory = report.saved(&place, &kept)?;
        report.require("the state holds all that the next step depends on", memory == bytes, || {
            format!("{place}: a run through saved states parts from an uninterrupted one")
        });
    }
    Some(kept)
}

/// Places that are legal, and not what an author thinks of first. Robot 0 carries the sensor.
fn scenes() -> Vec<(&'static str, FakeWorld)> {
    let at = |x: f64, y: f64, theta: f64| Pose2::new(x, y, theta);
    let team = |world: FakeWorld, n: u32| {
        (0..n).fold(world, |world, i| {
            let (row, column) = (f64::from(i / 8), f64::from(i % 8));
            world.robot(at(column - 3.5, row * 0.7 - 2.0, column), i % 2)
        })
    };
    let balls = |world: FakeWorld, n: u32| {
        (0..n).fold(world, |world, i| world.ball([f64::from(i) * 0.3 - 3.0, 0.5], [1.0, -1.0]))
    };
    vec![
        ("match", team(balls(FakeWorld::f2000(), 1), 8)),
        ("nothing but the robot", FakeWorld::new().robot(Pose2::ORIGIN, NONE)),
        ("crowd", team(balls(FakeWorld::f2000(), 20), 60)),
        ("in a wall", FakeWorld::new().wall([0.0, 0.0], [4.0, 4.0]).robot(at(0.1, 0.1, 3.0), 0)),
        (
            "all in one place",
            FakeWorld::f2000()
                .ball([1.0, 1.0], [0.0; 2])
                .robot(at(1.0, 1.0, 0.0), 0)
                .robot(at(1.0, 1.0, 0.0), 1),
        ),
        ("far away", balls(FakeWorld::f2000(), 1).robot(at(1e7, -1e7, -3.0), 1)),
        (
            "very fast",
            FakeWorld::f2000().ball([0.0, 0.0], [1e4, 1e4]).moving_robot(
                at(-1.0, 0.0, 0.0),
                Twist2::new(1e4, -1e4, 1e4),
                1,
            ),
        ),
    ]
}

/// Says where two readings part.
fn difference(place: &str, layout: &Layout, a: &[u32], b: &[u32]) -> String {
    let Some(index) = a.iter().zip(b).position(|(a, b)| a != b) else { return place.to_owned() };
    let feature = (0..layout.features.len()).find(|&feature| layout.range(feature).contains(&index));
    let name = feature.map_or("", |feature| &layout.features[feature].name);
    format!("{place}: integer {index} (feature \"{name}\") is {} and {}", a[index], b[index])
}
