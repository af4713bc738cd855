//! A robot joins the running world, drives about and finds out where it is, from nothing but its own sensors.
//!
//! ```text
//! touchline serve worlds/f2000.toml
//! cargo run -p touchline-client --example localise -- [--table FILE] [--addr 127.0.0.1:7050] [--for SECONDS] [--robot FILE]
//! ```
//!
//! Without a table (`touchline train perception` makes one) it goes by the goals and posts of the field of
//! `worlds/f2000.toml`. Its samples and its estimate are seen in the studio.

use std::time::{Duration, Instant};
use touchline_client::data::{LaserScan, TruePose};
use touchline_client::localisation::table::PerceptionTable;
use touchline_client::localisation::{Area, BeliefParams, Estimate, LandmarkMap, Localiser, SightingNoise};
use touchline_client::{Client, Error, FeatureHandle, Query, Sensors};

struct Options {
    address: String,
    robot_file: String,
    table: Option<String>,
    duration: Option<Duration>,
}

const USAGE: &str = "usage: localise [--table FILE] [--addr HOST:PORT] [--robot FILE] [--for SECONDS]";

fn options() -> Result<Options, String> {
    let mut options = Options {
        address: "127.0.0.1:7050".into(),
        robot_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/pioneer.toml").into(),
        table: None,
        duration: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--addr" => options.address = value()?,
            "--robot" => options.robot_file = value()?,
            "--table" => options.table = Some(value()?),
            "--for" => {
                let secs: f64 = value()?.parse().map_err(|_| "--for needs a number of seconds")?;
                let duration = Duration::try_from_secs_f64(secs).map_err(|error| error.to_string())?;
                options.duration = Some(duration);
            }
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

/// The field of `worlds/f2000.toml`.
fn field() -> LandmarkMap {
    let posts = [-5.0, 5.0].into_iter().flat_map(|x| [-2.5, -1.05, 1.05, 2.5].map(|y| [x, y])).collect();
    LandmarkMap {
        area: Area { low: [-6.0, -3.0], high: [6.0, 3.0] },
        // Blue defends the left one.
        goals: vec![[-5.0, 0.0], [5.0, 0.0]],
        posts,
        noise: SightingNoise {
            sigma_bearing_rad: 0.03,
            sigma_distance_relative: 0.08,
            sigma_distance_m: 0.05,
        },
    }
}

fn localiser(client: &Client, table: Option<&str>) -> Result<Localiser, String> {
    let (catalogue, params) = (&client.description().sensors, BeliefParams::default());
    let localiser = match table {
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            let table =
                PerceptionTable::from_bytes_of_any(&bytes).map_err(|error| format!("{path}: {error}"))?;
            Localiser::with_table(catalogue, table, params, 1)
        }
        None => Localiser::with_map(catalogue, &field(), params, 1),
    };
    localiser.map_err(|error| error.to_string())
}

/// Drives in circles, so that it sees all round; turns away to the left when something is near ahead.
fn wander(client: &Client, sensors: &Sensors, scan: Option<FeatureHandle>) -> Result<(), Error> {
    let scan =
        scan.and_then(|scan| sensors.get(scan)).map(|reading| reading.decode::<LaserScan>()).transpose()?;
    let is_near = |scan: LaserScan| {
        let ahead = (0..scan.ranges_m.len()).filter(|&beam| scan.angle_rad(beam).abs() < 0.6);
        ahead.map(|beam| scan.ranges_m[beam]).any(|range_m| range_m < 0.8)
    };
    if scan.is_some_and(is_near) { client.twist(0.0, 0.0, 1.0) } else { client.twist(0.3, 0.0, 0.5) }
}

fn show(client: &Client, localiser: &Localiser, estimate: Estimate) -> Result<(), Error> {
    let pose = |pose: touchline_client::geometry::Pose2| {
        format!("[{:.3}, {:.3}, {:.3}]", pose.x_m, pose.y_m, pose.theta_rad)
    };
    let samples: Vec<String> = localiser.belief().samples().iter().step_by(10).map(pose).collect();
    let (samples, middle) = (samples.join(", "), pose(estimate.pose));
    client.annotate(
        "belief",
        &format!("{{\"poses\": [{samples}], \"frame\": \"world\", \"colour\": \"#ff9900\"}}"),
    )?;
    client.annotate(
        "estimate",
        &format!("{{\"pose\": {middle}, \"frame\": \"world\", \"colour\": \"#00c040\"}}"),
    )
}

fn run(options: &Options) -> Result<(), String> {
    let said = |error: Error| error.to_string();
    let client = Client::builder()
        .name(&format!("seeker-{}", std::process::id()))
        .robot_file(&options.robot_file)
        .connect(options.address.as_str())
        .map_err(said)?;
    let mut localiser = localiser(&client, options.table.as_deref())?;
    let catalogue = &client.description().sensors;
    let scan = catalogue.find(&Query::default().of_type("laser")).ok();
    let truth = catalogue.find(&Query::feature("truth")).ok();
    let end = options.duration.map(|duration| Instant::now() + duration);
    while end.is_none_or(|end| Instant::now() < end) {
        let sensors = client.next_sensors().map_err(said)?;
        let estimate = localiser.update(|handle| sensors.get(handle)).map_err(|error| error.to_string())?;
        wander(&client, &sensors, scan).map_err(said)?;
        show(&client, &localiser, estimate).map_err(said)?;
        if sensors.updates().is_multiple_of(10) {
            let pose = estimate.pose;
            print!("x {:.2} m, y {:.2} m, heading {:.2} rad", pose.x_m, pose.y_m, pose.theta_rad);
            print!("; {:.0} % of the samples within {:.2} m", 100.0 * estimate.share, estimate.spread_m);
            // A robot that is told the truth can say how far off it is.
            let told = truth
                .and_then(|truth| sensors.get(truth))
                .and_then(|reading| reading.decode::<TruePose>().ok());
            println!(
                "{}",
                told.map_or(String::new(), |told| format!("; {:.2} m off", told.pose.distance_m(pose)))
            );
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("localise: {message}");
            std::process::ExitCode::FAILURE
        }
    }
}
