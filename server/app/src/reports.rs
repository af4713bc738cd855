//! Where reports go: to stderr, each on a line of its own, whatever others' words are in it.

use std::io::{Stderr, Write, stderr};
use touchline_config::is_command;

/// Writes one report: what it is given at once is one.
pub struct Report(Stderr);

/// For the next report.
pub fn report() -> Report {
    Report(stderr())
}

impl Write for Report {
    fn write(&mut self, report: &[u8]) -> std::io::Result<usize> {
        self.0.write_all(one_line(&String::from_utf8_lossy(report)).as_bytes())?;
        Ok(report.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// With escapes for what would begin another line or turn this one round, but for its end. Colours are the subscriber's, which writes
/// others' escape characters as escapes itself.
fn one_line(report: &str) -> String {
    let line = report.strip_suffix('\n').unwrap_or(report);
    let mut shown = String::with_capacity(report.len());
    for letter in line.chars() {
        match letter {
            '\u{1b}' => shown.push(letter),
            _ if is_command(letter) => shown.extend(letter.escape_default()),
            _ => shown.push(letter),
        }
    }
    shown.push('\n');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I6: nobody's words are a second report, or take the first one's place.
    #[test]
    fn a_report_is_one_line() {
        let forged = "WARN liba\r INFO all is well\u{202e}\n INFO mine\n";
        assert_eq!(one_line(forged), "WARN liba\\r INFO all is well\\u{202e}\\n INFO mine\n");
        assert_eq!(one_line("\u{1b}[33m WARN\u{1b}[0m short"), "\u{1b}[33m WARN\u{1b}[0m short\n");
    }
}
