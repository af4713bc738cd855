//! Tables made of recordings.

use crate::poses::{height_m, pose};
use crate::read_error::ReadError;
use crate::reader::Log;
use crate::series;
use crate::topic::json_messages;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{Read, Write};

/// A message with more values than this is no line of a table.
const MOST_COLUMNS: usize = 1 << 16;

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

/// A line for each message of a topic, a column for each number, text and truth value in it; lists become numbered columns.
///
/// # Errors
/// When the file is not whole, there is no such topic with JSON messages, or the table cannot be written.
pub fn topic_csv(source: impl Read, topic: &str, mut out: impl Write) -> Result<(), CsvError> {
    // All of it is made before anything of it is shown: what is damaged may turn out so only at the end.
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut columns: Vec<String> = Vec::new();
    let mut written = Ok(());
    let mut is_too_wide = false;
    let known = json_messages(source, topic, |nanoseconds, value| {
        let mut cells = HashMap::new();
        let mut order = Vec::new();
        flatten(String::new(), &value, &mut |name, text| {
            is_too_wide |= order.len() >= MOST_COLUMNS;
            if !is_too_wide {
                order.push(name.clone());
                cells.insert(name, text);
            }
        });
        if columns.is_empty() {
            columns = order;
            written = table.write_record(std::iter::once("time_s").chain(columns.iter().map(String::as_str)));
        }
        if written.is_ok() {
            let time_s = format!("{:.6}", nanoseconds as f64 * 1e-9);
            let row = columns.iter().map(|column| cells.remove(column).unwrap_or_default());
            written = table.write_record(std::iter::once(time_s).chain(row));
        }
    })?;
    written?;
    if columns.is_empty() || is_too_wide {
        let messages = known.iter().find(|(name, _)| name == topic).map(|(_, messages)| *messages);
        let problem = match messages {
            _ if is_too_wide => "has messages of more than 65,536 values",
            Some(0) => "has no messages in this recording",
            Some(_) => "has no messages that are JSON",
            None => "is not in this recording",
        };
        let others = known.into_iter().filter(|(name, messages)| *messages > 0 && name != topic);
        let names: Vec<String> = others.map(|(name, _)| name).collect();
        return Err(CsvError::Topic { topic: topic.into(), problem, known: names.join(", ") });
    }
    let made = table.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(out.write_all(&made).and_then(|()| out.flush()).map_err(csv::Error::from)?)
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
