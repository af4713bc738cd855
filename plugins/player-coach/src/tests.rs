use super::*;
use touchline_plugin_api::container::SensorCatalogue;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::motion::{MotionDatum, MotionDescription};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::player::{Readings, RobotDescription};
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_api::view::{NONE, WorldView};
use touchline_plugin_api::world::WorldDescription;
use touchline_plugin_testing::check_team_player;

fn params() -> CoachParams {
    let text = r#"{"rest": {"plugin": "wanderer"}, "play": {"plugin": "striker", "params": {"n": 1}}}"#;
    serde_json::from_str(text).unwrap()
}

/// P6: it keeps the contract of a player of a team.
#[test]
fn it_keeps_the_contract() {
    check_team_player::<Coach>(r#"{"rest": {"plugin": "wanderer"}, "play": {"plugin": "striker"}}"#);
}

fn setup() -> PlayerSetup {
    let robot = |name: &str, datum: &str| RobotDescription {
        name: name.into(),
        team: Some(0),
        motion: MotionDescription {
            data: vec![MotionDatum::new("wheel-0", "rad/s"), MotionDatum::settable(datum, "1", 1.0)],
            ..MotionDescription::default()
        },
        ..RobotDescription::default()
    };
    PlayerSetup {
        robot: RobotDescription { name: "blue-coach".into(), team: Some(0), ..RobotDescription::default() },
        team_robots: vec![robot("blue-1", "stamina"), robot("blue-2", "charge")],
        world: WorldDescription {
            robots: ["yellow-1", "blue-1", "blue-2"].map(String::from).into(),
            ..WorldDescription::default()
        },
        ..PlayerSetup::default()
    }
}

/// What it orders when the watched robot has this much left.
fn call(coach: &Coach, resting: &mut Encoded<Vec<u32>>, stamina: f64) -> Vec<String> {
    let mut record = DataRecord { robot: 1, len: 2, ..DataRecord::default() };
    record.values[1] = stamina;
    let game = GameState::default();
    let input = PlayerInput {
        robot: NONE,
        elapsed_secs: 0.1,
        readings: Readings {
            catalogue: &SensorCatalogue::default(),
            spans: &[],
            quantised: &[],
            stamp_secs: 0.0,
        },
        manipulators: &[],
        inbox: Inbox::default(),
        motion_data: &[record],
        game: game.view(),
        view: WorldView::new(0, 0.0, &[], &[]),
        noise: NoiseKey::default(),
    };
    let mut orders = Orders::default();
    coach.sense_and_act(resting, &input, &mut orders).unwrap();
    orders
        .iter()
        .map(|order| match order.unwrap() {
            Order::ExchangePlayer { robot, plugin, params, .. } => format!("{robot} {plugin} {params}"),
            Order::Say { channel: Channel::Team, text } => text.into(),
            other => panic!("{other:?}"),
        })
        .collect()
}

/// Y1: once when it falls below the one limit, once when it rises to the other, and nothing between them.
#[test]
fn it_rests_who_is_tired_until_it_can_play_again() {
    let coach = Coach::new(params(), &setup()).unwrap();
    let mut resting = coach.initial_state();
    let nothing: [&str; 0] = [];
    assert_eq!(call(&coach, &mut resting, 0.3), nothing);
    assert_eq!(call(&coach, &mut resting, 0.299), ["1 wanderer {}", "rest blue-1"]);
    assert_eq!(call(&coach, &mut resting, 0.1), nothing);
    assert_eq!(call(&coach, &mut resting, 0.799), nothing);
    assert_eq!(call(&coach, &mut resting, 0.8), ["1 striker {\"n\":1}", "play blue-1"]);
    assert_eq!(call(&coach, &mut resting, 0.5), nothing);
}

#[test]
fn what_it_cannot_watch_is_refused() {
    let why = |params, setup: &PlayerSetup| Coach::new(params, setup).err().unwrap().to_string();
    assert!(why(params(), &PlayerSetup::default()).contains("[[team.player]]"));
    let datum = CoachParams { datum: "fuel".into(), ..params() };
    assert!(why(datum, &setup()).contains("no robot of its team publishes the motion datum \"fuel\""));
    assert!(why(CoachParams { play_from: 0.1, ..params() }, &setup()).contains("play_from"));
}
