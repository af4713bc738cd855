//! What an instance remembers from step to step, said out loud.
//!
//! The instance itself is immutable: its state is a value that the engine owns, hands in, saves and restores.
//! So a snapshot, a fork and a batch of a thousand worlds need no help from the author. There is no default: a
//! plugin writes `type State = Stateless`, or names a type.
//!
//! - Plain data (`#[repr(C)]`, `bytemuck::Pod`) costs a copy of its bytes. Motion models and sensors want this.
//! - Anything that serde can write goes into [`Encoded`]. It costs an encoding each step; players can afford it.
//!
//! # Invariants
//! The state holds all that the next call depends on. A cache that can be rebuilt from the parameters belongs
//! into the instance.

use serde::{Serialize, de::DeserializeOwned};

/// A value that the engine can keep for an instance as bytes.
pub trait State: Clone + Send + 'static {
    /// Whether there is nothing to keep. The engine then never calls `advance` of a sensor.
    const STATELESS: bool = false;

    /// Appends the value's bytes.
    ///
    /// # Errors
    /// When the value cannot be written; the step's result is dropped and the instance reported.
    fn save(&self, out: &mut Vec<u8>) -> Result<(), StateError>;

    /// Reads what [`State::save`] wrote.
    ///
    /// # Errors
    /// When the bytes are not such a value, for example those of another version of the plugin.
    fn load(bytes: &[u8]) -> Result<Self, StateError>;

    /// What [`State::save`] would write, if the value is plain data: spares a copy.
    #[doc(hidden)]
    fn plain_bytes(&self) -> Option<&[u8]> {
        None
    }
}

/// Bytes are not a value of the expected state, or a value has no bytes.
#[derive(Debug, thiserror::Error)]
#[error("state of {type_name}: {reason}")]
pub struct StateError {
    /// The Rust type that was expected.
    pub type_name: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

impl StateError {
    fn of<T>(reason: impl ToString) -> Self {
        Self { type_name: std::any::type_name::<T>(), reason: reason.to_string() }
    }
}

/// State of an instance that remembers nothing: zero bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stateless;

impl State for Stateless {
    const STATELESS: bool = true;

    fn save(&self, _out: &mut Vec<u8>) -> Result<(), StateError> {
        Ok(())
    }

    fn load(bytes: &[u8]) -> Result<Self, StateError> {
        if bytes.is_empty() { Ok(Self) } else { Err(StateError::of::<Self>("expected no bytes")) }
    }

    fn plain_bytes(&self) -> Option<&[u8]> {
        Some(&[])
    }
}

/// Plain data is its own encoding.
impl<T: bytemuck::Pod + Send> State for T {
    fn save(&self, out: &mut Vec<u8>) -> Result<(), StateError> {
        out.extend_from_slice(bytemuck::bytes_of(self));
        Ok(())
    }

    fn load(bytes: &[u8]) -> Result<Self, StateError> {
        bytemuck::try_pod_read_unaligned(bytes).map_err(StateError::of::<T>)
    }

    fn plain_bytes(&self) -> Option<&[u8]> {
        Some(bytemuck::bytes_of(self))
    }
}

/// A state of any type that serde can write, as postcard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Encoded<T>(pub T);

impl<T: Serialize + DeserializeOwned + Clone + Send + 'static> State for Encoded<T> {
    fn save(&self, out: &mut Vec<u8>) -> Result<(), StateError> {
        let old = std::mem::take(out);
        *out = postcard::to_extend(&self.0, old).map_err(StateError::of::<T>)?;
        Ok(())
    }

    fn load(bytes: &[u8]) -> Result<Self, StateError> {
        let (value, rest) = postcard::take_from_bytes(bytes).map_err(StateError::of::<T>)?;
        if rest.is_empty() { Ok(Self(value)) } else { Err(StateError::of::<T>("bytes left over")) }
    }
}

impl<T> std::ops::Deref for Encoded<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> std::ops::DerefMut for Encoded<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<S: State>(state: &S) -> S {
        let mut bytes = Vec::new();
        state.save(&mut bytes).unwrap();
        S::load(&bytes).unwrap()
    }

    #[test]
    fn states_come_back_as_they_were() {
        assert_eq!(round_trip(&Stateless), Stateless);
        assert_eq!(round_trip(&[1.5f64, -0.0]), [1.5, -0.0]);
        let words = Encoded(vec!["kick".to_owned(), String::new()]);
        assert_eq!(round_trip(&words), words);
    }

    #[test]
    fn foreign_bytes_are_refused() {
        assert!(Stateless::load(&[1]).is_err());
        assert!(<[f64; 2]>::load(&[0; 15]).is_err());
        assert!(Encoded::<u8>::load(&[1, 2]).is_err());
    }
}
