//! Where encoded messages go: a file, or those who watch live.

use crate::writer::WriteError;

/// A channel: its topic, and what its messages are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInfo {
    /// Such as `/tf`.
    pub topic: String,
    /// How its messages are encoded: `json` but for the poses.
    pub encoding: &'static str,
    /// The name of its schema.
    pub schema_name: &'static str,
    /// The JSON Schema of its messages; `None` for those that are no JSON.
    pub schema: Option<String>,
}

/// Where the messages of a recording go.
pub trait Outlet {
    /// A channel that messages will come on; gives its number.
    ///
    /// # Errors
    /// When it cannot be had.
    fn open(&mut self, channel: &ChannelInfo) -> Result<u16, WriteError>;

    /// Whether messages of a channel are of use: readings that nobody wants are not made.
    fn wants(&self, channel: u16) -> bool;

    /// One message, stamped in nanoseconds of simulated time.
    ///
    /// # Errors
    /// When it cannot be taken.
    fn message(&mut self, channel: u16, stamp: u64, bytes: &[u8]) -> Result<(), WriteError>;

    /// What was given so far has to come before what follows; else only messages of one channel keep their order.
    ///
    /// # Errors
    /// When it cannot be taken.
    fn keep_order(&mut self) -> Result<(), WriteError> {
        Ok(())
    }
}
