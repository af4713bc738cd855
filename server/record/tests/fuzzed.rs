//! Any bytes as a recording, and any bytes as one message of a recording whose checksums are right: an error, or a result. (W7, I6)
//!
//! What the fuzz targets `recording` and `message` ask, and what is asked here of their corpora.

use crate::common::{TestFactory, busy_scenario, equipped_robot};
use mcap::read::LinearReader;
use mcap::records::Record;
use mcap::{Attachment, MessageStream, WriteOptions};
use std::io::Cursor;
use std::sync::{Arc, OnceLock};
use touchline_record::{
    Capture, CaptureOptions, Entry, HEADER, Header, Log, LogWriter, Rerun, copy, export, recover, series,
};
use touchline_sim::{Action, Command, World};

const TOPICS: [&str; 2] = ["/touchline/state", "/events"];
/// No more steps are run again: a file may say that there were more than anybody waits for.
const MOST_TICKS: u64 = 200;

/// All that the program does with a file.
pub fn recording(bytes: &[u8]) {
    let read = Log::read_whole(bytes);
    if let Ok(log) = &read {
        let _ = export::poses_csv(log, std::io::sink());
        let _ = log.without_digest();
        let _ = (log.game_at(3), log.sample_at(3));
    }
    let _ = series::of_topic(bytes, TOPICS[0]);
    let _ = series::of_csv(bytes);
    for topic in TOPICS {
        let mut table = Vec::new();
        let made = export::topic_csv(bytes, topic, &mut table);
        assert!(made.is_ok() || table.is_empty(), "a table was begun that has no end");
    }
    // Of a file that can be read, whatever is made can be read. What is wrong in a message is wrong in a copy as well.
    let part = copy(bytes, 2..=7, Cursor::new(Vec::new())).ok();
    let recovered = recover(Cursor::new(bytes), Cursor::new(Vec::new())).ok();
    for made in part.into_iter().chain(recovered.map(|(made, _)| made)) {
        if let (Ok(_), Err(error)) = (&read, Log::read_whole(&made.into_inner()[..])) {
            panic!("what was made of a sound file cannot be read: {error}");
        }
    }
}

/// The first byte says which message of a sound recording is exchanged for the rest, or whether its head is.
pub fn message(bytes: &[u8]) {
    let Some((&which, new)) = bytes.split_first() else { return };
    let file = with_message(usize::from(which), new);
    recording(&file);
    let Ok(log) = Log::read_whole(&file[..]) else { return };
    if log.newest <= MOST_TICKS
        && let Ok(world) = World::new(log.header.scenario.clone(), Arc::new(TestFactory))
    {
        Rerun::new(world, 50).compare(&log, |_| {});
    }
}

/// A sound recording of ten steps in which a robot comes, speaks, and is driven.
pub fn sound() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let mut world = World::new(busy_scenario(), Arc::new(TestFactory)).unwrap();
        let header = Header::new(world.scenario().clone(), &[], String::new());
        let mut writer = LogWriter::new(Cursor::new(Vec::new()), header, vec![]).unwrap();
        let options = CaptureOptions { key_period_secs: None, with_frames: false, is_lossless: true };
        let mut capture = Capture::new(&world, options);
        let mut put = |entry: Entry| {
            if let Entry::Item(item) = entry {
                writer.write(&item).unwrap();
            }
        };
        capture.begin(&world, &mut put);
        for sequence in 0..10 {
            let action = match sequence {
                2 => Action::AddRobot {
                    name: "guest".into(),
                    team: None,
                    spec: Arc::new(equipped_robot()),
                    pose: None,
                    player: None,
                },
                4 => Action::Say(0, "hi".into()),
                6 => Action::Annotate { robot: 0, key: "k".into(), value: "[1,2]".into() },
                _ => Action::SetForward(0, 0.3),
            };
            let commands = [Command { client: 1, sequence, action }];
            let outcomes = world.step(&commands);
            capture.stepped(&commands, &outcomes, &world, &mut put);
        }
        capture.hand_over(&mut put);
        writer.finish().unwrap().into_inner()
    })
}

/// One message of a recording.
struct Part {
    topic: String,
    encoding: String,
    bytes: Vec<u8>,
}

/// The head of the sound recording, and its messages.
fn parts() -> &'static (Vec<u8>, Vec<Part>) {
    static PARTS: OnceLock<(Vec<u8>, Vec<Part>)> = OnceLock::new();
    PARTS.get_or_init(|| {
        let head = LinearReader::new(sound()).unwrap().find_map(|record| match record.unwrap() {
            Record::Attachment { header, data, .. } if header.name == HEADER => Some(data.into_owned()),
            _ => None,
        });
        let messages = MessageStream::new(sound()).unwrap().map(|message| {
            let message = message.unwrap();
            let channel = &message.channel;
            let (topic, encoding) = (channel.topic.clone(), channel.message_encoding.clone());
            Part { topic, encoding, bytes: message.data.into_owned() }
        });
        (head.unwrap(), messages.collect())
    })
}

/// The sound recording with another message in the place of one, or with another head.
fn with_message(which: usize, new: &[u8]) -> Vec<u8> {
    let (head, messages) = parts();
    let which = which % (messages.len() + 1);
    let head = if which == messages.len() { new } else { head };
    let options = WriteOptions::new()
        .profile("touchline")
        .compression(None)
        .disable_seeking(true)
        .calculate_data_section_crc(true);
    let mut out = options.create(Cursor::new(Vec::new())).unwrap();
    let attach = || Attachment {
        log_time: 0,
        create_time: 0,
        name: HEADER.into(),
        media_type: "application/json".into(),
        data: head.into(),
    };
    out.attach(&attach()).unwrap();
    for (number, Part { topic, encoding, bytes }) in messages.iter().enumerate() {
        let bytes = if number == which { new } else { bytes };
        let channel = out.add_channel(0, topic, encoding, &Default::default()).unwrap();
        let header = mcap::records::MessageHeader {
            channel_id: channel,
            sequence: number as u32,
            log_time: number as u64,
            publish_time: number as u64,
        };
        out.write_to_known_channel(&header, bytes).unwrap();
    }
    out.attach(&attach()).unwrap();
    out.finish().unwrap();
    out.into_inner().into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    /// Without this the target `message` would show nothing.
    #[test]
    fn a_recording_that_was_put_together_anew_is_sound() {
        let (_, messages) = parts();
        for (number, Part { bytes, .. }) in messages.iter().enumerate() {
            let log = Log::read_whole(&with_message(number, bytes)[..]).unwrap();
            let world = World::new(log.header.scenario.clone(), Arc::new(TestFactory)).unwrap();
            assert_eq!((log.newest, Rerun::new(world, 50).compare(&log, |_| {})), (10, None));
        }
    }

    #[test]
    fn a_thousand_mutants_do_no_harm() {
        replay("recording", vec![sound().to_vec()], recording);
    }

    #[test]
    fn a_thousand_mutants_of_messages_do_no_harm() {
        let (head, messages) = parts();
        let heads = [[&[messages.len() as u8][..], head].concat()];
        let made = messages
            .iter()
            .enumerate()
            .map(|(number, Part { bytes, .. })| [&[number as u8], &bytes[..]].concat());
        assert!(messages.len() < 255);
        replay("message", made.chain(heads).collect(), message);
    }
}
