use super::*;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::view::{Object, WorldView};

const DT_SECS: f64 = 0.02;

/// A robot that goes `speed_m_s` in x: what is measured of it, and after how many steps it was over.
fn run(speed_m_s: f64, rules: RunRules) -> (Vec<(String, f64)>, u64) {
    let mut setup = RefereeSetup { dt_secs: DT_SECS, ..RefereeSetup::default() };
    setup.world.robot_teams = vec![Some(0)];
    let referee = Run::new(rules, &setup).unwrap();
    let mut state = referee.initial_state();
    let mut robot = Object { kind_code: 2, ..bytemuck::Zeroable::zeroed() };
    let mut measures = Vec::new();
    for step in 0..2000 {
        let objects = [robot];
        let view = WorldView { step, time_secs: 0.0, objects: &objects, shapes: &[] };
        let game = GameState::new(1, &referee.description());
        let noise = NoiseSeed::new(1).key(NoiseOwner::new("referee"), step);
        let input = RefereeInput {
            dt_secs: DT_SECS,
            view,
            contacts: &[],
            motion_data: &[],
            game: game.view(),
            commands: "",
            noise,
        };
        let mut orders = Orders::default();
        referee.judge(&mut state, &input, &mut orders).unwrap();
        for order in orders.iter() {
            match order.unwrap() {
                Order::PlaceRobot { pose, .. } => robot.pose = pose,
                Order::Measure { name, value, .. } => measures.push((name.to_owned(), value)),
                Order::EndEpisode(_) => return (measures, step),
                _ => {}
            }
        }
        robot.pose.x_m += speed_m_s * DT_SECS;
    }
    panic!("it does not end");
}

/// CH20: a steady speed is measured as it is, whether the time or the far line ends the run.
#[test]
fn a_steady_speed_is_the_score() {
    for speed_m_s in [0.3, 1.0, 2.5, 4.0] {
        let (measures, _) = run(speed_m_s, RunRules::default());
        let [(_, way_m), (_, secs), (_, score)] = &measures[..] else { panic!("{measures:?}") };
        assert!((score - speed_m_s).abs() < 1e-9, "{measures:?}");
        assert!((way_m / secs - speed_m_s).abs() < 1e-9);
        let limit_secs = (26.5 / speed_m_s).min(10.0);
        assert!((secs - limit_secs).abs() < 3.0 * DT_SECS, "{measures:?}");
    }
}

/// CH20: who does not cross the line is timed 4 s after he was placed; who goes back has no speed.
#[test]
fn the_clock_starts_without_the_line() {
    for speed_m_s in [0.0, -1.0] {
        let (measures, steps) = run(speed_m_s, RunRules::default());
        assert_eq!(measures[2], ("score".into(), 0.0));
        assert!((steps as f64 * DT_SECS - 14.0).abs() < 3.0 * DT_SECS, "{steps} steps");
    }
}

/// CH21: from 0.2 m on, the same with another line.
#[test]
fn another_line_changes_where_it_is_measured_from() {
    let rules = RunRules { line_m: 0.2, start_secs: 3600.0, ..RunRules::default() };
    let (measures, steps) = run(1.0, rules);
    assert!((measures[2].1 - 1.0).abs() < 1e-9);
    assert!((steps as f64 * DT_SECS - 10.2).abs() < 3.0 * DT_SECS, "{steps} steps");
}
