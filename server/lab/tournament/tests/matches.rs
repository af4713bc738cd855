//! Matches and their report. (B1)

use crate::race::*;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use touchline_config::{ProgramSpec, TournamentSpec};
use touchline_tournament::report::Report;
use touchline_tournament::{PlayError, Tournament};

/// B1, I2: a match is a function of its number: alone, among others, on any number of threads.
#[test]
fn threads_and_order_play_no_part() {
    let tournament = three();
    let one = all(&tournament, 1);
    assert_eq!(one.len(), 36);
    assert_eq!(all(&tournament, 4), one);
    for number in [35, 0, 17] {
        assert_eq!(tournament.play(number).unwrap(), one[&number]);
    }
    assert!(matches!(tournament.play(36), Err(PlayError::NoSuchMatch(36))));
    assert!(one.values().all(|result| (result.steps, result.ended.as_str()) == (200, "time")));
}

/// B1: who runs faster is found to be better; the league's table adds up.
#[test]
fn the_faster_is_found_to_be_better() {
    let tournament = three();
    let report = Report::of(&tournament, &all(&tournament, 2));
    let names: Vec<&str> = report.entrants.iter().map(|standing| standing.name.as_str()).collect();
    assert_eq!(names, ["fast", "fair", "slow"]);
    assert_eq!((report.matches, report.played, report.void), (36, 36, 0));
    for standing in &report.entrants {
        assert_eq!((standing.matches, standing.wins + standing.draws + standing.losses), (24, 24));
        assert_eq!(standing.goals_for + standing.goals_against, 240);
        assert_eq!(standing.points, 3 * standing.wins + standing.draws);
        let [low, high] = standing.rating.interval_95.unwrap();
        assert!(low <= standing.rating.rating && standing.rating.rating <= high);
    }
    let [first, .., last] = report.couples.as_slice() else { panic!() };
    assert_eq!((first.entrants[0].as_str(), last.entrants[1].as_str()), ("fast", "slow"));
    let found = first.comparison.unwrap();
    assert!(found.share > 0.5 && found.probability_better > 0.9, "{found:?}");
    let table = report.table();
    assert!(table.contains("fast - fair") && table.contains("conditions "), "{table}");
}

/// B1: the order of the entrants in the file changes nothing, not even a random number.
#[test]
fn the_order_of_entrants_changes_nothing() {
    let other = tournament(spec(&[("fair", 0.3), ("slow", 0.1), ("fast", 0.6)]));
    let report = |of: &Tournament| serde_json::to_value(Report::of(of, &all(of, 2))).unwrap();
    let (one, other) = (report(&three()), report(&other));
    assert_eq!(one, other);
}

/// B1: one that plays against its twin gains on one side what it loses on the other, to the goal.
#[test]
fn twins_are_even() {
    let tournament = tournament(spec(&[("a", 0.4), ("b", 0.4)]));
    let report = Report::of(&tournament, &all(&tournament, 2));
    let found = report.couples[0].comparison.unwrap();
    assert_eq!((found.share, found.goal_difference, found.p_value), (0.5, 0.0, 1.0));
    // All pairs ended alike: nothing says how much they vary.
    assert_eq!(found.goal_difference_interval_95, None);
    let table = report.table();
    let couple = table.lines().find(|line| line.starts_with("a - b")).unwrap();
    let columns: Vec<&str> = couple.split_whitespace().collect();
    assert_eq!(columns[8..10], ["+0.00", "-"], "{couple}");
    assert_eq!(report.entrants[0].rating.rating, 0.0);
}

