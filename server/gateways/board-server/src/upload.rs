//! A robot file that comes in line by line. (C2)

use crate::commands::Command;
use crate::session::{Incoming, Session};
use touchline_board::{Reply, Scanner};

/// A robot file has no more lines than it may have bytes.
pub(crate) const MAX_LINES: u64 = 65_536;

/// How a robot file in lines ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UploadEnd {
    /// After this number of lines.
    Lines(u64),
    /// With a line that is a single dot.
    Dot,
}

#[derive(Debug)]
pub(crate) struct Upload {
    pub tag: Option<String>,
    pub command: &'static Command,
    /// The command's line, or the answer that was ready before the file came.
    pub line: Result<String, Reply>,
    pub text: String,
    pub end: UploadEnd,
}

/// How many lines follow a line that is refused.
pub(crate) fn upload_lines(line: &str) -> Option<u64> {
    let mut scanner = Scanner::new(line);
    while let Some(word) = scanner.next_raw() {
        if let Some(lines) = word.strip_prefix("lines=") {
            // So many are not coming, and nobody wants to pass over them.
            return lines.parse().ok().filter(|lines| *lines <= MAX_LINES);
        }
    }
    None
}

impl Session {
    pub(crate) fn begin_upload(&mut self, upload: Upload) -> Option<Incoming> {
        match upload.end {
            UploadEnd::Lines(0) => self.end_upload(upload),
            UploadEnd::Lines(_) | UploadEnd::Dot => {
                self.upload = Some(upload);
                None
            }
        }
    }

    pub(crate) fn upload_line(
        &mut self,
        mut upload: Upload,
        line: Result<String, Reply>,
    ) -> Option<Incoming> {
        if upload.end == UploadEnd::Dot && line.as_deref().is_ok_and(|line| line == ".") {
            return self.end_upload(upload);
        }
        match line {
            Err(reply) => upload.line = upload.line.and(Err(reply)),
            Ok(line) if upload.line.is_ok() => {
                let limit = self.config.limits.robot_bytes;
                if upload.text.len() + line.len() < limit {
                    upload.text.push_str(&line);
                    upload.text.push('\n');
                } else {
                    let message = format!("a robot file has at most {limit} bytes");
                    upload.line = Err(Reply::error("board/file-too-long", message).with("limit", limit));
                    upload.text = String::new();
                }
            }
            Ok(_) => {}
        }
        match &mut upload.end {
            UploadEnd::Lines(1) => return self.end_upload(upload),
            UploadEnd::Lines(lines) => *lines -= 1,
            UploadEnd::Dot => {}
        }
        self.upload = Some(upload);
        None
    }

    fn end_upload(&mut self, upload: Upload) -> Option<Incoming> {
        match upload.line {
            Ok(line) => Some(self.admit(upload.tag, upload.command, line, Some(upload.text))),
            Err(reply) => {
                self.refuse_line(upload.tag, reply);
                None
            }
        }
    }
}
