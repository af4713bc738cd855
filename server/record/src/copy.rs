//! Recordings made of recordings: a message is copied as it stands, and numbered anew in its channel.

use crate::HEADER;
use crate::channels::Channel;
use crate::frames::Records;
use crate::input::Tick;
use crate::log::{Gap, Header};
use crate::poses::Block;
use crate::read_error::ReadError;
use crate::reader::read_header;
use crate::writer::{Sequences, WriteError, container, head};
use mcap::Writer;
use mcap::records::{MessageHeader, Record};
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

/// Copies the part of a recording that lies in a range of ticks.
///
/// All inputs up to the end of the range are copied, so that the copy can be run again; and what everything looked like
/// before the range, as of its beginning.
///
/// # Errors
/// When the source is no recording, or not a whole one, or the copy cannot be written.
pub fn copy<W: Write + Seek>(source: impl Read, range: RangeInclusive<Tick>, out: W) -> Result<W, CopyError> {
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
            Ok(None) => break,
            Err(stop) => return Err(ReadError::from(stop).into()),
        }
    }
    match copying {
        Some(copying) => Ok(copying.finish()?),
        None => Err(no_head(records.whole_bytes).into()),
    }
}

/// No head was found in so many bytes.
pub(crate) fn no_head(at_byte: u64) -> ReadError {
    ReadError::NoHead { at_byte, problem: "there is no attachment \"touchline.json\"" }
}

/// A recording that is written from the records of another.
pub(crate) struct Copying<W: Write + Seek> {
    out: Writer<W>,
    sequences: Sequences,
    header: Header,
    text: Vec<u8>,
    range: RangeInclusive<Tick>,
    schemas: HashMap<u16, u16>,
    channels: HashMap<u16, (u16, Option<Channel>)>,
}

impl<W: Write + Seek> Copying<W> {
    /// Begins a recording with this header, whose bytes are `text`.
    pub fn new(out: W, header: Header, text: &[u8], range: RangeInclusive<Tick>) -> Result<Self, CopyError> {
        let mut out = container(&header.server).create(out).map_err(WriteError::from)?;
        out.attach(&head(text)).map_err(WriteError::from)?;
        let (sequences, text) = (Sequences::default(), text.to_vec());
        Ok(Self { out, sequences, header, text, range, schemas: HashMap::new(), channels: HashMap::new() })
    }

    /// Copies a record, if it belongs into the copy.
    pub fn take(&mut self, record: Record<'_>) -> Result<(), CopyError> {
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
                    return Err(ReadError::unknown_channel(header.channel_id).into());
                };
                let Some((stamp, data)) = self.part(channel, &header, data) else { return Ok(()) };
                self.put(channel_id, stamp, &data)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the source has said what a channel is.
    pub fn knows(&self, number: u16) -> bool {
        self.channels.contains_key(&number)
    }

    /// Which of our channels a number stands for in the source.
    pub fn channel(&self, number: u16) -> Option<Channel> {
        self.channels.get(&number)?.1
    }

    /// Says that something was lost.
    pub fn gap(&mut self, gap: &Gap) -> Result<(), CopyError> {
        let gaps = self.channels.values().find(|(_, channel)| *channel == Some(Channel::Gaps));
        let Some(&(channel, _)) = gaps else { return Ok(()) };
        let text = serde_json::to_vec(gap).map_err(|error| WriteError::from(std::io::Error::from(error)))?;
        self.put(channel, self.header.nanoseconds(gap.from), &text)
    }

    /// Writes the end of the file and gives the writer back.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.out.attach(&head(&self.text))?;
        self.out.finish()?;
        Ok(self.out.into_inner())
    }

    fn put(&mut self, channel: u16, stamp: u64, data: &[u8]) -> Result<(), CopyError> {
        let header = self.sequences.header(channel, stamp);
        Ok(self.out.write_to_known_channel(&header, data).map_err(WriteError::from)?)
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
            return Some((self.header.nanoseconds(block.tick), block.write().into()));
        }
        if channel == Some(Channel::Gaps) {
            let gap = serde_json::from_slice::<Gap>(&data).ok()?.within(&self.range)?;
            return Some((self.header.nanoseconds(gap.from), serde_json::to_vec(&gap).ok()?.into()));
        }
        let (first, last) = (self.header.nanoseconds(*self.range.start()), *self.range.end());
        let is_after = last != Tick::MAX && header.log_time > self.header.nanoseconds(last);
        let keeps_before = matches!(channel, Some(Channel::Inputs | Channel::Scene | Channel::Annotations));
        let is_left_out = is_after || (header.log_time < first && !keeps_before);
        (!is_left_out).then(|| (header.log_time.max(first), data))
    }
}
