//! The protocol of clients, without sockets and clocks: what a datagram says, and what is answered, byte by byte.
//!
//! Units and axes are the wire's: metres and degrees, y **down**, angles clockwise, metres a cycle.

pub mod body;
pub mod fullstate;
pub mod global;
pub mod hear;
pub mod init;
pub mod name;
pub mod params;
pub mod player_command;
pub mod scan;
pub mod see;
pub mod show;
pub mod show_binary;
mod token;

pub use token::is_spoken;

/// The longest datagram that is looked at, bytes; what is longer is cut off.
pub const MAX_DATAGRAM: usize = 8192;

/// The oldest and the newest version of the protocol that players speak.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 1..=19;

/// A datagram as a text: up to the first NUL, and whether it ended with one. What is no ASCII stands for itself, one character a byte.
pub fn text(datagram: &[u8]) -> (&[u8], bool) {
    let datagram = &datagram[..datagram.len().min(MAX_DATAGRAM)];
    let end = datagram.iter().position(|&byte| byte == 0).unwrap_or(datagram.len());
    (&datagram[..end], datagram.last() == Some(&0))
}
