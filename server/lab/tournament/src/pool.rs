//! Many things that are played, on several threads, kept one at a time.

use parking_lot::Mutex;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Plays these in their order on so many threads (0: one for each core). `play` gives `None` if it was told to stop; `keep` is given each as it is
/// finished, one at a time; after an error of either nothing is begun.
///
/// # Errors
/// The first, of `play` or of `keep`.
pub fn play_each<I: Sync, T: Send, E: Send>(
    all: &[I],
    threads: usize,
    play: impl Fn(&I) -> Result<Option<T>, E> + Sync,
    keep: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if threads == 0 { cores() } else { threads }.min(all.len());
    let (next, given_up) = (AtomicUsize::new(0), AtomicBool::new(false));
    let keep = Mutex::new((keep, Ok(())));
    let work = || {
        while !given_up.load(Ordering::Relaxed) {
            let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let played = play(one);
            let mut keep = keep.lock();
            let kept = match played {
                Ok(None) => return,
                Ok(Some(_)) if keep.1.is_err() => return,
                Ok(Some(result)) => (keep.0)(result),
                Err(error) => Err(error),
            };
            if let (Err(_), Ok(())) = (&kept, &keep.1) {
                keep.1 = kept;
                given_up.store(true, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    keep.into_inner().1
}
