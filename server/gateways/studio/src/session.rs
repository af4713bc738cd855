//! One page's WebSocket, from hello to close.

mod enter;
mod past;

use crate::entrance::Entrance;
use crate::message::{FromPage, ToPage, VERSION, encode_frame};
use crate::scene::{self, Scene};
use crate::{Context, Peer, Recording, Status};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use enter::enter;
use past::Past;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, timeout};
use touchline_sim::Frame;

type LineReader = tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>;

/// A page is shown at most this many Frames a second.
const FRAMES_PER_SEC: f64 = 60.0;
/// What robots publish about themselves is sent at most this often.
const ANNOTATION_PERIOD: Duration = Duration::from_millis(100);
/// The status is sent this often, and at once when somebody changes it.
const STATUS_PERIOD: Duration = Duration::from_millis(250);

/// What is on its way to the page of the board's lines: a ping that is sent behind them is answered by any browser when
/// they have come.
#[derive(Default)]
struct Lines {
    sent: u64,
    /// So much had been sent at the last ping, and at the last one that was answered.
    asked: u64,
    come: u64,
}

/// Reason for the end of a session.
enum End {
    /// The page went, or the network did.
    Gone,
    /// We end it, for this reason.
    Closed(u16, String),
}

pub(crate) async fn run(socket: WebSocket, peer: Peer, context: Context) {
    let unread = context.limits.unread;
    tracing::debug!(peer = %peer.address, "studio: page connected");
    let mut socket = socket;
    let entrance = match enter(&mut socket, &peer, &context).await {
        Ok(entrance) => entrance,
        Err(end) => return close(&mut socket, end, unread, &peer).await,
    };
    // Who was not let in sees nothing: a world that is only shown does not wait for it.
    let _open = Open::count(&context.pages);
    let mut session = Session::new(socket, entrance, &peer, context);
    let end = session.serve().await;
    close(&mut session.socket, end, unread, &peer).await;
}

/// Tells the page why it is ended, if we do that.
async fn close(socket: &mut WebSocket, end: End, unread: Duration, peer: &Peer) {
    if let End::Closed(code, reason) = end {
        tracing::debug!(peer = %peer.address, reason, "studio: page closed");
        if code == close_code::POLICY {
            let _ = say(socket, &ToPage::Error { message: reason.clone() }, unread).await;
        }
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = timeout(unread.min(Duration::from_secs(1)), socket.send(close)).await;
    }
}

/// A page that counts as connected, however its session ends.
struct Open(Arc<AtomicUsize>);

impl Open {
    fn count(pages: &Arc<AtomicUsize>) -> Self {
        pages.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(pages))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Session {
    socket: WebSocket,
    entrance: Entrance,
    context: Context,
    /// What the message board says to this page, and where it is spoken to; none if there is no board.
    board: Option<(LineReader, WriteHalf<DuplexStream>)>,
    lines: Lines,
    /// Tells the board what it answers questions about robots from.
    looked: watch::Sender<Option<Arc<Frame>>>,
    scene: Scene,
    /// The revision of the Frame that was sent last.
    shown: Option<u64>,
    /// The revision of the Frame whose annotations were sent last.
    annotated: Option<u64>,
    /// Frames sent and frames read.
    sent: u32,
    read: u32,
    /// When the page last read something, or owed nothing.
    read_at: Instant,
    status: Option<(Status, Instant)>,
    /// What the page knows of it.
    recording: Recording,
    /// What was last said to keep the world.
    stall: Option<Arc<str>>,
    /// What was last said to be played.
    caption: Option<Arc<str>>,
    past: Past,
    annotated_at: Option<Instant>,
}

impl Session {
    fn new(socket: WebSocket, mut entrance: Entrance, peer: &Peer, context: Context) -> Self {
        let (looked, looks) = watch::channel(None);
        let board = context.source.board(entrance.pass(), peer.ip(), looks).map(|board| {
            let (from_board, to_board) = tokio::io::split(board);
            (BufReader::new(from_board).lines(), to_board)
        });
        // Without a board nobody has anything to say.
        if board.is_none() {
            entrance.looking_on();
        }
        Self {
            socket,
            entrance,
            context,
            board,
            lines: Lines::default(),
            looked,
            scene: Scene::default(),
            shown: None,
            annotated: None,
            recording: Recording::default(),
            stall: None,
            caption: None,
            sent: 0,
            read: 0,
            read_at: Instant::now(),
            status: None,
            past: Past::default(),
            annotated_at: None,
        }
    }

