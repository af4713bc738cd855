//! A robot file that comes in line by line. (C2)

use super::{Incoming, Session};
use crate::parse::UploadEnd;
use crate::reply::Reply;
use crate::request::{AddRobot, Request, RobotSource};

#[derive(Debug)]
pub(super) struct Upload {
    pub(super) tag: Option<String>,
    /// What becomes of the text: a robot, or the answer that was ready before it came.
    pub(super) robot: Result<AddRobot, Reply>,
    pub(super) text: String,
    pub(super) end: UploadEnd,
}

impl Session {
    pub(super) fn begin_upload(&mut self, upload: Upload) -> Option<Incoming> {
        match upload.end {
            UploadEnd::Lines(0) => self.end_upload(upload),
            _ => {
                self.upload = Some(upload);
                None
            }
        }
    }

    pub(super) fn upload_line(
        &mut self,
        mut upload: Upload,
        line: Result<String, Reply>,
    ) -> Option<Incoming> {
        if upload.end == UploadEnd::Dot && line.as_deref().is_ok_and(|line| line == ".") {
            return self.end_upload(upload);
        }
        match line {
            Err(reply) => upload.robot = upload.robot.and(Err(reply)),
            Ok(line) if upload.robot.is_ok() => {
                let limit = self.config.limits.robot_bytes;
                if upload.text.len() + line.len() < limit {
                    upload.text.push_str(&line);
                    upload.text.push('\n');
                } else {
                    let message = format!("a robot file has at most {limit} bytes");
                    upload.robot = Err(Reply::error("board/file-too-long", message).with("limit", limit));
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

    pub(super) fn end_upload(&mut self, upload: Upload) -> Option<Incoming> {
        match upload.robot {
            Ok(robot) => {
                let source = RobotSource::Text(upload.text);
                Some(self.admit(upload.tag, Request::AddRobot(AddRobot { source, ..robot })))
            }
            Err(reply) => {
                self.refuse_line(upload.tag, reply);
                None
            }
        }
    }
}
