//! Keys: the file of them that `serve` reads, and `touchline key`, which makes them.

use super::Failure;
use super::option_values::whole;
use super::output::{data, is_closed, note};
use super::written::Written;
use clap::{Args, ValueEnum};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_board_server::Lock;
use touchline_config::{KeyRole, KeySpec, TeamsSee};
use touchline_gate::{Keys, Pass, Role, Sees};
use touchline_sim::Scenario;

/// So much chance is in a key: 160 bits.
const KEY_BYTES: usize = 20;
/// Letters and digits that nobody takes for others, 32 of them.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Options of `key`.
#[derive(Debug, Args)]
pub struct KeyOptions {
    /// The keys file; it is made if it is not there
    pub file: PathBuf,
    /// The key's name: its clients are called by it
    pub name: String,
    /// What its clients are
    #[arg(long, value_enum)]
    pub role: RoleName,
    /// The team for which a team or a player plays
    #[arg(long, required_if_eq("role", "team"))]
    pub team: Option<String>,
    /// The one robot of a player
    #[arg(long, required_if_eq("role", "player"))]
    pub robot: Option<String>,
    /// At most so many robots the team may have when it makes one
    #[arg(long, value_name = "N", value_parser = whole(1..=4096_usize))]
    pub max_robots: Option<usize>,
}

/// The roles that a key can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RoleName {
    /// Sees the picture and the score
    Spectator,
    /// Sees all
    Monitor,
    /// The program of one robot
    Player,
    /// The programs of a team
    Team,
    /// Arranges the world for exercises
    Trainer,
    /// Decides in a match
    Referee,
    /// Controls everything
    Operator,
}

impl RoleName {
    fn word(self) -> &'static str {
        match self {
            Self::Spectator => "spectator",
            Self::Monitor => "monitor",
            Self::Player => "player",
            Self::Team => "team",
            Self::Trainer => "trainer",
            Self::Referee => "referee",
            Self::Operator => "operator",
        }
    }
}

/// A new key from the system's source of chance.
///
/// # Errors
/// When the system has none to give.
pub fn new_key() -> Result<String, Failure> {
    let mut bytes = [0; KEY_BYTES];
    let fill = getrandom::fill(&mut bytes);
    fill.map_err(|error| Failure::Resource(format!("the system gives no chance for a key: {error}")))?;
    // Five bytes are eight letters of five bits.
    let mut key = String::new();
    for group in bytes.chunks(5) {
        let bits = group.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        let letters = (0..8).rev().map(|at| LETTERS[(bits >> (5 * at)) as usize & 31] as char);
        key.extend(letters);
    }
    Ok(key)
}

/// `touchline key`: adds a key to a file, and prints it, this once.
pub fn make(options: &KeyOptions) -> Result<(), Failure> {
    add(options, &mut data())?;
    note(&format!(
        "{}: the key \"{}\" is added; it is shown this once, the file has its digest alone",
        options.file.display(),
        options.name
    ));
    Ok(())
}

/// Makes a file of one key, which is called by its role; gives the key.
pub fn make_one(file: &Path, role: RoleName) -> Result<String, Failure> {
    let (file, name) = (file.to_owned(), role.word().into());
    let mut shown = Vec::new();
    add(&KeyOptions { file, name, role, team: None, robot: None, max_robots: None }, &mut shown)?;
    Ok(String::from_utf8_lossy(&shown).trim().to_owned())
}

/// Adds a key to a file, which stays as it was if the key cannot be shown.
fn add(options: &KeyOptions, out: &mut impl Write) -> Result<(), Failure> {
    let KeyOptions { file, name, role, team, robot, max_robots } = options;
    let lock = FileLock::take(file)?;
    let before = read_private(file)?;
    let key = new_key()?;
    let digest: String = touchline_gate::digest(&key).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut entry = toml::Table::new();
    let mut set = |key: &str, value: toml::Value| drop(entry.insert(key.into(), value));
    set("name", name.as_str().into());
    set("role", role.word().into());
    if let Some(team) = team {
        set("team", team.as_str().into());
    }
    if let Some(robot) = robot {
        set("robot", robot.as_str().into());
    }
    if let Some(most) = max_robots {
        set("max_robots", i64::try_from(*most).unwrap_or(i64::MAX).into());
    }
    set("sha256", digest.into());
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    let space = if before.trim().is_empty() { "" } else { "\n" };
    let added = format!("{gap}{space}[[key]]\n{entry}");
    // The file as it will be must be right; which teams there are, only the world knows.
    touchline_config::parse_keys(&format!("{before}{added}"), file, None)?;
    let mut written = Written::begin_private(file)?;
    let failed = |error| Failure::Resource(format!("{}: cannot be written: {error}", file.display()));
    written
        .write_all(before.as_bytes())
        .and_then(|()| written.write_all(added.as_bytes()))
        .map_err(failed)?;
    written.sync()?;
    // A key that nobody has seen is of no use; one that is not in the file yet does no harm.
    writeln!(out, "{key}").and_then(|()| out.flush()).map_err(|error| match is_closed(&error) {
        true => Failure::Resource("standard output: nobody reads it: no key is added".into()),
        false => error.into(),
    })?;
    written.finish()?;
    lock.keep();
    Ok(())
}

