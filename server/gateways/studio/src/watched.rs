//! A world that somebody else steps, in real time and only to be looked at: an environment of somebody who learns.
//!
//! The one who steps says what is true by [`Watched::show`], and waits there until it is time, so that a person can follow. He
//! waits for the clock alone: pages are served by a thread of their own, and take the newest Frame when they can.

use crate::{Limits, Looked, Looking, Recording, Source, Status, serve_counted};
use parking_lot::{Mutex, MutexGuard};
use std::io;
use std::net::IpAddr;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::io::DuplexStream;
use tokio::sync::oneshot;
use touchline_gate::{Keys, Pass, Speed};
use touchline_sim::{Frame, Scenario};

/// Who is later than this goes on from now: a learner that thinks for a while does not hurry afterwards.
const GIVE_UP: Duration = Duration::from_millis(100);
/// The real-time factor is measured over so long.
const FACTOR_WINDOW: Duration = Duration::from_secs(1);

/// A world that is shown; the page is gone, and its port free, when this is dropped.
pub struct Watched {
    world: Arc<Shown>,
    pace: Pace,
    epoch: Instant,
    address: SocketAddr,
    /// How many pages are connected.
    pages: Arc<AtomicUsize>,
    /// Dropped to stop the service.
    running: Option<oneshot::Sender<()>>,
    service: Option<JoinHandle<()>>,
}

impl Watched {
    /// Serves the page on a bound listener, from a thread of its own.
    ///
    /// # Errors
    /// When the system has no thread or no poll to give.
    pub fn open(listener: TcpListener, scenario: Scenario, frame: Frame, episode: u64) -> io::Result<Self> {
        Self::serve(listener, Shown::new(scenario, frame, episode, None))
    }

    /// As [`Self::open`], for who shows one of these keys: nobody else is told anything of the world.
    ///
    /// # Errors
    /// As there.
    pub fn open_to(
        keys: Keys,
        listener: TcpListener,
        scenario: Scenario,
        frame: Frame,
        episode: u64,
    ) -> io::Result<Self> {
        Self::serve(listener, Shown::new(scenario, frame, episode, Some(keys)))
    }

    fn serve(listener: TcpListener, shown: Shown) -> io::Result<Self> {
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let world = Arc::new(shown);
        let source: Arc<Shown> = Arc::clone(&world);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let (running, stop) = oneshot::channel::<()>();
        let stopped = async {
            // An error is the sender's end, which is the stop.
            let _ = stop.await;
        };
        let pages = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&pages);
        let service = std::thread::Builder::new().name("studio".into()).spawn(move || {
            runtime.block_on(serve_counted(listener, source, Limits::default(), counted, stopped));
        })?;
        Ok(Self {
            world,
            pace: Pace::default(),
            epoch: Instant::now(),
            address,
            pages,
            running: Some(running),
            service: Some(service),
        })
    }

    /// Address at which the page is served.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether a page is connected, and let in.
    pub fn is_seen(&self) -> bool {
        self.pages.load(Ordering::Relaxed) > 0
    }

    /// Says on the page what is being played, in place of the episode's number.
    pub fn call_it(&self, caption: &str) {
        self.world.newest().caption = Some(caption.into());
    }

    /// Shows a Frame of an episode: `after` real time has passed since the last one was due, at the earliest. Waits until then.
    pub fn show(&mut self, frame: Frame, episode: u64, after: Duration) {
        std::thread::sleep(self.pace.wait(self.epoch.elapsed(), after));
        self.world.show(frame, episode, self.epoch.elapsed());
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        drop(self.running.take());
        if let Some(service) = self.service.take() {
            // A panic in it was told by the thread itself.
            let _ = service.join();
        }
    }
}

/// When the next Frame is due; instants are durations since the beginning, so that tests need no clock.
#[derive(Debug, Default)]
struct Pace {
    due: Option<Duration>,
}

impl Pace {
    /// How long to wait for a Frame that comes `after` the last one.
    fn wait(&mut self, now: Duration, after: Duration) -> Duration {
        let due = self.due.map_or(now, |due| due + after);
        let due = if due + GIVE_UP < now { now } else { due };
        self.due = Some(due);
        due.saturating_sub(now)
    }
}

/// Scenario and state that the pages are shown.
struct Shown {
    scenario: Arc<Scenario>,
    /// What lets a page in; none if any is.
    keys: Option<Keys>,
    newest: Mutex<Newest>,
}

