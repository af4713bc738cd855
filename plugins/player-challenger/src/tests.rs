use super::*;
use crate::team::into_square;

/// CH22: the closed form of the ball's law: what it rolls is what was asked for.
#[test]
fn a_kick_is_as_hard_as_the_way_is_long() {
    let (slide_m_s2, part, roll_m_s2) = (3.0, 0.7, 0.3);
    let roll_s2_m = (1.0 - part * part) / (2.0 * slide_m_s2) + part * part / (2.0 * roll_m_s2);
    let params = ChallengerParams { roll_s2_m, kick_m_s: 6.0, ..ChallengerParams::default() };
    for far_m in [0.5, 3.0, 7.5, 12.0] {
        // Made step by step: it slides, and then rolls.
        let (mut v, dt, mut way_m) = (params.strength(far_m) * params.kick_m_s, 1e-5, 0.0);
        let rolls_m_s = part * v;
        while v > 0.0 {
            way_m += v * dt;
            v -= dt * if v > rolls_m_s { slide_m_s2 } else { roll_m_s2 };
        }
        assert!((way_m - far_m).abs() < 1e-3 * far_m, "{way_m} for {far_m}");
    }
    assert_eq!(params.strength(1e6), 1.0);
    let simple = ChallengerParams::default();
    assert!((simple.strength(6.0) - 0.5).abs() < 1e-12);
}

/// CH22: a keeper finds a place whatever the referee says of the square.
#[test]
fn a_square_may_be_of_any_size() {
    assert_eq!(into_square([3.0, -0.5], 1.0), [1.0, -0.5]);
    assert_eq!(into_square([3.0, -0.5], -1.0), [0.0, 0.0]);
}
