//! What robots and referees publish is in the log.

use crate::played::{header, new_world};
use mcap::MessageStream;
use serde_json::{Value, json};
use std::io::Cursor;
use std::sync::Arc;
use touchline_record::{Channel, Item, LogWriter, StateItem};

/// Once for each change; what is the world's comes without a robot's name.
#[test]
fn what_the_referee_publishes_of_the_world_is_in_the_log() {
    let mut frame = new_world().frame();
    let publish = |value: &str| Arc::new([("zone".to_owned(), value.to_owned())].into());
    let mut writer = LogWriter::new(Cursor::new(Vec::new()), header(), vec![]).unwrap();
    let zone = publish("{\"point\":[1,2]}");
    for (tick, of_world) in [(0, Arc::default()), (10, Arc::clone(&zone)), (20, zone), (30, publish("3"))] {
        frame.annotations = of_world;
        frame.robots[0].annotations = if tick < 20 { Arc::default() } else { publish("true") };
        writer.write(&Item::State(Box::new(StateItem::of_frame(tick, &frame)))).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    let mut told: Vec<Value> = Vec::new();
    for message in MessageStream::new(&bytes).unwrap().map(Result::unwrap) {
        if message.channel.topic == Channel::Annotations.topic() {
            told.push(serde_json::from_slice(&message.data).unwrap());
        }
    }
    // A robot's twice: each Frame of this test has a list of its own.
    told.dedup_by_key(|message| message["values"].clone());
    let robot = &frame.robots[0].identity.name;
    assert_eq!(
        told,
        [
            json!({ "tick": 10, "values": { "zone": { "point": [1, 2] } } }),
            json!({ "tick": 20, "robot": robot, "values": { "zone": true } }),
            json!({ "tick": 30, "values": { "zone": 3 } }),
            json!({ "tick": 30, "robot": robot, "values": { "zone": true } }),
        ]
    );
}
