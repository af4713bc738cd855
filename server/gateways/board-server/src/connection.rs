//! One connection, from greeting to end.

use crate::Board;
use crate::lobby::{KeySeat, Seat};
use crate::session::{Limits, Session, SessionConfig};
use crate::talk::{TURN_BYTES, Talk};
use crate::view::View;
use socket2::{SockRef, TcpKeepalive};
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use touchline_gate::EachStep;

/// An idle connection is probed after this time, and then at this interval until the system gives it up.
const KEEPALIVE_TIME: Duration = Duration::from_secs(30);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const READ_BYTES: usize = 8192;
/// So much of what is sent may lie with the system: who reads nothing costs no more than this.
const SEND_BUFFER_BYTES: usize = 256 << 10;
/// Who sends a line in pieces is read more and more seldom, up to this.
const LONGEST_PIECE_PAUSE: Duration = Duration::from_millis(64);
/// How long a client over the network may take nothing of what is sent to it.
const STALLED: Duration = Duration::from_secs(5);
/// How long a client may take to read the last words.
const LINGER: Duration = Duration::from_secs(1);
/// When the server stops, what has been begun may take so long to be answered.
const LAST_ANSWERS: Duration = Duration::from_millis(250);

/// How long a client may do nothing.
#[derive(Clone, Copy)]
pub(crate) struct Timeouts {
    /// Until it takes something of what is sent to it.
    pub stalled: Duration,
    /// Until it has sent a line that is a command, and shown its key where there are keys.
    pub first_line: Duration,
}

/// What holds for a client over the network; for others somebody else sees to that.
pub(crate) struct Bounds {
    pub timeouts: Timeouts,
    pub seat: Seat,
}

impl Bounds {
    fn new(limits: &Limits, seat: Seat) -> Self {
        let first_line = Duration::from_secs(limits.table.first_line_s.into());
        Self { timeouts: Timeouts { stalled: STALLED, first_line }, seat }
    }
}

/// Serves a socket until it ends, and removes its robots.
pub(crate) async fn run_socket(board: Arc<Board>, mut stream: TcpStream, peer: SocketAddr, seat: Seat) {
    prepare(&stream);
    let config = board.session_config(peer.ip());
    let (mut reader, mut writer) = stream.split();
    let bounds = Some(Bounds::new(&config.limits, seat));
    run(board, &mut reader, &mut writer, config, peer.to_string(), View::of_now(), bounds).await;
}

/// Serves a connection until it ends, and removes its robots.
pub(crate) async fn run(
    board: Arc<Board>,
    reader: &mut (impl AsyncRead + Unpin),
    writer: &mut (impl AsyncWrite + Unpin),
    config: SessionConfig,
    peer: String,
    view: View,
    bounds: Option<Bounds>,
) {
    tracing::debug!(peer, "board: connected");
    let share = bounds.as_ref().and_then(|bounds| bounds.seat.share.clone());
    let talk = Talk::new(Arc::clone(&board), Session::new(config).shares(share), peer.clone(), view);
    let mut connection = Connection { talk, bounds, of_key: None, each_step: None };
    let end = connection.serve(reader, writer).await;
    tracing::debug!(peer, ?end, "board: ended");
    let linger_for = if board.signals.borrow().stopping { LINGER / 10 } else { LINGER };
    let last_words = connection.talk.session.output().to_vec();
    connection.talk.leave().await;
    if end.is_ok() {
        linger(reader, writer, &last_words, linger_for).await;
    }
}

/// Small answers go out at once, and an other end that vanished without a word is found out.
fn prepare(stream: &TcpStream) {
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE_TIME).with_interval(KEEPALIVE_INTERVAL);
    let socket = SockRef::from(stream);
    let set = stream.set_nodelay(true).and(socket.set_tcp_keepalive(&keepalive));
    let set = set.and(socket.set_send_buffer_size(SEND_BUFFER_BYTES));
    if let Err(error) = set {
        tracing::debug!(%error, "board: a connection without its options");
    }
}

/// Lets the client read what is sent last: closing a socket with unread input would throw that away.
async fn linger(
    reader: &mut (impl AsyncRead + Unpin),
    writer: &mut (impl AsyncWrite + Unpin),
    last_words: &[u8],
    linger_for: Duration,
) {
    let mut buffer = [0; 1024];
    let drain = async {
        let _ = writer.write_all(last_words).await;
        let _ = writer.shutdown().await;
        while reader.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
    };
    let _ = timeout(linger_for, drain).await;
}

