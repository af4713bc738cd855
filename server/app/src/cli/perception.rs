//! `touchline train perception`: what a robot sees from every pose of a grid, as a table. (L1, L2, Y4)
//!
//! The robot is not driven round: a sensor is a pure reading of a Frame, so it is read in Frames in which the robot
//! stands elsewhere, by as many threads as there are cores.

use super::train_options::TrainPerceptionOptions;
use super::{Failure, print, shipped};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use touchline_plugin_api::container::Reading;
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::localisation::perception::Eyes;
use touchline_plugin_api::localisation::table::{Grid, Learner, PerceptionTable, TableError, digest};
use touchline_plugin_api::localisation::{Area, Seen};
use touchline_plugin_api::plugin::Fault;
use touchline_sim::{Frame, RobotFrame, Scenario};

/// Parts of the work: so many however many cores there are, so that the table is the same on every machine.
const PARTS: usize = 64;

pub fn perception(options: &TrainPerceptionOptions, plugins: &[PathBuf]) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let scenario = shipped::load_scenario(&options.world, options.seed, &host)?;
    let scenario = alone(scenario, options.robot.as_deref())?;
    let digest = digest(&serde_json::to_vec(&scenario).unwrap_or_default());
    let area = area(&scenario);
    let world = shipped::new_world(&options.world, scenario, &host)?;
    let frame = world.frame();
    let eyes = eyes(&frame, &options.features)?;
    let grid = Grid { area, cell_m: options.cell, headings: options.headings };

    let start = Instant::now();
    let table = learn(&frame, &eyes, grid, options.looks, digest)?;
    let wall_secs = start.elapsed().as_secs_f64();
    if table.is_blank() {
        let features = options.features.join(", ");
        let hint = "take a world with such landmarks, or features that the robot sees there";
        let message =
            format!("nothing was seen of {features} from any of {} poses\n  hint     {hint}", grid.len());
        return Err(Failure::Configuration(message));
    }
    let bytes = table.to_bytes();
    if let Some(out) = &options.out {
        std::fs::write(out, &bytes)
            .map_err(|error| Failure::Resource(format!("{}: cannot be written: {error}", out.display())))?;
    }
    let (poses, digest) = (grid.len(), format!("{digest:016x}"));
    let features: Vec<&str> = table.features().iter().map(|feature| feature.name.as_str()).collect();
    let result = json!({
        "poses": poses, "features": features, "looks": options.looks, "bytes": bytes.len(),
        "digest": digest, "wall_seconds": wall_secs, "out": options.out,
    });
    print(options.json, &result, |out| {
        writeln!(out, "{poses} poses, {} looks at each: {}", options.looks, features.join(", "))?;
        writeln!(out, "{} bytes, digest {digest}, {wall_secs:.1} s", bytes.len())
    })
}

/// The world with this robot, or its first, and nothing else that moves.
fn alone(mut scenario: Scenario, robot: Option<&str>) -> Result<Scenario, Failure> {
    let names: Vec<String> = scenario.robots.iter().map(|robot| robot.name.clone()).collect();
    let known = names.join(", ");
    let name = match robot {
        Some(name) => name.to_owned(),
        None => names.first().cloned().unwrap_or_default(),
    };
    scenario.robots.retain(|robot| robot.name == name);
    if scenario.robots.is_empty() {
        return Err(Failure::Configuration(match known.as_str() {
            "" => "this world has no robot\n  hint     take a world with the robot that shall look".into(),
            _ => format!("no robot \"{name}\" in this world\n  allowed  {known}\n  hint     --robot NAME"),
        }));
    }
    scenario.balls.clear();
    scenario.referee = None;
    scenario.robots.iter_mut().for_each(|robot| robot.player = None);
    Ok(scenario)
}

/// From fixture to fixture.
fn area(scenario: &Scenario) -> Area {
    let mut area = Area { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };
    for fixture in &scenario.fixtures {
        let pose = fixture.primitive.pose;
        for (axis, at) in [pose.x_m, pose.y_m].into_iter().enumerate() {
            area.low[axis] = area.low[axis].min(at);
            area.high[axis] = area.high[axis].max(at);
        }
    }
    if area.low[0] < area.high[0] && area.low[1] < area.high[1] {
        area
    } else {
        Area { low: [-5.0; 2], high: [5.0; 2] }
    }
}

