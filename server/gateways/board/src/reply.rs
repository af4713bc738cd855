//! Answers: one head line, and as many more as its `lines=` says.

use crate::text::{write_quoted, write_text};
use std::io::Write;

/// A value on the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// An unsigned count or number.
    Unsigned(u64),
    /// A signed time stamp, microseconds.
    Signed(i64),
    /// A quantity: the shortest decimal that reads back as the same number; `inf` and `-inf` may occur.
    Float(f64),
    /// `1` or `0`.
    Flag(bool),
    /// A text; put in quotes where needed.
    Text(&'a str),
}

macro_rules! value_from {
    ($($from:ty => |$name:ident| $value:expr),* $(,)?) => {
        $(impl<'a> From<$from> for Value<'a> {
            fn from($name: $from) -> Self {
                $value
            }
        })*
    };
}

value_from! {
    u32 => |n| Self::Unsigned(n.into()),
    u64 => |n| Self::Unsigned(n),
    usize => |n| Self::Unsigned(n as u64),
    i64 => |n| Self::Signed(n),
    f64 => |n| Self::Float(n),
    bool => |flag| Self::Flag(flag),
    &'a str => |text| Self::Text(text),
    &'a String => |text| Self::Text(text),
}

impl Value<'_> {
    fn write(self, out: &mut Vec<u8>) {
        // Writing to a Vec cannot fail.
        let _ = match self {
            Self::Unsigned(n) => write!(out, "{n}"),
            Self::Signed(n) => write!(out, "{n}"),
            Self::Flag(flag) => write!(out, "{}", u8::from(flag)),
            Self::Float(n) if n != 0.0 && n.is_finite() && !(1e-6..1e16).contains(&n.abs()) => {
                write!(out, "{n:e}")
            }
            Self::Float(n) => write!(out, "{n}"),
            Self::Text(text) => {
                write_text(text, out);
                Ok(())
            }
        };
    }
}

/// Writes one line of an answer.
#[derive(Debug)]
pub struct LineBuilder<'a>(&'a mut Vec<u8>);

impl LineBuilder<'_> {
    /// Appends one word, after a space.
    pub fn word<'v>(self, value: impl Into<Value<'v>>) -> Self {
        self.0.push(b' ');
        value.into().write(self.0);
        self
    }

    /// Appends `key=value`.
    pub fn field<'v>(self, key: &str, value: impl Into<Value<'v>>) -> Self {
        self.0.push(b' ');
        self.0.extend_from_slice(key.as_bytes());
        self.0.push(b'=');
        value.into().write(self.0);
        self
    }

    /// Appends `key=value` if there is a value.
    pub fn some<'v>(self, key: &str, value: Option<impl Into<Value<'v>>>) -> Self {
        match value {
            Some(value) => self.field(key, value),
            None => self,
        }
    }

    /// Appends a text in quotes, whatever is in it.
    pub fn quoted(self, text: &str) -> Self {
        self.0.push(b' ');
        write_quoted(text, self.0);
        self
    }
}

/// An answer to one command, without its tag.
///
/// `OK <COMMAND> <fields> [lines=<n>]` or `ERR <code> <fields> [lines=<n>] "<message>"`, then n lines.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// Code and message, if it is an error.
    pub(crate) error: Option<(String, String)>,
    pub(crate) fields: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) lines: Option<usize>,
}

impl Reply {
    /// A reply that starts with `OK`.
    pub fn ok() -> Self {
        Self::default()
    }

    /// Something did not. The code is `area/slug`, such as `sim/no-such-robot`.
    pub fn error(code: &str, message: impl Into<String>) -> Self {
        Self { error: Some((code.into(), message.into())), ..Self::default() }
    }

    /// All went well, and lines follow, even if there are none.
    pub fn block() -> Self {
        Self { lines: Some(0), ..Self::default() }
    }

