//! `touchline train perception`: what a robot sees from every pose of a grid, as a table. (L1, L2, Y4)
//!
//! The robot is not driven round: a sensor is a pure reading of a Frame, so it is read in Frames in which the robot
//! stands elsewhere, by as many threads as there are cores. Of a twin whose sensors make no errors there is a second Frame.

use super::places::Places;
use super::train_options::TrainPerceptionOptions;
use super::written::Planned;
use super::{Failure, PluginOptions, print, shipped, signals};
use indicatif::ProgressBar;
use serde_json::json;
use std::f64::consts::PI;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use touchline_host::Host;
use touchline_plugin_api::container::Reading;
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::layout::Feature;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::plugin::Fault;
use touchline_sim::{Frame, RobotFrame, Scenario};
use touchline_skills::localisation::perception::Eyes;
use touchline_skills::localisation::table::{
    Fit, Grid, Learner, PerceptionTable, Purpose, SeenFeature, TableError, digest,
};
use touchline_skills::localisation::{Area, Seen};

/// Parts of the work: so many however many cores there are, so that the table is the same on every machine.
const PARTS: usize = 64;

pub fn perception(options: &TrainPerceptionOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    // Before anything is learned: no work is done for a file that cannot be written.
    let out = options.out.as_deref().map(Planned::new).transpose()?;
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let world = &places.world(&options.world)?;
    let scenario = shipped::load_scenario(world, options.seed, &host, &places)?;
    let scenario = alone(scenario, options.robot.as_deref())?;
    let digest = digest(&serde_json::to_vec(&scenario).unwrap_or_default());
    let area = area(&scenario);
    let twin = match &options.twin {
        Some(file) => Some(twin(&scenario, file, &host)?),
        None => None,
    };
    let looker = |scenario: Scenario| -> Result<Looker, Failure> {
        let frame = shipped::new_world(world, scenario, &host)?.frame();
        Ok(Looker { eyes: eyes(&frame, &options.features)?, frame })
    };
    let own = looker(scenario)?;
    let twin = twin.map(looker).transpose()?;
    if let (Some(twin), Some(file)) = (&twin, &options.twin) {
        check_twin(&own, twin, file)?;
    }
    let grid = Grid { area, cell_m: options.cell, headings: options.headings };
    let lookers = Lookers { own: &own, learned_from: twin.as_ref().unwrap_or(&own) };

    let start = Instant::now();
    let table = learn(lookers, grid, options.looks, digest)?;
    let wall_secs = start.elapsed().as_secs_f64();
    if table.is_blank() {
        let features = options.features.join(", ");
        let hint = "take a world with such landmarks, or features that the robot sees there";
        let message =
            format!("nothing was seen of {features} from any of {} poses\n  hint     {hint}", grid.len());
        return Err(Failure::Configuration(message));
    }
    let honesty = honesty(&own, &table, options.test)?;
    let bytes = table.to_bytes();
    // What cannot be written does not keep back the report.
    let written = out.map_or(Ok(()), |out| out.fill(&bytes));
    let named = options.out.as_ref().filter(|_| written.is_ok());
    let (poses, digest) = (grid.len(), format!("{digest:016x}"));
    let features: Vec<&str> = table.features().iter().map(|feature| feature.name.as_str()).collect();
    let part = |sum: f64, mean: f64| if mean > 0.0 { sum / mean } else { f64::NAN };
    let tested = features.iter().zip(&honesty).map(|(feature, fit)| {
        json!({
            "feature": feature, "degrees": fit.degrees,
            "deviance_per_degree": part(fit.deviance, fit.degrees),
            "presence_per_expected": part(fit.presence, fit.presence_mean),
        })
    });
    let result = json!({
        "poses": poses, "features": features, "looks": options.looks, "bytes": bytes.len(),
        "digest": digest, "wall_seconds": wall_secs, "out": named,
        "test_looks": options.test, "test": tested.collect::<Vec<_>>(),
    });
    let printed = print(options.json, &result, |out| {
        writeln!(out, "{poses} poses, {} looks at each: {}", options.looks, features.join(", "))?;
        writeln!(out, "{} bytes, digest {digest}, {wall_secs:.1} s", bytes.len())?;
        if options.test == 0 {
            return Ok(());
        }
        writeln!(out, "-2 ln p at {} new looks, as a part of its mean if the table is right:", options.test)?;
        for (feature, fit) in features.iter().zip(&honesty) {
            let (places, presence) = (part(fit.deviance, fit.degrees), part(fit.presence, fit.presence_mean));
            writeln!(out, "  {feature}: {places:.2} where it is seen, {presence:.2} whether it is")?;
        }
        Ok(())
    });
    Failure::any([printed, written])
}

