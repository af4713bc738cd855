//! `touchline run`: a world as fast as possible, without ports, threads or frames.

use super::options::RunOptions;
use super::{Failure, PluginOptions, print, serve, shipped};
use cpu_time::ProcessTime;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use touchline_host::Host;
use touchline_runtime::recorder::{self, Feed, Recording};
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
}

pub fn run(options: &RunOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let mut world = shipped::load_world(&options.world, options.seed, &host)?;
    let whole = (options.seconds / world.scenario().dt_secs).round();
    let steps = options.steps.unwrap_or(whole as u64);
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let mut recording = start_recording(options, &world, &host)?;
    let faults = play(&mut world, steps, recording.as_mut().map(|(feed, _)| feed));
    if let Some((feed, thread)) = recording {
        drop(feed);
        thread.finish()?;
    }
    let (wall_seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    let scenario = world.scenario();
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
    };
    print(options.json, &summary, |out| write_text(&summary, out))
}

/// The recorder, if it is wanted; the world waits for it when it must, and so loses nothing.
fn start_recording(
    options: &RunOptions,
    world: &World,
    host: &Host,
) -> Result<Option<(Feed, Recording)>, Failure> {
    let Some(file) = &options.record else { return Ok(None) };
    let (feed, _, thread) = recorder::start(
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
    Ok(Some((feed, thread)))
}

/// Makes the steps; gives the faults in the order in which they came.
fn play(world: &mut World, steps: u64, mut feed: Option<&mut Feed>) -> Vec<String> {
    let (mut faults, mut seen) = (Vec::new(), 0);
    for _ in 0..steps {
        let outcomes = world.step(&[]);
        if let Some(feed) = &mut feed {
            feed.stepped(&[], &outcomes, world);
        }
        let newest = world.events().next_back().map_or(0, |event| event.number + 1);
        if newest == seen {
            continue;
        }
        for event in world.events().filter(|event| event.number >= seen) {
            if let EventKind::Fault { owner, plugin, message } = &event.kind {
                faults.push(format!("step {}: {owner}: {plugin}: {message}", event.step));
            }
        }
        seen = newest;
    }
    faults
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
    Ok(())
}
