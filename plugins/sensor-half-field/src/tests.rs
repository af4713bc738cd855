//! The features against numbers that were worked out apart, by the formulas of the benchmark's manual and program.

use super::*;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::{MotionDatum, MotionDescription};
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

const HIGH: &str = r#"{"features": "high-level"}"#;

#[test]
fn it_keeps_the_contract() {
    check_sensor::<HalfField>("{}");
    check_sensor::<HalfField>(HIGH);
}

/// An attacker at (30, 10) that looks 0.5 rad to the left, the ball beside it, a mate, a defender and a goalkeeper: world frame, m/s.
fn scene() -> FakeWorld {
    let at = |x, y, theta| Pose2::new(x, y, theta);
    FakeWorld::new()
        .ball([31.0, 10.5], [10.0, -5.0])
        .moving_robot(at(30.0, 10.0, 0.5), Twist2::new(2.0, 1.0, 0.0), 0)
        .moving_robot(at(40.0, -5.0, 1.0), Twist2::new(0.0, 3.0, 0.0), 0)
        .robot(at(51.0, 1.0, 3.0), 1)
        .robot(at(42.0, 4.0, 3.0), 1)
}

/// `feature.field` of the reading of a robot.
fn read(params: &str, world: &FakeWorld, robot: u32) -> impl Fn(&str) -> f64 + use<> {
    let data = Datum::ALL.iter().map(|datum| MotionDatum::new(datum.name(), datum.unit())).collect();
    let motion = MotionDescription { data, ..MotionDescription::default() };
    let params = serde_json::from_str(params).unwrap();
    let sensor = HalfField::new(params, &SensorSetup { motion, ..sensor_setup() }).unwrap();
    let mut motion_data = vec![0.0; Datum::ALL.len()];
    motion_data[Datum::Stamina.index()] = 6000.0;
    motion_data[Datum::State.index()] = f64::from(state::STAND | state::PLAYER_COLLIDE | state::KICK_FAULT);
    motion_data[Datum::TackleCycles.index()] = 3.0;
    let input = SensorInput { motion_data: &motion_data, ..world.sensor_input(robot, Mount::default()) };
    let layout = sensor.layout();
    let mut quantised = vec![0; layout.len()];
    sensor.generate(&Stateless, &input, &mut quantised).unwrap();
    let names = layout.features.iter().flat_map(|feature| {
        feature.fields.iter().map(|field| (format!("{}.{}", feature.name, field.name), field.clone()))
    });
    let fields: Vec<_> = names.collect();
    move |name| {
        let place = fields.iter().position(|(known, _)| known == name).unwrap_or_else(|| panic!("{name}"));
        fields[place].1.decode(quantised[place])
    }
}

fn compare(value: impl Fn(&str) -> f64, wanted: &[(&str, f64)]) {
    for (name, wanted) in wanted {
        let got = value(name);
        assert!((got - wanted).abs() < 2e-6, "{name}: {got} for {wanted}");
    }
}

/// The manual's section on low-level features; y points to the right there, and angles are clockwise.
#[test]
fn low_level_features_are_the_benchmark_s() {
    compare(
        read("{}", &scene(), 0),
        &[
            ("self.self_pos_valid", 1.0),
            ("self.self_vel_sin", -0.036_344_4),
            ("self.self_vel_cos", 0.999_339_3),
            ("self.self_vel_mag", -0.027_796_5),
            ("self.self_ang_sin", -0.479_425_5),
            ("self.stamina", 0.5),
            ("self.frozen", 1.0),
            ("self.colliding_with_ball", -1.0),
            ("self.colliding_with_player", 1.0),
            ("self.kickable", -1.0),
            ("self.goal_center_sin", 0.794_525),
            ("self.goal_center_cos", 0.607_232),
            ("self.goal_center_proximity", 0.426_781),
            ("self.goal_post_top_sin", 0.590_852),
            ("self.goal_post_top_proximity", 0.471_581),
            ("self.penalty_box_top_sin", -0.511_864),
            ("self.penalty_box_top_proximity", 0.725_303),
            ("self.corner_bot_left_sin", 0.455_005),
            ("self.corner_bot_left_proximity", -0.239_788),
            ("self.oob_left_proximity", -0.038_961),
            ("self.oob_right_proximity", 0.220_779),
            ("self.oob_top_proximity", 0.327_731),
            ("self.oob_bot_proximity", -0.232_493),
            ("self.ball_sin", 0.036_344),
            ("self.ball_proximity", 0.973_971),
            ("self.ball_vel_mag", -0.552_786),
            ("self.ball_vel_sin", 0.447_214),
            ("self.ball_vel_cos", 0.894_427),
            ("mate-1.sin", 0.996_130),
            ("mate-1.proximity", 0.580_303),
            ("mate-1.body_sin", -0.841_471),
            ("mate-1.vel_mag", -0.2),
            ("mate-1.vel_sin", -1.0),
            ("mate-unum-1.unum", 0.02),
            // The nearer one is the first.
            ("opponent-1.sin", 0.821_278),
            ("opponent-2.sin", 0.786_358),
            ("opponent-2.proximity", 0.468_1),
            ("mate-2.sin", 0.0),
            ("last.action_success_possible", -1.0),
        ],
    );
}

