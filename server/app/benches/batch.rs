//! What an environment step of a batch costs, against the bare physics steps that it makes, in the same run.
//!
//! ```text
//! cargo build --release --workspace && cargo bench -p touchline --bench batch -- [WORLD] [ENVIRONMENTS]...
//! ```
//!
//! One thread. Decisions are drawn at random. Now and then the bodies of all worlds are copied as they are, and the copies make as
//! many steps of bare physics as one decision does; so both meet the same scenes and the same caches. Counted is processor time.

use cpu_time::{ProcessTime, ThreadTime};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use touchline_batch::{Arrays, Autoreset, Batch, Options};
use touchline_host::Host;
use touchline_plugin_api::noise::NoiseKey;
use touchline_sim::Scenario;

/// About so many environment steps are timed at each size.
const STEPS: usize = 60_000;
/// So often the bare physics is measured beside it.
const ROUNDS: usize = 12;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let world = arguments.first().map_or_else(|| root.join("worlds/goalkeeper.toml"), PathBuf::from);
    let sizes: Vec<usize> = arguments.iter().skip(1).filter_map(|text| text.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![1, 32, 1024] } else { sizes };
    let host = Arc::new(Host::scan(&[plugin_folder()]));
    let scenario = touchline_config::load_world(&world, host.as_ref()).unwrap_or_else(|report| {
        eprintln!("{report}");
        std::process::exit(3)
    });
    for size in sizes {
        one_thread(&scenario, &host, size);
    }
    for size in [2, 8, 32, 1024] {
        two_threads(&scenario, &host, size);
    }
}

/// A batch with its arrays.
struct Run {
    batch: Batch,
    arrays: Arrays,
    actions: Vec<f32>,
    ended: usize,
}

impl Run {
    fn new(scenario: &Scenario, host: &Arc<Host>, environments: usize, threads: usize) -> Self {
        let options = Options { environments, threads, autoreset: Autoreset::SameStep, ..Options::default() };
        let host = Arc::clone(host);
        let batch = Batch::new(scenario.clone(), host, options).unwrap_or_else(|error| {
            eprintln!("{error}");
            std::process::exit(3)
        });
        let layout = batch.layout();
        let agents = environments * layout.agents.len();
        let mut run = Self {
            arrays: Arrays::of(&batch),
            actions: vec![0.0; agents * layout.actions.len()],
            ended: 0,
            batch,
        };
        run.batch.reset(1, &mut run.arrays.outputs()).expect("the arrays fit");
        run
    }

    fn step(&mut self, number: u64) {
        let mut noise = NoiseKey::for_owner(number, "bench").stream();
        self.actions.iter_mut().for_each(|value| *value = noise.uniform(-1.0, 1.0) as f32);
        let ended = self.batch.step(&self.actions, &mut self.arrays.outputs()).expect("the arrays fit");
        self.ended += ended.len();
    }

    fn bare(&self) -> Duration {
        let mut copies: Vec<_> = (0..self.batch.len())
            .filter_map(|environment| self.batch.world(environment).ok())
            .map(|world| world.bare_physics(true))
            .collect();
        // A copy begins without work space, and allocates it once.
        copies.iter_mut().for_each(|copy| copy.step());
        let start = ThreadTime::now();
        for copy in &mut copies {
            for _ in 0..self.batch.layout().decision_steps {
                copy.step();
            }
        }
        start.elapsed()
    }
}

fn one_thread(scenario: &Scenario, host: &Arc<Host>, size: usize) {
    let before = resident_kb();
    let mut run = Run::new(scenario, host, size, 1);
    let a_round = (STEPS / ROUNDS / size).max(1) as u64;
    let (mut whole, mut bare, mut bares) = (Duration::ZERO, Duration::ZERO, 0);
    for round in 0..ROUNDS as u64 {
        // Few worlds are measured more often: otherwise a handful of scenes would decide.
        let times = (256 / size).max(1);
        for part in 0..times as u64 {
            bare += run.bare();
            bares += size;
            let start = ThreadTime::now();
            for step in 0..(a_round / times as u64).max(1) {
                run.step((round << 32) + (part << 16) + step);
            }
            whole += start.elapsed();
        }
    }
    let steps =
        (ROUNDS * (256 / size).max(1) * size) as f64 * (a_round / (256 / size).max(1) as u64).max(1) as f64;
    let (step, bare) = (whole.as_secs_f64() / steps, bare.as_secs_f64() / bares as f64);
    println!(
        "{size:5} worlds: {:8.0} environment steps a CPU-second, {:6.2} us each; bare physics {:6.2} us, ratio {:.2}; {} episodes; {} kB a world",
        1.0 / step,
        step * 1e6,
        bare * 1e6,
        step / bare,
        run.ended,
        (resident_kb() - before).max(0) / size as i64
    );
}

/// What a second core gives: wall time of the same work, both in turns; the median of the rounds, and the middle half of them.
fn two_threads(scenario: &Scenario, host: &Arc<Host>, size: usize) {
    let steps_of_a_round = (10 * 1024 / size) as u64;
    let mut runs = [1, 2].map(|threads| Run::new(scenario, host, size, threads));
    let (mut faster, mut dearer) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS as u64 * 2 {
        let mut times = [(0.0, 0.0); 2];
        for (run, time) in runs.iter_mut().zip(&mut times) {
            let (start, process) = (Instant::now(), ProcessTime::now());
            for step in 0..steps_of_a_round {
                run.step((round << 32) + step);
            }
            *time = (start.elapsed().as_secs_f64(), process.elapsed().as_secs_f64());
        }
        faster.push(times[0].0 / times[1].0);
        dearer.push(times[1].1 / times[0].1);
    }
    faster.sort_by(f64::total_cmp);
    dearer.sort_by(f64::total_cmp);
    let quarter = faster.len() / 4;
    println!(
        "{size:5} worlds on two threads: {:.2} times as fast as on one by the wall clock ({:.2} to {:.2}; processor time {:.2} times)",
        faster[2 * quarter],
        faster[quarter],
        faster[3 * quarter],
        dearer[2 * quarter]
    );
}

/// The memory of this process, kilobytes; 0 where the system does not say.
fn resident_kb() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The folder of this profile's libraries: the benchmark itself is in `deps` below it.
fn plugin_folder() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.parent().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned()
}
