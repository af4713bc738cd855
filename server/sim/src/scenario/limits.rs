//! What clients may use up: the one table of it. World files, their schema and reference, recordings and all services read this type.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What clients may use up of the server, each for itself and all together. Who is over a limit is refused, sent away or waits, and is told
/// which key of this table says so; nobody else is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Lines a second of one connection on average, commands and robot files; more wait unread. In lockstep, where the world waits for its
    /// clients, five times as many.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub lines_per_s: u32,
    /// Lines of one connection at once, after a pause.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub lines_at_once: u32,
    /// Milliseconds in each second that generating sensors' readings may take for one connection; who is over it waits: its next commands are
    /// read later, what is pushed to it is left out. Not counted in lockstep, where the world waits for its clients. 1000 is one processor.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub generation_ms_per_s: u32,
    /// The same for all connections of one other machine's address together; the pages of its browsers count each for itself. All connections of one
    /// key, pages among them, have as much together.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub generation_ms_per_s_of_address: u32,
    /// Milliseconds in each second that reading robot files and players' may take for one connection; who is over it gets its answer later.
    /// Not counted in lockstep.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub files_ms_per_s: u32,
    /// Integers of sensors in one reply.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub reply_integers: u32,
    /// Integers in the long replies of all connections together that are not sent yet; each takes about 50 bytes of memory.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub replies_integers: u32,
    /// Bytes of one reply.
    #[schemars(range(min = 65_536, max = 1_000_000_000))]
    pub reply_bytes: u32,
    /// Integers that the sensors of one robot give that a client makes. Robots of this file may have what they like.
    #[schemars(range(max = 1_000_000_000))]
    pub robot_integers: u32,
    /// Integers that the sensors of all clients' robots give together.
    #[schemars(range(max = 1_000_000_000))]
    pub robots_integers: u32,
    /// Megabytes for clients' inputs: once of a temporary file for what can be saved of the whole run, and once of memory for looking back, where the
    /// oldest go first.
    #[schemars(range(min = 1, max = 65_536))]
    pub history_mb: u32,
    /// Seconds until a connection has sent a line that is a command, and shown its key where there are keys.
    #[schemars(range(min = 1, max = 86_400))]
    pub first_line_s: u32,
    /// Connections at a time; those that have shown neither command nor key give way.
    #[schemars(range(min = 1, max = 65_536))]
    pub connections: u32,
    /// Connections at a time from one address of another machine.
    #[schemars(range(min = 1, max = 65_536))]
    pub connections_of_address: u32,
    /// Connections a second that are let in on average, from wherever they come, twice as many at once after a pause; more wait outside.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub connections_per_s: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // One that drives 22 robots at 100 Hz by three commands each, and half as much again. A program that waits for each answer in lockstep comes to
            // 31,000 on a fast machine.
            lines_per_s: 10_000,
            lines_at_once: 5_000,
            generation_ms_per_s: 500,
            generation_ms_per_s_of_address: 1000,
            // A second's share at once: some ten files of the shipped robots.
            files_ms_per_s: 50,
            // Two of the largest images; four; two; eight.
            reply_integers: 1 << 22,
            replies_integers: 1 << 23,
            reply_bytes: 1 << 26,
            robot_integers: 1 << 22,
            robots_integers: 1 << 24,
            history_mb: 64,
            // A person types it.
            first_line_s: 30,
            connections: 1024,
            connections_of_address: 256,
            // One that is opened and closed costs 40 to 140 us of a processor: a tenth of one.
            connections_per_s: 1000,
        }
    }
}
