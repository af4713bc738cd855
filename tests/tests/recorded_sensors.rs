//! What a recording holds of the shipped robots' sensors, field by field against the integers that the message board sends. [mechanism 7]

use crate::build::plugin_dir;
use crate::program::{root, run};
use base64::Engine;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_config::{load_robot, load_world};
use touchline_host::Host;
use touchline_plugin_api::geometry::{Pose2, Twist2, atan2};
use touchline_plugin_api::layout::Feature;
use touchline_record::{Form, sensor_schema};
use touchline_sim::scenario::RobotPlacement;
use touchline_sim::{Action, Command, Frame, World};

/// A robot of this file alone on the field of 2003 with the ball, after a second in which it drove in a curve.
fn after_a_second(file: &str, host: &Arc<Host>) -> Frame {
    let mut scenario = load_world(&root().join("worlds/f2000.toml"), &**host).unwrap();
    let spec = load_robot(&root().join("robots").join(file), &**host).unwrap();
    let placement = RobotPlacement {
        name: "rosie".into(),
        team: Some(0),
        spec: Arc::new(spec),
        pose: Some(Pose2::new(-1.5, 0.75, 0.4)),
        player: None,
    };
    scenario.robots = vec![placement];
    let mut world = World::new(scenario, Arc::clone(host) as _).unwrap();
    let number = world.frame().robots[0].identity.number;
    let drive = Action::SetTwist(number, Twist2 { x_m_s: 0.3, y_m_s: 0.0, turn_rad_s: 0.5 });
    let command = Command { client: 1, sequence: 1, action: drive };
    world.step(&[command]);
    for _ in 0..100 {
        world.step(&[]);
    }
    world.frame()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn yaw_rad(turn: &Value) -> f64 {
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|part| number(&turn[part]));
    atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
}

fn pixels(message: &Value) -> Vec<f64> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(message["data"].as_str().unwrap()).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgb).unwrap();
    rgb.chunks(3).map(|rgb| f64::from(u32::from_be_bytes([0, rgb[0], rgb[1], rgb[2]]))).collect()
}

/// A field as the message has it, in the field's unit; what is not finite as the message writes it.
fn recorded(message: &Value, form: Form, name: &str, beams: usize) -> Vec<f64> {
    let listed = |value: &Value| match value {
        Value::Array(all) => all.iter().map(|one| one.as_f64().unwrap_or(f64::INFINITY)).collect(),
        one => vec![one.as_f64().unwrap_or(f64::INFINITY)],
    };
    let pose = &message["pose"];
    match (form, name) {
        (Form::Pose, "x" | "y") => vec![number(&pose["position"][name])],
        (Form::Pose, "theta") => vec![yaw_rad(&pose["orientation"])],
        (Form::Scan, "angle_min") => vec![number(&message["start_angle"])],
        (Form::Scan, "angle_step") => {
            let width = number(&message["end_angle"]) - number(&message["start_angle"]);
            vec![width / (beams - 1) as f64]
        }
        (Form::Scan, "ranges") => listed(&message["ranges"]),
        (Form::Image, "pixels") => pixels(message),
        _ => listed(&message["values"][name]),
    }
}

/// The message that is recorded, as any JSON reader finds it.
fn message(feature: &Feature, counts: &[u32], z_m: f64, nanoseconds: u64) -> Value {
    let mut text = Vec::new();
    Form::of(feature).write(&mut text, feature, counts, ("rosie", Pose2::ORIGIN, z_m), nanoseconds).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// The values that the integers stand for, as DESCRIBE lets a client read them, and the message has nothing else and nothing less.
fn compare(feature: &Feature, counts: &[u32], robot: &str) -> Form {
    let form = Form::of(feature);
    let message = message(feature, counts, 0.3, 1_010_000_000);
    let schema = sensor_schema(form.schema_name());
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&message).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{robot} {}: {wrong:?}", feature.name);
    let mut at = 0;
    for field in &feature.fields {
        let told: Vec<f64> = counts[at..at + field.len()].iter().map(|&count| field.decode(count)).collect();
        at += field.len();
        let written = recorded(&message, form, &field.name, told.len().max(feature.len().saturating_sub(2)));
        assert_eq!(told.len(), written.len(), "{robot} {}.{}", feature.name, field.name);
        for (told, written) in told.into_iter().zip(written) {
            let is_range = form == Form::Scan && field.name == "ranges";
            let expected = match (told.is_finite(), is_range) {
                (true, _) => told,
                (false, true) => {
                    if told > 0.0 {
                        -1.0
                    } else {
                        0.0
                    }
                }
                (false, false) => f64::INFINITY,
            };
            let allowed = match field.name.as_str() {
                "angle_step" => 1e-7,
                // So that the integer can be had again.
                _ => (field.scale * 0.01).max(1e-9),
            };
            let same = expected == written || (expected - written).abs() <= allowed;
            let turned = (expected - written).abs() - std::f64::consts::TAU;
            assert!(
                same || (field.name == "theta" && turned.abs() <= allowed),
                "{robot} {}.{}: the board says {told}, the recording {written}",
                feature.name,
                field.name
            );
        }
    }
    let in_values = message["values"].as_object().map_or(0, serde_json::Map::len);
    let in_own_places = match form {
        Form::Scan | Form::Pose => 3,
        Form::Image => 1,
        Form::Values => 0,
    };
    assert_eq!(in_values + in_own_places, feature.fields.len(), "{robot} {}: {message}", feature.name);
    form
}

