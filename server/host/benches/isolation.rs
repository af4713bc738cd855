//! What a call of an isolated plugin costs: one step of a motion model that does next to nothing, here and in a process of its own, one step behind
//! the other and with pauses as in real time.
//!
//! Run by `cargo bench -p touchline-host --bench isolation`, after `cargo build --release --workspace`.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use touchline_host::{Host, Isolation, Jail, Limits, Which, run_if_asked};
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::instance::MotionInstance;
use touchline_plugin_api::motion::{MotionInput, MotionSetup};
use touchline_plugin_api::noise::NoiseKey;
use touchline_sim::PluginFactory;
use touchline_sim::scenario::PluginChoice;

fn main() -> ExitCode {
    if let Some(code) = run_if_asked() {
        return code;
    }
    match compare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn compare() -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = program.parent().and_then(Path::parent).map(PathBuf::from).ok_or("no folder")?;
    let jail = Jail::of_this_program(Limits::default());
    let host = Host::scan_tried(&[folder], Isolation { jail, which: Which::Asked, ours: Vec::new() });
    let setup = MotionSetup { robot: "r".into(), dt_secs: 0.01 };
    let make = |isolate| {
        let choice = PluginChoice { isolate, ..PluginChoice::new("misbehave", serde_json::json!({})) };
        host.motion(&choice, &setup).map_err(|error| error.to_string())
    };
    let (here, apart) = (make(false)?, make(true)?);
    println!("microseconds for a call: median, 99 of 100, mean");
    for (what, calls, pause) in [("one behind the other", 50_000, 0), ("every 10 ms", 500, 10)] {
        let pause = Duration::from_millis(pause);
        let (here, apart) = (times(&*here, calls, pause)?, times(&*apart, calls, pause)?);
        println!("{what}: here {}; isolated {}", shown(&here), shown(&apart));
    }
    Ok(())
}

/// How long each call took, microseconds, in order.
fn times(instance: &dyn MotionInstance, calls: usize, pause: Duration) -> Result<Vec<f64>, String> {
    let mut state = instance.initial_state().map_err(|fault| fault.to_string())?;
    let input = MotionInput {
        dt_secs: 0.01,
        command: &[0.5],
        data: &[0.0],
        achieved: Twist2::ZERO,
        twist: Twist2::ZERO,
        noise: NoiseKey::default(),
    };
    let mut took = Vec::with_capacity(calls);
    for _ in 0..calls {
        if !pause.is_zero() {
            std::thread::sleep(pause);
        }
        let begun = Instant::now();
        let output = instance.advance(&mut state, black_box(&input)).map_err(|fault| fault.to_string())?;
        took.push(begun.elapsed().as_secs_f64() * 1e6);
        black_box(output);
    }
    took.sort_by(f64::total_cmp);
    Ok(took)
}

fn shown(times: &[f64]) -> String {
    let at = |share: f64| times[(share * (times.len() - 1) as f64) as usize];
    format!("{:.2}, {:.2}, {:.2}", at(0.5), at(0.99), times.iter().sum::<f64>() / times.len() as f64)
}
