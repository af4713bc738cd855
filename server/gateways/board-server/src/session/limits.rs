//! What a session is told when its connection begins.

use crate::door::Door;
use std::net::IpAddr;
use touchline_sim::scenario;

/// What a connection may make the server keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What the world file says.
    pub table: scenario::Limits,
    /// The longest line, bytes.
    pub line_bytes: usize,
    /// The longest robot file, bytes.
    pub robot_bytes: usize,
    /// After so many bad lines without a good one between them, the connection ends.
    pub bad_lines: u32,
    /// How many commands may wait for their answers before no more are read.
    pub pending: usize,
    /// Received bytes that were not taken as requests; more end the connection.
    pub input_bytes: usize,
    /// Above so many unsent bytes no more commands are read; if there are 16 times as many when another reply comes, the connection ends.
    pub output_bytes: usize,
    /// From so many integers on a reply needs room among those of all connections.
    pub long_integers: usize,
    /// Above so many unsent bytes pushes wait, so that what a slow client reads is not old.
    pub push_bytes: usize,
    /// How many robots may be pushed at a time.
    pub pushes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            table: scenario::Limits::default(),
            line_bytes: 4096,
            robot_bytes: 65_536,
            bad_lines: 100,
            pending: 256,
            input_bytes: 262_144,
            output_bytes: 262_144,
            long_integers: 16_384,
            push_bytes: 32_768,
            pushes: 64,
        }
    }
}

/// What a session is told when its connection begins.
#[derive(Clone, Debug)]
pub struct SessionConfig {
    /// The server's own version, for people.
    pub server_version: String,
    /// How the client comes to its pass.
    pub door: Door,
    /// Address of the client.
    pub peer: IpAddr,
    /// Limits of one connection.
    pub limits: Limits,
}
