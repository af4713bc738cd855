//! Who is connected over the network, and who gives way when there is no more room.
//!
//! # Invariants
//! - Who has shown neither command nor key gives way to who comes, the longest there first; nobody else is sent away.
//! - One other machine's address never fills the board, nor does one key, wherever it is shown.

use crate::door::network;
use crate::pace::AddressShare;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::oneshot;
use touchline_sim::scenario::Limits;

/// Shared by the service and its connections.
pub(crate) struct Lobby {
    seats: Mutex<Seats>,
    limits: Limits,
}

#[derive(Default)]
struct Seats {
    /// How many came so far.
    came: u64,
    taken: usize,
    of_address: BTreeMap<IpAddr, Group>,
    /// By the names of keys.
    of_key: BTreeMap<Arc<str>, Group>,
    /// Those that have shown nothing, in the order in which they came.
    silent: BTreeMap<u64, oneshot::Sender<()>>,
}

/// Those who are here from one address, or by one key.
struct Group {
    connections: u32,
    share: AddressShare,
}

impl Group {
    /// Puts another one into its group.
    fn join<K: Ord>(groups: &mut BTreeMap<K, Self>, key: K, limits: &Limits) -> AddressShare {
        let new = || Self { connections: 0, share: AddressShare::new(limits) };
        let group = groups.entry(key).or_insert_with(new);
        group.connections += 1;
        group.share.clone()
    }

    /// Takes one out; nothing is kept of nobody.
    fn leave<K: Ord>(groups: &mut BTreeMap<K, Self>, key: &K) {
        if let Some(group) = groups.get_mut(key) {
            group.connections -= 1;
            if group.connections == 0 {
                groups.remove(key);
            }
        }
    }
}

/// A connection's place: free again when it is dropped.
pub(crate) struct Seat {
    lobby: Arc<Lobby>,
    number: u64,
    network: IpAddr,
    /// What it may use together with others of its address; none for this machine's own.
    pub share: Option<AddressShare>,
    /// None as soon as it is known to keep its place.
    gives_way: Option<oneshot::Receiver<()>>,
}

/// A connection's place among those of its key, over the network or through a page: free again when it is dropped.
pub(crate) struct KeySeat {
    lobby: Arc<Lobby>,
    key: Arc<str>,
}

