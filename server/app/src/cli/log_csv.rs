//! `touchline log csv`: a table of a recording, or of all of a folder.

use super::Failure;
use super::log::{open, read_whole, recordings_in, wrong};
use super::output::{data_or_terminal, note};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use touchline_record::export;

/// The column that says from which file of a folder a row is.
const RECORDING: &str = "recording";

/// Writes the table of a topic, or of the poses.
pub fn csv(path: &Path, topic: Option<&str>, as_json: bool) -> Result<(), Failure> {
    let mut out = BufWriter::new(data_or_terminal());
    match recordings_in(path)? {
        None if as_json => rows(path, None, text_of(path, topic)?, &mut out)?,
        None => table(path, topic, &mut out)?,
        Some(recordings) => {
            // The last file may turn out damaged, and then nothing of a table is shown.
            let (mut table, columns) = of_folder(&recordings, topic, as_json)?;
            match as_json {
                true => drop(io::copy(&mut table, &mut out)?),
                false => write_joined(table, &columns, &mut out)?,
            }
        }
    }
    Ok(out.flush()?)
}

/// The rows of all these recordings, in a file without a name, and the columns of all of them; of a row those are missing that a later file had first.
fn of_folder(
    recordings: &[PathBuf],
    topic: Option<&str>,
    as_json: bool,
) -> Result<(File, Vec<String>), Failure> {
    let mut table = Placed::new()?;
    let mut columns = vec![RECORDING.to_owned()];
    for file in recordings {
        let text = text_of(file, topic)?;
        match as_json {
            true => rows(file, Some(file), text, &mut table)?,
            false => joined(file, text, &mut columns, &mut table)?,
        }
    }
    Ok((Placed::whole(table)?, columns))
}

/// The temporary file: what is wrong with it is told with its place, wherever it turns out.
struct Placed(File);

impl Placed {
    fn new() -> Result<BufWriter<Self>, Failure> {
        Ok(BufWriter::new(Self(tempfile::tempfile().map_err(Self::told)?)))
    }

    /// All that was written, from its beginning.
    fn whole(table: BufWriter<Self>) -> Result<File, Failure> {
        let Self(mut table) = table.into_inner().map_err(|error| Failure::from(error.into_error()))?;
        table.rewind().map_err(Self::told)?;
        Ok(table)
    }

    fn told(error: io::Error) -> io::Error {
        let folder = std::env::temp_dir();
        io::Error::new(
            error.kind(),
            format!("a temporary file for the table, in {}: {error}", folder.display()),
        )
    }
}

impl Write for Placed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(Self::told)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(Self::told)
    }
}

/// Writes a file's rows without their head, under the columns of the files before and then its own new ones.
fn joined(file: &Path, text: impl Read, columns: &mut Vec<String>, out: impl Write) -> Result<(), Failure> {
    let unwritten = |error| csv_failure(file, error);
    let (mut rows, mut out) = (csv::Reader::from_reader(text), without_head(out));
    let mut places = Vec::new();
    for name in rows.headers().map_err(unwritten)? {
        // A message may have a value that is called as the file's or the stamp's column is.
        let is_its = |&place: &usize| columns[place] == name && !places.contains(&place);
        let place = (1..columns.len()).find(is_its).unwrap_or(columns.len());
        if place == columns.len() {
            columns.push(name.to_owned());
        }
        places.push(place);
    }
    let name = name(file);
    for row in rows.records() {
        let row = row.map_err(unwritten)?;
        let mut cells = vec![""; columns.len()];
        cells[0] = &name;
        places.iter().zip(&row).for_each(|(&place, cell)| cells[place] = cell);
        out.write_record(&cells).map_err(unwritten)?;
    }
    Ok(out.flush()?)
}

