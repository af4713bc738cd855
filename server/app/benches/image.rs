//! How many images a second the rendered cameras give, and what they look like.
//!
//! ```text
//! cargo build --release --workspace && cargo bench -p touchline --bench image -- [--seconds N] [--png FOLDER]
//! ```
//!
//! A robot with both cameras stands in the match of `worlds/f2000.toml`. Each image is read over the plugin border as for
//! the message board, one after the other, with ten steps of the match between two of them. Counted is processor time of
//! the thread, without the steps, `N` seconds for each line. `--png` writes what the cameras see after 0.7 s of the match, in 640 x 480 pixels without noise and
//! with nine samples of each pixel: the pictures of the documentation.

use cpu_time::ThreadTime;
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use touchline_config::load_robot;
use touchline_host::Host;
use touchline_kit::data::{DataObject, Image};
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::scenario::RobotSpec;
use touchline_sim::{Action, Command, Frame, RobotFrame, World};

/// The file's name for each sensor.
const PICTURES: [(&str, &str); 2] =
    [("front-image", "camera-perspective.png"), ("omni-image", "camera-omni.png")];
const WATCHER: &str = "watcher";
const SIZE: [u32; 2] = [320, 240];
/// Width and height, standard deviation of the noise, and samples along a pixel's side.
type Quality = ([u32; 2], f64, u32);
const QUALITIES: [(&str, Quality); 3] = [
    ("no noise", (SIZE, 0.0, 1)),
    ("noise of 3 levels", (SIZE, 3.0, 1)),
    ("9 samples a pixel, no noise", (SIZE, 0.0, 3)),
];
const PICTURE_QUALITY: Quality = ([640, 480], 0.0, 3);

fn main() -> Result<(), Box<dyn Error>> {
    let (mut seconds, mut folder) = (1.0, None);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or("a value is missing")?;
        match argument.as_str() {
            "--seconds" => seconds = value.parse()?,
            "--png" => folder = Some(PathBuf::from(value)),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let host = Arc::new(Host::scan(&[plugin_folder()]));
    let robot = load_robot(&root().join("robots/watcher.toml"), host.as_ref())?;

    for (title, quality) in QUALITIES {
        let mut game = watched(&host, with(&robot, quality))?;
        for (id, _) in PICTURES {
            let (mut spent, mut quantised, mut images) = (Duration::ZERO, Vec::new(), 0);
            while spent.as_secs_f64() < seconds {
                run(&mut game, 0.1);
                let frame = game.frame();
                let (watcher, sensor) = sensor(&frame, id)?;
                let start = ThreadTime::now();
                frame.read_sensor(watcher, sensor, &mut quantised)?;
                spent += start.elapsed();
                images += 1;
            }
            let rate = f64::from(images) / spent.as_secs_f64();
            let shape = &description(&game.frame(), id)?.fields[0].shape;
            println!("{id:12} {} x {}, {title:26} {rate:6.0} images/s", shape[1], shape[0]);
        }
    }
    if let Some(folder) = folder {
        // Cargo starts a benchmark in the folder of its crate.
        write_pictures(&root().join(folder), &host, with(&robot, PICTURE_QUALITY))?;
    }
    Ok(())
}

/// The match, with the watcher beside the field's middle.
fn watched(host: &Arc<Host>, robot: RobotSpec) -> Result<World, Box<dyn Error>> {
    let scenario = touchline_config::load_world(&root().join("worlds/f2000.toml"), host.as_ref())?;
    let mut world = World::new(scenario, host.clone())?;
    let action = Action::AddRobot {
        name: WATCHER.into(),
        team: None,
        spec: Arc::new(robot),
        pose: Some(Pose2::new(-1.3, -1.6, 0.65)),
        player: None,
    };
    for outcome in world.step(&[Command { client: 1, sequence: 1, action }]) {
        outcome.result?;
    }
    Ok(world)
}

fn with(robot: &RobotSpec, ([width, height], sigma_rgb, samples): Quality) -> RobotSpec {
    let mut robot = robot.clone();
    for sensor in robot.sensors.iter_mut().filter(|sensor| sensor.choice.plugin == "image") {
        sensor.choice.params["width"] = width.into();
        sensor.choice.params["height"] = height.into();
        sensor.choice.params["sigma_rgb"] = sigma_rgb.into();
        sensor.choice.params["samples"] = samples.into();
    }
    robot
}

fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / world.scenario().dt_secs).round() as u32 {
        world.step(&[]);
    }
}

fn sensor<'a>(frame: &'a Frame, id: &str) -> Result<(&'a RobotFrame, usize), Box<dyn Error>> {
    let watcher = frame.robot_named(WATCHER).ok_or("the watcher has gone")?;
    let sensors = &watcher.identity.description.sensors.sensors;
    let sensor = sensors.iter().position(|sensor| sensor.id == id).ok_or("a camera is missing")?;
    Ok((watcher, sensor))
}

fn description(frame: &Frame, id: &str) -> Result<touchline_plugin_api::layout::Feature, Box<dyn Error>> {
    let (watcher, sensor) = sensor(frame, id)?;
    Ok(watcher.identity.description.sensors.sensors[sensor].layout.features[0].clone())
}

fn write_pictures(folder: &Path, host: &Arc<Host>, robot: RobotSpec) -> Result<(), Box<dyn Error>> {
    let mut world = watched(host, robot)?;
    run(&mut world, 0.7);
    let frame = world.frame();
    for (id, name) in PICTURES {
        let (watcher, sensor) = sensor(&frame, id)?;
        let mut quantised = Vec::new();
        frame.read_sensor(watcher, sensor, &mut quantised)?;
        let image = Image::decode(&description(&frame, id)?, &quantised)?;
        let path = folder.join(name);
        let mut encoder = png::Encoder::new(File::create(&path)?, image.width as u32, image.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&image.to_rgb())?;
        println!("{name}");
    }
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of this profile's libraries: the benchmark itself is in `deps` below it.
fn plugin_folder() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.parent().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned()
}
