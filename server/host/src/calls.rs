//! In which plugin's call each thread is, for who looks from outside: a watchdog, and who tells of a crash. (P1)
//!
//! A call costs two stores into memory of the thread's own. Who looks reads them from another thread, and takes a call that is in progress at
//! two looks for one that lasts.

use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// Whose calls these are, such as `player plugin "striker" of rosie`.
pub struct Label(pub String);

impl Label {
    /// A label that who looks from outside can read as long as it is kept.
    pub fn known(text: String) -> KnownLabel {
        let label = Arc::new(Self(text));
        LABELS.lock().insert(Arc::as_ptr(&label) as usize, Arc::clone(&label));
        KnownLabel(label)
    }
}

/// A label in the list of all.
pub struct KnownLabel(Arc<Label>);

impl Drop for KnownLabel {
    fn drop(&mut self) {
        LABELS.lock().remove(&(Arc::as_ptr(&self.0) as usize));
    }
}

static LABELS: Mutex<BTreeMap<usize, Arc<Label>>> = Mutex::new(BTreeMap::new());
/// Of all threads that have made a call; those of threads that have ended are taken by others.
static SLOTS: Mutex<Vec<&'static Slot>> = Mutex::new(Vec::new());

/// What one thread is doing.
struct Slot {
    thread: Mutex<Option<String>>,
    /// The label of the call that it is in; none if it is in none.
    call: AtomicPtr<Label>,
    /// Number of calls that the thread has begun.
    begun: AtomicU64,
}

thread_local! {
    static SLOT: Cell<Option<&'static Slot>> = const { Cell::new(None) };
    static LEAVE: Leave = const { Leave };
}

/// Gives the thread's slot back when it ends.
struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        // A thread that ends within a call ends the program by it: who tells of that has to find it.
        if let Some(slot) = SLOT.get().filter(|slot| slot.call.load(Ordering::Relaxed).is_null()) {
            SLOT.set(None);
            *slot.thread.lock() = None;
        }
    }
}

#[cold]
fn slot_of_this_thread() -> &'static Slot {
    // At the end of a thread nobody gives it back any more: the slot is then lost, and no more than that.
    let _ = LEAVE.try_with(|_| ());
    let name = std::thread::current().name().unwrap_or("without a name").to_owned();
    let mut slots = SLOTS.lock();
    let free = slots.iter().find(|slot| slot.thread.lock().is_none()).copied();
    let slot = free.unwrap_or_else(|| {
        let slot = Slot { thread: Mutex::new(None), call: AtomicPtr::default(), begun: AtomicU64::new(0) };
        slots.push(Box::leak(Box::new(slot)));
        slots[slots.len() - 1]
    });
    *slot.thread.lock() = Some(name);
    SLOT.set(Some(slot));
    slot
}

/// Makes a call that can be seen from outside.
#[inline]
pub fn seen<R>(label: &KnownLabel, call: impl FnOnce() -> R) -> R {
    let slot = SLOT.get().unwrap_or_else(slot_of_this_thread);
    // Only this thread writes it.
    slot.begun.store(slot.begun.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    slot.call.store(Arc::as_ptr(&label.0).cast_mut(), Ordering::Release);
    let result = call();
    slot.call.store(std::ptr::null_mut(), Ordering::Release);
    result
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallInProgress {
    /// Whose it is, such as `player plugin "striker" of rosie`.
    pub label: String,
    /// The name of the thread that makes it.
    pub thread: String,
    /// Together with the thread: another number is another call.
    pub number: u64,
}

/// The calls that are in progress now.
pub fn calls_in_progress() -> Vec<CallInProgress> {
    let labels = LABELS.lock();
    let slots = SLOTS.lock();
    let calls = slots.iter().filter_map(|slot| {
        let number = slot.begun.load(Ordering::Relaxed);
        let label = labels.get(&(slot.call.load(Ordering::Acquire) as usize))?.0.clone();
        Some(CallInProgress { label, thread: slot.thread.lock().clone()?, number })
    });
    calls.collect()
}

/// The label of the call in which this thread is, for a handler of signals: it takes no lock and no memory.
pub(crate) fn label_of_this_thread() -> Option<&'static str> {
    let label = SLOT.try_with(Cell::get).ok()??.call.load(Ordering::Acquire);
    // SAFETY: the call of this very thread has not returned, so what it was made with lives.
    unsafe { label.as_ref() }.map(|label| label.0.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    /// P1: a call that does not return can be named from another thread, and no more when it has.
    #[test]
    fn a_call_is_seen_while_it_lasts() {
        let label = Label::known("player plugin \"slow\" of r1".into());
        let (begun, is_begun) = sync_channel(1);
        let (end, is_ended) = sync_channel::<()>(1);
        let thread = std::thread::Builder::new().name("calls-test".into());
        let caller = thread.spawn(move || {
            seen(&label, || {
                assert_eq!(label_of_this_thread(), Some("player plugin \"slow\" of r1"));
                begun.send(()).unwrap();
                let _ = is_ended.recv();
            });
            assert_eq!(label_of_this_thread(), None);
        });
        let mine = || {
            let mut calls = calls_in_progress();
            calls.retain(|call| call.thread == "calls-test");
            calls.into_iter().map(|call| (call.label, call.number)).collect::<Vec<_>>()
        };
        is_begun.recv().unwrap();
        assert_eq!(mine(), [("player plugin \"slow\" of r1".to_owned(), mine()[0].1)]);
        drop(end);
        caller.unwrap().join().unwrap();
        assert!(mine().is_empty());
    }
}
