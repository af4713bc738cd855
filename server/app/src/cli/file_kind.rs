//! What kind of file a text is, by the keys and tables that it has: also of a text that is not TOML.

use std::path::Path;
use touchline_config::{FileSource, PartOf, merged, read_text};

/// A kind of file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    Robot,
    World,
    Tournament,
    Challenge,
    Competition,
    Keys,
    /// What others include: of what, and the key that it would need to be whole; its own keys.
    Part {
        of: PartOf,
        needs: &'static str,
        keys: Vec<String>,
    },
    /// It has all but the key that it needs to be whole: that is missing, or it is a part that lies in no folder of parts.
    AllBut {
        of: PartOf,
        needs: &'static str,
    },
    /// There is nothing in it.
    Empty,
}

/// The keys at the top of robot files alone, and of world files alone.
const OF_ROBOTS: [&str; 7] = ["model", "motion", "body", "mass_kg", "sensor", "manipulator", "traction_m_s2"];
const OF_WORLDS: [&str; 12] = [
    "name", "dt_s", "physics", "surface", "team", "fixture", "ball", "robot", "referee", "radio", "episode",
    "limits",
];

/// What a robot file has beside its model, and what makes a file without a name a world: robots on a field. Then nothing but that is missing.
const ALL_BUT_MODEL: [&str; 3] = ["body", "motion", "mass_kg"];
const ALL_BUT_NAME: [&str; 2] = ["robot", "fixture"];

/// The folder's name that says that its files are parts, whatever they include.
pub const PARTS: &str = "parts";

/// The kind of a file. One that cannot be read, or says nothing of what it is, is taken for a world: reading it as one says what is wrong.
pub fn kind_of(path: &Path, files: &dyn FileSource) -> FileKind {
    if path.extension().is_some_and(|ending| ending == "csv") {
        return FileKind::Competition;
    }
    let Ok(text) = read_text(path) else { return FileKind::World };
    let table = text.parse::<toml::Table>();
    if table.as_ref().is_ok_and(toml::Table::is_empty) {
        return FileKind::Empty;
    }
    let is_competition = has_entries(&text, table.as_ref().ok());
    let own = table.map_or_else(|_| keys_in(&text), |table| table.keys().cloned().collect());
    if has(&own, &["entrant"]) {
        return FileKind::Tournament;
    }
    if has(&own, &["score"]) {
        return FileKind::Challenge;
    }
    if has(&own, &["key"]) {
        return FileKind::Keys;
    }
    // A world has teams as well, but none that plays by a script.
    if own.iter().all(|key| key == "team") && is_competition {
        return FileKind::Competition;
    }
    let is_whole = |keys: &[String]| has(keys, &["model", "name"]);
    if !is_whole(&own) {
        // It may be whole by what it includes.
        let merged = merged(&text, path, files);
        let all: Vec<String> =
            merged.as_object().into_iter().flat_map(|all| all.keys().cloned()).chain(own.clone()).collect();
        let all_but = match whole(&all) {
            _ if is_whole(&all) || is_in_parts(path) => None,
            FileKind::Robot if has_all(&all, &ALL_BUT_MODEL) => Some((PartOf::Robot, "model")),
            FileKind::World if has_all(&all, &ALL_BUT_NAME) => Some((PartOf::World, "name")),
            _ => None,
        };
        if let Some((of, needs)) = all_but {
            return FileKind::AllBut { of, needs };
        }
        let part = match (has(&all, &OF_ROBOTS), has(&all, &OF_WORLDS)) {
            _ if is_whole(&all) && !is_in_parts(path) => None,
            (true, false) => Some((PartOf::Robot, "model")),
            (false, true) => Some((PartOf::World, "name")),
            _ => None,
        };
        if let Some((of, needs)) = part {
            let keys = own.into_iter().filter(|key| key != "include").collect();
            return FileKind::Part { of, needs, keys };
        }
        return whole(&all);
    }
    whole(&own)
}

/// A robot says what moves it, or its model; a world has none of the keys of robots.
fn whole(keys: &[String]) -> FileKind {
    let is_robot = has(keys, &["model"]) || has(keys, &OF_ROBOTS) && !has(keys, &OF_WORLDS[1..]);
    if is_robot { FileKind::Robot } else { FileKind::World }
}

fn has(keys: &[String], some: &[&str]) -> bool {
    keys.iter().any(|key| some.contains(&key.as_str()))
}

fn has_all(keys: &[String], all: &[&str]) -> bool {
    all.iter().all(|one| keys.iter().any(|key| key == one))
}

