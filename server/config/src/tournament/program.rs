//! An entrant's program: a command that is started for a match, and the robots that it drives over the message board. (B1)

use super::entrant::{Rank, select, unknown_robot};
use crate::document::{At, Document};
use crate::schema::nearest;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use touchline_sim::scenario::Scenario;

/// What the words of a command can have in braces.
pub const PLACEHOLDERS: [&str; 6] = ["board", "team", "robots", "key", "seed", "match"];

/// A program that plays over the message board.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramSpec {
    /// The program and its arguments, as the file has them; see [`Self::words`].
    pub command: Vec<String>,
    /// The folder of the file that names it: it runs there, and a program with a `/` in its name is relative to it.
    pub folder: PathBuf,
    /// The robots that it drives, by their indices in the scenario: for both teams.
    pub robots: BTreeSet<usize>,
}

impl ProgramSpec {
    /// The command with something for each of [`PLACEHOLDERS`].
    pub fn words(&self, value: impl Fn(&str) -> String) -> Vec<String> {
        let fill = |word: &String| {
            PLACEHOLDERS.iter().fold(word.clone(), |word, name| {
                let placeholder = format!("{{{name}}}");
                if word.contains(&placeholder) { word.replace(&placeholder, &value(name)) } else { word }
            })
        };
        self.command.iter().map(fill).collect()
    }
}

/// An entrant's program, if it has one. What it drives is taken out of `chosen`, the tables of the robots' plugins: who says more closely
/// which robot is meant is heard.
pub(super) fn program(
    document: &mut Document,
    entrant: &str,
    scenario: &Scenario,
    chosen: &mut BTreeMap<usize, (Rank, String)>,
) -> Option<ProgramSpec> {
    let command = check_command(document, entrant)?;
    let pointer = format!("{entrant}/drives");
    let keys = document.items(&pointer);
    let is_written = document.value.pointer(&pointer).is_some();
    let mut driven: BTreeMap<usize, (Rank, String)> = BTreeMap::new();
    let mut drive = |found: Vec<(usize, Rank)>, place: &str| {
        for (robot, rank) in found {
            if driven.get(&robot).is_none_or(|(known, _)| *known < rank) {
                driven.insert(robot, (rank, place.to_owned()));
            }
        }
    };
    if !is_written {
        drive(select(scenario, "all"), entrant);
    }
    for place in keys {
        let Some(key) = document.read::<String>(&place) else { continue };
        let selected = select(scenario, &key);
        if selected.is_empty() {
            unknown_robot(document, &place, At::Value, &key, scenario);
        }
        drive(selected, &place);
    }
    let mut robots = BTreeSet::new();
    for (robot, (rank, place)) in driven {
        match chosen.get(&robot) {
            Some((other, _)) if *other > rank => {}
            Some((other, _)) if *other == rank => {
                if is_written && !document.is_bad(&place) {
                    let what =
                        format!("a player of \"players\" drives \"{}\" as well", scenario.robots[robot].name);
                    document.report(&place, At::Value, "config/bad-value", what).hint =
                        Some("leave it out here, or there".into());
                }
            }
            _ => {
                chosen.remove(&robot);
                robots.insert(robot);
            }
        }
    }
    if !document.is_bad("/world") && !document.is_bad(entrant) {
        for (team, name) in scenario.teams.iter().enumerate() {
            let drives = |robot: &usize| scenario.robots[*robot].team == Some(team as u32);
            if !robots.iter().any(drives) {
                let what = format!("its command drives no robot of team \"{}\"", name.name);
                document.report(&format!("{entrant}/command"), At::Value, "config/bad-value", what).hint =
                    Some("drives = [\"all\"], and no players for some of them".into());
            }
        }
    }
    // What is relative is so to the folder, wherever the program was started.
    let folder = document.path_of(&format!("{entrant}/command")).parent().unwrap_or(Path::new(""));
    let folder = std::path::absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    Some(ProgramSpec { command, folder: folder.unwrap_or_default(), robots })
}

/// The words of an entrant's command; reports what is wrong with them.
pub(super) fn check_command(document: &mut Document, entrant: &str) -> Option<Vec<String>> {
    let pointer = format!("{entrant}/command");
    if document.value.pointer(&pointer).is_none() {
        let drives = format!("{entrant}/drives");
        if document.value.pointer(&drives).is_some() {
            let what = "\"drives\" is for an entrant with a \"command\"";
            document.report(&drives, At::Key, "config/missing-key", what).hint =
                Some("command = [\"python3\", \"my_team.py\", \"{board}\"]".into());
        }
        return None;
    }
    let command = document.read::<Vec<String>>(&pointer)?;
    if command.first().is_some_and(String::is_empty) {
        let what = "the program has no name";
        document.report(&format!("{pointer}/0"), At::Value, "config/bad-value", what);
    }
    for (index, word) in command.iter().enumerate() {
        for name in placeholders(word).filter(|name| !PLACEHOLDERS.contains(name)) {
            let what = format!("nothing is known for \"{{{name}}}\"");
            let problem =
                document.report(&format!("{pointer}/{index}"), At::Value, "config/unknown-value", what);
            problem.allowed = Some(PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(", "));
            problem.hint = nearest(name, PLACEHOLDERS.into_iter())
                .map(|nearest| format!("did you mean \"{{{nearest}}}\"?"));
        }
    }
    Some(command)
}

/// The words in braces, if they are small letters alone: other braces are the program's.
fn placeholders(word: &str) -> impl Iterator<Item = &str> {
    word.split('{').skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once('}')?;
        (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(name)
    })
}
