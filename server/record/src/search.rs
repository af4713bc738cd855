//! Where the next chunk of a damaged file may begin, found at a cost that the file's size bounds.
//!
//! Whoever writes a file by hand can let every few bytes look as if a chunk began there that reaches to the file's end. So all that is
//! read in search of whole chunks is counted.

use crate::frames::{HEAD_BYTES, length, read_up_to};
use mcap::records::op;
use std::io::{self, Read, Seek, SeekFrom};

/// How a chunk's record goes on behind its head, two stamps, size and checksum.
const ZSTD: &[u8] = b"\x04\0\0\0zstd";
const BEFORE_ZSTD: usize = HEAD_BYTES + 8 + 8 + 8 + 4;
/// A chunk's record without its head and its content.
const CHUNK_FIELDS: u64 = (BEFORE_ZSTD - HEAD_BYTES + ZSTD.len() + 8) as u64;
/// What everything begins with that zstd has packed.
const FRAME: &[u8] = b"\x28\xb5\x2f\xfd";
const BEFORE_FRAME: usize = BEFORE_ZSTD + ZSTD.len() + 8;
const LOOK_BYTES: usize = BEFORE_FRAME + FRAME.len();
const WINDOW_BYTES: usize = 1 << 20;
/// So much may be read in a file of any size, and [`MAX_TIMES`] the file's size beyond it.
const FREE_READ_BYTES: u64 = 1 << 30;
/// Each byte of a damaged recording is read at most three times: as it comes, as a candidate's, and again when that one was whole.
const MAX_TIMES: u64 = 8;

/// A search for chunks, from the beginning of a file to its end.
#[derive(Default)]
pub(crate) struct Search {
    window: Vec<u8>,
    /// Where the window begins in the file.
    window_at: u64,
    file_bytes: Option<u64>,
    /// What was looked at for candidates, besides their own bytes.
    looked_bytes: u64,
}

impl Search {
    /// The next place at or behind `from` that looks as if a chunk began there; afterwards the source stands anywhere.
    pub fn next(&mut self, source: &mut (impl Read + Seek), from: u64) -> io::Result<Option<u64>> {
        let file_bytes = self.file_bytes(source)?;
        let mut place = from;
        loop {
            let behind = self.window_at + self.window.len() as u64;
            if !(self.window_at..behind).contains(&place) || behind - place < LOOK_BYTES as u64 {
                self.fill(source, place)?;
            }
            let rest = &self.window[(place - self.window_at) as usize..];
            if rest.len() < LOOK_BYTES {
                return Ok(None);
            }
            let found = rest.windows(LOOK_BYTES).enumerate().position(|(at, bytes)| {
                bytes[0] == op::CHUNK && is_head(bytes, file_bytes.saturating_sub(place + at as u64))
            });
            if let Some(found) = found {
                // Whoever looks at it goes there, and reads a buffer full.
                self.looked_bytes += WINDOW_BYTES as u64;
                return Ok(Some(place + found as u64));
            }
            place += (rest.len() - LOOK_BYTES + 1) as u64;
        }
    }

    /// Whether more was read, with `read_bytes` of records, than any damaged recording needs.
    pub fn is_endless(&self, read_bytes: u64) -> bool {
        let most = self.file_bytes.unwrap_or(0).saturating_mul(MAX_TIMES).saturating_add(FREE_READ_BYTES);
        self.looked_bytes.saturating_add(read_bytes) > most
    }

    fn file_bytes(&mut self, source: &mut impl Seek) -> io::Result<u64> {
        if let Some(bytes) = self.file_bytes {
            return Ok(bytes);
        }
        let bytes = source.seek(SeekFrom::End(0))?;
        self.file_bytes = Some(bytes);
        Ok(bytes)
    }

    fn fill(&mut self, source: &mut (impl Read + Seek), place: u64) -> io::Result<()> {
        source.seek(SeekFrom::Start(place))?;
        self.window.resize(WINDOW_BYTES, 0);
        self.window_at = place;
        let count = read_up_to(source, &mut self.window)?;
        self.window.truncate(count);
        Ok(())
    }
}

/// Whether a chunk's record begins like this that is no longer than what is left of the file.
fn is_head(bytes: &[u8], left_bytes: u64) -> bool {
    let (Some(head), Some(rest)) = (bytes.first_chunk(), bytes.get(BEFORE_ZSTD + ZSTD.len()..)) else {
        return false;
    };
    let packed = rest.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    bytes[BEFORE_ZSTD..].starts_with(ZSTD)
        && bytes[BEFORE_FRAME..].starts_with(FRAME)
        && packed.and_then(|packed| packed.checked_add(CHUNK_FIELDS)) == Some(length(head))
        && length(head) <= left_bytes.saturating_sub(HEAD_BYTES as u64)
}
