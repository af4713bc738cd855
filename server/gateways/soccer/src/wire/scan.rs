//! Reads the commands of coaches, trainers and monitors as C's `sscanf` does, which is how they are read there: blanks where none are
//! asked for, numbers that end where they cannot go on.

/// A place in a text.
#[derive(Clone, Copy)]
pub struct Scan<'a> {
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    /// At the beginning.
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Passes over blanks.
    pub fn blanks(&mut self) -> &mut Self {
        let blanks = self.rest.iter().take_while(|byte| is_blank(**byte)).count();
        self.rest = &self.rest[blanks..];
        self
    }

    /// Takes these words, parentheses among them: blanks may stand before each.
    pub fn words(&mut self, words: &[&str]) -> Option<&mut Self> {
        for word in words {
            self.blanks();
            self.rest = self.rest.strip_prefix(word.as_bytes())?;
        }
        Some(self)
    }

    /// Takes at most so many bytes of a kind, at least one.
    pub fn run(&mut self, most: usize, is: impl Fn(u8) -> bool) -> Option<&'a str> {
        let length = self.rest.iter().take(most).take_while(|byte| is(**byte)).count();
        let (taken, rest) = self.rest.split_at(length);
        let taken = std::str::from_utf8(taken).ok().filter(|taken| !taken.is_empty())?;
        self.rest = rest;
        Some(taken)
    }

    /// Takes a word up to a blank.
    pub fn word(&mut self) -> Option<&'a str> {
        self.blanks().run(127, |byte| !is_blank(byte))
    }

    /// Takes a whole number.
    pub fn integer(&mut self) -> Option<i32> {
        self.blanks();
        let length = integer_length(self.rest)?;
        let (taken, rest) = self.rest.split_at(length);
        let text = std::str::from_utf8(taken).ok()?;
        let number = text.trim_start_matches('+').parse::<i64>();
        self.rest = rest;
        // What is too long is held to 64 bits, and cut to 32.
        Some(number.unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }) as i32)
    }

    /// Takes a number; what is not finite is none.
    pub fn number(&mut self) -> Option<f64> {
        self.blanks();
        let length = number_length(self.rest)?;
        let (taken, rest) = self.rest.split_at(length);
        let number: f64 = std::str::from_utf8(taken).ok()?.parse().ok()?;
        self.rest = rest;
        number.is_finite().then_some(number)
    }
}

/// C's `isspace`.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The letters of a command's word.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-.+*/?<>_".contains(&byte)
}

fn integer_length(text: &[u8]) -> Option<usize> {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let digits = text[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then_some(sign + digits)
}

fn number_length(text: &[u8]) -> Option<usize> {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(sign);
    let mut end = sign + whole;
    let mut fraction = 0;
    if text.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(text.get(end), Some(b'e' | b'E'))
        && let Some(exponent) = integer_length(&text[end + 1..])
    {
        end += 1 + exponent;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::Scan;

    #[test]
    fn numbers_end_where_they_cannot_go_on() {
        for (text, expected, rest) in [
            ("12.0000)", Some(12.0), ")"),
            (" 5.x", Some(5.0), "x"),
            ("-.5e2 ", Some(-50.0), " "),
            ("1e", Some(1.0), "e"),
            (".", None, "."),
            ("nan", None, "nan"),
            ("1e999", None, ""),
        ] {
            let mut scan = Scan::new(text.as_bytes());
            assert_eq!(scan.number(), expected, "{text}");
            assert_eq!(scan.rest(), rest.as_bytes(), "{text}");
        }
        assert_eq!(Scan::new(b"+7)").integer(), Some(7));
        assert_eq!(Scan::new(b"x").integer(), None);
    }
}
