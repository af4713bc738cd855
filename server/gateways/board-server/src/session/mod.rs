//! The server's side of one connection: bytes in, commands out; answers in, bytes out. [C1-C4]
//!
//! What it can answer by itself (`HELP`, greeting, clock, mistakes) it answers. It reads no socket and no clock: bytes and times are
//! arguments. Which robots are meant it knows by the names under which they were made here; all else about them the gate knows.

mod answers;
mod border;
mod greeting;
mod limits;
mod output;
mod own;
mod push;

pub(crate) use greeting::Greeting;
pub use limits::{Limits, SessionConfig};
pub use push::PushDue;

use crate::commands::{Command, Run, unknown};
use crate::door::Door;
use crate::lines::LineBuffer;
use crate::pace::{AddressShare, GenerationPace, LinePace};
use crate::params::BadLine;
use crate::upload::{Upload, UploadEnd, upload_lines};
use answers::Pending;
use own::OwnRobot;
use push::Push;
use std::collections::VecDeque;
use touchline_board::{PROTOCOL_VERSION, Reply, Scanner, StateReply, notice};
use touchline_gate::{Pass, Role};

/// Names one request until it is answered; counts up in each session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// A command that has to be carried out and answered, exactly once.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// Identifies the request in [`Session::answer`].
    pub ticket: Ticket,
    /// Command of the line.
    pub command: &'static Command,
    /// The rest of its line.
    pub line: String,
    /// The robot file that came with it.
    pub upload: Option<String>,
}

