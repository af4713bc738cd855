use super::*;
use std::f64::consts::PI;
use touchline_plugin_testing::check_motion;

fn body(robot: &str) -> Soccer {
    let setup = MotionSetup { robot: robot.into(), dt_secs: 0.1 };
    let Ok(body) = Soccer::new(SoccerParams::default(), &setup) else {
        panic!("there is nothing to be wrong")
    };
    body
}

fn advance(data: &[f64]) -> MotionOutput {
    let input = MotionInput {
        dt_secs: 0.1,
        command: &[0.0; 8],
        data,
        achieved: Twist2::ZERO,
        twist: Twist2::ZERO,
        noise: Default::default(),
    };
    body("left-1").advance(&mut Stateless, &input).unwrap()
}

/// P6: the rules that every motion plugin keeps.
#[test]
fn it_keeps_the_contract() {
    check_motion::<Soccer>("{}");
}

#[test]
fn the_uniform_number_is_at_the_end_of_the_name() {
    let names = [("left-7", 7), ("right-11", 11), ("right-12", 0), ("keeper", 0), ("x0", 0), ("5", 5)];
    for (name, unum) in names {
        assert_eq!(body(name).description().data[Datum::Unum.index()].initial, f64::from(unum), "{name}");
    }
}

/// Spec 6: it turns, goes straight on, and its velocity decays; whatever the turn, it comes to place + velocity.
#[test]
fn it_goes_where_the_velocity_says_however_it_turns() {
    for turn_rad in [0.0, 1e-9, 0.3, -2.0, PI] {
        let mut data = [0.0; Datum::ALL.len()];
        for (datum, value) in
            [(Datum::VelocityX, 6.0), (Datum::VelocityY, -2.0), (Datum::Turn, turn_rad), (Datum::Decay, 0.4)]
        {
            data[datum.index()] = value;
        }
        data[Datum::Stamina.index()] = 8000.0;
        let output = advance(&data);
        let way = output.twist.displacement(0.1);
        assert!((way.x_m - 0.6).abs() < 1e-12 && (way.y_m + 0.2).abs() < 1e-12, "{turn_rad}: {way:?}");
        assert!((way.theta_rad - turn_rad).abs() < 1e-12, "{turn_rad}: {way:?}");
        // The velocity afterwards in the world of the beginning: 0.4 of what it was.
        let (sin, cos) = sin_cos(turn_rad);
        let Twist2 { x_m_s, y_m_s, turn_rad_s } = output.end_twist;
        assert!((cos * x_m_s - sin * y_m_s - 2.4).abs() < 1e-12 && turn_rad_s == 0.0);
        assert!((sin * x_m_s + cos * y_m_s + 0.8).abs() < 1e-12);
        // It counts once, and what else is known stays.
        assert_eq!(output.data[Datum::VelocityX.index()], 0.0);
        assert_eq!(output.data[Datum::Stamina.index()], 8000.0);
    }
}
