//! Orders in C and C++ are those in Rust, byte by byte.

use super::{compile, folder};
use std::path::Path;
use std::process::Command;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::game::{GameDescription, GameState, TeamState};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::orders::{Orders, code};
use touchline_plugin_api::radio::Channel;

/// Every order, as `orders.cpp` gives them.
fn orders() -> Orders {
    let mut orders = Orders::default();
    orders.drive(&[1.0, -2.0]);
    orders.drive_twist(Twist2::new(0.5, -0.25, 2.0));
    orders.manipulate(1, 2, 0.5);
    orders.manipulate_aimed(1, 2, Aim::strength(0.5).directed(-0.2));
    orders.manipulate_aimed(1, 2, Aim::strength(0.5).elevated(0.7));
    orders.say("mine");
    orders.say_on(Channel::Team, "ours");
    orders.set_sensor(2, 1, 0.5);
    orders.exchange_player(3, "wanderer", &serde_json::json!({"x": 1}), Some(0.25));
    orders.annotate("goal", &serde_json::json!({"x": 1}));
    orders.end();
    let pose = Pose2::new(1.0, 2.0, 3.0);
    orders.place_robot(4, pose);
    orders.place_moving_robot(4, pose, Twist2::new(0.1, 0.2, 0.3));
    orders.place_ball(0, [1.0, 2.0], [3.0, 4.0]);
    orders.place_flying_ball(0, [1.0, 2.0], [3.0, 4.0], Vertical { z_m: 0.5, speed_m_s: -1.0 });
    let mut game = GameState::new(1, &GameDescription::default());
    (game.clock_secs, game.phase, game.values) = (3.5, 1, vec![7.0]);
    game.teams[0] = TeamState { score: 3, may_move: 1, ..game.teams[0] };
    game.restart = bytemuck::Zeroable::zeroed();
    orders.set_game(&game);
    orders.event("goal", Some(1), "by nobody");
    orders.event("half", None, "");
    orders.measure("distance", 2.5, "m");
    orders.tell(4, "go");
    orders.remove_robot(5);
    orders.hold_robot(4, true);
    orders.set_datum(4, 1, 0.5);
    orders.announce("half time");
    orders.reset_objects();
    orders.refuse_kick(1);
    orders.reward(3, -0.5);
    orders.end_episode("goal");
    orders.rule("spawn-ball", &serde_json::json!({"position_m": [1, 2]}));
    orders
}

/// P7: no order is missing in C++, whose functions are those of C, and each is the same record with the same text.
#[test]
fn orders_are_the_same_bytes_in_every_language() {
    let expected = orders();
    let given: std::collections::BTreeSet<u32> = expected.records.iter().map(|record| record.code).collect();
    assert_eq!(given, (code::DRIVE..=code::RULE).collect(), "each order is given");
    let program = folder("orders").join("orders").display().to_string();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/orders.cpp").display().to_string();
    compile("c++", &["-std=c++17", "-O1", &source, "-o", &program]);
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let (records, text) = output.stdout.split_at(size_of_val(&*expected.records));
    for (place, record) in expected.records.iter().enumerate() {
        let size = size_of_val(record);
        assert_eq!(&records[place * size..][..size], bytemuck::bytes_of(record), "order {place}: {record:?}");
    }
    assert_eq!(text, expected.text);
}
