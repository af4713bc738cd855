//! Logs of versions 4 to 6, written as the server writes them.

use super::{Parameters, Player, Record, Show, Team};
use crate::number::General;
use std::io::{self, Write};

/// The versions that are lines of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextVersion {
    /// Without stamina capacity.
    V4,
    /// With stamina capacity.
    V5,
    /// With the focus of the eyes.
    V6,
}

impl TextVersion {
    /// 4, 5 or 6.
    pub fn number(self) -> u8 {
        match self {
            Self::V4 => 4,
            Self::V5 => 5,
            Self::V6 => 6,
        }
    }

    /// How many kinds of commands are counted.
    fn counts(self) -> usize {
        match self {
            Self::V4 | Self::V5 => 11,
            Self::V6 => 12,
        }
    }
}

/// What stands where a log of an older version tells nothing: a whole player of the first type who looks straight ahead.
pub(crate) const STAMINA: [f64; 3] = [8000.0, 1.0, 1.0];
const CAPACITY: f64 = 130_600.0;
pub(crate) const VIEW: (char, f64) = ('h', 90.0);

impl Parameters {
    /// Writes its line.
    ///
    /// # Errors
    /// Of the destination.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "({} ", self.kind)?;
        let mut each = self.values.iter().map(|(name, value)| (as_word(name), in_a_line(value)));
        each.try_for_each(|(name, value)| write!(out, "({name} {value})"))?;
        writeln!(out, ")")
    }
}

impl Record {
    /// Writes its line in a version of text.
    ///
    /// # Errors
    /// Of the destination.
    pub fn write_text(&self, version: TextVersion, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Mode { cycle, mode } => writeln!(out, "(playmode {cycle} {})", mode.word()),
            Self::Teams { cycle, teams } => write_teams(out, *cycle, teams),
            Self::Show(show) => write_show(out, version, show),
            Self::Message { cycle, board, text } => {
                writeln!(out, "(msg {cycle} {board} \"{}\")", in_a_line(text))
            }
        }
    }
}

/// A record is a line: what would end it is a blank.
fn in_a_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A word ends at a blank or a parenthesis; the server lets no team have one in its name.
fn as_word(name: &str) -> String {
    let ends = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '(' | ')');
    if name.is_empty() { "_".into() } else { name.replace(ends, "_") }
}

fn write_teams(out: &mut impl Write, cycle: u32, [left, right]: &[Team; 2]) -> io::Result<()> {
    let name = |team: &Team| team.name.as_deref().map_or("null".into(), as_word);
    write!(out, "(team {cycle} {} {} {} {}", name(left), name(right), left.score, right.score)?;
    if left.penalties.is_some() || right.penalties.is_some() {
        for team in [left, right] {
            let [scored, missed] = team.penalties.unwrap_or_default();
            write!(out, " {scored} {missed}")?;
        }
    }
    writeln!(out, ")")
}

fn write_show(out: &mut impl Write, version: TextVersion, show: &Show) -> io::Result<()> {
    write!(out, "(show {}", show.cycle)?;
    write_positions(out, version, show)?;
    writeln!(out, ")")
}

/// The ball and the players, as they stand in logs and in monitors' shows.
pub(crate) fn write_positions(out: &mut impl Write, version: TextVersion, show: &Show) -> io::Result<()> {
    write!(out, " ((b)")?;
    write_numbers(out, &show.ball)?;
    write!(out, ")")?;
    show.players.iter().try_for_each(|player| write_player(out, version, player))
}

fn write_numbers(out: &mut impl Write, numbers: &[f64]) -> io::Result<()> {
    numbers.iter().try_for_each(|&number| write!(out, " {}", General(number)))
}

fn write_player(out: &mut impl Write, version: TextVersion, player: &Player) -> io::Result<()> {
    write!(out, " (({} {}) {} ", player.side.letter(), player.number, player.kind)?;
    // As a C++ stream shows the base: not of 0.
    if player.state == 0 {
        write!(out, "0")?
    } else {
        write!(out, "0x{:x}", player.state)?
    }
    write_numbers(out, &player.motion)?;
    write_numbers(out, &[player.body_deg, player.neck_deg])?;
    if let Some(point) = &player.points_to {
        write_numbers(out, point)?;
    }
    let (quality, width_deg) = player.view.unwrap_or(VIEW);
    write!(out, " (v {quality} {})", General(width_deg))?;
    if version >= TextVersion::V6 {
        write!(out, " (fp")?;
        write_numbers(out, &player.focus.unwrap_or_default())?;
        write!(out, ")")?;
    }
    write!(out, " (s")?;
    write_numbers(out, &player.stamina.unwrap_or(STAMINA))?;
    if version >= TextVersion::V5 {
        write_numbers(out, &[player.capacity.unwrap_or(CAPACITY)])?;
    }
    write!(out, ")")?;
    if let Some((side, number)) = player.listens_to {
        write!(out, " (f {} {number})", side.letter())?;
    }
    write!(out, " (c")?;
    let counts = player.counts.iter().copied().chain(std::iter::repeat(0));
    for count in counts.take(version.counts()) {
        write!(out, " {count}")?;
    }
    write!(out, "))")
}
