//! An MCAP file in, a [`Log`] out; also of a file that ends too early.

use crate::channels::{Channel, FORMAT, HEADER};
use crate::frames::{Records, Stop};
use crate::input::{Tick, TimedInput};
use crate::log::{Gap, Header};
use crate::poses::{Block, BlockError, MOST_TICK, ObjectId};
use crate::read_error::ReadError;
use mcap::records::Record;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use touchline_sim::scenario::{is_name, is_of_one_line};

/// A log that was read.
#[derive(Clone, Debug)]
pub struct Log {
    /// Format, scenario and plugin versions.
    pub header: Header,
    /// What came in, in the order in which it came.
    pub inputs: Vec<TimedInput>,
    /// Poses of all objects, in blocks.
    pub blocks: Vec<LoggedBlock>,
    /// Goals, contacts, faults, in the order in which they were written.
    pub events: Vec<LoggedEvent>,
    /// What was said on the radio.
    pub radio: Vec<LoggedMessage>,
    /// Ranges of ticks that could not be recorded.
    pub gaps: Vec<Gap>,
    /// Whether the file was closed properly.
    pub ending: Ending,
    /// Score and clock, ten a simulated second.
    pub games: Vec<LoggedGame>,
    /// The robots' names by their numbers, as far as they were written.
    pub names: BTreeMap<u32, String>,
    /// All topics, with how many messages there are of each.
    pub topics: Vec<(String, u64)>,
    /// The last tick that anything is known of.
    pub newest: Tick,
}

/// A block of poses, and how many inputs came before it.
#[derive(Clone, Debug)]
pub struct LoggedBlock {
    /// Poses of some successive ticks.
    pub block: Block,
    /// So many of [`Log::inputs`] had been carried out.
    pub inputs_before: usize,
}

/// An event as it stands in the log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct LoggedEvent {
    /// The step to which it belongs.
    pub tick: Tick,
    /// `goal`, `contact`, `fault`, `robot-added`, `robot-removed`, `announcement`, `fork`.
    pub kind: String,
    /// Description of the event, one sentence.
    pub message: String,
}

/// A radio message as it stands in the log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct LoggedMessage {
    /// Step in which it was heard.
    pub tick: Tick,
    /// Name of the sender.
    pub from: String,
    /// Text of the message.
    pub text: String,
}

/// Score and clock as they stand in the log.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct LoggedGame {
    /// The step to which it belongs.
    pub tick: Tick,
    /// The playing time so far, seconds.
    pub clock_secs: f64,
    /// Such as `play`.
    pub phase: String,
    /// What else the referee said, such as `half`.
    pub values: BTreeMap<String, f64>,
    /// How many times the objects were brought to their starting places.
    pub episode: u32,
    /// Score of each team, in the order of the world's teams.
    pub score: Vec<i64>,
}

/// Whether a file was closed or cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The file was closed.
    Whole,
    /// It was cut off, or not closed, behind so many bytes that could be read.
    CutOff {
        /// Bytes up to the last whole record.
        at_byte: u64,
        /// Reason, in words.
        problem: &'static str,
    },
}

impl Log {
    /// Reads a log from its beginning to its end; one that was cut off, or not closed, up to there.
    ///
    /// # Errors
    /// When it is no log, of another version, damaged, or larger than any log.
    pub fn read(source: impl Read) -> Result<Self, ReadError> {
        let mut records = Records::new(source);
        let mut reading = Reading::default();
        let ending = loop {
            match records.next(|record| reading.take(record)) {
                Ok(Some(taken)) => taken?,
                Ok(None) => break Ending::Whole,
                Err(Stop::Unclosed { at_byte, problem }) => break Ending::CutOff { at_byte, problem },
                Err(stop) => return Err(stop.into()),
            }
        };
        reading.finish(ending)
    }

    /// Reads a log of which all is needed.
    ///
    /// # Errors
    /// As [`Log::read`], and when it was cut off.
    pub fn read_whole(source: impl Read) -> Result<Self, ReadError> {
        let log = Self::read(source)?;
        match log.ending {
            Ending::Whole => Ok(log),
            Ending::CutOff { at_byte, problem } => Err(ReadError::CutOff { at_byte, problem }),
        }
    }

