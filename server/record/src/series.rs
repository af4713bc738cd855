//! Series of numbers out of recordings and tables, for [`crate::compare_series`].

use crate::compare_series::{CompareError, Series};
use crate::read_error::ReadError;
use crate::topic::json_messages;
use serde_json::{Map, Value};
use std::io::Read;
use touchline_plugin_api::geometry::atan2;

/// Why no series can be read.
#[derive(Debug, thiserror::Error)]
pub enum SeriesError {
    /// The source is no MCAP file.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The source is no table.
    #[error("this is neither an MCAP file nor a table (CSV): {0}")]
    Csv(#[from] csv::Error),
    /// There is no such topic, or it has no JSON messages.
    #[error("topic {topic} {problem}; there are: {known}")]
    Topic {
        /// Name of the topic that was asked for.
        topic: String,
        /// What is wrong with it.
        problem: &'static str,
        /// All topics, with commas between them.
        known: String,
    },
    /// The first column of a table is no time.
    #[error("line {line}: the first column is the time in seconds, and \"{cell}\" is no such number")]
    Stamp {
        /// Where, from 1.
        line: u64,
        /// Text of the first cell.
        cell: String,
    },
    /// A line of a table is earlier than the one before.
    #[error("line {line}: {problem}")]
    Line {
        /// Where, from 1.
        line: u64,
        /// Error of the series.
        problem: CompareError,
    },
    /// A message of a topic is earlier than the one before.
    #[error("topic {topic}: {problem}")]
    Message {
        /// Name of the topic.
        topic: String,
        /// Error of the series.
        problem: CompareError,
    },
}

/// The numbers of a topic's JSON messages, of any MCAP file, stamped as they were written.
///
/// A number's name is its path, `pose.position.x`; members of lists have their index. A quaternion becomes its `yaw_rad`,
/// and stamps within a message (`sec` and `nsec`) are left out: messages are paired by the file's stamps.
///
/// # Errors
/// When it is no MCAP file, has no such topic, or time runs backwards.
pub fn of_topic(source: impl Read, topic: &str) -> Result<Series, SeriesError> {
    let mut series = Series::default();
    let mut pushed = Ok(());
    let known = json_messages(source, topic, |nanoseconds, message| {
        let mut numbers = Vec::new();
        collect(String::new(), &message, &mut numbers);
        if pushed.is_ok() {
            pushed = series.push(nanoseconds as f64 * 1e-9, numbers);
        }
    })?;
    pushed.map_err(|problem| SeriesError::Message { topic: topic.into(), problem })?;
    if series.stamps_secs().is_empty() {
        let has_topic = known.iter().any(|(name, _)| name == topic);
        let problem = if has_topic { "has no messages that are JSON" } else { "is not in this recording" };
        let names: Vec<String> = known.into_iter().map(|(name, _)| name).collect();
        return Err(SeriesError::Topic { topic: topic.into(), problem, known: names.join(", ") });
    }
    Ok(series)
}

/// The topics of an MCAP file.
///
/// # Errors
/// When it is no MCAP file.
pub fn topics(source: impl Read) -> Result<Vec<String>, SeriesError> {
    let known = json_messages(source, "", |_, _| {})?;
    Ok(known.into_iter().map(|(name, _)| name).collect())
}

/// The numbers of a table whose first column is the time in seconds and whose first line has the columns' names.
///
/// A cell that is no number is missing; a column without any number is left out.
///
/// # Errors
/// When it is no table, the first column is no time, or time runs backwards.
pub fn of_csv(source: impl Read) -> Result<Series, SeriesError> {
    let mut table = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(source);
    let names: Vec<String> = table.headers()?.iter().skip(1).map(str::to_owned).collect();
    let mut series = Series::default();
    for row in table.records() {
        let row = row?;
        let line = row.position().map_or(0, csv::Position::line);
        let cell = row.get(0).unwrap_or_default();
        let stamp = cell.parse().ok().filter(|stamp: &f64| stamp.is_finite());
        let stamp = stamp.ok_or_else(|| SeriesError::Stamp { line, cell: cell.into() })?;
        let number = |(name, cell): (&String, &str)| Some((name.clone(), cell.parse().ok()?));
        let numbers = names.iter().zip(row.iter().skip(1)).filter_map(number);
        series.push(stamp, numbers).map_err(|problem| SeriesError::Line { line, problem })?;
    }
    Ok(series)
}

fn collect(path: String, value: &Value, numbers: &mut Vec<(String, f64)>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(all) if is_stamp(all) => {}
        Value::Object(all) => match yaw_rad(all) {
            Some(yaw) => numbers.push((below("yaw_rad"), yaw)),
            None => all.iter().for_each(|(name, value)| collect(below(name), value, numbers)),
        },
        Value::Array(all) => {
            all.iter()
                .enumerate()
                .for_each(|(index, value)| collect(below(&index.to_string()), value, numbers));
        }
        Value::Number(number) => numbers.extend(number.as_f64().map(|number| (path, number))),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn is_stamp(all: &Map<String, Value>) -> bool {
    all.len() == 2 && all.contains_key("sec") && (all.contains_key("nsec") || all.contains_key("nanosec"))
}

/// The heading of a quaternion: two that are the same turn may have no number in common.
pub(crate) fn yaw_rad(all: &Map<String, Value>) -> Option<f64> {
    let part = |name: &str| all.get(name)?.as_f64();
    let (x, y, z, w) = (part("x")?, part("y")?, part("z")?, part("w")?);
    (all.len() == 4).then(|| atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A table's cells are read as far as they are numbers; what is no number is missing.
    #[test]
    fn a_table_is_read() {
        let series = of_csv("time, x_m ,note\n0,1.5,go\n0.5,,\n1, 2 ,stop\n".as_bytes()).unwrap();
        assert_eq!(series.stamps_secs(), [0.0, 0.5, 1.0]);
        let x = &series.field("x_m").unwrap().values;
        assert_eq!((x[0], x[1].is_nan(), x[2]), (1.5, true, 2.0));
        assert_eq!(series.fields().len(), 1, "a column of words is none");
    }

    /// What is wrong with a table is said with its line.
    #[test]
    fn a_wrong_table_is_named_by_its_line() {
        let wrong = |text: &str| of_csv(text.as_bytes()).unwrap_err().to_string();
        assert!(wrong("t,x\n0,1\n2,1\n1,1\n").contains("line 4: message 3"));
        assert!(wrong("t,x\n0,1\nlater,1\n").contains("line 3: the first column"));
        assert!(wrong("t,x\n0,1\nnan,1\n").contains("\"nan\""));
        assert!(wrong("t,x\n0,1\n1\n").contains("neither"));
    }

    /// Paths, lists, headings; a message's own stamps are left out.
    #[test]
    fn a_message_becomes_numbers() {
        let half = std::f64::consts::FRAC_PI_4;
        let (sin, cos) = touchline_plugin_api::geometry::sin_cos(half);
        let message = json!({
            "timestamp": { "sec": 3, "nsec": 4 }, "frame_id": "blue-1", "ranges": [1.0, null, 3],
            "pose": { "position": { "x": 1.0, "y": 2.0, "z": 0.0 },
                "orientation": { "x": 0.0, "y": 0.0, "z": -sin, "w": -cos } },
        });
        let mut numbers = Vec::new();
        collect(String::new(), &message, &mut numbers);
        numbers.sort_by(|a, b| a.0.cmp(&b.0));
        let names: Vec<&str> = numbers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "pose.orientation.yaw_rad",
                "pose.position.x",
                "pose.position.y",
                "pose.position.z",
                "ranges.0",
                "ranges.2"
            ]
        );
        assert!((numbers[0].1 - 2.0 * half).abs() < 1e-12);
    }
}
