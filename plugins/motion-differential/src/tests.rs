use super::*;
use std::f64::consts::{FRAC_PI_2, PI};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;

const DT_SECS: f64 = 0.01;

fn quick() -> DifferentialParams {
    DifferentialParams {
        max_speed_m_s: 2.0,
        max_turn_rad_s: 4.0,
        max_wheel_speed_m_s: Some(3.0),
        acceleration_m_s2: 1.0,
        braking_m_s2: Some(2.0),
        turn_acceleration_rad_s2: Some(5.0),
        wheel_base_m: 0.4,
        wheel_radius_m: 0.1,
        ..DifferentialParams::default()
    }
}

fn model(params: DifferentialParams) -> Differential {
    Differential::new(params, &MotionSetup { robot: "r".into(), dt_secs: DT_SECS }).unwrap()
}

/// Drives with a physics that achieves `allow(asked)`; returns the pose and the last output.
fn drive(
    model: &Differential,
    state: &mut DifferentialState,
    command: [f64; 2],
    steps: u64,
    allow: impl Fn(Twist2) -> Twist2,
) -> (Pose2, MotionOutput) {
    let (mut pose, mut output) = (Pose2::ORIGIN, MotionOutput::default());
    let mut achieved = Twist2::ZERO;
    let mut twist = Twist2::new(state.forward_m_s, 0.0, state.turn_rad_s);
    for step in 0..steps {
        let input = MotionInput {
            dt_secs: DT_SECS,
            command: &command,
            data: &[],
            achieved,
            twist,
            noise: NoiseKey::for_owner(1, "r/motion").at_step(step),
        };
        output = model.advance(state, &input).unwrap();
        (achieved, twist) = (allow(output.twist), allow(output.end_twist));
        pose = pose.advanced(achieved, DT_SECS);
    }
    (pose, output)
}

/// M1: the distance to full speed and back is that of constant acceleration.
#[test]
fn distances_are_those_of_constant_acceleration() {
    let model = model(quick());
    let mut state = model.initial_state();
    let (pose, output) = drive(&model, &mut state, [1.0, 0.0], 150, |asked| asked);
    // 1 s of acceleration over 0.5 m, then 0.5 s at 1 m/s.
    assert!((pose.x_m - 1.0).abs() < 1e-9, "{pose:?}");
    assert_eq!(output.end_twist, Twist2::new(1.0, 0.0, 0.0));
    let (pose, output) = drive(&model, &mut state, [0.0, 0.0], 100, |asked| asked);
    // 0.5 s of braking with 2 m/s^2 from 1 m/s.
    assert!((pose.x_m - 0.25).abs() < 1e-9, "{pose:?}");
    assert_eq!(output.end_twist, Twist2::ZERO);
}

/// M1: at constant speeds the path is a circle of radius v / w.
#[test]
fn constant_speeds_follow_a_circle() {
    let model = model(quick());
    let mut state = DifferentialState { forward_m_s: 0.5, turn_rad_s: FRAC_PI_2 };
    let (pose, _) = drive(&model, &mut state, [0.5, FRAC_PI_2], 100, |asked| asked);
    let radius_m = 0.5 / FRAC_PI_2;
    assert!((pose.x_m - radius_m).abs() < 1e-9 && (pose.y_m - radius_m).abs() < 1e-9, "{pose:?}");
}

/// M1: the wheels share one speed limit; the curve stays the same.
#[test]
fn a_command_beyond_the_wheels_keeps_its_curvature() {
    let limits = quick().limits().unwrap();
    // 2 + 10 * 0.2 = 4 m/s at the outer wheel, but 10 rad/s is 2.5 times the highest turning speed: scaled by 0.4.
    let speeds = limits.reachable(Speeds { forward_m_s: 2.0, turn_rad_s: 10.0 });
    assert!((speeds.turn_rad_s - 4.0).abs() < 1e-12 && (speeds.forward_m_s - 0.8).abs() < 1e-12);
    // 3.2 m/s at the outer wheel: scaled by 3 / 3.2... of the forward limit 2 / 2.4 first, which is the stronger one.
    let speeds = limits.reachable(Speeds { forward_m_s: 2.4, turn_rad_s: 4.0 });
    assert!((speeds.forward_m_s - 2.0).abs() < 1e-12);
    assert!((speeds.turn_rad_s / speeds.forward_m_s - 4.0 / 2.4).abs() < 1e-12);
    let tight = Limits { wheel_m_s: 1.0, ..limits };
    for (v, w) in [(1.0, 4.0), (-2.0, 3.0), (0.3, -4.0), (0.0, 4.0)] {
        let speeds = tight.reachable(Speeds { forward_m_s: v, turn_rad_s: w });
        let fastest = tight.wheels_m_s(speeds).into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        assert!(fastest <= 1.0 + 1e-12, "{speeds:?}");
        assert!((speeds.forward_m_s * w - speeds.turn_rad_s * v).abs() < 1e-12, "{speeds:?}");
    }
}

