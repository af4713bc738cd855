//! What a connection's questions about a robot are answered from: what is true now, or a tick of the past.

use crate::shown::{Newest, Shown};
use std::sync::Arc;
use tokio::sync::watch;
use touchline_gate::Gate;
use touchline_sim::Frame;

/// One connection's view.
pub(crate) struct View {
    /// The tick that is looked at, if the other end can look at any.
    looked: Option<watch::Receiver<Option<Arc<Frame>>>>,
    /// The same with its sensors: they are generated once, however often they are asked for.
    past: Option<Arc<Shown>>,
}

impl View {
    /// What is true now, always.
    pub fn of_now() -> Self {
        Self { looked: None, past: None }
    }

    /// What is looked at; what is true now while that is nothing.
    pub fn of(looked: watch::Receiver<Option<Arc<Frame>>>) -> Self {
        Self { looked: Some(looked), past: None }
    }

    /// What questions are answered from at this instant.
    pub fn shown(&mut self, gate: &Gate, newest: &Newest) -> Arc<Shown> {
        // Whoever has gone looks at nothing any more, and asks nothing.
        if let Some(looked) = &mut self.looked
            && looked.has_changed().unwrap_or(false)
        {
            let frame = looked.borrow_and_update().clone();
            self.past = frame.map(|frame| Shown::new(Arc::new(gate.past(frame))));
        }
        self.past.clone().unwrap_or_else(|| newest.of(gate))
    }

    /// Whether this is a page that shows the world to people: the clock on the wall counts for them.
    pub fn is_page(&self) -> bool {
        self.looked.is_some()
    }

    /// Whether that was the past when it was last asked for.
    pub fn is_past(&self) -> bool {
        self.past.is_some()
    }
}
