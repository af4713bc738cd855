//! Who is let in: anybody at an open desk, or who has a key. Wrong keys are counted by address, and slowed.
//!
//! # Invariants
//! - What is kept of addresses is bounded, whoever tries.
//! - A key is compared only while its address may try: ten wrong ones at once, then one a second.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Weak};
use touchline_gate::{Keys, Pass};

/// So many wrong keys may come at once from one address.
const BURST: u64 = 10;
/// Time after which one more wrong key is allowed, microseconds.
const PAUSE_US: u64 = 1_000_000;
/// What is answered to who is inside and asks for more than its key opens.
const NOT_ALLOWED: [&str; 3] = ["board/role", "board/not-yours", "board/benchmark"];
/// More addresses are not kept; the one that has tried least goes.
const ADDRESSES: usize = 4096;

/// How a connection's client comes to its pass.
#[derive(Clone, Debug)]
pub enum Door {
    /// A desk: it is what it says it is.
    Open,
    /// It has to show a key.
    Keys(Arc<Lock>),
    /// It has shown its key already, elsewhere.
    Inside(Pass),
}

/// The keys, and who has tried wrong ones.
#[derive(Debug, Default)]
pub struct Lock {
    keys: Keys,
    /// Keys of other boards, to recognise clients that came to the wrong one.
    others: Keys,
    /// Those of boards that are opened and closed apart from this one, and what this one is called among them.
    neighbours: Option<(&'static Neighbours, Arc<str>)>,
    tries: Mutex<Tries>,
    knocks: Mutex<Knocks>,
}

/// Who wanted to come in and could not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knocks {
    /// The names of keys of other doors that were shown here, with how often.
    pub others: BTreeMap<Arc<str>, u64>,
    /// The neighbours at whose doors a key of this one was shown, with how often.
    pub abroad: BTreeMap<Arc<str>, u64>,
    /// How often somebody showed a key of no door, or gave a command without one: nobody knows who.
    pub unknown: u64,
    /// The commands that were refused to who was inside, because they are not for it, with how often.
    pub refused: BTreeMap<&'static str, u64>,
}

/// Why a key does not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shut {
    /// There is no such key.
    Wrong,
    /// It opens nothing either, and too many wrong ones came from this address before.
    Wait {
        /// Time until the next try is allowed, seconds.
        secs: u64,
    },
}

impl Lock {
    /// A lock for these keys.
    pub fn new(keys: Keys) -> Self {
        Self { keys, ..Self::default() }
    }

    /// As [`Lock::new`], where the keys of other doors are known when they are shown here. They open nothing. It is one of the neighbours
    /// until it is dropped: who shows a key of one at another's door is told at his own.
    pub fn among(keys: Keys, others: Keys, neighbours: &'static Neighbours, name: &str) -> Arc<Self> {
        let neighbour = Some((neighbours, name.into()));
        let lock = Arc::new(Self { keys, others, neighbours: neighbour, ..Self::default() });
        neighbours.add(&lock);
        lock
    }

    /// Who wanted to come in and could not, so far.
    pub fn knocks(&self) -> Knocks {
        self.knocks.lock().clone()
    }

    /// Somebody gave a command without a key.
    pub(crate) fn knock(&self) {
        self.knocks.lock().unknown += 1;
    }

    /// A command was answered by an error of this code.
    pub(crate) fn answered(&self, word: &'static str, code: &str) {
        if NOT_ALLOWED.contains(&code) {
            *self.knocks.lock().refused.entry(word).or_default() += 1;
        }
    }

    /// What a key opens that comes from this address at this time of the server's clock.
    ///
    /// # Errors
    /// When it opens nothing; wrong ones are told so ever more seldom.
    pub fn open(&self, key: &str, from: IpAddr, now_us: u64) -> Result<Pass, Shut> {
        // A right key is let in at once: nobody's wrong ones lock out who has the same address, and 128 bits are not guessed however fast.
        if let Some(pass) = self.keys.find(key) {
            return Ok(pass.clone());
        }
        let other = self.others.find(key).and_then(|other| other.name.clone());
        let mut tries = self.tries.lock();
        tries.check(from, now_us)?;
        tries.wrong(from, now_us);
        drop(tries);
        match other {
            Some(name) => *self.knocks.lock().others.entry(name).or_default() += 1,
            None if self.is_of_neighbour(key) => {}
            None => self.knocks.lock().unknown += 1,
        }
        Err(Shut::Wrong)
    }

    /// Whether a key is a neighbour's, who is told then where it was shown.
    fn is_of_neighbour(&self, key: &str) -> bool {
        let Some((neighbours, own_name)) = &self.neighbours else { return false };
        let Some(guest) = neighbours.owner_of(key) else { return false };
        *guest.knocks.lock().abroad.entry(Arc::clone(own_name)).or_default() += 1;
        true
    }
}

/// Locks that know each other's keys while they are there.
#[derive(Debug, Default)]
pub struct Neighbours(Mutex<Vec<Weak<Lock>>>);

impl Neighbours {
    /// Nobody yet.
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn add(&self, lock: &Arc<Lock>) {
        let mut locks = self.0.lock();
        locks.retain(|other| other.strong_count() > 0);
        locks.push(Arc::downgrade(lock));
    }

