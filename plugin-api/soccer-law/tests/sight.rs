//! Sight: closed forms, and what the real server was seen to send.

use touchline_plugin_api::noise::NoiseKey;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;
use touchline_soccer_law::sight::{Known, Target, Viewer};

fn viewer(kind: &PlayerType, pos: [f64; 2], face_deg: f64) -> Viewer<'_> {
    Viewer {
        pos,
        vel: [0.0; 2],
        face_rad: face_deg.to_radians(),
        view_angle_rad: 90_f64.to_radians(),
        is_high: true,
        is_gaussian: false,
        focus: pos,
        has_lengths: false,
        kind,
        noise: NoiseKey::for_owner(1, "viewer"),
    }
}

fn still(pos: [f64; 2]) -> Target {
    Target { pos, vel: [0.0; 2], body_rad: 0.0, face_rad: 0.0, arm_rad: None }
}

/// A player of version 7 at (-50, 0) that looks along x: distances and directions as they were captured.
#[test]
fn landmarks_are_where_the_server_saw_them() {
    let server = ServerParams::today();
    let kind = PlayerType::default_of(&server);
    let viewer = viewer(&kind, [-50.0, 0.0], 0.0);
    let seen = |pos: [f64; 2]| {
        let seen = viewer.landmark(pos, 1, &server).unwrap();
        (seen.known, (seen.dist.unwrap() * 10.0).round() / 10.0, seen.dir_rad.to_degrees().round())
    };
    for (pos, dist, dir) in [
        ([0.0, 0.0], 49.9, 0.0),
        ([0.0, -34.0], 60.3, -34.0),
        ([52.5, 34.0], 107.8, 18.0),
        ([52.5, 7.01], 102.5, 4.0),
        ([36.0, 20.16], 88.2, 13.0),
        ([50.0, -39.0], 107.8, -21.0),
        ([57.5, 30.0], 111.1, 16.0),
        ([-36.0, 0.0], 14.0, 0.0),
    ] {
        assert_eq!(seen(pos), (Known::Whole, dist, dir), "{pos:?}");
    }
    assert_eq!(seen([-52.5, 0.0]), (Known::Close, 2.5, 180.0));
    assert!(viewer.landmark([-52.5, 34.0], 1, &server).is_none());
    let lines = viewer.lines(&server);
    let (letter, line) = &lines[0];
    assert_eq!((lines.len(), *letter, line.dir_rad.to_degrees().round()), (1, 'r', 90.0));
    assert!((line.dist.unwrap() - 102.5).abs() < 1e-9);
}

/// From outside, through a goal, two lines are met; from inside one.
#[test]
fn lines_are_met_along_the_neck() {
    let server = ServerParams::today();
    let kind = PlayerType::default_of(&server);
    let letters = |pos, face| {
        let lines = viewer(&kind, pos, face).lines(&server);
        lines.iter().map(|(letter, _)| *letter).collect::<String>()
    };
    assert_eq!(letters([0.0, 0.0], 0.0), "r");
    assert_eq!(letters([0.0, 0.0], -90.0), "t");
    assert_eq!(letters([0.0, 0.0], 90.0), "b");
    assert_eq!(letters([-55.0, 0.0], 0.0), "lr");
    assert_eq!(letters([-55.0, 0.0], 180.0), "");
    assert_eq!(letters([0.0, -40.0], 90.0), "tb");
}

/// Spec 7: numbers are missed with probability (D - 20) / 20, teams with (D - 40) / 20; within three deviations of 10^5 draws.
#[test]
fn players_are_known_less_the_farther_they_are() {
    let server = ServerParams::today();
    let kind = PlayerType::default_of(&server);
    let count = 100_000;
    for (place, known, expected) in
        [(25.0, Known::Team, None), (50.0, Known::Somebody, None), (10.0, Known::Whole, Some(1.0))]
    {
        let mut hits = 0;
        let mut dist = 0.0;
        for step in 0..count {
            let mut viewer = viewer(&kind, [0.0, 0.0], 0.0);
            viewer.noise = viewer.noise.at_step(step);
            let seen = viewer.player(&still([place, 0.0]), 7, &server).unwrap();
            hits += u64::from(seen.known == known);
            dist = seen.dist.unwrap();
        }
        let p: f64 = expected.unwrap_or(match known {
            Known::Team => (dist - 20.0) / 20.0,
            _ => (dist - 40.0) / 20.0,
        });
        let deviation = (p * (1.0 - p) / count as f64).sqrt();
        let share = hits as f64 / count as f64;
        assert!((share - p).abs() <= 3.5 * deviation, "{place}: {share} for {p}");
    }
}

/// Gaussian sight: mean and deviation of a distance of 20 m seen with the focus on oneself: 20 * (0.0125 + 0.0125).
#[test]
fn gaussian_distances_have_their_deviation() {
    let server = ServerParams::today();
    let kind = PlayerType::default_of(&server);
    let count = 100_000_u64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for step in 0..count {
        let mut viewer = Viewer { is_gaussian: true, has_lengths: true, ..viewer(&kind, [0.0, 0.0], 0.0) };
        viewer.noise = viewer.noise.at_step(step);
        let dist = viewer.ball(&still([20.0, 0.0]), 3, &server).unwrap().dist.unwrap();
        sum += dist;
        squares += dist * dist;
    }
    let count = count as f64;
    let (mean, sigma) = (sum / count, 0.5);
    let deviation = (squares / count - mean * mean).sqrt();
    assert!((mean - 20.0).abs() < 4.0 * sigma / count.sqrt(), "{mean}");
    assert!((deviation - sigma).abs() < 4.0 * sigma / (2.0 * count).sqrt(), "{deviation}");
}

/// What one sees of a thing does not depend on what else is looked at, and low quality tells directions alone.
#[test]
fn sightings_are_readings() {
    let server = ServerParams::today();
    let kind = PlayerType::default_of(&server);
    let viewer = viewer(&kind, [0.0, 0.0], 10.0);
    let target = Target { vel: [0.5, -0.2], arm_rad: Some(1.0), ..still([18.0, 3.0]) };
    let first = viewer.player(&target, 5, &server).unwrap();
    viewer.ball(&still([5.0, 5.0]), 4, &server);
    assert_eq!(viewer.player(&target, 5, &server), Some(first));
    assert!(first.change.is_some() && first.arm_rad.is_some() && first.body_head_rad.is_some());
    let low = Viewer { is_high: false, ..viewer }.player(&target, 5, &server).unwrap();
    assert_eq!((low.dist, low.change, low.arm_rad, low.known), (None, None, None, Known::Whole));
}
