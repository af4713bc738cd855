//! Ground truth.
