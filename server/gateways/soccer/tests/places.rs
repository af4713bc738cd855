//! What a world is told of a game log: the server's units and axes turned into ours.

use touchline_soccer::log::GameLog;
use touchline_soccer::places::{cycles, team_names};

const LOG: &str = "ULG5
(playmode 1 kick_off_l)
(team 1 Reds Blues 0 0)
(show 1 ((b) 1.5 -2 0.5 0.25) ((l 1) 0 0x9 -49 3 0.1 0 90 0 (v h 90) (s 8000 1 1 130600) (c 0 0 0 0 0 0 0 0 0 0 0)) \
((r 11) 0 0 33 -37 0 0 0 0 (v h 90) (s 8000 1 1 130600) (c 0 0 0 0 0 0 0 0 0 0 0)))
(team 2 Reds Blues 1 0)
(show 2 ((b) 0 0 0 0))
";

fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect()
}

/// y and angles are turned round, metres a cycle become m/s, and a player's velocity is that in its own frame: one that looks down (90
/// degrees clockwise from +x, so -y of ours) and moves towards +x moves to its left.
#[test]
fn units_and_axes_become_ours() {
    let log = GameLog::read(LOG.as_bytes()).unwrap();
    assert_eq!(team_names(&log), ["Reds", "Blues"]);
    let told: Vec<String> = cycles(&log).collect();
    assert_eq!(told.len(), 2);
    let lines: Vec<&str> = told[0].lines().collect();
    assert_eq!(&lines[..3], ["phase kick_off_l", "score 0 0", "clock 0.1"]);
    assert_eq!(lines[3], "ball 0 1.5 2 5 -2.5");
    let player = numbers(lines[4]);
    let expected = [0.0, -49.0, -3.0, -std::f64::consts::FRAC_PI_2, 0.0, 1.0, 0.0];
    assert!(player.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{player:?}");
    assert_eq!(numbers(lines[5])[..3], [21.0, 33.0, 37.0]);
    assert!(lines[6].starts_with("draw [{"));
    assert_eq!(told[1].lines().take(3).collect::<Vec<_>>(), ["event goal 0", "score 1 0", "clock 0.2"]);
}

/// Two teams of one name are told apart, and a side without a team has a name too.
#[test]
fn names_of_teams_are_two() {
    let read = |text: &str| team_names(&GameLog::read(text.as_bytes()).unwrap());
    assert_eq!(read("ULG5\n(team 0 A A 0 0)\n"), ["A", "A-right"]);
    assert_eq!(read("ULG5\n(team 0 A null 0 0)\n"), ["A", "right"]);
    assert_eq!(read("ULG5\n"), ["left", "right"]);
}
