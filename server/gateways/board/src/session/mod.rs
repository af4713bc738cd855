//! The server's side of one connection.

mod own;
mod push;
mod upload;

pub use push::PushDue;

use crate::catalogue::{COMMANDS, Command};
use crate::command::Role;
use crate::lines::{Line, LineBuffer};
use crate::parse::{Parsed, UploadEnd, parse, unknown_command, upload_lines};
use crate::reply::{Reply, notice};
use crate::request::Request;
use crate::state::StateReply;
use crate::text::Scanner;
use own::{Lookup, OwnRobot};
use push::Push;
use std::collections::VecDeque;
use upload::Upload;

/// What a connection may make the server keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
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
    /// Above so many unsent bytes no more commands are read; if there are 16 times as many when another reply comes, the connection ends. One reply may be as long as it is.
    pub output_bytes: usize,
    /// Above so many unsent bytes pushes wait, so that what a slow client reads is not old.
    pub push_bytes: usize,
    /// How many robots may be pushed at a time.
    pub pushes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 4096,
            robot_bytes: 65_536,
            bad_lines: 100,
            pending: 256,
            input_bytes: 262_144,
            output_bytes: 262_144,
            push_bytes: 32_768,
            pushes: 64,
        }
    }
}

/// What a session is told when its connection begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionConfig {
    /// The server's own version, for people.
    pub server_version: String,
    /// Whether the client is on the same machine: then it may be operator without a token.
    pub peer_is_loopback: bool,
    /// What an operator from elsewhere must know; `None` lets none in.
    pub operator_token: Option<String>,
    /// Bounds.
    pub limits: Limits,
}

/// Names one request until it is answered; counts up in each session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// A request that the program has to carry out and to answer, exactly once.
#[derive(Clone, Debug, PartialEq)]
pub struct Incoming {
    /// What the answer names.
    pub ticket: Ticket,
    /// What shall be done.
    pub request: Request,
}

#[derive(Debug)]
struct Pending {
    ticket: Ticket,
    tag: Option<String>,
    word: &'static str,
    /// The whole answer, while an earlier one is missing.
    answer: Option<Vec<u8>>,
}

/// The state of one connection.
///
/// In a loop: give it what was received ([`Session::receive`]), take its requests until there is none
/// ([`Session::next_request`]), answer them ([`Session::answer`] and its kin) in any order and at any time, and send
/// its output ([`Session::output`]). Receive no more while [`Session::wants_input`] is false. Close the connection
/// when all is sent and [`Session::is_closing`]; then remove [`Session::own_robots`].
#[derive(Debug)]
pub struct Session {
    config: SessionConfig,
    lines: LineBuffer,
    received_us: u64,
    upload: Option<Upload>,
    name: String,
    role: Role,
    offset_us: i64,
    own: Vec<OwnRobot>,
    pending: VecDeque<Pending>,
    next_ticket: u64,
    pushes: Vec<Push>,
    /// How many there were.
    push_count: u64,
    bad_lines: u32,
    /// No more commands; closing as soon as all that came before is answered.
    leaving: bool,
    input_ended: bool,
    closing: bool,
    output: Vec<u8>,
    sent: usize,
}

impl Session {
    /// Begins a connection; the greeting is in the output.
    pub fn new(config: SessionConfig) -> Self {
        let mut output = Vec::new();
        let version = crate::PROTOCOL_VERSION;
        notice("TOUCHLINE", &mut output, |line| line.word(version).word(&config.server_version));
        Self {
            lines: LineBuffer::new(config.limits.line_bytes),
            config,
            received_us: 0,
            upload: None,
            name: String::new(),
            role: Role::Player,
            offset_us: 0,
            own: Vec::new(),
            pending: VecDeque::new(),
            next_ticket: 0,
            pushes: Vec::new(),
            push_count: 0,
            bad_lines: 0,
            leaving: false,
            input_ended: false,
            closing: false,
            output,
            sent: 0,
        }
    }

