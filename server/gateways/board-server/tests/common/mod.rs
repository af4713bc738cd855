//! What the tests of sessions share.

use touchline_board_server::{Limits, SessionConfig};

pub const NOW_US: u64 = 88_000_000;

pub fn config(loopback: bool) -> SessionConfig {
    SessionConfig {
        server_version: "0.1.0".into(),
        peer_is_loopback: loopback,
        operator_token: Some("sesame".into()),
        limits: Limits::default(),
    }
}
