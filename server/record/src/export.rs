//! Tables made of recordings.

use crate::poses::{height_m, pose};
use crate::read_error::ReadError;
use crate::reader::Log;
use crate::series;
use crate::topic::json_messages;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, Read, Write};

/// A message with more values than this is no line of a table.
const MOST_COLUMNS: usize = 1 << 16;
/// A table with more cells than this is none that anybody reads: ten minutes of 22 robots have a tenth of it.
const MOST_CELLS: usize = 1 << 28;

/// A table cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    /// The source is no recording.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no such topic, or it has no numbers.
    #[error("topic {topic} {problem}; there are: {known}")]
    Topic {
        /// Name of the topic that was asked for.
        topic: String,
        /// What is wrong with it.
        problem: &'static str,
        /// All topics, with commas between them.
        known: String,
    },
    /// The table cannot be written.
    #[error(transparent)]
    Write(#[from] csv::Error),
}

/// A line for each object of each tick: `tick,step,time_s,object,x_m,y_m,theta_rad,z_m`.
///
/// # Errors
/// When it cannot be written.
pub fn poses_csv(log: &Log, out: impl Write) -> Result<(), CsvError> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(["tick", "step", "time_s", "object", "x_m", "y_m", "theta_rad", "z_m"])?;
    for logged in &log.blocks {
        let block = &logged.block;
        let each = block.objects.len().max(1);
        for (index, places) in block.places().chunks(each).enumerate() {
            let (tick, step) = (block.tick + index as u64, block.step + index as u64);
            let time_s = format!("{:.6}", tick as f64 * log.header.scenario.dt_secs);
            for (object, &units) in block.objects.iter().zip(places) {
                let pose = pose(units);
                let numbers = [pose.x_m, pose.y_m, pose.theta_rad, height_m(units)];
                let [x_m, y_m, theta_rad, z_m] = numbers.map(|number| format!("{number:.4}"));
                let name = log.object_name(*object);
                table.write_record([
                    &tick.to_string(),
                    &step.to_string(),
                    &time_s,
                    &name,
                    &x_m,
                    &y_m,
                    &theta_rad,
                    &z_m,
                ])?;
            }
        }
    }
    Ok(table.flush().map_err(csv::Error::from)?)
}

/// A line for each message of a topic, a column for each number, text and truth value in any of them, in the order in which they are first met; lists
/// become numbered columns. A cell of what a message does not have is empty.
///
/// # Errors
/// When the file is not whole, there is no such topic with JSON messages, or the table cannot be written.
pub fn topic_csv(source: impl Read, topic: &str, mut out: impl Write) -> Result<(), CsvError> {
    // All of it is made before anything of it is shown: what is damaged may turn out so only at the end.
    let mut table = Table::default();
    let known = json_messages(source, topic, |nanoseconds, value| table.add(nanoseconds, &value))?;
    let is_too_large = table.is_too_large();
    let Table { columns, rows, is_too_wide, .. } = table;
    if columns.is_empty() || is_too_wide || is_too_large {
        let messages = known.iter().find(|(name, _)| name == topic).map(|(_, messages)| *messages);
        let problem = match messages {
            _ if is_too_wide => "has more than 65,536 different values",
            _ if is_too_large => "has a table of more than 268,435,456 cells",
            Some(0) => "has no messages in this recording",
            Some(_) => "has no messages that are JSON",
            None => "is not in this recording",
        };
        let others = known.into_iter().filter(|(name, messages)| *messages > 0 && name != topic);
        let names: Vec<String> = others.map(|(name, _)| name).collect();
        return Err(CsvError::Topic { topic: topic.into(), problem, known: names.join(", ") });
    }
    let mut head = csv::Writer::from_writer(&mut out);
    head.write_record(std::iter::once("time_s").chain(columns.iter().map(String::as_str)))?;
    head.flush().map_err(csv::Error::from)?;
    drop(head);
    Ok(rows.write(columns.len(), out).map_err(csv::Error::from)?)
}

