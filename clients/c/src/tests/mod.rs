//! What needs no server: the headers, the transcripts that all clients share, and the border itself.

mod border;
mod decoding;
mod filled;
mod headers;
