//! What the plugin border costs: one cycle of a motion model with 48 bytes of state, in process and over the border.
//!
//! Run by `cargo bench -p touchline-host`; the last line gives the difference and the ratio.

#![allow(unsafe_code)]

use bytemuck::{Pod, Zeroable};
use criterion::Criterion;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use touchline_host::Host;
use touchline_plugin_api::abi::{MotionDoor, PluginCrate, Table};
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::instance::{InProcess, MotionInstance};
use touchline_plugin_api::motion::{
    MAX_MOTION_DATA, Motion, MotionDatum, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_sim::PluginFactory;
use touchline_sim::scenario::PluginChoice;

/// Approaches its command, with no more arithmetic than that.
struct Lag;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Speeds([f64; 6]);

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct NoParams {}

impl Motion for Lag {
    const NAME: &'static str = "lag";
    const SUMMARY: &'static str = "Approaches its command.";
    type Params = NoParams;
    type State = Speeds;

    fn new(_: NoParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        let datum = |name: &str| MotionDatum::new(name, "1");
        MotionDescription { data: vec![datum("left"), datum("right")], ..MotionDescription::default() }
    }
    fn initial_state(&self) -> Speeds {
        Speeds([0.0; 6])
    }
    fn advance(&self, state: &mut Speeds, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        for (speed, command) in state.0.iter_mut().zip(input.command) {
            *speed += (command - *speed) * input.dt_secs;
        }
        let [x, y, turn, ..] = state.0;
        let mut data = [0.0; MAX_MOTION_DATA];
        data[..2].copy_from_slice(&[x - turn, x + turn]);
        Ok(MotionOutput { data, ..MotionOutput::steady(Twist2::new(x, y, turn)) })
    }
}

struct ThisCrate;
impl PluginCrate for ThisCrate {
    const VERSION: &'static str = "0.0.0";
    const UNWINDS: bool = true;
}

static TABLE: Table = MotionDoor::<Lag, ThisCrate>::TABLE;

fn cycle(instance: &dyn MotionInstance, state: &mut Vec<u8>) -> MotionOutput {
    let command = black_box([1.0, 0.5, -0.2]);
    let input = MotionInput {
        dt_secs: 0.01,
        command: &command,
        data: &[0.0; 2],
        achieved: Twist2::ZERO,
        twist: Twist2::default(),
        noise: NoiseKey::default(),
    };
    instance.advance(state, &input).unwrap_or_default()
}

/// Nanoseconds for a cycle: the quickest of many rounds.
fn quickest_ns(instance: &dyn MotionInstance) -> f64 {
    const CYCLES: u32 = 10_000;
    let mut state = instance.initial_state().unwrap_or_default();
    let round = |_| {
        let start = Instant::now();
        for _ in 0..CYCLES {
            black_box(cycle(instance, &mut state));
        }
        start.elapsed().as_nanos() as f64 / f64::from(CYCLES)
    };
    (0..300).map(round).fold(f64::INFINITY, f64::min)
}

fn main() {
    let setup = MotionSetup { robot: "r".into(), dt_secs: 0.01 };
    let choice = PluginChoice::new("lag", serde_json::json!({}));
    let mut host = Host::default();
    // SAFETY: the table is a door's own.
    unsafe { host.add_linked(Path::new("benches/border.rs"), &TABLE) };
    let made = InProcess::<Lag, MotionDescription>::motion(&choice.params, &setup);
    let (Ok(inside), Ok(outside)) = (made, host.motion(&choice, &setup)) else {
        eprintln!("the plugin cannot be made");
        std::process::exit(1);
    };
    let mut criterion = Criterion::default().configure_from_args();
    for (name, instance) in [("in process", &inside as &dyn MotionInstance), ("over the border", &*outside)] {
        let mut state = instance.initial_state().unwrap_or_default();
        criterion.bench_function(&format!("motion/{name}"), |bencher| {
            bencher.iter(|| cycle(instance, &mut state));
        });
    }
    criterion.final_summary();
    let (inside_ns, outside_ns) = (quickest_ns(&inside), quickest_ns(&*outside));
    println!(
        "a cycle: {inside_ns:.1} ns in process, {outside_ns:.1} ns over the border: {:.1} ns more, ratio {:.2}",
        outside_ns - inside_ns,
        outside_ns / inside_ns
    );
}