/// Messages as they come; what later ones have besides becomes a column behind the others.
#[derive(Default)]
struct Table {
    columns: Vec<String>,
    places: HashMap<String, usize>,
    rows: Rows,
    is_too_wide: bool,
}

impl Table {
    fn is_too_large(&self) -> bool {
        self.rows.ends.len().saturating_mul(self.columns.len()) > MOST_CELLS
    }

    fn add(&mut self, nanoseconds: u64, value: &Value) {
        // The rest is read for its damage alone.
        if self.is_too_large() {
            return;
        }
        let Self { columns, places, rows, is_too_wide } = self;
        let mut row: Vec<String> = Vec::new();
        flatten(String::new(), value, &mut |name, text| {
            if *is_too_wide {
                return;
            }
            let place = match places.get(&name) {
                Some(&place) => place,
                None if columns.len() < MOST_COLUMNS => {
                    places.insert(name.clone(), columns.len());
                    columns.push(name);
                    columns.len() - 1
                }
                None => return *is_too_wide = true,
            };
            if row.len() <= place {
                row.resize(place + 1, String::new());
            }
            row[place] = text;
        });
        // What it lacks is filled in when all columns are known.
        row.truncate(row.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1));
        if !*is_too_wide {
            rows.add(std::iter::once(format!("{:.6}", nanoseconds as f64 * 1e-9)).chain(row));
        }
    }
}

/// Lines of a table whose last columns are not known yet.
#[derive(Default)]
struct Rows {
    text: Vec<u8>,
    /// Where each line ends, without its line end, and how many cells it has.
    ends: Vec<(usize, usize)>,
}

impl Rows {
    fn add(&mut self, cells: impl Iterator<Item = String>) {
        let mut line = csv::Writer::from_writer(&mut self.text);
        let mut count = 0;
        let cells = cells.inspect(|_| count += 1);
        // A vector takes everything.
        let _ = line.write_record(cells).and_then(|()| Ok(line.flush()?));
        drop(line);
        self.text.pop();
        self.ends.push((self.text.len(), count));
    }

    /// Writes lines of a time and so many columns.
    fn write(&self, columns: usize, mut out: impl Write) -> io::Result<()> {
        let mut from = 0;
        for &(end, count) in &self.ends {
            out.write_all(&self.text[from..end])?;
            out.write_all(",".repeat(columns + 1 - count).as_bytes())?;
            out.write_all(b"\n")?;
            from = end;
        }
        out.flush()
    }
}

/// Gives every value that is no list and no object, with its path: `robots.0.twist.2`.
pub(crate) fn flatten(path: String, value: &Value, see: &mut impl FnMut(String, String)) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(all) => {
            all.iter().for_each(|(name, value)| flatten(below(name), value, see));
            // What people look for in a quaternion.
            if let Some(yaw) = series::yaw_rad(all) {
                see(below("yaw_rad"), format!("{yaw:.6}"));
            }
        }
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(index, value)| flatten(below(&index.to_string()), value, see));
        }
        Value::Null => see(path, String::new()),
        Value::String(text) => see(path, text.clone()),
        other => see(path, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I6: few bytes of a recording do not become gigabytes of a table.
    #[test]
    fn a_table_has_only_so_many_cells() {
        let wide: serde_json::Map<_, _> =
            (0..MOST_COLUMNS).map(|key| (format!("k{key}"), 1.into())).collect();
        let (mut table, narrow) = (Table::default(), serde_json::json!({ "k0": 1 }));
        table.add(0, &wide.into());
        (1..MOST_CELLS / MOST_COLUMNS).for_each(|row| table.add(row as u64, &narrow));
        assert!(!table.is_too_wide && !table.is_too_large());
        (0..10).for_each(|_| table.add(0, &narrow));
        assert!(table.is_too_large());
        assert_eq!(table.rows.ends.len(), MOST_CELLS / MOST_COLUMNS + 1, "what comes then is not kept");
    }
}
