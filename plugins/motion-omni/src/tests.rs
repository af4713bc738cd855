use super::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;

const DT_SECS: f64 = 0.01;

fn quick() -> OmniParams {
    OmniParams { max_wheel_speed_m_s: 3.0, wheel_acceleration_m_s2: 2.0, ..OmniParams::default() }
}

fn model(params: OmniParams) -> Omni {
    Omni::new(params, &MotionSetup { robot: "r".into(), dt_secs: DT_SECS }).unwrap()
}

fn drive(
    model: &Omni,
    state: &mut OmniState,
    command: [f64; 3],
    steps: u64,
    allow: impl Fn(Twist2) -> Twist2,
) -> (Pose2, MotionOutput) {
    let (mut pose, mut output) = (Pose2::ORIGIN, MotionOutput::default());
    let (mut achieved, mut twist) = (state.twist, state.twist);
    for step in 0..steps {
        let noise = NoiseKey::for_owner(1, "r/motion").at_step(step);
        let input = MotionInput { dt_secs: DT_SECS, command: &command, data: &[], achieved, twist, noise };
        output = model.advance(state, &input).unwrap();
        (achieved, twist) = (allow(output.twist), allow(output.end_twist));
        pose = pose.advanced(achieved, DT_SECS);
    }
    (pose, output)
}

/// M2: by hand, wheels at 60, 180 and -60 degrees.
#[test]
fn rim_speeds_are_those_by_hand() {
    let wheels = OmniParams::default().wheels().unwrap();
    let rims = |x, y, turn| wheels.rims_m_s(Twist2::new(x, y, turn)).collect::<Vec<_>>();
    let close = |a: Vec<f64>, b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    let sin_60 = 0.75f64.sqrt();
    assert!(close(rims(1.0, 0.0, 0.0), [-sin_60, 0.0, sin_60]));
    assert!(close(rims(0.0, 1.0, 0.0), [0.5, -1.0, 0.5]));
    assert!(close(rims(0.0, 0.0, 1.0), [0.2, 0.2, 0.2]));
}

/// M2: it drives to the left without turning, with the closed form of constant acceleration.
#[test]
fn it_drives_sideways_as_the_hardest_working_wheel_allows() {
    let model = model(quick());
    let mut state = model.initial_state();
    // To the left the wheel at 180 degrees has the body's own speed: 1 m/s after 0.5 s and 0.25 m.
    let (pose, output) = drive(&model, &mut state, [0.0, 1.0, 0.0], 100, |asked| asked);
    assert!(
        (pose.y_m - 0.75).abs() < 1e-9 && pose.x_m.abs() < 1e-9 && pose.theta_rad.abs() < 1e-9,
        "{pose:?}"
    );
    assert!((output.data[1] + 1.0 / 0.05).abs() < 1e-9, "{:?}", output.data);
}

/// M2: no wheel turns faster, or changes its speed faster, than it can.
#[test]
fn wheels_stay_within_their_limits() {
    let model = model(OmniParams {
        max_wheel_speed_m_s: 1.2,
        wheel_angles_rad: vec![FRAC_PI_4, 3.0 * FRAC_PI_4, -3.0 * FRAC_PI_4, -FRAC_PI_4],
        ..quick()
    });
    let mut state = model.initial_state();
    let mut before = vec![0.0; 4];
    for command in [[1.6, 0.0, 2.0], [-1.6, 1.0, -2.0], [0.0, 0.0, 9.0], [5.0, 5.0, 5.0]] {
        for _ in 0..150 {
            let (_, output) = drive(&model, &mut state, command, 1, |asked| asked);
            let rims: Vec<f64> = output.data[..4].iter().map(|rad_s| rad_s * 0.05).collect();
            for (rim, before) in rims.iter().zip(&before) {
                assert!(rim.abs() <= 1.2 + 1e-9, "{rims:?}");
                assert!((rim - before).abs() <= 2.0 * DT_SECS + 1e-9, "{rims:?}");
            }
            before = rims;
        }
    }
}

