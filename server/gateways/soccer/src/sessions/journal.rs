//! The logs of a game that is played: what happens (`.rcg`), and what clients and referee say (`.rcl`).

use super::shared::Shared;
use crate::PlayMode;
use crate::log::{Head, Record, Team, TextVersion, Version, Writer};
use crate::wire::name::TeamNames;
use crate::wire::params::{ALL, type_values};
use crate::wire::show;
use std::fmt::Write;
use touchline_soccer_law::face::Side;

/// So much that clients have sent waits for the others of its cycle; more comes only while somebody is awaited for long.
const MAX_WAITING: usize = 4096;

/// The game log's writer, and what was written last of what is only written when it changes.
pub struct Journal {
    writer: Writer,
    mode: Option<PlayMode>,
    teams: [Team; 2],
    has_ended: bool,
    /// In synchronous mode: what clients have sent in this cycle, with their ranks.
    received: Vec<(usize, Piece)>,
}

/// A piece of one of the logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Of the game log.
    Game(Vec<u8>),
    /// Of the log of commands.
    Commands(String),
}

impl Journal {
    /// Of a game whose log is of the version of its parameter `game_log_version`, 6 if that is none.
    pub fn new(version: i32) -> Self {
        let version = Version::from_number(version).unwrap_or(Version::Text(TextVersion::V6));
        Self {
            writer: Writer::new(version),
            mode: None,
            teams: Default::default(),
            has_ended: false,
            received: Vec::new(),
        }
    }

    /// The beginning of a game log.
    pub fn head(&mut self, shared: &mut Shared) -> Piece {
        let config = &shared.config;
        let types = config.types.iter().map(type_values).collect();
        let head = Head { params: config.params.clone(), types };
        let mut bytes = self.writer.begin(Some(&config.began.in_json), Some(&head));
        if matches!(self.writer.version(), Version::Text(_)) {
            for line in shared.params(ALL).iter() {
                bytes.extend_from_slice(line.as_bytes());
                bytes.push(b'\n');
            }
        }
        Piece::Game(bytes)
    }

    /// What a step adds to the game log: nothing before a kick-off, and one show after the end.
    pub fn step(&mut self, shared: &Shared) -> Option<Piece> {
        let state = &shared.state;
        let is_over = state.mode == PlayMode::TIME_OVER;
        if state.mode == PlayMode::BEFORE_KICK_OFF || (is_over && self.has_ended) {
            return None;
        }
        self.has_ended = is_over;
        let cycle = state.time;
        let mut records = Vec::new();
        if self.mode != Some(state.mode) {
            self.mode = Some(state.mode);
            records.push(Record::Mode { cycle, mode: state.mode });
        }
        let teams = show::teams(state, &shared.names);
        if self.teams != teams {
            self.teams.clone_from(&teams);
            records.push(Record::Teams { cycle, teams });
        }
        let is_quantised = matches!(self.writer.version(), Version::Text(_) | Version::Json);
        let shown = if is_quantised { show::record } else { show::exact };
        records.push(Record::Show(shown(state, &shared.aware)));
        Some(Piece::Game(self.written(&records)))
    }

    /// The end of a game log: result and teams.
    pub fn end(&mut self, shared: &Shared) -> Piece {
        let state = &shared.state;
        let teams = show::teams(state, &shared.names);
        let text = format!("(result {} {})", shared.config.began.in_result, result(&shared.names, &teams));
        let message = Record::Message { cycle: state.time, board: 1, text };
        let mut bytes = self.written(&[message, Record::Teams { cycle: state.time, teams }]);
        bytes.extend_from_slice(self.writer.end());
        Piece::Game(bytes)
    }

    fn written(&mut self, records: &[Record]) -> Vec<u8> {
        records.iter().flat_map(|record| self.writer.record(record)).collect()
    }

    /// What a client sends, with its name such as `Reds_1` or `Reds_Coach`.
    pub fn received(shared: &Shared, name: &str, datagram: &[u8]) -> Piece {
        let (text, _) = crate::wire::text(datagram);
        let mut line = head([shared.state.time, shared.state.stoppage]);
        let _ = writeln!(line, "Recv {name}: {}", String::from_utf8_lossy(text).replace(['\n', '\r'], " "));
        Piece::Commands(line)
    }

    /// Keeps a line until all of its cycle are there: whose datagram was faster is chance. Gives what is to be written already.
    pub fn hold(&mut self, rank: usize, line: Piece) -> Vec<Piece> {
        self.received.push((rank, line));
        if self.received.len() < MAX_WAITING { Vec::new() } else { self.take_held() }
    }

    /// The lines of the cycle in the order of their senders' ranks, and of one sender as they came.
    pub fn take_held(&mut self) -> Vec<Piece> {
        let mut lines = std::mem::take(&mut self.received);
        lines.sort_by_key(|(rank, _)| *rank);
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// What the referee says when the clock shows this; game logs of version 1 have it too.
    pub fn referee(&mut self, word: &str, clock: [u32; 2]) -> Vec<Piece> {
        let text = format!("(referee {word})");
        let mut pieces = vec![Piece::Commands(format!("{}{text}\n", head(clock)))];
        if self.writer.version() == Version::V1 {
            let message = Record::Message { cycle: clock[0], board: 1, text };
            pieces.push(Piece::Game(self.written(&[message])));
        }
        pieces
    }
}

/// `TIME,STOPPAGE` and a tab.
fn head([time, stoppage]: [u32; 2]) -> String {
    format!("{time},{stoppage}\t")
}

/// `A_1-vs-B_0`, penalties behind the goals; a team that has not come is `null`.
fn result(names: &TeamNames, teams: &[Team; 2]) -> String {
    let one = |side: Side| {
        let (name, team) = (names.of(side), &teams[side as usize]);
        match team.penalties {
            _ if name.is_empty() => "null".to_owned(),
            Some([scored, _]) => format!("{name}_{}_{scored}", team.score),
            None => format!("{name}_{}", team.score),
        }
    };
    format!("{}-vs-{}", one(Side::Left), one(Side::Right))
}