/// A robot in its world, alone, and what it sees with.
struct Looker {
    frame: Frame,
    eyes: Eyes,
}

/// Who looks.
#[derive(Clone, Copy)]
struct Lookers<'a> {
    own: &'a Looker,
    /// The twin, if there is one.
    learned_from: &'a Looker,
}

/// The same world with the robot of this file.
fn twin(scenario: &Scenario, file: &Path, host: &Host) -> Result<Scenario, Failure> {
    let spec = Arc::new(touchline_config::load_robot(file, host)?);
    let mut scenario = scenario.clone();
    scenario.robots.iter_mut().for_each(|robot| robot.spec = Arc::clone(&spec));
    Ok(scenario)
}

/// A twin has the same features, of sensors at the same places.
fn check_twin(own: &Looker, twin: &Looker, file: &Path) -> Result<(), Failure> {
    let seen = |looker: &Looker| -> Vec<(Feature, Pose2)> {
        let Some(robot) = looker.frame.robots.first() else { return Vec::new() };
        let sensors = &robot.identity.description.sensors;
        let seen = |handle| (sensors.feature(handle).clone(), sensors.sensor(handle).mount.pose());
        looker.eyes.handles().map(seen).collect()
    };
    let (own, twin) = (seen(own), seen(twin));
    let Some(((feature, _), _)) = own.iter().zip(&twin).find(|(own, twin)| own != twin) else {
        return Ok(());
    };
    let hint = "a twin differs in its sensors' errors alone, as robots/*-perfect.toml do";
    Err(Failure::Configuration(format!(
        "--twin {}: its \"{}\" is not of the same format, or not at the same place\n  hint     {hint}",
        file.display(),
        feature.name
    )))
}

/// New looks from anywhere, against the table: the sums for each feature.
fn honesty(own: &Looker, table: &PerceptionTable, looks: u32) -> Result<Vec<Fit>, Failure> {
    let mut sums = vec![Fit::default(); table.features().len()];
    let mut frame = own.frame.clone();
    let Some(mut robot) = frame.robots.first().cloned() else { return Ok(sums) };
    // What it sees from there, not what it saw last from elsewhere.
    robot.held.clear();
    let mut quantised = Vec::new();
    let mut seen = vec![None; table.features().iter().map(SeenFeature::slots).sum()];
    let mut places = NoiseKey::for_owner(table.digest(), "test").stream();
    let Area { low, high } = table.grid().area;
    for number in 0..looks {
        let [x_m, y_m] = [0, 1].map(|axis| places.uniform(low[axis], high[axis]));
        let pose = Pose2::new(x_m, y_m, places.uniform(-PI, PI));
        stand(&mut frame, &mut robot, pose);
        // Steps that no look of learning has.
        frame.step = (1 << 62) + u64::from(number);
        look(&own.eyes, &frame, &robot, &mut quantised, &mut seen)
            .map_err(|fault| Failure::Plugin(format!("a sensor failed at {pose:?}: {fault}")))?;
        let fits = table.fit(pose, &seen).unwrap_or_default();
        sums.iter_mut().zip(fits).for_each(|(sum, fit)| *sum += fit);
    }
    Ok(sums)
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

/// Bounding box of the fixtures' origins, world frame.
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
    quantised: &mut Vec<u32>,
    mut seen: &mut [Option<Seen>],
) -> Result<(), Fault> {
    let catalogue = &robot.identity.description.sensors;
    let mut last = None;
    for (number, (handle, feature)) in eyes.handles().zip(eyes.features()).enumerate() {
        // Features of one sensor that stand side by side are read together.
        if last.replace(handle.sensor) != Some(handle.sensor) {
            frame.read_sensor(robot, handle.sensor, quantised)?;
        }
        let range = catalogue.sensor(handle).layout.range(handle.feature);
        let reading = Reading {
            feature: catalogue.feature(handle),
            quantised: quantised.get(range).unwrap_or(&[]),
            stamp_secs: 0.0,
        };
        let (own, others) = seen.split_at_mut(feature.slots());
        eyes.look_at(number, &reading, own).map_err(|error| Fault::new(error.to_string()))?;
        seen = others;
    }
    Ok(())
}