/// A keys file that nobody else changes meanwhile. One that was begun for the lock alone is taken away again.
struct FileLock<'a> {
    file: &'a Path,
    held: File,
    is_new: bool,
}

impl<'a> FileLock<'a> {
    fn take(file: &'a Path) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| Failure::Resource(format!("{}: {error}", file.display()));
        loop {
            let is_new = std::fs::symlink_metadata(file).is_err();
            if !is_new {
                // What is wrong with it is said before it is opened, or waited for.
                read_private(file)?;
            }
            let mut options = std::fs::OpenOptions::new();
            options.read(true).write(true).create_new(is_new);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let held = match options.open(file) {
                Ok(held) => held,
                // Somebody began or removed it in between.
                Err(error) if is_new && error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed(error)),
            };
            let lock = Self { file, held, is_new };
            match lock.held.lock() {
                // Some network file systems have no locks: then there is none.
                Err(error) if error.kind() != ErrorKind::Unsupported => return Err(failed(error)),
                _ => {}
            }
            // Whoever had the lock before has put another file in its place, or taken it away.
            if lock.is_of_the_file() {
                return Ok(lock);
            }
            lock.keep();
        }
    }

    #[cfg(unix)]
    fn is_of_the_file(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        let place = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
        let (held, found) = (self.held.metadata().map(place), std::fs::metadata(self.file).map(place));
        matches!((held, found), (Ok(held), Ok(found)) if held == found)
    }

    #[cfg(not(unix))]
    fn is_of_the_file(&self) -> bool {
        true
    }

    /// Leaves what is there.
    fn keep(mut self) {
        self.is_new = false;
    }
}

impl Drop for FileLock<'_> {
    fn drop(&mut self) {
        if self.is_new {
            // The failure that led here is told.
            let _ = std::fs::remove_file(self.file);
        }
    }
}

/// The lock that a keys file makes for this world.
///
/// # Errors
/// When the file cannot be read, may be read by others, or is wrong.
pub fn lock(file: &Path, scenario: &Scenario) -> Result<Arc<Lock>, Failure> {
    let text = read_private(file)?;
    let spec = touchline_config::parse_keys(&text, file, Some(&scenario.teams))?;
    let sees = match spec.teams_see {
        TeamsSee::Own => Sees::Own,
        TeamsSee::World => Sees::World,
        TeamsSee::All => Sees::All,
    };
    let is_any = spec.team_robots.iter().any(|file| file == "*");
    let files: Arc<[Arc<str>]> = spec.team_robots.into_iter().map(Arc::from).collect();
    let keys = spec.keys.into_iter().map(|key| {
        let is_of_team = matches!(key.role, KeyRole::Team | KeyRole::Player);
        let files = (is_of_team && !is_any).then(|| Arc::clone(&files));
        (key.sha256, Pass { robot_files: files, ..pass(key, sees) })
    });
    Ok(Arc::new(Lock::new(Keys::new(keys))))
}

fn pass(key: KeySpec, sees: Sees) -> Pass {
    let role = match key.role {
        KeyRole::Spectator => Role::Spectator,
        KeyRole::Monitor => Role::Monitor,
        KeyRole::Player => Role::Player,
        KeyRole::Team => Role::Team,
        KeyRole::Trainer => Role::Trainer,
        KeyRole::Referee => Role::Referee,
        KeyRole::Operator => Role::Operator,
    };
    Pass {
        role,
        name: Some(key.name.into()),
        team: key.team,
        robot: key.robot.map(Into::into),
        sees,
        orders_steps: false,
        robot_files: None,
        max_robots: key.max_robots,
    }
}

