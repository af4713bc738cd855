//! The contract of a plugin whose type nobody knows: a built library, in any language, as who loaded it makes instances of it.

use super::contract::{Report, Violation, made};
use super::robot::FakeRobot;
use super::seat::{Seat, Team};
use super::subject::{MotionSubject, Untyped};
use super::{motion, player, referee, sensor};
use serde_json::Value;
use std::sync::Arc;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, RefereeInstance, SensorInstance};
use touchline_plugin_api::motion::{MotionInput, MotionOutput, MotionSetup};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind, SetupError};
use touchline_plugin_api::referee::RefereeSetup;
use touchline_plugin_api::sensor::SensorSetup;

/// Why there is no instance.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotMade {
    /// The plugin does not take the parameters, or the setup.
    #[error("refused: {0}; give others with --params")]
    Setup(SetupError),
    /// It failed, or what it says of itself makes no sense.
    #[error("{0}")]
    Failed(String),
}

type Made<I> = Result<Arc<I>, NotMade>;

/// Makes instances of one plugin.
#[allow(missing_docs)]
pub trait Maker {
    fn motion(&self, params: &Value, setup: &MotionSetup) -> Made<dyn MotionInstance>;
    fn sensor(&self, params: &Value, setup: &SensorSetup) -> Made<dyn SensorInstance>;
    fn player(&self, params: &Value, setup: &PlayerSetup) -> Made<dyn PlayerInstance>;
    fn referee(&self, params: &Value, setup: &RefereeSetup) -> Made<dyn RefereeInstance>;
}

/// What came of a plugin's contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The rules that it breaks.
    pub violations: Vec<Violation>,
    /// What it was seen to do, for people to hold against what they expect.
    pub seen: Vec<String>,
}

/// Runs a plugin through the contract of its kind, with these parameters (JSON).
pub fn library_verdict(plugin: &PluginDescription, params: &str, maker: &impl Maker) -> Verdict {
    let (mut report, mut seen) = (Report::default(), Vec::new());
    report.description(&plugin.name, &plugin.summary, &plugin.params_schema);
    let _ = check(&mut report, &mut seen, plugin.kind, params, maker);
    Verdict { violations: report.violations, seen }
}

fn check(
    report: &mut Report,
    seen: &mut Vec<String>,
    kind: PluginKind,
    params: &str,
    maker: &impl Maker,
) -> Option<()> {
    let params = report.object(params)?;
    let robot = FakeRobot::new();
    let mut seat = Seat::Robot(&robot);
    // What the plugin says of parameters is told as such, and not as an error of a call.
    let taken = match kind {
        PluginKind::Motion => maker.motion(&params, &motion::setup(0.01)).err(),
        PluginKind::Sensor => maker.sensor(&params, &sensor::sensor_setup()).err(),
        PluginKind::Player => maker.player(&params, &seat.setup()).err().filter(|_| {
            // Who takes no robot may belong to a team.
            let team = Seat::Team(Team::boxed());
            let is_taken = maker.player(&params, &team.setup()).is_ok();
            seat = if is_taken { team } else { Seat::Robot(&robot) };
            !is_taken
        }),
        PluginKind::Referee => maker.referee(&params, &referee::setup()).err(),
    };
    if let Some(error) = taken {
        report.require("the parameters are taken, and make a sound instance", false, || error.to_string());
        return None;
    }
    match kind {
        PluginKind::Motion => {
            let make = |params: &Value, setup: &MotionSetup| maker.motion(params, setup).map(Untyped);
            refuses_unknown(report, &params, |params| make(params, &motion::setup(0.01)));
            motion::run(report, |setup| make(&params, setup))?;
            let model = report.run("making an instance", || make(&params, &motion::setup(0.01)))?;
            seen.extend(drives(report, &model)?);
        }
        PluginKind::Sensor => {
            let make = |params: &Value, setup: &SensorSetup| maker.sensor(params, setup).map(Untyped);
            refuses_unknown(report, &params, |params| make(params, &sensor::sensor_setup()));
            let readings = sensor::run(report, |setup| make(&params, setup))?;
            seen.push(readings);
        }
        PluginKind::Player => {
            let make = |params: &Value| maker.player(params, &seat.setup());
            refuses_unknown(report, &params, make);
            let players = made(report, || make(&params))?;
            let [first, second] = players.each_ref().map(|player| player.wanted_sensors());
            report.require("the wanted features never change", first == second, || {
                format!("sensors {first:?}, then {second:?}")
            });
            let wants_sensors = matches!(seat, Seat::Team(_)) && !first.is_empty();
            report.require("a player of a team wants no sensors", !wants_sensors, || format!("{first:?}"));
            seen.push(player::drive(report, &players.map(Untyped), &seat)?);
        }
        PluginKind::Referee => {
            let make = |params: &Value, setup: &RefereeSetup| maker.referee(params, setup).map(Untyped);
            refuses_unknown(report, &params, |params| make(params, &referee::setup()));
            seen.push(referee::run(report, |setup| make(&params, setup))?);
        }
    }
    Some(())
}

