//! A look at each step: for those who send by the world's time. (C4)

use crate::published::Published;
use crate::wake::Traffic;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::watch;

/// As long as there is one, steps that are ordered are published one by one, and not only the last of them.
///
/// Who is slow misses some all the same: the newest wins.
pub struct EachStep {
    published: watch::Receiver<Arc<Published>>,
    traffic: Arc<Traffic>,
}

impl EachStep {
    pub(crate) fn new(published: watch::Receiver<Arc<Published>>, traffic: Arc<Traffic>) -> Self {
        traffic.followers.fetch_add(1, Ordering::Relaxed);
        Self { published, traffic }
    }

    /// Completes when something was published since; false when nothing will be any more.
    pub async fn next(&mut self) -> bool {
        self.published.changed().await.is_ok()
    }
}

impl Drop for EachStep {
    fn drop(&mut self) {
        self.traffic.followers.fetch_sub(1, Ordering::Relaxed);
    }
}
