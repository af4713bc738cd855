//! When the next step is due: arithmetic on instants that are handed in, so that tests need no clock.
//!
//! Steps are ordered by participants. There is one, unless programs play against each other: then a step is made when all have ordered it.

use std::time::Duration;
use touchline_gate::Speed;

/// Who is later than this has been suspended or overloaded, and goes on from now.
const GIVE_UP: Duration = Duration::from_millis(100);

/// The loop's time table. Instants are durations since the loop began.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    dt: Duration,
    speed: Speed,
    paused: bool,
    due: Duration,
    /// The steps that each participant has ordered, and that are not made.
    ordered_steps: Vec<u32>,
}

/// What the loop has to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Make a step, which is this late.
    Step { late: Duration },
    /// Wait for the queue, at most so long.
    Wait(Duration),
    /// Wait for the queue, without a limit.
    Idle,
}

impl Pace {
    /// There is at least one participant.
    pub fn new(dt: Duration, speed: Speed, now: Duration, participants: usize) -> Self {
        Self { dt, speed, paused: false, due: now, ordered_steps: vec![0; participants.max(1)] }
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
        self.forget_orders();
    }

    /// Steps that were ordered and not yet made are forgotten.
    pub fn forget_orders(&mut self) {
        self.ordered_steps.fill(0);
    }

    pub fn resume(&mut self, now: Duration) {
        self.paused = false;
        self.due = now;
    }

    /// Steps that are made at once, whatever the speed; then it stands still.
    pub fn order(&mut self, participant: usize, steps: u32) {
        if self.speed != Speed::Lockstep {
            self.paused = true;
        }
        if let Some(ordered) = self.ordered_steps.get_mut(participant) {
            *ordered = ordered.saturating_add(steps);
        }
    }

    /// Whether a step is ordered by all.
    pub fn has_orders(&self) -> bool {
        self.ordered_steps.iter().all(|&steps| steps > 0)
    }

    /// Whether a participant waits for steps that it has ordered.
    pub fn has_order_of(&self, participant: usize) -> bool {
        self.ordered_steps.get(participant).is_some_and(|&steps| steps > 0)
    }

    pub fn next(&self, now: Duration) -> Next {
        if self.has_orders() {
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
        if self.has_orders() {
            self.ordered_steps.iter_mut().for_each(|steps| *steps -= 1);
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
            let mut pace = Pace::new(DT, Speed::Factor(factor), ms(0), 1);
            let made = steps(&mut pace, 0, 1000);
            assert!(made.abs_diff(expected) <= 25, "{factor}: {made}");
        }
    }

    /// A step that is a little late is made up for: on average the factor holds.
    #[test]
    fn small_delays_are_made_up_for() {
        let mut pace = Pace::new(DT, Speed::Factor(1.0), ms(0), 1);
        steps(&mut pace, 0, 500);
        assert_eq!(steps(&mut pace, 550, 1000), 50);
    }

    /// No burst after a suspend: ten hours are not made up for.
    #[test]
    fn a_suspend_is_not_made_up_for() {
        let mut pace = Pace::new(DT, Speed::Factor(1.0), ms(0), 1);
        steps(&mut pace, 0, 100);
        let morning = 36_000_000;
        assert_eq!(pace.next(ms(morning)), Next::Step { late: ms(morning - 100) });
        assert_eq!(steps(&mut pace, morning, morning + 100), 10);
    }

    /// W6: pause, single steps, lockstep.
    #[test]
    fn ordered_steps_are_made_and_no_more() {
        let mut pace = Pace::new(DT, Speed::Factor(1.0), ms(0), 1);
        pace.order(0, 3);
        assert_eq!(steps(&mut pace, 0, 1000), 3);
        assert!(pace.is_paused());
        pace.resume(ms(1000));
        assert_eq!(steps(&mut pace, 1000, 1100), 10);
        pace.set_speed(Speed::Lockstep, ms(1100));
        assert_eq!(steps(&mut pace, 1100, 2000), 0);
        pace.order(0, 5);
        assert_eq!(steps(&mut pace, 2000, 3000), 5);
        assert!(!pace.is_paused(), "lockstep is no pause");
        pace.order(0, 1_000_000);
        pace.pause();
        assert_eq!(steps(&mut pace, 3000, 3100), 0, "a pause ends an order that was too large");
    }

    /// W6, B1: with two participants a step is made when both have ordered it; each is done when its own steps are made.
    #[test]
    fn a_step_is_ordered_by_all_parties() {
        let mut pace = Pace::new(DT, Speed::Lockstep, ms(0), 2);
        pace.order(0, 2);
        assert_eq!((steps(&mut pace, 0, 10), pace.has_order_of(0), pace.has_order_of(1)), (0, true, false));
        pace.order(1, 5);
        assert_eq!((steps(&mut pace, 10, 20), pace.has_order_of(0), pace.has_order_of(1)), (2, false, true));
        pace.order(0, 9);
        assert_eq!((steps(&mut pace, 20, 30), pace.has_order_of(0), pace.has_order_of(1)), (3, true, false));
        pace.forget_orders();
        assert!(!pace.has_order_of(0));
    }
}
