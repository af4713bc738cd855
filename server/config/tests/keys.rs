//! Keys files: what is wrong with one is said with its place, and nothing is guessed.

use std::path::Path;
use touchline_config::{KeyRole, KeysSpec, TeamsSee, parse_keys};
use touchline_sim::scenario::Team;

const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn parse(text: &str) -> Result<KeysSpec, String> {
    let team = |name: &str| Team { name: name.into(), colour: 0, players: Vec::new() };
    let teams = [team("blue"), team("yellow")];
    let text = text.replace("DIGEST", &format!("sha256 = \"{DIGEST}\""));
    parse_keys(&text, Path::new("keys.toml"), Some(&teams)).map_err(|report| report.to_string())
}

#[test]
fn a_keys_file_says_who_may_what() {
    let spec = parse(
        "teams_see = \"world\"\n[[key]]\nname = \"y\"\nrole = \"team\"\nteam = \"yellow\"\nmax_robots = 4\nDIGEST\n",
    )
    .unwrap();
    assert_eq!((spec.teams_see, spec.keys.len()), (TeamsSee::World, 1));
    let key = &spec.keys[0];
    assert_eq!((key.role, key.team, key.max_robots), (KeyRole::Team, Some(1), Some(4)));
    assert_eq!((key.sha256[0], key.sha256[31]), (0xba, 0xad));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, place, what) in [
        ("", "keys.toml:1:1", "key"),
        ("[[key]]\nname = \"a\"\nrole = \"king\"\nDIGEST\n", ":3:", "king"),
        ("[[key]]\nname = \"a\"\nrole = \"team\"\nDIGEST\n", ":1:", "does not say which"),
        (
            "[[key]]\nname = \"a\"\nrole = \"team\"\nteam = \"bleu\"\nDIGEST\n",
            ":4:",
            "did you mean \"blue\"?",
        ),
        ("[[key]]\nname = \"a\"\nrole = \"player\"\nteam = \"blue\"\nDIGEST\n", ":1:", "which robot"),
        (
            "[[key]]\nname = \"a\"\nrole = \"referee\"\nteam = \"blue\"\nDIGEST\n",
            ":4:",
            "only the keys of teams",
        ),
        (
            "[[key]]\nname = \"a\"\nrole = \"team\"\nteam = \"blue\"\nrobot = \"r\"\nDIGEST\n",
            ":5:",
            "only the key of a player",
        ),
        ("[[key]]\nname = \"a\"\nrole = \"monitor\"\nkey = \"a\"\n", ":4:", "key"),
        ("[[key]]\nname = \"a\"\nrole = \"monitor\"\nsha256 = \"a\"\n", ":4:", "sha256"),
        (
            "[[key]]\nname = \"a\"\nrole = \"monitor\"\nDIGEST\n[[key]]\nname = \"a\"\nrole = \"operator\"\nDIGEST\n",
            ":6:",
            "a",
        ),
        (
            "include = [\"other.toml\"]\n[[key]]\nname = \"a\"\nrole = \"monitor\"\nDIGEST\n",
            ":1:",
            "other.toml",
        ),
    ] {
        let report = parse(text).expect_err(text);
        assert!(report.contains(place) && report.contains(what), "{text}\n{report}");
    }
}