/// Of every sensor of every robot file each field is in the recording, as the board says it, in a message that keeps to its schema.
#[test]
fn every_shipped_sensor_is_recorded_as_the_board_says_it() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let mut files: Vec<String> = std::fs::read_dir(root().join("robots"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 20, "{files:?}");
    let (mut seen, mut counts) = (BTreeMap::new(), Vec::new());
    for file in &files {
        let frame = after_a_second(file, &host);
        let robot = &frame.robots[0];
        for (index, sensor) in robot.identity.description.sensors.sensors.iter().enumerate() {
            if frame.read_sensor(robot, index, &mut counts).unwrap().is_none() {
                continue;
            }
            for (place, feature) in sensor.layout.features.iter().enumerate() {
                let form = compare(feature, &counts[sensor.layout.range(place)], file);
                seen.insert(feature.name.clone(), form);
            }
        }
    }
    assert_eq!(seen.get("odometry"), Some(&Form::Pose));
    assert!(seen.values().any(|form| *form == Form::Scan) && seen.values().any(|form| *form == Form::Image));
    let sonar = seen.iter().find(|(name, _)| name.contains("onar") || name.contains("ltrasonic"));
    assert_eq!(sonar.map(|(_, form)| *form), Some(Form::Values), "a ring of sonars is no pose: {seen:?}");
}

/// Odometry begins at 0 wherever the robot stands: its pose is not in the world's frame. What is true is.
#[test]
fn a_pose_says_whose_frame_it_is_in() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let frame = after_a_second("pioneer-perfect.toml", &host);
    let (robot, mut counts) = (&frame.robots[0], Vec::new());
    let sensors = &robot.identity.description.sensors.sensors;
    let index = sensors.iter().position(|sensor| sensor.id == "odometry").unwrap();
    frame.read_sensor(robot, index, &mut counts).unwrap().unwrap();
    let feature = &sensors[index].layout.features[0];
    let part = &counts[sensors[index].layout.range(0)];
    let message = message(feature, part, 0.0, 0);
    assert_eq!(message["frame_id"], "rosie/odom");
    // A quarter of a metre and more from where it began, and not from the middle of the field.
    let [x, y] = ["x", "y"].map(|axis| number(&message["pose"]["position"][axis]));
    assert!((0.1..0.4).contains(&(x * x + y * y).sqrt()), "{message}");
    let turn = number(&message["values"]["velocity_turn"]);
    assert!((0.3..0.6).contains(&turn), "{message}");
}

/// Every message of a recording that is JSON keeps to the schema that stands beside it in the file.
#[test]
fn every_message_keeps_to_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.mcap");
    let name = file.to_str().unwrap();
    let world = "worlds/f2000.toml";
    let recorded = run(["run", world, "--for", "5", "--record", name, "--record-sensors", "*/*"]);
    assert_eq!(recorded.code, Some(0), "{recorded:?}");
    let bytes = std::fs::read(&file).unwrap();
    let (mut validators, mut checked) = (BTreeMap::new(), 0);
    for message in mcap::MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        if message.channel.message_encoding != "json" {
            continue;
        }
        let value: Value = serde_json::from_slice(&message.data).unwrap();
        let schema = message.channel.schema.as_ref().unwrap();
        let validator = validators.entry(schema.name.clone()).or_insert_with(|| {
            jsonschema::validator_for(&serde_json::from_slice(&schema.data).unwrap()).unwrap()
        });
        let wrong: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{} {}: {wrong:?}", message.channel.topic, schema.name);
        checked += 1;
    }
    assert!(
        checked > 300 && validators.contains_key("foxglove.LaserScan"),
        "{checked} {:?}",
        validators.keys()
    );
}
