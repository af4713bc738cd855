//! The answers to what was asked: each at its place, in the order in which the requests came.

use super::{Incoming, Session, Ticket, output};
use crate::commands::Command;
use crate::door::Door;
use touchline_board::Reply;

/// A request that is not answered, or whose answer waits for an earlier one.
#[derive(Debug)]
pub(super) struct Pending {
    ticket: Ticket,
    tag: Option<String>,
    word: &'static str,
    /// The whole answer, while an earlier one is missing.
    answer: Option<Vec<u8>>,
}

impl Session {
    /// Takes a command in: its answer has its place from now on.
    pub(crate) fn admit(
        &mut self,
        tag: Option<String>,
        command: &'static Command,
        line: String,
        upload: Option<String>,
    ) -> Incoming {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.pending.push_back(Pending { ticket, tag, word: command.word, answer: None });
        Incoming { ticket, command, line, upload }
    }

    /// A command was well formed.
    pub(crate) fn accept(&mut self) {
        self.bad_lines = 0;
        self.has_spoken = true;
    }

    /// A command was not well formed: answered, counted, and too many end the connection.
    pub(crate) fn refuse(&mut self, ticket: Ticket, reply: &Reply) {
        self.answer(ticket, reply);
        self.count_bad_line();
    }

    /// A line that was no command: answered and counted.
    pub(crate) fn refuse_line(&mut self, tag: Option<String>, reply: Reply) {
        self.reply_now(tag, "", &reply);
        self.count_bad_line();
    }

    pub(super) fn count_bad_line(&mut self) {
        self.bad_lines += 1;
        if self.leaving {
            self.leave();
        } else if self.bad_lines >= self.config.limits.bad_lines {
            let message = format!("{} bad lines one after the other", self.bad_lines);
            self.close("board/too-many-errors", &message);
        }
    }

    /// Answers in turn: after all that were asked before.
    pub(super) fn reply_now(&mut self, tag: Option<String>, word: &'static str, reply: &Reply) {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.pending.push_back(Pending { ticket, tag, word, answer: None });
        self.answer(ticket, reply);
    }

    /// Answers a request. An answer to what is not asked is left out.
    pub fn answer(&mut self, ticket: Ticket, reply: &Reply) {
        if reply.is_error() {
            self.own.retain(|own| own.ticket != ticket || own.number.is_some());
        }
        let Some(at) = self.pending.iter().position(|p| p.ticket == ticket && p.answer.is_none()) else {
            return;
        };
        if let (Some(code), Door::Keys(lock)) = (reply.code(), &self.config.door) {
            lock.answered(self.pending[at].word, code);
        }
        if at > 0 {
            let (limit, pending) = (self.config.limits.table.reply_bytes, &mut self.pending[at]);
            let mut bytes = Vec::new();
            output::write_reply(reply, pending.tag.as_deref(), pending.word, limit, &mut bytes);
            pending.answer = Some(bytes);
            return;
        }
        self.check_output();
        if let Some(pending) = self.pending.pop_front() {
            let limit = self.config.limits.table.reply_bytes;
            output::write_reply(reply, pending.tag.as_deref(), pending.word, limit, &mut self.output);
        }
        while let Some(bytes) = self.pending.front_mut().and_then(|pending| pending.answer.take()) {
            self.check_output();
            // Unless that has ended the connection.
            if self.pending.pop_front().is_some() {
                self.output.extend_from_slice(&bytes);
            }
        }
        if self.leaving {
            self.leave();
        }
    }

    /// Answers a request that went well and has nothing to say.
    pub fn answer_ok(&mut self, ticket: Ticket) {
        self.answer(ticket, &Reply::ok());
    }
}