/// Why there is no place: code and text.
pub(crate) type NoSeat = (&'static str, String);

impl Lobby {
    /// An empty lobby with these limits.
    pub fn new(limits: &Limits) -> Self {
        Self { seats: Mutex::default(), limits: *limits }
    }

    /// A place for a connection from this address.
    pub fn enter(self: &Arc<Self>, from: IpAddr) -> Result<Seat, NoSeat> {
        let (network, mut seats) = (network(from), self.seats.lock());
        let of_address = seats.of_address.get(&network).map_or(0, |address| address.connections);
        let Limits { connections: most, connections_of_address: most_of_address, .. } = self.limits;
        if of_address >= most_of_address && !network.is_loopback() {
            let why = format!(
                "{most_of_address} clients of your address are connected already (limits.connections_of_address)"
            );
            return Err(("board/too-many-of-address", why));
        }
        if seats.taken >= most as usize {
            // Who has ended meanwhile is not listening; his seat will be free in a moment.
            let Some((_, way)) = seats.silent.pop_first() else {
                let why = format!("{most} clients are connected already (limits.connections)");
                return Err(("board/too-many-clients", why));
            };
            let _ = way.send(());
        }
        seats.came += 1;
        seats.taken += 1;
        let share = Group::join(&mut seats.of_address, network, &self.limits);
        let share = (!network.is_loopback()).then_some(share);
        let (number, (way, gives_way)) = (seats.came, oneshot::channel());
        seats.silent.insert(number, way);
        Ok(Seat { lobby: Arc::clone(self), number, network, share, gives_way: Some(gives_way) })
    }

    /// A place for a connection that has shown a key, and what it may use together with others of that key.
    ///
    /// # Errors
    /// When there are as many of that key as may come from one address: who comes through a tunnel has no address of its own.
    pub fn join_key(self: &Arc<Self>, key: &Arc<str>) -> Result<(KeySeat, AddressShare), NoSeat> {
        let (limits, mut seats) = (&self.limits, self.seats.lock());
        let most = limits.connections_of_address;
        if seats.of_key.get(key).is_some_and(|group| group.connections >= most) {
            let why =
                format!("{most} clients of your key are connected already (limits.connections_of_address)");
            return Err(("board/too-many-of-key", why));
        }
        let share = Group::join(&mut seats.of_key, Arc::clone(key), limits);
        Ok((KeySeat { lobby: Arc::clone(self), key: Arc::clone(key) }, share))
    }

    #[cfg(test)]
    pub fn has_no_keys(&self) -> bool {
        self.seats.lock().of_key.is_empty()
    }

    /// Connections that have a seat.
    pub fn taken(&self) -> usize {
        self.seats.lock().taken
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
        self.lobby.seats.lock().silent.remove(&self.number);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut seats = self.lobby.seats.lock();
        seats.silent.remove(&self.number);
        seats.taken -= 1;
        Group::leave(&mut seats.of_address, &self.network);
    }
}

impl Drop for KeySeat {
    fn drop(&mut self) {
        Group::leave(&mut self.lobby.seats.lock().of_key, &self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_CONNECTIONS: usize = 64;
    const MAX_OF_ADDRESS: usize = 16;

    fn lobby() -> Arc<Lobby> {
        let limits = Limits {
            connections: MAX_CONNECTIONS as u32,
            connections_of_address: MAX_OF_ADDRESS as u32,
            ..Limits::default()
        };
        Arc::new(Lobby::new(&limits))
    }

    fn address(n: u8) -> IpAddr {
        [10, 0, 0, n].into()
    }

    fn told(seat: &mut Seat) -> bool {
        seat.gives_way.as_mut().is_some_and(|way| way.try_recv().is_ok())
    }

    /// As many silent connections as there is room for lock nobody out: the oldest that has shown nothing goes first.
    #[test]
    fn the_silent_give_way() {
        let (lobby, local) = (lobby(), IpAddr::from([127, 0, 0, 1]));
        let mut seats: Vec<Seat> = (0..MAX_CONNECTIONS).map(|_| lobby.enter(local).unwrap()).collect();
        seats[0].keep();
        let honest = lobby.enter(address(1)).unwrap();
        honest.keep();
        assert_eq!(seats.iter_mut().map(told).position(|told| told), Some(1));
        assert_eq!(lobby.taken(), MAX_CONNECTIONS + 1);
        drop(seats.remove(1));
        // Where all have shown something, nobody goes.
        seats.iter().for_each(Seat::keep);
        assert_eq!(lobby.enter(local).map_err(|(code, _)| code).err(), Some("board/too-many-clients"));
        assert!(!seats.iter_mut().any(told));
        drop((seats, honest));
        assert_eq!(lobby.taken(), 0);
        assert!(lobby.seats.lock().of_address.is_empty() && lobby.seats.lock().silent.is_empty());
    }

    #[test]
    fn one_address_does_not_fill_the_board() {
        let lobby = lobby();
        let mut seats: Vec<Seat> = (0..MAX_OF_ADDRESS).map(|_| lobby.enter(address(7)).unwrap()).collect();
        assert_eq!(
            lobby.enter(address(7)).map_err(|(code, _)| code).err(),
            Some("board/too-many-of-address")
        );
        seats.push(lobby.enter(address(8)).unwrap());
        drop(seats.remove(0));
        seats.push(lobby.enter(address(7)).unwrap());
        assert!(lobby.enter(address(7)).is_err());
    }

    /// Teams that come by ssh have this machine's own address, which may fill the board: their keys do not.
    #[test]
    fn one_key_does_not_fill_the_board() {
        let lobby = lobby();
        let (blue, yellow) = (Arc::from("blue"), Arc::from("yellow"));
        let enter = |key| lobby.join_key(key).map(|(seat, _)| seat).map_err(|(code, _)| code);
        let mut seats: Vec<KeySeat> = (0..MAX_OF_ADDRESS).map(|_| enter(&blue).unwrap()).collect();
        assert_eq!(enter(&blue).err(), Some("board/too-many-of-key"));
        seats.push(enter(&yellow).unwrap());
        drop(seats.remove(0));
        seats.push(enter(&blue).unwrap());
        assert!(enter(&blue).is_err());
        drop(seats);
        assert!(lobby.has_no_keys());
    }
}
