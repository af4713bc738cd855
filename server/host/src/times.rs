//! How long plugins take: some of their calls are timed, and stand for all.
//!
//! A step of a match makes some twenty calls in as few microseconds, so what is counted at every call is one number of the
//! thread's own: a counter that threads share would cost more than a hundredth of a step.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use touchline_plugin_api::plugin::PluginKind;

/// Of so many calls of a thread, whichever plugins they are of, one is timed. A prime, so that in a world that makes as many
/// calls in each step it is each of them in turn.
pub const PERIOD: u32 = 509;

/// How often a plugin was called, and what that took, both estimated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginTime {
    /// Kind of the plugin.
    pub kind: PluginKind,
    /// Name of the plugin.
    pub name: String,
    /// Number of calls of all its instances, estimated.
    pub calls: u64,
    /// Total duration of these calls, estimated.
    pub time: Duration,
}

/// The timed calls of one plugin, shared by its instances. They guard nothing, so no order of memory is asked for.
#[derive(Debug, Default)]
pub struct Times {
    calls: AtomicU64,
    nanos: AtomicU64,
}

thread_local! {
    // Calls until one is timed.
    static LEFT: Cell<u32> = const { Cell::new(PERIOD) };
}

impl Times {
    /// Makes a call, and times it if it is its turn.
    #[inline]
    pub fn count<R>(&self, call: impl FnOnce() -> R) -> R {
        let left = LEFT.get() - 1;
        if left > 0 {
            LEFT.set(left);
            return call();
        }
        LEFT.set(PERIOD);
        self.timed(call)
    }

    #[cold]
    #[inline(never)]
    fn timed<R>(&self, call: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        let result = call();
        let nanos = begun.elapsed().as_nanos() as u64;
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
        result
    }

    /// What all calls took, by those that were timed.
    pub fn read(&self, kind: PluginKind, name: &str) -> PluginTime {
        let all = |timed: &AtomicU64| timed.load(Ordering::Relaxed).saturating_mul(u64::from(PERIOD));
        let (calls, time) = (all(&self.calls), Duration::from_nanos(all(&self.nanos)));
        PluginTime { kind, name: name.to_owned(), calls, time }
    }
}

/// How a plugin's instances are called in messages, and where their calls are timed.
#[derive(Clone)]
pub struct Identity {
    /// Such as `motion plugin "differential"`.
    pub title: Arc<str>,
    /// The robot's name, or whose it is else.
    pub owner: String,
    /// Timed calls of the plugin, shared by its instances.
    pub times: Arc<Times>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One call of a row is timed and stands for all; of two plugins that take turns each has its share.
    #[test]
    fn some_calls_stand_for_all() {
        // A thread of its own, which has made no calls before.
        let counted = std::thread::spawn(|| {
            let (often, seldom) = (Times::default(), Times::default());
            let mut made = 0;
            let wait = || {
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_micros(2) {}
            };
            for turn in 0..PERIOD * 40 {
                if turn % 4 == 0 { seldom.count(wait) } else { often.count(|| made += 1) }
            }
            (made, often.read(PluginKind::Motion, "often"), seldom.read(PluginKind::Sensor, "seldom"))
        });
        let (made, often, seldom) = counted.join().unwrap();
        let row = u64::from(PERIOD);
        assert_eq!((made, often.calls, seldom.calls), (30 * row, 30 * row, 10 * row));
        assert!(seldom.time >= Duration::from_micros(2) * 10 * PERIOD);
        assert_eq!((often.name.as_str(), seldom.kind), ("often", PluginKind::Sensor));
    }
}
