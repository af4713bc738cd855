//! Sockets: each player and the coach on a thread of its own, until the game is over or the server is gone.

use crate::{Coach, Player, Refused};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A server that is silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);
/// Who waits looks so often whether the game is over.
const LOOK: Duration = Duration::from_millis(500);
/// The server's longest datagram, bytes.
const MAX_DATAGRAM: usize = 16_384;

/// Where a team plays, and who plays.
#[derive(Clone, Debug)]
pub struct Team {
    /// Name of the team.
    pub name: String,
    /// The server's port of players.
    pub players_at: SocketAddr,
    /// Its port of online coaches; `None` for a team without a coach.
    pub coach_at: Option<SocketAddr>,
    /// How many players, 1 to 11; the first keeps the goal.
    pub players: u32,
}

/// Why a team does not play.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The server does not answer, or the system gives no socket.
    #[error("{who}: {error}")]
    Network {
        /// Such as `player 3`.
        who: String,
        /// What the system says.
        error: io::Error,
    },
    /// The server will not have somebody.
    #[error("{who}: {refused}")]
    Refused {
        /// Such as `player 3`.
        who: String,
        /// Its word.
        refused: Refused,
    },
}

/// Plays a game to its end. Players come one after the other, so that each gets its number; then the coach, without whom a team can play: why he
/// does not come is told to `without_coach`.
///
/// # Errors
/// When a player cannot come. A server that falls silent ends the game.
pub fn play(team: &Team, without_coach: impl FnOnce(PlayError) + Send) -> Result<(), PlayError> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        // However this ends, the coach goes too.
        let _end = End(&is_over);
        let mut players = Vec::new();
        for number in 1..=team.players {
            let who = format!("player {number}");
            let player = Player::new(&team.name, number == 1);
            let line = Line::open(team.players_at, &player.hello(), &is_over).map_err(network(&who))?;
            players.push(scope.spawn(move || run_player(line, player, &who)));
        }
        if let Some(coach_at) = team.coach_at {
            let is_over = &is_over;
            scope.spawn(move || {
                // Whom the end of the game has cut short has nothing to complain of.
                if let Err(error) = run_coach(team, coach_at, is_over)
                    && !is_over.load(Ordering::Relaxed)
                {
                    without_coach(error);
                }
            });
        }
        players.into_iter().try_for_each(|player| player.join().unwrap_or(Ok(())))
    })
}

/// Says that the game is over when it goes.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn network(who: &str) -> impl FnOnce(io::Error) -> PlayError {
    move |error| PlayError::Network { who: who.to_owned(), error }
}

fn run_player(mut line: Line<'_>, mut player: Player, who: &str) -> Result<(), PlayError> {
    while !player.is_over() {
        let Ok(text) = line.next() else { break };
        let answer = player.told(&text);
        let answer = answer.map_err(|refused| PlayError::Refused { who: who.to_owned(), refused })?;
        if let Some(answer) = answer {
            line.send(&answer);
        }
    }
    line.send("(bye)");
    Ok(())
}

fn run_coach(team: &Team, coach_at: SocketAddr, is_over: &AtomicBool) -> Result<(), PlayError> {
    let mut coach = Coach::new(&team.name);
    let mut line = Line::open(coach_at, &coach.hello(), is_over).map_err(network("coach"))?;
    while let Ok(text) = line.next() {
        let answers = coach.told(&text);
        let answers = answers.map_err(|refused| PlayError::Refused { who: "coach".to_owned(), refused })?;
        answers.iter().for_each(|answer| line.send(answer));
    }
    Ok(())
}

/// A socket, and where the server listens to it.
struct Line<'a> {
    socket: UdpSocket,
    server: SocketAddr,
    /// Nobody waits any longer.
    is_over: &'a AtomicBool,
    /// What was read last.
    datagram: Vec<u8>,
    /// The answer to the hello, which is still to be told.
    first: Option<usize>,
}

impl<'a> Line<'a> {
    /// Says hello and waits for the answer: it comes from the port to which all else goes.
    fn open(server: SocketAddr, hello: &str, is_over: &'a AtomicBool) -> io::Result<Self> {
        let any = if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let socket = UdpSocket::bind(any)?;
        socket.set_read_timeout(Some(LOOK))?;
        socket.send_to(format!("{hello}\0").as_bytes(), server)?;
        let mut line = Self { socket, server, is_over, datagram: vec![0; MAX_DATAGRAM], first: None };
        let (len, from) = line.receive()?;
        (line.server, line.first) = (from, Some(len));
        Ok(line)
    }

    /// The next datagram's text; an error if none comes any more.
    fn next(&mut self) -> io::Result<String> {
        let len = match self.first.take() {
            Some(len) => len,
            None => self.receive()?.0,
        };
        Ok(String::from_utf8_lossy(&self.datagram[..len]).trim_end_matches('\0').to_owned())
    }

    /// Waits as long as there is hope.
    fn receive(&mut self) -> io::Result<(usize, SocketAddr)> {
        let since = Instant::now();
        loop {
            match self.socket.recv_from(&mut self.datagram) {
                Err(error)
                    if [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut].contains(&error.kind()) => {}
                received => return received,
            }
            if self.is_over.load(Ordering::Relaxed) || since.elapsed() > SILENCE {
                return Err(io::Error::other(format!("no answer within {} s", SILENCE.as_secs())));
            }
        }
    }

    /// Who is gone is found out by its silence.
    fn send(&self, text: &str) {
        let _ = self.socket.send_to(format!("{text}\0").as_bytes(), self.server);
    }
}