/// A talk, and what it needs of the outside.
struct Connection {
    talk: Talk,
    bounds: Option<Bounds>,
    /// As soon as it is known whose key it has shown. Also of a page's: how it has come does not give it a share of its own.
    of_key: Option<KeySeat>,
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
        let mut signal = self.talk.board.signals.subscribe();
        let mut buffer = vec![0; READ_BYTES];
        let mut stalled_at = None;
        let timeouts = self.bounds.as_ref().map(|bounds| bounds.timeouts);
        let silent_at = timeouts.map(|timeouts| Instant::now() + timeouts.first_line);
        // When the server stops, nothing is begun any more; what was begun is answered.
        let mut stops_at: Option<Instant> = None;
        // Since others have had their turn.
        let mut sent_bytes = 0;
        let mut pieces = Pieces::default();
        loop {
            if stops_at.is_none() {
                self.talk.work(self.talk.board.gate.now_us());
            } else if self.talk.is_idle() {
                return self.stop();
            }
            self.join_its_key();
            let unsent = !self.talk.session.output().is_empty();
            if self.talk.session.is_closing() && !unsent {
                return Ok(());
            }
            let now = Instant::now();
            stalled_at = timeouts
                .filter(|_| unsent)
                .map(|timeouts| stalled_at.unwrap_or_else(|| now + timeouts.stalled));
            let silent_at = silent_at.filter(|_| !self.talk.session.is_introduced());
            if silent_at.is_none()
                && let Some(bounds) = &self.bounds
            {
                bounds.seat.keep();
            }
            let is_due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
            if is_due(stops_at) {
                return self.stop();
            }
            if is_due(stalled_at) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let is_silent = silent_at.is_some() && !self.talk.session.is_closing();
            if is_silent && is_due(silent_at) {
                self.talk.session.close_silent();
                continue;
            }
            let take_at = self.talk.session.take_held_us().map(|us| self.instant(us));
            let (take_at, push_at) =
                if stops_at.is_none() { (take_at, self.push_at()) } else { (None, None) };
            let read_at = pieces.read_at.filter(|&at| at > now && self.bounds.is_some());
            let alarm_at = [stops_at, stalled_at, silent_at.filter(|_| is_silent), take_at, push_at, read_at];
            let alarm_at = alarm_at.into_iter().flatten().min();
            self.follow_steps();
            let mut each_step = self.each_step.take();
            // In this order: what is asked in one go would else wait for timers that are set in vain.
            tokio::select! {
                biased;
                changed = signal.changed(), if stops_at.is_none() => {
                    self.talk.robots_have_gone();
                    if changed.is_err() || signal.borrow_and_update().stopping {
                        stops_at = Some(Instant::now() + LAST_ANSWERS);
                    }
                }
                () = gives_way(&mut self.bounds), if is_silent => {
                    self.talk.session.close("board/gives-way", "the server is full, and you have shown neither command nor key");
                    // Whoever takes the place does not wait for this one to read.
                    let _ = timeout(Duration::ZERO, writer.write(self.talk.session.output())).await;
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
                done = self.talk.under_way.next(), if !self.talk.is_idle() => {
                    // What an ordered step has made due comes before the answer to the order.
                    self.talk.push(self.talk.board.gate.now_us());
                    self.talk.conclude(done);
                }
                sent = writer.write(self.talk.session.output()), if unsent => {
                    let sent = sent?;
                    self.talk.session.consume_output(sent);
                    stalled_at = None;
                    sent_bytes += sent;
                    if sent_bytes >= TURN_BYTES {
                        // Others are served before more is made for this one: it may have asked for megabytes, and have room for them.
                        sent_bytes = 0;
                        let_others_run().await;
                    }
                }
                () = next_step(&mut each_step), if stops_at.is_none() && each_step.is_some() => {}
                read = reader.read(&mut buffer), if stops_at.is_none() && read_at.is_none() && self.talk.session.wants_input() => match read? {
                    0 => self.talk.session.input_ended(),
                    read => {
                        pieces.came(&buffer[..read], Instant::now());
                        self.talk.session.receive(&buffer[..read], self.talk.board.gate.now_us());
                    }
                },
                () = ring(alarm_at) => {}
            }
            self.each_step = each_step;
        }
    }

    /// As soon as it has shown a key it is counted with all others that have.
    fn join_its_key(&mut self) {
        if self.of_key.is_some() || self.talk.session.is_closing() {
            return;
        }
        let Some(key) = self.talk.session.pass().and_then(|pass| pass.name.clone()) else { return };
        match self.talk.board.lobby.join_key(&key) {
            Ok((seat, share)) => {
                self.of_key = Some(seat);
                self.talk.session.shares_of_key(share);
            }
            Err((code, why)) => self.talk.session.close(code, &why),
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        let why = match self.talk.board.signals.borrow().restarts {
            true => "the world starts anew: connect again",
            false => "the server is stopping",
        };
        self.talk.session.close("board/stopping", why);
        Ok(())
    }

    /// Looks at each step as long as it pushes by the world's time.
    fn follow_steps(&mut self) {
        if !self.talk.follows_steps() {
            self.each_step = None;
        } else if self.each_step.is_none() {
            self.each_step = Some(self.talk.board.gate.each_step());
        }
    }

    /// When something is due by the clock on the wall.
    fn push_at(&self) -> Option<Instant> {
        self.talk.push_at_us().map(|due_us| self.instant(due_us))
    }

    fn instant(&self, us: u64) -> Instant {
        Instant::now() + Duration::from_micros(us.saturating_sub(self.talk.board.gate.now_us()))
    }
}

/// What comes without the end of a line: a client that sends each line whole never waits for it.
#[derive(Default)]
struct Pieces {
    /// So many came one after the other.
    count: u32,
    /// When more is read.
    read_at: Option<Instant>,
}

impl Pieces {
    fn came(&mut self, bytes: &[u8], now: Instant) {
        self.count = if bytes.contains(&b'\n') { 0 } else { self.count + 1 };
        // A long line comes in two or three pieces from afar.
        let pause = Duration::from_millis(1 << self.count.saturating_sub(2).min(16)).min(LONGEST_PIECE_PAUSE);
        self.read_at = (self.count > 2).then(|| now + pause);
    }
}

/// Goes to the end of the queue. Tokio's `yield_now` keeps the task with the worker's thread, where no other worker finds it, until that thread
/// comes back from its next task: that may be in a plugin that does not return.
pub(crate) async fn let_others_run() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if std::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Completes at an instant, if there is one.
async fn ring(alarm_at: Option<Instant>) {
    match alarm_at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Completes when another client shall have the place.
async fn gives_way(bounds: &mut Option<Bounds>) {
    match bounds {
        Some(bounds) => bounds.seat.gives_way().await,
        None => std::future::pending().await,
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

#[cfg(test)]
mod tests;