/// B1: a player that fails leaves its robot standing; the match counts, and the fault is told. A referee that fails makes it void.
#[test]
fn faults_are_told_and_attributed() {
    let mut of_player = spec(&[("good", 0.3)]);
    of_player.entrants.push(entrant("weak", json!({ "speed_m_s": 0.3, "fails_at": 50 })));
    let weak = tournament(of_player);
    let report = Report::of(&weak, &all(&weak, 2));
    assert_eq!((report.void, report.faults.len()), (0, 12));
    assert!(report.faults.iter().all(|fault| fault.entrant.as_deref() == Some("weak")));
    assert!(report.faults[0].what.contains("out of breath"), "{:?}", report.faults[0]);
    let failed: Vec<u32> = report.entrants.iter().map(|standing| standing.failed_in).collect();
    assert_eq!((failed, report.entrants[0].name.as_str()), (vec![0, 12], "good"));

    let of_referee =
        TournamentSpec { scenario: scenario(json!({ "fails_at": 30 })), ..spec(&[("a", 0.1), ("b", 0.2)]) };
    let blind = tournament(of_referee);
    let results = all(&blind, 2);
    assert!(results.values().all(|result| result.is_void() && result.ended == "fault" && result.steps == 30));
    let report = Report::of(&blind, &results);
    assert_eq!((report.void, report.entrants[0].matches), (12, 0));
    assert_eq!((report.couples[0].comparison, report.entrants[0].rating.interval_95), (None, None));
}

/// Two, of whom the second is a program.
fn with_program(command: &[&str], folder: &Path) -> TournamentSpec {
    let mut spec = spec(&[("a", 0.1), ("b", 0.2)]);
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    spec.entrants[1].program =
        Some(ProgramSpec { command, folder: folder.to_owned(), robots: BTreeSet::from([0, 1]) });
    spec
}

/// B1: who has no means to start programs says whose is one.
#[test]
fn programs_are_not_played_without_somebody_who_starts_them() {
    let error = tournament(with_program(&["team"], Path::new("."))).play(0).unwrap_err();
    assert!(matches!(&error, PlayError::NoPrograms(name) if name == "b"), "{error}");
}

/// B1: one whose program fails has lost by three goals, or by more if it was so far behind; if both fail, the match is void.
#[test]
fn a_program_that_fails_has_lost() {
    let tournament = tournament(spec(&[("a", 0.1), ("b", 9.0)]));
    let one = tournament.nth(0).unwrap();
    let (mut world, mut course) = tournament.begin(&one).unwrap();
    let failed = |side| vec![(side, "it has left".to_owned())];
    let early = course.failed(&failed(1));
    assert_eq!(
        (early.goals, early.ended.as_str(), early.steps, early.is_void()),
        ([3, 0], "forfeit", 0, false)
    );
    assert_eq!((early.faults[0].entrant.as_deref(), early.faults[0].step), (Some("b"), 0));
    while world.game().score(1) < 4 {
        world.step(&[]);
        assert_eq!(course.look(&world), None);
        course.note(&world);
    }
    // "a" has scored nothing: its own failure leaves the score as it is, that of "b" turns it round.
    assert_eq!((course.failed(&failed(0)).goals, course.failed(&failed(1)).goals), ([0, 4], [3, 0]));
    let both = course.failed(&[failed(0), failed(1)].concat());
    assert_eq!((both.is_void(), both.ended.as_str(), both.faults.len()), (true, "fault", 2));
}

/// B1: another word, another file behind a word, or other robots make a program another one.
#[test]
fn a_program_is_known_by_its_words_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let of = |command: &[&str]| {
        let tournament = tournament(with_program(command, folder.path()));
        tournament.digest_of(&tournament.nth(0).unwrap())
    };
    let first = of(&["team.py", "{board}"]);
    assert_eq!(of(&["team.py", "{board}"]), first);
    assert_ne!(of(&["team.py", "{board}", "-v"]), first);
    std::fs::write(folder.path().join("team.py"), "print()").unwrap();
    let written = of(&["team.py", "{board}"]);
    assert_ne!(written, first);
    std::fs::write(folder.path().join("team.py"), "pass").unwrap();
    assert_ne!(of(&["team.py", "{board}"]), written);
}
