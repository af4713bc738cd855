//! What is kept, and taken again. (CH10)

use std::collections::BTreeMap;
use std::fs;
use touchline_challenge::RunResult;
use touchline_challenge::journal::{Journal, JournalError, RunKey};

fn run(team: &str, number: u32) -> RunResult {
    let (challenge, team) = ("kick".to_owned(), team.to_owned());
    RunResult {
        challenge,
        team,
        run: number,
        digest: "d".into(),
        score: Some(0.1 + 0.2),
        attempts: Vec::new(),
    }
}

fn wanted(digest: &str) -> BTreeMap<RunKey, String> {
    let key = |team: &str, run| (("kick".to_owned(), team.to_owned(), run), digest.to_owned());
    [key("a", 0), key("a", 1), key("b", 0)].into()
}

/// CH10: what was kept is there again, bit by bit; a line that was not written to its end is played again, and what others left is passed over.
#[test]
fn a_journal_goes_on_where_it_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.jsonl");
    let (mut journal, runs) = Journal::open(&path, &wanted("d")).unwrap();
    assert!(runs.is_empty());
    for run in [run("a", 0), run("gone", 0), run("b", 0)] {
        journal.add(&run).unwrap();
    }
    drop(journal);
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let (mut journal, runs) = Journal::open(&path, &wanted("d")).unwrap();
        let lines = whole[..cut].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(runs.len(), [0, 1, 1, 2][lines], "cut at {cut}");
        for known in runs.values() {
            assert_eq!(*known, run(&known.team, 0));
        }
        journal.add(&run("a", 1)).unwrap();
        drop(journal);
        let (_, again) = Journal::open(&path, &wanted("d")).unwrap();
        assert_eq!(again.len(), runs.len() + 1);
    }
}

/// CH10: nothing is mixed that was played under other conditions; the line is named.
#[test]
fn other_conditions_are_refused_by_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.jsonl");
    let (mut journal, _) = Journal::open(&path, &wanted("d")).unwrap();
    for run in [run("gone", 0), run("a", 0)] {
        journal.add(&run).unwrap();
    }
    drop(journal);
    let refused = Journal::open(&path, &wanted("other")).unwrap_err();
    assert!(matches!(refused, JournalError::OtherConditions { line: 2, .. }), "{refused}");
    fs::write(&path, "{\"team\": 1}\n").unwrap();
    let refused = Journal::open(&path, &wanted("d")).unwrap_err();
    assert!(matches!(refused, JournalError::BadLine { line: 1, .. }), "{refused}");
}
