//! One thread that runs worlds again for those who look at the past: one look after the other, in the order in which they were asked for.
//!
//! # Invariants
//! - However many look, they take one thread, which has a lower priority than the world's and the services' where the system knows
//!   priorities of threads.
//! - Nothing is made before its turn, so what waits takes next to no memory; a look that nobody waits for any more is left out.

use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::oneshot;

/// More looks do not wait; pages have one each.
const WAITING: usize = 4096;

/// The thread's other end; the thread ends when it is dropped.
pub(crate) struct Past(Arc<LookQueue>);

#[derive(Default)]
struct LookQueue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    looks: VecDeque<Box<dyn Look>>,
    is_closed: bool,
}

/// What is to be done, for whoever waits for it.
trait Look: Send {
    fn is_wanted(&self) -> bool;
    fn look(self: Box<Self>);
}

struct For<T, F> {
    answer: oneshot::Sender<T>,
    work: F,
}

impl<T: Send, F: FnOnce() -> T + Send> Look for For<T, F> {
    fn is_wanted(&self) -> bool {
        !self.answer.is_closed()
    }

    fn look(self: Box<Self>) {
        // Who has gone meanwhile does not hear it.
        let _ = self.answer.send((self.work)());
    }
}

/// When a look is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Before all others: the world waits for it.
    First,
    /// After those that wait already.
    Last,
}

impl Past {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has none to give.
    pub fn start() -> std::io::Result<Self> {
        let queue = Arc::new(LookQueue::default());
        let past = Self(Arc::clone(&queue));
        std::thread::Builder::new().name("past".into()).spawn(move || {
            yield_to_others();
            queue.run();
        })?;
        Ok(past)
    }

    /// What the work gives when its turn has come; none if too much waits. It is left out if this is dropped before.
    pub async fn look<T: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        if !self.0.put(turn, Box::new(For { answer, work })) {
            return None;
        }
        answered.await.ok()
    }
}

impl Drop for Past {
    fn drop(&mut self) {
        self.0.waiting.lock().is_closed = true;
        self.0.changed.notify_one();
    }
}

impl LookQueue {
    fn put(&self, turn: Turn, look: Box<dyn Look>) -> bool {
        let mut waiting = self.waiting.lock();
        if waiting.looks.len() >= WAITING {
            waiting.looks.retain(|look| look.is_wanted());
        }
        if waiting.looks.len() >= WAITING {
            return false;
        }
        match turn {
            Turn::First => waiting.looks.push_front(look),
            Turn::Last => waiting.looks.push_back(look),
        }
        self.changed.notify_one();
        true
    }

    fn run(&self) {
        while let Some(look) = self.next() {
            if !look.is_wanted() {
                continue;
            }
            // Who asked for what panics is not answered; the next one is.
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| look.look())).is_err() {
                tracing::error!("a look at the past panicked");
            }
        }
    }

    /// Waits for the next; none at the end.
    fn next(&self) -> Option<Box<dyn Look>> {
        let mut waiting = self.waiting.lock();
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(look) = waiting.looks.pop_front() {
                return Some(look);
            }
            self.changed.wait(&mut waiting);
        }
    }
}

/// So many steps of priority below the rest of the program, of which the system has 19 at most.
#[cfg(target_os = "linux")]
const STEPS: i32 = 10;
#[cfg(target_os = "linux")]
const LOWEST: i32 = 19;

/// Lowers this thread's priority, so that the world and its clients come first where there are fewer processors than work.
#[cfg(target_os = "linux")]
fn yield_to_others() {
    use rustix::{process, thread};
    // On Linux a priority belongs to a thread. Where it cannot be set, there is still one thread only.
    let this = Some(thread::gettid());
    let lowered = process::getpriority_process(this)
        .and_then(|own| process::setpriority_process(this, (own + STEPS).min(LOWEST)));
    if let Err(error) = lowered {
        tracing::debug!(%error, "the thread of the past keeps its priority");
    }
}

#[cfg(not(target_os = "linux"))]
fn yield_to_others() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Lets no look begin until it is dropped.
    fn held(past: &Past) -> (mpsc::SyncSender<()>, tokio::task::JoinHandle<()>) {
        let (release, released) = mpsc::sync_channel::<()>(1);
        let (begins, begun) = mpsc::sync_channel(1);
        let (answer, answered) = oneshot::channel();
        let work = move || {
            let _ = begins.send(());
            let _ = released.recv();
        };
        assert!(past.0.put(Turn::Last, Box::new(For { answer, work })));
        begun.recv().unwrap();
        (release, tokio::spawn(async move { answered.await.unwrap() }))
    }

    fn names(
        past: &Past,
        turn: Turn,
        name: &'static str,
        order: &mpsc::SyncSender<&'static str>,
    ) -> oneshot::Receiver<()> {
        let (answer, answered) = oneshot::channel();
        let order = order.clone();
        let work = move || order.send(name).unwrap();
        assert!(past.0.put(turn, Box::new(For { answer, work })));
        answered
    }

    /// Looks are taken one by one, in their order; the world's own first; and what nobody waits for is left out.
    #[tokio::test]
    async fn looks_are_taken_in_turn_by_one_thread() {
        let past = Past::start().unwrap();
        let (release, first) = held(&past);
        let (order, taken) = mpsc::sync_channel(WAITING);
        let a = names(&past, Turn::Last, "a", &order);
        drop(names(&past, Turn::Last, "gone", &order));
        let b = names(&past, Turn::Last, "b", &order);
        let world = names(&past, Turn::First, "world", &order);
        assert!(taken.try_recv().is_err(), "one after the other");
        drop(release);
        for answered in [a, b, world] {
            answered.await.unwrap();
        }
        first.await.unwrap();
        assert_eq!(taken.try_iter().collect::<Vec<_>>(), ["world", "a", "b"]);
        assert_eq!(past.look(Turn::Last, || 7).await, Some(7));
    }

    /// Who asks and goes, again and again, keeps nobody else from asking; and no more wait than may.
    #[tokio::test]
    async fn what_waits_is_bounded() {
        let past = Past::start().unwrap();
        let (release, first) = held(&past);
        let (order, taken) = mpsc::sync_channel(WAITING);
        for _ in 0..3 * WAITING {
            drop(names(&past, Turn::Last, "gone", &order));
        }
        assert!(past.0.waiting.lock().looks.len() <= WAITING);
        let kept: Vec<_> = (0..WAITING).map(|_| names(&past, Turn::Last, "kept", &order)).collect();
        assert_eq!(past.look(Turn::Last, || 7).await, None, "too many wait");
        drop(release);
        first.await.unwrap();
        for answered in kept {
            answered.await.unwrap();
        }
        assert!(taken.try_iter().all(|name| name == "kept"));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn it_has_a_lower_priority() {
        use rustix::{process, thread};
        let niceness = || process::getpriority_process(Some(thread::gettid())).unwrap();
        let own = niceness();
        let past = Past::start().unwrap();
        assert_eq!(past.look(Turn::Last, niceness).await, Some((own + STEPS).min(LOWEST)));
        assert_eq!(niceness(), own, "nobody else's");
    }
}
