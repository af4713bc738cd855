//! Laser range finder, raw distances.
