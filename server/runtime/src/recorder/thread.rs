//! The recorder's thread.

use super::file::{LogFile, path_in};
use super::{Options, Place, RING_SECS, Status, Wake, not_kept};
use std::collections::VecDeque;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};
use std::time::Duration;
use tokio::sync::watch;
use touchline_gate::{Bookmark, RecordError};
use touchline_record::{
    Entry, FORK, Header, Input, Item, Ring, StateItem, Tick, TimedInput, Timeline, fork_in_words, in_words,
};
use touchline_sim::{World, is_for_programs};

/// Simulated seconds between two keyframes: so much has to be run again at most.
pub const KEY_PERIOD_SECS: f64 = 1.0;
/// Keyframes of a small world that are kept: the last five minutes.
const KEYS: usize = 300;
/// Objects in all keyframes together: a large world is kept for a shorter time.
const KEY_OBJECTS: usize = 40_000;
const BOOKMARKS: usize = 5_000;
/// The thread looks into its queue this often, so that whoever puts something in needs not wake it.
const POLL: Duration = Duration::from_millis(10);

pub struct Worker {
    header: Header,
    options: Options,
    /// If the past is kept.
    ring: Option<Ring>,
    timeline: Option<Timeline>,
    /// For inputs since the beginning, packed, and again for those of the last minutes.
    input_bytes: usize,
    file: Option<LogFile>,
    bookmarks: VecDeque<Bookmark>,
    next_event: u64,
    next_message: u64,
    newest: Tick,
    status: Status,
    publisher: watch::Sender<Status>,
    returns: Returns,
}

/// What goes back to the loop.
pub struct Returns {
    /// Whether there is nothing to do, so that what was gathered so far shall come.
    pub is_wanted: Arc<AtomicBool>,
    /// Space of what was written.
    pub used: SyncSender<Item>,
}

impl Worker {
    pub fn new(
        world: &World,
        header: Header,
        options: Options,
        publisher: watch::Sender<Status>,
        returns: Returns,
    ) -> Result<Self, RecordError> {
        let file = match &options.file {
            Some(path) => {
                Some(LogFile::create(path, header.clone(), options.sensors.clone(), options.syncs)?)
            }
            None => None,
        };
        let objects = world.view().objects.len().max(1);
        let keys = KEYS.min(KEY_OBJECTS / objects).max(10);
        let timeline = options.keeps_past.then(|| Timeline::new(world.fork(), keys));
        let kept = (RING_SECS / world.scenario().dt_secs).ceil() as Tick;
        let status = Status { file: file.as_ref().map(|file| file.path.clone()), ..Status::default() };
        publisher.send_replace(status.clone());
        let input_bytes = (world.scenario().limits.history_mb as usize) << 20;
        let ring = options.keeps_past.then(|| Ring::new(kept, input_bytes));
        Ok(Self {
            header,
            options,
            ring,
            timeline,
            input_bytes,
            file,
            bookmarks: VecDeque::new(),
            next_event: 0,
            next_message: 0,
            newest: 0,
            status,
            publisher,
            returns,
        })
    }

    /// Takes what comes until it is told to stop.
    ///
    /// # Errors
    /// When the log that was asked for at the start could not be written to its end.
    pub fn run(&mut self, wakes: &Receiver<Wake>) -> Result<(), RecordError> {
        loop {
            match wakes.try_recv() {
                Ok(Wake::Stop) | Err(TryRecvError::Disconnected) => break,
                Ok(wake) => self.take(wake),
                Err(TryRecvError::Empty) => {
                    self.publish();
                    self.returns.is_wanted.store(true, Ordering::Relaxed);
                    std::thread::park_timeout(POLL);
                }
            }
            self.guard(LogFile::flush_if_due);
        }
        match (self.file.take(), self.status.failure.take()) {
            (Some(file), _) => file.finish().map(drop),
            (None, Some(reason)) => Err(RecordError::File { path: "the recording".into(), reason }),
            (None, None) => Ok(()),
        }
    }

    fn take(&mut self, wake: Wake) {
        // Who asked and has gone needs no answer.
        match wake {
            Wake::Entry(Entry::Item(item)) => self.take_item(item),
            Wake::Entry(Entry::Key(tick, world)) => {
                if let Some(timeline) = &mut self.timeline {
                    timeline.key(tick, *world);
                    timeline.forget_old_inputs(self.input_bytes);
                }
            }
            Wake::Start { name, answer } => drop(answer.send(self.start_file(name))),
            Wake::Finish { answer } => drop(answer.send(self.finish_file())),
            Wake::Save { place, answer } => drop(answer.send(self.save(place))),
            Wake::WayTo { tick, answer } => {
                let timeline = self.timeline.as_ref().ok_or(RecordError::NotRecording);
                drop(answer.send(timeline.and_then(|timeline| timeline.way_to(tick).map_err(not_kept))));
            }
            Wake::Bookmarks { answer } => {
                let oldest = self.status.oldest;
                let kept = self.bookmarks.iter().filter(|bookmark| bookmark.tick >= oldest);
                drop(answer.send(kept.cloned().collect()));
            }
            Wake::Stop => {}
        }
    }

