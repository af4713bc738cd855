//! What steps took, counted by how long.

use std::time::Duration;

/// A histogram of the time that steps took, the recorder's part in them as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    counts: [u64; StepTimes::BOUNDS.len() + 1],
    sum: Duration,
}

impl StepTimes {
    /// The upper bounds of the counts; the last count has none.
    pub const BOUNDS: [Duration; 13] = [
        Duration::from_micros(20),
        Duration::from_micros(50),
        Duration::from_micros(100),
        Duration::from_micros(200),
        Duration::from_micros(500),
        Duration::from_millis(1),
        Duration::from_millis(2),
        Duration::from_millis(5),
        Duration::from_millis(10),
        Duration::from_millis(20),
        Duration::from_millis(50),
        Duration::from_millis(100),
        Duration::from_millis(1000),
    ];

    /// Adds the duration of one step.
    pub fn count(&mut self, took: Duration) {
        self.counts[Self::BOUNDS.partition_point(|&bound| bound < took)] += 1;
        self.sum += took;
    }

    /// Number of steps counted.
    pub fn steps(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// What all of them took.
    pub fn sum(&self) -> Duration {
        self.sum
    }

    /// For each bound how many steps took that long or less.
    pub fn up_to_bounds(&self) -> impl Iterator<Item = (Duration, u64)> + '_ {
        Self::BOUNDS.iter().zip(&self.counts).scan(0, |total, (&bound, count)| {
            *total += count;
            Some((bound, *total))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bound belongs to what is below it; what is above all is counted too.
    #[test]
    fn steps_are_counted_by_their_time() {
        let mut times = StepTimes::default();
        for micros in [0, 20, 21, 150, 5_000_000] {
            times.count(Duration::from_micros(micros));
        }
        assert_eq!((times.steps(), times.sum()), (5, Duration::from_micros(5_000_191)));
        let counts: Vec<u64> = times.up_to_bounds().map(|(_, count)| count).collect();
        assert_eq!(counts, [2, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
        assert!(StepTimes::BOUNDS.is_sorted());
    }
}
