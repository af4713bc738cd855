//! The places of connections: where all are taken, who asks for nothing gives way to who comes.
//!
//! A browser keeps connections open for its next request, and opens some that it may need, so those who ask for nothing are let stay
//! as long as nobody needs their places. Pages that are in, and answers under way, keep theirs. Those who only look on get three places of
//! four, so that an audience shuts out nobody who commands.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tokio::sync::Notify;

/// So many connections at a time.
pub struct Places {
    most: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    count: usize,
    /// Those of them who only look on.
    lookers: usize,
    /// How often somebody has begun to ask for nothing.
    begun: u64,
    /// Those who ask for nothing, who began it first at the front.
    idle: BTreeMap<u64, Arc<Way>>,
}

/// How a connection is told to give way.
#[derive(Default)]
struct Way {
    told: Notify,
    /// Somebody else has its place already.
    is_gone: AtomicBool,
}

/// A connection's place, as long as this is kept.
pub struct Place {
    places: Arc<Places>,
    /// Its number among the idle, or the one that it had there.
    idle: AtomicU64,
    is_looker: AtomicBool,
    way: Arc<Way>,
}

impl Places {
    /// So many at a time, at least one.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    /// A place for somebody who has asked for nothing yet; none if all are taken by those who keep theirs.
    pub fn enter(self: &Arc<Self>) -> Option<Place> {
        let mut taken = self.taken.lock();
        if taken.count >= self.most {
            let (_, way) = taken.idle.pop_first()?;
            way.is_gone.store(true, Ordering::Release);
            way.told.notify_one();
            taken.count -= 1;
        }
        taken.count += 1;
        let way = Arc::default();
        let idle = taken.begins_to_rest(&way).into();
        Some(Place { places: Arc::clone(self), idle, is_looker: AtomicBool::new(false), way })
    }
}

impl Taken {
    fn begins_to_rest(&mut self, way: &Arc<Way>) -> u64 {
        self.begun += 1;
        self.idle.insert(self.begun, Arc::clone(way));
        self.begun
    }
}

impl Place {
    /// Completes when somebody else has it.
    pub async fn gives_way(&self) {
        self.way.told.notified().await;
    }

    /// It asks for something, and keeps its place; `false` if somebody else has that already.
    #[must_use = "who has no place any more is not served"]
    pub fn asks(&self) -> bool {
        let mut taken = self.places.taken.lock();
        taken.idle.remove(&self.idle.load(Ordering::Acquire));
        !self.way.is_gone.load(Ordering::Acquire)
    }

    /// It only looks on, from now on; `false` if as many do as may.
    #[must_use = "who may not look on is not served"]
    pub fn looks_on(&self) -> bool {
        let mut taken = self.places.taken.lock();
        let may = taken.lookers < (self.places.most * 3).div_ceil(4);
        if may && !self.is_looker.swap(true, Ordering::AcqRel) {
            taken.lookers += 1;
        }
        may
    }

    /// It has its answer, or has not shown yet that it may ask.
    pub fn rests(&self) {
        let mut taken = self.places.taken.lock();
        if !self.way.is_gone.load(Ordering::Acquire) {
            self.idle.store(taken.begins_to_rest(&self.way), Ordering::Release);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock();
        taken.idle.remove(self.idle.get_mut());
        taken.lookers -= usize::from(*self.is_looker.get_mut());
        if !self.way.is_gone.load(Ordering::Acquire) {
            taken.count -= 1;
        }
    }
}
