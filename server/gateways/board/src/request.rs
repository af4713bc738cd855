//! What a client asks, as one line: written word by word, so that it can be read back.

use crate::selection::{Selection, Term};
use crate::text::{write_quoted, write_text};
use std::fmt::Display;
use std::io::Write;

/// A robot, as commands name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RobotRef {
    /// The robot's number.
    Number(u32),
    /// The robot's name.
    Name(String),
}

impl RobotRef {
    /// What a robot is called in a command; `me` is left to the caller.
    pub fn from_word(word: &str) -> Self {
        match word.parse() {
            Ok(number) if word.bytes().all(|b| b.is_ascii_digit()) => Self::Number(number),
            _ => Self::Name(word.into()),
        }
    }
}

/// A command with its parameters, as a client sends it. The client knows which; the server's list is in docs/protocol.md.
///
/// ```
/// use touchline_board::{Request, RobotRef};
///
/// let say = Request::new("SAY").robot(&RobotRef::Number(3)).quoted("it is \"mine\"");
/// assert_eq!(say.bytes(), b"SAY 3 \"it is \\\"mine\\\"\"\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    word: &'static str,
    /// The whole line, with its end.
    bytes: Vec<u8>,
}

impl Request {
    /// A command with this word and no parameters yet.
    pub fn new(word: &'static str) -> Self {
        Self { word, bytes: [word.as_bytes(), b"\n"].concat() }
    }

    /// The word that names the command.
    pub fn word(&self) -> &'static str {
        self.word
    }

    /// What is sent: the line, and the file that follows it, with their ends.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends a number, or a word that needs no quotes.
    pub fn plain(self, value: impl Display) -> Self {
        // Writing to a Vec cannot fail.
        self.append(|line| drop(write!(line, "{value}")))
    }

    /// Appends numbers, each after a space.
    pub fn numbers(self, numbers: &[f64]) -> Self {
        numbers.iter().fold(self, |line, number| line.plain(number))
    }

    /// Appends a word, in quotes if it needs them.
    pub fn text(self, text: &str) -> Self {
        self.append(|line| write_text(text, line))
    }

    /// Appends a text in quotes.
    pub fn quoted(self, text: &str) -> Self {
        self.append(|line| write_quoted(text, line))
    }

    /// Appends `key=value`, the value in quotes if it needs them.
    pub fn field(self, key: &str, value: &str) -> Self {
        self.append(|line| {
            line.extend_from_slice(key.as_bytes());
            line.push(b'=');
            write_text(value, line);
        })
    }

    /// Appends a robot by its number or name.
    pub fn robot(self, robot: &RobotRef) -> Self {
        match robot {
            RobotRef::Number(number) => self.plain(number),
            RobotRef::Name(name) => self.text(name),
        }
    }

    /// Appends the names of the selected sensors and features.
    pub fn selection(self, selection: &Selection) -> Self {
        selection.terms.iter().fold(self, |line, term| {
            let word = term.to_string();
            match (term, word.split_once('=')) {
                // A model's name may have blanks in it.
                (Term::Query(_), Some((key, value))) if !value.bytes().all(|b| b.is_ascii_graphic()) => line
                    .append(|line| {
                        line.extend_from_slice(key.as_bytes());
                        line.push(b'=');
                        write_quoted(value, line);
                    }),
                (Term::Named(name), _) => line.text(name),
                (Term::All | Term::Query(_), _) => line.plain(word),
            }
        })
    }

    /// Appends `lines=` and the lines of a file.
    pub fn file(self, text: &str) -> Self {
        let mut request = self.field("lines", &text.lines().count().to_string());
        for line in text.lines() {
            request.bytes.extend_from_slice(line.as_bytes());
            request.bytes.push(b'\n');
        }
        request
    }

    fn append(mut self, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        self.bytes.pop();
        self.bytes.push(b' ');
        write(&mut self.bytes);
        self.bytes.push(b'\n');
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scanner;
    use proptest::prelude::*;

    proptest! {
        /// What a client writes is what the server reads: words, fields, quoted texts and selections.
        #[test]
        fn requests_come_back(
            text in "[ -~\n\t\u{e9}]{0,20}", model in "[a-zA-Z][ a-zA-Z0-9]{0,8}", number in any::<f64>(), id in any::<u32>(),
        ) {
            let query = Term::from_word(&format!("model={model},type=laser"));
            prop_assume!(query.is_some() && number.is_finite());
            let terms: Vec<Term> = [Some(Term::All), query].into_iter().flatten().collect();
            let request = Request::new("X")
                .robot(&RobotRef::Number(id))
                .text(&text)
                .field("key", &text)
                .numbers(&[number])
                .quoted(&text)
                .selection(&Selection { terms: terms.clone() });
            let line = std::str::from_utf8(request.bytes()).unwrap().strip_suffix('\n').unwrap();
            let mut scanner = Scanner::new(line);
            prop_assert_eq!(scanner.next_raw(), Some("X"));
            let mut words = Vec::new();
            while let Some(word) = scanner.next_word().unwrap() {
                words.push((word.key, word.text.into_owned()));
            }
            let read: Vec<&str> = words.iter().map(|(_, text)| text.as_str()).collect();
            prop_assert_eq!(RobotRef::from_word(read[0]), RobotRef::Number(id));
            prop_assert_eq!((read[1], read[2], words[2].0, read[4]), (&*text, &*text, Some("key"), &*text));
            prop_assert_eq!(read[3].parse::<f64>().unwrap(), number);
            let term = |(key, text): &(Option<&str>, String)| match key {
                Some(key) => Term::from_word(&format!("{key}={text}")).unwrap(),
                None => Term::from_word(text).unwrap(),
            };
            prop_assert_eq!(words[5..].iter().map(term).collect::<Vec<_>>(), terms);
        }
    }

    #[test]
    fn a_file_follows_its_line() {
        let request = Request::new("ROBOT").text("a").file("one\ntwo\n");
        assert_eq!(request.bytes(), b"ROBOT a lines=2\none\ntwo\n");
    }
}
