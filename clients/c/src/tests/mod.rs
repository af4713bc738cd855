//! What needs no server: the headers, the transcripts that all clients share, and the border itself.

mod decoding;
mod headers;
