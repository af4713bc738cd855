//! The attempt that is being played, live on a page of its own: in real time, as long as somebody looks. (CH8)
//!
//! One attempt at a time is shown, and waits for the clock with each picture; the others, and all when no page is open, are played as fast as they can be.
//! Time in a world is simulated, so nothing that is measured depends on who looks.

use super::Failure;
use super::challenge::play_failure;
use super::challenge_keys;
use parking_lot::Mutex;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use touchline_challenge::{Attempt, Challenge, Team};
use touchline_gate::{Keys, Role};
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
pub struct Live {
    /// Its key, the same for each challenge: a page that is open comes again by it.
    key: String,
    keys: Keys,
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
    /// No page yet, but its key.
    ///
    /// # Errors
    /// When the system has no chance to give.
    pub fn new() -> Result<Self, Failure> {
        let (key, keys) = challenge_keys::draw(Role::Monitor)?;
        Ok(Self { key, keys, page: Mutex::default() })
    }

    /// Opens the page, if it is not open; gives its address, with its key.
    ///
    /// # Errors
    /// When there is no port, or the world cannot be made.
    pub fn open(&self, challenge: &Challenge, team: &Team) -> Result<String, Failure> {
        let mut page = self.page.lock();
        if page.as_ref().is_none_or(|page| page.digest != challenge.digest()) {
            let (world, _) = challenge.begin(team, Attempt { run: 0, attempt: 0 }).map_err(play_failure)?;
            let port = page.take().map_or(0, |page| page.address.port());
            let opened = Page::open(challenge.digest(), &world, port, self.keys.clone());
            let failed =
                |error| Failure::Resource(format!("the page of what is played cannot be opened: {error}"));
            *page = Some(Arc::new(opened.map_err(failed)?));
        }
        let address =
            |page: &Arc<Page>| challenge_keys::address(&format!("http://{}", page.address), &self.key);
        Ok(page.as_ref().map(address).unwrap_or_default())
    }

    /// Closes the page.
    pub fn end(&self) {
        drop(self.page.lock().take());
    }

    /// The page for an attempt that wants to be shown, if somebody looks and no other attempt is shown.
    fn enter(&self, digest: &str, world: &World) -> Option<OnPage> {
        let (on, is_new) = self.take(digest, world)?;
        let until = Instant::now() + COMES_AGAIN;
        while is_new && !on.page.is_seen() && self.has(&on.page) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        on.page.is_seen().then_some(on)
    }

    /// The page for an attempt alone, and whether it is one that is yet to be seen. Who waits for that must not do so here: the page of
    /// challenges asks for the address meanwhile, and other attempts whether they are shown.
    fn take(&self, digest: &str, world: &World) -> Option<(OnPage, bool)> {
        let mut page = self.page.lock();
        let open = page.as_ref()?;
        let (is_new, port) = (open.digest != digest, open.address.port());
        let on = OnPage::take(open, world)?;
        if !on.page.is_seen() {
            return None;
        }
        if !is_new {
            return Some((on, false));
        }
        // The port is free when nobody has the page any more.
        drop((on, page.take()));
        let opened = Page::open(digest.into(), world, port, self.keys.clone());
        *page = opened.inspect_err(|error| tracing::warn!(%error, "live: no page")).ok().map(Arc::new);
        Some((OnPage::take(page.as_ref()?, world)?, true))
    }

    /// Whether this page is the one that there is.
    fn has(&self, page: &Arc<Page>) -> bool {
        self.page.lock().as_ref().is_some_and(|open| Arc::ptr_eq(open, page))
    }
}

impl Page {
    /// On the port, if that is free, or another one; for who has one of these keys.
    fn open(digest: String, world: &World, port: u16, keys: Keys) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let page = Watched::open_to(keys, listener, world.scenario().clone(), world.frame(), 0)?;
        let (address, shown) = (page.address(), Mutex::new(Shown { page, episode: 0 }));
        Ok(Self { digest, address, shown, is_taken: AtomicBool::new(false) })
    }

    /// Whether somebody looks. Who has taken the page does not wait here; others wait for a picture.
    fn is_seen(&self) -> bool {
        self.shown.lock().page.is_seen()
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

impl OnPage {
    /// A page, if it shows no other attempt.
    fn take(page: &Arc<Page>, world: &World) -> Option<Self> {
        let is_free = !page.is_taken.swap(true, Ordering::AcqRel);
        is_free.then(|| Self { page: Arc::clone(page), shown_secs: world.view().time_secs })
    }
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
        let Some(on) = self.live.enter(&self.digest, world) else { return };
        let mut shown = on.page.shown.lock();
        shown.episode += 1;
        let episode = shown.episode;
        shown.page.call_it(&self.caption);
        shown.page.show(world.frame(), episode, STAYS);
        drop(shown);
        self.on = Some(on);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use touchline_sim::PluginFactory;
    use touchline_sim::scenario::{Limits, PhysicsLaw, Radio, Scenario, Surface};

    struct NoPlugins;
    impl PluginFactory for NoPlugins {}

    fn empty_world() -> World {
        let scenario = Scenario {
            name: "empty".into(),
            seed: 1,
            dt_secs: 0.01,
            physics: PhysicsLaw::default(),
            gravity_m_s2: 9.81,
            surface: Surface::new(0.5, 0.5),
            teams: Vec::new(),
            fixtures: Vec::new(),
            balls: Vec::new(),
            robots: Vec::new(),
            referee: None,
            radio: Radio::default(),
            episode: None,
            limits: Limits::default(),
        };
        World::new(scenario, Arc::new(NoPlugins)).unwrap()
    }

    /// Somebody who comes to a page with a key, and stays as long as this is kept.
    fn viewer(address: SocketAddr, key: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==";
        write!(stream, "GET /ws HTTP/1.1\r\nHost: {address}\r\n{upgrade}\r\n\r\n").unwrap();
        let key = format!("{{\"key\":\"{key}\"}}");
        // A text, masked by zeros.
        stream.write_all(&[0x81, 0x80 | u8::try_from(key.len()).unwrap(), 0, 0, 0, 0]).unwrap();
        stream.write_all(key.as_bytes()).unwrap();
        stream.read_exact(&mut [0; 12]).unwrap();
        stream
    }

    /// CH8: while an attempt waits for the page to come again with another field, nobody waits for that attempt.
    #[test]
    fn the_page_is_free_while_its_viewer_is_waited_for() {
        let (live, world) = (Live::new().unwrap(), empty_world());
        let page = Arc::new(Page::open("kick".into(), &world, 0, live.keys.clone()).unwrap());
        let _viewer = viewer(page.address, &live.key);
        while !page.is_seen() {
            std::thread::yield_now();
        }
        *live.page.lock() = Some(page);
        std::thread::scope(|threads| {
            let attempt = threads.spawn(|| live.enter("goalie", &world).is_some());
            let waits = |page: &Arc<Page>| page.digest == "goalie" && page.is_taken.load(Ordering::Acquire);
            while !live.page.lock().as_ref().is_some_and(waits) {
                assert!(!attempt.is_finished(), "nobody has found the page while the attempt waited");
                std::thread::yield_now();
            }
            live.end();
            assert!(!attempt.join().unwrap(), "there is no page any more");
        });
    }
}
