//! Game logs of every version, record by record, as the server writes them.

use super::{GameLog, Parameters, Record, Team, TextVersion, Version};
use crate::PlayMode;
use crate::wire::params::{TypeValues, as_json, type_values};
use crate::wire::{show, show_binary};
use std::io::{self, Write};
use touchline_soccer_law::params::SoccerParams;
use touchline_soccer_law::player_type::PlayerType;

/// The version of the server whose logs these are like.
const SERVER: &str = "19.0.0";

/// Parameters and types, which logs of version 3 and of JSON begin with.
pub struct Head {
    /// The game's and the types' parameters.
    pub params: SoccerParams,
    /// All types.
    pub types: Vec<TypeValues>,
}

/// Turns records into the bytes of a version.
pub struct Writer {
    version: Version,
    /// As told last: older versions repeat them with each show, or tell them when they change.
    mode: Option<PlayMode>,
    teams: [Team; 2],
    /// Cycle and stoppage of the last show.
    shown: Option<(u32, u32)>,
    has_begun: bool,
}

impl Writer {
    /// Of a log that has nothing yet.
    pub fn new(version: Version) -> Self {
        Self { version, mode: None, teams: Default::default(), shown: None, has_begun: false }
    }

    /// The version that is written.
    pub fn version(&self) -> Version {
        self.version
    }

    /// What a binary or JSON log begins with; without a head where parameters and beginning of the game are not known.
    pub fn begin(&mut self, began: Option<&str>, head: Option<&Head>) -> Vec<u8> {
        match self.version {
            Version::V1 => Vec::new(),
            Version::V2 => b"ULG\x02".to_vec(),
            Version::V3 => head.map_or_else(|| b"ULG\x03".to_vec(), binary_head),
            Version::Text(version) => format!("ULG{}\n", version.number()).into_bytes(),
            Version::Json => {
                let mut out = self.json(&format!("{{\"version\":\"{SERVER}\"}}"));
                if let Some(began) = began {
                    out.extend(self.json(&format!("{{\"timestamp\":\"{began}\"}}")));
                }
                let params =
                    head.map(|Head { params, types }| as_json(&params.server, &params.player, types));
                params.iter().flatten().for_each(|text| out.extend(self.json(text)));
                out
            }
        }
    }

    /// One record. Some versions tell nothing of some records.
    pub fn record(&mut self, record: &Record) -> Vec<u8> {
        let told = match self.version {
            Version::V1 | Version::V2 | Version::V3 => self.binary(record),
            Version::Text(version) => {
                let mut out = Vec::new();
                // A vector takes whatever is written.
                let _ = record.write_text(version, &mut out);
                out
            }
            Version::Json => {
                let text = self.json_record(record);
                self.json(&text)
            }
        };
        match record {
            Record::Mode { mode, .. } => self.mode = Some(*mode),
            Record::Teams { teams, .. } => self.teams.clone_from(teams),
            Record::Show(show) => self.shown = Some((show.cycle, self.stoppage(show.cycle))),
            Record::Message { .. } => {}
        }
        told
    }

