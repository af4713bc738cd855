//! A client of the message board that is only a socket, as by hand.

use crate::program::Server;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A server that says nothing for so long hangs: far beyond what any answer takes on a busy machine.
const LONGEST_SILENCE: Duration = Duration::from_secs(300);

/// A connection, and what came unasked.
pub struct Client {
    /// The socket itself, for what no well-behaved client would do.
    pub stream: TcpStream,
    reader: BufReader<TcpStream>,
    /// What came unasked and was not taken yet.
    pub notices: Vec<Answer>,
}

/// A head line and its block.
#[derive(Debug)]
pub struct Answer {
    /// First line of the answer.
    pub head: String,
    /// The lines of the block.
    pub lines: Vec<String>,
}

impl Answer {
    pub fn field(&self, key: &str) -> &str {
        field(&self.head, key)
    }

    pub fn number(&self, key: &str) -> u64 {
        self.field(key).parse().unwrap_or_else(|_| panic!("{key} in {self:?}"))
    }

    pub fn line(&self, start: &str) -> &str {
        self.lines
            .iter()
            .find(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("{start} in {self:?}"))
    }
}

pub fn field<'a>(line: &'a str, key: &str) -> &'a str {
    line.split(' ')
        .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
        .unwrap_or_else(|| panic!("{key}= in {line}"))
}

pub fn number(line: &str, key: &str) -> f64 {
    field(line, key).parse().unwrap_or_else(|_| panic!("{key} in {line}"))
}

impl Client {
    pub fn connect(server: &Server) -> Self {
        Self::connect_to(server.board)
    }

    pub fn connect_to(board: SocketAddr) -> Self {
        let stream = TcpStream::connect(board).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        stream.set_read_timeout(Some(LONGEST_SILENCE)).expect("a deadline");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        let mut client = Self { stream, reader, notices: Vec::new() };
        assert!(client.message().expect("a greeting").head.starts_with("TOUCHLINE 1 "));
        client
    }

    pub fn operator(server: &Server) -> Self {
        let mut client = Self::connect(server);
        client.ok("HELLO 1 desk role=operator");
        client
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("the server reads");
    }

    /// The next message of any kind; `None` at the end of the connection.
    pub fn message(&mut self) -> Option<Answer> {
        let head = self.line()?;
        let count = head.split(' ').find_map(|word| word.strip_prefix("lines=")?.parse::<usize>().ok());
        let lines = (0..count.unwrap_or(0)).map(|_| self.line().expect("a whole block")).collect();
        Some(Answer { head, lines })
    }

    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(line.strip_suffix('\n').expect("a whole line").to_owned()),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => None,
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                panic!("the server says nothing for {LONGEST_SILENCE:?}; last said: {line:?}")
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The next answer; what comes unasked before it is kept.
    pub fn answer(&mut self) -> Answer {
        loop {
            let message = self.message().expect("an answer, not the end");
            if ["OK ", "ERR ", "#"].iter().any(|start| message.head.starts_with(start)) {
                return message;
            }
            self.notices.push(message);
        }
    }

    pub fn ask(&mut self, line: &str) -> Answer {
        self.send(format!("{line}\n"));
        self.answer()
    }

    pub fn ok(&mut self, line: &str) -> Answer {
        let answer = self.ask(line);
        assert!(answer.head.starts_with("OK "), "{line}: {answer:?}");
        answer
    }

    pub fn refused(&mut self, line: &str, code: &str) -> Answer {
        let answer = self.ask(line);
        assert!(answer.head.starts_with(&format!("ERR {code} ")), "{line}: {answer:?}");
        answer
    }

    /// The head of an answer that has to be an error.
    pub fn fails(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        assert!(answer.head.starts_with("ERR "), "{line}: {answer:?}");
        answer.head
    }

    /// Waits for a message that answers no command.
    pub fn notice(&mut self) -> Answer {
        if self.notices.is_empty() { self.message().expect("a notice") } else { self.notices.remove(0) }
    }

    /// Asks until an event of this kind and content is there.
    pub fn wait_for_event(&mut self, kind: &str, content: &str) {
        let (mut since, begun) = (0, Instant::now());
        loop {
            assert!(begun.elapsed() < LONGEST_SILENCE, "no event {kind} {content} for {LONGEST_SILENCE:?}");
            let events = self.ok(&format!("EVENTS since={since}"));
            since = events.number("next");
            let is_it = |line: &&String| line.contains(&format!(" {kind} ")) && line.ends_with(content);
            if events.lines.iter().any(|line| is_it(&line)) {
                return;
            }
        }
    }

    pub fn robots(&mut self) -> Vec<String> {
        self.ok("LIST").lines
    }

    pub fn upload(&mut self, head: &str, text: &str) -> Answer {
        self.send(format!("{head} lines={}\n{}\n", text.lines().count(), text.trim_end()));
        self.answer()
    }
}
