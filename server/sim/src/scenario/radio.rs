//! How robots hear each other. [mechanism 5]

use super::is_default;
use serde::{Deserialize, Serialize};

/// How robots hear each other. [mechanism 5]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Radio {
    /// Who is farther away hears nothing, metres; may be infinite.
    #[serde(with = "null_is_infinite")]
    pub range_m: f64,
    /// The probability with which a message is not heard by one receiver.
    pub loss: f64,
    /// The longest message, bytes.
    pub max_bytes: u32,
    /// How many messages the channel of all carries in one step; what is more is lost. `None` carries all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub all_capacity: Option<u32>,
    /// How many messages each team's channel carries in one step; what is more is lost. `None` carries all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub team_capacity: Option<u32>,
    /// Whether who hears a message is told the direction to its sender.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bearing: bool,
}

impl Default for Radio {
    fn default() -> Self {
        Self {
            range_m: f64::INFINITY,
            loss: 0.0,
            max_bytes: 256,
            all_capacity: None,
            team_capacity: None,
            bearing: false,
        }
    }
}

/// JSON has no word for infinity: it is written as `null`.
mod null_is_infinite {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        number.is_finite().then_some(*number).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}
