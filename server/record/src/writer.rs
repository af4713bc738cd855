//! Items in, an MCAP file out.

use crate::channels::{Channel, HEADER, PROFILE};
use crate::encoder::Encoder;
use crate::input::Tick;
use crate::log::{Header, Item};
use crate::outlet::{ChannelInfo, Outlet};
use crate::sensor_choice::SensorChoice;
use mcap::records::MessageHeader;
use mcap::{Attachment, Compression, McapError, WriteOptions, Writer};
use std::collections::BTreeMap;
use std::io::{Seek, Write};

/// Bytes of a chunk before it is packed, about: a second or two of a match, which is what one wrong byte costs.
const CHUNK_BYTES: u64 = 256 << 10;

/// Writes a log. [mechanism 7]
///
/// What was written before the last [`LogWriter::flush`] can be read whatever happens then.
pub struct LogWriter<W: Write + Seek> {
    encoder: Encoder<Container<W>>,
    /// What the log begins with, as it is written.
    head: Vec<u8>,
}

/// The file, as an encoder sees it.
///
/// Poses, which cannot be packed any further, have chunks of their own: among JSON they would double what its digits take.
struct Container<W: Write + Seek> {
    out: Writer<W>,
    sequences: Sequences,
    /// Size of the open chunk, bytes.
    bytes: usize,
    poses: Option<u16>,
    /// Blocks of poses that wait for the end of the chunk: their stamps and lengths.
    waiting: Vec<(u64, usize)>,
    /// Their bytes, one after the other.
    blocks: Vec<u8>,
}

/// Counts the messages of each channel.
#[derive(Default)]
pub(crate) struct Sequences(BTreeMap<u16, u32>);

impl Sequences {
    pub fn header(&mut self, channel_id: u16, stamp: u64) -> MessageHeader {
        let next = self.0.entry(channel_id).or_default();
        let sequence = *next;
        *next = next.wrapping_add(1);
        MessageHeader { channel_id, sequence, log_time: stamp, publish_time: stamp }
    }
}

/// A log cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The disk is full, or the file cannot be written for another reason.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// The MCAP writer reports an error.
    #[error("{0}")]
    Container(McapError),
}

impl From<McapError> for WriteError {
    fn from(error: McapError) -> Self {
        match error {
            McapError::Io(error) => Self::File(error),
            error => Self::Container(error),
        }
    }
}

impl<W: Write + Seek> LogWriter<W> {
    /// Begins a log.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn new(out: W, header: Header, chosen: Vec<SensorChoice>) -> Result<Self, WriteError> {
        let mut out = container(&header.server).create(out)?;
        let text = serde_json::to_vec(&header).map_err(std::io::Error::from)?;
        out.attach(&head(&text))?;
        let mut encoder = Encoder::new(Container::new(out), header, chosen)?;
        encoder.outlet().out.flush()?;
        Ok(Self { encoder, head: text })
    }

    /// What came before this tick, which the world's rerun needs, is stamped with it: so the file says where the recording begins, as that of a part
    /// that was cut out does.
    pub fn begins_at(&mut self, tick: Tick) {
        self.encoder.begins_at(tick);
    }

    /// Writes one item; items come in the order of their ticks.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, item: &Item) -> Result<(), WriteError> {
        self.encoder.write(item)
    }

    /// Brings all that was written into the file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.encoder.flush()?;
        let container = self.encoder.outlet();
        // Few and soon, rather than small.
        container.keep_order()?;
        container.bytes = 0;
        Ok(container.out.flush()?)
    }

    /// Writes the head once more, for the case that the first is damaged, and the summary by which tools find their way. Only then
    /// the log is whole.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.encoder.flush()?;
        let mut container = self.encoder.into_outlet();
        container.end_chunk()?;
        let mut out = container.out;
        out.attach(&head(&self.head))?;
        out.finish()?;
        Ok(out.into_inner())
    }
}

impl<W: Write + Seek> Container<W> {
    fn new(out: Writer<W>) -> Self {
        let sequences = Sequences::default();
        Self { out, sequences, bytes: 0, poses: None, waiting: Vec::new(), blocks: Vec::new() }
    }

    fn put(&mut self, channel: u16, stamp: u64, bytes: &[u8]) -> Result<(), WriteError> {
        let header = self.sequences.header(channel, stamp);
        self.bytes += bytes.len();
        Ok(self.out.write_to_known_channel(&header, bytes)?)
    }

    /// Ends the chunk of JSON and writes that of the poses.
    fn end_chunk(&mut self) -> Result<(), WriteError> {
        self.out.flush()?;
        self.keep_order()?;
        self.out.flush()?;
        self.bytes = 0;
        Ok(())
    }
}

impl<W: Write + Seek> Outlet for Container<W> {
    fn open(&mut self, channel: &ChannelInfo) -> Result<u16, WriteError> {
        let schema = match &channel.schema {
            Some(schema) => self.out.add_schema(channel.schema_name, "jsonschema", schema.as_bytes())?,
            None => 0,
        };
        let number = self.out.add_channel(schema, &channel.topic, channel.encoding, &BTreeMap::new())?;
        if channel.topic == Channel::Poses.topic() {
            self.poses = Some(number);
        }
        Ok(number)
    }

    fn wants(&self, _: u16) -> bool {
        true
    }

    fn message(&mut self, channel: u16, stamp: u64, bytes: &[u8]) -> Result<(), WriteError> {
        if self.bytes.max(self.blocks.len()) >= CHUNK_BYTES as usize {
            self.end_chunk()?;
        }
        if self.poses == Some(channel) {
            self.waiting.push((stamp, bytes.len()));
            self.blocks.extend_from_slice(bytes);
            return Ok(());
        }
        self.put(channel, stamp, bytes)
    }

    fn keep_order(&mut self) -> Result<(), WriteError> {
        let (Some(channel), false) = (self.poses, self.waiting.is_empty()) else { return Ok(()) };
        let (mut waiting, mut blocks) = (std::mem::take(&mut self.waiting), std::mem::take(&mut self.blocks));
        let mut rest = &blocks[..];
        for (stamp, length) in waiting.drain(..) {
            let (block, behind) = rest.split_at(length);
            self.put(channel, stamp, block)?;
            rest = behind;
        }
        blocks.clear();
        (self.waiting, self.blocks) = (waiting, blocks);
        Ok(())
    }
}

/// The attachment that a log begins with.
pub(crate) fn head(text: &[u8]) -> Attachment<'_> {
    Attachment {
        log_time: 0,
        create_time: 0,
        name: HEADER.into(),
        media_type: "application/json".into(),
        data: text.into(),
    }
}

/// How our files are packed.
pub(crate) fn container(server: &str) -> WriteOptions {
    WriteOptions::new()
        .profile(PROFILE)
        .library(format!("touchline {server}"))
        .compression(Some(Compression::Zstd))
        // Of a match the fastest level makes less than the usual one, in a third of the time.
        .compression_level(1)
        .compression_threads(0)
        // A chunk appears as a whole, so that a file that was cut off ends after one.
        .disable_seeking(true)
        // A chunk ends when it is flushed, or is this large: a reader unpacks it as a whole.
        .chunk_size(Some(CHUNK_BYTES))
        // What lies between the chunks has no other checksum.
        .calculate_data_section_crc(true)
}
