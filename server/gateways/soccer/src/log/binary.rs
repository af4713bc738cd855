//! Logs of versions 1 to 3: records of the first monitors, big-endian, with the padding of a C compiler.
//!
//! What the padding holds is whatever lay in the server's memory; it is not looked at.

use super::{GameLog, LogError, Player, Record, Show, Side, Team, Version};
use crate::PlayMode;

/// A record of version 1: mode, and the largest of all bodies.
const FIRST_RECORD_BYTES: usize = 2052;
const FIRST_SHOW_BYTES: usize = 316;
const THIRD_SHOW_BYTES: usize = 1428;
const THIRD_PLAYER_BYTES: usize = 64;
const TEAM_BYTES: usize = 18;

const SHOW: i16 = 1;
const MESSAGE: i16 = 2;
const DRAWING: i16 = 3;
const BLANK: i16 = 4;
const MODE: i16 = 5;
const TEAMS: i16 = 6;
const PLAYER_TYPE: i16 = 7;
const SERVER_PARAMETERS: i16 = 8;
const PLAYER_PARAMETERS: i16 = 9;

/// The first monitors' lengths are in sixteenths of a metre.
const COARSE: f64 = 16.0;
const FINE: f64 = 65536.0;

pub(super) fn read_first(bytes: &[u8]) -> Result<GameLog, LogError> {
    let mut log = Shows::new(Version::V1);
    for (index, record) in bytes.chunks(FIRST_RECORD_BYTES).enumerate() {
        let at = index * FIRST_RECORD_BYTES;
        if record.len() < FIRST_RECORD_BYTES {
            return Err(cut_off(at));
        }
        let mut fields = Fields { bytes: record, at: 0, base: at };
        match fields.short()? {
            SHOW => log.first_show(&mut fields)?,
            MESSAGE => {
                let board = fields.short()?;
                let text = fields.bytes.get(fields.at..).unwrap_or_default();
                log.message(board, text);
            }
            DRAWING | BLANK | 0 => {}
            mode => return Err(unknown(at, mode)),
        }
    }
    Ok(log.log)
}

pub(super) fn read_second(bytes: &[u8]) -> Result<GameLog, LogError> {
    let mut log = Shows::new(Version::V2);
    let mut fields = Fields { bytes, at: 0, base: 4 };
    while fields.at < bytes.len() {
        let at = fields.base + fields.at;
        match fields.short()? {
            SHOW => {
                let mut show = fields.take(FIRST_SHOW_BYTES)?;
                log.first_show(&mut show)?;
            }
            MESSAGE => log.counted_message(&mut fields)?,
            mode => return Err(unknown(at, mode)),
        }
    }
    Ok(log.log)
}

pub(super) fn read_third(bytes: &[u8]) -> Result<GameLog, LogError> {
    let mut log = Shows::new(Version::V3);
    let mut fields = Fields { bytes, at: 0, base: 4 };
    while fields.at < bytes.len() {
        let at = fields.base + fields.at;
        match fields.short()? {
            SHOW => {
                let mut show = fields.take(THIRD_SHOW_BYTES)?;
                log.third_show(&mut show)?;
            }
            MESSAGE => log.counted_message(&mut fields)?,
            MODE => {
                let mode = fields.take(1)?.mode()?;
                log.mode(mode);
            }
            TEAMS => {
                let mut both = fields.take(2 * TEAM_BYTES)?;
                let teams = [both.team()?, both.team()?];
                log.teams(teams);
            }
            PLAYER_TYPE => fields.skip(88)?,
            SERVER_PARAMETERS => fields.skip(396)?,
            PLAYER_PARAMETERS => fields.skip(132)?,
            mode => return Err(unknown(at, mode)),
        }
    }
    Ok(log.log)
}

fn cut_off(at: usize) -> LogError {
    LogError::Binary { at, problem: "the record is cut off".into() }
}

fn unknown(at: usize, mode: i16) -> LogError {
    LogError::Binary { at, problem: format!("no record has the mode {mode}") }
}

/// A log that grows; what it says again with each show is told when it changes.
struct Shows {
    log: GameLog,
    cycle: u32,
    mode: Option<PlayMode>,
    teams: Option<[Team; 2]>,
}

impl Shows {
    fn new(version: Version) -> Self {
        let log = GameLog { version, parameters: Vec::new(), records: Vec::new() };
        Self { log, cycle: 0, mode: None, teams: None }
    }

    fn mode(&mut self, mode: Option<PlayMode>) {
        let Some(mode) = mode.filter(|&mode| self.mode != Some(mode)) else { return };
        self.mode = Some(mode);
        self.log.records.push(Record::Mode { cycle: self.cycle, mode });
    }

    fn teams(&mut self, teams: [Team; 2]) {
        if self.teams.as_ref() != Some(&teams) {
            self.teams = Some(teams.clone());
            self.log.records.push(Record::Teams { cycle: self.cycle, teams });
        }
    }

    fn message(&mut self, board: i16, text: &[u8]) {
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        let text = String::from_utf8_lossy(&text[..end]).into_owned();
        let board = u32::try_from(board).unwrap_or_default();
        self.log.records.push(Record::Message { cycle: self.cycle, board, text });
    }

    fn counted_message(&mut self, fields: &mut Fields<'_>) -> Result<(), LogError> {
        let board = fields.short()?;
        let at = fields.base + fields.at;
        let length = usize::try_from(fields.short()?)
            .map_err(|_| LogError::Binary { at, problem: "a text of negative length".into() })?;
        let text = fields.take(length)?;
        self.message(board, text.bytes);
        Ok(())
    }