    /// The end of a log.
    pub fn end(&self) -> &'static [u8] {
        if self.version == Version::Json { b"\n]\n" } else { b"" }
    }

    fn binary(&self, record: &Record) -> Vec<u8> {
        match (record, self.version) {
            (Record::Show(show), Version::V1) => {
                let mut out =
                    tagged(show_binary::SHOW, &show_binary::short_show(self.mode, &self.teams, show));
                out.resize(show_binary::SIZES[0], 0);
                out
            }
            (Record::Show(show), Version::V2) => {
                tagged(show_binary::SHOW, &show_binary::short_show(self.mode, &self.teams, show))
            }
            (Record::Show(show), _) => tagged(show_binary::SHOW, &show_binary::positions(show)),
            (Record::Message { board, text, .. }, Version::V1) => show_binary::message(1, *board, text),
            (Record::Message { board, text, .. }, _) => {
                let text = &text.as_bytes()[..text.len().min(i16::MAX as usize)];
                let heads = [*board as i16, text.len() as i16].map(i16::to_be_bytes);
                tagged(show_binary::MESSAGE, &[heads.as_flattened(), text].concat())
            }
            (Record::Mode { mode, .. }, Version::V3) => tagged(show_binary::MODE, &[mode.number()]),
            (Record::Teams { teams, .. }, Version::V3) if *teams != self.teams => {
                tagged(show_binary::TEAMS, &show_binary::teams(teams))
            }
            (Record::Mode { .. } | Record::Teams { .. }, _) => Vec::new(),
        }
    }

    /// One object of the array.
    fn json(&mut self, text: &str) -> Vec<u8> {
        let before = if self.has_begun { ",\n" } else { "[\n" };
        self.has_begun = true;
        [before, text].concat().into_bytes()
    }

    fn json_record(&self, record: &Record) -> String {
        let clock = |cycle: u32| show::times(cycle, self.stoppage(cycle));
        match record {
            Record::Mode { cycle, mode } => {
                format!("{{\"playmode\":{{{},\"mode\":\"{}\"}}}}", clock(*cycle), mode.word())
            }
            Record::Message { cycle, board, text } => {
                show::json_message(*cycle, self.stoppage(*cycle), *board, text)
            }
            Record::Teams { cycle, teams } => {
                let mut out = format!("{{\"team\":{{{},", clock(*cycle));
                // A string takes whatever is written.
                let _ = show::write_json_teams(&mut out, teams);
                out + "}}"
            }
            Record::Show(show) => {
                let mut out = format!("{{\"show\":{{{},", clock(show.cycle));
                let _ = show::write_json_positions(&mut out, show, true);
                out + "}}"
            }
        }
    }

    /// How long the clock has stood at a cycle: one more with each show of it.
    fn stoppage(&self, cycle: u32) -> u32 {
        self.shown.filter(|(shown, _)| *shown == cycle).map_or(0, |(_, stoppage)| stoppage + 1)
    }
}

fn tagged(kind: i16, body: &[u8]) -> Vec<u8> {
    [&kind.to_be_bytes(), body].concat()
}

fn binary_head(Head { params, types }: &Head) -> Vec<u8> {
    let mut out = b"ULG\x03".to_vec();
    out.extend(tagged(show_binary::SERVER_PARAM, &show_binary::server_param_record(&params.server)));
    out.extend(tagged(show_binary::PLAYER_PARAM, &show_binary::player_param_record(&params.player)));
    for (id, values) in types.iter().enumerate() {
        out.extend(tagged(show_binary::PLAYER_TYPE, &show_binary::player_type_record(id, values)));
    }
    out
}

impl Version {
    /// The version of a number, as the server's parameter `game_log_version` has it: 1 to 6, and -1 for JSON.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            -1 => Some(Self::Json),
            1 => Some(Self::V1),
            2 => Some(Self::V2),
            3 => Some(Self::V3),
            4 => Some(Self::Text(TextVersion::V4)),
            5 => Some(Self::Text(TextVersion::V5)),
            6 => Some(Self::Text(TextVersion::V6)),
            _ => None,
        }
    }
}

impl GameLog {
    /// Writes it in a version. What this version has no place for is left out; what the log does not tell stands there as at the beginning of a game.
    ///
    /// # Errors
    /// Of the destination.
    pub fn write(&self, version: Version, mut out: impl Write) -> io::Result<()> {
        let mut writer = Writer::new(version);
        let head = self.head();
        out.write_all(&writer.begin(None, head.as_ref()))?;
        if matches!(version, Version::Text(_)) {
            self.parameters.iter().try_for_each(|parameters| parameters.write_text(&mut out))?;
        }
        for record in &self.records {
            out.write_all(&writer.record(record))?;
        }
        out.write_all(writer.end())?;
        out.flush()
    }

    /// The parameters as values, if the log tells them; what it does not tell, and what is none of today's, is today's default.
    fn head(&self) -> Option<Head> {
        let of =
            |kind: &'static str| self.parameters.iter().filter(move |parameters| parameters.kind == kind);
        let mut params = SoccerParams::today();
        for (name, value) in of("server_param").flat_map(|parameters| &parameters.values) {
            let _ = params.server.set(name, value);
        }
        for (name, value) in of("player_param").flat_map(|parameters| &parameters.values) {
            let _ = params.player.set(name, value);
        }
        let types = of("player_type").map(|Parameters { values, .. }| {
            type_values(&PlayerType::default_of(&params.server)).map(|(since, name, default)| {
                let told = values.iter().find(|(known, _)| known == name);
                (since, name, told.and_then(|(_, value)| value.parse().ok()).unwrap_or(default))
            })
        });
        let types = types.collect();
        (!self.parameters.is_empty()).then_some(Head { params, types })
    }
}