/// R2: a robot against a wall stores up no speed; when the wall is gone it accelerates from rest.
#[test]
fn a_blocked_robot_starts_from_rest() {
    let model = model(quick());
    let mut state = model.initial_state();
    let (_, output) = drive(&model, &mut state, [2.0, 0.0], 300, |_| Twist2::ZERO);
    // It pushes with the acceleration of one cycle, in each of them.
    assert!((output.end_twist.x_m_s - DT_SECS).abs() < 1e-12, "{output:?}");
    // The wall is gone: one second of acceleration.
    state.forward_m_s = 0.0;
    let (pose, _) = drive(&model, &mut state, [2.0, 0.0], 100, |asked| asked);
    assert!((pose.x_m - 0.5).abs() < 1e-9, "{pose:?}");
}

/// R2: half-blocked (pushing something) the speed follows what is achieved.
#[test]
fn a_robot_that_pushes_is_as_fast_as_what_it_pushes() {
    let model = model(quick());
    let mut state = model.initial_state();
    let (_, output) =
        drive(&model, &mut state, [2.0, 0.0], 300, |asked| Twist2::new(asked.x_m_s.min(0.3), 0.0, 0.0));
    assert!(output.end_twist.x_m_s < 0.3 + 2.0 * DT_SECS, "{output:?}");
}

/// R4: wheel speeds by hand: 1 m/s and 2 rad/s on a base of 0.4 m are 0.6 and 1.4 m/s, wheels of 0.1 m.
#[test]
fn wheel_speeds_are_published() {
    let model = model(quick());
    let mut state = model.initial_state();
    let (_, output) = drive(&model, &mut state, [1.0, 2.0], 300, |asked| asked);
    assert!((output.data[0] - 6.0).abs() < 1e-9 && (output.data[1] - 14.0).abs() < 1e-9, "{output:?}");
    assert_eq!(model.description().data.len(), 2);
}

/// M1: the noise has the deviation that it claims, and none is the default.
#[test]
fn noise_has_the_variance_that_it_claims() {
    assert_eq!(
        (DifferentialParams::default().speed_noise, DifferentialParams::default().turn_noise),
        (0.0, 0.0)
    );
    let model = model(DifferentialParams { speed_noise: 0.1, ..quick() });
    let n = 20_000u64;
    let mut squares = 0.0;
    for step in 0..n {
        let mut state = DifferentialState { forward_m_s: 1.0, ..DifferentialState::default() };
        let input = MotionInput {
            dt_secs: DT_SECS,
            command: &[1.0, 0.0],
            data: &[],
            achieved: Twist2::new(1.0, 0.0, 0.0),
            twist: Twist2::new(1.0, 0.0, 0.0),
            noise: NoiseKey::for_owner(1, "r/motion").at_step(step),
        };
        let error = model.advance(&mut state, &input).unwrap().twist.x_m_s - 1.0;
        squares += error * error;
    }
    let variance = squares / n as f64;
    // Five standard errors of a variance.
    assert!((variance / 0.01 - 1.0).abs() < 5.0 * (2.0 / n as f64).sqrt(), "{variance}");
}

#[test]
fn wrong_parameters_are_all_named() {
    let params = DifferentialParams {
        max_speed_m_s: -1.0,
        wheel_base_m: 0.0,
        speed_noise: f64::NAN,
        ..DifferentialParams::default()
    };
    let error = params.limits().unwrap_err();
    for name in ["/max_speed_m_s", "/wheel_base_m", "/speed_noise"] {
        assert!(error.problems.iter().any(|problem| problem.pointer == name), "{error}");
    }
}

#[test]
fn the_defaults_are_the_pioneers() {
    let limits = DifferentialParams::default().limits().unwrap();
    assert_eq!((limits.forward_m_s, limits.acceleration_m_s2), (0.5, 0.5));
    assert!((limits.turn_rad_s - PI / 2.0).abs() < 1e-12);
}

/// M1: with all the noise and speed that a file may ask for, no draw goes beyond what a world moves a robot by, which would stop it for good.
#[test]
fn noise_stays_within_what_a_world_allows() {
    let model = model(DifferentialParams {
        max_speed_m_s: 20.0,
        max_turn_rad_s: 50.0,
        max_wheel_speed_m_s: Some(50.0),
        acceleration_m_s2: 100.0,
        speed_noise: 1.0,
        turn_noise: 1.0,
        ..DifferentialParams::default()
    });
    for command in [[20.0, 0.0], [0.0, 50.0]] {
        let mut state = model.initial_state();
        for step in 0..5000 {
            let noise = NoiseKey::for_owner(1, "r/motion").at_step(step);
            let twist = Twist2::new(state.forward_m_s, 0.0, state.turn_rad_s);
            let input =
                MotionInput { dt_secs: DT_SECS, command: &command, data: &[], achieved: twist, twist, noise };
            let asked = model.advance(&mut state, &input).unwrap().twist;
            let is_allowed = asked.x_m_s.abs() <= 50.0 && asked.turn_rad_s.abs() <= 100.0;
            assert!(is_allowed, "step {step}: {asked:?}");
        }
    }
}

/// P6: the rules that every motion plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_motion::<Differential>("{}");
}
