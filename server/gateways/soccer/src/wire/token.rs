//! Words, numbers and texts of players' commands: the longest that can be read at a place is it.

/// What is read at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A name or a keyword: letters, digits, `_`, `-`.
    Word(&'a str),
    /// A whole number.
    Integer(i32),
    /// A number with a point or an exponent.
    Real(f64),
    /// A text between quotation marks, with them.
    Quoted(&'a str),
    /// The whole of `(say MESSAGE)` without quotation marks: MESSAGE goes on to the last parenthesis that closes.
    Say(&'a str),
    /// Something that is nothing of these.
    Nonsense,
}

/// Reads tokens from left to right.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    /// At the beginning of a text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// Takes the first bytes as a text; only ASCII is asked for.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        std::str::from_utf8(taken).unwrap_or_default()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let blanks = run(self.rest, |byte| matches!(byte, b' ' | b'\t' | b'\n'));
        self.rest = &self.rest[blanks..];
        let first = *self.rest.first()?;
        Some(match first {
            b'(' => match say_length(self.rest) {
                Some(length) => Token::Say(&self.take(length)["(say ".len()..length - 1]),
                None => {
                    self.take(1);
                    Token::Open
                }
            },
            b')' => {
                self.take(1);
                Token::Close
            }
            b'"' => {
                let length = run(&self.rest[1..], is_spoken);
                if length > 0 && self.rest.get(1 + length) == Some(&b'"') {
                    Token::Quoted(self.take(length + 2))
                } else {
                    self.take(1);
                    Token::Nonsense
                }
            }
            _ => self.word_or_number(),
        })
    }
}

impl<'a> Tokens<'a> {
    fn word_or_number(&mut self) -> Token<'a> {
        let word = run(self.rest, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let integer = integer_length(self.rest);
        let real = real_length(self.rest);
        let power = integer.max(real).and_then(|_| power_length(self.rest, integer, real));
        let number = integer.into_iter().chain(real).chain(power).max().unwrap_or(0);
        if word == 0 && number == 0 {
            self.take(1);
            return Token::Nonsense;
        }
        if word > number {
            return Token::Word(self.take(word));
        }
        let text = self.take(number);
        if integer == Some(number) {
            // As C's atoi: what is too long is held to 64 bits, and cut to 32.
            let long = text.parse::<i64>();
            Token::Integer(long.unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }) as i32)
        } else {
            text.parse().map_or(Token::Nonsense, Token::Real)
        }
    }
}

/// The characters that a message may have.
pub fn is_spoken(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b' ' | b'(' | b')' | b'.' | b'+' | b'-' | b'*' | b'/' | b'?' | b'<' | b'>' | b'_')
}

/// How many bytes at the beginning are of this kind.
pub fn run(text: &[u8], is: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| !is(byte)).unwrap_or(text.len())
}

/// The length of `(say MESSAGE)` at the beginning, MESSAGE having at least one character.
fn say_length(text: &[u8]) -> Option<usize> {
    let message = text.strip_prefix(b"(say ")?;
    let message = &message[..run(message, is_spoken)];
    let close = message.iter().rposition(|&byte| byte == b')')?;
    (close > 0).then_some("(say ".len() + close + 1)
}

fn signed(text: &[u8]) -> usize {
    usize::from(matches!(text.first(), Some(b'+' | b'-')))
}

fn digits(text: &[u8]) -> usize {
    run(text, |byte| byte.is_ascii_digit())
}

/// The length of a whole number with or without a sign.
fn integer_length(text: &[u8]) -> Option<usize> {
    let sign = signed(text);
    let digits = digits(&text[sign..]);
    (digits > 0).then_some(sign + digits)
}

/// The length of a number with a point, and digits behind it.
fn real_length(text: &[u8]) -> Option<usize> {
    let sign = signed(text);
    let before = sign + digits(&text[sign..]);
    let behind = digits(text[before..].strip_prefix(b".")?);
    (behind > 0).then_some(before + 1 + behind)
}

/// The length of a number with an exponent.
fn power_length(text: &[u8], integer: Option<usize>, real: Option<usize>) -> Option<usize> {
    let end = real.max(integer)?;
    let exponent = text[end..].strip_prefix(b"e").or_else(|| text[end..].strip_prefix(b"E"))?;
    Some(end + 1 + integer_length(exponent)?)
}

#[cfg(test)]
mod tests {
    use super::{Token, Tokens};

    fn tokens(text: &str) -> Vec<Token<'_>> {
        Tokens::new(text.as_bytes()).collect()
    }

    /// Spec 1, "number syntax in": integers, digits behind the point, exponents; `5.` is a number and a point that nothing is.
    #[test]
    fn numbers_are_those_of_the_servers_syntax() {
        let number = |text| {
            let read = tokens(text);
            (read.len() == 1).then(|| match read[0] {
                Token::Integer(number) => f64::from(number),
                Token::Real(number) => number,
                _ => f64::NAN,
            })
        };
        for (text, expected) in [
            ("60", 60.0),
            ("-60", -60.0),
            ("+60", 60.0),
            ("007", 7.0),
            (".5", 0.5),
            ("-.5", -0.5),
            ("60.00", 60.0),
            ("1e3", 1000.0),
            ("1.5e-3", 0.0015),
            ("-2E+1", -20.0),
            ("99999999999", 1_215_752_191.0),
            ("99999999999999999999", -1.0),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        assert_eq!(tokens("5."), [Token::Integer(5), Token::Nonsense]);
        assert_eq!(tokens("12abc"), [Token::Word("12abc")]);
        assert_eq!(tokens("1e"), [Token::Word("1e")]);
        assert_eq!(tokens("1.5e"), [Token::Real(1.5), Token::Word("e")]);
        assert_eq!(tokens("+x"), [Token::Nonsense, Token::Word("x")]);
    }

    #[test]
    fn a_message_without_marks_goes_on_to_the_last_parenthesis() {
        assert_eq!(tokens("(say a b)(turn 5)"), [Token::Say("a b)(turn 5")]);
        assert_eq!(tokens("(say hello)\u{1}"), [Token::Say("hello"), Token::Nonsense]);
        assert_eq!(
            tokens("(say \"a)\")"),
            [Token::Open, Token::Word("say"), Token::Quoted("\"a)\""), Token::Close]
        );
        assert_eq!(tokens("(say )").len(), 3);
        assert_eq!(tokens("\"\""), [Token::Nonsense, Token::Nonsense]);
    }
}
