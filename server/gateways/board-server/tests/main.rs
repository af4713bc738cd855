//! The board's service, tested from outside.
