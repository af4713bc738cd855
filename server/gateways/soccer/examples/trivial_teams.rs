//! Twenty-two players that dash, turn and turn their necks, in a game whose steps wait for them: what such a game costs the server.
//!
//! ```sh
//! cargo run --release -p touchline-soccer --example trivial_teams -- 127.0.0.1:6000 SERVER_PID
//! ```
//!
//! Prints cycles, the median and the 99th percentile of a cycle's wall time in microseconds (the clients' own part among it), and with the
//! server's process number, on Linux, its CPU seconds from the first cycle to the last.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

const PLAYERS_OF_A_TEAM: usize = 11;
/// Clock ticks of `/proc/PID/stat` in a second, on every Linux that Rust knows.
const TICKS_PER_SEC: f64 = 100.0;

struct Player {
    socket: UdpSocket,
    server: SocketAddr,
}

impl Player {
    fn join(port: SocketAddr, team: &str, is_goalie: bool) -> io::Result<Self> {
        let socket = UdpSocket::bind((port.ip(), 0))?;
        socket.set_read_timeout(Some(Duration::from_secs(60)))?;
        let goalie = if is_goalie { " (goalie)" } else { "" };
        socket.send_to(format!("(init {team} (version 18){goalie})\0").as_bytes(), port)?;
        let mut buffer = [0; 9000];
        let (length, server) = socket.recv_from(&mut buffer)?;
        if !buffer[..length].starts_with(b"(init ") {
            return Err(io::Error::other(String::from_utf8_lossy(&buffer[..length]).into_owned()));
        }
        Ok(Self { socket, server })
    }

    /// Reads up to the next `(think)`; whether the game is over.
    fn is_over(&self, buffer: &mut [u8]) -> io::Result<bool> {
        let mut is_over = false;
        loop {
            let length = self.socket.recv(buffer)?;
            let told = &buffer[..length];
            is_over |= told.ends_with(b"referee time_over)\0") || told.ends_with(b"referee time_up)\0");
            if told.starts_with(b"(think)") || is_over {
                return Ok(is_over);
            }
        }
    }
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let port = arguments.next().and_then(|port| port.parse().ok());
    let port: SocketAddr = port.ok_or_else(|| io::Error::other("HOST:PORT of the server is missing"))?;
    let server_id: Option<u32> = arguments.next().and_then(|id| id.parse().ok());
    let mut players = Vec::new();
    for team in ["Reds", "Blues"] {
        for number in 0..PLAYERS_OF_A_TEAM {
            players.push(Player::join(port, team, number == 0)?);
        }
    }
    let mut cycle_times = Vec::new();
    let (mut begun, mut buffer) = (None, vec![0; 9000]);
    let mut last = Instant::now();
    'game: loop {
        for player in &players {
            if player.is_over(&mut buffer)? {
                break 'game;
            }
        }
        let cpu_secs = || server_id.map(cpu_secs_of).transpose();
        match begun {
            None => begun = Some(cpu_secs()?),
            Some(_) => cycle_times.push(last.elapsed()),
        }
        last = Instant::now();
        let body = if cycle_times.len() % 2 == 0 { "(dash 60)" } else { "(turn 20)" };
        let commands = format!("{body}(turn_neck 10)(done)\0");
        for player in &players {
            player.socket.send_to(commands.as_bytes(), player.server)?;
        }
    }
    let cpu = server_id.map(cpu_secs_of).transpose()?.zip(begun.flatten()).map(|(end, begin)| end - begin);
    cycle_times.sort_unstable();
    let at = |part: f64| {
        cycle_times.get((cycle_times.len() as f64 * part) as usize).map_or(0, Duration::as_micros)
    };
    println!("cycles {}   median {} us   p99 {} us", cycle_times.len(), at(0.5), at(0.99));
    if let Some(cpu) = cpu {
        println!("server {cpu:.2} CPU s");
    }
    Ok(())
}

/// User and system time of a process, seconds.
fn cpu_secs_of(id: u32) -> io::Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat"))?;
    // Behind the name, which may have blanks: state is field 3, utime 14, stime 15.
    let behind = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 =
        behind.split_ascii_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(ticks as f64 / TICKS_PER_SEC)
}
