//! When the next step is due: arithmetic on instants that are handed in, so that tests need no clock.

use super::Speed;
use std::time::Duration;

/// Who is later than this has been suspended or overloaded, and goes on from now.
const GIVE_UP: Duration = Duration::from_millis(100);

/// The loop's time table. Instants are durations since the loop began.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    dt: Duration,
    speed: Speed,
    paused: bool,
    due: Duration,
    ordered_steps: u32,
}

/// What the loop has to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Make a step, which is this late.
    Step { late: Duration },
    /// Wait for the queue, at most so long.
    Wait(Duration),
    /// Wait for the queue.
    Idle,
}

impl Pace {
    pub fn new(dt: Duration, speed: Speed, now: Duration) -> Self {
        Self { dt, speed, paused: false, due: now, ordered_steps: 0 }
    }

    pub fn speed(&self) -> Speed {
        self.speed
    }

    pub fn is_paused(&self) -> bool {
        self.paused
    }

    pub fn set_speed(&mut self, speed: Speed, now: Duration) {
        self.speed = speed;
        self.due = now;
    }

    /// Stands still; steps that were ordered and not yet made are forgotten.
    pub fn pause(&mut self) {
        self.paused = true;
        self.ordered_steps = 0;
    }

    /// Steps that were ordered and not yet made are forgotten.
    pub fn forget_orders(&mut self) {
        self.ordered_steps = 0;
    }

    pub fn resume(&mut self, now: Duration) {
        self.paused = false;
        self.due = now;
    }

    /// Steps that are made at once, whatever the speed; then it stands still.
    pub fn order(&mut self, steps: u32) {
        if self.speed != Speed::Lockstep {
            self.paused = true;
        }
        self.ordered_steps = self.ordered_steps.saturating_add(steps);
    }

    pub fn has_orders(&self) -> bool {
        self.ordered_steps > 0
    }

    pub fn next(&self, now: Duration) -> Next {
        if self.ordered_steps > 0 {
            return Next::Step { late: Duration::ZERO };
        }
        match self.speed {
            _ if self.paused => Next::Idle,
            Speed::Lockstep => Next::Idle,
            Speed::Max => Next::Step { late: Duration::ZERO },
            Speed::Factor(_) if now >= self.due => Next::Step { late: now - self.due },
            Speed::Factor(_) => Next::Wait(self.due - now),
        }
    }

    /// A step was begun at `now`.
    pub fn stepped(&mut self, now: Duration) {
        if self.ordered_steps > 0 {
            self.ordered_steps -= 1;
            return;
        }
        if let Speed::Factor(factor) = self.speed {
            let late = now.saturating_sub(self.due);
            self.due = if late > GIVE_UP { now } else { self.due } + self.dt.div_f64(factor.abs());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: Duration = Duration::from_millis(10);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Steps that a loop makes between two instants, if it wakes every millisecond.
    fn steps(pace: &mut Pace, from: u64, to: u64) -> usize {
        let mut steps = 0;
        for now in from..to {
            while let Next::Step { .. } = pace.next(ms(now)) {
                pace.stepped(ms(now));
                steps += 1;
            }
        }
        steps
    }

    /// W6: real time, and any factor of it.
    #[test]
    fn a_factor_makes_so_many_steps_a_second() {
        for (factor, expected) in [(1.0, 100), (0.5, 50), (4.0, 400), (25.0, 2500)] {
            let mut pace = Pace::new(DT, Speed::Factor(factor), ms(0));
            let made = steps(&mut pace, 0, 1000);
            assert!(made.abs_diff(expected) <= 25, "{factor}: {made}");
        }
    }

    /// A step that is a little late is made up for: on average the factor holds.
    #[test]
    fn small_delays_are_made_up_for() {
        let mut pace = Pace::new(DT, Speed::Factor(1.0), ms(0));
        steps(&mut pace, 0, 500);
        assert_eq!(steps(&mut pace, 550, 1000), 50);
    }

    /// No burst after a suspend: ten hours are not made up for.
    #[test]
    fn a_suspend_is_not_made_up_for() {
        let mut pace = Pace::new(DT, Speed::Factor(1.0), ms(0));
        steps(&mut pace, 0, 100);
        let morning = 36_000_000;
        assert_eq!(pace.next(ms(morning)), Next::Step { late: ms(morning - 100) });
        assert_eq!(steps(&mut pace, morning, morning + 100), 10);
    }

    /// W6: pause, single steps, lockstep.
    #[test]
    fn ordered_steps_are_made_and_no_more() {
        let mut pace = Pace::new(DT, Speed::Factor(1.0), ms(0));
        pace.order(3);
        assert_eq!(steps(&mut pace, 0, 1000), 3);
        assert!(pace.is_paused());
        pace.resume(ms(1000));
        assert_eq!(steps(&mut pace, 1000, 1100), 10);
        pace.set_speed(Speed::Lockstep, ms(1100));
        assert_eq!(steps(&mut pace, 1100, 2000), 0);
        pace.order(5);
        assert_eq!(steps(&mut pace, 2000, 3000), 5);
        assert!(!pace.is_paused(), "lockstep is no pause");
        pace.order(1_000_000);
        pace.pause();
        assert_eq!(steps(&mut pace, 3000, 3100), 0, "a pause ends an order that was too large");
    }
}
