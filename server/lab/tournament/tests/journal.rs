//! The journal of a tournament: it goes on where it was stopped. (B1)

use crate::race::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use touchline_config::TournamentSpec;
use touchline_tournament::journal::{Journal, JournalError};
use touchline_tournament::{MatchResult, Tournament};

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(Into::into).collect()
}

/// Plays what is not in the journal, at most `most` matches.
fn go_on(path: &Path, tournament: &Tournament, most: usize) -> (usize, BTreeMap<u64, MatchResult>) {
    let (mut journal, mut results) = Journal::open(path, tournament).unwrap();
    let mut todo: Vec<u64> = (0..tournament.matches()).filter(|n| !results.contains_key(n)).collect();
    todo.truncate(most);
    let keep = |result: MatchResult| {
        journal.add(&result)?;
        results.insert(result.number, result);
        Ok(())
    };
    tournament.play_all(&todo, 2, &AtomicBool::new(false), keep).unwrap();
    (todo.len(), results)
}

fn journal() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("race.jsonl");
    (folder, path)
}

/// B1: a tournament that is stopped, even within a line, goes on where it was; in the end it is what it would have been.
#[test]
fn it_goes_on_where_it_was_stopped() {
    let ((_folder, path), tournament) = (journal(), three());
    assert_eq!(go_on(&path, &tournament, 11).0, 11);
    let torn = lines(&path)[0].clone();
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(&torn.as_bytes()[..30]).unwrap();
    drop(file);
    let (played, results) = go_on(&path, &tournament, 99);
    assert_eq!((played, &results), (25, &all(&tournament, 1)));
    assert_eq!(lines(&path).len(), 36);
    assert_eq!(go_on(&path, &tournament, 99), (0, results));
}

/// B1: more pairs and another entrant go on with what is there; results of one that has gone stay, and are passed over.
#[test]
fn a_longer_tournament_takes_what_it_has() {
    let (_folder, path) = journal();
    go_on(&path, &tournament(spec(&[("slow", 0.1), ("fast", 0.6)])), 99);
    let mut longer = tournament(spec(&[("fast", 0.6), ("slow", 0.1), ("fair", 0.3)]));
    longer.set_pairs(7);
    let (played, results) = go_on(&path, &longer, 99);
    assert_eq!((played, results), (30, all(&longer, 1)));
    let (played, results) = go_on(&path, &tournament(spec(&[("fair", 0.3), ("slow", 0.1)])), 99);
    assert_eq!((played, results.len(), lines(&path).len()), (0, 12, 42));
}

/// B1: what was played under other conditions is not taken, and neither is what is no result; the file is left as it is.
#[test]
fn other_conditions_are_refused() {
    let (_folder, path) = journal();
    go_on(&path, &tournament(spec(&[("slow", 0.1), ("fast", 0.6)])), 2);
    let before = lines(&path);
    let refused = |tournament: &Tournament| Journal::open(&path, tournament).unwrap_err();
    let original = || spec(&[("slow", 0.1), ("fast", 0.6)]);
    let others = [
        tournament(spec(&[("slow", 0.2), ("fast", 0.6)])),
        tournament(TournamentSpec { match_secs: 5.0, ..original() }),
        tournament(TournamentSpec { seed: 2, ..original() }),
        tournament(TournamentSpec { scenario: scenario(json!({ "speed_m_s": 1.0 })), ..original() }),
        Tournament::new(original(), Arc::new(Factory), |_, _| Some(("1.0".into(), "rebuilt".into()))),
    ];
    for other in &others {
        let error = refused(other);
        assert!(matches!(error, JournalError::OtherConditions { line: 1, .. }), "{error}");
    }
    let same = tournament(original());
    let held = Journal::open(&path, &same).unwrap();
    assert!(matches!(refused(&same), JournalError::InUse(_)));
    assert!(matches!(Journal::restart(&path), Err(JournalError::InUse(_))));
    assert_eq!(lines(&path), before);
    drop(held);
    std::fs::write(&path, format!("{}\n{{}}\n{}\n", before[0], before[1])).unwrap();
    assert!(matches!(refused(&same), JournalError::BadLine { line: 2, .. }));
    assert_eq!(lines(&path).len(), 3);
    drop(Journal::restart(&path).unwrap());
    assert_eq!(go_on(&path, &same, 1).0, 1);
    assert_eq!(lines(&path).len(), 1);
}

/// B1: told to stop it keeps what was finished; a result that cannot be kept ends it.
#[test]
fn it_stops_when_told_and_when_results_cannot_be_kept() {
    let (tournament, stop) = (three(), AtomicBool::new(false));
    let numbers: Vec<u64> = (0..36).collect();
    let mut kept = 0;
    let keep = |_| {
        kept += 1;
        stop.store(kept == 3, Ordering::Relaxed);
        Ok(())
    };
    tournament.play_all(&numbers, 1, &stop, keep).unwrap();
    assert_eq!(kept, 3);
    let full = |_| Err(std::io::Error::other("disk full"));
    let error = tournament.play_all(&numbers, 2, &AtomicBool::new(false), full).unwrap_err();
    assert!(error.to_string().contains("disk full"), "{error}");
}
