//! The world's thread comes before others while it has a clock to keep: asked of the system, and told as it was got.

use clap::ValueEnum;
use touchline_gate::{Gate, Priority, Speed};

/// Whether priority is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PriorityWish {
    /// The real-time class if the system allows it and has two processors, else a better nice value if it allows that
    Auto,
    /// As any other program
    Normal,
}

/// So much better than others where the real-time class is not to be had.
#[cfg(target_os = "linux")]
const BETTER: i32 = -10;

/// Keeps the priority of the world's thread as its clock needs it.
pub struct Keeper {
    wish: PriorityWish,
    gate: Gate,
}

impl Keeper {
    /// Asks for the first time.
    pub fn new(wish: PriorityWish, gate: Gate) -> Self {
        let keeper = Self { wish, gate };
        #[cfg(target_os = "linux")]
        while keeper.gate.loop_thread().is_none() {
            // It has been started, and says its number first.
            std::thread::yield_now();
        }
        keeper.look();
        keeper
    }

    /// Asks for more or gives it back: a world that has no clock to keep, or that stands still, would take from others what it does not need.
    pub fn look(&self) {
        let Some(thread) = self.gate.loop_thread() else { return };
        let (status, stall) = self.gate.status();
        let keeps_a_clock = matches!(status.speed, Speed::Factor(_)) && stall.is_none();
        let is_wanted = self.wish == PriorityWish::Auto && keeps_a_clock;
        match (is_wanted, self.gate.priority()) {
            (true, None) => self.gate.set_priority(Some(raise(thread))),
            (false, Some(_)) => {
                lower(thread);
                self.gate.set_priority(None);
            }
            _ => {}
        }
    }
}

#[cfg(target_os = "linux")]
fn raise(thread: i32) -> Priority {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // On a single processor nobody could stop a world that takes it all.
    if cores > 1 && touchline_host::set_real_time(thread, true).is_ok() {
        return Priority::RealTime;
    }
    if set_nice(thread, BETTER) { Priority::Raised } else { Priority::Normal }
}

#[cfg(target_os = "linux")]
fn lower(thread: i32) {
    let _ = touchline_host::set_real_time(thread, false);
    set_nice(thread, 0);
}

/// How much better or worse than the program as a whole.
#[cfg(target_os = "linux")]
fn set_nice(thread: i32, step: i32) -> bool {
    use rustix::process::{Pid, getpid, getpriority_process, setpriority_process};
    let own = getpriority_process(Some(getpid())).unwrap_or(0);
    Pid::from_raw(thread).is_some_and(|thread| setpriority_process(Some(thread), own + step).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn raise(_: i32) -> Priority {
    Priority::Normal
}

#[cfg(not(target_os = "linux"))]
fn lower(_: i32) {}
