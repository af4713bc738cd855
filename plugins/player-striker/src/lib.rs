//! An attacker.