    fn take_item(&mut self, item: Item) {
        self.newest = self.newest.max(item.newest());
        match (&item, &mut self.timeline) {
            (Item::Input(input), Some(timeline)) => timeline.push(input.clone()),
            (Item::Poses(_) | Item::Digests(_), Some(timeline)) => timeline.reached(item.newest()),
            _ => {}
        }
        // Whoever keeps no past asks for no bookmarks of it.
        if self.ring.is_some() {
            match &item {
                Item::State(state) => self.bookmark(state),
                Item::Input(TimedInput { tick, input: Input::Seek(to) }) => {
                    let text = fork_in_words(*to, self.header.scenario.dt_secs);
                    self.bookmarks.push_back(Bookmark { tick: *tick, kind: FORK.into(), text });
                }
                Item::Input(_) | Item::Poses(_) | Item::Digests(_) | Item::Frame(..) | Item::Gap(_) => {}
            }
        }
        if let Some(stream) = &self.options.stream {
            stream.tell(&item);
        }
        if matches!(item, Item::Frame(..)) && self.options.sensors.is_empty() {
            // For those who watch; no file needs it.
            return;
        }
        self.guard(|file| file.write(&item));
        match (&mut self.ring, item) {
            (Some(ring), item) => ring.push(item),
            // If there is no place for it, it is freed here.
            (None, item @ (Item::Poses(_) | Item::State(_))) => drop(self.returns.used.try_send(item)),
            (None, _) => {}
        }
    }

    /// Does something with the file; if that fails, the file ends there, and everything else goes on.
    fn guard(&mut self, work: impl FnOnce(&mut LogFile) -> Result<(), RecordError>) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = work(file) {
            tracing::error!("the recording ends here: {error}; what was written before can be read");
            self.status.failure = Some(error.to_string());
            self.file = None;
        }
    }

    fn bookmark(&mut self, state: &StateItem) {
        let recent = &state.recent;
        let tick_of = |step: u64| state.tick.saturating_sub(state.step.saturating_sub(step));
        for event in recent.events.iter().filter(|event| event.number >= self.next_event) {
            let (kind, _, text) = in_words(&event.kind, &self.header.scenario.teams);
            if is_for_programs(kind) {
                continue;
            }
            self.bookmarks.push_back(Bookmark { tick: tick_of(event.step), kind: kind.into(), text });
        }
        for message in recent.messages.iter().filter(|message| message.number >= self.next_message) {
            let text = format!("{}: {}", message.from_name, message.text);
            self.bookmarks.push_back(Bookmark { tick: tick_of(message.step), kind: "message".into(), text });
        }
        (self.next_event, self.next_message) = (recent.next_event, recent.next_message);
        while self.bookmarks.len() > BOOKMARKS {
            // What is many goes first, so that the goals of all that is kept stay.
            let is_many = |bookmark: &Bookmark| matches!(bookmark.kind.as_str(), "contact" | "message");
            let place = self.bookmarks.iter().position(is_many).unwrap_or(0);
            self.bookmarks.remove(place);
        }
    }

    /// Begins with what is kept already: so the file holds all inputs since the first step.
    fn start_file(&mut self, name: Option<String>) -> Result<PathBuf, RecordError> {
        if let Some(file) = &self.file {
            return Err(RecordError::Recording(file.path.display().to_string()));
        }
        let path = self.path(name)?;
        let (header, sensors) = (self.header.clone(), self.options.sensors.clone());
        let mut file = LogFile::create(&path, header, sensors, self.options.syncs)?;
        if let Some(ring) = &self.ring {
            file.copy(ring).inspect_err(|_| remove(&path))?;
        }
        self.status.failure = None;
        self.file = Some(file);
        self.publish();
        Ok(path)
    }

    fn finish_file(&mut self) -> Result<PathBuf, RecordError> {
        let file = self.file.take().ok_or(RecordError::NotRecording)?;
        self.publish();
        file.finish()
    }

    fn save(&mut self, place: Place) -> Result<PathBuf, RecordError> {
        let ring = self.ring.as_ref().ok_or(RecordError::NotRecording)?;
        let path = match place {
            Place::Named(name) => self.path(name)?,
            Place::At(path) => path,
        };
        let failed = |error: &dyn std::fmt::Display| super::file_error(&path, error);
        let file = File::create_new(&path).map_err(|error| failed(&error))?;
        let (header, sensors) = (self.header.clone(), self.options.sensors.clone());
        let saved = ring.save(BufWriter::new(file), header, sensors).map_err(|error| failed(&error));
        let saved = saved.and_then(|out| out.into_inner().map_err(|error| failed(error.error())));
        if saved.is_err() {
            remove(&path);
        }
        saved.map(|_| path)
    }

    fn path(&self, name: Option<String>) -> Result<PathBuf, RecordError> {
        path_in(&self.options.folder, name.as_deref(), &self.header.scenario.name, self.newest)
    }

    fn publish(&mut self) {
        self.status.file = self.file.as_ref().map(|file| file.path.clone());
        let kept = self.timeline.as_ref().map(|timeline| (timeline.oldest(), timeline.newest()));
        self.status.lost_inputs = self.ring.as_ref().map_or(0, Ring::lost_inputs);
        (self.status.oldest, self.status.newest) = kept.unwrap_or((self.newest, self.newest));
        let status = &self.status;
        self.publisher.send_if_modified(|published| {
            let is_new = published != status;
            published.clone_from(status);
            is_new
        });
    }
}

/// Takes away what could not be written: a part of what is still in memory is worth nothing, and fills the disk.
fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        tracing::warn!("{}: an unfinished recording is left there: {error}", path.display());
    }
}
