//! Texts of plugins and clients, as far as they are kept: orders may hold 64 MB of them, and of faults, events and messages there are hundreds. (P6)

use std::fmt::{self, Display, Write};

/// Of the text of a fault so much is kept, bytes: all that a library can say by itself, and what the server says around it.
const MAX_FAULT_BYTES: usize = 1200;
/// Of what a referee announces, tells, measures in, or says of an event so much is kept, bytes.
pub(crate) const MAX_TEXT_BYTES: usize = 65_536;
/// Of a word that is refused so much is repeated, bytes.
const MAX_WORD_BYTES: usize = 80;

/// The text of a fault, as it is kept.
pub(crate) fn fault_text(fault: impl Display) -> String {
    let mut buffer = Bounded { text: String::new(), most_bytes: MAX_FAULT_BYTES };
    // It fails when the buffer is full: what fits is there, and the rest is not even made.
    if write!(buffer, "{fault}").is_err() {
        buffer.text.push_str(" ...");
    }
    buffer.text
}

/// What a referee says, as it is kept.
pub(crate) fn kept(text: &str) -> String {
    text[..text.floor_char_boundary(MAX_TEXT_BYTES)].into()
}

/// A word that is refused, as it is repeated.
pub(crate) fn word(word: &str) -> &str {
    &word[..word.floor_char_boundary(MAX_WORD_BYTES)]
}

/// A text with an end.
struct Bounded {
    text: String,
    most_bytes: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.floor_char_boundary(self.most_bytes - self.text.len());
        self.text.push_str(&text[..end]);
        if end == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P6: what is short stays as it is; what is long ends where a character does.
    #[test]
    fn a_text_is_cut_where_a_character_ends() {
        assert_eq!(fault_text("bad output: \"é\""), "bad output: \"é\"");
        let exactly = "x".repeat(MAX_FAULT_BYTES);
        assert_eq!(fault_text(&exactly), exactly);
        let cut = fault_text(format_args!("a{}", "é".repeat(MAX_FAULT_BYTES)));
        assert_eq!(cut, format!("a{} ...", "é".repeat(MAX_FAULT_BYTES / 2 - 1)));
        assert_eq!(word(&"é".repeat(100)), "é".repeat(MAX_WORD_BYTES / 2));
        assert_eq!((kept("x"), kept(&"é".repeat(MAX_TEXT_BYTES)).len()), ("x".into(), MAX_TEXT_BYTES));
    }
}
