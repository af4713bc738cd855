//! Text to rows: CSV with or without a header, columns parted by tabs or spaces, rows of `name,value` pairs; plain or gzipped.
//!
//! A row that is shorter or longer than the head is refused: its numbers may stand in other columns than it seems.

use crate::error::LogError;
use csv::StringRecord;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// No log is longer when unpacked, bytes.
pub const MAX_BYTES: u64 = 256 << 20;
/// Its rows take no more memory, bytes: short rows take many times what they have in the file.
const MAX_MEMORY_BYTES: usize = 1 << 30;
/// What a row takes whatever is in it, and each of its fields besides its text, bytes.
const ROW_BYTES: usize = 192;
const FIELD_BYTES: usize = 16;

/// A log as it stands in the file.
#[derive(Clone, Debug)]
pub struct Table {
    /// The file, as the user named it.
    pub file: String,
    /// The names of the columns; their numbers from 1 if the file has no header.
    pub names: Vec<String>,
    rows: Vec<StringRecord>,
    lines: Vec<u64>,
    /// A digest of the file's bytes, FNV-1a of 64 bits, in hexadecimal.
    pub digest: String,
}

impl Table {
    /// Reads a file's bytes.
    ///
    /// # Errors
    /// When it is no table of text, or has no rows.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, LogError> {
        let digest = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let text = text(file, bytes)?;
        let (names, rows, lines) = parse(file, &text, MAX_MEMORY_BYTES)?;
        if rows.is_empty() {
            return Err(LogError::new("program/log-too-short", file, None, "the log has no rows")
                .got(format!("{} lines without data", text.lines().count()))
                .allowed("a header line and at least some seconds of rows")
                .hint("check that the recording was not cut off after its header"));
        }
        Ok(Self { file: file.into(), names, rows, lines, digest: format!("fnv1a64:{digest:016x}") })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The line on which a row stands.
    pub fn line(&self, row: usize) -> u64 {
        self.lines[row]
    }

    /// The number in a row and column, times `factor`.
    ///
    /// # Errors
    /// When nothing, or no finite number stands there.
    pub fn number(&self, row: usize, column: usize, factor: f64) -> Result<f64, LogError> {
        let field = self.rows[row].get(column).map(str::trim);
        let number = field.and_then(|field| field.parse::<f64>().ok()).filter(|n| (n * factor).is_finite());
        number.map(|number| number * factor).ok_or_else(|| {
            let got = match field {
                None => format!("a row of {} fields", self.rows[row].len()),
                Some("") => "nothing".into(),
                Some(field) => field.into(),
            };
            let what = format!("column \"{}\" is not a number", self.names[column]);
            LogError::new("program/log-not-a-number", &self.file, Some(self.line(row)), what)
                .got(got)
                .allowed("a finite number in every row of a column that is used")
                .hint("leave the row out of the log, or name another column with --columns")
        })
    }
}

/// Unpacks, and refuses what is no text.
fn text(file: &str, bytes: &[u8]) -> Result<String, LogError> {
    let unreadable = |what: &str| LogError::new("program/log-not-read", file, None, what);
    let plain = if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        let unpacked = MultiGzDecoder::new(bytes).take(MAX_BYTES + 1).read_to_end(&mut plain);
        unpacked.map_err(|error| {
            unreadable("the file looks like gzip but cannot be unpacked")
                .got(error.to_string())
                .allowed("a gzip file that is whole, or plain text")
                .hint("test it with `gzip -t`")
        })?;
        plain
    } else {
        bytes.to_vec()
    };
    if plain.len() as u64 > MAX_BYTES {
        return Err(too_long(file, None, &format!("{MAX_BYTES} bytes, unpacked")));
    }
    if plain.starts_with(b"#ROSBAG") || plain.starts_with(b"\x89MCAP") {
        return Err(unreadable("a log in a binary format")
            .got(if plain[0] == b'#' { "a ROS bag" } else { "an MCAP file" })
            .allowed("text: CSV with a header line")
            .hint("write the topics with commands and poses as CSV first, see docs/learned-motion.md"));
    }
    if plain.iter().all(u8::is_ascii_whitespace) {
        return Err(LogError::new("program/log-too-short", file, None, "the log is empty")
            .got(format!("{} bytes", plain.len()))
            .allowed("a header line and at least some seconds of rows")
            .hint("check that the recording was finished, and that this is its file"));
    }
    String::from_utf8(plain).map_err(|error| {
        let upto = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + upto.iter().filter(|byte| **byte == b'\n').count() as u64;
        LogError::new("program/log-not-read", file, Some(line), "the log is not text")
            .got("bytes that are not UTF-8")
            .allowed("text: CSV with a header line")
            .hint("write the log as CSV first, see docs/learned-motion.md")
    })
}