struct Newest {
    frame: Arc<Frame>,
    status: Status,
    caption: Option<Arc<str>>,
    /// When it was shown.
    at: Duration,
    began: Instant,
    /// Since when, and how many simulated seconds since then.
    window: (Duration, f64),
}

impl Shown {
    fn new(scenario: Scenario, frame: Frame, episode: u64, keys: Option<Keys>) -> Self {
        let status = Status {
            paused: false,
            speed: Speed::Factor(1.0),
            real_time_factor: 0.0,
            late_ms: 0.0,
            tick: 0,
            oldest: 0,
            newest: 0,
            replay: false,
            departs: None,
            recording: false,
            episode: Some(episode),
        };
        let newest = Newest {
            frame: Arc::new(frame),
            status,
            caption: None,
            at: Duration::ZERO,
            began: Instant::now(),
            window: (Duration::ZERO, 0.0),
        };
        Self { scenario: Arc::new(scenario), keys, newest: Mutex::new(newest) }
    }

    fn newest(&self) -> MutexGuard<'_, Newest> {
        // Whoever panicked held it for a few assignments, each of which leaves something that can be shown.
        self.newest.lock()
    }

    fn show(&self, frame: Frame, episode: u64, now: Duration) {
        let frame = Arc::new(frame);
        let mut newest = self.newest();
        // Another episode begins at its own first second.
        let passed = (frame.time_secs - newest.frame.time_secs).max(0.0);
        let same = newest.status.episode == Some(episode);
        newest.window.1 += if same { passed } else { 0.0 };
        let elapsed = now.saturating_sub(newest.window.0);
        if elapsed >= FACTOR_WINDOW / 4 {
            newest.status.real_time_factor = newest.window.1 / elapsed.as_secs_f64();
        }
        if elapsed >= FACTOR_WINDOW {
            newest.window = (now, 0.0);
        }
        newest.status.tick += u64::from(frame.revision != newest.frame.revision);
        (newest.status.oldest, newest.status.newest) = (newest.status.tick, newest.status.tick);
        newest.status.episode = Some(episode);
        newest.at = now;
        newest.frame = frame;
    }
}

impl Source for Shown {
    fn frame(&self) -> Arc<Frame> {
        Arc::clone(&self.newest().frame)
    }

    fn scenario(&self) -> Arc<Scenario> {
        Arc::clone(&self.scenario)
    }

    fn status(&self) -> Status {
        let newest = self.newest();
        let stands = newest.began.elapsed().saturating_sub(newest.at) >= FACTOR_WINDOW;
        let factor = if stands { 0.0 } else { newest.status.real_time_factor };
        Status { real_time_factor: factor, ..newest.status }
    }

    fn recording(&self) -> Recording {
        Recording::default()
    }

    fn caption(&self) -> Option<Arc<str>> {
        self.newest().caption.clone()
    }

    fn metrics(&self, _pages: usize) -> Option<String> {
        None
    }

    fn look(&self, _tick: u64) -> Looking {
        Box::pin(std::future::ready(Err("an environment keeps nothing of its past".into())))
    }

    fn board(&self, _pass: Option<Pass>, _from: IpAddr, _looked: Looked) -> Option<DuplexStream> {
        None
    }

    fn is_locked(&self) -> bool {
        self.keys.is_some()
    }

    fn unlock(&self, key: &str, _from: IpAddr) -> Result<Pass, String> {
        let found = self.keys.as_ref().and_then(|keys| keys.find(key));
        found.cloned().ok_or_else(|| "this key opens nothing here".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Real time holds on average: who is a little late makes up for it.
    #[test]
    fn frames_are_due_one_after_the_other() {
        let mut pace = Pace::default();
        assert_eq!(pace.wait(ms(500), ms(20)), ms(0), "the first one at once");
        assert_eq!(pace.wait(ms(505), ms(20)), ms(15));
        assert_eq!(pace.wait(ms(550), ms(20)), ms(0), "10 ms late");
        assert_eq!(pace.wait(ms(550), ms(20)), ms(10), "and made up for");
    }

    /// A learner that thinks for a minute does not make its steps in a burst afterwards.
    #[test]
    fn a_long_thought_is_not_made_up_for() {
        let mut pace = Pace::default();
        pace.wait(ms(0), ms(20));
        assert_eq!(pace.wait(ms(60_000), ms(20)), ms(0));
        assert_eq!(pace.wait(ms(60_000), ms(20)), ms(20));
    }
}
