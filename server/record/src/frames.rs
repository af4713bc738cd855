//! The records of an MCAP file, one after the other, each checked by every checksum that the file has.
//!
//! A chunk is unpacked as a whole and checked before anything of it is shown, so no damaged message is ever seen. What lies between
//! the chunks has no checksum of its own: that of the whole data section is checked at its end, so whoever makes a table of a file
//! shows it only when [`Records::next`] has given `None`.

use crate::search::Search;
use crate::unpack::{TooLarge, Unpacker};
use crc32fast::Hasher;
use mcap::records::{Record, op};
use mcap::{MAGIC, McapError, parse_record};
use std::io::{self, Read, Seek, SeekFrom};

/// No record of a file is longer: what claims to be is damage.
pub(crate) const MAX_RECORD_BYTES: u64 = 256 << 20;
/// Opcode and length, which every record begins with.
pub(crate) const HEAD_BYTES: usize = 9;
/// The checksum is the last field of a footer.
const CRC_BYTES: usize = 4;

/// Where a file is not what was written, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where the record begins that is damaged, or in which the damage was noticed.
    pub at_byte: u64,
    /// So many chunks before it are whole.
    pub chunks_before: u64,
    /// Reason, such as a wrong checksum.
    pub problem: String,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at byte {}, behind {} whole chunks: {}", self.at_byte, self.chunks_before, self.problem)
    }
}

/// Why there is no further record.
#[derive(Debug)]
pub(crate) enum Stop {
    File(io::Error),
    NotMcap,
    /// The file ends before its end: it was cut off, or never closed.
    Unclosed {
        /// Bytes up to the last whole record.
        at_byte: u64,
        problem: &'static str,
    },
    Damaged(Damage),
    TooLarge(TooLarge),
    /// The search for whole chunks takes more than any damaged recording does.
    Endless {
        /// So far it came.
        at_byte: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Start,
    Data,
    Summary,
    Over,
}

/// The records of an MCAP file, chunks unpacked.
pub(crate) struct Records<R> {
    source: R,
    part: Part,
    /// Number of bytes read so far.
    at: u64,
    /// Bytes up to the end of the last record that is whole.
    pub whole_bytes: u64,
    /// Number of chunks that are whole.
    pub chunks: u64,
    /// Of the section so far.
    crc: Hasher,
    head: [u8; HEAD_BYTES],
    body: Vec<u8>,
    unpacker: Unpacker,
    search: Search,
    /// Number of bytes of all records that were read, some more than once.
    read_bytes: u64,
    /// The profile says that the file is ours: then every chunk has a checksum, and there are no records of other programs.
    is_ours: bool,
    /// Something was left out, so checksums of whole sections cannot be right.
    has_skipped: bool,
}

impl<R: Read> Records<R> {
    pub fn new(source: R) -> Self {
        Self {
            source,
            part: Part::Start,
            at: 0,
            whole_bytes: 0,
            chunks: 0,
            crc: Hasher::new(),
            head: [0; HEAD_BYTES],
            body: Vec::new(),
            unpacker: Unpacker::default(),
            search: Search::default(),
            read_bytes: 0,
            is_ours: false,
            has_skipped: false,
        }
    }

