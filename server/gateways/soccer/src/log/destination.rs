//! Where a log is written to: as it is, or packed by gzip.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, BufWriter, Write};

/// A buffered writer that packs if it is told to.
#[derive(Debug)]
pub enum Destination<W: Write> {
    /// As it is.
    Plain(BufWriter<W>),
    /// Packed.
    Packed(GzEncoder<BufWriter<W>>),
}

impl<W: Write> Destination<W> {
    /// `compression` is 0 for none, 1 (fast) to 9 (small).
    pub fn new(out: W, compression: u32) -> Self {
        let out = BufWriter::new(out);
        match compression {
            0 => Self::Plain(out),
            level => Self::Packed(GzEncoder::new(out, Compression::new(level.min(9)))),
        }
    }

    /// Writes what is left, and the end.
    ///
    /// # Errors
    /// Of the destination.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut out) => out.flush(),
            Self::Packed(packer) => packer.finish()?.flush(),
        }
    }
}

impl<W: Write> Write for Destination<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Packed(packer) => packer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Packed(packer) => packer.flush(),
        }
    }
}
