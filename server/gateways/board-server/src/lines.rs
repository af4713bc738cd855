//! From a stream of bytes to lines, however it is cut into pieces.

/// One line without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// As it came; not yet checked to be text.
    Bytes(&'a [u8]),
    /// Longer than allowed: told as soon as that is known, and dropped up to its end.
    TooLong,
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
    /// So much was dropped of a line that was told to be too long, and has not ended yet.
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

    /// How much was dropped of a line that does not end.
    pub fn dropped(&self) -> usize {
        self.dropped.unwrap_or(0)
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

    /// The next complete line, or that one has become too long, if there is one.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        loop {
            let Some(at) = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') else {
                return self.unfinished();
            };
            let (start, end) = (self.start, self.searched + at);
            self.start = end + 1;
            self.searched = end + 1;
            if self.dropped.take().is_some() {
                continue;
            }
            let line = &self.bytes[start..end];
            let text = line.strip_suffix(b"\r").unwrap_or(line);
            return Some(if text.len() > self.max_len { Line::TooLong } else { Line::Bytes(text) });
        }
    }

    /// What waits has no end: of a line that is too long nothing is kept.
    fn unfinished(&mut self) -> Option<Line<'_>> {
        self.searched = self.bytes.len();
        let was_told = self.dropped.is_some();
        // One more for the CR, which is no part of the line.
        if !was_told && self.len() <= self.max_len + 1 {
            return None;
        }
        *self.dropped.get_or_insert(0) += self.len();
        self.bytes.clear();
        (self.start, self.searched) = (0, 0);
        (!was_told).then_some(Line::TooLong)
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
                    Line::TooLong => "<too long>".into(),
                });
            }
            assert!(buffer.len() <= 5, "an unfinished line is bounded");
        }
        lines
    }

    #[test]
    fn lines_end_in_lf_or_crlf_and_long_ones_are_dropped() {
        let want = ["ab", "", "abcd", "<too long>", "<too long>", "x"];
        let bytes = b"ab\r\n\nabcd\r\nabcde\nabcdefghijkl\nx\nrest";
        assert_eq!(all(&[bytes]), want);
        for cut in 0..bytes.len() {
            assert_eq!(all(&[&bytes[..cut], &bytes[cut..]]), want, "cut at {cut}");
        }
        assert_eq!(all(&bytes.chunks(1).collect::<Vec<_>>()), want);
    }

    #[test]
    fn a_line_that_is_too_long_is_told_before_its_end() {
        let mut buffer = LineBuffer::new(4);
        buffer.extend(b"abcdef");
        assert_eq!(buffer.next_line(), Some(Line::TooLong));
        for so_far in [6, 9] {
            assert_eq!((buffer.dropped(), buffer.next_line()), (so_far, None));
            buffer.extend(b"ghi");
            assert_eq!(buffer.next_line(), None);
        }
        buffer.extend(b"j\nx\n");
        assert_eq!(buffer.next_line(), Some(Line::Bytes(b"x")));
        assert_eq!(buffer.dropped(), 0);
    }
}
