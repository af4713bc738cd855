//! Differential drive with limited acceleration.
