//! What is sent to one client, and how: with a NUL behind it, packed if the client has asked for that.

use super::ClientId;
use crate::wire::MAX_DATAGRAM;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress};
use std::net::SocketAddr;

/// So many datagrams of a client are looked at in a cycle, and so many bytes of them, unpacked; more are dropped.
const MAX_DATAGRAMS: u32 = 64;
const MAX_BYTES: usize = 2 * MAX_DATAGRAM;
/// So many commands of a client are carried out in a cycle; each has one answer at most.
const MAX_COMMANDS: u32 = 128;
/// So often a player speaks in a cycle; nobody could hear more.
const MAX_SAYINGS: u32 = 8;

/// The way to one client.
#[derive(Debug)]
pub struct Link {
    /// Its number.
    pub client: ClientId,
    /// Where it sends from.
    pub address: SocketAddr,
    /// Level of compression, 0 to 9; `None` sends plain text.
    level: Option<u32>,
    /// What may still come in this cycle.
    budget: Budget,
    /// Cycles in which it was not done in time, one after the other.
    pub misses: u32,
    /// When it was heard last, milliseconds since the game was opened.
    pub heard_ms: u64,
}

/// What a client may still do in a cycle.
#[derive(Clone, Copy, Debug)]
struct Budget {
    datagrams: u32,
    bytes: usize,
    commands: u32,
    sayings: u32,
}

impl Budget {
    const WHOLE: Self =
        Self { datagrams: MAX_DATAGRAMS, bytes: MAX_BYTES, commands: MAX_COMMANDS, sayings: MAX_SAYINGS };
}

/// Takes one, if there is one.
fn take(budget: &mut u32) -> bool {
    let is_there = *budget > 0;
    *budget -= u32::from(is_there);
    is_there
}

impl Link {
    /// A link without compression, to a client that was heard at this time, milliseconds.
    pub fn new(client: ClientId, address: SocketAddr, heard_ms: u64) -> Self {
        Self { client, address, level: None, budget: Budget::WHOLE, misses: 0, heard_ms }
    }

    /// A new cycle: as much may come again.
    pub fn renew(&mut self) {
        self.budget = Budget::WHOLE;
    }

    /// Whether one more datagram is looked at in this cycle.
    pub fn admits(&mut self) -> bool {
        take(&mut self.budget.datagrams)
    }

    /// Whether so many bytes more are looked at in this cycle.
    pub fn admits_bytes(&mut self, count: usize) -> bool {
        let is_there = count <= self.budget.bytes;
        self.budget.bytes -= if is_there { count } else { 0 };
        is_there
    }

    /// Whether one more command is carried out in this cycle.
    pub fn admits_command(&mut self) -> bool {
        take(&mut self.budget.commands)
    }

    /// Whether it may speak once more in this cycle.
    pub fn admits_saying(&mut self) -> bool {
        take(&mut self.budget.sayings)
    }

    /// From now on with this level; below zero without compression.
    pub fn compress(&mut self, level: i32) {
        self.level = u32::try_from(level).ok().map(|level| level.min(9));
    }

    /// A datagram of a text.
    pub fn packed(&self, text: &str) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.pack(bytes)
    }

    /// A datagram of bytes as they are.
    pub fn pack(&self, bytes: Vec<u8>) -> Vec<u8> {
        let Some(level) = self.level else { return bytes };
        // Room for what cannot be made shorter: a head, and five bytes a block.
        let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 64);
        let mut stream = Compress::new(Compression::new(level), true);
        match stream.compress_vec(&bytes, &mut packed, FlushCompress::Sync) {
            Ok(_) => packed,
            Err(_) => bytes,
        }
    }

    /// What a datagram holds. It unpacks to no more than one may have; what makes no sense is nothing.
    pub fn unpacked(&self, datagram: &[u8]) -> Vec<u8> {
        if self.level.is_none() {
            return datagram.to_vec();
        }
        let mut text = Vec::with_capacity(MAX_DATAGRAM);
        // Filled up to its capacity at most.
        let read = Decompress::new(true).decompress_vec(datagram, &mut text, FlushDecompress::Sync);
        if read.is_err() {
            text.clear();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(level: i32) -> Link {
        let mut link = Link::new(1, ([127, 0, 0, 1], 9).into(), 0);
        link.compress(level);
        link
    }

    #[test]
    fn a_packed_text_is_unpacked_again_at_every_level() {
        let text = "(see 5 ((f c) 10 0))".repeat(50);
        for level in -1..=9 {
            let link = link(level);
            let unpacked = link.unpacked(&link.packed(&text));
            assert_eq!(unpacked.len(), text.len() + 1);
            assert!(unpacked.starts_with(text.as_bytes()));
        }
    }

    /// Ten megabytes of zeros in ten kilobytes.
    #[test]
    fn a_bomb_unpacks_to_one_datagram() {
        let mut bomb = Vec::with_capacity(100_000);
        let zeros = vec![b'('; 10_000_000];
        Compress::new(Compression::best(), true)
            .compress_vec(&zeros, &mut bomb, FlushCompress::Finish)
            .unwrap();
        assert!(bomb.len() < 20_000);
        assert!(link(6).unpacked(&bomb).len() <= MAX_DATAGRAM);
        assert_eq!(link(6).unpacked(b"(turn 5)"), b"");
    }
}
