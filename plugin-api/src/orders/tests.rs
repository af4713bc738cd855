use super::*;
use crate::game::{GameDescription, GameState};

#[test]
fn orders_are_read_as_they_were_written() {
    let mut orders = Orders::default();
    orders.drive(&[1.0, -2.0]);
    orders.say("mine");
    let aim = Aim::strength(0.5).elevated(0.7);
    orders.manipulate_aimed(1, 2, aim);
    orders.manipulate_aimed(1, 2, Aim::strength(1.0).directed(-0.2));
    let vertical = Vertical { z_m: 0.5, speed_m_s: -1.0 };
    orders.place_flying_ball(3, [1.0, 2.0], [0.0; 2], vertical);
    orders.say_on(Channel::Team, "ours");
    orders.set_sensor(2, 1, 0.5);
    orders.exchange_player(3, "wanderer", &serde_json::json!({}), None);
    orders.annotate("goal", &serde_json::json!({"x": 1}));
    let mut game = GameState::new(2, &GameDescription::default());
    game.clock_secs = 3.5;
    orders.set_game(&game);
    orders.reward(3, -0.5);
    orders.end_episode("goal");
    orders.event("goal", Some(1), "by nobody");
    orders.measure("distance", 2.5, "m");
    orders.hold_robot(4, true);
    orders.set_datum(4, 1, 0.5);
    orders.tell(4, "go");
    orders.rule("spawn-ball", &serde_json::json!({"like": 0}));
    let read: Vec<_> = orders.iter().map(Result::unwrap).collect();
    let Order::Game(said) = read[9] else { panic!("{:?} is no game", read[9]) };
    assert_eq!(said.to_state(), game);
    assert_eq!(
        read,
        [
            Order::Drive(&[1.0, -2.0]),
            Order::Say { channel: Channel::All, text: "mine" },
            Order::Manipulate { manipulator: 1, state: 2, aim },
            Order::Manipulate { manipulator: 1, state: 2, aim: Aim::strength(1.0).directed(-0.2) },
            Order::PlaceBall { ball: 3, position: [1.0, 2.0], velocity: [0.0; 2], vertical },
            Order::Say { channel: Channel::Team, text: "ours" },
            Order::SetSensor { sensor: 2, datum: 1, value: 0.5 },
            Order::ExchangePlayer { robot: 3, plugin: "wanderer", params: "{}", period_secs: 0.0 },
            Order::Annotate { key: "goal", value: "{\"x\":1}" },
            Order::Game(said),
            Order::Reward { robot: 3, value: -0.5 },
            Order::EndEpisode("goal"),
            Order::Event { kind: "goal", team: 1, text: "by nobody" },
            Order::Measure { name: "distance", unit: "m", value: 2.5 },
            Order::HoldRobot { robot: 4, held: true },
            Order::SetDatum { robot: 4, datum: 1, value: 0.5 },
            Order::Tell { robot: 4, text: "go" },
            Order::Rule { word: "spawn-ball", args: "{\"like\":0}" },
        ]
    );
}

#[test]
fn a_record_that_makes_no_sense_is_an_error() {
    let mut orders = Orders::default();
    orders.say("x");
    orders.records[0].text_start = 700;
    orders.records.push(OrderRecord { code: 99, ..OrderRecord::default() });
    orders.records.push(OrderRecord { code: 1, index: 9, ..OrderRecord::default() });
    orders.say("to nobody");
    orders.records[3].index = 7;
    assert_eq!(orders.iter().filter(Result::is_err).count(), 4);
}
