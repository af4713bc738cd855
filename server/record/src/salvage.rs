//! A whole recording made of one that is damaged or was cut off: what is whole is kept, on both sides of the damage.
//!
//! A chunk is whole or lost: its checksum tells. Behind a hole the world can be run again if no input was in it, which the numbers
//! of the inputs before and behind tell; a [`Gap`] in the copy says which steps have no poses, and whether inputs may be missing.

use crate::HEADER;
use crate::channels::Channel;
use crate::copy::{CopyError, Copying, no_head};
use crate::frames::{Records, Stop};
use crate::input::Tick;
use crate::log::{Gap, Header};
use crate::poses::{Block, MOST_TICK};
use crate::read_error::ReadError;
use crate::reader::read_header;
use mcap::records::{self, Record, SchemaHeader};
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom, Write};

/// What became of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Chunks that were whole, and are in the copy.
    pub chunks: u64,
    /// What was left out, in the order of the file.
    pub holes: Vec<Hole>,
    /// Steps without poses that the copy names, and whether inputs may be missing from there on.
    pub gaps: Vec<Gap>,
    /// How many messages are missing of each topic, as far as their numbers tell.
    pub lost_messages: BTreeMap<String, u64>,
}

/// A part of a file that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Offset of its first byte in the file.
    pub from_byte: u64,
    /// The first byte behind it; `None` if nothing behind it is whole.
    pub to_byte: Option<u64>,
    /// What is wrong in it.
    pub problem: String,
    /// The inputs before it are not followed by those behind it; also if nobody can know.
    inputs_lost: bool,
}

/// Copies all that is whole, and closes the copy.
///
/// # Errors
/// When there is no head that says which world it is, or the copy cannot be written.
pub fn recover<W: Write + Seek>(mut source: impl Read + Seek, out: W) -> Result<(W, Recovered), CopyError> {
    let survey = survey(&mut source)?;
    let lost_messages = survey.lost_by_topic();
    let Survey { head, definitions, holes, whole_bytes, chunks, begins_ns, .. } = survey;
    let (header, text) = head.ok_or_else(|| no_head(whole_bytes))?;
    // What was cut out of another recording does not begin with its first step.
    let begins = ((begins_ns as f64 * 1e-9 / header.scenario.dt_secs).round() as Tick).min(MOST_TICK);
    let mut copying = Copying::new(out, header, &text, 0..=Tick::MAX)?;
    definitions.into_iter().try_for_each(|record| copying.take(record))?;
    let mut salvaging =
        Salvaging { copying, next_tick: begins, named: Vec::new(), open: None, gaps: Vec::new() };
    let mut following = holes.iter();
    each(&mut source, |event| match event {
        Event::Record(record) => salvaging.take(record),
        Event::Hole(_) => {
            salvaging.open(following.next());
            Ok(())
        }
    })?;
    let (out, gaps) = salvaging.finish()?;
    Ok((out, Recovered { chunks, holes, gaps, lost_messages }))
}

enum Event<'a> {
    Record(Record<'a>),
    Hole(Hole),
}