/// The manual's section on high-level features, with what the benchmark's program makes of it: "proximities" grow with the distance.
#[test]
fn high_level_features_are_the_benchmark_s() {
    let value = read(HIGH, &scene(), 0);
    compare(
        &value,
        &[
            ("self.x", 0.119_047_6),
            ("self.y", -0.267_379_7),
            ("self.orientation", -0.159_154_9),
            ("self.ball_x", 0.150_793_7),
            ("self.ball_y", -0.280_748_7),
            ("self.able_to_kick", -1.0),
            ("self.goal_center_proximity", -0.426_781_3),
            ("self.goal_center_angle", 0.133_124_9),
            ("self.goal_opening_angle", -0.841_458_2),
            ("self.proximity_to_opponent", -0.687_657_8),
            ("mate-goal-1.goal_opening_angle", -0.608_152_4),
            ("mate-opponent-1.proximity_to_opponent", -0.785_363_3),
            ("mate-pass-1.pass_opening_angle", -0.195_229_4),
            ("mate-1.x", 0.436_507_9),
            ("mate-1.y", 0.133_689_8),
            ("mate-1.unum", 2.0),
            ("opponent-1.x", 0.5),
            ("opponent-1.y", -0.106_951_9),
            ("opponent-1.unum", 2.0),
            ("opponent-2.x", 0.785_714_3),
            ("opponent-2.unum", 1.0),
            ("opponent-3.unum", -2.0),
            ("mate-2.x", -2.0),
            ("last.action_success_possible", -1.0),
            ("last.stamina", 0.5),
        ],
    );
    // To a defender at (42, 4) its own goal is at x < 0, whoever attacks it.
    let defender = read(HIGH, &scene(), 3);
    compare(
        defender,
        &[
            ("self.x", -0.5),
            ("self.y", 0.106_951_9),
            ("self.orientation", 0.045_070_3),
            ("self.goal_center_proximity", -0.738_416_6),
            ("self.goal_center_angle", -0.884_141_9),
            ("opponent-1.unum", 2.0),
        ],
    );
}

/// A lane to a mate is a quarter of a turn wide; an opponent in its middle leaves less than half of it, and one behind the mate leaves all.
#[test]
fn who_stands_behind_a_mate_covers_nothing() {
    for (opponent_x, open) in [(15.0, -0.568_804), (25.0, 0.0)] {
        let at = |x| Pose2::new(x, 0.0, 0.0);
        let world = FakeWorld::new().ball([10.5, 0.0], [0.0; 2]).robot(at(10.0), 0).robot(at(20.0), 0);
        let value = read(HIGH, &world.robot(at(opponent_x), 1), 0);
        compare(value, &[("mate-pass-1.pass_opening_angle", open)]);
    }
}

/// How many numbers there are: 58 + 9 T + 9 O + 1, and 10 + 6 T + 3 O + 2.
#[test]
fn there_are_as_many_as_the_benchmark_has() {
    let count = |features, of: [&str; 2], players: usize| {
        let layout = form(features).layout;
        let len = |name: &str| layout.features.iter().find(|f| f.name == name).map_or(0, |f| f.fields.len());
        let of_mate = ["mate-1", "mate-goal-1", "mate-opponent-1", "mate-pass-1", "mate-unum-1"];
        let mates: usize = of_mate.into_iter().map(len).sum();
        let opponents: usize = ["opponent-1", "opponent-unum-1"].into_iter().map(len).sum();
        of.into_iter().map(len).sum::<usize>() + players * mates + (players + 1) * opponents
    };
    assert_eq!(count(Features::LowLevel, ["self", "last"], 3), 58 + 9 * 3 + 9 * 4 + 1);
    assert_eq!(count(Features::HighLevel, ["self", "last"], 3), 10 + 6 * 3 + 3 * 4 + 2);
}

/// Without a ball nothing can be read.
#[test]
fn without_a_ball_nothing_is_read() {
    let world = FakeWorld::new().robot(Pose2::new(30.0, 10.0, 0.5), 0);
    assert!(read("{}", &world, 0)("self.kickable").is_infinite());
}