/// M2: a wish beyond the limits keeps its direction and its curvature.
#[test]
fn a_wish_beyond_the_limits_keeps_its_shape() {
    let model = model(OmniParams { max_wheel_speed_m_s: 1.0, ..quick() });
    let wish = Twist2::new(3.0, -4.0, 1.0);
    let got = model.reachable(wish, model.max_speed_m_s);
    let factor = got.x_m_s / wish.x_m_s;
    assert!(factor > 0.0 && factor < 1.0);
    assert!((got.y_m_s / wish.y_m_s - factor).abs() < 1e-12);
    assert!((got.turn_rad_s / wish.turn_rad_s - factor).abs() < 1e-12);
}

/// M2: turning while driving keeps the body's velocity, so the path is a circle.
#[test]
fn constant_velocity_follows_a_circle() {
    let model = model(quick());
    let twist = Twist2::new(0.0, 0.5, FRAC_PI_2);
    let mut state = OmniState { twist };
    let mut pose = Pose2::ORIGIN;
    for step in 0..100 {
        let input = MotionInput {
            dt_secs: DT_SECS,
            command: &[0.0, 0.5, FRAC_PI_2],
            data: &[],
            achieved: twist,
            twist,
            noise: NoiseKey::default().at_step(step),
        };
        pose = pose.advanced(model.advance(&mut state, &input).unwrap().twist, DT_SECS);
    }
    let radius_m = 0.5 / FRAC_PI_2;
    assert!((pose.x_m + radius_m).abs() < 1e-9 && (pose.y_m - radius_m).abs() < 1e-9, "{pose:?}");
}

/// R2: a robot against a wall stores up no speed, and slides along it as before.
#[test]
fn a_blocked_robot_keeps_only_the_free_part() {
    let model = model(quick());
    let mut state = model.initial_state();
    let (_, output) = drive(&model, &mut state, [1.0, 0.6, 0.0], 300, |asked| {
        Twist2::new(0.0, asked.y_m_s, asked.turn_rad_s)
    });
    assert!(output.end_twist.x_m_s < 0.05, "{output:?}");
    assert!(output.end_twist.y_m_s > 0.5, "{output:?}");
}

/// M2: the noise has the deviation that it claims, and none is the default.
#[test]
fn noise_has_the_variance_that_it_claims() {
    assert_eq!(OmniParams::default().velocity_noise, 0.0);
    let model = model(OmniParams { velocity_noise: 0.2, ..quick() });
    let n = 20_000u64;
    let twist = Twist2::new(0.0, 1.0, 0.0);
    let mut squares = 0.0;
    for step in 0..n {
        let mut state = OmniState { twist };
        let input = MotionInput {
            dt_secs: DT_SECS,
            command: &[0.0, 1.0, 0.0],
            data: &[],
            achieved: twist,
            twist,
            noise: NoiseKey::for_owner(1, "r/motion").at_step(step),
        };
        let error = model.advance(&mut state, &input).unwrap().twist.y_m_s - 1.0;
        squares += error * error;
    }
    let variance = squares / n as f64;
    // Five standard errors of a variance.
    assert!((variance / 0.04 - 1.0).abs() < 5.0 * (2.0 / n as f64).sqrt(), "{variance}");
}

#[test]
fn wheels_that_cannot_drive_every_way_are_refused() {
    for angles in [vec![0.0, PI], vec![0.0, PI, 0.0], vec![0.0; 5], vec![0.0, f64::NAN, 1.0]] {
        let error = OmniParams { wheel_angles_rad: angles, ..quick() }.wheels().unwrap_err();
        assert!(error.problems.iter().all(|problem| problem.pointer == "/wheel_angles_rad"), "{error}");
    }
    let error = OmniParams { wheel_radius_m: 0.0, max_turn_rad_s: -1.0, ..quick() }.wheels().unwrap_err();
    assert_eq!(error.problems.len(), 2, "{error}");
}

