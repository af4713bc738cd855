//! The attempt that is being played, live on a page of its own: in real time, as long as somebody looks. (CH8)
//!
//! One attempt at a time is shown, and waits for the clock with each picture; the others, and all when no page is open, are played as fast as they can be.
//! Time in a world is simulated, so nothing that is measured depends on who looks.

use super::Failure;
use super::challenge::play_failure;
use parking_lot::Mutex;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use touchline_challenge::{Attempt, Challenge, Team};
use touchline_sim::World;
use touchline_studio::Watched;

/// So much of the world's time passes between two pictures, seconds.
const PICTURE_SECS: f64 = 1.0 / 60.0;
/// How long the end of an attempt stays to be seen, when another one follows.
const STAYS: Duration = Duration::from_secs(1);
/// An attempt that is not shown looks so often whether somebody looks, steps.
const STEPS_BETWEEN_LOOKS: u64 = 64;
/// A page whose world has become another one comes again within this time, or has gone.
const COMES_AGAIN: Duration = Duration::from_secs(5);

/// The page, once somebody has asked for it.
#[derive(Default)]
pub struct Live {
    page: Mutex<Option<Arc<Page>>>,
}

/// The page of one challenge; another one has another field.
struct Page {
    digest: String,
    address: SocketAddr,
    shown: Mutex<Shown>,
    /// An attempt is shown.
    is_taken: AtomicBool,
}

struct Shown {
    page: Watched,
    /// A number for each attempt.
    episode: u64,
}

impl Live {
    /// Opens the page, if it is not open; gives its address.
    ///
    /// # Errors
    /// When there is no port, or the world cannot be made.
    pub fn open(&self, challenge: &Challenge, team: &Team) -> Result<String, Failure> {
        let mut page = self.page.lock();
        if page.as_ref().is_none_or(|page| page.digest != challenge.digest()) {
            let (world, _) = challenge.begin(team, Attempt { run: 0, attempt: 0 }).map_err(play_failure)?;
            let port = page.take().map_or(0, |page| page.address.port());
            let opened = Page::open(challenge.digest(), &world, port);
            let failed =
                |error| Failure::Resource(format!("the page of what is played cannot be opened: {error}"));
            *page = Some(Arc::new(opened.map_err(failed)?));
        }
        Ok(page.as_ref().map(|page| format!("http://{}/", page.address)).unwrap_or_default())
    }

    /// Closes the page.
    pub fn end(&self) {
        drop(self.page.lock().take());
    }

    /// The page for an attempt that wants to be shown, if somebody looks and no other attempt is shown.
    fn enter(&self, digest: &str, world: &World) -> Option<Arc<Page>> {
        let mut page = self.page.lock();
        if page.as_ref().is_none_or(|page| page.is_taken.load(Ordering::Acquire)) {
            return None;
        }
        let is_seen = |page: &Arc<Page>| page.shown.lock().page.is_seen();
        if page.as_ref().is_some_and(|page| page.digest != digest && is_seen(page)) {
            let port = page.take().map_or(0, |page| page.address.port());
            let opened = Page::open(digest.into(), world, port);
            *page = opened.inspect_err(|error| tracing::warn!(%error, "live: no page")).ok().map(Arc::new);
            let until = Instant::now() + COMES_AGAIN;
            while !page.as_ref().is_none_or(is_seen) && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        let page = page.as_ref().filter(|page| page.digest == digest && is_seen(page))?;
        (!page.is_taken.swap(true, Ordering::AcqRel)).then(|| Arc::clone(page))
    }
}

impl Page {
    /// On the port, if that is free, or another one.
    fn open(digest: String, world: &World, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let page = Watched::open(listener, world.scenario().clone(), world.frame(), 0)?;
        let (address, shown) = (page.address(), Mutex::new(Shown { page, episode: 0 }));
        Ok(Self { digest, address, shown, is_taken: AtomicBool::new(false) })
    }
}

/// An attempt that is shown while somebody looks.
pub struct Showing {
    live: Arc<Live>,
    digest: String,
    caption: String,
    on: Option<OnPage>,
}

/// An attempt that is shown; the page is free for another one when this is dropped.
struct OnPage {
    page: Arc<Page>,
    /// The world's time of the last picture.
    shown_secs: f64,
}

impl Drop for OnPage {
    fn drop(&mut self) {
        self.page.is_taken.store(false, Ordering::Release);
    }
}

impl Showing {
    /// An attempt of a team.
    pub fn new(live: &Arc<Live>, challenge: &Challenge, team: &Team, of: Attempt) -> Self {
        let (run, attempts) = (of.run + 1, challenge.spec().attempts);
        let attempt = match attempts {
            1 => String::new(),
            _ => format!(", attempt {} of {attempts}", of.attempt + 1),
        };
        let caption = format!("{}: {}, run {run}{attempt}", challenge.spec().name, team.name);
        Self { live: Arc::clone(live), digest: challenge.digest(), caption, on: None }
    }

    /// The world has made a step: shows it, and waits until it is time for the next one, if somebody looks.
    pub fn stepped(&mut self, world: &World) {
        let now_secs = world.view().time_secs;
        let Some(on) = &mut self.on else {
            if world.step_count() % STEPS_BETWEEN_LOOKS == 1 {
                self.begin(world);
            }
            return;
        };
        if now_secs - on.shown_secs < PICTURE_SECS {
            return;
        }
        let mut shown = on.page.shown.lock();
        if shown.page.is_seen() {
            let (episode, after) = (shown.episode, Duration::from_secs_f64(now_secs - on.shown_secs));
            shown.page.show(world.frame(), episode, after);
            on.shown_secs = now_secs;
        } else {
            drop(shown);
            self.on = None;
        }
    }

    fn begin(&mut self, world: &World) {
        let Some(page) = self.live.enter(&self.digest, world) else { return };
        let mut shown = page.shown.lock();
        shown.episode += 1;
        let episode = shown.episode;
        shown.page.call_it(&self.caption);
        shown.page.show(world.frame(), episode, STAYS);
        drop(shown);
        self.on = Some(OnPage { page, shown_secs: world.view().time_secs });
    }
}