fn learn(lookers: Lookers<'_>, grid: Grid, looks: u32, digest: u64) -> Result<PerceptionTable, Failure> {
    let table_error = |error: TableError| Failure::Configuration(error.to_string());
    let cells = grid.len();
    let range = |part: usize| part * cells / PARTS..(part + 1) * cells / PARTS;
    let next = AtomicUsize::new(0);
    let progress = signals::progress(cells as u64, "poses");
    // Each thread takes the next part that nobody has begun.
    let work = || {
        let mut done = Vec::new();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= PARTS {
                return Ok(done);
            }
            done.push((part, learn_part(lookers, grid, range(part), looks, &progress)?));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<Result<Vec<(usize, Learner)>, Failure>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let stopped = || Err(Failure::Resource("a thread that was learning stopped".into()));
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| stopped())).collect()
    });
    progress.finish_and_clear();
    let mut parts = Vec::new();
    for result in results {
        parts.extend(result?);
    }
    parts.sort_by_key(|(part, _)| *part);
    Learner::finish(parts.into_iter().map(|(_, part)| part).collect(), digest).map_err(table_error)
}

fn learn_part(
    lookers: Lookers<'_>,
    grid: Grid,
    cells: std::ops::Range<usize>,
    looks: u32,
    progress: &ProgressBar,
) -> Result<Learner, Failure> {
    let features = lookers.own.eyes.features().cloned().collect();
    let mut learner = Learner::new(grid, features, cells.clone(), looks)
        .map_err(|error| Failure::Configuration(error.to_string()))?;
    let begin = |looker: &Looker| {
        let frame = looker.frame.clone();
        let mut robot = frame.robots.first().cloned()?;
        // What it sees from there, not what it saw last from elsewhere.
        robot.held.clear();
        Some((frame, robot))
    };
    let (Some(mut own), Some(mut learned_from)) = (begin(lookers.own), begin(lookers.learned_from)) else {
        return Ok(learner);
    };
    let (mut quantised, mut failed) = (Vec::new(), None);
    for cell in cells {
        learner.learn_cell(|pose, purpose, seen| {
            let (eyes, (frame, robot), number) = match purpose {
                Purpose::Learn(number) => (&lookers.learned_from.eyes, &mut learned_from, u64::from(number)),
                Purpose::HoldOut(number) => (&lookers.own.eyes, &mut own, 1 << 20 | u64::from(number)),
            };
            stand(frame, robot, pose);
            // The noise of a step is that of a look; there are fewer looks of either sort at a cell than steps here.
            frame.step = (cell as u64) << 24 | number;
            if let Err(fault) = look(eyes, frame, robot, &mut quantised, seen) {
                failed.get_or_insert(fault);
            }
        });
        if let Some(fault) = failed {
            return Err(Failure::Plugin(format!("a sensor failed at {:?}: {fault}", grid.pose(cell))));
        }
        progress.inc(1);
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
