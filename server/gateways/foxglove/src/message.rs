//! What is said on a connection: JSON by `op`, and small binary frames, little-endian.

use serde::Deserialize;
use serde_json::json;
use touchline_record::{ChannelInfo, Header};

/// What a client may say; what else there is in the protocol needs capabilities that this server has not.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
pub enum FromClient {
    Subscribe {
        subscriptions: Vec<Subscription>,
    },
    #[serde(rename_all = "camelCase")]
    Unsubscribe {
        subscription_ids: Vec<u32>,
    },
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Chosen by the client: names what it is sent.
    pub id: u32,
    pub channel_id: u32,
}

/// How bad a status message is.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    Warning = 1,
    Error = 2,
}

/// The first message. Time is the world's own, so the tools do not measure it by their clocks.
pub fn server_info(header: &Header, session: &str) -> String {
    let name = format!("touchline {}: {}", header.server, header.scenario.name);
    let metadata = json!({ "world": header.scenario.name, "seed": header.scenario.seed.to_string() });
    json!({
        "op": "serverInfo", "name": name, "capabilities": ["time"], "metadata": metadata, "sessionId": session,
    })
    .to_string()
}

/// New channels, each with its number.
pub fn advertise<'a>(channels: impl Iterator<Item = (u32, &'a ChannelInfo)>) -> String {
    let channel = |(id, channel): (u32, &ChannelInfo)| {
        json!({
            "id": id, "topic": channel.topic, "encoding": channel.encoding, "schemaName": channel.schema_name,
            "schema": channel.schema.as_deref().unwrap_or_default(), "schemaEncoding": "jsonschema",
        })
    };
    json!({ "op": "advertise", "channels": channels.map(channel).collect::<Vec<_>>() }).to_string()
}

/// Something for people. Of the same `id` only the last one is shown.
pub fn status(level: Level, id: &str, message: &str) -> String {
    json!({ "op": "status", "level": level as u8, "id": id, "message": message }).to_string()
}

/// A message of a subscribed channel.
pub fn data(subscription: u32, stamp: u64, bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(13 + bytes.len());
    frame.push(1);
    frame.extend_from_slice(&subscription.to_le_bytes());
    frame.extend_from_slice(&stamp.to_le_bytes());
    frame.extend_from_slice(bytes);
    frame
}

/// What time it is in the world, nanoseconds.
pub fn time(stamp: u64) -> Vec<u8> {
    let mut frame = vec![2];
    frame.extend_from_slice(&stamp.to_le_bytes());
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clients_say_is_read() {
        let read = |text| serde_json::from_str::<FromClient>(text).ok();
        assert_eq!(
            read(r#"{"op":"subscribe","subscriptions":[{"id":7,"channelId":3}]}"#),
            Some(FromClient::Subscribe { subscriptions: vec![Subscription { id: 7, channel_id: 3 }] })
        );
        assert_eq!(
            read(r#"{"op":"unsubscribe","subscriptionIds":[7]}"#),
            Some(FromClient::Unsubscribe { subscription_ids: vec![7] })
        );
        assert_eq!(read(r#"{"op":"getParameters","parameterNames":[]}"#), Some(FromClient::Other));
        for wrong in
            [r#"{"op":"subscribe"}"#, r#"{"op":"unsubscribe","subscriptionIds":[-1]}"#, "[]", "x", ""]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn binary_frames_are_little_endian() {
        assert_eq!(data(0x0102, 3, b"{}"), [1, 2, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, b'{', b'}']);
        assert_eq!(time(256), [2, 0, 1, 0, 0, 0, 0, 0, 0]);
    }
}
