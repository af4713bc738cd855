//! The contract of a motion model.

use super::contract::{Report, Violation, made, verdict};
use super::subject::MotionSubject;
use std::fmt::Display;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::instance::read_params;
use touchline_plugin_api::motion::{
    MAX_DIMENSIONS, MAX_MOTION_DATA, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::state::State;

/// Checks a motion model against the contract of [`Motion`], with these parameters (JSON).
///
/// # Panics
/// Names every rule that is broken.
#[track_caller]
pub fn check_motion<T: Motion>(params: &str) {
    verdict("motion", T::NAME, &motion_violations::<T>(params));
}

/// The same as [`check_motion`], as a list.
pub fn motion_violations<T: Motion>(params: &str) -> Vec<Violation> {
    let mut report = Report::default();
    let _ = check::<T>(&mut report, params);
    report.violations
}

fn check<T: Motion>(report: &mut Report, params: &str) -> Option<()> {
    let params = report.params::<T::Params>(T::NAME, T::SUMMARY, params)?;
    run(report, |setup| T::new(read_params(&params)?, setup))
}

/// The rules for what instances do, with steps of three lengths.
pub(super) fn run<S: MotionSubject, E: Display>(
    report: &mut Report,
    make: impl Fn(&MotionSetup) -> Result<S, E>,
) -> Option<()> {
    for dt_secs in [0.01, 0.001, 0.1] {
        let setup = setup(dt_secs);
        let models = made(report, || make(&setup))?;
        let description = check_description(report, &models)?;
        let states =
            [report.initial(|| models[0].initial_state())?, report.initial(|| models[1].initial_state())?];
        let first = report.same_beginning(&states)?;
        drive(report, &models, &description, first, dt_secs)?;
    }
    Some(())
}

/// What a motion model is told when it is made.
pub(super) fn setup(dt_secs: f64) -> MotionSetup {
    MotionSetup { robot: "blue-1".into(), dt_secs }
}

fn check_description<S: MotionSubject>(report: &mut Report, models: &[S; 2]) -> Option<MotionDescription> {
    let all = [&models[0], &models[0], &models[1]];
    let [description, again, other] =
        report.run("the description", || Ok::<_, String>(all.map(|model| model.description())))?;
    report.require("the description never changes", description == again && description == other, || {
        format!("{description:?}, then {again:?}, {other:?}")
    });
    let (dimensions, data) = (description.dimensions.len(), description.data.len());
    let fits = (1..=MAX_DIMENSIONS).contains(&dimensions) && data <= MAX_MOTION_DATA;
    let rule = format!("a command has 1 to {MAX_DIMENSIONS} numbers, motion data at most {MAX_MOTION_DATA}");
    report.require(&rule, fits, || format!("{dimensions} and {data}"));
    for (i, dimension) in description.dimensions.iter().enumerate() {
        let known = description.dimensions[..i].iter().any(|other| other.name == dimension.name);
        let named = !known && !dimension.name.is_empty() && !dimension.unit.is_empty();
        report.require("dimensions have names of their own, and a unit", named, || format!("{dimension:?}"));
        let ordered =
            dimension.min.is_finite() && dimension.max.is_finite() && dimension.min <= dimension.max;
        report.require("ranges are finite and in order", ordered, || format!("{dimension:?}"));
    }
    Some(description)
}

/// Drives a while: calmly, wildly, blocked, pushed. By turns in two instances and through saved states, the model must do
/// what one instance does with its state in memory.
fn drive<S: MotionSubject>(
    report: &mut Report,
    models: &[S; 2],
    description: &MotionDescription,
    initial: Vec<u8>,
    dt_secs: f64,
) -> Option<()> {
    let mut kept = report.run("loading the initial state", || S::State::load(&initial))?;
    let mut bytes = initial;
    let key = NoiseKey::for_owner(2, "contract");
    let mut last = MotionOutput::default();
    let mut data: Vec<f64> = description.data.iter().map(|datum| datum.initial).collect();
    for step in 0..300u64 {
        let mut draw = key.split(7).at_step(step).stream();
        let mut number = |min: f64, max: f64| match step % 25 {
            0 => 0.0,
            1 => 1e12,
            2 => -1e12,
            3 => f64::MAX,
            4 => f64::MIN_POSITIVE,
            5 => max,
            6 => min,
            // Half as much again as the range allows.
            _ => draw.uniform(1.25 * min - 0.25 * max, 1.25 * max - 0.25 * min),
        };
        let command: Vec<f64> =
            description.dimensions.iter().map(|dimension| number(dimension.min, dimension.max)).collect();
        let (achieved, twist) = match step / 60 {
            1 => (Twist2::ZERO, Twist2::ZERO),
            3 => (Twist2::new(-5.0, 5.0, 10.0), Twist2::new(-5.0, 5.0, 10.0)),
            _ => (last.twist, last.end_twist),
        };
        let input = MotionInput {
            dt_secs,
            command: &command,
            data: &data,
            achieved,
            twist,
            noise: key.at_step(step),
        };
        let place = format!("step {step} of {dt_secs} s, command {command:?}");
        let output = report.call(&place, || models[0].advance(&mut kept, &input))?;
        check_output(report, description, &place, &output);
        let mut loaded = report.run(&place, || S::State::load(&bytes))?;
        let other = report.call(&place, || models[step as usize % 2].advance(&mut loaded, &input))?;
        bytes = report.saved(&place, &loaded)?;
        let memory = report.saved(&place, &kept)?;
        report.require(
            "the state holds all that the next step depends on",
            memory == bytes && same_bits(&output, &other),
            || format!("{place}: a run through saved states parts from an uninterrupted one"),
        );
        let published = data.len();
        data.copy_from_slice(&output.data[..published]);
        last = output;
    }
    Some(())
}

fn check_output(report: &mut Report, description: &MotionDescription, place: &str, output: &MotionOutput) {
    let finite = output.twist.is_finite()
        && output.end_twist.is_finite()
        && output.data.iter().all(|number| number.is_finite());
    report.require("all output is finite", finite, || format!("{place}: {output:?}"));
    let rest = &output.data[description.data.len().min(MAX_MOTION_DATA)..];
    report.require("there are no more motion data than described", rest.iter().all(|&n| n == 0.0), || {
        format!("{place}: {:?}, described are {}", output.data, description.data.len())
    });
}

/// Equal to the bit, so that a NaN equals itself.
fn same_bits(a: &MotionOutput, b: &MotionOutput) -> bool {
    let bits = |output: &MotionOutput| {
        let MotionOutput { twist: t, end_twist: e, data } = *output;
        let head = [t.x_m_s, t.y_m_s, t.turn_rad_s, e.x_m_s, e.y_m_s, e.turn_rad_s];
        head.into_iter().chain(data).map(f64::to_bits).collect::<Vec<_>>()
    };
    bits(a) == bits(b)
}
