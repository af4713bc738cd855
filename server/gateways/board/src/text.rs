//! Words, fields and quoted text of a line; both sides read and write with these.
//!
//! A word is plain (`blue-1`), a field (`team=blue`), or quoted (`"good luck"`, `text="good luck"`). In quotes,
//! `\"`, `\\`, `\n` and `\t` stand for a quote, a backslash, a line end and a tab. Outside quotes all is ASCII.

use std::borrow::Cow;

/// A line is not made of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadText {
    /// A quote that does not end.
    #[error("a quoted text has no end: \" is missing")]
    NoEnd,
    /// An escape other than `\"`, `\\`, `\n` and `\t`.
    #[error("after \\ in a quoted text comes one of \" \\ n t")]
    BadEscape,
    /// Something after a closing quote.
    #[error("after a closing \" comes a space")]
    NoSpace,
    /// Characters beyond ASCII outside of quotes.
    #[error("outside quotes only ASCII is allowed")]
    NotAscii,
}

/// One word of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The key of a field.
    pub key: Option<&'a str>,
    /// The word, or the field's value, without quotes.
    pub text: Cow<'a, str>,
    /// Whether it stood in quotes.
    pub quoted: bool,
}

/// Takes a line apart, from its beginning.
#[derive(Clone, Copy, Debug)]
pub struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    /// At the beginning of a line.
    pub fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// All that is left, without blanks around it.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_matches(is_blank)
    }

    /// What is left as one text: quoted, or plain up to the end of the line.
    ///
    /// # Errors
    /// When a quoted text is not closed, or more comes after it.
    pub fn rest_text(&mut self) -> Result<Cow<'a, str>, BadText> {
        let rest = self.rest();
        self.rest = "";
        let Some(quoted) = rest.strip_prefix('"') else { return Ok(Cow::Borrowed(rest)) };
        let (text, after) = unquote(quoted)?;
        if after.trim_matches(is_blank).is_empty() { Ok(text) } else { Err(BadText::NoSpace) }
    }

    /// The next word up to a blank as it stands, quotes and all.
    pub fn next_raw(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find(is_blank).unwrap_or(rest.len());
        self.rest = &rest[end..];
        (end > 0).then(|| &rest[..end])
    }

    /// The next word, if there is one.
    ///
    /// # Errors
    /// When a quoted text is wrong, or there is more than ASCII outside of one.
    pub fn next_word(&mut self) -> Result<Option<Word<'a>>, BadText> {
        let rest = self.rest();
        if rest.is_empty() {
            self.rest = "";
            return Ok(None);
        }
        let (key, value) = match key_len(rest) {
            Some(len) => (Some(&rest[..len]), &rest[len + 1..]),
            None => (None, rest),
        };
        if let Some(quoted) = value.strip_prefix('"') {
            let (text, after) = unquote(quoted)?;
            if !after.is_empty() && !after.starts_with(is_blank) {
                return Err(BadText::NoSpace);
            }
            self.rest = after;
            return Ok(Some(Word { key, text, quoted: true }));
        }
        let end = value.find(is_blank).unwrap_or(value.len());
        self.rest = &value[end..];
        let text = &value[..end];
        if !text.is_ascii() {
            return Err(BadText::NotAscii);
        }
        Ok(Some(Word { key, text: Cow::Borrowed(text), quoted: false }))
    }
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// The length of `key` if the text begins with `key=`.
fn key_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let len = bytes.iter().position(|b| !(b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_'))?;
    (len > 0 && bytes[len] == b'=').then_some(len)
}

/// Reads up to the closing quote; gives the text and what is after it.
fn unquote(text: &str) -> Result<(Cow<'_, str>, &str), BadText> {
    let end = text.find(['"', '\\']).ok_or(BadText::NoEnd)?;
    if text.as_bytes()[end] == b'"' {
        return Ok((Cow::Borrowed(&text[..end]), &text[end + 1..]));
    }
    let mut out = String::from(&text[..end]);
    let mut chars = text[end..].char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((Cow::Owned(out), &text[end + at + 1..])),
            '\\' => out.push(match chars.next().map(|(_, c)| c) {
                Some('"') => '"',
                Some('\\') => '\\',
                Some('n') => '\n',
                Some('t') => '\t',
                Some(_) => return Err(BadText::BadEscape),
                None => return Err(BadText::NoEnd),
            }),
            c => out.push(c),
        }
    }
    Err(BadText::NoEnd)
}

/// Writes a text so that [`Scanner::next_word`] reads it back: bare if it is one plain word, else in quotes.
///
/// Control characters other than line end and tab become U+FFFD.
pub fn write_text(text: &str, out: &mut Vec<u8>) {
    if is_bare(text) {
        out.extend_from_slice(text.as_bytes());
    } else {
        write_quoted(text, out);
    }
}

/// Whether a text is one plain word, which needs no quotes.
pub(crate) fn is_bare(text: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\' | b'=');
    !text.is_empty() && text.bytes().all(is_plain)
}

/// Writes a text in quotes.
pub(crate) fn write_quoted(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for c in text.chars() {
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\t' => out.extend_from_slice(b"\\t"),
            c if c.is_control() => out.extend_from_slice("\u{fffd}".as_bytes()),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(line: &str) -> Result<Vec<(Option<&str>, String)>, BadText> {
        let mut scanner = Scanner::new(line);
        let mut words = Vec::new();
        while let Some(word) = scanner.next_word()? {
            words.push((word.key, word.text.into_owned()));
        }
        Ok(words)
    }

    #[test]
    fn words_fields_and_quotes() {
        assert_eq!(
            words("  GET me  model=LMS200,type=laser text=\"a \\\"b\\\"\" \"c = d\" A=b").unwrap(),
            [
                (None, "GET".to_string()),
                (None, "me".into()),
                (Some("model"), "LMS200,type=laser".into()),
                (Some("text"), "a \"b\"".into()),
                (None, "c = d".into()),
                (None, "A=b".into()),
            ]
        );
        assert_eq!(words("\"open"), Err(BadText::NoEnd));
        assert_eq!(words("\"a\\x\""), Err(BadText::BadEscape));
        assert_eq!(words("\"a\"b"), Err(BadText::NoSpace));
        assert_eq!(words("caf\u{e9}"), Err(BadText::NotAscii));
    }

    proptest! {
        /// What is written is read back, as a word and as a field.
        #[test]
        fn texts_come_back(text in "[ -~\n\t\u{e9}\u{4e2d}]{0,20}") {
            let mut line = b"k=".to_vec();
            write_text(&text, &mut line);
            line.push(b' ');
            write_text(&text, &mut line);
            let line = String::from_utf8(line).unwrap();
            prop_assert_eq!(words(&line).unwrap(), [(Some("k"), text.clone()), (None, text)]);
        }

        #[test]
        fn no_line_panics(line in "\\PC{0,40}") {
            let _ = words(&line);
        }
    }
}
