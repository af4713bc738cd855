//! The last entries of something that is numbered, such as events.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

/// How many of them a Frame carries.
const LOG_LENGTH: usize = 256;

#[derive(Clone)]
pub(crate) struct Log<T> {
    entries: VecDeque<Arc<T>>,
    next: u64,
    /// The entries as Frames have them, until there is a new one: most steps have none.
    shared: OnceLock<Arc<[Arc<T>]>>,
}

impl<T> Log<T> {
    pub fn new() -> Self {
        Self { entries: VecDeque::new(), next: 0, shared: OnceLock::new() }
    }

    /// Adds an entry; if there are as many as are kept, the oldest that `gives_way` goes, or the oldest of all.
    pub fn push(&mut self, gives_way: impl Fn(&T) -> bool, make: impl FnOnce(u64) -> T) -> Arc<T> {
        if self.entries.len() == LOG_LENGTH {
            let place = self.entries.iter().position(|entry| gives_way(entry)).unwrap_or(0);
            self.entries.remove(place);
        }
        let entry = Arc::new(make(self.next));
        self.entries.push_back(Arc::clone(&entry));
        self.next += 1;
        self.shared.take();
        entry
    }

    /// The number that the next entry will have.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Gives no number that was given before this one.
    pub fn go_on_from(&mut self, number: u64) {
        self.next = self.next.max(number);
    }

    /// Iterates from the oldest entry to the newest.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<T>> + ExactSizeIterator {
        self.entries.iter()
    }

    /// All of them, for readers.
    pub fn shared(&self) -> Arc<[Arc<T>]> {
        Arc::clone(self.shared.get_or_init(|| self.entries.iter().cloned().collect()))
    }
}