fn refuses_unknown<T>(report: &mut Report, params: &Value, make: impl FnOnce(&Value) -> Result<T, NotMade>) {
    report.refuses_unknown(params, |params| match make(params) {
        Ok(_) => Err("refuse what the schema does not name (Rust: #[serde(deny_unknown_fields)])".into()),
        Err(NotMade::Setup(error)) => Ok(error),
        Err(NotMade::Failed(message)) => Err(format!("but not as a parameter is refused: {message}")),
    });
}

const STEPS: u64 = 100;

/// Where a robot that does all that its model wants stands after a second: for each number of the command alone, then for all.
fn drives(report: &mut Report, model: &Untyped<dyn MotionInstance>) -> Option<Vec<String>> {
    let description = model.description();
    let half: Vec<f64> = description
        .dimensions
        .iter()
        .map(|dimension| if dimension.max > 0.0 { dimension.max / 2.0 } else { dimension.min / 2.0 })
        .collect();
    let alone =
        (0..half.len()).map(|i| (0..half.len()).map(|j| if i == j { half[j] } else { 0.0 }).collect());
    let mut commands: Vec<Vec<f64>> = alone.collect();
    if half.len() > 1 {
        commands.push(half);
    }
    let drive = |command: Vec<f64>| {
        let pose = stands(report, model, &command)?;
        let words = description.dimensions.iter().zip(&command).filter(|(_, value)| **value != 0.0);
        let words: Vec<_> = words.map(|(d, value)| format!("{} {value:.3} {}", d.name, d.unit)).collect();
        let words = if words.is_empty() { "nothing".into() } else { words.join(", ") };
        let Pose2 { x_m, y_m, theta_rad } = pose;
        Some(format!(
            "{STEPS} steps of 0.01 s from rest, commanded {words}: at x {x_m:.4} m, y {y_m:.4} m, theta {theta_rad:.4} rad"
        ))
    };
    commands.into_iter().map(drive).collect()
}

fn stands(report: &mut Report, model: &Untyped<dyn MotionInstance>, command: &[f64]) -> Option<Pose2> {
    let dt_secs = 0.01;
    let description = model.description();
    let mut state = report.initial(|| model.initial_state())?;
    let mut data: Vec<f64> = description.data.iter().map(|datum| datum.initial).collect();
    let mut last = MotionOutput::default();
    let mut pose = Pose2::ORIGIN;
    for step in 0..STEPS {
        let noise = NoiseKey::for_owner(2, "contract").at_step(step);
        let (achieved, twist) = (last.twist, last.end_twist);
        let input = MotionInput { dt_secs, command, data: &data, achieved, twist, noise };
        let place = format!("step {step}, command {command:?}");
        last = report.call(&place, || model.advance(&mut state, &input))?;
        pose = pose.advanced(last.twist, dt_secs);
        let published = data.len();
        data.copy_from_slice(&last.data[..published]);
    }
    Some(pose)
}
