//! Who comes to a port is let in at a bounded pace: a flood of connections takes its part of a processor, and no more.
//!
//! ```
//! use tokio::net::{TcpListener, TcpStream};
//! use touchline_arrivals::Arrivals;
//!
//! # #[tokio::main] async fn main() -> std::io::Result<()> {
//! let listener = TcpListener::bind("127.0.0.1:0").await?;
//! let _client = TcpStream::connect(listener.local_addr()?).await?;
//! let mut arrivals = Arrivals::new(listener, 1000);
//! let (_stream, address) = arrivals.next().await?;
//! assert!(address.ip().is_loopback());
//! # Ok(()) }
//! ```

#![forbid(unsafe_code)]

mod pace;

pub use pace::Pace;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

/// So many seconds' worth is let in at once.
const AT_ONCE_S: u64 = 2;
/// Who waits outside is let in together with all who came in this time.
const TOGETHER: Duration = Duration::from_millis(10);
const SECOND_NS: u64 = 1_000_000_000;

/// Connections that come to a port.
pub struct Arrivals {
    listener: TcpListener,
    began: Instant,
    pace: Pace,
    each_ns: u64,
}

impl Arrivals {
    /// So many a second on average; twice as many at once after a pause.
    pub fn new(listener: TcpListener, per_s: u32) -> Self {
        let each_ns = SECOND_NS / u64::from(per_s.max(1));
        Self { listener, began: Instant::now(), pace: Pace::new(AT_ONCE_S * SECOND_NS - each_ns), each_ns }
    }

    /// The next one, when it is its turn. Whoever gives this up loses nobody.
    ///
    /// # Errors
    /// Of the system, such as that it has no more sockets.
    pub async fn next(&mut self) -> io::Result<(TcpStream, SocketAddr)> {
        while self.pace.next_us(self.now_us()).is_some() {
            sleep(TOGETHER).await;
        }
        let accepted = self.listener.accept().await?;
        self.pace.take(self.now_us(), self.each_ns);
        Ok(accepted)
    }

    fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever comes, in ten simulated seconds so many are let in: the burst, and the average of ten seconds.
    #[tokio::test(start_paused = true)]
    async fn a_flood_of_connections_comes_to_its_pace() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (mut arrivals, began, mut came) = (Arrivals::new(listener, 20), Instant::now(), 0);
        while began.elapsed() < Duration::from_secs(10) {
            let client = TcpStream::connect(address).await.unwrap();
            drop(arrivals.next().await.unwrap());
            drop(client);
            came += 1;
        }
        assert!((240..=242).contains(&came), "{came}");
    }
}