fn too_long(file: &str, line: Option<u64>, most: &str) -> LogError {
    LogError::new("program/log-not-read", file, line, "the log is too long")
        .got(format!("more than {most}"))
        .allowed(format!("at most {most}"))
        .hint("cut it into several logs; all can be given at once")
}

/// The rows of a log, and the lines on which they stand, in bounded memory.
struct Rows<'a> {
    file: &'a str,
    left_bytes: usize,
    most_bytes: usize,
    rows: Vec<StringRecord>,
    lines: Vec<u64>,
}

impl<'a> Rows<'a> {
    fn new(file: &'a str, most_bytes: usize) -> Self {
        Self { file, left_bytes: most_bytes, most_bytes, rows: Vec::new(), lines: Vec::new() }
    }

    fn push(&mut self, row: StringRecord, line: u64) -> Result<(), LogError> {
        let bytes = ROW_BYTES + FIELD_BYTES * row.len() + row.as_slice().len();
        let most = || format!("{} bytes of memory", self.most_bytes);
        let left = self.left_bytes.checked_sub(bytes);
        self.left_bytes = left.ok_or_else(|| too_long(self.file, Some(line), &most()))?;
        self.rows.push(row);
        self.lines.push(line);
        Ok(())
    }
}

type Parsed = (Vec<String>, Vec<StringRecord>, Vec<u64>);

/// A line that holds no data: a remark, or the head line of a terminal program.
fn is_remark(line: &str) -> bool {
    line.starts_with('#') || line.starts_with("=~") || line.trim().is_empty()
}

fn parse(file: &str, text: &str, most_bytes: usize) -> Result<Parsed, LogError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.lines().find(|line| !is_remark(line)).unwrap_or_default();
    // Between tabs a field may be empty, between spaces none can be.
    let delimiter = [',', ';', '\t'].into_iter().find(|delimiter| first.contains(*delimiter));
    let mut found = Rows::new(file, most_bytes);
    match delimiter {
        Some(delimiter) => delimited(&mut found, text, delimiter as u8)?,
        None => spaced(&mut found, text)?,
    }
    let Rows { mut rows, mut lines, .. } = found;
    // The file's own remarks are no rows.
    let kept: Vec<bool> = rows
        .iter()
        .map(|row| !row.get(0).is_some_and(is_remark) || row.len() > 1 && !row[0].starts_with(['#', '=']))
        .collect();
    let mut keep = kept.iter();
    rows.retain(|_| keep.next().copied().unwrap_or(true));
    let mut keep = kept.iter();
    lines.retain(|_| keep.next().copied().unwrap_or(true));
    refuse_other_widths(file, &mut rows, &lines)?;
    let Some(head) = rows.first() else { return Ok((Vec::new(), rows, lines)) };
    let is_number = |field: &str| field.trim().parse::<f64>().is_ok();
    let pairs = head.len() >= 2
        && head.len() % 2 == 0
        && head.iter().enumerate().all(|(i, field)| is_number(field) == (i % 2 == 1));
    if pairs {
        let names: Vec<String> = head.iter().step_by(2).map(|name| name.trim().to_owned()).collect();
        refuse_other_names(file, &names, &rows, &lines)?;
        let rows = rows.into_iter().map(|row| row.iter().skip(1).step_by(2).collect()).collect();
        return Ok((names, rows, lines));
    }
    if !head.iter().all(is_number) {
        let names = head.iter().map(|name| name.trim().to_owned()).collect();
        rows.remove(0);
        lines.remove(0);
        return Ok((names, rows, lines));
    }
    let width = head.len();
    let remarks = text.lines().take_while(|line| line.starts_with('#'));
    let named = remarks.map(names_of_remark).filter(|names| names.len() == width).last();
    let names = named.unwrap_or_else(|| (1..=width).map(|number| number.to_string()).collect());
    Ok((names, rows, lines))
}

