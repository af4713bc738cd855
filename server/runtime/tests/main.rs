//! Parts of the program that need no running server.

#[allow(dead_code, reason = "shared with the studio's tests")]
#[path = "../../studio/tests/frames/mod.rs"]
mod frames;

mod foxglove;