    fn owner_of(&self, key: &str) -> Option<Arc<Lock>> {
        self.0.lock().iter().filter_map(Weak::upgrade).find(|lock| lock.keys.find(key).is_some())
    }
}

/// For each address, when all of its wrong tries are forgotten.
#[derive(Debug, Default)]
struct Tries(BTreeMap<IpAddr, u64>);

impl Tries {
    fn check(&self, from: IpAddr, now_us: u64) -> Result<(), Shut> {
        let until_us = self.0.get(&network(from)).copied().unwrap_or_default();
        let too_much_us = until_us.saturating_sub(now_us).saturating_sub((BURST - 1) * PAUSE_US);
        if too_much_us == 0 { Ok(()) } else { Err(Shut::Wait { secs: too_much_us.div_ceil(PAUSE_US) }) }
    }

    fn wrong(&mut self, from: IpAddr, now_us: u64) {
        let from = network(from);
        if self.0.len() >= ADDRESSES && !self.0.contains_key(&from) {
            self.0.retain(|_, until_us| *until_us > now_us);
            if self.0.len() >= ADDRESSES
                && let Some(least) =
                    self.0.iter().min_by_key(|(_, until_us)| **until_us).map(|(from, _)| *from)
            {
                self.0.remove(&least);
            }
        }
        let until_us = self.0.entry(from).or_default();
        *until_us = (*until_us).max(now_us) + PAUSE_US;
    }
}

/// Whoever has one address of IPv6 has 2^64.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_gate::{Role, digest};

    const RIGHT: &str = "a-key-that-is-long-enough-and-right";

    fn lock() -> Lock {
        Lock::new(Keys::new([(digest(RIGHT), Pass::at_desk(Role::Referee))]))
    }

    /// Half a million tries a second come to one; others are not in the way.
    #[test]
    fn wrong_keys_are_slowed_by_address() {
        let (lock, other) = (lock(), IpAddr::from([192, 168, 0, 7]));
        let from = IpAddr::from([127, 0, 0, 1]);
        let looked_at = |from_us: u64, to_us: u64| {
            let times = (from_us..to_us).step_by(1000);
            times.filter(|&now_us| lock.open("wrong", from, now_us) == Err(Shut::Wrong)).count()
        };
        assert_eq!(looked_at(0, 1000), 1);
        assert_eq!(looked_at(1000, 100_000), 9);
        assert_eq!(looked_at(100_000, 60_000_000), 59);
        assert!(matches!(lock.open("wrong", from, 59_999_500), Err(Shut::Wait { secs: 1 })));
        // Who has the right one is not locked out by others of the same address.
        assert_eq!(lock.open(RIGHT, from, 59_999_500).map(|pass| pass.role), Ok(Role::Referee));
        assert_eq!(lock.open(RIGHT, other, 59_999_500).map(|pass| pass.role), Ok(Role::Referee));
        assert_eq!(lock.open(RIGHT, from, 62_000_000).map(|pass| pass.role), Ok(Role::Referee));
    }

    /// Two boards of which neither was opened with the other in mind: who is at the wrong one is told at his own.
    #[test]
    fn a_neighbours_key_is_known_by_whose_it_is() {
        static NEIGHBOURS: Neighbours = Neighbours::new();
        let key = |letter: char| letter.to_string().repeat(30);
        let lock = |letter: char, name: &str| {
            let keys = Keys::new([(digest(&key(letter)), Pass::at_desk(Role::Player))]);
            Lock::among(keys, Keys::default(), &NEIGHBOURS, name)
        };
        let from = IpAddr::from([127, 0, 0, 1]);
        let (host, guest) = (lock('h', "host"), lock('g', "guest"));
        assert_eq!(host.open(&key('g'), from, 0), Err(Shut::Wrong));
        assert_eq!(host.knocks(), Knocks::default(), "the host is not blamed");
        assert_eq!(guest.knocks().abroad, [("host".into(), 1)].into());
        assert_eq!(host.open(&key('x'), from, 0), Err(Shut::Wrong));
        assert_eq!(host.knocks().unknown, 1);
        // Who has gone is nobody's neighbour, and is kept nowhere.
        drop(guest);
        assert_eq!(host.open(&key('g'), from, 0), Err(Shut::Wrong));
        assert_eq!(host.knocks().unknown, 2);
        let _third = lock('t', "third");
        assert_eq!(NEIGHBOURS.0.lock().len(), 2);
    }

    #[test]
    fn what_is_kept_of_addresses_is_bounded() {
        let lock = lock();
        let address = |n: u32| IpAddr::from(std::net::Ipv4Addr::from(n));
        for _ in 0..3 {
            let _ = lock.open("wrong", address(7), 5);
        }
        for n in 0..10_000 {
            let _ = lock.open("wrong", address(n), 5);
            // All of one network of IPv6 are one.
            let _ = lock.open("wrong", Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, n as u16).into(), 5);
        }
        let tries = lock.tries.lock();
        assert_eq!(tries.0.len(), ADDRESSES);
        assert!(tries.0.contains_key(&address(7)), "who has tried more stays");
        assert!(tries.0.contains_key(&IpAddr::from(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0))));
    }
}
