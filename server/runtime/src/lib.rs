//! The world that is served: the loop that owns it, and its recorder.
//!
//! One thread owns the World ([`world_loop`]). Everybody else reaches it through the gate (`server/gate`): gateways read what it
//! publishes and hand it requests. The recorder ([`recorder`]) keeps what was.
//!
//! # Not here
//! The command line that puts all together: `server/app`. Sockets and protocols: `server/gateways`; the format of recordings:
//! `server/record`.

#![forbid(unsafe_code)]

mod past;
pub mod recorder;
pub mod world_loop;
