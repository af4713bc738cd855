//! A mistake is told once: equal ones of many robots together, and nothing that merely follows from what is no TOML. (R1)

use crate::support::Fakes;
use std::path::{Path, PathBuf};
use touchline_config::{Disk, Report, parse_world};

const FAKES: Fakes = Fakes { strict_laser: false };

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn refused(text: &str) -> Report {
    let name = root().join("worlds/stranger.toml");
    parse_world(text, &name, &Disk, &FAKES).expect_err(text)
}

/// A world of 22 robots, each with this in its entry.
fn robots(entry: impl Fn(usize) -> String) -> String {
    let robots = (1..=22).map(|number| format!("\n[[robot]]\nname = \"left-{number}\"\n{}\n", entry(number)));
    std::iter::once("name = \"many\"\n".to_owned()).chain(robots).collect()
}

#[test]
fn what_is_wrong_with_22_robots_is_told_once() {
    let pioneer = "file = \"../robots/pioneer.toml\"";
    let apart = |n: usize| format!("{pioneer}\npose = {{ x_m = {n}.0 }}");
    for (what, text, count, again) in [
        ("an angle", robots(|n| format!("{pioneer}\npose = {{ x_m = {n}.0, theta_rad = 90 }}")), 22, 21),
        (
            "a plugin",
            robots(|n| format!("{}\nplayer = {{ plugin = \"nobody\", rate_hz = 10 }}", apart(n))),
            22,
            21,
        ),
        ("a file", robots(|_| "file = \"nobody.toml\"".into()), 22, 21),
        ("a key", robots(|n| format!("{}\nspeed = 3", apart(n))), 22, 21),
        ("a place", robots(|_| format!("{pioneer}\npose = {{ x_m = 1.0 }}")), 231, 230),
    ] {
        let report = refused(&text);
        assert_eq!(report.problems.len(), count, "{what}: all of them stay in the report");
        let told = report.to_string();
        assert!(told.lines().count() <= 9, "{what}: {told}");
        assert!(told.contains(&format!("again    {again} times more")), "{what}: {told}");
        assert!(told.contains("robot \"left-1\"") || told.contains("robot \"left-2\""), "{what}: {told}");
    }
}

/// Different mistakes of one form are no copies of each other.
#[test]
fn different_mistakes_are_told_each() {
    let told = refused(&robots(|n| format!("file = \"nobody-{n}.toml\""))).to_string();
    assert_eq!(told.matches("cannot read").count(), 22, "{told}");
}

/// What is said of a text that is no TOML: line, message, hint.
fn syntax(text: &str) -> Vec<(u32, String, String)> {
    let report = refused(text);
    let is_syntax = |code: &str| ["config/syntax", "config/duplicate-key"].contains(&code);
    assert!(report.problems.iter().all(|problem| is_syntax(problem.code)), "{report}");
    let told = report.problems.into_iter();
    told.map(|problem| (problem.line, problem.what, problem.hint.unwrap_or_default())).collect()
}

#[test]
fn a_missing_bracket_is_one_mistake_where_it_opens() {
    let whole = std::fs::read_to_string(root().join("worlds/f2000.toml")).unwrap();
    for (at, _) in whole.match_indices('}') {
        let line = whole[..at].lines().count() as u32;
        let told = syntax(&format!("{}{}", &whole[..at], &whole[at + 1..]));
        assert_eq!(told.len(), 1, "line {line}: {told:?}");
        assert_eq!(told[0].0, line, "{told:?}");
    }
    let told = syntax(
        "name = \"w\"\nparams = { x = 1,\n\n[radio]\nloss = 0\n\n[[team]]\nname = \"a\"\n\n[[team]]\nname = \"b\"\n",
    );
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].0 == 2 && told[0].1.contains("`{`") && told[0].2.contains("`}`"), "{told:?}");
    let told = syntax("include = [\"a.toml\"\nname = \"w\"\n[radio]\nloss = 0\n");
    assert!(told.len() == 1 && told[0].0 == 1 && told[0].2.contains("`]`"), "{told:?}");
    let told = syntax("name = \"\"\"w\n[radio]\nloss = 0\n");
    assert!(told.len() == 1 && told[0].0 == 1, "{told:?}");
    // A list over several lines that is closed: the mistake is where it stands, and the next one is told as well.
    let told = syntax("name = \"w\"\nwords = [\n  1\n  2,\n]\nseed = 1,\n");
    assert_eq!(told.iter().map(|told| told.0).collect::<Vec<_>>(), [4, 6], "{told:?}");
}