/// Takes an empty field behind the last delimiter off, and refuses rows that are shorter or longer than the first one.
fn refuse_other_widths(file: &str, rows: &mut [StringRecord], lines: &[u64]) -> Result<(), LogError> {
    let Some(head) = rows.first() else { return Ok(()) };
    let ends_empty = |row: &StringRecord| row.len() > 1 && row[row.len() - 1].trim().is_empty();
    let (mut width, head_line) = (head.len(), lines[0]);
    // A head that ends with a delimiter, as its rows do not.
    if ends_empty(head) && rows.get(1).is_some_and(|row| row.len() + 1 == width) {
        width -= 1;
    }
    for (row, line) in rows.iter_mut().zip(lines) {
        if row.len() == width + 1 && ends_empty(row) {
            row.truncate(width);
        }
        if row.len() != width {
            let what = format!("the row has not as many fields as line {head_line}");
            return Err(LogError::new("program/log-not-read", file, Some(*line), what)
                .got(format!("a row of {} fields", row.len()))
                .allowed(format!("{width} fields, of which the last may be left empty"))
                .hint("an empty field keeps its delimiter: part the columns by commas or single tabs; if the recording was cut off here, leave the row out"));
        }
    }
    Ok(())
}

/// Refuses rows of pairs in which another name stands than in the first one.
fn refuse_other_names(
    file: &str,
    names: &[String],
    rows: &[StringRecord],
    lines: &[u64],
) -> Result<(), LogError> {
    for (row, line) in rows.iter().zip(lines) {
        let other = row.iter().step_by(2).zip(names).find(|(name, first)| name.trim() != **first);
        if let Some((name, first)) = other {
            let what = format!("another name stands where \"{first}\" does in the first row");
            return Err(LogError::new("program/log-not-read", file, Some(*line), what)
                .got(name.trim())
                .allowed(format!("the same names in the same order in each row: {}", names.join(", ")))
                .hint("write the log as CSV with a header line, or leave the row out"));
        }
    }
    Ok(())
}

/// The names in a remark such as `# Time [s]    x [m]    orientation [rad]`.
fn names_of_remark(line: &str) -> Vec<String> {
    let names = line.trim_start_matches('#').split(']').filter_map(|part| part.split_once('['));
    names.map(|(name, _)| name.trim().to_owned()).collect()
}

fn delimited(found: &mut Rows<'_>, text: &str, delimiter: u8) -> Result<(), LogError> {
    let file = found.file;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map(csv::Position::line);
            LogError::new("program/log-not-read", file, line, "the line is no CSV")
                .got(error.to_string())
                .allowed("fields between commas, semicolons or tabs")
                .hint("put a field that has a delimiter in it in double quotes")
        })?;
        let line = record.position().map_or(0, |at| {
            // The reader skips empty lines, but its position is before them.
            let rest = text.as_bytes().get(at.byte() as usize..).unwrap_or_default();
            let skipped = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
            at.line() + skipped.filter(|byte| **byte == b'\n').count() as u64
        });
        found.push(record, line)?;
    }
    Ok(())
}

fn spaced(found: &mut Rows<'_>, text: &str) -> Result<(), LogError> {
    let mut numbered = text.lines().zip(1..).filter(|(line, _)| !is_remark(line));
    numbered.try_for_each(|(line, number)| found.push(line.split_ascii_whitespace().collect(), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_short_rows_take_bounded_memory() {
        for row in ["1,2\n", "1 2\n"] {
            let parsed = |rows: usize| parse("log.csv", &row.repeat(rows), 100 * ROW_BYTES);
            assert_eq!(parsed(50).unwrap().1.len(), 50);
            let message = parsed(100).unwrap_err().to_string();
            assert!(message.contains("too long"), "{message}");
        }
    }
}
