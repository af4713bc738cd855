//! Where a text's brackets and long texts open, and which of them never close.
//!
//! A bracket that is not closed makes a parser misread all that follows: where it opens is the mistake. The text may be
//! wrong anywhere, so this looks at as little as it can: brackets, quotes, comments, and what can only be a new table.

/// The first bracket, or the first text over several lines, that is never closed: where it begins, and what would close it.
pub(super) fn unclosed(text: &str) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut open: Vec<(usize, &'static str)> = Vec::new();
    let (mut at, mut at_line_start) = (0, true);
    while at < bytes.len() {
        if at_line_start {
            let line = text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
            if is_header(line) {
                // Nothing goes on beyond the header of a table. Whether its own brackets close is the parser's to say.
                if let Some(first) = open.first() {
                    return Some(*first);
                }
                at += line.len();
                at_line_start = false;
                continue;
            }
        }
        let byte = bytes[at];
        at_line_start = byte == b'\n';
        match byte {
            b'#' => {
                at = end_of_line(bytes, at);
                continue;
            }
            b'"' | b'\'' => match end_of_text(bytes, at) {
                Ok(end) => {
                    at = end;
                    continue;
                }
                Err(quotes) => return Some(open.first().copied().unwrap_or((at, quotes))),
            },
            b'{' => open.push((at, "}")),
            b'[' => open.push((at, "]")),
            b'}' | b']' if open.last().is_some_and(|(_, closes)| closes.as_bytes() == [byte]) => {
                open.pop();
            }
            _ => {}
        }
        at += 1;
    }
    open.first().copied()
}

/// Whether a line can be nothing but the header of a table; `[true]` may be a line of a list.
fn is_header(line: &str) -> bool {
    let line = line.trim();
    let Some(words) = line.strip_prefix("[[").or_else(|| line.strip_prefix('[')) else { return false };
    let word: &str =
        words.split(|c: char| !(c.is_alphanumeric() || "_-".contains(c))).next().unwrap_or_default();
    let is_value = ["true", "false", "inf", "nan"].contains(&word);
    word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !is_value && !line.ends_with(',')
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes.iter().skip(at).position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// Where a text in quotes ends; one of one line ends with it at the latest. The quotes that would close it, if none do.
fn end_of_text(bytes: &[u8], at: usize) -> Result<usize, &'static str> {
    let quote = bytes[at];
    let is_long = bytes.get(at..at + 3).is_some_and(|three| three.iter().all(|byte| *byte == quote));
    let mut end = at + if is_long { 3 } else { 1 };
    while end < bytes.len() {
        let byte = bytes[end];
        if byte == b'\\' && quote == b'"' {
            end += 2;
        } else if is_long
            && bytes.get(end..end + 3).is_some_and(|three| three.iter().all(|byte| *byte == quote))
        {
            return Ok(end + 3);
        } else if !is_long && (byte == quote || byte == b'\n') {
            // The line's end is seen by whoever asks.
            return Ok(if byte == quote { end + 1 } else { end });
        } else {
            end += 1;
        }
    }
    match (is_long, quote) {
        (false, _) => Ok(bytes.len()),
        (true, b'"') => Err("\"\"\""),
        (true, _) => Err("'''"),
    }
}

#[cfg(test)]
mod tests {
    use super::unclosed;

    #[test]
    fn brackets_are_paired() {
        for sound in [
            "",
            "a = [1, [2], { b = \"}\" }] # ]\n[[b]]\n",
            "a = [\n  [true],\n  [1]\n]\nb = '''\n[c]\n'''\n",
            "a = \"\\\"{\"\nb = '{'\n",
            "[[a\n[b]\n",
            "a = }\n",
            "a = \"{\nb = 1\n",
        ] {
            assert_eq!(unclosed(sound), None, "{sound}");
        }
        for (text, at, closes) in [
            ("a = { b = [1 }\n", 4, "}"),
            ("a = [\n1,\n[radio]\nb = [1]]\n", 4, "]"),
            ("é = {\n", 5, "}"),
            ("a = \"\"\"{\n[b]", 4, "\"\"\""),
            ("a = { b = '''", 4, "}"),
        ] {
            assert_eq!(unclosed(text), Some((at, closes)), "{text}");
        }
    }
}
