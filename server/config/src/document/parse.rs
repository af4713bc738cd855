//! The text of one file as nodes that know their places, as far as it can be read.

use super::syntax::{DUPLICATE, Mistake, mistakes};
use super::{At, Content, Document, Node, Place, Table, lower_first, one_line};
use crate::source::{FileSource, SourceFile};
use serde_json::{Number, Value};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

impl Document {
    /// Parses one file with recovery, and the parts that it includes.
    pub(super) fn parse_file(
        &mut self,
        file: SourceFile,
        source: &dyn FileSource,
        open: &mut Vec<usize>,
    ) -> Node {
        let number = self.files.len();
        let newlines = file.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        self.line_starts.push(std::iter::once(0).chain(newlines.map(|(index, _)| index + 1)).collect());
        self.files.push(file);
        let text = self.files[number].text.clone();
        let (table, errors) = DeTable::parse_recoverable(&text);
        let mut bad_lines = BTreeSet::new();
        let mut said = Vec::new();
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            if error.message() != DUPLICATE {
                bad_lines.insert(self.line_column(number, span.start).0);
                self.has_syntax_errors = true;
            }
            said.push((span, error.message().to_owned()));
        }
        let (mistakes, readable) = mistakes(&text, said);
        for Mistake { at: span, what, hint } in mistakes {
            let place = Place { file: number, key: None, value: span.clone() };
            let line = one_line(self.line_of(number, span.start));
            let snippet = text.get(span).filter(|snippet| !snippet.trim().is_empty());
            let is_duplicate = what == DUPLICATE;
            let problem = self.push(&place, At::Value, "config/syntax", lower_first(&what));
            problem.got = Some(line).filter(|line| !line.is_empty());
            problem.hint = hint;
            if is_duplicate {
                problem.code = "config/duplicate-key";
                problem.what = format!("key \"{}\" is set twice", snippet.unwrap_or_default());
                problem.hint = Some("keep one of the two".into());
            }
            problem.kind.clone_from(&problem.what);
        }
        let table = match text.get(..readable) {
            Some(readable) if readable.len() < text.len() => DeTable::parse_recoverable(readable).0,
            _ => table,
        };
        let place = Place { file: number, key: None, value: 0..0 };
        let mut root =
            Node { place, content: Content::Table(self.table(number, table.get_ref(), &bad_lines)) };
        open.push(number);
        self.include(&mut root, source, open);
        open.pop();
        root
    }

    fn table(&mut self, file: usize, table: &DeTable<'_>, bad_lines: &BTreeSet<u32>) -> Table {
        let mut nodes = Table::new();
        for (key, value) in table {
            if !self.is_made_up(file, value, bad_lines) {
                let node = self.node(file, Some(key.span()), value, bad_lines);
                nodes.insert(key.get_ref().to_string(), node);
            }
        }
        nodes
    }

    /// What the parser made up on a line that it did not understand is no news.
    fn is_made_up(&self, file: usize, value: &Spanned<DeValue<'_>>, bad_lines: &BTreeSet<u32>) -> bool {
        !bad_lines.is_empty() && bad_lines.contains(&self.line(file, value.span().start))
    }

    fn node(
        &mut self,
        file: usize,
        key: Option<Range<usize>>,
        value: &Spanned<DeValue<'_>>,
        bad_lines: &BTreeSet<u32>,
    ) -> Node {
        let place = Place { file, key, value: value.span() };
        let content = match value.get_ref() {
            DeValue::String(text) => Content::Scalar(Value::String(text.to_string())),
            DeValue::Boolean(truth) => Content::Scalar(Value::Bool(*truth)),
            DeValue::Integer(integer) => {
                let (digits, radix) = (integer.as_str(), integer.radix());
                let signed = i64::from_str_radix(digits, radix).map(Number::from);
                let number = signed.or_else(|_| u64::from_str_radix(digits, radix).map(Number::from));
                number.map_or(Content::Refused, |number| Content::Scalar(Value::Number(number)))
            }
            DeValue::Float(float) => {
                let number = float.as_str().parse().ok().and_then(number);
                number.map_or(Content::Refused, |number| Content::Scalar(Value::Number(number)))
            }
            DeValue::Datetime(_) => Content::Refused,
            DeValue::Array(items) => {
                let items: Vec<_> =
                    items.iter().filter(|item| !self.is_made_up(file, item, bad_lines)).collect();
                Content::List(items.into_iter().map(|item| self.node(file, None, item, bad_lines)).collect())
            }
            DeValue::Table(table) => Content::Table(self.table(file, table, bad_lines)),
        };
        if matches!(content, Content::Refused) {
            let key = place.key.clone().map(|key| format!("\"{}\"", self.slice(file, key)));
            let key = key.unwrap_or_else(|| "an entry of the list".into());
            if matches!(value.get_ref(), DeValue::Datetime(_)) {
                let problem =
                    self.push(&place, At::Value, "config/wrong-type", format!("{key} is a date or a time"));
                problem.allowed = Some("a string, a number, true or false, a list or a table".into());
            } else {
                let problem = self.push(
                    &place,
                    At::Value,
                    "config/not-finite",
                    format!("{key} is not a finite number"),
                );
                problem.allowed = Some("finite numbers of at most 64 bits".into());
                problem.hint = Some("write the number out, or leave out a key that has a default".into());
            }
        }
        Node { place, content }
    }
}

/// A float as a JSON number; to JSON Schema 361.0 is an integer, so it has to be one for the types as well.
fn number(value: f64) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_integer =
        value.fract() == 0.0 && value.abs() < EXACT && !(value == 0.0 && value.is_sign_negative());
    if is_integer { Some(Number::from(value as i64)) } else { Number::from_f64(value) }
}
