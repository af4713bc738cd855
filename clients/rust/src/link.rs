//! The connection: one thread receives, answers find those who wait for them, readings go into the container.

use crate::error::Error;
use crate::sensors::Sensors;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};
use touchline_board::{Message, MessageReader, Request};

/// Who waits for the next answer: they come in the order of the commands.
pub(crate) enum Waiter {
    /// A caller that waits for the answer.
    Call(SyncSender<Message>),
    /// Somebody who asked for readings: the container gets them first.
    Reading(SyncSender<Message>),
    /// The container, which takes readings that no caller waits for.
    Container,
}

/// State that the client's threads share.
pub(crate) struct Shared {
    /// The client's own robot: the server tells of others as well, to whoever asks for them.
    robot: u32,
    state: Mutex<State>,
    changed: Condvar,
    writer: Mutex<TcpStream>,
}

struct State {
    waiters: VecDeque<Waiter>,
    sensors: Arc<Sensors>,
    /// Why there will be nothing more.
    end: Option<String>,
    /// The client is being dropped.
    leaving: bool,
}

/// A panic of another thread leaves the state as it was after its last whole change.
impl Shared {
    pub(crate) fn new(writer: TcpStream, robot: u32, sensors: Sensors) -> Self {
        let state = State { waiters: VecDeque::new(), sensors: Arc::new(sensors), end: None, leaving: false };
        Self { robot, state: Mutex::new(state), changed: Condvar::new(), writer: Mutex::new(writer) }
    }

    /// Sends bytes that get one answer.
    pub(crate) fn send(&self, bytes: &[u8], waiter: Waiter) -> Result<(), Error> {
        // The writer is locked first and longest: waiters stand in the order in which commands go out.
        let mut writer = self.writer.lock();
        {
            let mut state = self.state.lock();
            if let Some(end) = &state.end {
                return Err(Error::Closed(end.clone()));
            }
            state.waiters.push_back(waiter);
        }
        writer.write_all(bytes).map_err(|error| {
            // Half a command may have gone out: nothing more can be said on this connection.
            self.finish(error.to_string());
            Error::Connection(error)
        })
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn call(&self, request: &Request, timeout: Duration) -> Result<Message, Error> {
        self.call_bytes(request.word(), request.bytes(), Waiter::Call, timeout)
    }

    /// Sends bytes that get one answer, and waits for it.
    pub(crate) fn call_bytes(
        &self,
        word: &str,
        bytes: &[u8],
        waiter: fn(SyncSender<Message>) -> Waiter,
        timeout: Duration,
    ) -> Result<Message, Error> {
        let (sender, receiver) = mpsc::sync_channel(1);
        self.send(bytes, waiter(sender))?;
        match receiver.recv_timeout(timeout) {
            Ok(message) if message.word == "ERR" => Err(Error::refused(word, &message)),
            Ok(message) => Ok(message),
            Err(RecvTimeoutError::Timeout) => Err(Error::Timeout(word.into())),
            Err(RecvTimeoutError::Disconnected) => Err(Error::Closed(self.end())),
        }
    }

    fn end(&self) -> String {
        self.state.lock().end.clone().unwrap_or_else(|| "it closed".into())
    }

    pub(crate) fn sensors(&self) -> Arc<Sensors> {
        self.state.lock().sensors.clone()
    }

    /// Waits for readings that came after so many updates.
    pub(crate) fn sensors_after(&self, updates: u64, timeout: Duration) -> Result<Arc<Sensors>, Error> {
        let deadline = Instant::now() + timeout;
        let mut state = self.state.lock();
        while state.sensors.updates() <= updates {
            if let Some(end) = &state.end {
                return Err(Error::Closed(end.clone()));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::Timeout("GET".into()));
            }
            self.changed.wait_for(&mut state, left);
        }
        Ok(state.sensors.clone())
    }

    /// Waits so long, or until the end; false at the end.
    pub(crate) fn rest(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut state = self.state.lock();
        while state.end.is_none() && !state.leaving {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            self.changed.wait_for(&mut state, left);
        }
        false
    }

    /// Says farewell; the server closes the connection after it.
    pub(crate) fn leave(&self) {
        self.state.lock().leaving = true;
        self.changed.notify_all();
        let writer = self.writer.lock();
        let _ = (&*writer).write_all(b"BYE\n");
        let _ = writer.shutdown(Shutdown::Both);
    }

    fn finish(&self, reason: String) {
        let mut state = self.state.lock();
        state.end.get_or_insert(reason);
        // Those who wait see that their sender has gone.
        state.waiters.clear();
        drop(state);
        self.changed.notify_all();
    }

    /// Runs on the receiving thread until the connection ends.
    pub(crate) fn receive(&self, mut stream: TcpStream, mut reader: MessageReader) {
        let mut buffer = vec![0; 65_536];
        let reason = loop {
            match self.take_messages(&mut reader) {
                Ok(None) => {}
                Ok(Some(reason)) => break reason,
                Err(error) => break error.to_string(),
            }
            match stream.read(&mut buffer) {
                Ok(0) => break "it closed the connection".into(),
                Ok(len) => reader.extend(&buffer[..len]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => break error.to_string(),
            }
        };
        self.finish(reason);
    }

    /// Hands out whole messages; a reason if it was the last.
    fn take_messages(&self, reader: &mut MessageReader) -> Result<Option<String>, Error> {
        while let Some(message) = reader.next_message()? {
            match message.word.as_str() {
                "OK" | "ERR" => {
                    let waiter = self.state.lock().waiters.pop_front();
                    match waiter {
                        Some(Waiter::Call(sender)) => drop(sender.send(message)),
                        Some(Waiter::Reading(sender)) => {
                            if message.word == "OK" {
                                self.update(&message)?;
                            }
                            drop(sender.send(message));
                        }
                        Some(Waiter::Container) if message.word == "OK" => self.update(&message)?,
                        Some(Waiter::Container) | None => {}
                    }
                }
                "STATE" if self.is_own(&message) => self.update(&message)?,
                "CLOSE" => return Ok(Some(message.words.join(": "))),
                "GONE" if self.is_own(&message) => {
                    return Ok(Some(format!("the robot is gone: {}", message.words.join(" "))));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Whether a message that came unasked is about the client's own robot, and not one that it also has pushed or made.
    fn is_own(&self, message: &Message) -> bool {
        message.number::<u32>("robot").is_ok_and(|robot| robot == self.robot)
    }

    fn update(&self, message: &Message) -> Result<(), Error> {
        let sensors = Arc::new(self.sensors().updated(message)?);
        self.state.lock().sensors = sensors;
        self.changed.notify_all();
        Ok(())
    }
}
