//! The log's channels and schemas: a contract. Their meaning is in docs/log.md.

use serde_json::{Value, json};

/// The log format that this program writes, and the highest that it reads.
pub const FORMAT: u32 = 5;
/// Names the attachment that a log begins with.
pub const HEADER: &str = "touchline.json";
/// The profile in the file's first record.
pub const PROFILE: &str = "touchline";

/// A channel that every log has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// [`crate::TimedInput`] as JSON.
    Inputs,
    /// [`crate::poses`].
    Poses,
    /// Robots, score and clock, at a lower rate than the poses.
    State,
    /// Ranges of ticks that could not be recorded.
    Gaps,
    /// What robots publish about themselves.
    Annotations,
    /// What was said on the radio.
    Radio,
    /// Goals, contacts, faults: `foxglove.Log`.
    Events,
    /// Where everything is: `foxglove.FrameTransforms`.
    Transforms,
    /// What everything looks like: `foxglove.SceneUpdate`.
    Scene,
}

impl Channel {
    /// All channels, in the order of the enumeration.
    pub const ALL: [Self; 9] = [
        Self::Inputs,
        Self::Poses,
        Self::State,
        Self::Gaps,
        Self::Annotations,
        Self::Radio,
        Self::Events,
        Self::Transforms,
        Self::Scene,
    ];

    /// Topic name in the MCAP file.
    pub const fn topic(self) -> &'static str {
        match self {
            Self::Inputs => "/touchline/inputs",
            Self::Poses => "/touchline/poses",
            Self::State => "/touchline/state",
            Self::Gaps => "/touchline/gaps",
            Self::Annotations => "/touchline/annotations",
            Self::Radio => "/touchline/radio",
            Self::Events => "/events",
            Self::Transforms => "/tf",
            Self::Scene => "/scene",
        }
    }

    /// The channel of a topic.
    pub fn of(topic: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.topic() == topic)
    }

    /// How its messages are encoded.
    pub const fn encoding(self) -> &'static str {
        match self {
            Self::Poses => "touchline.poses",
            _ => "json",
        }
    }

    /// The name of its messages' schema.
    pub const fn schema_name(self) -> &'static str {
        match self {
            Self::Inputs => "touchline.Input",
            Self::Poses => "touchline.Poses",
            Self::State => "touchline.State",
            Self::Gaps => "touchline.Gap",
            Self::Annotations => "touchline.Annotations",
            Self::Radio => "touchline.Message",
            Self::Events => "foxglove.Log",
            Self::Transforms => "foxglove.FrameTransforms",
            Self::Scene => "foxglove.SceneUpdate",
        }
    }

    /// The schema of its messages; `None` for those that are no JSON.
    pub fn schema(self) -> Option<Value> {
        let properties = match self {
            Self::Poses => return None,
            Self::Inputs => json!({ "tick": integer(), "input": {} }),
            Self::State => json!({
                "tick": integer(), "step": integer(), "run": integer(), "clock_secs": number(),
                "phase": string(), "episode": integer(), "score": array(integer()), "values": { "type": "object" },
                "robots": array(object(json!({
                    "number": integer(), "name": string(), "model": string(), "team": integer(), "player": string(),
                    "fault": string(), "command": array(number()), "twist": array(number()),
                    "manipulators": array(integer()),
                }))),
            }),
            Self::Gaps => json!({ "from": integer(), "to": integer(), "inputs_lost": { "type": "boolean" } }),
            Self::Annotations => {
                json!({ "tick": integer(), "robot": string(), "values": { "type": "object" } })
            }
            Self::Radio => json!({
                "tick": integer(), "number": integer(), "from": string(), "channel": string(),
                "heard_by": array(integer()), "bearings_rad": array(number()), "text": string(),
            }),
            Self::Events => json!({
                "timestamp": time(), "level": integer(), "message": string(), "name": string(), "file": string(),
                "line": integer(), "tick": integer(), "kind": string(),
            }),
            Self::Transforms => json!({ "transforms": array(transform()) }),
            Self::Scene => scene(),
        };
        Some(titled(self.schema_name(), properties))
    }
}

/// The schema of one sensor's readings, by the name that tools know.
pub fn sensor_schema(name: &'static str) -> Value {
    let properties = match name {
        "foxglove.LaserScan" => json!({
            "timestamp": time(), "frame_id": string(), "pose": pose(), "start_angle": number(), "end_angle": number(),
            "ranges": array(number()), "intensities": array(number()), "values": { "type": "object" },
        }),
        "foxglove.CompressedImage" => json!({
            "timestamp": time(), "frame_id": string(), "format": string(),
            "data": { "type": "string", "contentEncoding": "base64" }, "values": { "type": "object" },
        }),
        "foxglove.PoseInFrame" => json!({
            "timestamp": time(), "frame_id": string(), "pose": pose(), "values": { "type": "object" },
        }),
        _ => json!({ "timestamp": time(), "frame_id": string(), "values": { "type": "object" } }),
    };
    titled(name, properties)
}

fn titled(name: &str, properties: Value) -> Value {
    json!({ "title": name, "type": "object", "properties": properties })
}

fn integer() -> Value {
    json!({ "type": "integer" })
}

fn number() -> Value {
    json!({ "type": "number" })
}

fn string() -> Value {
    json!({ "type": "string" })
}

fn array(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

fn time() -> Value {
    object(json!({ "sec": integer(), "nsec": integer() }))
}

fn vector() -> Value {
    object(json!({ "x": number(), "y": number(), "z": number() }))
}

fn quaternion() -> Value {
    object(json!({ "x": number(), "y": number(), "z": number(), "w": number() }))
}

fn pose() -> Value {
    object(json!({ "position": vector(), "orientation": quaternion() }))
}

fn transform() -> Value {
    object(json!({
        "timestamp": time(), "parent_frame_id": string(), "child_frame_id": string(), "translation": vector(),
        "rotation": quaternion(),
    }))
}

fn colour() -> Value {
    object(json!({ "r": number(), "g": number(), "b": number(), "a": number() }))
}

fn scene() -> Value {
    let solid = |more: Value| {
        let mut properties = json!({ "pose": pose(), "size": vector(), "color": colour() });
        if let (Some(all), Some(more)) = (properties.as_object_mut(), more.as_object()) {
            all.extend(more.clone());
        }
        array(object(properties))
    };
    json!({
        "deletions": array(object(json!({ "timestamp": time(), "type": integer(), "id": string() }))),
        "entities": array(object(json!({
            "timestamp": time(), "frame_id": string(), "id": string(), "lifetime": time(),
            "frame_locked": { "type": "boolean" },
            "metadata": array(object(json!({ "key": string(), "value": string() }))),
            "arrows": array(object(json!({}))),
            "cubes": solid(json!({})),
            "spheres": solid(json!({})),
            "cylinders": solid(json!({ "bottom_scale": number(), "top_scale": number() })),
            "lines": array(object(json!({}))),
            "triangles": array(object(json!({ "pose": pose(), "points": array(vector()), "color": colour() }))),
            "texts": array(object(json!({
                "pose": pose(), "billboard": { "type": "boolean" }, "font_size": number(),
                "scale_invariant": { "type": "boolean" }, "color": colour(), "text": string(),
            }))),
            "models": array(object(json!({}))),
        }))),
    })
}
