//! Three-wheel holonomic drive.
