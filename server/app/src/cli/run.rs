//! `touchline run`: a world as fast as possible, without ports, threads or frames.

use super::expect::{self, EventCounts, Verdict};
use super::options::RunOptions;
use super::places::Places;
use super::{Failure, PluginOptions, print, serve, shipped, signals, written};
use cpu_time::ProcessTime;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use touchline_host::Host;
use touchline_runtime::recorder::{self, Producer, Recording};
use touchline_sim::{EventKind, World};

/// What `--json` prints.
#[derive(Serialize)]
struct Summary {
    world: String,
    seed: u64,
    steps: u64,
    sim_seconds: f64,
    wall_seconds: f64,
    cpu_seconds: f64,
    real_time_factor: f64,
    score: BTreeMap<String, i64>,
    state_hash: String,
    /// Plugins that failed on the way; empty if all went well.
    faults: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expectations: Vec<Verdict>,
}

pub fn run(options: &RunOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let file = places.world(&options.world)?;
    let mut world = shipped::load_world(&file, options.seed, &host, &places.files())?;
    // A name that there is not is told of now, and not after hours.
    judge(options, &world, &EventCounts::default())?;
    let whole = (options.seconds / world.scenario().dt_secs).round();
    let steps = options.steps.unwrap_or(whole as u64);
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let mut recording = start_recording(options, &world, &host)?;
    // Without a recording there is nothing to bring to its end: a signal ends the program.
    let stop = recording.is_some().then(signals::stop_at_signal).transpose()?.unwrap_or_default();
    let producer = recording.as_mut().map(|(producer, _)| producer);
    let Played { made, faults, events } = play(&mut world, steps, &stop, producer);
    if let Some((producer, thread)) = recording {
        drop(producer);
        thread.finish()?;
    }
    if let Some(file) = options.record.as_ref().filter(|_| made < steps) {
        return Err(Failure::Interrupted(format!(
            "interrupted after {made} of {steps} steps; {} is whole up to there",
            file.display()
        )));
    }
    let (wall_seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    let expectations = judge(options, &world, &events)?;
    let all_met = expectations.iter().all(|verdict| verdict.met);
    let scenario = world.scenario();
    if let Some(file) = &options.junit {
        let text = expect::junit(&scenario.name, wall_seconds, &faults, &expectations);
        written::write(file, text)?;
    }
    let sim_seconds = steps as f64 * scenario.dt_secs;
    let teams = scenario.teams.iter().map(|team| team.name.clone());
    let summary = Summary {
        world: scenario.name.clone(),
        seed: scenario.seed,
        steps,
        sim_seconds,
        wall_seconds,
        cpu_seconds,
        real_time_factor: if wall_seconds > 0.0 { sim_seconds / wall_seconds } else { 0.0 },
        score: teams.zip(world.game().teams.iter().map(|team| team.score)).collect(),
        state_hash: format!("{:016x}", world.state_hash()),
        faults,
        expectations,
    };
    print(options.json, &summary, |out| write_text(&summary, out))?;
    if all_met { Ok(()) } else { Err(Failure::Check) }
}

fn judge(options: &RunOptions, world: &World, events: &EventCounts) -> Result<Vec<Verdict>, Failure> {
    if options.expect.is_empty() {
        return Ok(Vec::new());
    }
    let facts = expect::facts(world, events);
    let judged = options.expect.iter().map(|expectation| expectation.judge(&facts));
    judged.collect::<Result<_, _>>().map_err(Failure::Configuration)
}

/// The recorder, if it is wanted; the world waits for it when it must, and so loses nothing.
fn start_recording(
    options: &RunOptions,
    world: &World,
    host: &Host,
) -> Result<Option<(Producer, Recording)>, Failure> {
    let Some(file) = &options.record else { return Ok(None) };
    for choice in &options.record_sensors {
        choice.check(world).map_err(|why| Failure::Configuration(format!("--record-sensors {why}")))?;
    }
    let (producer, _, thread) = recorder::start(
        world,
        serve::header(world.scenario(), host),
        recorder::Options {
            file: Some(file.clone()),
            folder: PathBuf::new(),
            sensors: options.record_sensors.clone(),
            keeps_past: false,
            waits: true,
            syncs: options.record_sync,
            stream: None,
        },
    )?;
    Ok(Some((producer, thread)))
}

/// The bar is moved after so many steps.
const STEPS_SHOWN: u64 = 256;

struct Played {
    /// Steps.
    made: u64,
    /// In the order in which they came.
    faults: Vec<String>,
    /// How many of each kind came.
    events: EventCounts,
}

/// Makes the steps, until it is told to stop.
fn play(world: &mut World, steps: u64, stop: &AtomicBool, mut producer: Option<&mut Producer>) -> Played {
    let (mut faults, mut events, mut seen) = (Vec::new(), EventCounts::default(), 0);
    let progress = signals::progress(steps, "steps");
    let mut made = 0;
    while made < steps && !stop.load(Ordering::Relaxed) {
        if made % STEPS_SHOWN == 0 {
            progress.set_position(made);
        }
        let outcomes = world.step(&[]);
        made += 1;
        if let Some(producer) = &mut producer {
            producer.stepped(&[], &outcomes, world);
        }
        let newest = world.events().next_back().map_or(0, |event| event.number + 1);
        if newest == seen {
            continue;
        }
        for event in world.events().filter(|event| event.number >= seen) {
            events.add(&event.kind);
            if let EventKind::Fault { owner, plugin, message } = &event.kind {
                faults.push(format!("step {}: {owner}: {plugin}: {message}", event.step));
            }
        }
        seen = newest;
    }
    progress.finish_and_clear();
    Played { made, faults, events }
}

fn write_text(summary: &Summary, out: &mut impl Write) -> std::io::Result<()> {
    let score: Vec<_> = summary.score.iter().map(|(team, goals)| format!("{team} {goals}")).collect();
    writeln!(
        out,
        "{}: {} steps, {:.1} simulated seconds in {:.2} s ({:.0} times real time)",
        summary.world, summary.steps, summary.sim_seconds, summary.wall_seconds, summary.real_time_factor
    )?;
    writeln!(out, "score {}; seed {}; state {}", score.join(", "), summary.seed, summary.state_hash)?;
    for fault in &summary.faults {
        writeln!(out, "fault: {fault}")?;
    }
    for Verdict { expectation, left, right, met } in &summary.expectations {
        let word = if *met { "met" } else { "NOT met" };
        writeln!(out, "expected {expectation}: {word} ({left} against {right})")?;
    }
    Ok(())
}