/// Where the features are read that are to be learned.
fn eyes(frame: &Frame, names: &[String]) -> Result<Eyes, Failure> {
    let robot = frame.robots.first();
    let robot = robot.ok_or_else(|| Failure::Configuration("the world has no robot".into()))?;
    let catalogue = &robot.identity.description.sensors;
    let hint = "docs/localisation.md lists what can be learned; give some of it: --features goals,posts";
    Eyes::new(catalogue, names).map_err(|error| Failure::Configuration(format!("{error}\n  hint     {hint}")))
}

/// What is seen, one entry for each slot of all features.
fn look(
    eyes: &Eyes,
    frame: &Frame,
    robot: &RobotFrame,
    counts: &mut Vec<u32>,
    mut seen: &mut [Option<Seen>],
) -> Result<(), Fault> {
    let catalogue = &robot.identity.description.sensors;
    let mut last = None;
    for (number, (handle, feature)) in eyes.handles().zip(eyes.features()).enumerate() {
        // Features of one sensor that stand side by side are read together.
        if last.replace(handle.sensor) != Some(handle.sensor) {
            frame.read_sensor(robot, handle.sensor, counts)?;
        }
        let range = catalogue.sensor(handle).layout.range(handle.feature);
        let reading = Reading {
            feature: catalogue.feature(handle),
            counts: counts.get(range).unwrap_or(&[]),
            stamp_secs: 0.0,
        };
        let (own, others) = seen.split_at_mut(feature.slots);
        eyes.look_at(number, &reading, own).map_err(|error| Fault::new(error.to_string()))?;
        seen = others;
    }
    Ok(())
}

fn learn(
    frame: &Frame,
    eyes: &Eyes,
    grid: Grid,
    looks: u32,
    digest: u64,
) -> Result<PerceptionTable, Failure> {
    let table_error = |error: TableError| Failure::Configuration(error.to_string());
    let cells = grid.len();
    let range = |part: usize| part * cells / PARTS..(part + 1) * cells / PARTS;
    let next = AtomicUsize::new(0);
    // Each thread takes the next part that nobody has begun.
    let work = || {
        let mut done = Vec::new();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= PARTS {
                return Ok(done);
            }
            done.push((part, learn_part(frame, eyes, grid, range(part), looks)?));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<Result<Vec<(usize, Learner)>, Failure>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let stopped = || Err(Failure::Resource("a thread that was learning stopped".into()));
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| stopped())).collect()
    });
    let mut parts = Vec::new();
    for result in results {
        parts.extend(result?);
    }
    parts.sort_by_key(|(part, _)| *part);
    Learner::finish(parts.into_iter().map(|(_, part)| part).collect(), digest).map_err(table_error)
}

fn learn_part(
    frame: &Frame,
    eyes: &Eyes,
    grid: Grid,
    cells: std::ops::Range<usize>,
    looks: u32,
) -> Result<Learner, Failure> {
    let mut frame = frame.clone();
    let mut learner = Learner::new(grid, eyes.features().cloned().collect(), cells.clone(), looks)
        .map_err(|error| Failure::Configuration(error.to_string()))?;
    let Some(mut robot) = frame.robots.first().cloned() else { return Ok(learner) };
    let (mut counts, mut failed) = (Vec::new(), None);
    for cell in cells {
        learner.learn_cell(|pose, number, seen| {
            stand(&mut frame, &mut robot, pose);
            // The noise of a step is that of a look.
            frame.step = cell as u64 * u64::from(looks) + u64::from(number);
            if let Err(fault) = look(eyes, &frame, &robot, &mut counts, seen) {
                failed.get_or_insert(fault);
            }
        });
        if let Some(fault) = failed {
            return Err(Failure::Plugin(format!("a sensor failed at {:?}: {fault}", grid.pose(cell))));
        }
    }
    Ok(learner)
}

/// Puts the robot elsewhere in the Frame; its own shapes stay, since no sensor sees them.
fn stand(frame: &mut Frame, robot: &mut RobotFrame, pose: Pose2) {
    robot.pose = pose;
    robot.heading = sin_cos(pose.theta_rad);
    if let Some(object) = frame.objects.get_mut(robot.object as usize) {
        object.pose = pose;
    }
}
