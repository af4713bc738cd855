//! On which thread plugins generate readings: they may take long, or never return, and others shall be served meanwhile.
//!
//! A worker of the runtime that waits in a plugin serves nobody. So at most one of them does at a time, which costs a reading nothing; who
//! comes while it does first has another thread take over its worker's place, which costs some microseconds.
//!
//! The one worker may be the one that waits for sockets, and the others may sleep until it wakes them. So a thread of its own looks after a call that
//! lasts, and wakes one of them.
//!
//! # Invariants
//! - Plugins that do not return keep one worker, and [`ASIDE`] other threads, at most; the program has two workers at least.
//! - Who finds no thread is refused, and does not wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::runtime::{Handle, RuntimeFlavor};
use touchline_board::Reply;

/// So many threads may be in plugins beside the one worker. The runtime has 512 for all such work.
const ASIDE: usize = 64;

/// A call that lasts longer may not come back.
const LASTS: Duration = Duration::from_millis(50);

/// Where readings are generated now; shared by all connections.
#[derive(Default)]
pub(crate) struct Generating {
    worker_is_in_plugin: AtomicBool,
    /// How many calls were made on a worker.
    calls: AtomicU64,
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
    /// One that is looked after, as long as it is there, if this is called within a runtime.
    pub fn watched() -> Arc<Self> {
        let generating = Arc::new(Self::default());
        if let Ok(runtime) = Handle::try_current() {
            let watched = Arc::downgrade(&generating);
            let look = move || {
                let mut last = 0;
                while let Some(generating) = watched.upgrade() {
                    let calls = generating.calls.load(Ordering::Acquire);
                    if generating.worker_is_in_plugin.load(Ordering::Acquire) && calls == last {
                        // Whoever wakes up for this waits for sockets afterwards.
                        runtime.spawn(std::future::ready(()));
                    }
                    last = calls;
                    drop(generating);
                    std::thread::sleep(LASTS);
                }
            };
            let thread = std::thread::Builder::new().name("readings".into()).spawn(look);
            thread
                .inspect_err(|error| tracing::warn!(%error, "no thread looks after readings that last"))
                .ok();
        }
        generating
    }

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
            self.calls.fetch_add(1, order);
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
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

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

    /// P1: the worker that waits for sockets goes into a plugin that does not return, while the other sleeps: who comes later is served.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_plugin_that_does_not_return_keeps_no_socket_waiting() {
        let generating = Generating::watched();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (begins, begun) = mpsc::sync_channel(1);
        let (end, ended) = mpsc::sync_channel::<()>(1);
        let other = std::thread::spawn(move || {
            let [mut first, mut second] = [(); 2].map(|()| TcpStream::connect(address).unwrap());
            // Both are waited for, and both workers sleep. If one did not yet, the test could pass for nothing, and never fail for it.
            std::thread::sleep(Duration::from_millis(200));
            first.write_all(b"1").unwrap();
            begun.recv_timeout(FOREVER).unwrap();
            second.set_read_timeout(Some(FOREVER)).unwrap();
            second.write_all(b"2").unwrap();
            let mut answer = [0];
            let served = second.read_exact(&mut answer).map(|()| answer);
            drop(end);
            served
        });
        let (mut first, _) = listener.accept().await.unwrap();
        let (mut second, _) = listener.accept().await.unwrap();
        tokio::spawn(async move {
            first.read_u8().await.unwrap();
            let hang = || {
                begins.send(()).unwrap();
                let _ = ended.recv();
            };
            generating.run(Length::Short, hang).map_err(|reply| format!("{reply:?}")).unwrap();
        });
        tokio::spawn(async move {
            let asked = second.read_u8().await.unwrap();
            second.write_u8(asked).await.unwrap();
        });
        let served = tokio::task::spawn_blocking(|| other.join().unwrap()).await.unwrap();
        assert_eq!(served.unwrap(), *b"2");
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