    /// What the client calls itself; empty before it said so.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the client may do.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The robots that this connection made, by number.
    pub fn own_robots(&self) -> impl Iterator<Item = u32> + '_ {
        self.own.iter().filter_map(|own| own.number)
    }

    /// Takes bytes as they came, at this time of the server's clock.
    pub fn receive(&mut self, bytes: &[u8], now_us: u64) {
        if self.closing || self.leaving {
            return;
        }
        self.received_us = now_us;
        self.lines.extend(bytes);
        if self.lines.len() > self.config.limits.input_bytes + self.config.limits.line_bytes {
            self.close("board/too-much-input", "too many commands at once");
        }
    }

    /// Tells that the client will send no more: what came is carried out and answered, then the connection ends.
    pub fn input_ended(&mut self) {
        self.input_ended = true;
    }

    /// Whether more bytes should be received now; if not, after answers or sending.
    pub fn wants_input(&self) -> bool {
        !self.input_ended
            && self.is_ready_for_commands()
            && self.lines.len() <= self.config.limits.line_bytes + 1
    }

    fn is_ready_for_commands(&self) -> bool {
        !self.closing
            && !self.leaving
            && self.pending.len() < self.config.limits.pending
            && self.output().len() <= self.config.limits.output_bytes
    }

    /// The next request, or `None` until more is received, answered or sent.
    ///
    /// What the session can answer by itself it answers on the way. `now_us` is the server's clock.
    pub fn next_request(&mut self, now_us: u64) -> Option<Incoming> {
        loop {
            if !self.is_ready_for_commands() {
                return None;
            }
            let limit = self.config.limits.line_bytes;
            let line = match self.lines.next_line() {
                None => {
                    if self.input_ended {
                        self.leave();
                    }
                    return None;
                }
                Some(Line::TooLong { got }) => Err(Reply::error(
                    "board/line-too-long",
                    format!("the line is longer than {limit} bytes and was dropped"),
                )
                .with("limit", limit)
                .with("got", got)),
                Some(Line::Bytes(bytes)) => checked_text(bytes),
            };
            let incoming = match self.upload.take() {
                Some(upload) => self.upload_line(upload, line),
                None => self.command_line(line, now_us),
            };
            if incoming.is_some() {
                return incoming;
            }
        }
    }

    fn command_line(&mut self, line: Result<String, Reply>, now_us: u64) -> Option<Incoming> {
        let line = match line {
            Ok(line) => line,
            Err(reply) => {
                self.refuse_line(None, reply);
                return None;
            }
        };
        let mut scanner = Scanner::new(&line);
        let mut word = scanner.next_raw()?;
        let mut tag = None;
        if let Some(text) = word.strip_prefix('#') {
            if text.is_empty() || text.len() > 32 || !text.bytes().all(|b| b.is_ascii_graphic()) {
                let reply = Reply::error("board/bad-tag", "a tag is # and 1 to 32 ASCII characters");
                self.refuse_line(None, reply);
                return None;
            }
            tag = Some(text.to_string());
            let Some(next) = scanner.next_raw() else {
                let reply = Reply::error(
                    "board/missing-parameter",
                    "a tag without a command; usage: #<tag> <command>",
                );
                self.refuse_line(tag, reply);
                return None;
            };
            word = next;
        }
        let Some(command) = Command::find(word) else {
            self.refuse_line(tag, unknown_command(word));
            return None;
        };
        let parsed = match self.check_role(command) {
            Ok(()) => {
                let own_only = command.role == Role::Player && self.role == Role::Player;
                parse(command, scanner, &Lookup { own: &self.own, own_only })
            }
            Err(reply) => Err(reply),
        };
        match parsed {
            Ok(Parsed::Upload(robot, end)) => {
                self.bad_lines = 0;
                self.begin_upload(Upload { tag, robot: Ok(robot), text: String::new(), end })
            }
            Ok(Parsed::Request(request)) => {
                self.bad_lines = 0;
                Some(self.admit(tag, request))
            }
            Ok(parsed) => {
                self.answer_locally(tag, command, parsed, now_us);
                None
            }
            Err(reply) => {
                // The lines that were announced are not commands.
                if let Some(lines) = upload_lines(scanner).filter(|_| command.word == "ROBOT") {
                    let end = UploadEnd::Lines(lines);
                    return self.begin_upload(Upload { tag, robot: Err(reply), text: String::new(), end });
                }
                self.refuse_line(tag, reply);
                None
            }
        }
    }

    fn check_role(&self, command: &Command) -> Result<(), Reply> {
        if self.role >= command.role {
            return Ok(());
        }
        let (role, word) = (command.role, command.word);
        let message =
            format!("{word} is for the {role}, you are {}: HELLO 1 <your name> role={role}", self.role);
        Err(Reply::error("board/role", message).with("needs", role.as_str()))
    }

    fn answer_locally(
        &mut self,
        tag: Option<String>,
        command: &'static Command,
        parsed: Parsed,
        now_us: u64,
    ) {
        self.bad_lines = 0;
        let reply = match parsed {
            Parsed::Help(which) => help(which),
            Parsed::Hello { version, name, role, token } => match self.hello(version, name, role, token) {
                Ok(reply) => reply,
                Err(reply) => return self.refuse_line(tag, reply),
            },
            Parsed::Sync { t0_us } => {
                Reply::ok().with("t0", t0_us).with("t1", self.received_us).with("t2", now_us)
            }
            Parsed::Offset { offset_us } => {
                self.offset_us = offset_us;
                Reply::ok().with("offset_us", offset_us)
            }
            // BYE; requests and uploads do not come here.
            _ => {
                self.reply_now(tag, command.word, &Reply::ok());
                return self.leave();
            }
        };
        self.reply_now(tag, command.word, &reply);
    }

    fn hello(
        &mut self,
        version: u32,
        name: String,
        role: Role,
        token: Option<String>,
    ) -> Result<Reply, Reply> {
        if version != crate::PROTOCOL_VERSION {
            let message = format!("this server speaks version {} only", crate::PROTOCOL_VERSION);
            let reply = Reply::error("board/version", message).with("supported", crate::PROTOCOL_VERSION);
            self.leaving = true;
            return Err(reply);
        }
        if role == Role::Operator && !self.config.peer_is_loopback {
            let known = self.config.operator_token.as_deref();
            if !known.zip(token.as_deref()).is_some_and(|(a, b)| equal_in_constant_time(a, b)) {
                let message = match known {
                    Some(_) => "an operator from another machine needs the server's token: token=<token>",
                    None => {
                        "this server has no token for operators from other machines; it is started with --operator-token"
                    }
                };
                return Err(Reply::error("board/token", message));
            }
        }
        self.name = name;
        self.role = role;
        Ok(Reply::ok().with("version", version).with("name", &self.name).with("role", role.as_str()))
    }

    fn admit(&mut self, tag: Option<String>, request: Request) -> Incoming {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        if let Request::AddRobot(robot) = &request {
            self.own.push(OwnRobot { name: robot.name.clone(), number: None, ticket });
        }
        self.pending.push_back(Pending { ticket, tag, word: request.word(), answer: None });
        Incoming { ticket, request }
    }

    /// A line that was no command: counted, answered, and too many end the connection.
    fn refuse_line(&mut self, tag: Option<String>, reply: Reply) {
        self.reply_now(tag, "", &reply);
        self.bad_lines += 1;
        if self.leaving {
            self.leave();
        } else if self.bad_lines >= self.config.limits.bad_lines {
            let message = format!("{} bad lines one after the other", self.bad_lines);
            self.close("board/too-many-errors", &message);
        }
    }

    /// Answers in turn: after all that were asked before.
    fn reply_now(&mut self, tag: Option<String>, word: &'static str, reply: &Reply) {
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
        if at > 0 {
            let pending = &mut self.pending[at];
            let mut bytes = Vec::new();
            reply.write(pending.tag.as_deref(), pending.word, &mut bytes);
            pending.answer = Some(bytes);
            return;
        }
        self.check_output();
        if let Some(pending) = self.pending.pop_front() {
            reply.write(pending.tag.as_deref(), pending.word, &mut self.output);
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

    /// Answers [`Request::AddRobot`] with the new robot's number; from now on it is this connection's own.
    pub fn answer_robot(&mut self, ticket: Ticket, number: u32) {
        let Some(own) = self.own.iter_mut().find(|own| own.ticket == ticket) else { return };
        own.number = Some(number);
        let reply = Reply::ok().with("robot", number).with("name", &own.name);
        self.answer(ticket, &reply);
    }

    /// A stamp of the server's clock in this client's clock. (C3)
    pub fn stamp_us(&self, server_us: u64) -> i64 {
        i64::try_from(server_us).unwrap_or(i64::MAX).saturating_add(self.offset_us)
    }

    /// Begins the readings of a robot at one step. `stamp_us` is the server's clock when that step was made.
    pub fn state(&self, robot: u32, step: u64, sim_us: u64, stamp_us: u64) -> StateReply {
        StateReply::new(robot, step, sim_us, self.stamp_us(stamp_us))
    }

    /// Answers [`Request::Get`].
    pub fn answer_state(&mut self, ticket: Ticket, state: StateReply) {
        self.answer(ticket, &state.into_reply());
    }

    /// Tells that a robot has gone: needed for robots of this connection and pushed ones, harmless for others.
    pub fn robot_gone(&mut self, robot: u32, reason: &str) {
        let own = self.own.iter().position(|own| own.number == Some(robot));
        let pushed = self.pushes.iter().any(|push| push.robot == robot);
        self.end_push(robot);
        if let Some(at) = own {
            self.own.remove(at);
        }
        if (own.is_some() || pushed) && !self.closing {
            notice("GONE", &mut self.output, |line| line.field("robot", robot).quoted(reason));
        }
    }

    /// Ends the connection with a reason, once all output is sent.
    pub fn close(&mut self, code: &str, message: &str) {
        if !self.closing {
            notice("CLOSE", &mut self.output, |line| line.word(code).quoted(message));
        }
        self.end();
    }

    /// No more commands; the end comes when all are answered.
    fn leave(&mut self) {
        self.leaving = true;
        if self.pending.is_empty() {
            self.end();
        }
    }

    fn end(&mut self) {
        self.closing = true;
        self.pending.clear();
        self.pushes.clear();
        self.upload = None;
        self.lines = LineBuffer::new(self.config.limits.line_bytes);
    }

    /// Ends the connection if too much is unsent already, before more is added: a client that reads may ask for a
    /// reply of any length, such as a large image.
    fn check_output(&mut self) {
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
        }
    }
}

/// Text, or the answer to bytes that are none.
fn checked_text(bytes: &[u8]) -> Result<String, Reply> {
    let is_control = |c: char| c.is_control() && c != '\t';
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(is_control) => Ok(text.into()),
        _ => {
            let at = bytes
                .utf8_chunks()
                .next()
                .map_or(0, |chunk| chunk.valid().find(is_control).unwrap_or(chunk.valid().len()));
            let message = "the line has bytes in it that are no text";
            Err(Reply::error("board/not-text", message).with("column", at + 1))
        }
    }
}

fn equal_in_constant_time(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
}

fn help(which: Option<&'static Command>) -> Reply {
    let mut reply = Reply::block();
    match which {
        None => {
            for command in COMMANDS {
                reply.push_plain(&format!("{}  - {} ({})", command.usage(), command.summary, command.role));
            }
        }
        Some(command) => {
            reply.push_plain(&command.usage());
            reply.push_plain(&format!("{}; for {}s", command.summary, command.role));
            command.details.iter().for_each(|line| reply.push_plain(line));
        }
    }
    reply
}
