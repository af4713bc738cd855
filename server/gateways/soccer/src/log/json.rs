//! Logs in JSON: one array, of objects with one key each.

use super::{GameLog, LogError, Parameters, Player, Record, Show, Side, Team, Version};
use crate::PlayMode;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    Version(IgnoredAny),
    Timestamp(IgnoredAny),
    ServerParam(Values),
    PlayerParam(Values),
    PlayerType(Values),
    Playmode { time: u32, mode: Mode },
    Team { time: u32, l: TeamEntry, r: TeamEntry },
    Show(ShowEntry),
    Msg { time: u32, board: u32, message: String },
    TeamGraphic(IgnoredAny),
}

/// Parameters in the order in which they stand there.
struct Values(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Values;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of parameters")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values, A::Error> {
                let mut values = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    values.push((name, printed(&value)));
                }
                Ok(Values(values))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// As logs of text print it; they know no quotation mark within a text.
fn printed(value: &Value) -> String {
    let text = match value {
        Value::Bool(value) => return u8::from(*value).to_string(),
        Value::Null | Value::Number(_) => return value.to_string(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    format!("\"{}\"", text.replace('"', "'"))
}

struct Mode(PlayMode);

impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        PlayMode::from_word(&word)
            .map(Self)
            .ok_or_else(|| D::Error::custom(format!("no play mode \"{word}\"")))
    }
}

#[derive(Deserialize)]
struct TeamEntry {
    name: Option<String>,
    score: u32,
    pen_score: Option<u32>,
    pen_miss: Option<u32>,
}

#[derive(Deserialize)]
struct ShowEntry {
    time: u32,
    ball: BallEntry,
    players: Vec<PlayerEntry>,
}

#[derive(Deserialize)]
struct BallEntry {
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
}

#[derive(Deserialize)]
struct PlayerEntry {
    side: SideEntry,
    #[serde(deserialize_with = "player_number")]
    unum: u32,
    #[serde(rename = "type")]
    kind: u32,
    state: u32,
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
    body: f64,
    neck: f64,
    px: Option<f64>,
    py: Option<f64>,
    #[serde(default, deserialize_with = "view_quality")]
    vq: Option<char>,
    vw: Option<f64>,
    fdist: Option<f64>,
    fdir: Option<f64>,
    fside: Option<SideEntry>,
    #[serde(default, deserialize_with = "listened_to")]
    fnum: Option<u32>,
    stamina: Option<f64>,
    effort: Option<f64>,
    recovery: Option<f64>,
    capacity: Option<f64>,
    kick: Option<u32>,
    dash: Option<u32>,
    turn: Option<u32>,
    catch: Option<u32>,
    #[serde(rename = "move")]
    move_: Option<u32>,
    turn_neck: Option<u32>,
    change_view: Option<u32>,
    say: Option<u32>,
    tackle: Option<u32>,
    pointto: Option<u32>,
    attentionto: Option<u32>,
    change_focus: Option<u32>,
}

fn player_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    known_player(u32::deserialize(deserializer)?)
}

fn listened_to<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    Option::deserialize(deserializer)?.map(known_player).transpose()
}

fn known_player<E: Error>(number: u32) -> Result<u32, E> {
    if (1..=11).contains(&number) {
        Ok(number)
    } else {
        Err(E::custom(format!("a player {number}; 1 to 11")))
    }
}

fn view_quality<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<char>, D::Error> {
    match Option::deserialize(deserializer)? {
        Some(other) if !['h', 'l'].contains(&other) => {
            Err(D::Error::custom(format!("a view of quality \"{other}\"; h or l")))
        }
        quality => Ok(quality),
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideEntry {
    L,
    R,
}

impl From<SideEntry> for Side {
    fn from(side: SideEntry) -> Self {
        match side {
            SideEntry::L => Self::Left,
            SideEntry::R => Self::Right,
        }
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<GameLog, LogError> {
    let entries: Vec<Entry> = serde_json::from_slice(bytes)?;
    let mut log = GameLog { version: Version::Json, parameters: Vec::new(), records: Vec::new() };
    for entry in entries {
        match entry {
            Entry::Version(_) | Entry::Timestamp(_) | Entry::TeamGraphic(_) => {}
            Entry::ServerParam(values) => log.parameters.push(parameters("server_param", values)),
            Entry::PlayerParam(values) => log.parameters.push(parameters("player_param", values)),
            Entry::PlayerType(values) => log.parameters.push(parameters("player_type", values)),
            Entry::Playmode { time, mode } => log.records.push(Record::Mode { cycle: time, mode: mode.0 }),
            Entry::Team { time, l, r } => {
                log.records.push(Record::Teams { cycle: time, teams: [l, r].map(Team::from) });
            }
            Entry::Show(show) => log.records.push(Record::Show(show.into())),
            Entry::Msg { time, board, message } => {
                log.records.push(Record::Message { cycle: time, board, text: message });
            }
        }
    }
    Ok(log)
}

fn parameters(kind: &str, Values(values): Values) -> Parameters {
    Parameters { kind: kind.into(), values }
}

impl From<TeamEntry> for Team {
    fn from(TeamEntry { name, score, pen_score, pen_miss }: TeamEntry) -> Self {
        let penalties = pen_score.zip(pen_miss).map(<[u32; 2]>::from);
        Self { name: name.filter(|name| !name.is_empty()), score, penalties }
    }
}

impl From<ShowEntry> for Show {
    fn from(ShowEntry { time, ball, players }: ShowEntry) -> Self {
        let BallEntry { x, y, vx, vy } = ball;
        Self { cycle: time, ball: [x, y, vx, vy], players: players.into_iter().map(Player::from).collect() }
    }
}

impl From<PlayerEntry> for Player {
    fn from(entry: PlayerEntry) -> Self {
        let counts = [
            entry.kick,
            entry.dash,
            entry.turn,
            entry.catch,
            entry.move_,
            entry.turn_neck,
            entry.change_view,
            entry.say,
            entry.tackle,
            entry.pointto,
            entry.attentionto,
            entry.change_focus,
        ];
        let stamina = entry.stamina.zip(entry.effort).zip(entry.recovery);
        Self {
            side: entry.side.into(),
            number: entry.unum,
            kind: entry.kind,
            state: entry.state,
            motion: [entry.x, entry.y, entry.vx, entry.vy],
            body_deg: entry.body,
            neck_deg: entry.neck,
            points_to: entry.px.zip(entry.py).map(<[f64; 2]>::from),
            view: entry.vq.zip(entry.vw),
            focus: entry.fdist.zip(entry.fdir).map(<[f64; 2]>::from),
            stamina: stamina.map(|((stamina, effort), recovery)| [stamina, effort, recovery]),
            capacity: entry.capacity,
            listens_to: entry.fside.map(Side::from).zip(entry.fnum),
            counts: counts.into_iter().map_while(|count| count).collect(),
        }
    }
}
