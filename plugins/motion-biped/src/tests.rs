use super::*;
use touchline_plugin_api::noise::NoiseKey;

const DT_SECS: f64 = 0.01;

fn model(params: BipedParams) -> Biped {
    Biped::new(params, &MotionSetup { robot: "r".into(), dt_secs: DT_SECS }).unwrap()
}

fn sure_footed() -> BipedParams {
    BipedParams { fall_rate_per_s: 0.0, ..BipedParams::default() }
}

/// Walks with one command and nothing in the way; `seen` is shown what comes out of each step.
fn walk(params: BipedParams, command: [f64; 3], steps: u64, seed: u64, mut seen: impl FnMut(&MotionOutput)) {
    let model = model(params);
    let (mut state, mut achieved) = (model.initial_state(), Twist2::ZERO);
    for step in 0..steps {
        let noise = NoiseKey::for_owner(seed, "r/motion").at_step(step);
        let input =
            MotionInput { dt_secs: DT_SECS, command: &command, data: &[], achieved, twist: achieved, noise };
        let output = model.advance(&mut state, &input).unwrap();
        achieved = output.end_twist;
        seen(&output);
    }
}

/// CH20: in the air for the share that the Froude number says, and not at all below 1/2; below it on both feet.
#[test]
fn the_time_in_the_air_follows_the_froude_number() {
    for speed_m_s in [0.4, 0.9, 1.1, 1.3, 1.5] {
        let params = BipedParams { max_forward_m_s: speed_m_s, ..sure_footed() };
        let (mut air, mut both, mut count) = (0.0, 0.0, 0.0);
        walk(params, [speed_m_s, 0.0, 0.0], 100_000, 1, |output| {
            if output.end_twist.x_m_s < speed_m_s {
                return;
            }
            count += 1.0;
            air += f64::from(u8::from(output.data[..2] == [0.0, 0.0]));
            both += f64::from(u8::from(output.data[..2] == [1.0, 1.0]));
        });
        let froude = speed_m_s * speed_m_s / (9.80665 * 0.248);
        let expected = 0.6 * (froude - 0.5);
        // Sampled: each of some 4700 steps is off by a part of a cycle.
        assert!((air / count - expected.max(0.0)).abs() < 0.002, "{speed_m_s} m/s: {}", air / count);
        assert!((both / count - (-expected).max(0.0)).abs() < 0.002, "{speed_m_s} m/s: {}", both / count);
    }
}

/// CH20: the feet take turns, `steps_per_s` in all.
#[test]
fn the_feet_take_turns() {
    let (mut last, mut landings) = ([1.0, 1.0], Vec::new());
    walk(sure_footed(), [1.5, 0.0, 0.0], 100_000, 1, |output| {
        let now = [output.data[0], output.data[1]];
        (0..2).filter(|&foot| now[foot] > last[foot]).for_each(|foot| landings.push(foot));
        last = now;
    });
    assert!(landings[10..].windows(2).all(|pair| pair[0] != pair[1]), "left, right, left");
    assert!((landings.len() as f64 - 4.7 * 1000.0).abs() < 10.0, "{} steps", landings.len());
}

/// CH20: in the air nothing of the velocity changes.
#[test]
fn who_flies_cannot_push() {
    let (mut before, mut changed, mut flew) = (Twist2::ZERO, 0, 0);
    let model = model(sure_footed());
    let (mut state, mut achieved) = (model.initial_state(), Twist2::ZERO);
    for step in 0..5000 {
        // To and fro, so that there is always something to change.
        let command =
            [if step % 300 < 250 { 1.5 } else { 0.9 }, 0.0, if step % 70 < 35 { 1.0 } else { -1.0 }];
        let noise = NoiseKey::for_owner(1, "r/motion").at_step(step);
        let input =
            MotionInput { dt_secs: DT_SECS, command: &command, data: &[], achieved, twist: achieved, noise };
        let output = model.advance(&mut state, &input).unwrap();
        achieved = output.end_twist;
        if output.data[..2] == [0.0, 0.0] {
            flew += 1;
            assert_eq!((output.end_twist, output.twist), (before, before));
        } else {
            changed += i32::from(output.end_twist != before);
        }
        before = output.end_twist;
    }
    assert!(flew > 500 && changed > 500, "{flew} in the air, {changed} changes");
}

/// CH20: falls come as a rate: of many robots at their highest speed `exp(-rate t)` still stand after a time `t`.
#[test]
fn falls_come_at_their_rate() {
    let params = BipedParams { fall_rate_per_s: 0.2, acceleration_m_s2: 100.0, ..BipedParams::default() };
    // exp(-0.2 * 5) and exp(-0.05 * 5): at half of the speed a quarter of the rate.
    for (speed_m_s, expected) in [(1.5, 0.367_879_441), (0.75, 0.778_800_783)] {
        let (robots, secs) = (2000, 5.0);
        let stand = (0..robots).filter(|&seed| {
            let mut has_fallen = false;
            let steps = (secs / DT_SECS) as u64;
            walk(params, [speed_m_s, 0.0, 0.0], steps, seed, |output| has_fallen |= output.data[2] == 1.0);
            !has_fallen
        });
        let part = stand.count() as f64 / robots as f64;
        let sigma: f64 = expected * (1.0 - expected) / robots as f64;
        let sigma = sigma.sqrt();
        assert!((part - expected).abs() < 4.0 * sigma, "{part} of {expected} +- {sigma}");
    }
}

/// CH20: who is pushed falls, lies for its time, and gets up; a push below the limit only slows it.
#[test]
fn a_push_brings_it_down_for_a_while() {
    for (taken_m_s, falls) in [(0.29, false), (0.31, true)] {
        let model = model(sure_footed());
        let (mut state, mut achieved, mut lies) = (model.initial_state(), Twist2::ZERO, 0_i32);
        for step in 0..1000 {
            let noise = NoiseKey::for_owner(1, "r/motion").at_step(step);
            let command = [1.0, 0.0, 0.0];
            let input = MotionInput {
                dt_secs: DT_SECS,
                command: &command,
                data: &[],
                achieved,
                twist: achieved,
                noise,
            };
            let output = model.advance(&mut state, &input).unwrap();
            achieved = output.end_twist;
            if step == 300 {
                achieved.x_m_s -= taken_m_s;
            }
            if output.data[2] == 1.0 {
                assert_eq!(output.twist, Twist2::ZERO);
                lies += 1;
            }
        }
        let expected = if falls { 250 } else { 0 };
        assert!((lies - expected).abs() <= 1, "{lies} steps");
        assert!((achieved.x_m_s - 1.0).abs() < 1e-9, "it walks again");
    }
}

/// R3: forward and sideways share what the legs can do; it stands on both feet.
#[test]
fn it_keeps_to_its_speeds_and_stands_on_both_feet() {
    let mut last = MotionOutput::default();
    walk(sure_footed(), [9.0, 9.0, 9.0], 1000, 1, |output| last = *output);
    let (x, y) = (last.twist.x_m_s / 1.5, last.twist.y_m_s / 0.6);
    assert!((x * x + y * y - 1.0).abs() < 1e-9 && last.twist.turn_rad_s == 2.5, "{last:?}");
    walk(sure_footed(), [0.0; 3], 10, 1, |output| last = *output);
    assert_eq!(last.data[..3], [1.0, 1.0, 0.0]);
}

/// P6: the rules that every motion plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_motion::<Biped>("{}");
    touchline_plugin_testing::check_motion::<Biped>(r#"{"fall_rate_per_s": 5.0}"#);
}
