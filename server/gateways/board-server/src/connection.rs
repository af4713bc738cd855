//! One connection, from greeting to end.

use crate::execute::is_question;
use crate::shown::Shown;
use crate::view::View;
use crate::{Board, readings};
use socket2::{SockRef, TcpKeepalive};
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use touchline_board::{Incoming, Reply, Session, SessionConfig, Ticket};
use touchline_gate::{Client, EachStep, Role};
use touchline_sim::RobotNumber;

/// An idle connection is probed after this time, and then at this interval until the system gives it up.
const KEEPALIVE_TIME: Duration = Duration::from_secs(30);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const READ_BYTES: usize = 8192;
/// A client that takes nothing of what is sent to it for so long has its connection ended.
const STALLED: Duration = Duration::from_secs(5);
/// How long a client may take to read the last words.
const LINGER: Duration = Duration::from_secs(1);
/// When the server stops, what has been begun may take so long to be answered.
const LAST_ANSWERS: Duration = Duration::from_millis(250);

/// Serves a socket until it ends, and removes its robots.
pub(crate) async fn run_socket(board: Arc<Board>, mut stream: TcpStream, peer: SocketAddr) {
    prepare(&stream);
    let config = board.session_config(peer.ip().to_canonical().is_loopback());
    let (mut reader, mut writer) = stream.split();
    run(board, &mut reader, &mut writer, config, peer.to_string(), View::of_now(), Some(STALLED)).await;
}

/// Serves a connection until it ends, and removes its robots.
pub(crate) async fn run(
    board: Arc<Board>,
    reader: &mut (impl AsyncRead + Unpin),
    writer: &mut (impl AsyncWrite + Unpin),
    config: SessionConfig,
    peer: String,
    view: View,
    stalled: Option<Duration>,
) {
    tracing::debug!(peer, "board: connected");
    let mut connection = Connection {
        session: Session::new(config),
        client: board.gate.client(Role::Player, peer.as_str()),
        board,
        view,
        stalled,
        peer,
        waiting: None,
        outstanding: VecDeque::new(),
        check_robots: false,
        each_step: None,
    };
    let end = connection.serve(reader, writer).await;
    tracing::debug!(peer = connection.peer, ?end, "board: ended");
    let patience = if connection.board.signals.borrow().stopping { LINGER / 10 } else { LINGER };
    let last_words = connection.session.output().to_vec();
    connection.leave().await;
    if end.is_ok() {
        linger(reader, writer, &last_words, patience).await;
    }
}

/// Small answers go out at once, and an other end that vanished without a word is found out.
fn prepare(stream: &TcpStream) {
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE_TIME).with_interval(KEEPALIVE_INTERVAL);
    let set = stream.set_nodelay(true).and(SockRef::from(stream).set_tcp_keepalive(&keepalive));
    if let Err(error) = set {
        tracing::debug!(%error, "board: a connection without its options");
    }
}

/// Lets the client read what is sent last: closing a socket with unread input would throw that away.
async fn linger(
    reader: &mut (impl AsyncRead + Unpin),
    writer: &mut (impl AsyncWrite + Unpin),
    last_words: &[u8],
    patience: Duration,
) {
    let mut buffer = [0; 1024];
    let drain = async {
        let _ = writer.write_all(last_words).await;
        let _ = writer.shutdown().await;
        while reader.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
    };
    let _ = timeout(patience, drain).await;
}

/// What a request has come to.
pub(crate) enum Done {
    Answer(Reply),
    /// A robot was made for this client.
    Made(RobotNumber),
    /// A robot was removed by this client.
    Removed(RobotNumber),
}

/// A request that is being carried out elsewhere.
pub(crate) struct Outstanding {
    pub ticket: Ticket,
    /// Whether no other request may begin before this one is done.
    pub blocks: bool,
    /// Whether a robot may come of it that is this client's own.
    pub makes_robot: bool,
    pub done: Pin<Box<dyn Future<Output = Done> + Send>>,
}

