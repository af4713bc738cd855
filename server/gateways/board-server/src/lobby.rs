//! Who is connected over the network, and who gives way when there is no more room.
//!
//! # Invariants
//! - Who has shown neither command nor key gives way to who comes, the longest there first; nobody else is sent away.
//! - One other machine's address never fills the board.

use crate::door::network;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::oneshot;

/// More connections at a time are refused.
pub(crate) const MAX_CONNECTIONS: usize = 1024;
/// More from one address are refused, unless it is this machine's own.
pub(crate) const MAX_OF_ADDRESS: usize = 256;

/// Shared by the service and its connections.
#[derive(Default)]
pub(crate) struct Lobby(Mutex<Seats>);

#[derive(Default)]
struct Seats {
    /// How many came so far.
    came: u64,
    taken: usize,
    of_address: BTreeMap<IpAddr, usize>,
    /// Those that have shown nothing, in the order in which they came.
    silent: BTreeMap<u64, oneshot::Sender<()>>,
}

/// A connection's place: free again when it is dropped.
pub(crate) struct Seat {
    lobby: Arc<Lobby>,
    number: u64,
    network: IpAddr,
    /// None as soon as it is known to keep its place.
    gives_way: Option<oneshot::Receiver<()>>,
}

impl Lobby {
    /// A place for a connection from this address; the text says why there is none.
    pub fn enter(self: &Arc<Self>, from: IpAddr) -> Result<Seat, String> {
        let (network, mut seats) = (network(from), self.0.lock());
        let of_address = seats.of_address.get(&network).copied().unwrap_or_default();
        if of_address >= MAX_OF_ADDRESS && !network.is_loopback() {
            return Err(format!("{MAX_OF_ADDRESS} clients of your address are connected already"));
        }
        if seats.taken >= MAX_CONNECTIONS {
            // Who has ended meanwhile is not listening; his seat will be free in a moment.
            let Some((_, way)) = seats.silent.pop_first() else {
                return Err(format!("{MAX_CONNECTIONS} clients are connected already"));
            };
            let _ = way.send(());
        }
        seats.came += 1;
        seats.taken += 1;
        *seats.of_address.entry(network).or_default() += 1;
        let (number, (way, gives_way)) = (seats.came, oneshot::channel());
        seats.silent.insert(number, way);
        Ok(Seat { lobby: Arc::clone(self), number, network, gives_way: Some(gives_way) })
    }

    /// Connections that have a seat.
    pub fn taken(&self) -> usize {
        self.0.lock().taken
    }
}

impl Seat {
    /// Completes when another shall have the place.
    pub async fn gives_way(&mut self) {
        if let Some(way) = &mut self.gives_way
            && way.await.is_ok()
        {
            return;
        }
        self.gives_way = None;
        std::future::pending().await
    }

    /// It has shown what is asked of it first, and keeps its place from now on.
    pub fn keep(&self) {
        self.lobby.0.lock().silent.remove(&self.number);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut seats = self.lobby.0.lock();
        seats.silent.remove(&self.number);
        seats.taken -= 1;
        if let Some(count) = seats.of_address.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                seats.of_address.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u8) -> IpAddr {
        [10, 0, 0, n].into()
    }

    fn told(seat: &mut Seat) -> bool {
        seat.gives_way.as_mut().is_some_and(|way| way.try_recv().is_ok())
    }

    /// As many silent connections as there is room for lock nobody out: the oldest that has shown nothing goes first.
    #[test]
    fn the_silent_give_way() {
        let (lobby, local) = (Arc::new(Lobby::default()), IpAddr::from([127, 0, 0, 1]));
        let mut seats: Vec<Seat> = (0..MAX_CONNECTIONS).map(|_| lobby.enter(local).unwrap()).collect();
        seats[0].keep();
        let honest = lobby.enter(address(1)).unwrap();
        honest.keep();
        assert_eq!(seats.iter_mut().map(told).position(|told| told), Some(1));
        assert_eq!(lobby.taken(), MAX_CONNECTIONS + 1);
        drop(seats.remove(1));
        // Where all have shown something, nobody goes.
        seats.iter().for_each(Seat::keep);
        assert!(lobby.enter(local).is_err());
        assert!(!seats.iter_mut().any(told));
        drop((seats, honest));
        assert_eq!(lobby.taken(), 0);
        assert!(lobby.0.lock().of_address.is_empty() && lobby.0.lock().silent.is_empty());
    }

    #[test]
    fn one_address_does_not_fill_the_board() {
        let lobby = Arc::new(Lobby::default());
        let mut seats: Vec<Seat> = (0..MAX_OF_ADDRESS).map(|_| lobby.enter(address(7)).unwrap()).collect();
        assert!(lobby.enter(address(7)).is_err());
        seats.push(lobby.enter(address(8)).unwrap());
        drop(seats.remove(0));
        seats.push(lobby.enter(address(7)).unwrap());
        assert!(lobby.enter(address(7)).is_err());
    }
}
