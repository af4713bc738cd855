//! Chunks unpacked in bounded memory, and checked before anything of them is shown.

use crate::frames::{HEAD_BYTES, length, parse};
use mcap::records::{Record, op};
use std::ops::Range;

/// No chunk is larger when it is unpacked: what claims to be is damaged.
pub const MAX_CHUNK_BYTES: u64 = 256 << 20;
/// A file may unpack to this much whatever its size, and to [`MAX_RATIO`] times its size beyond it.
pub const FREE_BYTES: u64 = 16 << 20;
/// Recordings unpack to 3 to 7 times their size, the emptiest chunk to 17 times.
pub const MAX_RATIO: u64 = 100;

/// A file that unpacks to more than any recording does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "up to byte {at_byte} it would unpack to {unpacked_bytes} bytes, and {limit_bytes} are allowed; no recording is packed like that"
)]
pub struct TooLarge {
    /// So much of the file was read.
    pub at_byte: u64,
    /// What all chunks so far claim to unpack to.
    pub unpacked_bytes: u64,
    /// What is allowed: [`FREE_BYTES`], and [`MAX_RATIO`] for each byte of the file.
    pub limit_bytes: u64,
}

/// The chunk that is being read, unpacked.
#[derive(Default)]
pub(crate) struct Unpacker {
    content: Vec<u8>,
    /// Bytes of it that were shown.
    shown: usize,
    /// What all chunks so far unpacked to, those that turned out to be damaged as well.
    total_bytes: u64,
}

/// The place for a chunk is kept for the next one if it is no larger than twice that one and this.
const SPARE_BYTES: usize = 64 << 10;
/// Two times, a size, a checksum, and the lengths of the packer's name and of the data.
const CHUNK_HEAD_BYTES: usize = 8 + 8 + 8 + 4 + 4 + 8;

impl Unpacker {
    /// Unpacks and checks a chunk; `at_byte` is how much of the file was read for all chunks so far.
    ///
    /// # Errors
    /// `Ok` if it would be too large, `Err` with what is damaged.
    pub fn open(
        &mut self,
        body: &[u8],
        needs_crc: bool,
        at_byte: u64,
    ) -> Result<(), Result<TooLarge, String>> {
        self.close();
        let Record::Chunk { header, data } = parse(op::CHUNK, body).map_err(Err)? else {
            return Err(Err("the chunk makes no sense".into()));
        };
        let size = header.uncompressed_size;
        if size > MAX_CHUNK_BYTES {
            return Err(Err(format!("a chunk of {size} bytes cannot be")));
        }
        // What is not read would not be checked: a head of zeros says that there is nothing, and the checksum of nothing is zero.
        let is_read_wholly = CHUNK_HEAD_BYTES + header.compression.len() + data.len() == body.len();
        if data.len() as u64 != header.compressed_size || !is_read_wholly {
            return Err(Err("the chunk is not as long as it says".into()));
        }
        let limit_bytes = FREE_BYTES.saturating_add(at_byte.saturating_mul(MAX_RATIO));
        let room = limit_bytes.saturating_sub(self.total_bytes);
        let unpacked = match header.compression.as_str() {
            "" => {
                self.content.extend_from_slice(&data);
                self.total_bytes += data.len() as u64;
                Ok(())
            }
            // A size may be damaged as well: what counts is what comes out.
            "zstd" => match self.unpack(&data, size.min(room)) {
                Err(Full) if size > room => {
                    let unpacked_bytes = self.total_bytes.saturating_add(size);
                    return Err(Ok(TooLarge { at_byte, unpacked_bytes, limit_bytes }));
                }
                Err(Full) => Err("the chunk unpacks to more than it says".into()),
                Ok(unpacked) => unpacked,
            },
            other => Err(format!("the chunk is packed by \"{other}\", and only zstd is known")),
        };
        let checked = unpacked.and_then(|()| check(&self.content, size, header.uncompressed_crc, needs_crc));
        checked.map_err(|problem| {
            self.close();
            Err(problem)
        })
    }

    /// Unpacks at most so many bytes. What was unpacked in vain is counted as well: it took its time.
    fn unpack(&mut self, data: &[u8], most: u64) -> Result<Result<(), String>, Full> {
        // Pages that nothing is written to cost nothing; no more is written than there is room for.
        let room = most as usize;
        if self.content.capacity() > 2 * room + SPARE_BYTES {
            self.content = Vec::new();
        }
        self.content.reserve_exact(room);
        let unpacked = zstd::bulk::Decompressor::new()
            .and_then(|mut unpack| unpack.decompress_to_buffer(data, &mut self.content));
        let spent = unpacked.as_ref().map_or(self.content.capacity(), |&count| count);
        self.total_bytes = self.total_bytes.saturating_add(spent as u64);
        match unpacked {
            // The place may be larger than asked for.
            Ok(count) if count as u64 > most => Err(Full),
            Ok(_) => Ok(Ok(())),
            Err(error) if error.to_string().contains("too small") => Err(Full),
            Err(error) => Ok(Err(format!("the chunk cannot be unpacked: {error}"))),
        }
    }

    /// Lets go of a chunk that was not shown to its end.
    pub fn close(&mut self) {
        self.content.clear();
        self.shown = 0;
    }

    /// Where the next record of the chunk is; `None` at its end.
    pub fn next_place(&mut self) -> Result<Option<(u8, Range<usize>)>, &'static str> {
        let rest = &self.content[self.shown..];
        if rest.is_empty() {
            return Ok(None);
        }
        let cut_off = "the chunk ends in the middle of a record";
        let head: &[u8; HEAD_BYTES] = rest.first_chunk().ok_or(cut_off)?;
        let first = self.shown + HEAD_BYTES;
        let behind = usize::try_from(length(head)).ok().and_then(|length| first.checked_add(length));
        let behind = behind.filter(|&behind| behind <= self.content.len()).ok_or(cut_off)?;
        let opcode = head[0];
        self.shown = behind;
        match opcode {
            op::SCHEMA | op::CHANNEL | op::MESSAGE => Ok(Some((opcode, first..behind))),
            _ => Err("a chunk holds something that does not belong into one"),
        }
    }

    /// A record's kind and body.
    pub fn record(&self, (opcode, place): (u8, Range<usize>)) -> (u8, &[u8]) {
        (opcode, &self.content[place])
    }
}

/// There is more than there is room for.
struct Full;

fn check(content: &[u8], size: u64, crc: u32, needs_crc: bool) -> Result<(), String> {
    if content.len() as u64 != size {
        return Err(format!("the chunk unpacks to {} bytes in place of {size}", content.len()));
    }
    match (crc, crc32fast::hash(content)) {
        // 0 says that there is none.
        (0, _) if needs_crc && size > 0 => Err("the chunk has no checksum".into()),
        (0, _) => Ok(()),
        (crc, calculated) if crc == calculated => Ok(()),
        _ => Err("the checksum of the chunk is wrong".into()),
    }
}