    /// Mode, teams, ball, players, in sixteenths of a metre and whole degrees.
    fn first_show(&mut self, fields: &mut Fields<'_>) -> Result<(), LogError> {
        let mode = fields.mode()?;
        fields.skip(1)?;
        let teams = [fields.team()?, fields.team()?];
        fields.skip(3 * 2)?;
        fields.skip(2)?;
        let ball = [fields.coarse()?, fields.coarse()?, 0.0, 0.0];
        let mut players = Vec::with_capacity(22);
        for place in 0..22 {
            let state = fields.short()?;
            fields.skip(2 * 2)?;
            let body_deg = f64::from(fields.short()?);
            let motion = [fields.coarse()?, fields.coarse()?, 0.0, 0.0];
            players.push(Player { body_deg, motion, ..nobody(place, state) });
        }
        self.cycle = u32::from(fields.short()? as u16);
        self.mode(mode);
        self.teams(teams);
        self.show(ball, players);
        Ok(())
    }

    /// Ball and players in 1/65536 of a metre or radian.
    fn third_show(&mut self, fields: &mut Fields<'_>) -> Result<(), LogError> {
        let ball = fields.fine()?;
        let mut players = Vec::with_capacity(22);
        for place in 0..22 {
            let mut fields = fields.take(THIRD_PLAYER_BYTES)?;
            let (state, kind) = (fields.short()?, fields.short()?);
            let motion = fields.fine()?;
            let [body, neck, width] = fields.fine::<3>()?.map(f64::to_degrees);
            let quality = if fields.short()? == 0 { 'l' } else { 'h' };
            fields.skip(2)?;
            let stamina = fields.fine()?;
            let mut counts = [0_u32; 8];
            for count in &mut counts {
                *count = u32::from(fields.short()? as u16);
            }
            let [kick, dash, turn, say, turn_neck, catch, move_, change_view] = counts;
            players.push(Player {
                kind: u32::try_from(kind).unwrap_or_default(),
                motion,
                body_deg: body,
                neck_deg: neck,
                view: Some((quality, width)),
                stamina: Some(stamina),
                counts: vec![kick, dash, turn, catch, move_, turn_neck, change_view, say],
                ..nobody(place, state)
            });
        }
        self.cycle = u32::from(fields.short()? as u16);
        self.show(ball, players);
        Ok(())
    }

    /// A show; modes and teams that were told right before it, without a cycle of their own, are of its cycle.
    fn show(&mut self, ball: [f64; 4], players: Vec<Player>) {
        for record in self.log.records.iter_mut().rev() {
            match record {
                Record::Mode { cycle, .. } | Record::Teams { cycle, .. } => *cycle = self.cycle,
                Record::Show(_) | Record::Message { .. } => break,
            }
        }
        self.log.records.push(Record::Show(Show { cycle: self.cycle, ball, players }));
    }
}

/// The player of this place of 22, of whom nothing more is known.
fn nobody(place: u32, state: i16) -> Player {
    let (side, number) = if place < 11 { (Side::Left, place + 1) } else { (Side::Right, place - 10) };
    Player {
        side,
        number,
        kind: 0,
        state: u32::from(state as u16),
        motion: [0.0; 4],
        body_deg: 0.0,
        neck_deg: 0.0,
        points_to: None,
        view: None,
        focus: None,
        stamina: None,
        capacity: None,
        listens_to: None,
        counts: Vec::new(),
    }
}

/// Fields of a record, one after the other.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where these bytes begin in the log.
    base: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self, length: usize) -> Result<&'a [u8], LogError> {
        let bytes = self.bytes.get(self.at..self.at + length).ok_or_else(|| cut_off(self.base + self.at))?;
        self.at += length;
        Ok(bytes)
    }

    /// The next bytes, to be read by themselves.
    fn take(&mut self, length: usize) -> Result<Fields<'a>, LogError> {
        let base = self.base + self.at;
        Ok(Fields { bytes: self.next(length)?, at: 0, base })
    }

    fn skip(&mut self, length: usize) -> Result<(), LogError> {
        self.next(length).map(drop)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], LogError> {
        let mut array = [0; N];
        array.copy_from_slice(self.next(N)?);
        Ok(array)
    }

    fn short(&mut self) -> Result<i16, LogError> {
        self.array().map(i16::from_be_bytes)
    }

    fn coarse(&mut self) -> Result<f64, LogError> {
        Ok(f64::from(self.short()?) / COARSE)
    }

    fn fine<const N: usize>(&mut self) -> Result<[f64; N], LogError> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = f64::from(i32::from_be_bytes(self.array()?)) / FINE;
        }
        Ok(numbers)
    }

    /// `None` for the mode of number 0.
    fn mode(&mut self) -> Result<Option<PlayMode>, LogError> {
        let at = self.base + self.at;
        let [number] = self.array()?;
        if number == 0 {
            return Ok(None);
        }
        let mode = PlayMode::from_number(number);
        mode.map(Some)
            .ok_or_else(|| LogError::Binary { at, problem: format!("no play mode has the number {number}") })
    }

    fn team(&mut self) -> Result<Team, LogError> {
        let name: [u8; 16] = self.array()?;
        let name = String::from_utf8_lossy(&name);
        let name = name.split('\0').next().filter(|name| !name.is_empty()).map(str::to_owned);
        let score = u32::from(self.short()? as u16);
        // What stands for the goals of nobody is whatever the memory of the server held.
        Ok(Team { score: name.as_ref().map_or(0, |_| score), name, penalties: None })
    }
}
