//! Who looks on may not have one process started after the other: what his reading ended rests for a while.

use std::time::{Duration, Instant};

/// It rests no shorter than this …
const SHORTEST: Duration = Duration::from_secs(1);
/// … and so many times as long as the reading took, for which everybody else waited.
const TIMES_AS_LONG: u32 = 10;

/// When those who look on are let in again, and what they are told until then.
#[derive(Default)]
pub struct Pause(Option<(Instant, String)>);

impl Pause {
    /// Begins when a reading for somebody who looks on has ended the process.
    pub fn begin(&mut self, why: &str, begun: Instant, now: Instant) {
        let rest = (now.saturating_duration_since(begun) * TIMES_AS_LONG).max(SHORTEST);
        // As long as the world stands, all who ask are told what the first was.
        let told =
            format!("{why}; a reader may ask again in a step that comes {} ms later", rest.as_millis());
        self.0 = Some((now + rest, told));
    }

    /// # Errors
    /// What ended the process, as long as it rests.
    pub fn let_in(&self, now: Instant) -> Result<(), String> {
        match &self.0 {
            Some((until, told)) if now < *until => Err(told.clone()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P1: however often somebody asks, a process is started for him once a second at most, and nine tenths of the time are for others.
    #[test]
    fn who_looks_on_waits_after_an_end() {
        let secs = Duration::from_secs_f64;
        let (begun, mut pause) = (Instant::now(), Pause::default());
        assert_eq!(pause.let_in(begun), Ok(()));
        for (took, rest) in [(0.01, 1.0), (2.0, 20.0)] {
            let ended = begun + secs(took);
            pause.begin("it crashed", begun, ended);
            let told = pause.let_in(ended + secs(rest - 0.001)).unwrap_err();
            let again = format!("a reader may ask again in a step that comes {rest}000 ms later");
            assert_eq!(told, format!("it crashed; {again}"));
            assert_eq!(pause.let_in(ended + secs(rest)), Ok(()));
        }
    }
}
