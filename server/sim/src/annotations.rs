//! Values that are published of a robot or of the world, JSON by key.

use crate::brief;
use crate::command::CommandError;
use crate::scenario::is_of_one_line;
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_plugin_api::plugin::Fault;

/// Values that can be published about one robot, or about the world.
pub const MAX_ANNOTATIONS: usize = 256;

/// Bytes of all keys and values that can be published about one robot: they are part of every step's digest.
pub const MAX_ANNOTATION_BYTES: usize = 8192;
/// The same about the world, which its referee alone does.
const MAX_WORLD_ANNOTATION_BYTES: usize = 65_536;

/// What is published of one robot or of the world, JSON by key.
pub type Annotations = BTreeMap<String, String>;

impl World {
    /// Publishes a value about a robot, in place of the last one under this key.
    pub(crate) fn annotate(&mut self, index: usize, key: &str, value: &str) -> Result<(), CommandError> {
        publish(&mut self.state.robots[index].annotations, key, value, MAX_ANNOTATION_BYTES)
    }

    /// The same about the world.
    pub(crate) fn annotate_world(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        let published = publish(&mut self.state.annotations, key, value, MAX_WORLD_ANNOTATION_BYTES);
        published.map_err(|error| Fault::BadOutput(error.to_string()))
    }
}

/// Puts a value in place of the last one under its key.
fn publish(
    annotations: &mut Arc<Annotations>,
    key: &str,
    value: &str,
    most_bytes: usize,
) -> Result<(), CommandError> {
    if !is_of_one_line(key) {
        return Err(CommandError::BadKey(brief::word(key).into()));
    }
    let problem = |error: serde_json::Error| CommandError::NotJson(error.to_string());
    serde_json::from_str::<serde::de::IgnoredAny>(value).map_err(problem)?;
    if annotations.len() >= MAX_ANNOTATIONS && !annotations.contains_key(key) {
        return Err(CommandError::TooManyAnnotations);
    }
    let others = annotations.iter().filter(|(other, _)| *other != key);
    let bytes: usize = others.map(|(key, value)| key.len() + value.len()).sum();
    if bytes + key.len() + value.len() > most_bytes {
        return Err(CommandError::TooLongAnnotations(most_bytes));
    }
    Arc::make_mut(annotations).insert(key.into(), value.into());
    Ok(())
}