/// Writes joined rows, each with all columns.
fn write_joined(rows: File, columns: &[String], out: impl Write) -> Result<(), Failure> {
    let unwritten = |error| csv_failure(Path::new("the table"), error);
    let mut rows = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(rows);
    let mut out = without_head(out);
    out.write_record(columns).map_err(unwritten)?;
    for row in rows.records() {
        let row = row.map_err(unwritten)?;
        let missing = std::iter::repeat_n("", columns.len() - row.len());
        out.write_record(row.iter().chain(missing)).map_err(unwritten)?;
    }
    Ok(out.flush()?)
}

fn without_head<W: Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new().flexible(true).from_writer(out)
}

fn csv_failure(of: &Path, error: csv::Error) -> Failure {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        kind => Failure::Resource(format!("{}: {kind:?}", of.display())),
    }
}

/// Writes a JSON object for each row; of a folder's files each says which one it is from.
fn rows(path: &Path, named: Option<&Path>, text: impl Read, mut out: impl Write) -> Result<(), Failure> {
    let mut rows = csv::Reader::from_reader(text);
    let unreadable = |error: csv::Error| Failure::Resource(format!("{}: {error}", path.display()));
    let names = rows.headers().map_err(unreadable)?.clone();
    for row in rows.records() {
        let row = row.map_err(unreadable)?;
        let value = |cell: &str| match cell.parse::<serde_json::Number>() {
            Ok(number) => number.into(),
            Err(_) if cell.is_empty() => serde_json::Value::Null,
            Err(_) => cell.into(),
        };
        let recording = named.map(|file| (RECORDING.to_owned(), name(file).into()));
        let cells = names.iter().zip(row.iter()).map(|(name, cell)| (name.to_owned(), value(cell)));
        let object: serde_json::Map<_, _> = recording.into_iter().chain(cells).collect();
        writeln!(out, "{}", serde_json::Value::from(object))?;
    }
    Ok(())
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// In a file without a name: a small recording may have a table that no memory holds.
fn text_of(path: &Path, topic: Option<&str>) -> Result<File, Failure> {
    let mut text = Placed::new()?;
    table(path, topic, &mut text)?;
    Placed::whole(text)
}

/// Writes the table of a topic, or of the poses.
fn table(path: &Path, topic: Option<&str>, out: impl Write) -> Result<(), Failure> {
    let written = match topic {
        None => {
            let log = read_whole(path)?;
            for gap in log.gaps.iter().filter(|gap| gap.from < gap.to) {
                note(&format!("note: {}: {gap}", path.display()));
            }
            export::poses_csv(&log, out)
        }
        Some(topic) => export::topic_csv(open(path)?, topic, out),
    };
    written.map_err(|error| match error {
        export::CsvError::Read(error) => wrong(path, &error),
        export::CsvError::Topic { .. } => Failure::Configuration(format!("{}: {error}", path.display())),
        export::CsvError::Write(error) => match error.into_kind() {
            csv::ErrorKind::Io(error) => error.into(),
            kind => Failure::Resource(format!("{kind:?}")),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W7: a folder's table has every column of any recording, whichever had it first, and each row as many cells.
    #[test]
    fn a_folder_s_table_has_the_columns_of_all() {
        let (mut columns, mut rows) = (vec![RECORDING.to_owned()], tempfile::tempfile().unwrap());
        for (file, text) in [
            ("a.mcap", "time_s,from,text\n0.1,ann,hello\n"),
            ("b.mcap", "time_s,text,heard_by.0\n0.2,\"two\nlines\",bob\n"),
            ("c.mcap", "heard_by.0,time_s,time_s,recording\ncid,0.3,7,own\n"),
        ] {
            joined(Path::new(file), text.as_bytes(), &mut columns, &mut rows).unwrap();
        }
        rows.rewind().unwrap();
        let mut table = Vec::new();
        write_joined(rows, &columns, &mut table).unwrap();
        let told = "recording,time_s,from,text,heard_by.0,time_s,recording\na.mcap,0.1,ann,hello,,,\nb.mcap,0.2,,\"two\nlines\",bob,,\nc.mcap,0.3,,,cid,7,own\n";
        assert_eq!(String::from_utf8(table).unwrap(), told);
    }
}
