//! The JSON messages of one topic, of any MCAP file.

use crate::frames::Records;
use crate::read_error::ReadError;
use mcap::records::Record;
use std::collections::HashMap;
use std::io::Read;

/// A channel of any MCAP file.
struct Counted {
    topic: String,
    is_json: bool,
    messages: u64,
}

/// Shows every JSON message of a topic, with its stamp in nanoseconds, of any MCAP file; gives the topics that there are.
///
/// What was shown is what was written only if there is no error: some checksums stand at the end.
///
/// # Errors
/// When it is no MCAP file, or not a whole one.
pub(crate) fn json_messages(
    source: impl Read,
    topic: &str,
    mut see: impl FnMut(u64, serde_json::Value),
) -> Result<Vec<(String, u64)>, ReadError> {
    let mut records = Records::new(source);
    let mut channels: HashMap<u16, Counted> = HashMap::new();
    let mut take = |record: Record<'_>| -> Result<(), ReadError> {
        match record {
            Record::Channel(channel) => {
                let is_json = channel.message_encoding == "json";
                channels.entry(channel.id).or_insert(Counted { topic: channel.topic, is_json, messages: 0 });
            }
            Record::Message { header, data } => {
                let number = header.channel_id;
                let counted = channels.get_mut(&number).ok_or_else(|| ReadError::unknown_channel(number))?;
                counted.messages += 1;
                if counted.topic == topic && counted.is_json {
                    let value = serde_json::from_slice(&data).map_err(|error| ReadError::BadMessage {
                        topic: topic.into(),
                        sequence: header.sequence,
                        problem: error.to_string(),
                    })?;
                    see(header.log_time, value);
                }
            }
            _ => {}
        }
        Ok(())
    };
    loop {
        match records.next(&mut take) {
            Ok(Some(taken)) => taken?,
            Ok(None) => break,
            Err(stop) => return Err(stop.into()),
        }
    }
    let mut topics: Vec<(String, u64)> =
        channels.into_values().map(|counted| (counted.topic, counted.messages)).collect();
    topics.sort();
    Ok(topics)
}
