//! A keys file: who may connect to a world, and as what. It holds digests of keys, and not the keys.

use crate::document::{At, Document};
use crate::files::NAME;
use crate::report::Report;
use crate::schema::{Schema, nearest};
use crate::source::{Memory, SourceFile};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use std::sync::OnceLock;
use touchline_sim::scenario::Team;

/// Who may connect, and as what.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Touchline keys file")]
pub(crate) struct KeysFile {
    /// How much of the truth is open to teams and players.
    #[serde(default)]
    pub teams_see: TeamsSee,
    /// The server's robot files of which teams and players may make robots, such as `pioneer`; `*` is any file, also one that they send: a
    /// robot that they bring along may have sensors that see the truth. None if it is not given: they take over those of the world file.
    #[serde(default)]
    #[schemars(length(max = 256))]
    pub team_robots: Vec<String>,
    /// The keys; `touchline key` makes them.
    #[schemars(length(min = 1, max = 4096))]
    pub key: Vec<KeyFile>,
}

/// A key, and what it opens.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyFile {
    /// Its name: its clients are called by it.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// What its clients are.
    pub role: KeyRole,
    /// The team for which a team or a player plays: its name in the world file.
    pub team: Option<String>,
    /// The one robot of a player.
    #[schemars(pattern(NAME))]
    pub robot: Option<String>,
    /// At most so many robots its team may have when it makes one.
    #[schemars(range(min = 1, max = 4096))]
    pub max_robots: Option<usize>,
    /// The SHA-256 of the key, in 64 digits of base 16.
    #[schemars(pattern("^[0-9a-f]{64}$"))]
    pub sha256: String,
}

/// How much of the truth is open to teams and players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TeamsSee {
    /// The sensors and the radio of their own robots.
    #[default]
    Own,
    /// Also where everything is, and what happens.
    World,
    /// Also what others sense and hear, and the past.
    All,
}

/// What a key's clients are; docs/roles.md says what each may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeyRole {
    /// Somebody in the stands.
    Spectator,
    /// Who sees all.
    Monitor,
    /// The program of one robot.
    Player,
    /// The programs of a team.
    Team,
    /// Who arranges the world for exercises.
    Trainer,
    /// Who decides in a match.
    Referee,
    /// Who controls everything.
    Operator,
}

/// What a keys file says, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysSpec {
    /// How much of the truth is open to teams and players.
    pub teams_see: TeamsSee,
    /// The robot files of which teams and players may make robots; `*` is any.
    pub team_robots: Vec<String>,
    /// The keys, in the order of the file.
    pub keys: Vec<KeySpec>,
}

/// A key, and what it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySpec {
    /// Name of the key.
    pub name: String,
    /// Role of the clients that show the key.
    pub role: KeyRole,
    /// The team for which they play, by its number in the world.
    pub team: Option<u32>,
    /// The one robot of a player.
    pub robot: Option<String>,
    /// At most so many robots its team may have when it makes one.
    pub max_robots: Option<usize>,
    /// The key's SHA-256.
    pub sha256: [u8; 32],
}

/// Parses a keys file for a world with these teams; without a world any team may be named.
///
/// # Errors
/// Everything that is wrong with the text.
pub fn parse_keys(text: &str, name: &Path, teams: Option<&[Team]>) -> Result<KeysSpec, Report> {
    let file = SourceFile { path: name.to_owned(), text: text.to_owned() };
    // There is nothing that it could include.
    let mut document = Document::parse(file, &Memory::default());
    if let Some(schema) = schema() {
        schema.check(&mut document, "");
    }
    document.check_unique("/key", "name");
    document.check_unique("/key", "sha256");
    for pointer in document.items("/key") {
        check_key(&mut document, &pointer, teams);
    }
    let file = document.finish::<KeysFile>();
    match file {
        Some(file) if document.problems.is_empty() => Ok(KeysSpec {
            teams_see: file.teams_see,
            team_robots: file.team_robots,
            keys: file.key.into_iter().map(|key| spec(key, teams.unwrap_or_default())).collect(),
        }),
        _ => Err(Report::new(document.problems)),
    }
}

/// A key names what it opens, and nothing that it does not.
fn check_key(document: &mut Document, pointer: &str, teams: Option<&[Team]>) {
    use KeyRole::{Player, Team};
    let Some(role) = document.read::<KeyRole>(&format!("{pointer}/role")) else { return };
    let (team_at, robot_at) = (format!("{pointer}/team"), format!("{pointer}/robot"));
    let team = document.read::<String>(&team_at);
    let robot = document.read::<String>(&robot_at);
    let mut wrong = |at: &str, place, what: &str, hint: &str| {
        document.report(at, place, "config/bad-value", what).hint = Some(hint.into());
    };
    if role == Team && team.is_none() {
        wrong(
            pointer,
            At::Key,
            "the key of a team does not say which",
            "team = \"<a team of the world file>\"",
        );
    }
    if role == Player && robot.is_none() {
        wrong(pointer, At::Key, "the key of a player does not say which robot", "robot = \"<its name>\"");
    }
    if team.is_some() && !matches!(role, Team | Player) {
        wrong(
            &team_at,
            At::Key,
            "only the keys of teams and players name a team",
            "leave it out, or change the role",
        );
    }
    if robot.is_some() && role != Player {
        wrong(
            &robot_at,
            At::Key,
            "only the key of a player names a robot",
            "leave it out, or role = \"player\"",
        );
    }
    if let (Some(team), Some(teams)) = (team, teams)
        && !teams.iter().any(|known| known.name == team)
    {
        let names: Vec<&str> = teams.iter().map(|team| team.name.as_str()).collect();
        let hint = nearest(&team, names.iter().copied()).map(|near| format!("did you mean \"{near}\"?"));
        let what = format!("the world has no team \"{team}\"");
        let problem = document.report(&team_at, At::Value, "config/unknown-team", what);
        problem.allowed = Some(if names.is_empty() { "none".into() } else { names.join(", ") });
        problem.hint = hint;
    }
}

fn spec(key: KeyFile, teams: &[Team]) -> KeySpec {
    let number = |name: &String| teams.iter().position(|team| team.name == *name).map(|number| number as u32);
    let mut sha256 = [0; 32];
    for (byte, digits) in sha256.iter_mut().zip(key.sha256.as_bytes().chunks(2)) {
        // The schema has seen that they are digits.
        let digits = std::str::from_utf8(digits).unwrap_or_default();
        *byte = u8::from_str_radix(digits, 16).unwrap_or_default();
    }
    KeySpec {
        name: key.name,
        role: key.role,
        team: key.team.as_ref().and_then(number),
        robot: key.robot,
        max_robots: key.max_robots,
        sha256,
    }
}

fn schema() -> Option<&'static Schema> {
    static SCHEMA: OnceLock<Option<Schema>> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema::new(crate::keys_rules()).ok()).as_ref()
}