/// The state of one connection.
///
/// In a loop: give it what was received ([`Session::receive`]), take its requests until there is none
/// ([`Session::next_request`]), answer them ([`Session::answer`]) in any order and at any time, and send
/// its output ([`Session::output`]). Receive no more while [`Session::wants_input`] is false. Close the connection
/// when all is sent and [`Session::is_closing`]; then remove [`Session::own_robots`].
#[derive(Debug)]
pub struct Session {
    pub(crate) config: SessionConfig,
    lines: LineBuffer,
    lines_pace: LinePace,
    generation_pace: GenerationPace,
    held_us: Option<u64>,
    received_us: u64,
    pub(crate) upload: Option<Upload>,
    name: String,
    /// What the client may do; none before it has shown its key.
    pub(super) pass: Option<Pass>,
    wrong_keys: u32,
    offset_us: i64,
    own: Vec<OwnRobot>,
    pending: VecDeque<Pending>,
    next_ticket: u64,
    pushes: Vec<Push>,
    /// Number of pushes that were asked for so far.
    push_count: u64,
    bad_lines: u32,
    /// Whether any line was well formed.
    has_spoken: bool,
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
        let version = PROTOCOL_VERSION;
        let pass = match &config.door {
            Door::Open => Some(Pass::at_desk(Role::Player)),
            Door::Keys(_) => None,
            Door::Inside(pass) => Some(pass.clone()),
        };
        notice("TOUCHLINE", &mut output, |line| line.word(version).word(&config.server_version));
        Self {
            lines: LineBuffer::new(config.limits.line_bytes),
            lines_pace: LinePace::new(&config.limits.table),
            generation_pace: GenerationPace::new(&config.limits.table),
            config,
            held_us: None,
            received_us: 0,
            upload: None,
            name: String::new(),
            pass,
            wrong_keys: 0,
            offset_us: 0,
            own: Vec::new(),
            pending: VecDeque::new(),
            next_ticket: 0,
            pushes: Vec::new(),
            push_count: 0,
            bad_lines: 0,
            has_spoken: false,
            leaving: false,
            input_ended: false,
            closing: false,
            output,
            sent: 0,
        }
    }

    /// It is one of several of its address, which have a share together beside each its own.
    pub(crate) fn shares(mut self, of_address: Option<AddressShare>) -> Self {
        self.generation_pace.of_address = of_address;
        self
    }

    /// It has shown a key, whose connections have a share together.
    pub(crate) fn shares_of_key(&mut self, of_key: AddressShare) {
        self.generation_pace.of_key = Some(of_key);
    }

    /// What the client calls itself; empty before it said so.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the client may do; none before it has shown its key.
    pub fn pass(&self) -> Option<&Pass> {
        self.pass.as_ref()
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
        if self.lines.dropped() > self.config.limits.input_bytes {
            self.close("board/line-too-long", "a line does not end");
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
            self.held_us = self.lines_pace.pace.next_us(now_us).max(self.generation_pace.next_us(now_us));
            if self.held_us.is_some() {
                return None;
            }
            let Some(line) = self.lines.next_line() else {
                if self.input_ended {
                    self.leave();
                }
                return None;
            };
            self.lines_pace.take(now_us);
            if let Some((code, message)) = border::turns_away(&line, self.has_spoken, self.upload.is_some()) {
                self.close(code, message);
                return None;
            }
            let line = border::text(line, self.config.limits.line_bytes);
            let incoming = match self.upload.take() {
                Some(upload) => self.upload_line(upload, line),
                None => self.command_line(line, now_us),
            };
            if incoming.is_some() {
                return incoming;
            }
        }
    }

    /// Whether the world waits for its clients now: then more lines are taken.
    pub(crate) fn set_lockstep(&mut self, is_lockstep: bool) {
        self.lines_pace.is_lockstep = is_lockstep;
    }

    /// Generating what it asked for took so long; gives whether it has to wait now, and did not before.
    pub(crate) fn generated(&mut self, now_us: u64, took_us: u64) -> bool {
        self.generation_pace.take(now_us, took_us)
    }

    /// Whether it has had its share of the time that readings take.
    pub(crate) fn has_generated_too_much(&self, now_us: u64) -> bool {
        self.generation_pace.next_us(now_us).is_some()
    }

    /// When the line is taken that was too early when it was last looked for; told once.
    pub(crate) fn take_held_us(&mut self) -> Option<u64> {
        self.held_us.take()
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
            self.refuse_line(tag, unknown(word));
            return None;
        };
        let rest = scanner.rest();
        if let Err(reply) = self.check_role(command) {
            return self.refuse_command(tag, command, rest, reply);
        }
        let upload = match command.run {
            Run::Local(run) => {
                match run(self, rest, now_us) {
                    Ok(reply) => {
                        self.accept();
                        self.reply_now(tag, command.word, &reply);
                    }
                    Err(BadLine(reply)) => self.refuse_line(tag, reply),
                }
                return None;
            }
            Run::Ask(_) | Run::Order(_) => Ok(None),
            Run::Upload { end, .. } => end(rest),
        };
        match upload {
            Ok(None) => Some(self.admit(tag, command, rest.to_owned(), None)),
            Ok(Some(end)) => {
                self.accept();
                self.begin_upload(Upload {
                    tag,
                    command,
                    line: Ok(rest.to_owned()),
                    text: String::new(),
                    end,
                })
            }
            Err(BadLine(reply)) => self.refuse_command(tag, command, rest, reply),
        }
    }

    /// Refuses a command, and the lines that were announced with it: they are none.
    fn refuse_command(
        &mut self,
        tag: Option<String>,
        command: &'static Command,
        rest: &str,
        reply: Reply,
    ) -> Option<Incoming> {
        if let (Run::Upload { .. }, Some(lines)) = (command.run, upload_lines(rest)) {
            let end = UploadEnd::Lines(lines);
            return self.begin_upload(Upload { tag, command, line: Err(reply), text: String::new(), end });
        }
        self.reply_now(tag, command.word, &reply);
        self.count_bad_line();
        None
    }

    /// When the last bytes came, by the server's clock.
    pub(crate) fn received_us(&self) -> u64 {
        self.received_us
    }

    /// From now on this is added to every stamp.
    pub(crate) fn set_offset_us(&mut self, offset_us: i64) {
        self.offset_us = offset_us;
    }

    /// No more commands are taken; the end comes when all are answered.
    pub(crate) fn say_bye(&mut self) {
        self.leaving = true;
    }

    /// A stamp of the server's clock in this client's clock. (C3)
    pub fn stamp_us(&self, server_us: u64) -> i64 {
        i64::try_from(server_us).unwrap_or(i64::MAX).saturating_add(self.offset_us)
    }

    /// Begins the readings of a robot at one step. `stamp_us` is the server's clock when that step was made.
    pub fn state(&self, robot: u32, step: u64, sim_us: u64, stamp_us: u64) -> StateReply {
        StateReply::new(robot, step, sim_us, self.stamp_us(stamp_us))
    }
}
