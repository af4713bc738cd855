//! A pace that is kept on average, and may be run ahead of after a pause. It knows no clock: times are the caller's.

/// What is too much waits where it is.
///
/// ```
/// use touchline_arrivals::Pace;
///
/// // Ten a second, and five of them at once.
/// let (each_ns, mut pace) = (100_000_000, Pace::new(4 * 100_000_000));
/// let now_us = 1_000_000;
/// for _ in 0..5 {
///     assert_eq!(pace.next_us(now_us), None);
///     pace.take(now_us, each_ns);
/// }
/// assert_eq!(pace.next_us(now_us), Some(now_us + 100_000));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// When all that was taken so far would have been due at an even pace.
    until_ns: u64,
    ahead_ns: u64,
}

impl Pace {
    /// `ahead_ns` is how far what is taken may be ahead of an even pace, nanoseconds.
    pub fn new(ahead_ns: u64) -> Self {
        Self { until_ns: 0, ahead_ns }
    }

    /// When more may be taken, if not now; microseconds of the caller's clock.
    pub fn next_us(&self, now_us: u64) -> Option<u64> {
        let next_us = self.until_ns.saturating_sub(self.ahead_ns).div_ceil(1000);
        (next_us > now_us).then_some(next_us)
    }

    /// Takes something that would be due `due_ns` nanoseconds after what was taken before.
    pub fn take(&mut self, now_us: u64, due_ns: u64) {
        self.until_ns = self.until_ns.max(now_us.saturating_mul(1000)).saturating_add(due_ns);
    }
}
