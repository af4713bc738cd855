//! What is no TOML: each mistake once, without those that follow from it, and with what to do.
//!
//! The parser goes on behind a mistake and then complains of much that is right. [`mistakes`] keeps the first of each line, none
//! behind a bracket that is not closed, and no key that is there twice only because a header was lost.

use super::brackets::unclosed;
use std::ops::Range;

/// What the parser says, and where.
pub(super) struct Mistake {
    pub at: Range<usize>,
    pub what: String,
    pub hint: Option<String>,
}

/// The parser's word for a key that is there twice: no mistake of form, what follows is read as it should be.
pub(super) const DUPLICATE: &str = "duplicate key";

/// The mistakes that are worth telling, in the order of the text, and how much of it is what it looks like: none of it behind a
/// bracket that is not closed.
pub(super) fn mistakes(text: &str, mut errors: Vec<(Range<usize>, String)>) -> (Vec<Mistake>, usize) {
    errors.sort_by_key(|(at, _)| at.start);
    let mut told: Vec<Mistake> = Vec::new();
    let mut last_line: Option<Range<usize>> = None;
    let is_syntax = |message: &str| message != DUPLICATE;
    let first = errors.iter().find(|(_, message)| is_syntax(message)).map(|(at, _)| at.start);
    let Some(first) = first else {
        return (errors.into_iter().map(told_as_it_is).collect(), text.len());
    };
    let open = unclosed(text).filter(|(open, _)| errors.iter().any(|(at, _)| at.start > *open));
    for (at, message) in errors {
        let is_told = |line: &Range<usize>| (line.start..=line.end).contains(&at.start);
        if last_line.as_ref().is_some_and(is_told) || !is_syntax(&message) && at.start > first {
            continue;
        }
        let line = line_around(text, at.start);
        if let Some((open, closes)) = open
            && line.start > open
        {
            // What is wrong in the bracket's own line, which is told, may be why it is not closed.
            if last_line != Some(line_around(text, open)) {
                told.push(not_closed(open, closes));
            }
            break;
        }
        let hint = text.get(line.clone()).and_then(hint);
        last_line = Some(line);
        told.push(Mistake { hint, ..told_as_it_is((at, message)) });
    }
    let readable = open.map_or(text.len(), |(open, _)| line_around(text, open).start);
    (told, readable)
}

fn not_closed(open: usize, closes: &str) -> Mistake {
    let opens = match closes {
        "}" => "{",
        "]" => "[",
        quotes => quotes,
    };
    Mistake {
        at: open..open + opens.len(),
        what: format!("the `{opens}` that opens here is not closed"),
        hint: Some(format!("a `{closes}` is missing: what follows cannot be read before it is there")),
    }
}

fn told_as_it_is((at, what): (Range<usize>, String)) -> Mistake {
    Mistake { at, what, hint: None }
}

/// The line in which a byte is, without its end; what stands behind the last line belongs to that.
fn line_around(text: &str, byte: usize) -> Range<usize> {
    let bytes = text.strip_suffix('\n').unwrap_or(text).as_bytes();
    let byte = byte.min(bytes.len());
    let start = bytes.iter().take(byte).rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end =
        bytes.iter().skip(byte).position(|byte| *byte == b'\n').map_or(bytes.len(), |length| byte + length);
    start..end
}

/// What somebody probably meant who wrote this line, which is no TOML.
fn hint(line: &str) -> Option<String> {
    let code = code(line);
    let code = code.trim();
    if let Some(number) = decimal_comma(code) {
        return Some(format!("decimals have a point, no comma: {number}"));
    }
    if code.ends_with(';') {
        return Some("a value ends with its line: no semicolon behind it".into());
    }
    if code.contains(';') {
        return Some(match code.contains(['{', '[']) {
            true => "entries are separated by commas, not by semicolons".into(),
            false => "each key has a line of its own: no semicolon between them".to_owned(),
        });
    }
    let value = code.split_once('=').map(|(_, value)| value.trim());
    if let Some(numbers) = value.filter(|value| is_bare_list(value)) {
        return Some(format!("a list stands in brackets: [{numbers}]"));
    }
    if code.ends_with(',') {
        return Some("a value ends with its line: no comma behind it".into());
    }
    match value {
        None if code.contains(':') => Some("a key is set with `=`, such as seed = 3".into()),
        Some(value) if is_half_a_decimal(value) => {
            Some("a decimal has digits on both sides of its point, such as 0.5 or 5.0".into())
        }
        Some(value) if is_word(value) => Some(format!("a text stands in quotes: \"{value}\"")),
        _ => None,
    }
}

/// The line without its comment, and with nothing in its quotes.
fn code(line: &str) -> String {
    let mut code = String::with_capacity(line.len());
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match quote {
            None if letter == '#' => break,
            None => {
                code.push(letter);
                quote = ['"', '\''].into_iter().find(|quote| *quote == letter);
            }
            Some('"') if letter == '\\' => drop(letters.next()),
            Some(open) if open == letter => {
                code.push(letter);
                quote = None;
            }
            Some(_) => {}
        }
    }
    code
}

/// A number such as `0,5` behind a `=`, as it should be; `[0, 5]` is a list, and `0, y_m = 5` goes on with a key.
fn decimal_comma(code: &str) -> Option<String> {
    code.split('=').skip(1).find_map(|value| {
        let value = value.trim_start();
        let (whole, rest) = value.split_once(',')?;
        let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (decimals, rest) = rest.split_at(end);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && end > 0;
        // `1,2,3` is a list without its brackets; a comma behind `0,5` goes on in an inline table.
        let is_list = rest
            .trim_start()
            .strip_prefix(',')
            .is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        let next = rest.trim_start().chars().next();
        let ends = next.is_none_or(|next| ",;}]".contains(next));
        (is_number && ends && !is_list).then(|| format!("{whole}.{decimals}"))
    })
}

/// Numbers with commas between them, at least three: two may be a decimal.
fn is_bare_list(value: &str) -> bool {
    let is_number = |part: &str| part.trim().parse::<f64>().is_ok();
    let parts = value.trim_end_matches(',').split(',');
    parts.clone().count() > 1 && parts.clone().all(is_number)
}

fn is_half_a_decimal(value: &str) -> bool {
    let digits = value.trim_start_matches(['-', '+']);
    digits.parse::<f64>().is_ok() && (digits.starts_with('.') || digits.ends_with('.'))
}

/// A word that might be a text; what begins with a digit is a number that went wrong.
fn is_word(value: &str) -> bool {
    value.starts_with(|c: char| c.is_alphabetic())
        && value.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c))
}