/// A line that is no TOML is one mistake, and what cannot be read because of it is none.
#[test]
fn nothing_follows_from_what_is_no_toml() {
    let told = syntax(
        "name = \"x\"\n[[ball\nx_m = 1.0\n\n[[robot]]\nname = \"r\"\nteam = \"nobody\"\nfile = \"none.toml\"\n",
    );
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, 2, "{told:?}");
    let told = syntax("name = \"x\"\npose = { x_m = 0,5, y_m = 1 }\n[[ball\nx_m = 1\n[[ball\nx_m = 2\n");
    assert_eq!(told.iter().map(|told| told.0).collect::<Vec<_>>(), [2, 3, 5], "{told:?}");
}

#[test]
fn commas_and_semicolons_have_a_hint() {
    for (line, hint) in [
        ("x_m = 0,", "no comma"),
        ("name = \"a, b\",", "no comma"),
        ("radio = { loss = 0 }, # why", "no comma"),
        ("dt_s = 0,01", "0.01"),
        ("dt_s = -0,5", "-0.5"),
        ("dt_s = 0,01,", "0.01"),
        ("pose = { x_m = 0,5, y_m = 1 }", "0.5"),
        ("pose = { x_m = 1, y_m = 1,25 }", "1.25"),
        ("mass_kg=0.4;", "no semicolon"),
        ("name = \"w\";", "no semicolon"),
        ("solid = true; # why", "no semicolon"),
        ("[radio];", "no semicolon"),
        ("x_m = 1; y_m = 2", "a line of its own"),
        ("pose = { x_m = 1; y_m = 2 }", "commas"),
        ("corner_m = [1; 2]", "commas"),
        ("corner_m = 1, 2, 3", "[1, 2, 3]"),
        ("seed: 3", "`=`"),
        ("dt_s = .5", "0.5"),
        ("dt_s = 5.", "both sides"),
        ("name = word", "quotes"),
    ] {
        let told = syntax(&format!("{line}\nseed = 1\n"));
        assert_eq!(told.len(), 1, "{line}: {told:?}");
        assert!(told[0].0 == 1 && told[0].2.contains(hint), "{line}: {told:?}");
    }
    // What is right in a text is no mistake of its line.
    let told = syntax("name = \"0,5;\" x\n");
    assert!(told[0].2.is_empty(), "{told:?}");
    // Every line of a file may be wrong in the same way: that is told once.
    let text: String = (0..30).map(|key| format!("key{key} = 0,\n")).collect();
    let report = refused(&text);
    assert_eq!(report.problems.len(), 30);
    assert!(report.to_string().lines().count() < 7, "{report}");
}

/// Letters of other languages are none of those that a name may have.
#[test]
fn a_name_of_other_letters_is_told_which_it_may_have() {
    let told = refused("name = \"blüe-1\"\n").to_string();
    assert!(told.contains("a-z") && told.contains("A-Z"), "{told}");
}

/// A list of what there is, of which there is none, says so.
#[test]
fn an_empty_list_is_said_in_words() {
    let told = refused("name = \"w\"\n[episode]\nagents = [\"left-9\"]\nmax_s = 1.0\nact = [\"drive\"]\n")
        .to_string();
    assert!(told.contains("this world has no robots: add [[robot]]"), "{told}");
    assert!(told.lines().all(|line| !line.ends_with(": ")), "{told}");
}
