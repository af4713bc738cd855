//! Whether other threads pay, as it was measured.
//!
//! To wake a thread takes tens of microseconds on a free core, and milliseconds on one that somebody else has: more than a few worlds' whole
//! round. No rule foresees that, so both ways are timed, and the faster one is gone. What trying the other one costs is kept below a fiftieth of
//! the time. Nothing but time depends on the choice.

/// Who steps the worlds of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crew {
    /// The thread that asks.
    Alone,
    /// All threads.
    Together,
}

/// More threads have to be faster by so much: otherwise they take other programs' processor time for nothing.
const WORTH: f64 = 0.95;
/// Rounds of each crew before the first choice; the very first finds cold worlds and counts for nothing.
const TRIALS: u32 = 3;
/// The share of the time that may go into trying the other crew.
const CURIOSITY: f64 = 0.02;
/// A round counts for at most so many usual ones: somebody else may have had the core.
const OUTLIER: f64 = 4.0;
/// Weight of the newest round in what is usual.
const NEWEST: f64 = 0.25;

/// How long rounds take with each crew, seconds.
#[derive(Debug)]
pub(crate) struct Pace {
    rounds: [u32; 2],
    usual: [f64; 2],
    /// What the next try of the crew that is not chosen may cost.
    saved: f64,
    /// What the last one cost.
    price: f64,
}

impl Pace {
    pub fn new() -> Self {
        Self { rounds: [0; 2], usual: [0.0; 2], saved: 0.0, price: 0.0 }
    }

    /// The crew that is faster, as far as is known.
    pub fn faster(&self) -> Crew {
        let [alone, together] = self.usual;
        let is_known = self.rounds.iter().all(|&rounds| rounds > 1);
        if is_known && together > WORTH * alone { Crew::Alone } else { Crew::Together }
    }

    /// The crew of the next round: the faster one, or now and then the other, as it may be faster by now.
    pub fn next(&self) -> Crew {
        let faster = self.faster();
        match [Crew::Together, Crew::Alone].into_iter().find(|&crew| self.rounds[crew as usize] < TRIALS) {
            Some(crew) => crew,
            None if self.saved > self.price => faster.other(),
            None => faster,
        }
    }

    /// Takes down how long a round took.
    pub fn took(&mut self, crew: Crew, secs: f64) {
        let is_try = crew != self.faster();
        let faster = self.usual[self.faster() as usize];
        let (rounds, usual) = (&mut self.rounds[crew as usize], &mut self.usual[crew as usize]);
        *rounds = rounds.saturating_add(1);
        match *rounds {
            1 => {}
            2 => *usual = secs,
            _ => *usual += NEWEST * (secs.min(OUTLIER * *usual) - *usual),
        }
        if is_try {
            // One that costs nothing is not made all the time either.
            (self.saved, self.price) = (0.0, (secs - faster).max(faster));
        } else {
            self.saved += CURIOSITY * secs;
        }
    }
}

impl Crew {
    fn other(self) -> Self {
        match self {
            Self::Alone => Self::Together,
            Self::Together => Self::Alone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays rounds that take so long; gives how many of the last hundred each crew had, and what all took.
    fn play(pace: &mut Pace, rounds: usize, secs: impl Fn(usize, Crew) -> f64) -> ([usize; 2], f64) {
        let (mut last, mut whole) = ([0; 2], 0.0);
        for round in 0..rounds {
            let crew = pace.next();
            let took = secs(round, crew);
            pace.took(crew, took);
            whole += took;
            if round + 100 >= rounds {
                last[crew as usize] += 1;
            }
        }
        (last, whole)
    }

    #[test]
    fn the_faster_crew_has_the_rounds_and_tries_cost_little() {
        for (alone, together) in [(20e-6, 3e-3), (20e-6, 35e-6), (1e-3, 0.52e-3), (5e-3, 9e-3)] {
            let secs = |_, crew| if crew == Crew::Alone { alone } else { together };
            let ([by_one, by_all], whole) = play(&mut Pace::new(), 20_000, secs);
            let (fewer, faster) = if alone < together { (by_all, alone) } else { (by_one, together) };
            assert!(fewer <= 3, "{by_one} and {by_all} of a hundred rounds of {alone} s and {together} s");
            let first_trials = f64::from(TRIALS) * alone.max(together);
            let most = first_trials + 1.03 * 20_000.0 * faster;
            assert!(whole < most, "{whole} s for rounds of {alone} s and {together} s");
        }
    }

    #[test]
    fn a_core_that_comes_and_goes_is_noticed() {
        let secs = |round, crew| match (crew, !(5_000..10_000).contains(&round)) {
            (Crew::Alone, _) => 100e-6,
            (Crew::Together, true) => 60e-6,
            (Crew::Together, false) => 2e-3,
        };
        let mut pace = Pace::new();
        assert!(play(&mut pace, 5_000, secs).0[1] > 90);
        assert!(play(&mut pace, 5_000, |round, crew| secs(round + 5_000, crew)).0[0] > 90);
        assert!(play(&mut pace, 10_000, |round, crew| secs(round + 10_000, crew)).0[1] > 90);
    }

    #[test]
    fn one_round_that_somebody_else_stopped_changes_little() {
        let secs = |round, crew| match crew {
            _ if round % 300 == 299 => 10e-3,
            Crew::Alone => 400e-6,
            Crew::Together => 210e-6,
        };
        let mut together = 0;
        let mut pace = Pace::new();
        for round in 0..10_000 {
            let crew = pace.next();
            together += usize::from(crew == Crew::Together);
            pace.took(crew, secs(round, crew));
        }
        assert!(together > 9_500, "{together} of 10,000");
    }

    #[test]
    fn threads_that_give_next_to_nothing_are_left_to_others() {
        let secs = |_, crew| if crew == Crew::Alone { 100e-6 } else { 98e-6 };
        assert!(play(&mut Pace::new(), 2_000, secs).0[0] > 90);
    }
}
