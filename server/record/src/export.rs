//! Recordings made of recordings, and tables.

use crate::channels::Channel;
use crate::input::Moment;
use crate::log::Header;
use crate::poses::Block;
use crate::reader::{Log, ReadError, Records, Stop, foreign, read_header};
use crate::writer::{WriteError, container};
use crate::{HEADER, reader};
use mcap::records::{MessageHeader, Record};
use mcap::{Attachment, Writer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{Read, Seek, Write};
use std::ops::RangeInclusive;

/// A recording cannot be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The source is no recording.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The copy cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A table cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    /// The source is no recording.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no such topic, or it has no numbers.
    #[error("topic {topic} {problem}; there are: {known}")]
    Topic {
        /// What was asked for.
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

/// Copies the part of a recording that lies in a range of moments, and closes the copy properly, even if the source ends too
/// early.
///
/// All inputs up to the end of the range are copied, so that the copy can be run again; and what everything looked like
/// before the range, as of its beginning.
///
/// # Errors
/// When the source is no recording, or the copy cannot be written.
pub fn copy<W: Write + Seek>(
    source: impl Read,
    range: RangeInclusive<Moment>,
    out: W,
) -> Result<W, CopyError> {
    let mut records = Records::new(source);
    let mut copying: Option<Copying<W>> = None;
    let mut out = Some(out);
    loop {
        let taken = records.next(|record| match (&mut copying, record) {
            (None, Record::Attachment { header, data, .. }) if header.name == HEADER => {
                if let Some(out) = out.take() {
                    copying = Some(Copying::new(out, read_header(&data)?, &data, range.clone())?);
                }
                Ok(())
            }
            (Some(copying), record) => copying.take(record),
            (None, _) => Ok(()),
        });
        match taken {
            Ok(Some(taken)) => taken?,
            Ok(None) | Err(Stop::Damaged(_)) => break,
            Err(Stop::File(error)) => return Err(ReadError::from(error).into()),
            Err(Stop::NotMcap) => return Err(ReadError::NotMcap.into()),
        }
    }
    match copying {
        Some(mut copying) => {
            copying.out.finish().map_err(WriteError::from)?;
            Ok(copying.out.into_inner())
        }
        None => Err(foreign(records.whole_bytes).into()),
    }
}

struct Copying<W: Write + Seek> {
    out: Writer<W>,
    header: Header,
    range: RangeInclusive<Moment>,
    schemas: HashMap<u16, u16>,
    channels: HashMap<u16, (u16, Option<Channel>)>,
}

impl<W: Write + Seek> Copying<W> {
    fn new(out: W, header: Header, text: &[u8], range: RangeInclusive<Moment>) -> Result<Self, CopyError> {
        let mut out =
            container(&header.server).chunk_size(Some(1 << 20)).create(out).map_err(WriteError::from)?;
        out.attach(&Attachment {
            log_time: 0,
            create_time: 0,
            name: HEADER.into(),
            media_type: "application/json".into(),
            data: text.into(),
        })
        .map_err(WriteError::from)?;
        Ok(Self { out, header, range, schemas: HashMap::new(), channels: HashMap::new() })
    }

    fn take(&mut self, record: Record<'_>) -> Result<(), CopyError> {
        match record {
            Record::Schema { header, data } if !self.schemas.contains_key(&header.id) => {
                let id =
                    self.out.add_schema(&header.name, &header.encoding, &data).map_err(WriteError::from)?;
                self.schemas.insert(header.id, id);
            }
            Record::Channel(channel) if !self.channels.contains_key(&channel.id) => {
                let schema = self.schemas.get(&channel.schema_id).copied().unwrap_or(0);
                let known = Channel::of(&channel.topic);
                let id = self
                    .out
                    .add_channel(schema, &channel.topic, &channel.message_encoding, &channel.metadata)
                    .map_err(WriteError::from)?;
                self.channels.insert(channel.id, (id, known));
            }
            Record::Message { header, data } => {
                let Some(&(channel_id, channel)) = self.channels.get(&header.channel_id) else {
                    return Ok(());
                };
                let Some((log_time, data)) = self.part(channel, &header, data) else { return Ok(()) };
                let header = MessageHeader { channel_id, log_time, publish_time: log_time, ..header };
                self.out.write_to_known_channel(&header, &data).map_err(WriteError::from)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A message's stamp and content in the copy, or `None` if it is left out.
    fn part<'a>(
        &self,
        channel: Option<Channel>,
        header: &MessageHeader,
        data: Cow<'a, [u8]>,
    ) -> Option<(u64, Cow<'a, [u8]>)> {
        if channel == Some(Channel::Poses) {
            let block = Block::read(&data).ok()?.within(&self.range)?;
            return Some((self.header.nanoseconds(block.moment), block.write().into()));
        }
        let (first, last) = (self.header.nanoseconds(*self.range.start()), *self.range.end());
        let is_after = last != Moment::MAX && header.log_time > self.header.nanoseconds(last);
        let keeps_before = matches!(channel, Some(Channel::Inputs | Channel::Scene | Channel::Annotations));
        let is_left_out = is_after || (header.log_time < first && !keeps_before);
        (!is_left_out).then(|| (header.log_time.max(first), data))
    }
}

/// A line for each object of each moment: `moment,step,time_s,object,x_m,y_m,theta_rad,z_m`.
///
/// # Errors
/// When it cannot be written.
pub fn poses_csv(log: &Log, out: impl Write) -> Result<(), CsvError> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(["moment", "step", "time_s", "object", "x_m", "y_m", "theta_rad", "z_m"])?;
    for logged in &log.blocks {
        let block = &logged.block;
        for (index, sample) in block.samples.iter().enumerate() {
            let (moment, step) = (block.moment + index as u64, block.step + index as u64);
            let time_s = format!("{:.6}", moment as f64 * log.header.scenario.dt_secs);
            for (object, (pose, z_m)) in block.objects.iter().zip(sample.poses.iter().zip(&sample.heights_m))
            {
                let numbers = [pose.x_m, pose.y_m, pose.theta_rad, *z_m];
                let [x_m, y_m, theta_rad, z_m] = numbers.map(|number| format!("{number:.4}"));
                let name = log.object_name(*object);
                table.write_record([
                    &moment.to_string(),
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
/// When there is no such topic with JSON messages, or the table cannot be written.
pub fn topic_csv(source: impl Read, topic: &str, out: impl Write) -> Result<(), CsvError> {
    let mut table = csv::Writer::from_writer(out);
    let mut columns: Vec<String> = Vec::new();
    let mut written = Ok(());
    let known = reader::json_messages(source, topic, |nanoseconds, value| {
        let mut cells = HashMap::new();
        let mut order = Vec::new();
        flatten(String::new(), &value, &mut |name, text| {
            order.push(name.clone());
            cells.insert(name, text);
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
    if columns.is_empty() {
        let has_topic = known.iter().any(|(name, _)| name == topic);
        let problem = if has_topic { "has no messages that are JSON" } else { "is not in this recording" };
        let names: Vec<String> = known.into_iter().map(|(name, _)| name).collect();
        return Err(CsvError::Topic { topic: topic.into(), problem, known: names.join(", ") });
    }
    Ok(table.flush().map_err(csv::Error::from)?)
}

/// Gives every value that is no list and no object, with its path: `robots.0.twist.2`.
pub(crate) fn flatten(path: String, value: &Value, see: &mut impl FnMut(String, String)) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(all) => all.iter().for_each(|(name, value)| flatten(below(name), value, see)),
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(index, value)| flatten(below(&index.to_string()), value, see));
        }
        Value::Null => see(path, String::new()),
        Value::String(text) => see(path, text.clone()),
        other => see(path, other.to_string()),
    }
}
