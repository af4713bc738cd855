//! Reads the server's parenthesised expressions from one line, from left to right: no tree, no recursion.

/// What is wrong, and where in the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {expected} expected, found {found}")]
pub struct SyntaxError {
    /// Bytes from the line's beginning, counted from 1.
    pub column: usize,
    expected: &'static str,
    found: String,
}

/// A place in a line.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Before the first expression of a line.
    pub fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    fn rest(&mut self) -> &'a str {
        let rest = &self.line[self.at..];
        let blank = rest.len() - rest.trim_start().len();
        self.at += blank;
        &rest[blank..]
    }

    /// Whether `text` comes next, after blanks.
    pub fn is_next(&mut self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// Whether only blanks follow.
    pub fn is_at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// Takes `(` and the word behind it, if they come next.
    pub fn enter(&mut self, word: &str) -> bool {
        let start = *self;
        if self.take("(") && self.atom("").is_ok_and(|atom| atom == word) {
            return true;
        }
        *self = start;
        false
    }

    /// Takes this text, if it comes next.
    pub fn take(&mut self, text: &str) -> bool {
        let is_next = self.is_next(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// Takes `(`.
    pub fn open(&mut self) -> Result<(), SyntaxError> {
        if self.take("(") { Ok(()) } else { Err(self.error("(")) }
    }

    /// Takes `)`.
    pub fn close(&mut self) -> Result<(), SyntaxError> {
        if self.take(")") { Ok(()) } else { Err(self.error(")")) }
    }

    /// Takes all up to the next blank or parenthesis.
    pub fn atom(&mut self, expected: &'static str) -> Result<&'a str, SyntaxError> {
        let rest = self.rest();
        let is_end = |c: char| c.is_whitespace() || c == '(' || c == ')';
        let length = rest.find(is_end).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error(expected));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// Reads one number and moves behind it.
    pub fn number(&mut self) -> Result<f64, SyntaxError> {
        self.parsed("a number", |atom| atom.parse().ok().filter(|number: &f64| number.is_finite()))
    }

    /// Takes a whole number that is not negative.
    pub fn count(&mut self) -> Result<u32, SyntaxError> {
        self.parsed("a whole number", |atom| atom.parse().ok())
    }

    /// Takes whatever the function makes of the next atom.
    pub fn parsed<T>(
        &mut self,
        expected: &'static str,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, SyntaxError> {
        let start = *self;
        let atom = self.atom(expected)?;
        parse(atom).ok_or_else(|| {
            let mut at_atom = start;
            at_atom.error(expected)
        })
    }

    /// Takes a text between quotation marks.
    pub fn quoted(&mut self) -> Result<&'a str, SyntaxError> {
        let rest = self.rest();
        let Some((text, _)) = rest.strip_prefix('"').and_then(|rest| rest.rsplit_once('"')) else {
            return Err(self.error("a text between quotation marks"));
        };
        self.at += text.len() + 2;
        Ok(text)
    }

    /// Takes all up to the parenthesis that closes what is open, and leaves that.
    pub fn up_to_close(&mut self, expected: &'static str) -> Result<&'a str, SyntaxError> {
        let rest = self.rest();
        let (mut depth, mut is_quoted) = (0_u32, false);
        for (place, c) in rest.char_indices() {
            match c {
                '"' => is_quoted = !is_quoted,
                '(' if !is_quoted => depth += 1,
                ')' if !is_quoted && depth == 0 => {
                    self.at += place;
                    return Ok(rest[..place].trim_end());
                }
                ')' if !is_quoted => depth -= 1,
                _ => {}
            }
        }
        self.at = self.line.len();
        Err(self.error(expected))
    }

    /// An error at this place.
    pub fn error(&mut self, expected: &'static str) -> SyntaxError {
        let rest = self.rest();
        let found = match rest.char_indices().nth(24) {
            _ if rest.is_empty() => "the end of the line".to_owned(),
            Some((end, _)) => format!("`{}…`", &rest[..end]),
            None => format!("`{rest}`"),
        };
        SyntaxError { column: self.at + 1, expected, found }
    }
}
