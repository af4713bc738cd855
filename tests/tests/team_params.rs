//! What a competition file sets for a team reaches the referee as the number that it takes. (CH3)

use crate::program::{Outcome, root, run};
use std::fs;
use std::path::Path;

/// A challenge whose teams choose which attempt theirs is, a whole number; the referee places the ball by it.
fn compete(folder: &Path, column: &str) -> Outcome {
    let world = root().join("worlds/challenges/fields/f2000-kick.toml");
    let challenge = format!(
        "name = \"own\"\ntitle = \"Own\"\nworld = {:?}\nmax_s = 1.0\nteam_params = [\"attempt\", \"attempts\"]\n[score]\nname = \
         \"distance\"\nbetter = \"lower\"\nfailed = 9.0\n",
        world.to_str().unwrap()
    );
    fs::write(folder.join("own.toml"), challenge).unwrap();
    fs::write(
        folder.join("teams.csv"),
        format!("name;plugin;attempts;attempt\nours;challenger;4;{column}\n"),
    )
    .unwrap();
    let [file, challenge] = ["teams.csv", "own.toml"].map(|name| folder.join(name));
    let [file, challenge] = [&file, &challenge].map(|path| path.to_str().unwrap());
    run(["challenge", "competition", file, "--challenge", challenge, "--restart", "--json"])
}

#[test]
fn a_team_may_be_given_a_whole_number() {
    let folder = tempfile::tempdir().unwrap();
    let mut hashes = Vec::new();
    for number in ["0", "3.0"] {
        let outcome = compete(folder.path(), number);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let attempt = &outcome.json()["challenges"][0]["teams"][0]["runs"][0]["attempts"][0];
        hashes.push(attempt["state_hash"].clone());
    }
    assert_ne!(hashes[0], hashes[1], "the referee was told");
}

#[test]
fn a_fraction_of_a_whole_number_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for number in ["0.5", "1e300"] {
        let outcome = compete(folder.path(), number);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        for told in ["team \"ours\"", "attempt", "a whole number"] {
            assert!(outcome.stderr.contains(told), "{told}: {outcome:?}");
        }
    }
}
