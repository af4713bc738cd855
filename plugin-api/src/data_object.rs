//! Data objects: a sensor's content as a value, turned into integers and back. (P4)
//!
//! Server, players and clients use the same object, so an algorithm sees the same features, quantised in the
//! same way, on both sides. The shipped sensors' are in `touchline-kit`.

use crate::layout::Feature;

/// A feature's content as a value.
///
/// Decoding follows the feature's own names and scales, so that fields which other sensors add do no harm.
pub trait DataObject: Sized {
    /// Writes the content into the feature's integers.
    ///
    /// # Errors
    /// When the feature has not this object's format, or `quantised` not its length.
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError>;

    /// Reads what [`DataObject::encode`] wrote.
    ///
    /// # Errors
    /// When the feature has not this object's format, or `quantised` not its length.
    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError>;
}

/// A feature's integers are not this data object's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DataError {
    /// The feature has no field of that name.
    #[error("feature \"{feature}\" has no field \"{field}\"")]
    MissingField {
        /// Name of the feature.
        feature: String,
        /// The field that the object needs.
        field: String,
    },
    /// The array or the object has the wrong length.
    #[error("feature \"{feature}\": got {got} integers, expected {expected}")]
    WrongLength {
        /// Name of the feature.
        feature: String,
        /// Number of integers that came.
        got: usize,
        /// Number of integers that the format has.
        expected: usize,
    },
}
