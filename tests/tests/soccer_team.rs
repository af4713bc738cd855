//! Our team as clients: a whole game of eleven against eleven with coaches over the network, in steps that wait for all, and the same game again. [Y1]
#![cfg(target_os = "linux")]

use crate::program::{run, touchline};

/// A game of two short halves between our team and itself.
fn game(seed: &str, settings: [&str; 2]) -> serde_json::Value {
    let team = |name: &str| {
        let program = touchline().display();
        format!("exec {program} soccer-team {{host}}:{{port}} --coach-port {{coach-port}} --name {name}")
    };
    let mut words = vec!["soccer".to_owned(), "--left".to_owned(), team("Reds")];
    words.extend(["--right".to_owned(), team("Blues")]);
    words.extend(["--json", "--address", "127.0.0.1:0", "--seed", seed].map(String::from));
    for setting in ["nr_extra_halfs=0", "kick_off_wait=5", "game_over_wait=3"].into_iter().chain(settings) {
        words.extend(["--set".to_owned(), format!("server::{setting}")]);
    }
    let played = run(words);
    assert_eq!(played.code, Some(0), "{played:?}");
    played.json()
}

/// Both teams find the ball by their eyes alone, and play it: each has it, passes and loses it. What a coach chose before the game and what clients
/// said reaches the world in the same order again: the same seed is the same game.
#[test]
fn eleven_clients_and_a_coach_play_a_whole_game() {
    let settings = ["half_time=20", "penalty_shoot_outs=false"];
    let played = game("7", settings);
    assert_eq!(
        (&played["teams"], &played["missed_cycles"]),
        (&serde_json::json!(["Reds", "Blues"]), &0.into())
    );
    assert!(played["cycle"].as_u64().unwrap() >= 400, "{played}");
    let statistics = &played["statistics"];
    for team in 0..2 {
        assert!(statistics["possession"][team].as_f64().unwrap() > 0.15, "{played}");
        assert!(statistics["passes"][team].as_u64().unwrap() >= 2, "{played}");
    }
    assert_eq!(game("7", settings), played);
}

/// After two halves of a second without a goal a shoot-out decides: some of its kicks are scored.
#[test]
fn our_clients_decide_a_shoot_out() {
    let played = game("7", ["half_time=1", "penalty_shoot_outs=true"]);
    assert_eq!(
        (&played["score"], &played["mode"]),
        (&serde_json::json!([0, 0]), &"time_over".into()),
        "{played}"
    );
    let scored = [0, 1].map(|team| played["penalties"][team].as_u64().unwrap());
    assert!(scored.iter().sum::<u64>() >= 1, "{played}");
}
