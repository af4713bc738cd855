//! Bytes from outside, read one number after the other; what cannot be is named by its place.

use super::column;

/// More objects, ticks or poses than this are no block of ours.
pub const MOST: u64 = 1 << 20;

/// Bytes that are no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a block of poses is damaged at byte {at}: {problem}")]
pub struct BlockError {
    /// Offset in the block, bytes.
    pub at: usize,
    /// Reason, in words.
    pub problem: &'static str,
}

/// Bytes that are read one after the other.
pub struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub fn new(all: &'a [u8]) -> Self {
        Self { all, at: 0 }
    }

    pub fn bad(&self, problem: &'static str) -> BlockError {
        BlockError { at: self.at, problem }
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.all.len()
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.all.get(self.at..).unwrap_or_default()
    }

    pub fn some(&mut self, count: usize) -> Result<&'a [u8], BlockError> {
        let bytes = self.rest().get(..count).ok_or(self.bad("it ends too early"))?;
        self.at += count;
        Ok(bytes)
    }

    pub fn byte(&mut self) -> Result<u8, BlockError> {
        Ok(self.some(1)?[0])
    }

    pub fn signed(&mut self) -> Result<i64, BlockError> {
        self.number().map(column::signed)
    }

    pub fn number(&mut self) -> Result<u64, BlockError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.bad("a number of more than 64 bits"))
    }

    pub fn count(&mut self) -> Result<u64, BlockError> {
        let count = self.number()?;
        if count > MOST { Err(self.bad("a count that cannot be")) } else { Ok(count) }
    }
}