    async fn serve(&mut self) -> End {
        if let Err(end) = self.hello().await {
            return end;
        }
        let mut ticks = tokio::time::interval(Duration::from_secs_f64(1.0 / FRAMES_PER_SEC));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            let takes_lines = self.takes_lines();
            let done = tokio::select! {
                _ = self.context.stop.changed() => Err(End::Closed(close_code::AWAY, "the server stops".into())),
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.heard(message).await,
                    Some(Err(_)) | None => Err(End::Gone),
                },
                line = next_line(&mut self.board), if takes_lines => match line {
                    Ok(Some(text)) => self.pass_on(&text).await,
                    Ok(None) | Err(_) => Err(End::Closed(close_code::AWAY, "the board ended this connection".into())),
                },
                (tick, looked) = self.past.arrives() => self.looked(tick, looked).await,
                _ = ticks.tick() => self.tick().await,
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    async fn hello(&mut self) -> Result<(), End> {
        let (scenario, frame) = (self.context.source.scenario(), self.context.source.frame());
        let hello = ToPage::Hello {
            version: VERSION,
            server: env!("CARGO_PKG_VERSION"),
            world: &scenario.name,
            seed: scenario.seed,
            dt_secs: scenario.dt_secs,
            role: self.entrance.role().as_str(),
            board: self.board.is_some(),
            referee: scenario.referee.as_ref().map(|referee| referee.plugin.as_str()),
            teams: scene::teams(&scenario),
            fixtures: scene::fixtures(&frame),
        };
        self.say(&hello).await
    }

    /// Sends what is new: the status, and the newest Frame if the page keeps up.
    async fn tick(&mut self) -> Result<(), End> {
        self.send_status().await?;
        if !self.keeps_up() {
            if self.read_at.elapsed() >= self.context.limits.unread {
                return Err(End::Closed(close_code::POLICY, "the page does not read what it is sent".into()));
            }
            return Ok(());
        }
        let frame = match &self.past.shown {
            Some((_, frame)) => Arc::clone(frame),
            None => self.context.source.frame(),
        };
        if self.shown == Some(frame.revision) {
            return self.send_annotations(&frame).await;
        }
        let scenario = self.context.source.scenario();
        let messages =
            [self.scene.objects(&frame), self.scene.game(&frame), self.scene.events(&frame, &scenario)];
        for message in messages.iter().flatten() {
            self.say(message).await?;
        }
        if self.sent == self.read {
            self.read_at = Instant::now();
        }
        self.sent = self.sent.wrapping_add(1);
        self.send(Message::Binary(encode_frame(&frame, self.sent).into())).await?;
        self.shown = Some(frame.revision);
        self.send_annotations(&frame).await
    }

    /// Sends what robots publish, unless it was just now; what is left out comes at another tick, also while nothing moves.
    async fn send_annotations(&mut self, frame: &Frame) -> Result<(), End> {
        // What a robot publishes comes after the robot.
        if !self.entrance.sees_thoughts()
            || self.annotated == Some(frame.revision)
            || self.shown != Some(frame.revision)
            || self.annotated_at.is_some_and(|at| at.elapsed() < ANNOTATION_PERIOD)
        {
            return Ok(());
        }
        self.annotated = Some(frame.revision);
        let messages = self.scene.annotations(frame);
        for message in &messages {
            self.say(message).await?;
            self.annotated_at = Some(Instant::now());
        }
        Ok(())
    }

    async fn send_status(&mut self) -> Result<(), End> {
        let status = self.context.source.status();
        let due = self.status.is_none_or(|(last, at)| {
            let is_moved = status.paused && last.tick != status.tick;
            let is_set = (last.paused, last.speed) != (status.paused, status.speed);
            let is_other = (last.recording, last.episode) != (status.recording, status.episode);
            is_moved || is_set || is_other || at.elapsed() >= STATUS_PERIOD
        });
        if due {
            let mut recording = self.context.source.recording();
            if !self.entrance.sees_paths() {
                // A failure names its file.
                recording.failure = recording.failure.map(|_| "it failed".into());
            }
            if self.recording != recording {
                self.say(&ToPage::Recording(&recording)).await?;
                self.recording = recording;
            }
            let stall = self.context.source.stall();
            if self.stall != stall {
                self.say(&ToPage::Stall { reason: stall.as_deref() }).await?;
                self.stall = stall;
            }
            let caption = self.context.source.caption();
            if self.caption != caption {
                self.say(&ToPage::Caption { text: caption.as_deref() }).await?;
                self.caption = caption;
            }
            self.status = Some((status, Instant::now()));
            self.say(&ToPage::Status(status)).await?;
        }
        Ok(())
    }

    async fn heard(&mut self, message: Message) -> Result<(), End> {
        let rubbish = |why: String| Err(End::Closed(close_code::POLICY, why));
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return rubbish("a binary message; a page sends text".into()),
            Message::Close(_) => return Err(End::Gone),
            Message::Ping(_) => return Ok(()),
            Message::Pong(bytes) => {
                let come = bytes.as_ref().try_into().map(u64::from_le_bytes).unwrap_or_default();
                // Anybody may send a pong that nobody has asked for.
                if (self.lines.come..=self.lines.asked).contains(&come) {
                    self.lines.come = come;
                }
                return Ok(());
            }
        };
        if !text.starts_with('{') {
            return self.tell_board(&text).await;
        }
        let ack = match serde_json::from_str(&text) {
            Ok(FromPage::Ack(ack)) => ack,
            Ok(FromPage::Look(look)) => return self.look(look).await,
            Ok(FromPage::Key(_)) => return rubbish("this page is in already".into()),
            Err(_) => {
                let text =
                    clip(format!("neither {{\"ack\":N}}, {{\"look\":N}} nor a line of the board: {text}"));
                return rubbish(text);
            }
        };
        // Counted from the last one read, so that the numbers may wrap.
        if ack.wrapping_sub(self.read) > self.sent.wrapping_sub(self.read) {
            return rubbish(format!("frame {ack} was not sent, or was read before"));
        }
        (self.read, self.read_at) = (ack, Instant::now());
        Ok(())
    }