    /// The next record; `None` behind the last of a file that was closed, and whose checksums are all right.
    pub fn next<T>(&mut self, take: impl FnOnce(Record<'_>) -> T) -> Result<Option<T>, Stop> {
        if self.part == Part::Start {
            self.begin()?;
        }
        loop {
            if let Some(place) = self.unpacker.next_place().map_err(|problem| self.damage(problem))? {
                let (opcode, body) = self.unpacker.record(place);
                let record = parse(opcode, body).map_err(|problem| self.damage(&problem))?;
                return Ok(Some(take(record)));
            }
            if self.part == Part::Over {
                return Ok(None);
            }
            self.whole_bytes = self.at;
            self.read_record()?;
            match (self.part, self.head[0]) {
                (Part::Data, op::CHUNK) => self.open_chunk()?,
                // What was written is in chunks, whose checksums tell that it is whole: this was something else, such as an index.
                (Part::Data, op::MESSAGE) if self.is_ours => {
                    return Err(self.damage("a message that is in no chunk"));
                }
                (Part::Data, op::DATA_END) => self.end_data()?,
                (Part::Summary, op::FOOTER) => self.end_file()?,
                (Part::Data, op::HEADER | op::SCHEMA | op::CHANNEL | op::MESSAGE | op::ATTACHMENT)
                | (Part::Summary, op::SCHEMA | op::CHANNEL | op::STATISTICS) => {
                    self.hash();
                    let record = parse(self.head[0], &self.body).map_err(|problem| self.damage(&problem))?;
                    if let Record::Header(header) = &record {
                        self.is_ours = header.profile == crate::channels::PROFILE;
                    }
                    return Ok(Some(take(record)));
                }
                (Part::Data, op::MESSAGE_INDEX) => {
                    self.hash();
                    parse(op::MESSAGE_INDEX, &self.body).map_err(|problem| self.damage(&problem))?;
                    // Nothing checks it by a number: one that claims to be longer would swallow whole chunks.
                    if index_length(&self.body) != Some(self.body.len()) {
                        return Err(self.damage("an index is not as long as it says"));
                    }
                }
                (_, 0x80..) if self.is_ours => return Err(self.damage("a record of another program")),
                // What only helps to find something, or is another program's.
                (Part::Data, op::METADATA | 0x80..)
                | (
                    Part::Summary,
                    op::CHUNK_INDEX | op::ATTACHMENT_INDEX | op::METADATA_INDEX | op::SUMMARY_OFFSET | 0x80..,
                ) => self.hash(),
                (_, opcode) => {
                    return Err(self.damage(&format!("a record of kind {opcode} cannot stand here")));
                }
            }
        }
    }

    fn begin(&mut self) -> Result<(), Stop> {
        let mut magic = [0; MAGIC.len()];
        let count = read_up_to(&mut self.source, &mut magic).map_err(Stop::File)?;
        if count == 0 || magic[..count] != MAGIC[..count] {
            return Err(Stop::NotMcap);
        }
        self.at = count as u64;
        if count < MAGIC.len() {
            return Err(self.unclosed("it ends in the middle of a record"));
        }
        self.crc.update(&magic);
        self.part = Part::Data;
        Ok(())
    }

    /// Reads a record into `head` and `body`.
    fn read_record(&mut self) -> Result<(), Stop> {
        let count = read_up_to(&mut self.source, &mut self.head).map_err(Stop::File)?;
        match count {
            0 => return Err(self.unclosed("the file was not closed")),
            HEAD_BYTES => {}
            _ => return Err(self.unclosed("it ends in the middle of a record")),
        }
        let length = length(&self.head);
        if length > MAX_RECORD_BYTES {
            return Err(self.damage(&format!("a record of {length} bytes cannot be")));
        }
        self.body.clear();
        // Memory is taken for what comes, not for what is claimed.
        let read = (&mut self.source).take(length).read_to_end(&mut self.body).map_err(Stop::File)?;
        self.read_bytes += HEAD_BYTES as u64 + read as u64;
        if (read as u64) < length {
            return Err(self.unclosed("it ends in the middle of a record"));
        }
        self.at += HEAD_BYTES as u64 + length;
        Ok(())
    }

    fn open_chunk(&mut self) -> Result<(), Stop> {
        self.hash();
        match self.unpacker.open(&self.body, self.is_ours, self.at) {
            Ok(()) => self.chunks += 1,
            Err(Ok(too_large)) => return Err(Stop::TooLarge(too_large)),
            Err(Err(problem)) => return Err(self.damage(&problem)),
        }
        Ok(())
    }

    fn end_data(&mut self) -> Result<(), Stop> {
        let calculated = std::mem::take(&mut self.crc).finalize();
        match parse(op::DATA_END, &self.body) {
            // 0 says that there is none.
            Ok(Record::DataEnd(end))
                if self.has_skipped || end.data_section_crc == 0 || end.data_section_crc == calculated => {}
            Ok(_) => return Err(self.damage("the checksum of all that stands before is wrong")),
            Err(problem) => return Err(self.damage(&problem)),
        }
        self.part = Part::Summary;
        Ok(())
    }

    /// Checks a footer, and that the file ends behind it.
    fn end_file(&mut self) -> Result<(), Stop> {
        let Ok(Record::Footer(footer)) = parse(op::FOOTER, &self.body) else {
            return Err(self.damage("the footer makes no sense"));
        };
        self.crc.update(&self.head);
        self.crc.update(self.body.get(..self.body.len().saturating_sub(CRC_BYTES)).unwrap_or_default());
        let calculated = std::mem::take(&mut self.crc).finalize();
        if footer.summary_crc != 0 && footer.summary_crc != calculated {
            return Err(self.damage("the checksum of the summary is wrong"));
        }
        // One byte more than there may be.
        let mut end = [0; MAGIC.len() + 1];
        let count = read_up_to(&mut self.source, &mut end).map_err(Stop::File)?;
        if count < MAGIC.len() && end[..count] == MAGIC[..count] {
            return Err(self.unclosed("its last bytes are missing"));
        }
        self.whole_bytes = self.at;
        if count != MAGIC.len() || !end.starts_with(MAGIC) {
            return Err(self.damage("behind the footer there is something else than the file's end"));
        }
        self.part = Part::Over;
        Ok(())
    }

    fn hash(&mut self) {
        self.crc.update(&self.head);
        self.crc.update(&self.body);
    }

    fn unclosed(&self, problem: &'static str) -> Stop {
        Stop::Unclosed { at_byte: self.whole_bytes, problem }
    }

    fn damage(&self, problem: &str) -> Stop {
        Stop::Damaged(Damage {
            at_byte: self.whole_bytes,
            chunks_before: self.chunks,
            problem: problem.into(),
        })
    }
}

impl<R: Read + Seek> Records<R> {
    /// Goes to the next whole chunk behind the place where it stopped, and gives where that is; `None` if there is none.
    ///
    /// # Errors
    /// When the file cannot be read, or makes more work than any damaged recording does.
    pub fn skip_damage(&mut self) -> Result<Option<u64>, Stop> {
        let mut from = self.whole_bytes + 1;
        while let Some(place) = self.search.next(&mut self.source, from).map_err(Stop::File)? {
            if self.search.is_endless(self.read_bytes) {
                return Err(Stop::Endless { at_byte: place });
            }
            self.source.seek(SeekFrom::Start(place)).map_err(Stop::File)?;
            (self.at, self.whole_bytes) = (place, place);
            (self.part, self.has_skipped, self.is_ours) = (Part::Data, true, true);
            self.unpacker.close();
            if self.is_whole_chunk()? {
                self.source.seek(SeekFrom::Start(place)).map_err(Stop::File)?;
                self.at = place;
                return Ok(Some(place));
            }
            from = place + 1;
        }
        Ok(None)
    }

