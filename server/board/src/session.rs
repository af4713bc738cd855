//! The server's side of one connection.

use crate::catalogue::{COMMANDS, Command};
use crate::command::Role;
use crate::lines::{Line, LineBuffer};
use crate::parse::{Parsed, Robots, UploadEnd, parse, robot_ref, unknown_command, upload_lines};
use crate::reply::{Reply, notice};
use crate::request::{AddRobot, Request, RobotRef, RobotSource};
use crate::selection::Selected;
use crate::state::StateReply;
use crate::text::Scanner;
use std::collections::VecDeque;

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
    /// Above so many unsent bytes no more commands are read and pushes are left out; 16 times as many end the
    /// connection.
    pub output_bytes: usize,
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

/// A push that is due. [C4]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushDue {
    /// Whose sensors.
    pub robot: u32,
    /// Which.
    pub selected: Vec<Selected>,
}

#[derive(Debug)]
struct Pending {
    ticket: Ticket,
    tag: Option<String>,
    word: &'static str,
    /// The whole answer, while an earlier one is missing.
    answer: Option<Vec<u8>>,
}

#[derive(Debug)]
struct OwnRobot {
    name: String,
    /// `None` until it is made.
    number: Option<u32>,
    ticket: Ticket,
}

#[derive(Debug)]
struct Push {
    robot: u32,
    period_us: u64,
    selected: Vec<Selected>,
    next_us: u64,
    last_step: Option<u64>,
}

#[derive(Debug)]
struct Upload {
    tag: Option<String>,
    /// What becomes of the text: a robot, or the answer that was ready before it came.
    robot: Result<AddRobot, Reply>,
    text: String,
    end: UploadEnd,
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
            word = scanner.next_raw()?;
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
                let message = "an operator from another machine needs the server's token: token=<token>";
                return Err(Reply::error("board/token", message));
            }
        }
        self.name = name;
        self.role = role;
        Ok(Reply::ok().with("version", version).with("name", &self.name).with("role", role.as_str()))
    }

    fn begin_upload(&mut self, upload: Upload) -> Option<Incoming> {
        match upload.end {
            UploadEnd::Lines(0) => self.end_upload(upload),
            _ => {
                self.upload = Some(upload);
                None
            }
        }
    }

    fn upload_line(&mut self, mut upload: Upload, line: Result<String, Reply>) -> Option<Incoming> {
        if upload.end == UploadEnd::Dot && line.as_deref().is_ok_and(|line| line == ".") {
            return self.end_upload(upload);
        }
        match line {
            Err(reply) => upload.robot = upload.robot.and(Err(reply)),
            Ok(line) if upload.robot.is_ok() => {
                let limit = self.config.limits.robot_bytes;
                if upload.text.len() + line.len() < limit {
                    upload.text.push_str(&line);
                    upload.text.push('\n');
                } else {
                    let message = format!("a robot file has at most {limit} bytes");
                    upload.robot = Err(Reply::error("board/file-too-long", message).with("limit", limit));
                    upload.text = String::new();
                }
            }
            Ok(_) => {}
        }
        match &mut upload.end {
            UploadEnd::Lines(1) => return self.end_upload(upload),
            UploadEnd::Lines(lines) => *lines -= 1,
            UploadEnd::Dot => {}
        }
        self.upload = Some(upload);
        None
    }

    fn end_upload(&mut self, upload: Upload) -> Option<Incoming> {
        match upload.robot {
            Ok(robot) => {
                let source = RobotSource::Text(upload.text);
                Some(self.admit(upload.tag, Request::AddRobot(AddRobot { source, ..robot })))
            }
            Err(reply) => {
                self.refuse_line(upload.tag, reply);
                None
            }
        }
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
        if let Some(pending) = self.pending.pop_front() {
            reply.write(pending.tag.as_deref(), pending.word, &mut self.output);
        }
        while let Some(bytes) = self.pending.front_mut().and_then(|pending| pending.answer.take()) {
            self.output.extend_from_slice(&bytes);
            self.pending.pop_front();
        }
        self.check_output();
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

    /// A stamp of the server's clock in this client's clock. [C3]
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

    /// Answers [`Request::Push`], and begins it in place of the last one for this robot; the first is due at once.
    pub fn answer_push(
        &mut self,
        ticket: Ticket,
        robot: u32,
        selected: Vec<Selected>,
        period_us: u64,
        now_us: u64,
    ) {
        self.pushes.retain(|push| push.robot != robot);
        if self.pushes.len() >= self.config.limits.pushes {
            let limit = self.config.limits.pushes;
            let message = format!("at most {limit} robots can be pushed at a time");
            return self.answer(ticket, &Reply::error("board/too-many-pushes", message).with("limit", limit));
        }
        let period_us = period_us.max(1);
        self.pushes.push(Push { robot, period_us, selected, next_us: now_us, last_step: None });
        let reply = Reply::ok().with("robot", robot).with("period_us", period_us);
        self.answer(ticket, &reply);
    }

    /// Ends the push for this robot.
    pub fn end_push(&mut self, robot: u32) {
        self.pushes.retain(|push| push.robot != robot);
    }

    /// When the next push is due, on the server's clock.
    pub fn next_push_us(&self) -> Option<u64> {
        self.pushes.iter().map(|push| push.next_us).min()
    }

    /// The next push that is due, if any; answer it with [`Session::push`]. Missed ones are not made up for.
    pub fn due_push(&mut self, now_us: u64) -> Option<PushDue> {
        let room = self.output().len() <= self.config.limits.output_bytes && !self.closing;
        for push in self.pushes.iter_mut().filter(|push| push.next_us <= now_us) {
            let missed = (now_us - push.next_us) / push.period_us;
            push.next_us = push.next_us.saturating_add((missed + 1).saturating_mul(push.period_us));
            // Newest wins: a client that does not read gets fewer, not older ones.
            if room {
                return Some(PushDue { robot: push.robot, selected: push.selected.clone() });
            }
        }
        None
    }

    /// Sends a `STATE` block, unless that step was pushed already.
    pub fn push(&mut self, state: StateReply, robot: u32) {
        let Some(push) = self.pushes.iter_mut().find(|push| push.robot == robot) else { return };
        if !self.closing && push.last_step.replace(state.step) != Some(state.step) {
            state.write_push(&mut self.output);
            self.check_output();
        }
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

/// The robots as one command sees them.
struct Lookup<'a> {
    own: &'a [OwnRobot],
    /// Whether no other may be named.
    own_only: bool,
}

impl Robots for Lookup<'_> {
    fn robot(&self, word: &str) -> Result<RobotRef, Reply> {
        if word.eq_ignore_ascii_case("me") || word == "-" {
            return match self.own {
                [own] => Ok(own.reference()),
                [] => Err(Reply::error(
                    "board/no-robot",
                    "you have made no robot yet: ROBOT <name> file=<file>",
                )),
                _ => Err(Reply::error(
                    "board/no-robot",
                    "you have several robots: say which, by name or number",
                )),
            };
        }
        let named = robot_ref(word);
        let own = self.own.iter().find(|own| match &named {
            RobotRef::Number(number) => own.number == Some(*number),
            RobotRef::Name(name) => own.name == *name,
        });
        match own {
            Some(own) => Ok(own.reference()),
            None if self.own_only => {
                let message = format!("robot {word:?} is not one that you made; an operator may drive all");
                Err(Reply::error("board/not-yours", message).with("robot", word))
            }
            None => Ok(named),
        }
    }
}

impl OwnRobot {
    fn reference(&self) -> RobotRef {
        self.number.map_or_else(|| RobotRef::Name(self.name.clone()), RobotRef::Number)
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