    /// Ticks between [`oldest`](Self::oldest) and the last that have no digest: each range's first tick, and the first that has one
    /// again. They lie in gaps, if nothing was cut out.
    pub fn without_digest(&self) -> Vec<(Tick, Tick)> {
        let mut ranges: Vec<(Tick, Tick)> = Vec::new();
        let mut next = self.oldest();
        for block in self.blocks.iter().map(|logged| &logged.block) {
            if block.tick > next {
                ranges.push((next, block.tick));
            }
            next = next.max(block.newest() + 1);
        }
        if self.newest >= next {
            ranges.push((next, self.newest + 1));
        }
        ranges
    }

    /// The first tick of which something was recorded, or is named as lost: that of a part is where it was cut out.
    pub fn oldest(&self) -> Tick {
        let first = self.blocks.first().map(|logged| logged.block.tick);
        // Where inputs alone were lost nothing need have been recorded.
        let lost = self.gaps.iter().filter(|gap| gap.from < gap.to || first.is_none());
        first.into_iter().chain(lost.map(|gap| gap.from)).min().unwrap_or(0).min(self.newest)
    }

    /// From the first tick of which something was recorded to the last, seconds.
    pub fn length_secs(&self) -> f64 {
        (self.newest - self.oldest()) as f64 * self.header.scenario.dt_secs
    }

    /// Score and clock at a tick, or as they were last written before it.
    pub fn game_at(&self, tick: Tick) -> Option<&LoggedGame> {
        let after = self.games.partition_point(|game| game.tick <= tick);
        self.games.get(after.checked_sub(1)?)
    }

    /// A ball's or robot's name, as messages to people have it.
    pub fn object_name(&self, object: ObjectId) -> String {
        if !object.is_robot {
            return format!("ball-{}", object.number);
        }
        // A short part may have no state, which says names; a world's first robots are numbered in its file's order.
        let of_the_world =
            || self.header.scenario.robots.get(object.number as usize).map(|robot| &robot.name);
        let name = self.names.get(&object.number).or_else(of_the_world);
        name.map_or_else(|| format!("robot-{}", object.number), String::clone)
    }

    /// The block with the last poses at or before a tick, and which of its ticks that is; digests alone are passed over.
    pub fn sample_at(&self, tick: Tick) -> Option<(&Block, usize)> {
        let after = self.blocks.partition_point(|block| block.block.tick <= tick);
        let before = self.blocks.get(..after)?.iter().map(|logged| &logged.block);
        let block = before.rev().find(|block| !block.objects.is_empty())?;
        Some((block, (tick.min(block.newest()) - block.tick) as usize))
    }
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    header: Option<Header>,
    channels: HashMap<u16, (String, Option<Channel>, u64)>,
    inputs: Vec<TimedInput>,
    blocks: Vec<LoggedBlock>,
    events: Vec<LoggedEvent>,
    radio: Vec<LoggedMessage>,
    gaps: Vec<Gap>,
    games: Vec<LoggedGame>,
    names: BTreeMap<u32, String>,
    newest: Tick,
}

