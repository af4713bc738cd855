//! One connection, from greeting to end.

use crate::Board;
use crate::session::{Session, SessionConfig};
use crate::talk::Talk;
use crate::view::View;
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use touchline_gate::EachStep;

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
    let talk = Talk::new(Arc::clone(&board), Session::new(config), peer.clone(), view);
    let mut connection = Connection { talk, stalled, each_step: None };
    let end = connection.serve(reader, writer).await;
    tracing::debug!(peer, ?end, "board: ended");
    let patience = if board.signals.borrow().stopping { LINGER / 10 } else { LINGER };
    let last_words = connection.talk.session.output().to_vec();
    connection.talk.leave().await;
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

/// A talk, and what it needs of the outside.
struct Connection {
    talk: Talk,
    /// After so long without reading it is given up; never, if somebody else sees to that.
    stalled: Option<Duration>,
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
        // When the server stops, nothing is begun any more; what was begun is answered.
        let mut stops_at: Option<Instant> = None;
        loop {
            if stops_at.is_none() {
                self.talk.work(self.talk.board.gate.now_us());
            } else if self.talk.is_idle() {
                return self.stop();
            }
            let unsent = !self.talk.session.output().is_empty();
            if self.talk.session.is_closing() && !unsent {
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
                read = reader.read(&mut buffer), if stops_at.is_none() && self.talk.session.wants_input() => match read? {
                    0 => self.talk.session.input_ended(),
                    read => self.talk.session.receive(&buffer[..read], self.talk.board.gate.now_us()),
                },
                sent = writer.write(self.talk.session.output()), if unsent => {
                    self.talk.session.consume_output(sent?);
                    stalled_at = None;
                }
                done = self.talk.under_way.next(), if !self.talk.is_idle() => {
                    // What an ordered step has made due comes before the answer to the order.
                    self.talk.push(self.talk.board.gate.now_us());
                    self.talk.conclude(done);
                }
                () = sleep_until(push_at.unwrap_or_else(Instant::now)), if push_at.is_some() => {}
                () = next_step(&mut each_step), if stops_at.is_none() && each_step.is_some() => {}
                () = sleep_until(stalls_at.unwrap_or_else(Instant::now)), if stalls_at.is_some() => return Err(io::ErrorKind::TimedOut.into()),
                () = sleep_until(stops_at.unwrap_or_else(Instant::now)), if stops_at.is_some() => return self.stop(),
                changed = signal.changed(), if stops_at.is_none() => {
                    self.talk.robots_have_gone();
                    if changed.is_err() || signal.borrow_and_update().stopping {
                        stops_at = Some(Instant::now() + LAST_ANSWERS);
                    }
                }
            }
            self.each_step = each_step;
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        self.talk.session.close("board/stopping", "the server is stopping");
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
        let due_us = self.talk.push_at_us()?;
        Some(Instant::now() + Duration::from_micros(due_us.saturating_sub(self.talk.board.gate.now_us())))
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
