//! Logs of versions 4 to 6: a line for each record.

use super::write::TextVersion;
use super::{GameLog, LogError, Parameters, Player, Record, Show, Side, Team, Version};
use crate::PlayMode;
use crate::sexpr::{Reader, SyntaxError};

/// `(fl 1)` for `(f l 1)`: so the field's usual converter of logs writes versions 4 and 5.
const RUN_TOGETHER: [(&str, Side); 2] = [("fl", Side::Left), ("fr", Side::Right)];

const PARAMETERS: [&str; 3] = ["server_param", "player_param", "player_type"];

pub(super) fn read(bytes: &[u8]) -> Result<GameLog, LogError> {
    let mut lines = bytes.split(|&byte| byte == b'\n').enumerate();
    let head = lines.next().map_or(&[][..], |(_, line)| line.trim_ascii_end());
    let version = match head {
        b"ULG4" => TextVersion::V4,
        b"ULG5" => TextVersion::V5,
        b"ULG6" => TextVersion::V6,
        _ => return Err(LogError::Version(String::from_utf8_lossy(&head[3..]).into_owned())),
    };
    let mut log = GameLog { version: Version::Text(version), parameters: Vec::new(), records: Vec::new() };
    for (index, line) in lines {
        let line_number = index + 1;
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let line = std::str::from_utf8(line).map_err(|_| LogError::NoText { line: line_number })?;
        read_line(line, &mut log).map_err(|problem| LogError::Line { line: line_number, problem })?;
    }
    Ok(log)
}

fn read_line(line: &str, log: &mut GameLog) -> Result<(), SyntaxError> {
    let mut reader = Reader::new(line);
    if let Some(kind) = PARAMETERS.into_iter().find(|kind| reader.enter(kind)) {
        log.parameters.push(parameters(&mut reader, kind)?);
    } else {
        log.records.push(record(&mut reader)?);
    }
    reader.close()?;
    if reader.is_at_end() { Ok(()) } else { Err(reader.error("the end of the line")) }
}

fn parameters(reader: &mut Reader<'_>, kind: &str) -> Result<Parameters, SyntaxError> {
    let mut values = Vec::new();
    while reader.is_next("(") {
        reader.open()?;
        let name = reader.atom("a parameter's name")?.to_owned();
        values.push((name, reader.up_to_close("the end of a parameter")?.to_owned()));
        reader.close()?;
    }
    Ok(Parameters { kind: kind.into(), values })
}

fn record(reader: &mut Reader<'_>) -> Result<Record, SyntaxError> {
    if reader.enter("show") {
        return Ok(Record::Show(show(reader)?));
    }
    if reader.enter("playmode") {
        let cycle = reader.count()?;
        return Ok(Record::Mode { cycle, mode: reader.parsed("a play mode", PlayMode::from_word)? });
    }
    if reader.enter("team") {
        let cycle = reader.count()?;
        return Ok(Record::Teams { cycle, teams: teams(reader)? });
    }
    if reader.enter("msg") {
        let (cycle, board) = (reader.count()?, reader.count()?);
        return Ok(Record::Message { cycle, board, text: reader.quoted()?.to_owned() });
    }
    Err(reader.error("(show, (playmode, (team, (msg or parameters"))
}

/// Names and scores of both sides, and penalties if there were any.
fn teams(reader: &mut Reader<'_>) -> Result<[Team; 2], SyntaxError> {
    let mut teams: [Team; 2] = Default::default();
    for team in &mut teams {
        team.name = Some(reader.atom("a team's name")?.to_owned()).filter(|name| name != "null");
    }
    for team in &mut teams {
        team.score = reader.count()?;
    }
    if !reader.is_next(")") {
        for team in &mut teams {
            team.penalties = Some([reader.count()?, reader.count()?]);
        }
    }
    Ok(teams)
}

/// A show from its cycle on; what monitors are told besides, mode and teams, is passed over.
pub(crate) fn show(reader: &mut Reader<'_>) -> Result<Show, SyntaxError> {
    let cycle = reader.count()?;
    for word in ["pm", "tm"] {
        if reader.enter(word) {
            reader.up_to_close(")")?;
            reader.close()?;
        }
    }
    reader.open()?;
    reader.open()?;
    reader.parsed("b", |atom| (atom == "b").then_some(()))?;
    reader.close()?;
    let ball = numbers(reader)?;
    reader.close()?;
    let mut players = Vec::with_capacity(22);
    while reader.is_next("(") {
        players.push(player(reader)?);
    }
    Ok(Show { cycle, ball, players })
}

fn numbers<const N: usize>(reader: &mut Reader<'_>) -> Result<[f64; N], SyntaxError> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = reader.number()?;
    }
    Ok(numbers)
}

fn player(reader: &mut Reader<'_>) -> Result<Player, SyntaxError> {
    reader.open()?;
    reader.open()?;
    let (side, number) = who(reader)?;
    reader.close()?;
    let kind = reader.count()?;
    let state = reader.parsed("a state's bits", |atom| {
        atom.strip_prefix("0x").map_or_else(|| atom.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())
    })?;
    let motion = numbers(reader)?;
    let [body_deg, neck_deg] = numbers(reader)?;
    let mut player = Player {
        side,
        number,
        kind,
        state,
        motion,
        body_deg,
        neck_deg,
        points_to: None,
        view: None,
        focus: None,
        stamina: None,
        capacity: None,
        listens_to: None,
        counts: Vec::new(),
    };
    if !reader.is_next("(") && !reader.is_next(")") {
        player.points_to = Some(numbers(reader)?);
    }
    while reader.is_next("(") {
        part(reader, &mut player)?;
    }
    reader.close()?;
    Ok(player)
}

fn who(reader: &mut Reader<'_>) -> Result<(Side, u32), SyntaxError> {
    Ok((reader.parsed("l or r", super::side_from_letter)?, shirt(reader)?))
}

fn shirt(reader: &mut Reader<'_>) -> Result<u32, SyntaxError> {
    reader
        .parsed("a number from 1 to 11", |atom| atom.parse().ok().filter(|number| (1..=11).contains(number)))
}

/// One of the parts in parentheses.
fn part(reader: &mut Reader<'_>, player: &mut Player) -> Result<(), SyntaxError> {
    if reader.enter("v") {
        let quality = reader.parsed("h or l", |atom| match atom {
            "h" => Some('h'),
            "l" => Some('l'),
            _ => None,
        })?;
        player.view = Some((quality, reader.number()?));
    } else if reader.enter("fp") {
        player.focus = Some(numbers(reader)?);
    } else if reader.enter("s") {
        player.stamina = Some(numbers(reader)?);
        player.capacity = if reader.is_next(")") { None } else { Some(reader.number()?) };
    } else if reader.enter("f") {
        player.listens_to = Some(who(reader)?);
    } else if let Some((_, side)) = RUN_TOGETHER.into_iter().find(|(word, _)| reader.enter(word)) {
        player.listens_to = Some((side, shirt(reader)?));
    } else if reader.enter("c") {
        while !reader.is_next(")") {
            player.counts.push(reader.count()?);
        }
    } else {
        return Err(reader.error("(v, (fp, (s, (f or (c"));
    }
    reader.close()
}