pub(crate) struct Connection {
    pub board: Arc<Board>,
    pub session: Session,
    /// What questions about a robot are answered from.
    pub view: View,
    /// After so long without reading it is given up; never, if somebody else sees to that.
    stalled: Option<Duration>,
    /// What the client is called until it says a name.
    peer: String,
    client: Client,
    /// A question that waits until all commands before it are carried out.
    waiting: Option<Incoming>,
    /// In the order of their tickets.
    outstanding: VecDeque<Outstanding>,
    /// Robots have gone; perhaps one that matters here.
    check_robots: bool,
    /// While something is pushed by the world's time: what is published, each step of it.
    each_step: Option<EachStep>,
}

impl Connection {
    /// Until the connection ends in good order, or breaks.
    async fn serve(
        &mut self,
        reader: &mut (impl AsyncRead + Unpin),
        writer: &mut (impl AsyncWrite + Unpin),
    ) -> io::Result<()> {
        let mut signal = self.board.signals.subscribe();
        let mut buffer = vec![0; READ_BYTES];
        let mut stalled_at = None;
        // When the server stops, nothing is begun any more; what was begun is answered.
        let mut stops_at: Option<Instant> = None;
        loop {
            if stops_at.is_none() {
                self.work();
            } else if self.outstanding.is_empty() {
                return self.stop();
            }
            let unsent = !self.session.output().is_empty();
            if self.session.is_closing() && !unsent {
                return Ok(());
            }
            let stalls_at = match (unsent, self.stalled) {
                (true, Some(stalled)) => Some(*stalled_at.get_or_insert_with(|| Instant::now() + stalled)),
                _ => None,
            };
            if !unsent {
                stalled_at = None;
            }
            let push_at = if stops_at.is_none() { self.push_at() } else { None };
            self.follow_steps();
            let mut each_step = self.each_step.take();
            tokio::select! {
                read = reader.read(&mut buffer), if stops_at.is_none() && self.session.wants_input() => match read? {
                    0 => self.session.input_ended(),
                    read => self.session.receive(&buffer[..read], self.board.gate.now_us()),
                },
                sent = writer.write(self.session.output()), if unsent => {
                    self.session.consume_output(sent?);
                    stalled_at = None;
                }
                done = next_done(&mut self.outstanding), if !self.outstanding.is_empty() => {
                    if let Some((ticket, done)) = done {
                        // What an ordered step has made due comes before the answer to the order.
                        self.push();
                        self.conclude(ticket, done);
                    }
                }
                () = sleep_until(push_at.unwrap_or_else(Instant::now)), if push_at.is_some() => {}
                () = next_step(&mut each_step), if stops_at.is_none() && each_step.is_some() => {}
                () = sleep_until(stalls_at.unwrap_or_else(Instant::now)), if stalls_at.is_some() => return Err(io::ErrorKind::TimedOut.into()),
                () = sleep_until(stops_at.unwrap_or_else(Instant::now)), if stops_at.is_some() => return self.stop(),
                changed = signal.changed(), if stops_at.is_none() => {
                    self.check_robots = true;
                    if changed.is_err() || signal.borrow_and_update().stopping {
                        stops_at = Some(Instant::now() + LAST_ANSWERS);
                    }
                }
            }
            self.each_step = each_step;
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        self.session.close("board/stopping", "the server is stopping");
        Ok(())
    }

    /// Does all that can be done without waiting.
    fn work(&mut self) {
        loop {
            let worked = self.take_requests();
            if self.check_robots && self.outstanding.is_empty() {
                self.check_robots = false;
                self.find_gone();
            }
            self.push();
            if !worked {
                return;
            }
        }
    }

    /// Takes the session's requests as far as they may begin now; gives whether there was one.
    fn take_requests(&mut self) -> bool {
        let mut worked = false;
        while !self.session.is_closing() && self.outstanding.back().is_none_or(|last| !last.blocks) {
            let now_us = self.board.gate.now_us();
            let Some(incoming) = self.waiting.take().or_else(|| self.session.next_request(now_us)) else {
                break;
            };
            if !self.outstanding.is_empty() && is_question(&incoming.request) {
                self.waiting = Some(incoming);
                break;
            }
            worked = true;
            let ticket = incoming.ticket;
            match self.execute(incoming) {
                Ok(None) => {}
                Ok(Some(outstanding)) => self.outstanding.push_back(outstanding),
                Err(reply) => self.session.answer(ticket, &reply),
            }
        }
        worked
    }

    /// Looks at each step as long as it pushes by the world's time.
    fn follow_steps(&mut self) {
        if self.view.is_page() || !self.session.has_pushes() {
            self.each_step = None;
        } else if self.each_step.is_none() {
            self.each_step = Some(self.board.gate.each_step());
        }
    }

    /// When something is due by the clock on the wall.
    fn push_at(&self) -> Option<Instant> {
        if !self.view.is_page() {
            return None;
        }
        let due_us = self.session.next_push_us()?;
        Some(Instant::now() + Duration::from_micros(due_us.saturating_sub(self.board.gate.now_us())))
    }

    /// Sends what is due.
    fn push(&mut self) {
        if self.session.next_push_us().is_none() {
            return;
        }
        let published = self.view.shown(&self.board.gate, &self.board.newest);
        let now_us = self.push_clock_us(&published);
        while let Some(due) = self.session.due_push(now_us) {
            match readings::read(&self.session, &published, due.robot, &due.selected) {
                Some(state) => self.session.push(state, due.robot),
                // At a moment of the past it may not have been there yet.
                None if self.view.is_past() => {}
                None => self.session.robot_gone(due.robot, "removed"),
            }
        }
    }

    /// The clock by which is pushed: the world's, but for pages.
    pub(crate) fn push_clock_us(&self, published: &Shown) -> u64 {
        if self.view.is_page() { self.board.gate.now_us() } else { published.sim_us() }
    }

    /// Tells the client which of its robots have gone.
    fn find_gone(&mut self) {
        let published = self.board.gate.newest();
        let gone = self.session.own_robots().filter(|&robot| published.frame.robot(robot).is_none());
        for robot in gone.collect::<Vec<_>>() {
            self.session.robot_gone(robot, "removed");
        }
        self.client.forget_gone();
    }

    fn conclude(&mut self, ticket: Ticket, done: Done) {
        match done {
            Done::Answer(reply) => self.session.answer(ticket, &reply),
            Done::Made(robot) => self.session.answer_robot(ticket, robot),
            Done::Removed(robot) => {
                self.session.answer_ok(ticket);
                self.session.robot_gone(robot, "removed");
            }
        }
    }

    /// The client as the gate shall know it: by what it has said of itself so far.
    pub(crate) fn client(&mut self) -> &mut Client {
        let name = match self.session.name() {
            "" => &self.peer,
            name => name,
        };
        let role = match self.session.role() {
            touchline_board::Role::Observer => Role::Observer,
            touchline_board::Role::Player => Role::Player,
            touchline_board::Role::Operator => Role::Operator,
        };
        self.client.introduce(role, name);
        &mut self.client
    }

    /// Removes the robots that this connection has made or is about to make, and gives back what it has taken over.
    async fn leave(self) {
        for outstanding in self.outstanding.into_iter().filter(|outstanding| outstanding.makes_robot) {
            outstanding.done.await;
        }
        self.client.leave().await;
    }
}

/// Completes when another step is there to be looked at.
async fn next_step(each_step: &mut Option<EachStep>) {
    if let Some(steps) = each_step
        && !steps.next().await
    {
        // The loop has ended.
        *each_step = None;
    }
}

/// Takes the oldest when it is done.
async fn next_done(outstanding: &mut VecDeque<Outstanding>) -> Option<(Ticket, Done)> {
    let done = outstanding.front_mut()?.done.as_mut().await;
    outstanding.pop_front().map(|outstanding| (outstanding.ticket, done))
}
