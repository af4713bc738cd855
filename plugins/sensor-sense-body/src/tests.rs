//! What is read of a body against what it was made of.

use super::*;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::{MotionDatum, MotionDescription};
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

fn setup() -> SensorSetup {
    let data = Datum::ALL.iter().map(|datum| MotionDatum::new(datum.name(), datum.unit())).collect();
    let motion = MotionDescription { data, ..MotionDescription::default() };
    SensorSetup { motion, ..sensor_setup() }
}

/// A field of a reading, in its unit.
fn read(data: &[(Datum, f64)], pose: Pose2, twist: Twist2) -> impl Fn(&str) -> f64 + use<> {
    let sensor = SenseBody::new(SenseBodyParams::default(), &setup()).unwrap();
    let mut motion_data = vec![0.0; Datum::ALL.len()];
    data.iter().for_each(|(datum, value)| motion_data[datum.index()] = *value);
    let world = FakeWorld::new().moving_robot(pose, twist, 0);
    let input = SensorInput { motion_data: &motion_data, ..world.sensor_input(0, Mount::default()) };
    let layout = sensor.layout();
    let mut quantised = vec![0; layout.len()];
    sensor.generate(&Stateless, &input, &mut quantised).unwrap();
    let fields: Vec<Field> = layout.features.into_iter().flat_map(|feature| feature.fields).collect();
    move |name| {
        let place = fields.iter().position(|field| field.name == name).unwrap();
        fields[place].decode(quantised[place])
    }
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<SenseBody>("{}");
    check_sensor::<SenseBody>(r#"{"player": {"random_seed": 3}}"#);
}

/// Speed in steps of 0.01 m a cycle, directions in whole degrees towards zero, the rest as it is.
#[test]
fn a_body_is_told_as_the_server_tells_it() {
    let degrees = |angle: f64| angle.to_radians();
    let data = [
        (Datum::Stamina, 7954.625),
        (Datum::Effort, 0.875),
        (Datum::Capacity, 130_000.5),
        (Datum::Neck, degrees(-29.7)),
        (Datum::TackleCycles, 4.0),
        (Datum::Unum, 7.0),
        (Datum::State, f64::from(state::STAND | state::GOALIE | state::POST_COLLIDE | state::YELLOW_CARD)),
    ];
    // 0.466 m a cycle, ahead of the body: 29.7 degrees left of the neck line.
    let body = read(
        &data,
        Pose2::new(3.0, 4.0, 1.1),
        Twist2::new(4.66 * libm::cos(1.1), 4.66 * libm::sin(1.1), 0.0),
    );
    let near = |name: &str, wanted: f64| assert!((body(name) - wanted).abs() < 1e-9, "{name} {}", body(name));
    near("stamina", 7954.625);
    near("effort", 0.875);
    near("capacity", 130_000.5);
    near("speed", 4.7);
    near("speed_direction", degrees(29.0));
    near("head_angle", degrees(-29.0));
    near("tackle_cycles", 4.0);
    near("foul_cycles", 0.0);
    near("collision", 4.0);
    near("card", 1.0);
    near("unum", 7.0);
    near("is_goalie", 1.0);
}

/// The type's numbers are those of the game's types, which referee and network draw from the same parameters.
#[test]
fn the_own_type_is_that_of_the_game() {
    let params = SenseBodyParams::default();
    let types = player_types(&params.server, &params.player, types_seed(&params.player, 0) as u64);
    for (id, kind) in types.iter().enumerate() {
        let body = read(&[(Datum::PlayerType, id as f64)], Pose2::ORIGIN, Twist2::ZERO);
        for (name, _, value) in type_numbers(kind) {
            assert!((body(name) - value).abs() <= TYPE_SCALE, "type {id}: {name}");
        }
    }
}

#[test]
fn every_wrong_parameter_is_named() {
    let mut params = SenseBodyParams::default();
    (params.server.ball_decay, params.player.player_types) = (-1.0, -1);
    let error = SenseBody::new(params, &setup()).err().unwrap().to_string();
    assert!(error.contains("ball_decay"), "{error}");
}
