//! The interface, tested from outside.

mod c;