/// Whether a team has what one of a competition plays with; of a text that is not TOML, whether a line says so.
fn has_entries(text: &str, table: Option<&toml::Table>) -> bool {
    const PLAYS: [&str; 2] = ["script", "plugin"];
    match table {
        Some(table) => {
            let teams = table.get("team").and_then(toml::Value::as_array).into_iter().flatten();
            teams
                .filter_map(toml::Value::as_table)
                .any(|team| PLAYS.iter().any(|key| team.contains_key(*key)))
        }
        None => text.lines().any(|line| PLAYS.iter().any(|key| line.trim_start().starts_with(key))),
    }
}

fn is_in_parts(path: &Path) -> bool {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    path.parent().and_then(Path::file_name).is_some_and(|folder| folder == PARTS)
}

/// The keys and tables at the top of a text that is not TOML, as far as its lines tell.
fn keys_in(text: &str) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut is_top = true;
    for line in text.lines().map(str::trim_start) {
        let (rest, is_header) = match line.strip_prefix("[[").or_else(|| line.strip_prefix('[')) {
            Some(rest) => (rest.trim_start(), true),
            None => (line, false),
        };
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c))).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        // A line of a list begins with a bracket as well, but with no word.
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        is_top &= !is_header;
        let is_key = behind.trim_start().starts_with(['=', '.', ':']);
        if (is_header || is_top && is_key) && !keys.iter().any(|key| key == word) {
            keys.push(word.to_owned());
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_config::Disk;

    #[test]
    fn a_broken_text_is_what_its_tables_say() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        for (text, kind) in [
            ("name = \"x\"\n[[ball\nx_m = 1\n", FileKind::World),
            ("name = \"x\"\nname = \"y\"\n[[team]]\nname = \"a\"\n", FileKind::World),
            ("model = \"x\"\n[[body\nradius_m = 1\n", FileKind::Robot),
            ("name = \"x\"\n[[body]]\nradius_m = 1\n", FileKind::Robot),
            ("model = \"x\"\n[[ball]]\nradius_m = 1\n", FileKind::Robot),
            ("name = \"x\"\n[[entrant\nworld = \"f2000\"\n", FileKind::Tournament),
            ("name = \"x\"\n[score\n", FileKind::Challenge),
            ("[[team]]\nname = \"a\"\nscript = \"run.sh\"\n", FileKind::Competition),
            ("[[team]]\nname = \"a\nplugin = \"striker\"\n", FileKind::Competition),
            ("name = \"x\"\n[[team]]\nplugin = \"striker\"\n", FileKind::World),
            ("teams_see = \"all\"\n[[key]]\nname = \"a\"\n", FileKind::Keys),
            ("[[key\nname = \"a\"\n", FileKind::Keys),
            ("# nothing\n", FileKind::Empty),
            ("list = [\n[1, 2],\n", FileKind::World),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(kind_of(&path, &Disk), kind, "{text}");
        }
    }

    #[test]
    fn a_part_is_one_by_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        };
        let of = |path: &Path| kind_of(path, &Disk);
        let part = |path: &Path| matches!(kind_of(path, &Disk), FileKind::Part { .. });
        write("whole.toml", "name = \"w\"\n[[ball]]\nradius_m = 0.1\n");
        write("balls.toml", "[[ball]]\nradius_m = 0.1\n");
        assert!(part(&write("felt.toml", "[surface]\nfriction = 0.5\nrestitution = 0.1\n")));
        assert!(part(&write("more.toml", "include = [\"balls.toml\"]\n[radio]\nloss = 0.0\n")));
        assert!(!part(&write("mine.toml", "include = [\"whole.toml\"]\n[episode]\nmax_s = 1.0\n")));
        assert!(part(&write("parts/task.toml", "include = [\"../whole.toml\"]\n[episode]\nmax_s = 1.0\n")));
        assert!(!part(&write("parts/named.toml", "name = \"w\"\n[[ball]]\nradius_m = 0.1\n")));
        let robot = "mass_kg = 1.0\n[motion]\nplugin = \"omni\"\n[[body]]\nradius_m = 0.1\n";
        let all_but = |of, needs| FileKind::AllBut { of, needs };
        assert_eq!(of(&write("robot.toml", robot)), all_but(PartOf::Robot, "model"));
        assert!(part(&write("parts/body.toml", robot)));
        let world = "[[fixture]]\nx_m = 1.0\n[[robot]]\nname = \"r\"\n";
        assert_eq!(of(&write("world.toml", world)), all_but(PartOf::World, "name"));
        assert!(part(&write("parts/field.toml", world)));
        assert_eq!(of(&write("teams.csv", "name;script\n")), FileKind::Competition);
    }
}
