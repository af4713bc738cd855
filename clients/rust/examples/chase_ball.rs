//! A robot joins the running match, chases the ball, and leaves when the program ends.
//!
//! `cargo run -p touchline-client --example chase_ball -- [--addr 127.0.0.1:7050] [--for SECONDS] [--robot FILE]`

use std::time::{Duration, Instant};
use touchline_client::data::BallSighting;
use touchline_client::{Client, Error, Query};

struct Options {
    address: String,
    robot_file: String,
    name: String,
    duration: Option<Duration>,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        address: "127.0.0.1:7050".into(),
        robot_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/pioneer.toml").into(),
        name: format!("chaser-{}", std::process::id()),
        duration: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--addr" => options.address = value()?,
            "--robot" => options.robot_file = value()?,
            "--name" => options.name = value()?,
            "--for" => {
                let secs: f64 = value()?.parse().map_err(|_| "--for needs a number of seconds")?;
                let duration = Duration::try_from_secs_f64(secs).map_err(|error| error.to_string())?;
                options.duration = Some(duration);
            }
            _ => {
                return Err(
                    "usage: chase_ball [--addr HOST:PORT] [--robot FILE] [--name NAME] [--for SECONDS]"
                        .into(),
                );
            }
        }
    }
    Ok(options)
}

fn chase(options: &Options) -> Result<(), Error> {
    let client = Client::builder()
        .name(&options.name)
        .robot_file(&options.robot_file)
        .connect(options.address.as_str())?;
    let motion = &client.description().motion;
    println!(
        "{} is robot {}; it takes {} numbers and has {} sensors; the clocks differ by {} us",
        options.name,
        client.robot_number(),
        motion.dimensions.len(),
        client.description().sensors.sensors.len(),
        client.clock().offset_us,
    );
    let handle = client.description().sensors.find(&Query::feature(BallSighting::FEATURE))?;
    let end = options.duration.map(|duration| Instant::now() + duration);
    let (mut sightings, mut side) = (0u32, 1.0);
    while end.is_none_or(|end| Instant::now() < end) {
        let sensors = client.next_sensors()?;
        let Some(reading) = sensors.get(handle) else { continue };
        let ball: BallSighting = reading.decode()?;
        let Some(ball) = ball.ball else {
            // Turn to where the ball was last.
            client.twist(0.0, 0.0, 2.0 * side)?;
            continue;
        };
        sightings += 1;
        let [x, y] = sensors.mount(handle)?.point_to_outer(ball.point());
        let bearing_rad = y.atan2(x);
        side = bearing_rad.signum();
        // The less it looks at the ball, the slower it drives.
        let forward_m_s = 0.8 * bearing_rad.cos().max(0.0);
        client.twist(forward_m_s, 0.0, 2.0 * bearing_rad)?;
        client.annotate("target", &format!("{{\"point\": [{x:.3}, {y:.3}]}}"))?;
    }
    println!("saw the ball {sightings} times; leaving");
    Ok(())
}

fn main() -> std::process::ExitCode {
    let result = options().and_then(|options| chase(&options).map_err(|error| error.to_string()));
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("chase_ball: {message}");
            std::process::ExitCode::FAILURE
        }
    }
}