    /// Whether the page has read enough of its frames to be sent another one.
    fn keeps_up(&self) -> bool {
        self.sent.wrapping_sub(self.read) < self.context.limits.unread_frames
    }

    /// Whether the page is to be told what the board says. What it says of a tick that is looked at comes after its Frame.
    fn takes_lines(&self) -> bool {
        let is_shown = self.past.shown.as_ref().is_none_or(|(_, frame)| self.shown == Some(frame.revision));
        is_shown && self.keeps_up() && self.lines.sent - self.lines.come < self.context.limits.unread_bytes
    }

    async fn pass_on(&mut self, line: &str) -> Result<(), End> {
        self.say(&ToPage::Line { text: line }).await?;
        self.lines.sent += line.len() as u64;
        if self.lines.sent - self.lines.asked >= self.context.limits.unread_bytes / 4 {
            self.lines.asked = self.lines.sent;
            self.send(Message::Ping(self.lines.asked.to_le_bytes().to_vec().into())).await?;
        }
        Ok(())
    }

    /// Passes a line on; the board answers for it, whatever it is.
    async fn tell_board(&mut self, line: &str) -> Result<(), End> {
        let Some((_, board)) = &mut self.board else {
            return Err(End::Closed(
                close_code::POLICY,
                "there is no message board here: this world is only shown".into(),
            ));
        };
        let told = async {
            board.write_all(line.as_bytes()).await?;
            board.write_all(b"\n").await
        };
        match timeout(self.context.limits.unread, told).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Closed(close_code::AWAY, "the board does not listen any more".into())),
        }
    }

    async fn say(&mut self, message: &ToPage<'_>) -> Result<(), End> {
        say(&mut self.socket, message, self.context.limits.unread).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        send(&mut self.socket, message, self.context.limits.unread).await
    }
}

async fn say(socket: &mut WebSocket, message: &ToPage<'_>, unread: Duration) -> Result<(), End> {
    // Only numbers, text and lists of them go in, which JSON always takes.
    let text = serde_json::to_string(message).map_err(|_| End::Gone)?;
    send(socket, Message::Text(text.into()), unread).await
}

async fn send(socket: &mut WebSocket, message: Message, unread: Duration) -> Result<(), End> {
    match timeout(unread, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}

/// What the board says next; never if there is none.
async fn next_line(
    board: &mut Option<(LineReader, WriteHalf<DuplexStream>)>,
) -> std::io::Result<Option<String>> {
    match board {
        Some((lines, _)) => lines.next_line().await,
        None => std::future::pending().await,
    }
}

/// A close frame's reason has at most 123 bytes.
fn clip(mut text: String) -> String {
    while text.len() > 120 {
        text.pop();
    }
    text
}