/// Shows all that is whole and all that is not, in the order of the file; gives how many bytes and chunks were read.
fn each(
    source: &mut (impl Read + Seek),
    mut see: impl FnMut(Event<'_>) -> Result<(), CopyError>,
) -> Result<(u64, u64), CopyError> {
    let failed = |error| CopyError::Read(ReadError::File(error));
    source.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut records = Records::new(source);
    loop {
        let problem = match records.next(|record| see(Event::Record(record))) {
            Ok(Some(seen)) => {
                seen?;
                continue;
            }
            Ok(None) => return Ok((records.whole_bytes, records.chunks)),
            Err(Stop::Unclosed { problem, .. }) => problem.to_owned(),
            Err(Stop::Damaged(damage)) => damage.problem,
            Err(stop) => return Err(ReadError::from(stop).into()),
        };
        let from_byte = records.whole_bytes;
        let to_byte = records.skip_damage().map_err(ReadError::from)?;
        see(Event::Hole(Hole { from_byte, to_byte, problem, inputs_lost: true }))?;
        if to_byte.is_none() {
            return Ok((from_byte, records.chunks));
        }
    }
}

/// What must be known before the first message is copied.
#[derive(Default)]
struct Survey {
    head: Option<(Header, Vec<u8>)>,
    /// Schemas and channels, wherever they stand: the chunk that says what they are may be lost.
    definitions: Vec<Record<'static>>,
    topics: BTreeMap<u16, String>,
    holes: Vec<Hole>,
    /// The first hole behind the last input.
    first_open: usize,
    /// The number that each channel's next message has.
    next: BTreeMap<u16, u64>,
    /// How many messages were written to each channel, if the file says it.
    written: Option<BTreeMap<u16, u64>>,
    /// The time of the first message, if the file says it.
    begins_ns: u64,
    /// How many messages are missing of each channel.
    lost: BTreeMap<u16, u64>,
    whole_bytes: u64,
    chunks: u64,
}

fn survey(source: &mut (impl Read + Seek)) -> Result<Survey, CopyError> {
    let mut survey = Survey::default();
    (survey.whole_bytes, survey.chunks) = each(source, |event| match event {
        Event::Record(record) => survey.take(record),
        Event::Hole(hole) => {
            survey.holes.push(hole);
            Ok(())
        }
    })?;
    survey.define_what_is_lost();
    survey.count_what_nobody_knows();
    survey.count_what_is_lost();
    Ok(survey)
}

/// The number of a channel in every recording: they are opened first, in this order.
fn number(channel: Channel) -> u16 {
    let place = Channel::ALL.iter().position(|&other| other == channel);
    place.map_or(0, |place| place as u16 + 1)
}

impl Survey {
    fn take(&mut self, record: Record<'_>) -> Result<(), CopyError> {
        match record {
            Record::Attachment { header, data, .. } if header.name == HEADER && self.head.is_none() => {
                self.head = Some((read_header(&data)?, data.into_owned()));
            }
            Record::Channel(channel) if !self.topics.contains_key(&channel.id) => {
                self.topics.insert(channel.id, channel.topic.clone());
                self.definitions.push(Record::Channel(channel));
            }
            Record::Schema { .. } => self.definitions.push(record.into_owned()),
            Record::Message { header, .. } => {
                let sequence = u64::from(header.sequence);
                let next = self.next.insert(header.channel_id, sequence + 1).unwrap_or(0);
                self.lose(header.channel_id, sequence.saturating_sub(next));
                if header.channel_id == number(Channel::Inputs) {
                    self.settle(sequence != next);
                }
            }
            Record::Statistics(statistics) => {
                self.begins_ns = statistics.message_start_time;
                self.written = Some(statistics.channel_message_counts);
            }
            _ => {}
        }
        Ok(())
    }

    fn lose(&mut self, channel: u16, messages: u64) {
        if messages > 0 {
            *self.lost.entry(channel).or_default() += messages;
        }
    }

    /// What is missing, once all names are known: the chunk that says what a channel is may stand behind those that are lost.
    fn lost_by_topic(&self) -> BTreeMap<String, u64> {
        let mut lost = BTreeMap::new();
        for (&channel, messages) in &self.lost {
            *lost.entry(self.topic(channel)).or_default() += messages;
        }
        lost
    }

    fn topic(&self, channel: u16) -> String {
        let known = Channel::ALL.into_iter().find(|&known| number(known) == channel);
        match (self.topics.get(&channel), known) {
            (Some(topic), _) => topic.clone(),
            (None, Some(known)) => known.topic().into(),
            (None, None) => format!("channel {channel}"),
        }
    }

    /// It turned out whether inputs are missing in the last holes.
    fn settle(&mut self, inputs_lost: bool) {
        self.holes[self.first_open..].iter_mut().for_each(|hole| hole.inputs_lost = inputs_lost);
        self.first_open = self.holes.len();
    }

    /// Every recording has these channels, with these numbers.
    fn define_what_is_lost(&mut self) {
        for channel in Channel::ALL {
            let id = number(channel);
            if self.topics.contains_key(&id) {
                continue;
            }
            // A number that no schema of a recording has.
            let schema_id = if channel.schema().is_some() { u16::MAX - id } else { 0 };
            if let Some(schema) = channel.schema() {
                self.definitions.push(Record::Schema {
                    header: SchemaHeader {
                        id: schema_id,
                        name: channel.schema_name().into(),
                        encoding: "jsonschema".into(),
                    },
                    data: schema.to_string().into_bytes().into(),
                });
            }
            self.definitions.push(Record::Channel(records::Channel {
                id,
                schema_id,
                topic: channel.topic().into(),
                message_encoding: channel.encoding().into(),
                metadata: BTreeMap::new(),
            }));
        }
    }

    /// What was written behind the last message of a channel, only the statistics tell.
    fn count_what_is_lost(&mut self) {
        let Some(written) = self.written.take() else { return };
        let inputs = number(Channel::Inputs);
        let seen = |channel: u16| self.next.get(&channel).copied().unwrap_or(0);
        let inputs_lost = written.get(&inputs).copied().unwrap_or(0) != seen(inputs);
        let lost: Vec<(u16, u64)> =
            written.iter().map(|(&channel, &count)| (channel, count.saturating_sub(seen(channel)))).collect();
        lost.into_iter().for_each(|(channel, count)| self.lose(channel, count));
        self.settle(inputs_lost);
    }

    /// Messages that are whole are lost all the same if nothing says any more what they are.
    fn count_what_nobody_knows(&mut self) {
        let known = |channel: &u16| {
            self.topics.contains_key(channel)
                || Channel::ALL.into_iter().any(|known| number(known) == *channel)
        };
        let unknown = self.next.iter().filter(|(channel, _)| !known(channel));
        self.lost.extend(unknown.map(|(&channel, &messages)| (channel, messages)));
    }
}

/// The copy that is being written.
struct Salvaging<W: Write + Seek> {
    copying: Copying<W>,
    /// The first tick that has no poses yet.
    next_tick: Tick,
    /// The gaps that the source names itself: poses stand behind other messages of their time.
    named: Vec<Gap>,
    /// Behind a hole, until the next poses: whether inputs were lost in it.
    open: Option<bool>,
    gaps: Vec<Gap>,
}

impl<W: Write + Seek> Salvaging<W> {
    fn open(&mut self, hole: Option<&Hole>) {
        // Behind the last there is nothing that could be run again.
        let Some(hole) = hole.filter(|hole| hole.to_byte.is_some()) else { return };
        let inputs_lost = hole.inputs_lost;
        self.open = Some(inputs_lost || self.open == Some(true));
    }

    fn take(&mut self, record: Record<'_>) -> Result<(), CopyError> {
        if let Record::Message { header, data } = &record {
            match self.copying.channel(header.channel_id) {
                Some(Channel::Poses) => {
                    self.close(&Block::read(data).map_err(|error| wrong(header, &error))?)?
                }
                Some(Channel::Gaps) => self.named.extend(serde_json::from_slice::<Gap>(data)),
                // A sensor's, or another program's; but not one of which nothing says any more what it is.
                None if !self.copying.knows(header.channel_id) => return Ok(()),
                Some(_) | None => {}
            }
        }
        self.copying.take(record)
    }

    /// Names what is missing before a block of poses.
    fn close(&mut self, block: &Block) -> Result<(), CopyError> {
        // While time stands there may be several of one tick.
        let from = self.next_tick.min(block.tick);
        let gap = Gap { from, to: block.tick, inputs_lost: self.open == Some(true) };
        self.next_tick = self.next_tick.max(block.newest() + 1);
        let is_named = self.named.iter().any(|named| named.from <= gap.from && gap.to <= named.to);
        match self.open.take() {
            Some(_) if (gap.from < gap.to && !is_named) || gap.inputs_lost => self.name(gap),
            _ => Ok(()),
        }
    }

    fn name(&mut self, gap: Gap) -> Result<(), CopyError> {
        self.gaps.push(gap);
        self.copying.gap(&gap)
    }

    fn finish(mut self) -> Result<(W, Vec<Gap>), CopyError> {
        if self.open == Some(true) {
            let at = self.next_tick;
            self.name(Gap { from: at, to: at, inputs_lost: true })?;
        }
        Ok((self.copying.finish()?, self.gaps))
    }
}

fn wrong(header: &records::MessageHeader, error: &dyn std::fmt::Display) -> CopyError {
    let (topic, sequence) = (Channel::Poses.topic().into(), header.sequence);
    CopyError::Read(ReadError::BadMessage { topic, sequence, problem: error.to_string() })
}
