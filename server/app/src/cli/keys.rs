//! Keys: the file of them that `serve` reads, and `touchline key`, which makes them.

use super::Failure;
use clap::{Args, ValueEnum};
use std::io::Write;
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
    #[arg(long, value_name = "N")]
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
    let KeyOptions { file, name, role, team, robot, max_robots } = options;
    let before = match std::fs::symlink_metadata(file) {
        Ok(_) => read_private(file)?,
        Err(_) => String::new(),
    };
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
    append_private(file, &added)?;
    writeln!(std::io::stdout(), "{key}")?;
    let _ = writeln!(
        std::io::stderr(),
        "{}: the key \"{name}\" is added; it is shown this once, the file has its digest alone",
        file.display()
    );
    Ok(())
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
fn read_private(file: &Path) -> Result<String, Failure> {
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
    if metadata.len() == 0 {
        return Ok(String::new());
    }
    touchline_config::read_text(file).map_err(|reason| wrong(&reason, made))
}

/// Whether a keys file of this user may be used by that one: his own, or the system's.
#[cfg(unix)]
fn is_trusted(owner: u32, user: u32) -> bool {
    owner == user || owner == 0
}

fn append_private(file: &Path, text: &str) -> Result<(), Failure> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(file).and_then(|mut opened| {
        opened.write_all(text.as_bytes())?;
        opened.sync_all()
    });
    written.map_err(|error| Failure::Resource(format!("{}: {error}", file.display())))
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
}