/// Reads a file that is its owner's alone.
pub(super) fn read_private(file: &Path) -> Result<String, Failure> {
    let wrong = |reason: &str, hint: String| {
        Failure::Resource(format!("{}: {reason}\n  hint     {hint}", file.display()))
    };
    let made = format!("touchline key {} NAME --role ROLE makes it", file.display());
    let metadata = std::fs::metadata(file).map_err(|error| wrong(&error.to_string(), made.clone()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = metadata.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            let reason = format!("others than its owner may use this keys file (mode {mode:03o})");
            return Err(wrong(&reason, format!("chmod 600 {}", file.display())));
        }
        // Whose file it is may make itself a key.
        let owner = std::os::unix::fs::MetadataExt::uid(&metadata);
        if !is_trusted(owner, rustix::process::geteuid().as_raw()) {
            let reason = format!("this keys file belongs to another user (number {owner})");
            return Err(wrong(&reason, format!("chown it to who runs the server: {}", file.display())));
        }
    }
    if metadata.is_file() && metadata.len() == 0 {
        return Ok(String::new());
    }
    touchline_config::read_text(file).map_err(|reason| wrong(&reason, made))
}

/// Whether a keys file of this user may be used by that one: his own, or the system's.
#[cfg(unix)]
fn is_trusted(owner: u32, user: u32) -> bool {
    owner == user || owner == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_and_never_the_same() {
        let keys: Vec<String> = (0..100).map(|_| new_key().unwrap()).collect();
        let different: std::collections::BTreeSet<&String> = keys.iter().collect();
        assert_eq!(different.len(), 100);
        for key in &keys {
            assert_eq!(key.len(), 32, "{key}");
            assert!(key.bytes().all(|byte| LETTERS.contains(&byte)), "{key}");
            assert!(key.len() >= touchline_gate::MIN_KEY_BYTES);
        }
        // All letters come, at every place.
        let seen: std::collections::BTreeSet<char> = keys.iter().flat_map(|key| key.chars()).collect();
        assert_eq!(seen.len(), 32);
    }

    #[cfg(unix)]
    #[test]
    fn a_keys_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.toml");
        let options = |name: &str| KeyOptions {
            file: file.clone(),
            name: name.into(),
            role: RoleName::Monitor,
            team: None,
            robot: None,
            max_robots: None,
        };
        make(&options("one")).unwrap();
        make(&options("two")).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(touchline_config::parse_keys(&text, &file, None).unwrap().keys.len(), 2);
        // A name that is taken, or none, changes nothing.
        assert!(matches!(make(&options("one")), Err(Failure::Configuration(_))));
        assert!(matches!(make(&options("two words")), Err(Failure::Configuration(_))));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        for mode in [0o640, 0o604, 0o660, 0o601] {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            let Err(Failure::Resource(message)) = read_private(&file) else { panic!("{mode:o} is taken") };
            assert!(message.contains("chmod 600"), "{message}");
            assert!(make(&options("three")).is_err());
        }
        for (owner, user, is_right) in [(7, 7, true), (0, 7, true), (8, 7, false), (7, 0, false)] {
            assert_eq!(is_trusted(owner, user), is_right, "of {owner}, for {user}");
        }
    }

    fn monitor(file: &Path, name: &str) -> KeyOptions {
        let (file, name) = (file.to_owned(), name.into());
        KeyOptions { file, name, role: RoleName::Monitor, team: None, robot: None, max_robots: None }
    }

    /// Where nothing can be written, as on a full disk or to a pipe that is closed.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_key_that_cannot_be_shown_is_not_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.toml");
        assert!(add(&monitor(&file, "one"), &mut Full).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        add(&monitor(&file, "one"), &mut Vec::new()).unwrap();
        let before = std::fs::read_to_string(&file).unwrap();
        assert!(add(&monitor(&file, "two"), &mut Full).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn keys_that_are_made_at_once_are_all_in_the_file_and_each_name_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.toml");
        let make = |number: usize| {
            let file = file.clone();
            // Two of each name: one of them comes too late.
            move || add(&monitor(&file, &format!("key-{}", number / 2)), &mut Vec::new()).is_ok()
        };
        let made: Vec<_> = (0..16).map(|number| std::thread::spawn(make(number))).collect();
        let made = made.into_iter().map(|made| made.join().unwrap());
        assert_eq!(made.filter(|is_made| *is_made).count(), 8);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(touchline_config::parse_keys(&text, &file, None).unwrap().keys.len(), 8);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