impl Reading {
    fn take(&mut self, record: Record<'_>) -> Result<(), ReadError> {
        match record {
            Record::Attachment { header, data, .. } if header.name == HEADER => {
                self.header = Some(read_header(&data)?);
            }
            Record::Channel(channel) => {
                let known = Channel::of(&channel.topic);
                self.channels.entry(channel.id).or_insert((channel.topic, known, 0));
            }
            Record::Message { header, data } => {
                let number = header.channel_id;
                let (topic, channel, count) =
                    self.channels.get_mut(&number).ok_or_else(|| ReadError::unknown_channel(number))?;
                *count += 1;
                if let Some(channel) = *channel {
                    let topic = topic.clone();
                    self.message(channel, &data).map_err(|problem| ReadError::BadMessage {
                        topic,
                        sequence: header.sequence,
                        problem,
                    })?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn message(&mut self, channel: Channel, data: &[u8]) -> Result<(), String> {
        fn json<'a, T: Deserialize<'a>>(data: &'a [u8]) -> Result<T, String> {
            serde_json::from_slice(data).map_err(|error| error.to_string())
        }
        match channel {
            Channel::Inputs => {
                let input: TimedInput = json(data)?;
                if input.tick > MOST_TICK {
                    return Err(format!("tick {} cannot be", input.tick));
                }
                if let Some(name) = input.wrong_name() {
                    return Err(nobodys(input.tick, &name));
                }
                self.newest = self.newest.max(input.tick);
                self.inputs.push(input);
            }
            Channel::Poses => {
                let block = Block::read(data).map_err(|error: BlockError| error.to_string())?;
                self.newest = self.newest.max(block.newest());
                self.blocks.push(LoggedBlock { block, inputs_before: self.inputs.len() });
            }
            Channel::Events => {
                let event: LoggedEvent = json(data)?;
                if !is_name(&event.kind) {
                    return Err(nobodys(event.tick, &format!("the event {:?}", event.kind)));
                }
                self.events.push(event);
            }
            Channel::Radio => {
                let message: LoggedMessage = json(data)?;
                if !is_of_one_line(&message.from) {
                    return Err(nobodys(message.tick, &format!("the sender {:?}", message.from)));
                }
                self.radio.push(message);
            }
            Channel::Gaps => self.gaps.push(json(data)?),
            Channel::State => {
                let game: LoggedGame = json(data)?;
                let state: LoggedState = json(data)?;
                if let Some(robot) = state.robots.iter().find(|robot| !is_name(&robot.name)) {
                    return Err(nobodys(game.tick, &format!("the robot {:?}", robot.name)));
                }
                self.games.push(game);
                self.names.extend(state.robots.into_iter().map(|robot| (robot.number, robot.name)));
            }
            Channel::Annotations | Channel::Transforms | Channel::Scene => {}
        }
        Ok(())
    }

    fn finish(self, ending: Ending) -> Result<Log, ReadError> {
        let mut topics: Vec<(String, u64)> =
            self.channels.into_values().map(|(topic, _, count)| (topic, count)).collect();
        topics.sort();
        let Some(header) = self.header else {
            return Err(match ending {
                Ending::CutOff { at_byte, problem } if topics.is_empty() => {
                    ReadError::NoHead { at_byte, problem }
                }
                _ => {
                    let names: Vec<String> = topics.into_iter().map(|(topic, _)| topic).collect();
                    ReadError::Foreign { topics: names.join(", ") }
                }
            });
        };
        let Self { inputs, blocks, events, radio, gaps, games, names, newest, .. } = self;
        Ok(Log { header, inputs, blocks, events, radio, gaps, ending, games, names, topics, newest })
    }
}

/// What is said of a name that no world, and no client, gives.
fn nobodys(tick: Tick, name: &str) -> String {
    format!(
        "tick {tick} has a name that nothing is given: {name}\n  hint     touchline records no such name: somebody has changed the file"
    )
}

/// What a state is read for here.
#[derive(Deserialize)]
struct LoggedState {
    robots: Vec<LoggedRobot>,
}

#[derive(Deserialize)]
struct LoggedRobot {
    number: u32,
    name: String,
}

pub(crate) fn read_header(data: &[u8]) -> Result<Header, ReadError> {
    #[derive(Deserialize)]
    struct Version {
        format: u64,
        #[serde(default)]
        server: String,
    }
    let version: Version = serde_json::from_slice(data).map_err(ReadError::BadHead)?;
    if version.format > u64::from(FORMAT) {
        return Err(ReadError::Later { got: version.format, server: version.server });
    }
    if version.format < u64::from(FORMAT) {
        return Err(ReadError::Earlier { got: version.format, server: version.server });
    }
    let header: Header = serde_json::from_slice(data).map_err(ReadError::BadHead)?;
    // Who writes a recording by hand may call things as no file could: names become words of protocols and lines of terminals.
    match header.wrong_name() {
        Some(name) => Err(ReadError::BadName(name)),
        None => Ok(header),
    }
}
