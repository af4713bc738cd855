//! On which thread plugins generate readings: they may take long, or never return, and others shall be served meanwhile.
//!
//! A worker of the runtime that waits in a plugin serves nobody. So at most one of them does at a time, which costs a reading nothing; who
//! comes while it does first has another thread take over its worker's place, which costs some microseconds.
//!
//! # Invariants
//! - Plugins that do not return keep one worker, and [`ASIDE`] other threads, at most; the program has two workers at least.
//! - Who finds no thread is refused, and does not wait.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::runtime::{Handle, RuntimeFlavor};
use touchline_board::Reply;

/// So many threads may be in plugins beside the one worker. The runtime has 512 for all such work.
const ASIDE: usize = 64;

/// Where readings are generated now; shared by all connections.
#[derive(Default)]
pub(crate) struct Generating {
    worker_is_in_plugin: AtomicBool,
    aside: AtomicUsize,
}

/// How long work may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Short,
    /// Long enough to be felt by others, always.
    Long,
}

impl Generating {
    /// Generates, on this thread; meanwhile the tasks of other connections go on.
    ///
    /// # Errors
    /// When too many threads are in plugins already.
    pub fn run<T>(&self, length: Length, work: impl FnOnce() -> T) -> Result<T, Reply> {
        let (order, failed) = (Ordering::AcqRel, Ordering::Relaxed);
        if length == Length::Short
            && self.worker_is_in_plugin.compare_exchange(false, true, order, failed).is_ok()
        {
            let _leave = OnLeave(|| self.worker_is_in_plugin.store(false, Ordering::Release));
            return Ok(work());
        }
        let _leave = OnLeave(|| {
            self.aside.fetch_sub(1, order);
        });
        if self.aside.fetch_add(1, order) >= ASIDE {
            let message = "too many readings are being generated, or plugins do not return: the server's log says which; ask again";
            return Err(Reply::error("board/plugins-busy", message).with("limit", ASIDE));
        }
        match Handle::try_current().map(|handle| handle.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) => Ok(tokio::task::block_in_place(work)),
            // There is nobody who could take the others.
            _ => Ok(work()),
        }
    }
}

/// Does something at the end, whatever panics.
struct OnLeave<F: Fn()>(F);

impl<F: Fn()> Drop for OnLeave<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc;
    use std::time::Duration;

    /// Far longer than anything takes: a failure, not a test that hangs.
    const FOREVER: Duration = Duration::from_secs(60);

    /// S6: while an image is made, others are served, even if there is one thread for all of them.
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn long_work_keeps_nobody_waiting() {
        let (begins, begun) = mpsc::sync_channel(1);
        let (serves, served) = mpsc::sync_channel(1);
        let image = tokio::spawn(async move {
            let wait = || {
                begins.send(()).unwrap();
                served.recv_timeout(FOREVER)
            };
            Generating::default().run(Length::Long, wait).map_err(|reply| format!("{reply:?}"))
        });
        begun.recv().unwrap();
        tokio::spawn(async move { serves.send(()).unwrap() });
        assert_eq!(image.await.unwrap(), Ok(Ok(())));
    }

    /// Plugins that hang, in more calls than there are workers, leave one that serves; those too many are refused; and when
    /// they return all is as before.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn plugins_that_do_not_return_leave_a_worker() {
        let generating = Arc::new(Generating::default());
        let (begins, begun) = mpsc::sync_channel(ASIDE + 1);
        let mut ends = Vec::new();
        for _ in 0..=ASIDE {
            let (end, ended) = mpsc::sync_channel::<()>(1);
            let (generating, begins) = (Arc::clone(&generating), begins.clone());
            tokio::spawn(async move {
                let hang = || {
                    begins.send(()).unwrap();
                    let _ = ended.recv_timeout(FOREVER);
                };
                generating.run(Length::Short, hang).map_err(|reply| format!("{reply:?}")).unwrap();
            });
            tokio::task::block_in_place(|| begun.recv_timeout(FOREVER)).unwrap();
            ends.push(end);
        }
        let refused = generating.run(Length::Short, || ()).map_err(|reply| format!("{reply:?}"));
        assert!(refused.as_ref().is_err_and(|reply| reply.contains("board/plugins-busy")), "{refused:?}");
        assert_eq!(tokio::spawn(async { 7 }).await.unwrap(), 7, "others are served");
        drop(ends);
        while generating.aside.load(Ordering::Relaxed) > 0
            || generating.worker_is_in_plugin.load(Ordering::Relaxed)
        {
            tokio::task::yield_now().await;
        }
        assert!(generating.run(Length::Short, || ()).is_ok());
    }

    /// A plugin's adapter that panics does not keep its place.
    #[test]
    fn a_panic_gives_the_place_back() {
        let generating = Generating::default();
        for length in [Length::Short, Length::Long] {
            let run = || drop(generating.run(length, || panic!("for the test")));
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        }
        assert!(!generating.worker_is_in_plugin.load(Ordering::Relaxed));
        assert_eq!(generating.aside.load(Ordering::Relaxed), 0);
    }
}
