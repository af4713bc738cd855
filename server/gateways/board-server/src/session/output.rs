//! What is to be sent, and the end of a connection.

use super::Session;
use crate::lines::LineBuffer;
use touchline_board::{Reply, notice};

impl Session {
    /// Ends the connection with a reason, once all output is sent.
    pub fn close(&mut self, code: &str, message: &str) {
        if !self.closing {
            notice("CLOSE", &mut self.output, |line| line.word(code).quoted(message));
        }
        self.end();
    }

    /// No more commands; the end comes when all are answered.
    pub(super) fn leave(&mut self) {
        self.leaving = true;
        if self.pending.is_empty() {
            self.end();
        }
    }

    pub(super) fn end(&mut self) {
        self.closing = true;
        self.pending.clear();
        self.pushes.clear();
        self.upload = None;
        self.lines = LineBuffer::new(self.config.limits.line_bytes);
    }

    /// Ends the connection if too much is unsent already, before more is added: a client that reads may ask for a
    /// reply of any length, such as a large image.
    pub(super) fn check_output(&mut self) {
        if !self.closing && self.output().len() > 16 * self.config.limits.output_bytes {
            self.close("board/too-slow", "you do not read what is sent to you");
        }
    }

    /// Whether the connection shall be closed once all output is sent.
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// The bytes to be sent.
    pub fn output(&self) -> &[u8] {
        &self.output[self.sent..]
    }

    /// Tells that so many bytes of the output were sent.
    pub fn consume_output(&mut self, sent: usize) {
        self.sent = (self.sent + sent).min(self.output.len());
        // A client that always leaves a rest unread must not make the sent part grow.
        if self.sent * 2 >= self.output.len() {
            self.output.drain(..self.sent);
            self.sent = 0;
            // A long reply's memory is not kept for the short ones that follow.
            self.output.shrink_to(self.config.limits.output_bytes);
        }
    }
}

/// Writes a reply, or in its place that it is longer than a reply may be.
pub(super) fn write_reply(reply: &Reply, tag: Option<&str>, word: &str, limit: u32, out: &mut Vec<u8>) {
    let start = out.len();
    reply.write(tag, word, out);
    let got = out.len() - start;
    if got > limit as usize {
        out.truncate(start);
        let message = format!("a reply of {got} bytes; limits.reply_bytes is {limit}: ask for less");
        let too_much = Reply::error("board/too-much", message).with("got", got).with("limit", limit);
        too_much.write(tag, word, out);
    }
}
