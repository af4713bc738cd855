//! How much a second is taken from one connection, lines or time: who has had more waits, and what it sends stays where it is, unread.
//!
//! It knows no clock: times are the caller's.

use parking_lot::Mutex;
use std::sync::Arc;
use touchline_arrivals::Pace;
use touchline_sim::scenario::Limits;

const SECOND_NS: u64 = 1_000_000_000;

/// So many times as many lines are taken in lockstep, where the world waits for its clients.
const IN_LOCKSTEP: u64 = 5;

/// The lines of one connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePace {
    pub pace: Pace,
    /// Whether the world waits for its clients now.
    pub is_lockstep: bool,
    line_ns: u64,
}

impl LinePace {
    pub fn new(limits: &Limits) -> Self {
        let line_ns = SECOND_NS / u64::from(limits.lines_per_s.max(1));
        let ahead_ns = u64::from(limits.lines_at_once.max(1) - 1) * line_ns;
        Self { pace: Pace::new(ahead_ns), is_lockstep: false, line_ns }
    }

    /// Counts one line that was taken.
    pub fn take(&mut self, now_us: u64) {
        self.pace.take(now_us, self.line_ns / if self.is_lockstep { IN_LOCKSTEP } else { 1 });
    }
}

/// The time that some kind of work takes, for one connection or for all of one address: who took more than its share waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pace: Pace,
    ms_per_s: u64,
}

impl Share {
    /// A second's share may be used at once.
    pub fn new(ms_per_s: u32) -> Self {
        Self { pace: Pace::new(SECOND_NS), ms_per_s: ms_per_s.max(1).into() }
    }

    /// When more may be taken, if not now.
    pub fn next_us(&self, now_us: u64) -> Option<u64> {
        self.pace.next_us(now_us)
    }

    pub fn take(&mut self, now_us: u64, took_us: u64) {
        self.pace.take(now_us, took_us.saturating_mul(1_000_000) / self.ms_per_s);
    }
}

/// What all connections of one address have together.
#[derive(Clone, Debug)]
pub(crate) struct AddressShare(Arc<Mutex<Share>>);

impl AddressShare {
    pub fn new(limits: &Limits) -> Self {
        Self(Arc::new(Mutex::new(Share::new(limits.generation_ms_per_s_of_address))))
    }
}

/// The time that readings take to generate for one connection.
#[derive(Clone, Debug)]
pub(crate) struct GenerationPace {
    own: Share,
    /// None for this machine's own address, where programs of many teams may run.
    pub of_address: Option<AddressShare>,
    /// Of all connections that have shown the same key, wherever they come from.
    pub of_key: Option<AddressShare>,
}

impl GenerationPace {
    /// Of one that comes alone.
    pub fn new(limits: &Limits) -> Self {
        Self { own: Share::new(limits.generation_ms_per_s), of_address: None, of_key: None }
    }

    fn shared(&self) -> impl Iterator<Item = &AddressShare> {
        self.of_address.iter().chain(&self.of_key)
    }

    /// When more may be generated, if not now.
    pub fn next_us(&self, now_us: u64) -> Option<u64> {
        let shared = self.shared().filter_map(|share| share.0.lock().pace.next_us(now_us)).max();
        self.own.pace.next_us(now_us).max(shared)
    }

    /// Generating took so long; gives whether that was more than was left.
    pub fn take(&mut self, now_us: u64, took_us: u64) -> bool {
        let was_free = self.next_us(now_us).is_none();
        self.own.take(now_us, took_us);
        self.shared().for_each(|share| share.0.lock().take(now_us, took_us));
        was_free && self.next_us(now_us).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits { lines_per_s: 30_000, lines_at_once: 60_000, generation_ms_per_s: 250, ..Limits::default() }
    }

