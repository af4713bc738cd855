//! The logs of a game that is played: what happens (`.rcg`), and what clients and referee say (`.rcl`).

use super::role::Role;
use super::shared::Shared;
use crate::PlayMode;
use crate::log::{Head, Record, Team, TextVersion, Version, Writer};
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
    /// Mode and cycle after the last step.
    last: (PlayMode, u32),
    /// The winner of a shoot-out, as the referee has said it.
    winner: Option<Side>,
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
            last: (PlayMode::BEFORE_KICK_OFF, 0),
            winner: None,
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

    /// Whether a step is in the game log: the clock has gone on.
    pub fn has_begun(&self) -> bool {
        self.mode.is_some()
    }

    /// What a step adds to the game log: nothing before a kick-off, and one show after the end. `ends_half`: in this step a half has ended.
    ///
    /// That server logs a step first and kicks off after it; here the step in which it is kicked off ends in the new mode already. So of a step that has
    /// begun before the kick-off nothing is logged: the clock has stood in it.
    pub fn step(&mut self, shared: &Shared, ends_half: bool) -> Option<Piece> {
        let state = &shared.state;
        let last = std::mem::replace(&mut self.last, (state.mode, state.time));
        let is_over = state.mode == PlayMode::TIME_OVER;
        let has_waited = ends_half || last == (PlayMode::BEFORE_KICK_OFF, state.time);
        if state.mode == PlayMode::BEFORE_KICK_OFF || has_waited || (is_over && self.has_ended) {
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
        let text = format!("(result {} {})", shared.config.began.in_result, self.result(shared, &teams));
        let message = Record::Message { cycle: state.time, board: 1, text };
        let mut bytes = self.written(&[message, Record::Teams { cycle: state.time, teams }]);
        bytes.extend_from_slice(self.writer.end());
        Piece::Game(bytes)
    }

    /// `A_1-vs-B_Boss_0`: the coach's name before the goals, behind level goals the penalties if both teams have kicked, and `w` at the team that won by
    /// lot; a team that has not come is `null`.
    fn result(&self, shared: &Shared, teams: &[Team; 2]) -> String {
        let server = shared.server();
        let kicks = shared.state.penalties.map(|[scored, missed]| scored.saturating_add(missed));
        let has_penalties = teams[0].score == teams[1].score && kicks.iter().all(|kicks| *kicks > 0);
        // The kick after the last one that could decide: from it on the lot does.
        let most = server.pen_nr_kicks.saturating_add(server.pen_max_extra_kicks).saturating_mul(2);
        let is_by_lot = i64::from(kicks[0]) + i64::from(kicks[1]) > i64::from(most);
        let one = |side: Side| {
            let (name, coach) = (shared.names.of(side), &shared.coach_names[side as usize]);
            if name.is_empty() {
                return "null".to_owned();
            }
            let coach = if coach.is_empty() { String::new() } else { format!("_{coach}") };
            let penalties = has_penalties.then(|| {
                let [scored, _] = shared.state.penalties[side as usize];
                let won = if is_by_lot && self.winner == Some(side) { "w" } else { "" };
                format!("_{scored}{won}")
            });
            format!("{name}{coach}_{}{}", teams[side as usize].score, penalties.unwrap_or_default())
        };
        format!("{}-vs-{}", one(Side::Left), one(Side::Right))
    }

    fn written(&mut self, records: &[Record]) -> Vec<u8> {
        records.iter().flat_map(|record| self.writer.record(record)).collect()
    }

    /// What a client sends, with its name such as `Reds_1` or `Reds_Coach`. Gives what is to be written already: in synchronous mode a line waits until
    /// all of its cycle are there, for whose datagram was faster is chance.
    pub fn received(&mut self, shared: &Shared, role: &Role, datagram: &[u8]) -> Vec<Piece> {
        let Some(name) = role.log_name(shared).filter(|_| shared.config.is_logged) else { return Vec::new() };
        let (text, _) = crate::wire::text(datagram);
        let mut line = head([shared.state.time, shared.state.stoppage]);
        let _ = writeln!(line, "Recv {name}: {}", String::from_utf8_lossy(text).replace(['\n', '\r'], " "));
        let line = Piece::Commands(line);
        if !shared.server().synch_mode {
            return vec![line];
        }
        self.received.push((role.rank(), line));
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
        if let Some(letter) = word.strip_prefix("penalty_winner_") {
            self.winner = Side::BOTH.into_iter().find(|side| letter.chars().eq([side.letter()]));
        }
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