    /// Reads what looks like a chunk, and says whether it is one.
    fn is_whole_chunk(&mut self) -> Result<bool, Stop> {
        match self.read_record() {
            Ok(()) => {}
            Err(Stop::File(error)) => return Err(Stop::File(error)),
            Err(_) => return Ok(false),
        }
        let opened = self.unpacker.open(&self.body, true, self.at);
        self.unpacker.close();
        match opened {
            Ok(()) => Ok(true),
            Err(Ok(too_large)) => Err(Stop::TooLarge(too_large)),
            Err(Err(_)) => Ok(false),
        }
    }
}

/// How long the record of an index is by what it says itself: channel, size in bytes, entries.
fn index_length(body: &[u8]) -> Option<usize> {
    let entries = body.get(2..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
    usize::try_from(entries).ok()?.checked_add(6)
}

/// The length in a record's head.
pub(crate) fn length(head: &[u8; HEAD_BYTES]) -> u64 {
    let [_, length @ ..] = *head;
    u64::from_le_bytes(length)
}

/// Reads until the place is full or the source ends.
pub(crate) fn read_up_to(source: &mut impl Read, place: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while count < place.len() {
        match source.read(&mut place[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

/// Parses the body of one record.
pub(crate) fn parse(opcode: u8, body: &[u8]) -> Result<Record<'_>, String> {
    if opcode == op::ATTACHMENT && !has_attachment_fields(body) {
        return Err("an attachment is shorter than its fields".into());
    }
    parse_record(opcode, body).map_err(|error| match error {
        McapError::Parse(_) => format!("a record of kind {opcode} makes no sense"),
        error => error.to_string(),
    })
}

/// Whether an attachment is as long as its fields: the library's parser takes that for granted.
fn has_attachment_fields(body: &[u8]) -> bool {
    let text_end = |at: usize| {
        let length = body.get(at..at + 4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
        at.checked_add(4)?.checked_add(usize::try_from(length).ok()?)
    };
    // Two stamps, name, media type, length; then the data, and a checksum.
    let fields = text_end(16).and_then(text_end).and_then(|at| at.checked_add(8 + CRC_BYTES));
    fields.is_some_and(|least| least <= body.len())
}
