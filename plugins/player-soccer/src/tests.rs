//! The contract, on a body of the league.

use super::*;
use touchline_plugin_api::container::SensorDescription;
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::{CommandDimension, CommandPart, MotionDescription};
use touchline_plugin_testing::{FakeRobot, check_player_of};

fn robot() -> FakeRobot {
    let field = |name: &&str| Field::unsigned(name, "1", 1e-6, &[]);
    let of_body = ["stamina", "head_angle", "tackle_cycles", "foul_cycles", "is_goalie"];
    let of_type = [
        "player_speed_max",
        "stamina_inc_max",
        "player_decay",
        "inertia_moment",
        "dash_power_rate",
        "player_size",
        "kickable_margin",
        "kick_rand",
        "extra_stamina",
        "effort_max",
        "kick_power_rate",
        "catchable_area_l_stretch",
    ];
    let features = vec![
        Feature::new("sense_body", of_body.iter().map(field).collect()),
        Feature::new("player_type", of_type.iter().map(field).collect()),
    ];
    let sensor =
        SensorDescription { id: "body".into(), layout: Layout { features }, ..SensorDescription::default() };
    let dimension = |name: &&str| CommandDimension::symmetric(name, "1", 1e3, CommandPart::Other);
    let mut robot = FakeRobot::new();
    robot.description.motion = MotionDescription {
        dimensions: BodyCommand::DIMENSIONS.iter().map(dimension).collect(),
        ..MotionDescription::default()
    };
    robot.description.sensors.sensors.push(sensor);
    robot
}

#[test]
fn it_keeps_the_contract() {
    check_player_of::<Soccer>("{}", &robot());
}

#[test]
fn what_it_lacks_is_named() {
    let params = SoccerPlayerParams::default();
    let error = Soccer::new(params, &FakeRobot::new().player_setup()).err().unwrap().to_string();
    assert!(error.contains("motion model soccer"), "{error}");
    let mut blind = robot();
    blind.description.sensors.sensors.pop();
    let error = Soccer::new(SoccerPlayerParams::default(), &blind.player_setup()).err().unwrap().to_string();
    assert!(error.contains("sense_body"), "{error}");
}

/// How many kicks of the shoot-out are its team's is what the referee counts, scored and missed; another referee counts none.
#[test]
fn kicks_of_a_shoot_out_are_the_referee_s() {
    let values = [7.0, 3.0, 2.0, 1.0, 0.0, 0.0];
    let mut state = touchline_plugin_api::game::GameState::new(2, &Default::default());
    assert_eq!(Side::BOTH.map(|side| penalty_kicks(&state.view(), side)), [0, 0]);
    state.values = values.to_vec();
    assert_eq!(Side::BOTH.map(|side| penalty_kicks(&state.view(), side)), [5, 1]);
}
