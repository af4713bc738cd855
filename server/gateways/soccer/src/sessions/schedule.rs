//! When what is sent within a cycle: the real server's polling, 10 ms for 10 ms, as a function of simulated time.

use touchline_soccer_law::params::ServerParams;

/// Length of a pass, milliseconds.
pub const TICK_MS: i64 = 10;

/// What is due in a pass, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// A step of the simulation; nothing else of the pass is due before it is made.
    pub step: bool,
    /// Bodies are sensed, and what was said is heard.
    pub sense_body: bool,
    /// A tick of the views that go by their own clock: a quarter of `send_step`.
    pub see: bool,
    /// Synchronous views.
    pub synch_see: bool,
    /// Coaches' views.
    pub coach: bool,
    /// Clients are told to think, where a step waits for them.
    pub think: bool,
}

/// The passes of a game, one after the other.
#[derive(Clone, Debug)]
pub struct Schedule {
    now_ms: i64,
    step_ms: i64,
    sense_ms: i64,
    /// Four ticks of views.
    send_ms: i64,
    coach_ms: i64,
    synch_see_offset_ms: i64,
    /// When clients are told to think; `None` in real time.
    think_offset_ms: Option<i64>,
}

impl Schedule {
    /// At the beginning of a game.
    pub fn new(server: &ServerParams) -> Self {
        let slowed = |step: i32| i64::from(step.max(1)) * i64::from(server.slow_down_factor.max(1));
        Self {
            now_ms: 0,
            step_ms: slowed(server.simulator_step),
            sense_ms: slowed(server.sense_body_step),
            send_ms: slowed(server.send_step),
            coach_ms: slowed(server.send_vi_step),
            synch_see_offset_ms: i64::from(server.synch_see_offset.max(0)),
            think_offset_ms: server.synch_mode.then(|| i64::from(server.synch_offset.max(0))),
        }
    }

    /// How long a cycle is, milliseconds.
    pub fn step_ms(&self) -> i64 {
        self.step_ms
    }

    /// Whether the next pass begins with a step.
    pub fn is_at_step(&self) -> bool {
        (self.now_ms + TICK_MS) / self.step_ms > self.now_ms / self.step_ms
    }

    /// The next pass; before a step that is not made yet only that is due.
    pub fn tick(&mut self) -> Due {
        if self.is_at_step() {
            return Due { step: true, ..Due::default() };
        }
        let before = self.now_ms;
        self.now_ms += TICK_MS;
        self.due(before)
    }

    /// A step was made: goes on with the pass that began with it, however much of the last cycle is left.
    pub fn stepped(&mut self) -> Due {
        let before = self.now_ms;
        self.now_ms = (before / self.step_ms + 1) * self.step_ms;
        // What lay between is not made up for.
        self.due(before.max(self.now_ms - TICK_MS))
    }

    /// What has come up to now since a time before.
    fn due(&self, before: i64) -> Due {
        let passed = |every: i64, offset: i64| {
            (self.now_ms - offset).div_euclid(every) > (before - offset).div_euclid(every)
        };
        // Quarters: a multiple of send_ms / 4 lies between.
        let see = self.now_ms * 4 / self.send_ms > before * 4 / self.send_ms;
        Due {
            step: false,
            sense_body: passed(self.sense_ms, 0),
            see,
            synch_see: passed(self.step_ms, self.synch_see_offset_ms % self.step_ms),
            coach: passed(self.coach_ms, 0),
            think: self.think_offset_ms.is_some_and(|offset| passed(self.step_ms, offset % self.step_ms)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec 4: views by their own clock tick at multiples of 37.5 ms on a grid of 10 ms, eight in 300 ms; the rest once a cycle.
    #[test]
    fn passes_are_those_of_the_server() {
        let mut schedule = Schedule::new(&ServerParams { synch_mode: true, ..ServerParams::today() });
        let (mut sees, mut thinks, mut senses) = (Vec::new(), Vec::new(), 0);
        for cycle in 0..3 {
            let mut due = schedule.stepped();
            assert!(due.sense_body && due.coach && due.synch_see);
            let mut at_ms = 0;
            while !due.step {
                senses += i32::from(due.sense_body);
                if due.see {
                    sees.push(cycle * 100 + at_ms);
                }
                if due.think {
                    thinks.push(cycle * 100 + at_ms);
                }
                due = schedule.tick();
                at_ms += TICK_MS;
            }
            assert_eq!(at_ms, 100);
        }
        // From the first step on, which is 100 ms after the beginning: 120, 150, 190, 230, 270, 300, 340, 380.
        assert_eq!(sees, [20, 50, 90, 130, 170, 200, 240, 280]);
        assert_eq!(thinks, [60, 160, 260]);
        assert_eq!(senses, 3);
    }

    /// A step that comes late drops what was due between, and the views go on by the cycle.
    #[test]
    fn a_late_step_is_not_made_up_for() {
        let mut schedule = Schedule::new(&ServerParams::today());
        for _ in 0..10 {
            let due = schedule.stepped();
            assert!(due.sense_body && !due.think);
        }
        assert!(!schedule.tick().sense_body);
    }
}
