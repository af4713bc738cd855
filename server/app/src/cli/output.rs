//! Standard output, and notes for people on standard error: nothing else in the program writes there.

use super::Failure;
use serde::Serialize;
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, StdoutLock, Write};
use std::process::ExitCode;
use touchline_config::shown_lines;

/// A longer line is not kept until it ends, bytes.
const MOST_LINE_BYTES: usize = 64 << 10;

/// Why standard output took no more.
#[derive(Debug)]
struct NotWritten(io::Error);

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "standard output: cannot be written: {}", self.0)
    }
}

impl std::error::Error for NotWritten {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Whether this is an error of standard output.
pub fn is_its(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|why| why.is::<NotWritten>())
}

/// Whether nobody reads standard output any more, which is how `… | head` ends.
pub fn is_closed(error: &io::Error) -> bool {
    is_its(error) && error.kind() == ErrorKind::BrokenPipe
}

/// Standard output: an error of it says that it is of it. Who writes to it flushes it at last.
pub struct Output<W: Write> {
    out: W,
    /// A line for people that has not ended yet; `None` for programs, which get all bytes as they are.
    line: Option<Vec<u8>>,
}

/// For programs: JSON, schemas, tables. Who reads no further, as `… | head`, ends what is being written.
pub fn data() -> Output<StdoutLock<'static>> {
    Output { out: io::stdout().lock(), line: None }
}

/// For people: what strangers have put into it commands no terminal. Who reads no further changes nothing of what is done, nor the exit code.
pub fn text() -> Output<StdoutLock<'static>> {
    Output { out: io::stdout().lock(), line: Some(Vec::new()) }
}

/// For programs; for people if it is a terminal.
pub fn data_or_terminal() -> Output<StdoutLock<'static>> {
    if io::stdout().is_terminal() { text() } else { data() }
}

impl<W: Write> Output<W> {
    /// Writes the lines that are whole, or all; only the last so many bytes are new. A line that is very long is written in pieces.
    fn hand_over(&mut self, new: usize, all: bool) -> io::Result<()> {
        let Some(line) = &mut self.line else { return Ok(()) };
        let known = line.len() - new.min(line.len());
        let end = match line[known..].iter().rposition(|&byte| byte == b'\n') {
            _ if all => line.len(),
            Some(at) => known + at + 1,
            None if line.len() > MOST_LINE_BYTES => whole_letters(line),
            None => return Ok(()),
        };
        let text = shown_lines(&String::from_utf8_lossy(&line[..end]));
        line.drain(..end);
        self.read_or_not(|out| out.write_all(text.as_bytes()))
    }

    fn read_or_not(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
        match write(&mut self.out).map_err(placed) {
            Err(error) if self.line.is_some() && is_closed(&error) => Ok(()),
            written => written,
        }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(line) = &mut self.line else { return self.out.write(bytes).map_err(placed) };
        line.extend_from_slice(bytes);
        self.hand_over(bytes.len(), false).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_over(0, true)?;
        self.read_or_not(|out| out.flush())
    }
}

impl<W: Write> Drop for Output<W> {
    /// The rest of a line that nobody has flushed; whether it could be written is not told.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

/// How many bytes there are up to the end of the last whole letter.
fn whole_letters(bytes: &[u8]) -> usize {
    let begun = bytes.iter().rev().take(4).position(|byte| byte & 0xc0 != 0x80);
    begun.map_or(bytes.len(), |back| bytes.len() - 1 - back)
}

fn placed(error: io::Error) -> io::Error {
    match error.kind() {
        // Whoever writes tries again.
        ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, NotWritten(error)),
    }
}

/// Prints a result: as JSON, or as text in which strangers' words command no terminal.
pub fn print(
    json: bool,
    result: &impl Serialize,
    text: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    if json {
        serde_json::to_writer(&mut bytes, result).map_err(io::Error::from)?;
        bytes.push(b'\n');
    } else {
        text(&mut bytes)?;
        bytes = shown_lines(&String::from_utf8_lossy(&bytes)).into();
    }
    let mut out = data();
    match out.write_all(&bytes).and_then(|()| out.flush()) {
        // Who reads no further, as `… | head`, does not change what the exit code says.
        Err(error) if is_closed(&error) => Ok(()),
        written => Ok(written?),
    }
}

/// Says something on standard error, in which strangers' words command no terminal; nobody may be reading it.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", shown_lines(text.trim_end()));
}

/// How the program ends that was given no command: help and version are told, or what is wrong with the words.
pub fn not_parsed(error: &clap::Error) -> ExitCode {
    let told = error.print().and_then(|()| io::stdout().flush());
    match told {
        Err(why) if !error.use_stderr() && why.kind() != ErrorKind::BrokenPipe => {
            Failure::from(placed(why)).report()
        }
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.min(bytes.len()) {
                0 => Err(ErrorKind::StorageFull.into()),
                taken => {
                    self.0 -= taken;
                    Ok(taken)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn of_people(out: impl Write) -> Output<impl Write> {
        Output { out, line: Some(Vec::new()) }
    }

    #[test]
    fn people_get_escapes_whatever_way_a_text_is_cut() {
        let text = "Tîm\u{1b}[2J a\n\u{202e}b\tc\r\nd";
        for cut in 0..text.len() {
            let mut told = Vec::new();
            let mut out = of_people(&mut told);
            let (first, second) = text.as_bytes().split_at(cut);
            out.write_all(first).and_then(|()| out.write_all(second)).and_then(|()| out.flush()).unwrap();
            drop(out);
            assert_eq!(String::from_utf8(told).unwrap(), shown_lines(text), "cut at {cut}");
        }
    }

    #[test]
    fn a_line_without_an_end_is_not_kept() {
        let text = "é\u{1b}".repeat(MOST_LINE_BYTES);
        let mut told = Vec::new();
        let mut out = of_people(&mut told);
        for piece in text.as_bytes().chunks(1001) {
            out.write_all(piece).unwrap();
            assert!(out.line.as_ref().is_some_and(|line| line.len() <= MOST_LINE_BYTES + 1001));
        }
        out.flush().unwrap();
        drop(out);
        assert!(String::from_utf8(told).unwrap() == shown_lines(&text));
    }

    #[test]
    fn what_cannot_be_written_has_its_place() {
        for line in [None, Some(Vec::new())] {
            let mut out = Output { out: Full(4), line };
            let error = out.write_all(b"more than four bytes\n").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::StorageFull);
            let failure = Failure::from(error);
            assert!(
                matches!(&failure, Failure::Resource(why) if why.starts_with("standard output: cannot be written: ")),
                "{failure:?}"
            );
        }
    }

    /// What nobody reads any more.
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(ErrorKind::BrokenPipe.into())
        }
    }

    #[test]
    fn people_who_read_no_further_end_nothing() {
        let mut out = of_people(Closed);
        out.write_all(b"a line\nand").and_then(|()| out.flush()).unwrap();
        let mut out = Output { out: Closed, line: None };
        assert!(is_closed(&out.write_all(b"a line\n").unwrap_err()));
    }

    #[test]
    fn only_an_output_that_nobody_reads_is_a_quiet_end() {
        let closed = || io::Error::from(ErrorKind::BrokenPipe);
        assert!(matches!(Failure::from(placed(closed())), Failure::BrokenPipe));
        assert!(matches!(Failure::from(closed()), Failure::Resource(_)), "a server that went away");
    }
}
