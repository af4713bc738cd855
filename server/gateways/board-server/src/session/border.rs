//! What is not the board's protocol is sent away before anything of it is carried out: a web page can make a browser send any text
//! to any port of its user's machine, but only after a line of HTTP, and with headers.

use crate::lines::Line;
use touchline_board::Reply;

/// Whether this is a line of HTTP: a request's first (`POST / HTTP/1.1`), an answer's first, or HTTP/2's preface.
pub(super) fn is_http(line: &[u8]) -> bool {
    let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let is_version = |word: &[u8]| {
        word.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"HTTP/"))
            && word.get(5).is_some_and(u8::is_ascii_digit)
    };
    words.next().is_some_and(is_version) || words.next_back().is_some_and(is_version)
}

/// Whether this is a line of HTTP that says no version: a request as the first browsers sent it, or a header.
fn is_bare_http(line: &[u8]) -> bool {
    let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    first.ends_with(b":") || (first.eq_ignore_ascii_case(b"GET") && second.starts_with(b"/"))
}

/// Whether these bytes are none that somebody types: not UTF-8, or control characters. A TLS greeting may begin with some that are UTF-8.
fn is_no_text(line: &[u8]) -> bool {
    std::str::from_utf8(line).map_or(true, |text| text.contains(is_control))
}

fn is_control(c: char) -> bool {
    c.is_control() && c != '\t'
}

/// Why a connection ends at a line: code and message.
///
/// An address may be so long that its line is dropped, and its `HTTP/1.1` with it; the headers and the body would come next. So until a line
/// was well formed (`has_spoken`) nothing may come that nobody types. What is uploaded may say what it likes.
pub(super) fn turns_away(
    line: &Line<'_>,
    has_spoken: bool,
    is_upload: bool,
) -> Option<(&'static str, &'static str)> {
    match line {
        Line::Bytes(bytes) if !is_upload && (is_http(bytes) || (!has_spoken && is_bare_http(bytes))) => {
            Some((
                "board/http",
                "this is the message board, which speaks no HTTP; the studio's page has another port",
            ))
        }
        Line::TooLong if !has_spoken => {
            Some(("board/line-too-long", "the first line is too long for a command"))
        }
        Line::Bytes(bytes) if !has_spoken && is_no_text(bytes) => {
            Some(("board/not-text", "the first line is no text; the board speaks lines of text, and no TLS"))
        }
        _ => None,
    }
}

/// The line as text, or the answer to what is none, or too long.
pub(super) fn text(line: Line<'_>, limit: usize) -> Result<String, Reply> {
    let bytes = match line {
        Line::Bytes(bytes) => bytes,
        Line::TooLong => {
            let message = format!("the line is longer than {limit} bytes and is dropped");
            return Err(Reply::error("board/line-too-long", message).with("limit", limit));
        }
    };
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(is_control) => Ok(text.into()),
        _ => {
            let at = bytes
                .utf8_chunks()
                .next()
                .map_or(0, |chunk| chunk.valid().find(is_control).unwrap_or(chunk.valid().len()));
            let message = "the line has bytes in it that are no text";
            Err(Reply::error("board/not-text", message).with("column", at + 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_http;

    // C4
    #[test]
    fn http_is_told_from_the_boards_lines() {
        let http: [&[u8]; 6] = [
            b"POST / HTTP/1.1",
            b"GET /STATUS HTTP/1.0",
            b"get  /  http/1.1 ",
            b"HTTP/1.1 200 OK",
            b"PRI * HTTP/2.0",
            b"OPTIONS * HTTP/1.1\r",
        ];
        for line in http {
            assert!(is_http(line), "{}", line.escape_ascii());
        }
        for line in [&b"GET me laser"[..], b"HELLO 1 HTTP/", b"SAY 1 \"HTTP/1.1\"", b"", b"   ", b"STATUS"] {
            assert!(!is_http(line), "{}", line.escape_ascii());
        }
    }
}
