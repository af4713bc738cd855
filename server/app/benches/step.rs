//! What a step of a whole match costs, against the bare physics over the same bodies in the same run.
//!
//! ```text
//! cargo build --release --workspace && cargo bench -p touchline --bench step -- [WORLD] [SECONDS]
//! ```
//!
//! The match and the bare physics take turns: a hundred steps of the match, then a hundred steps of a copy of its
//! bodies as they were at the beginning, whose robots keep their velocities. So both meet the same scenes. Counted is
//! processor time of the thread, which other work on the machine disturbs least.

use cpu_time::ThreadTime;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use touchline_host::Host;
use touchline_sim::World;

const TURN: u32 = 100;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let world = arguments.first().map_or_else(|| root.join("worlds/f2000.toml"), PathBuf::from);
    let seconds: f64 = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(600.0);

    let host = Arc::new(Host::scan(&[plugin_folder()]));
    let scenario = touchline_config::load_world(&world, host.as_ref()).unwrap_or_else(|report| {
        eprintln!("{report}");
        std::process::exit(3)
    });
    let turns = (seconds / scenario.dt_secs) as u32 / TURN;
    let mut world = World::new(scenario, host).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(3)
    });

    let (mut whole, mut bare, mut library) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..turns {
        for (library_settings, times) in [(false, &mut bare), (true, &mut library)] {
            let mut physics = world.bare_physics(library_settings);
            // A copy begins without work space, and allocates it once.
            physics.step();
            times.push(timed(|| physics.step()));
        }
        whole.push(timed(|| {
            world.step(&[]);
        }));
    }
    println!(
        "{turns} turns of {TURN} steps, score {:?}; microseconds a step",
        world.game().teams.iter().map(|team| team.score).collect::<Vec<_>>()
    );
    let [whole, bare, library] = [whole, bare, library].map(summary);
    for (name, pick) in [("mean", 0), ("median", 1)] {
        let (step, bare, library) = (whole[pick], bare[pick], library[pick]);
        println!(
            "{name:6}  step {step:6.2}   bare physics, same settings {bare:6.2}, ratio {:.2}   \
             library's settings {library:6.2}, ratio {:.2}",
            step / bare,
            step / library
        );
    }
}

/// Mean and median, microseconds a step.
fn summary(mut turns: Vec<Duration>) -> [f64; 2] {
    turns.sort_unstable();
    let micros = |duration: Duration| duration.as_secs_f64() / f64::from(TURN) * 1e6;
    let mean = turns.iter().sum::<Duration>() / turns.len().max(1) as u32;
    [micros(mean), turns.get(turns.len() / 2).copied().map_or(0.0, micros)]
}

fn timed(mut step: impl FnMut()) -> Duration {
    let start = ThreadTime::now();
    for _ in 0..TURN {
        step();
    }
    start.elapsed()
}

/// The folder of this profile's libraries: the benchmark itself is in `deps` below it.
fn plugin_folder() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.parent().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned()
}