    /// Several things are wrong with a robot file; each gets a line.
    pub fn problems(code: &str, message: impl Into<String>, problems: &[Problem]) -> Self {
        let mut reply = Self { lines: Some(0), ..Self::error(code, message) };
        for problem in problems {
            let line = reply.line("PROBLEM");
            line.some("file", problem.file.as_deref())
                .some("line", problem.line)
                .some("column", problem.column)
                .field("code", &problem.code)
                .some("got", problem.got.as_deref())
                .some("allowed", problem.allowed.as_deref())
                .some("hint", problem.hint.as_deref())
                .quoted(&problem.message);
            reply.end_line();
        }
        reply
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.error.is_some()
    }

    /// Its code, if it is an error.
    pub fn code(&self) -> Option<&str> {
        self.error.as_ref().map(|(code, _)| code.as_str())
    }

    /// Appends `key=value` to the head.
    pub fn with<'v>(mut self, key: &str, value: impl Into<Value<'v>>) -> Self {
        LineBuilder(&mut self.fields).field(key, value);
        self
    }

    /// Appends `key=value` to the head if there is a value.
    pub fn with_some<'v>(mut self, key: &str, value: Option<impl Into<Value<'v>>>) -> Self {
        LineBuilder(&mut self.fields).some(key, value);
        self
    }

    /// Appends a line to the block.
    pub fn push(&mut self, word: &str, write: impl FnOnce(LineBuilder<'_>) -> LineBuilder<'_>) {
        write(self.line(word));
        self.end_line();
    }

    fn line(&mut self, word: &str) -> LineBuilder<'_> {
        self.body.extend_from_slice(word.as_bytes());
        LineBuilder(&mut self.body)
    }

    fn end_line(&mut self) {
        self.body.push(b'\n');
        *self.lines.get_or_insert(0) += 1;
    }

    /// Appends a line as it stands; it must have no line end in it.
    pub fn push_plain(&mut self, line: &str) {
        self.line(line);
        self.end_line();
    }

    /// Appends the whole answer, as it goes out: with the tag and the word of its command.
    pub fn write(&self, tag: Option<&str>, word: &str, out: &mut Vec<u8>) {
        if let Some(tag) = tag {
            let _ = write!(out, "#{tag} ");
        }
        let _ = match &self.error {
            None => write!(out, "OK {word}"),
            Some((code, _)) => write!(out, "ERR {code}"),
        };
        out.extend_from_slice(&self.fields);
        if let Some(lines) = self.lines {
            let _ = write!(out, " lines={lines}");
        }
        if let Some((_, message)) = &self.error {
            out.push(b' ');
            write_quoted(message, out);
        }
        out.push(b'\n');
        out.extend_from_slice(&self.body);
    }
}

/// Writes an unasked-for line, such as `GONE`.
pub fn notice(word: &str, out: &mut Vec<u8>, write: impl FnOnce(LineBuilder<'_>) -> LineBuilder<'_>) {
    out.extend_from_slice(word.as_bytes());
    write(LineBuilder(out));
    out.push(b'\n');
}

/// One thing that is wrong with a robot file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The part of the server's that it is in, if it is not in the robot file itself.
    pub file: Option<String>,
    /// In which line of the file, from 1.
    pub line: Option<u32>,
    /// In which column, from 1.
    pub column: Option<u32>,
    /// Such as `config/unknown-key`.
    pub code: String,
    /// Description of the problem, one sentence.
    pub message: String,
    /// The value in the file.
    pub got: Option<String>,
    /// The rule, with its unit.
    pub allowed: Option<String>,
    /// What may have been meant.
    pub hint: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(reply: &Reply) -> String {
        let mut out = Vec::new();
        reply.write(Some("7"), "LIST", &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn heads_and_blocks() {
        let mut reply = Reply::block().with("step", 3u64).with("x", 0.1).with("inf", f64::INFINITY);
        assert_eq!(text(&reply), "#7 OK LIST step=3 x=0.1 inf=inf lines=0\n");
        reply.push("ROBOT", |line| line.word(1u32).field("name", "a b").some("team", None::<&str>));
        assert_eq!(text(&reply), "#7 OK LIST step=3 x=0.1 inf=inf lines=1\nROBOT 1 name=\"a b\"\n");
        assert_eq!(
            text(&Reply::error("a/b", "no \"c\"").with("n", 1e-9)),
            "#7 ERR a/b n=1e-9 \"no \\\"c\\\"\"\n"
        );
    }
}
