//! What happens, for those who watch: the newest wins.

use crate::{Header, Item, StateItem, Tick};
use parking_lot::Mutex;
use std::sync::Arc;
use tokio::sync::broadcast;
use touchline_sim::Frame;

/// Items that may wait for one who watches; who is further behind goes on with the newest.
const QUEUE: usize = 128;

/// Told what is recorded, by whoever records or replays; never waits for those who listen. Cheap to clone.
#[derive(Clone)]
pub struct Stream {
    header: Arc<Header>,
    items: broadcast::Sender<Arc<Item>>,
    latest: Arc<Mutex<Latest>>,
}

/// What was told last, for who comes later.
#[derive(Clone, Default)]
pub struct Latest {
    /// The last [`Item::State`].
    pub state: Option<Arc<Item>>,
    /// The last [`Item::Frame`].
    pub frame: Option<Arc<Item>>,
}

impl Stream {
    /// Of a world or a recording that begins with this.
    pub fn new(header: Header) -> Self {
        let (items, _) = broadcast::channel(QUEUE);
        Self { header: Arc::new(header), items, latest: Arc::default() }
    }

    /// Header of the recording that is streamed.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Tells it to all. Poses of every step are left out: they are for running a world again.
    pub fn tell(&self, item: &Item) {
        if matches!(item, Item::Poses(_) | Item::Digests(_)) {
            return;
        }
        let item = Arc::new(item.clone());
        // Under the lock, so that who comes now has it once: as the latest, or in his queue.
        let mut latest = self.latest.lock();
        match *item {
            Item::State(_) => latest.state = Some(Arc::clone(&item)),
            Item::Frame(..) => latest.frame = Some(Arc::clone(&item)),
            _ => {}
        }
        // An error is that nobody listens.
        let _ = self.items.send(item);
    }

    /// Tells what is true at a tick, of which there is no more than a Frame.
    pub fn tell_frame(&self, tick: Tick, frame: Frame) {
        self.tell(&Item::State(Box::new(StateItem::of_frame(tick, &frame))));
        self.tell(&Item::Frame(tick, Arc::new(frame)));
    }

    /// What was told last, and all that follows.
    pub fn listen(&self) -> (Latest, broadcast::Receiver<Arc<Item>>) {
        let latest = self.latest.lock();
        (latest.clone(), self.items.subscribe())
    }
}
