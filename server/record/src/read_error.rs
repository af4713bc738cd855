//! Why a file is not read as a log.

use crate::channels::{FORMAT, HEADER};
use crate::frames::{Damage, Stop};
use crate::unpack::TooLarge;

/// A file that is no log.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be read at all.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// The first bytes are not those of an MCAP file.
    #[error("this is no MCAP file: it begins with other bytes")]
    NotMcap,
    /// It is not what was written: a checksum is wrong, or a record makes no sense.
    #[error(
        "the file is damaged {0}\n  hint     `touchline log recover` makes a file of what is whole, on both sides of the damage"
    )]
    Damaged(Damage),
    /// It unpacks to more than any recording does.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The search for what is whole takes more than in any damaged recording.
    #[error(
        "up to byte {at_byte} there is so much that looks like a chunk and is none that the search for whole ones was given up; no \
         recording is damaged like that"
    )]
    Endless {
        /// So far the search came.
        at_byte: u64,
    },
    /// It ends too early, and the whole of it is needed.
    #[error(
        "the file was cut off after {at_byte} bytes: {problem}\n  hint     `touchline log recover` makes a file of what is whole"
    )]
    CutOff {
        /// Bytes up to the last whole record.
        at_byte: u64,
        /// Reason, in words.
        problem: &'static str,
    },
    /// It was written by another program.
    #[error("this MCAP file was not written by touchline: it has no attachment \"{HEADER}\"; its topics are: {}", if .topics.is_empty() { "none" } else { .topics })]
    Foreign {
        /// Its topics, with commas between them.
        topics: String,
    },
    /// It ends before its head is complete.
    #[error(
        "the file ends after {at_byte} bytes, before its head is complete: there is nothing to recover ({problem})"
    )]
    NoHead {
        /// Bytes that could be read.
        at_byte: u64,
        /// Reason, in words.
        problem: &'static str,
    },
    /// It was written by a later version.
    #[error("this log has format {got}, and this touchline ({}) reads up to {FORMAT}; it was written by touchline {server}: use that version or a later one", env!("CARGO_PKG_VERSION"))]
    Later {
        /// Format number stored in the log.
        got: u64,
        /// Version of the server that wrote it.
        server: String,
    },
    /// It was written by an earlier version.
    #[error("this log has format {got}, of an earlier touchline, and this one ({}) reads {FORMAT}; it was written by touchline {server}: use that version", env!("CARGO_PKG_VERSION"))]
    Earlier {
        /// Format number stored in the log.
        got: u64,
        /// Version of the server that wrote it.
        server: String,
    },
    /// Its head makes no sense.
    #[error("the log's head (attachment \"{HEADER}\") makes no sense: {0}")]
    BadHead(serde_json::Error),
    /// Something in its head is called as nothing can be called.
    #[error("the log's head (attachment \"{HEADER}\") has a name that no world has: {0}")]
    BadName(String),
    /// A message makes no sense, though its checksum is right.
    #[error("message {sequence} of {topic} makes no sense: {problem}")]
    BadMessage {
        /// Topic of the message.
        topic: String,
        /// Its number among those of the topic.
        sequence: u32,
        /// What is wrong with it.
        problem: String,
    },
}

impl ReadError {
    /// A message on a channel that the file did not open.
    pub(crate) fn unknown_channel(number: u16) -> Self {
        Self::BadMessage {
            topic: format!("channel {number}"),
            sequence: 0,
            problem: "the file does not say what channel that is".into(),
        }
    }
}

impl From<Stop> for ReadError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::File(error) => Self::File(error),
            Stop::NotMcap => Self::NotMcap,
            Stop::Unclosed { at_byte, problem } => Self::CutOff { at_byte, problem },
            Stop::Damaged(damage) => Self::Damaged(damage),
            Stop::TooLarge(too_large) => Self::TooLarge(too_large),
            Stop::Endless { at_byte } => Self::Endless { at_byte },
        }
    }
}
