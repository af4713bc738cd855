//! Heterogeneous types.

use touchline_soccer_law::params::{PlayerParams, ServerParams};
use touchline_soccer_law::player_type::{PlayerType, player_types};

/// The trade of each pair of abilities, and the band of real speeds, for many seeds.
#[test]
fn every_type_pays_for_what_it_has() {
    let (server, player) = (ServerParams::today(), PlayerParams::today());
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    for seed in 0..200 {
        let types = player_types(&server, &player, seed);
        assert_eq!(types.len(), 18);
        for drawn in &types[1..] {
            assert!(near(drawn.inertia_moment - 5.0, 25.0 * (drawn.player_decay - 0.4)));
            assert!(near(drawn.stamina_inc_max - 45.0, -6000.0 * (drawn.dash_power_rate - 0.006)));
            assert!(near(drawn.kick_rand - 0.1, drawn.kickable_margin - 0.7));
            assert!(near(drawn.effort_max - 1.0, -0.004 * (drawn.extra_stamina - 50.0)));
            assert!(near(drawn.effort_min - 0.6, -0.004 * (drawn.extra_stamina - 50.0)));
            assert!((1.0..1.3).contains(&drawn.catchable_area_l_stretch));
            let speed = 100.0 * drawn.dash_power_rate * drawn.effort_max / (1.0 - drawn.player_decay);
            assert!((0.75..=1.05).contains(&speed), "{speed}");
        }
    }
}

/// Extra stamina is uniform from 50 to 100 before the band of speeds cuts; the margin, which the band leaves alone, stays uniform: mean 0.7, deviation
/// 0.2 / sqrt 12.
#[test]
fn an_ability_that_the_band_leaves_alone_is_uniform() {
    let (server, player) = (ServerParams::today(), PlayerParams::today());
    let margins: Vec<f64> = (0..1000)
        .flat_map(|seed| player_types(&server, &player, seed).into_iter().skip(1))
        .map(|drawn| drawn.kickable_margin)
        .collect();
    let count = margins.len() as f64;
    let mean = margins.iter().sum::<f64>() / count;
    let deviation = 0.2 / 12f64.sqrt();
    assert!((mean - 0.7).abs() < 4.0 * deviation / count.sqrt(), "{mean}");
    let below = margins.iter().filter(|&&margin| margin < 0.65).count() as f64 / count;
    assert!((below - 0.25).abs() < 4.0 * (0.25 * 0.75 / count).sqrt(), "{below}");
}

#[test]
fn a_seed_gives_its_types_and_more_types_change_none() {
    let (server, mut player) = (ServerParams::today(), PlayerParams::today());
    let types = player_types(&server, &player, 3);
    assert_eq!(types, player_types(&server, &player, 3));
    assert_ne!(types, player_types(&server, &player, 4));
    player.player_types = 7;
    assert_eq!(player_types(&server, &player, 3), types[..7]);
    // A band that nothing fits into: all are the default.
    let narrow = ServerParams { player_speed_max_min: 5.0, ..server };
    let defaults = player_types(&narrow, &player, 3);
    assert!(defaults.iter().all(|drawn| *drawn == defaults[0]));
}

/// A file may say that nobody loses any speed, or that no dash moves anybody: the speed is a number all the same, and all types are the default one.
#[test]
fn a_real_speed_is_a_number_by_the_extremes_of_a_file() {
    let player = PlayerParams::today();
    for (player_decay, maxpower, speed) in
        [(1.0, 100.0, f64::INFINITY), (1.0, 0.0, 0.0), (0.4, 0.0, 0.0), (0.5, 100.0, 1.2)]
    {
        let server = ServerParams { player_decay, maxpower, ..ServerParams::today() };
        let default = PlayerType::default_of(&server);
        assert_eq!(default.real_speed_max(&server), speed, "decay {player_decay}, power {maxpower}");
        if speed != 1.2 {
            assert!(player_types(&server, &player, 1).iter().all(|drawn| *drawn == default));
        }
    }
}
