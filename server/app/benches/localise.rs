//! How soon and how well a robot finds out where it is: `worlds/localisation.toml` with its plugins, over many seeds. (L3)
//!
//! ```text
//! cargo build --release --workspace && cargo bench -p touchline --bench localise -- [SEEDS]
//! ```
//!
//! Each seed starts the seeker at a random place with a belief that knows nothing. It has converged when its estimate
//! has been within 0.3 m and 0.3 rad of the truth for a second; after 20 s the position errors are collected for 30 s; then it
//! is carried to another random place, and has recovered by the same rule. Counted is simulated time.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_host::Host;
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::noise::{Noise, NoiseKey};
use touchline_sim::{Action, Command, RobotFrame, World};

const SEEKER: &str = "seeker";

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let seeds: u64 = arguments.next_back().and_then(|text| text.parse().ok()).unwrap_or(100);
    let world = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/localisation.toml");
    let host = Arc::new(Host::scan(&[plugin_folder()]));
    let scenario = touchline_config::load_world(&world, host.as_ref()).unwrap_or_else(|report| {
        eprintln!("{report}");
        std::process::exit(3)
    });
    let (mut converged, mut recovered, mut errors_m) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 1..=seeds {
        let mut scenario = scenario.clone();
        scenario.seed = seed;
        let mut noise = NoiseKey::for_owner(seed, "bench/places").stream();
        let mut world = World::new(scenario, Arc::clone(&host) as _).unwrap_or_else(|error| {
            eprintln!("{error}");
            std::process::exit(3)
        });
        put_anywhere(&mut world, &mut noise);
        converged.extend(until_found(&mut world, 20.0, &mut errors_m, 30.0));
        put_anywhere(&mut world, &mut noise);
        recovered.extend(until_found(&mut world, 30.0, &mut Vec::new(), 0.0));
    }
    errors_m.sort_by(f64::total_cmp);
    let quantile =
        |part: f64| errors_m.get((part * errors_m.len() as f64) as usize).copied().unwrap_or(f64::NAN);
    println!("converged within 20 s: {} of {seeds}, {}", converged.len(), times(&mut converged));
    println!("position error after that: median {:.3} m, 90 % {:.3} m", quantile(0.5), quantile(0.9));
    println!(
        "recovered within 30 s of being carried: {} of {seeds}, {}",
        recovered.len(),
        times(&mut recovered)
    );
}

fn times(secs: &mut [f64]) -> String {
    secs.sort_by(f64::total_cmp);
    let at = |part: f64| secs.get((part * secs.len() as f64) as usize).copied().unwrap_or(f64::NAN);
    format!("median {:.1} s, 90 % {:.1} s", at(0.5), at(0.9))
}

/// Puts the seeker somewhere where there is room.
fn put_anywhere(world: &mut World, noise: &mut Noise) {
    loop {
        let frame = world.frame();
        let Some(seeker) = frame.robot_named(SEEKER) else { return };
        let pose = Pose2::new(noise.uniform(-4.5, 4.5), noise.uniform(-2.3, 2.3), noise.uniform(-3.1, 3.1));
        let action = Action::PlaceRobot(seeker.identity.number, pose);
        let outcome = world.apply(&[Command { client: 1, sequence: 0, action }]);
        if outcome.iter().all(|outcome| outcome.result.is_ok()) {
            return;
        }
    }
}

/// Runs until the estimate has been right for a second, gives the time when that began, and goes on to `within_secs`; then
/// collects position errors for some time, if it was found.
fn until_found(world: &mut World, within_secs: f64, errors_m: &mut Vec<f64>, more_secs: f64) -> Option<f64> {
    let dt_secs = world.scenario().dt_secs;
    let (mut right_since, mut found) = (None, None);
    for step in 0..(within_secs / dt_secs) as u32 {
        world.step(&[]);
        if step % 10 != 0 {
            continue;
        }
        let now = f64::from(step) * dt_secs;
        let right = error(world).is_some_and(|(off_m, off_rad)| off_m < 0.3 && off_rad < 0.3);
        right_since = if right { right_since.or(Some(now)) } else { None };
        if found.is_none() && right_since.is_some_and(|since| now - since >= 1.0) {
            found = right_since;
        }
    }
    if found.is_some() {
        for step in 0..(more_secs / dt_secs) as u32 {
            world.step(&[]);
            if step % 10 == 0 {
                errors_m.extend(error(world).map(|(off_m, _)| off_m));
            }
        }
    }
    found
}

/// How far the estimate is from the truth, metres and radians.
fn error(world: &World) -> Option<(f64, f64)> {
    let frame = world.frame();
    let seeker: &RobotFrame = frame.robot_named(SEEKER)?;
    let estimate: Value = serde_json::from_str(seeker.annotations.get("estimate")?).ok()?;
    let number = |index: usize| estimate["pose"][index].as_f64();
    let estimate = Pose2::new(number(0)?, number(1)?, number(2)?);
    let off_rad = wrap_angle(estimate.theta_rad - seeker.pose.theta_rad).abs();
    Some((estimate.distance_m(seeker.pose), off_rad))
}

/// The folder of this profile's libraries: the benchmark itself is in `deps` below it.
fn plugin_folder() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.parent().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned()
}
