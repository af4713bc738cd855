//! The client's side: from the server's bytes to whole messages.

use crate::text::Scanner;

/// The longest line that a client takes, bytes: room for a camera image.
const LONGEST_LINE: usize = 64 << 20;
/// The most lines that one message may announce.
const MOST_LINES: usize = 1_000_000;

/// What a server sent is not the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// No text, or no words.
    #[error("the server sent a line that cannot be read: {0}")]
    BadLine(String),
    /// A line of sensor data.
    #[error("the server sent sensor data that cannot be read: {0}")]
    BadData(String),
    /// More than a client takes.
    #[error(
        "the server sent a line longer than {LONGEST_LINE} bytes, or announced more than {MOST_LINES} lines"
    )]
    TooLong,
    /// A field that should be there.
    #[error("the server's answer lacks {0}")]
    Missing(String),
}

/// A head line, and the lines that belong to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The tag of the command that it answers.
    pub tag: Option<String>,
    /// `OK`, `ERR`, or what came unasked: `TOUCHLINE`, `STATE`, `GONE`, `CLOSE`.
    pub word: String,
    /// The head's plain words: the command of an `OK`, the code of an `ERR`; then its text in quotes.
    pub words: Vec<String>,
    /// Keys and values of the head, as text.
    pub fields: Vec<(String, String)>,
    /// The block's lines, without their ends.
    pub lines: Vec<String>,
}

impl Message {
    /// Reads a head line, or any other line that is made of a word, words and fields.
    ///
    /// # Errors
    /// When it is not made of words.
    pub fn read(line: &str) -> Result<Self, ProtocolError> {
        let mut scanner = Scanner::new(line);
        let mut message = Self::default();
        if let Some(tag) = line.strip_prefix('#').and_then(|_| scanner.next_raw()) {
            message.tag = Some(tag[1..].into());
        }
        message.word = scanner.next_raw().unwrap_or_default().into();
        while let Some(word) =
            scanner.next_word().map_err(|error| ProtocolError::BadLine(format!("{error}: {line}")))?
        {
            match word.key {
                Some(key) => message.fields.push((key.into(), word.text.into_owned())),
                None => message.words.push(word.text.into_owned()),
            }
        }
        Ok(message)
    }

    /// Text of the field with this key, if there is one.
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// A field as a number.
    ///
    /// # Errors
    /// When it is not there, or no such number.
    pub fn number<T: std::str::FromStr>(&self, key: &str) -> Result<T, ProtocolError> {
        self.field(key).and_then(|text| text.parse().ok()).ok_or_else(|| {
            ProtocolError::Missing(format!("{key}= (in: {} {})", self.word, self.words.join(" ")))
        })
    }

    /// The plain word at this place.
    ///
    /// # Errors
    /// When it is not there.
    pub fn at(&self, place: usize) -> Result<&str, ProtocolError> {
        let missing = || ProtocolError::Missing(format!("word {place} after {}", self.word));
        self.words.get(place).map(String::as_str).ok_or_else(missing)
    }
}

/// Collects the server's bytes, and gives whole messages.
#[derive(Debug, Default)]
pub struct MessageReader {
    bytes: Vec<u8>,
    start: usize,
    searched: usize,
    /// A head that waits for so many more lines.
    open: Option<(Message, usize)>,
}

impl MessageReader {
    /// A reader without received bytes.
    pub fn new() -> Self {
        Self::default()
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

    /// The next whole message, if there is one.
    ///
    /// # Errors
    /// When the bytes are not the protocol; what comes after makes no sense either.
    pub fn next_message(&mut self) -> Result<Option<Message>, ProtocolError> {
        loop {
            if let Some((message, _)) = self.open.take_if(|(_, missing)| *missing == 0) {
                return Ok(Some(message));
            }
            let Some(line) = self.next_line()? else { return Ok(None) };
            match &mut self.open {
                Some((message, missing)) => {
                    message.lines.push(line);
                    *missing -= 1;
                }
                None => {
                    let message = Message::read(&line)?;
                    let lines = message.field("lines").map_or(Ok(0), |_| message.number::<usize>("lines"))?;
                    if lines > MOST_LINES {
                        return Err(ProtocolError::TooLong);
                    }
                    self.open = Some((message, lines));
                }
            }
        }
    }

    fn next_line(&mut self) -> Result<Option<String>, ProtocolError> {
        let Some(at) = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') else {
            self.searched = self.bytes.len();
            let too_long = self.searched - self.start > LONGEST_LINE;
            return if too_long { Err(ProtocolError::TooLong) } else { Ok(None) };
        };
        let line = &self.bytes[self.start..self.searched + at];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = match std::str::from_utf8(line) {
            Ok(text) => text.to_string(),
            Err(error) => return Err(ProtocolError::BadLine(error.to_string())),
        };
        self.searched += at + 1;
        self.start = self.searched;
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_in_any_pieces() {
        let bytes =
            b"TOUCHLINE 1 0.1.0\n#7 OK LIST lines=2\nROBOT 1 name=\"a b\"\nROBOT 2\nERR a/b n=1 \"c d\"\n";
        for piece in 1..bytes.len() {
            let mut reader = MessageReader::new();
            let mut messages = Vec::new();
            for bytes in bytes.chunks(piece) {
                reader.extend(bytes);
                while let Some(message) = reader.next_message().unwrap() {
                    messages.push(message);
                }
            }
            let [greeting, list, error] = messages.as_slice() else { panic!("{messages:?}") };
            assert_eq!(greeting.words, ["1", "0.1.0"]);
            assert_eq!((list.tag.as_deref(), list.lines.len()), (Some("7"), 2));
            assert_eq!(Message::read(&list.lines[0]).unwrap().field("name"), Some("a b"));
            assert_eq!((error.at(0), error.at(1)), (Ok("a/b"), Ok("c d")));
            assert_eq!(error.number::<u32>("n"), Ok(1));
            assert!(error.number::<u32>("m").is_err());
        }
    }

    #[test]
    fn nonsense_is_an_error() {
        for bytes in [&b"OK \"x\n"[..], b"\xff\n", b"OK X lines=99999999\n", b"OK X lines=-1\n"] {
            let mut reader = MessageReader::new();
            reader.extend(bytes);
            assert!(reader.next_message().is_err(), "{bytes:?}");
        }
    }
}
