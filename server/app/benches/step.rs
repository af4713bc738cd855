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

    let (mut whole, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        let mut physics = world.bare_physics();
        // A copy begins without work space, and allocates it once.
        physics.step();
        bare.push(timed(|| physics.step()));
        whole.push(timed(|| {
            world.step(&[]);
        }));
    }
    let micros = |times: &[Duration]| {
        times.iter().map(Duration::as_secs_f64).sum::<f64>() / f64::from(turns * TURN) * 1e6
    };
    let median = |times: &mut [Duration]| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() / f64::from(TURN) * 1e6
    };
    println!("{} turns of {TURN} steps, score {:?}", turns, world.game().score);
    println!("mean    step {:7.2} us   bare physics {:7.2} us   ratio {:.2}", micros(&whole), micros(&bare), micros(&whole) / micros(&bare));
    let (whole, bare) = (median(&mut whole), median(&mut bare));
    println!("median  step {whole:7.2} us   bare physics {bare:7.2} us   ratio {:.2}", whole / bare);
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
