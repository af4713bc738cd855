//! What recording costs, how large a match is, how fast a tick of it is found, and what it costs to play it.
//!
//! `cargo bench -p touchline --bench record [simulated seconds] [rounds]`; build the plugins first:
//! `cargo build --release --workspace`.

use cpu_time::{ProcessTime, ThreadTime};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use touchline_gate::Speed;
use touchline_host::Host;
use touchline_record::{Header, Log};
use touchline_runtime::recorder::{self, Options};
use touchline_runtime::world_loop::{Replay, start_replay};
use touchline_sim::{PluginFactory, Scenario, World};

fn main() -> std::process::ExitCode {
    match measure() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<f64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let seconds = arguments.first().copied().unwrap_or(600.0);
    let rounds = arguments.get(1).copied().unwrap_or(7.0) as usize;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let host = Arc::new(Host::scan(&[plugin_folder()]));
    let scenario = touchline_config::load_world(&root.join("worlds/f2000.toml"), host.as_ref())
        .map_err(|report| format!("{report}\nbuild all first: cargo build --release --workspace"))?;
    let steps = (seconds / scenario.dt_secs).round() as u64;
    let folder = tempfile::tempdir()?;

    let file = |round: usize| folder.path().join(format!("{round}.mcap"));
    let (mut plain, mut recorded) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        plain.push(play(&scenario, &host, steps, None)?);
        recorded.push(play(&scenario, &host, steps, Some(file(round)))?);
    }
    let [wall, own, cpu] = [0, 1, 2].map(|which| {
        let pick = |times: &[[Duration; 3]]| median(times.iter().map(|times| times[which].as_secs_f64()));
        (pick(&plain), pick(&recorded))
    });
    println!("{seconds} s of worlds/f2000.toml, {rounds} rounds of each, medians");
    println!("wall: {:.3} s without, {:.3} s with a recording: {:.3} times", wall.0, wall.1, wall.1 / wall.0);
    println!("CPU, stepping: {:.3} s without, {:.3} s with: {:.3} times", own.0, own.1, own.1 / own.0);
    println!("CPU, all threads: {:.3} s without, {:.3} s with: {:.3} times", cpu.0, cpu.1, cpu.1 / cpu.0);
    let bytes = std::fs::metadata(file(0))?.len() as f64;
    println!("file: {:.2} MB, {:.1} kB a simulated second", bytes / 1e6, bytes / 1e3 / seconds);

    let begun = Instant::now();
    let log = Log::read(std::io::BufReader::new(std::fs::File::open(file(0))?))?;
    let read = begun.elapsed();
    let world = World::new(log.header.scenario.clone(), Arc::clone(&host) as _)?;
    let replay = Replay::new(log, world, |_| {});
    println!("replay: read in {read:.2?}, run again in {:.2?}", begun.elapsed() - read);
    // A fixed walk over the whole recording (Weyl's sequence): near and far, forwards and back.
    let mut seeks: Vec<Duration> = (0..200)
        .map(|index| {
            let tick = ((f64::from(index) * 0.618_034).fract() * replay.newest() as f64) as u64;
            let begun = Instant::now();
            std::hint::black_box(replay.frame_at(tick)).map(|_| begun.elapsed())
        })
        .collect::<Result<_, _>>()?;
    seeks.sort();
    println!("seek: median {:.2?}, slowest of {} {:.2?}", seeks[100], seeks.len(), seeks[199]);

    let replay = Arc::new(replay);
    let played = (0..rounds).map(|_| play_again(&replay, &host)).collect::<Result<Vec<_>, _>>()?;
    let played = median(played.iter().map(Duration::as_secs_f64));
    println!("played at full speed: CPU {played:.3} s, {:.3} times simulating", played / cpu.0);
    Ok(())
}

/// Of a recording that is shown at full speed, from its beginning to its end: processor time of all threads.
fn play_again(replay: &Arc<Replay>, host: &Arc<Host>) -> Result<Duration, Box<dyn std::error::Error>> {
    let begun = ProcessTime::now();
    let (runtime, running) = start_replay(Arc::clone(replay), Arc::clone(host) as _, Speed::Max, None)?;
    // It stands at its end.
    while !runtime.newest().status.paused {
        std::thread::sleep(Duration::from_millis(2));
    }
    running.stop();
    Ok(begun.elapsed())
}

/// Of a match: wall time, processor time of the thread that steps, and of all threads.
fn play(
    scenario: &Scenario,
    host: &Arc<Host>,
    steps: u64,
    file: Option<PathBuf>,
) -> Result<[Duration; 3], Box<dyn std::error::Error>> {
    let mut world = World::new(scenario.clone(), Arc::clone(host) as _)?;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let header = Header::new(scenario.clone(), &host.descriptions(), String::new());
    let options = Options { file, keeps_past: false, waits: true, ..Options::live(PathBuf::new()) };
    let mut recording = match options.file {
        Some(_) => Some(recorder::start(&world, header, options)?),
        None => None,
    };
    let own = ThreadTime::now();
    for _ in 0..steps {
        let outcomes = world.step(&[]);
        if let Some((producer, ..)) = &mut recording {
            producer.stepped(&[], &outcomes, &world);
        }
    }
    let own = own.elapsed();
    if let Some((producer, _, thread)) = recording {
        drop(producer);
        thread.finish()?;
    }
    Ok([wall.elapsed(), own, cpu.elapsed()])
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Where the plugins lie that were built with this bench.
fn plugin_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.ancestors().nth(2).map(Path::to_owned).unwrap_or_default()
}