/// What the data are after so many steps of one command; the robot does what it wants to do.
fn published(params: OmniParams, command: &[f64], steps: u64) -> (Vec<f64>, Twist2) {
    let model = model(params);
    let described = model.description().data;
    let mut data: Vec<f64> = described.iter().map(|datum| datum.initial).collect();
    let (mut state, mut achieved, mut twist) = (model.initial_state(), Twist2::ZERO, Twist2::ZERO);
    for step in 0..steps {
        let noise = NoiseKey::for_owner(1, "r/motion").at_step(step);
        let input = MotionInput { dt_secs: DT_SECS, command, data: &data, achieved, twist, noise };
        let output = model.advance(&mut state, &input).unwrap();
        (achieved, twist) = (output.twist, output.end_twist);
        data.copy_from_slice(&output.data[..described.len()]);
    }
    (data, achieved)
}

/// R3, R4: the neck turns at its speed while the body stands, as far as it can.
#[test]
fn a_neck_turns_at_its_speed_up_to_its_limits() {
    let params = || OmniParams { neck_speed_rad_s: Some(2.0), neck_limits_rad: [-1.0, 0.5], ..quick() };
    let angle = |speed, steps| published(params(), &[0.0, 0.0, 0.0, speed], steps).0[3];
    assert!((angle(1.5, 20) - 0.3).abs() < 1e-12);
    assert!((angle(-9.0, 20) + 0.4).abs() < 1e-12, "no faster than it can");
    assert_eq!([angle(9.0, 200), angle(-9.0, 200)], [0.5, -1.0]);
    assert_eq!(published(params(), &[0.0, 0.0, 0.0, 1.0], 50).1, Twist2::ZERO);
}

/// R4: at full stamina it falls by what the way costs, less what the time brings back; without any it creeps.
#[test]
fn stamina_sinks_with_the_way_and_limits_the_speed() {
    let params = OmniParams {
        stamina_per_m: Some(0.25),
        stamina_recovery_per_s: 0.0,
        tired_speed_fraction: 0.2,
        ..quick()
    };
    // A metre and a half costs three eighths.
    let (model, mut way_m) = (params.stamina().unwrap(), 0.0);
    let mut stamina = 1.0;
    for _ in 0..300 {
        stamina = model.after(stamina, 0.5, DT_SECS);
        way_m += 0.5 * DT_SECS;
    }
    assert!((stamina - (1.0 - 0.25 * way_m)).abs() < 1e-12);
    for (stamina, part) in [(0.0, 0.2), (0.5, 0.6), (1.0, 1.0)] {
        assert!((model.speed_fraction(stamina) - part).abs() < 1e-12);
    }
    // d(speed)/dt = -0.8 * 1.6 * 0.25 * speed: after a minute what is left is the creeping speed.
    let (data, twist) = published(params, &[1.6, 0.0, 0.0], 6000);
    assert!((twist.x_m_s - 0.2 * 1.6).abs() < 1e-9 && data[3] == 0.0, "{data:?} {twist:?}");
}

/// M2: with all the noise and speed that a file may ask for, no draw goes beyond what a world moves a robot by, which would stop it for good.
#[test]
fn noise_stays_within_what_a_world_allows() {
    let model = model(OmniParams {
        max_speed_m_s: 20.0,
        max_turn_rad_s: 50.0,
        max_wheel_speed_m_s: 50.0,
        wheel_acceleration_m_s2: 100.0,
        centre_distance_m: 0.1,
        velocity_noise: 1.0,
        ..OmniParams::default()
    });
    for command in [[20.0, 0.0, 0.0], [0.0, 20.0, 0.0], [0.0, 0.0, 50.0]] {
        let mut state = model.initial_state();
        for step in 0..5000 {
            let noise = NoiseKey::for_owner(1, "r/motion").at_step(step);
            let (achieved, twist) = (state.twist, state.twist);
            let input =
                MotionInput { dt_secs: DT_SECS, command: &command, data: &[], achieved, twist, noise };
            let asked = model.advance(&mut state, &input).unwrap().twist;
            let is_allowed =
                asked.x_m_s.abs() <= 50.0 && asked.y_m_s.abs() <= 50.0 && asked.turn_rad_s.abs() <= 100.0;
            assert!(is_allowed, "step {step}: {asked:?}");
        }
    }
}

/// P6: the rules that every motion plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_motion::<Omni>("{}");
    touchline_plugin_testing::check_motion::<Omni>(r#"{"neck_speed_rad_s": 2.0, "stamina_per_m": 0.1}"#);
}
