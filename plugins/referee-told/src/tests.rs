use super::*;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::view::{Object, ObjectKind, WorldView};

const BALL: u32 = 1;

/// What comes of these lines: the game and the other orders, as far as they are told in words.
fn told(lines: &str) -> (GameState, Vec<String>) {
    let params = ToldParams { phases: vec!["before".into(), "play_on".into()] };
    let referee = Told::new(params, &RefereeSetup::default()).unwrap();
    let game = GameState::new(2, &referee.description());
    let zero: Object = bytemuck::Zeroable::zeroed();
    let objects = [Object { kind_code: BALL, ..zero }];
    assert_eq!(objects[0].kind(), ObjectKind::Ball);
    let view = WorldView::new(1, 0.1, &objects, &[]);
    let input = RefereeInput {
        dt_secs: 0.1,
        view,
        contacts: &[],
        waypoints: &[],
        motion_data: &[],
        game: game.view(),
        commands: lines,
        noise: NoiseKey::default(),
    };
    let mut orders = Orders::default();
    referee.judge(&mut Stateless, &input, &mut orders).unwrap();
    orders.check().unwrap();
    let (mut after, mut words) = (game.clone(), Vec::new());
    for order in orders.iter() {
        match order.unwrap() {
            Order::Game(said) => after = said.to_state(),
            Order::Announce(text) => words.push(text.to_owned()),
            other => words.push(format!("{other:?}")),
        }
    }
    (after, words)
}

#[test]
fn the_game_is_what_the_lines_say() {
    let (game, words) = told("phase play_on\nclock 12.5\nscore 1 3");
    assert_eq!((game.phase, game.clock_secs, game.score(0), game.score(1)), (1, 12.5, 1, 3));
    assert!(words.is_empty(), "{words:?}");
}

#[test]
fn balls_events_and_values_are_passed_on() {
    let (_, words) = told("ball 0 1 -2 0.5 0\nevent goal 1 by 7\ndraw {\"x\": 1}");
    assert!(
        words[0].starts_with("PlaceBall { ball: 0, position: [1.0, -2.0], velocity: [0.5, 0.0]"),
        "{words:?}"
    );
    assert!(words[1].starts_with("Event { kind: \"goal\""), "{words:?}");
    assert!(words[2].starts_with("Annotate { key: \"told\""), "{words:?}");
}

#[test]
fn a_robot_s_line_has_its_velocity_in_its_own_frame() {
    let read = Line::read("robot 3 1 2 0.5 -1 0.25 0.125");
    let expected =
        Line::Robot { robot: 3, pose: Pose2::new(1.0, 2.0, 0.5), twist: Twist2::new(-1.0, 0.25, 0.125) };
    assert_eq!(read, Ok(expected));
}

#[test]
fn what_makes_no_sense_is_said_and_changes_nothing() {
    let lines = [
        "smile",
        "phase half_time",
        "clock -1",
        "clock nan",
        "score x",
        "ball 0 1 2 3",
        "ball 0 1 2 60 0",
        "ball a 1 2 3 4",
        "robot 0 1 2 3 4 5 6",
        "robot 0 1e9 0 0 0 0 0",
        "robot 0 1 2 3 4 5 6 7",
        "event Goal! -",
        "event goal 2",
        "event goal blue",
        "event contact -",
        "event fault 0",
        "ball 7 0 0 0 0",
        "robot 0 0 0 0 51 0 0",
        "robot 0 0 0 0 0 0 101",
        "draw {",
    ];
    for line in lines {
        let (game, words) = told(line);
        assert_eq!(game, GameState::new(2, &GameDescription::of_phases(&["before", "play_on"])), "{line}");
        assert_eq!(words.len(), 1, "{line}: {words:?}");
    }
}

/// P6: the rules that every referee plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<Told>("{}");
    touchline_plugin_testing::check_referee::<Told>(r#"{"phases": ["before", "play_on"]}"#);
}
