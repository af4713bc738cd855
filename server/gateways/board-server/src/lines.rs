//! From a stream of bytes to lines, however it is cut into pieces.

/// One line without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// As it came; not yet checked to be text.
    Bytes(&'a [u8]),
    /// Longer than allowed, and dropped.
    TooLong {
        /// Its length, bytes.
        got: usize,
    },
}

/// Collects bytes and gives lines, ended by LF or CR LF.
///
/// # Invariants
/// Of an unfinished line no more is kept than the limit.
#[derive(Clone, Debug)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where there is no LF after `start`.
    searched: usize,
    /// So much of the line was dropped already.
    dropped: Option<usize>,
    max_len: usize,
}

impl LineBuffer {
    /// For lines of up to `max_len` bytes.
    pub fn new(max_len: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, searched: 0, dropped: None, max_len }
    }

    /// Number of bytes that wait.
    pub fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    /// Whether no bytes wait.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds bytes as they came.
    pub fn extend(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete line, if there is one.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        let Some(at) = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') else {
            self.searched = self.bytes.len();
            // One more for the CR, which is no part of the line.
            if self.dropped.is_some() || self.len() > self.max_len + 1 {
                *self.dropped.get_or_insert(0) += self.bytes.len() - self.start;
                self.bytes.clear();
                (self.start, self.searched) = (0, 0);
            }
            return None;
        };
        let (start, end) = (self.start, self.searched + at);
        self.start = end + 1;
        self.searched = end + 1;
        if let Some(dropped) = self.dropped.take() {
            return Some(Line::TooLong { got: dropped + end - start });
        }
        let line = &self.bytes[start..end];
        let text = line.strip_suffix(b"\r").unwrap_or(line);
        Some(if text.len() > self.max_len { Line::TooLong { got: line.len() } } else { Line::Bytes(text) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<String> {
        let mut buffer = LineBuffer::new(4);
        let mut lines = Vec::new();
        for piece in pieces {
            buffer.extend(piece);
            while let Some(line) = buffer.next_line() {
                lines.push(match line {
                    Line::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                    Line::TooLong { got } => format!("<{got}>"),
                });
            }
            assert!(buffer.len() <= 5, "an unfinished line is bounded");
        }
        lines
    }

    #[test]
    fn lines_end_in_lf_or_crlf_and_long_ones_are_dropped() {
        let want = ["ab", "", "abcd", "<5>", "<12>", "x"];
        let bytes = b"ab\r\n\nabcd\r\nabcde\nabcdefghijkl\nx\nrest";
        assert_eq!(all(&[bytes]), want);
        for cut in 0..bytes.len() {
            assert_eq!(all(&[&bytes[..cut], &bytes[cut..]]), want, "cut at {cut}");
        }
        assert_eq!(all(&bytes.chunks(1).collect::<Vec<_>>()), want);
    }
}