    #[test]
    fn a_flood_comes_to_its_pace() {
        let mut lines = LinePace::new(&limits());
        let mut taken = |from_us: u64, to_us: u64| {
            let mut count = 0u32;
            for now_us in (from_us..to_us).step_by(1000) {
                while lines.pace.next_us(now_us).is_none() {
                    lines.take(now_us);
                    count += 1;
                }
            }
            count
        };
        assert_eq!(taken(1_000_000, 1_001_000), 60_000);
        assert!(taken(1_001_000, 3_001_000).abs_diff(60_000) <= 1);
        assert_eq!(taken(60_000_000, 60_001_000), 60_000, "a pause gives the burst back, and no more");
        let mut steady = LinePace::new(&limits());
        for line in 0..300_000 {
            let now_us = line * 34;
            assert_eq!(steady.pace.next_us(now_us), None);
            steady.take(now_us);
        }
    }

    /// Where the world waits for its clients, five times as many lines are taken as in real time.
    #[test]
    fn in_lockstep_more_is_taken() {
        let taken_in_a_second = |is_lockstep| {
            let mut lines = LinePace { is_lockstep, ..LinePace::new(&limits()) };
            // What may be taken at once is taken.
            while lines.pace.next_us(1_000_000).is_none() {
                lines.take(1_000_000);
            }
            let mut count = 0;
            for now_us in (1_000_000..2_000_000).step_by(100) {
                while lines.pace.next_us(now_us).is_none() {
                    lines.take(now_us);
                    count += 1;
                }
            }
            count
        };
        assert_eq!([false, true].map(|it| (taken_in_a_second(it) + 50) / 100), [300, 1500]);
    }

    /// Whose readings take 40 ms each gets a second's share at once, and then a quarter of the time.
    #[test]
    fn generating_comes_to_its_share() {
        let mut time = GenerationPace::new(&limits());
        let (mut now_us, mut busy_us, mut overdrawn) = (5_000_000, 0, 0);
        let (begun_us, end_us) = (now_us, now_us + 60_000_000);
        while now_us < end_us {
            match time.next_us(now_us) {
                Some(next_us) => now_us = next_us,
                None => {
                    now_us += 40_000;
                    busy_us += 40_000;
                    overdrawn += u32::from(time.take(now_us, 40_000));
                }
            }
        }
        let share = busy_us as f64 / (now_us - begun_us) as f64;
        assert!((0.25..0.26).contains(&share), "{share}");
        assert!(overdrawn > 100, "each time that it had to wait is counted once: {overdrawn}");
        // One that takes less than its share never waits.
        let mut honest = GenerationPace::new(&limits());
        for step in 0..100_000u64 {
            let now_us = step * 10_000;
            assert_eq!(honest.next_us(now_us), None);
            assert!(!honest.take(now_us, 2_400));
        }
    }

    /// Who opens many connections from one machine has no more than one processor with all of them; another has its own.
    #[test]
    fn an_address_comes_to_its_share() {
        let limits = Limits { generation_ms_per_s_of_address: 1000, ..limits() };
        let shared = AddressShare::new(&limits);
        let one_of = |share: &AddressShare| GenerationPace {
            of_address: Some(share.clone()),
            ..GenerationPace::new(&limits)
        };
        let mut many: Vec<_> = (0..40).map(|_| one_of(&shared)).collect();
        let mut other = one_of(&AddressShare::new(&limits));
        let mut busy_us = 0;
        // Each wants 5 ms every 20 ms: ten processors in all.
        for now_us in (1_000_000..21_000_000).step_by(20_000) {
            for one in &mut many {
                if one.next_us(now_us).is_none() {
                    one.take(now_us, 5_000);
                    busy_us += 5_000;
                }
            }
            assert_eq!(other.next_us(now_us), None);
            other.take(now_us, 1_000);
        }
        assert!((20_000_000..=21_010_000).contains(&busy_us), "20 s, and a second at once: {busy_us}");
        // A team whose programs come by ssh from this machine's own address is held to its key's share.
        let of_key = AddressShare::new(&limits);
        let mut tunnelled: Vec<_> = (0..2)
            .map(|_| GenerationPace { of_key: Some(of_key.clone()), ..GenerationPace::new(&limits) })
            .collect();
        tunnelled[0].take(1_000_000, 2_100_000);
        assert!(tunnelled[1].next_us(1_000_000).is_some(), "the other connection of the key waits as well");
    }
}
