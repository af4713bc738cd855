//! A tick of the past that a page looks at in place of what is true now.

use super::{End, Session};
use crate::Looking;
use crate::message::ToPage;
use std::sync::Arc;
use touchline_sim::Frame;

/// The tick of the past that the page is shown in place of what is true now.
#[derive(Default)]
pub(super) struct Past {
    /// The tick, and what was true then.
    pub shown: Option<(u64, Arc<Frame>)>,
    /// The look that is on its way, and its tick.
    coming: Option<(u64, Looking)>,
    /// What shall be looked at next: of many ticks in a row only the last one counts.
    wanted: Option<u64>,
}

impl Past {
    /// Completes when a look does; never if there is none.
    pub async fn arrives(&mut self) -> (u64, Result<Arc<Frame>, String>) {
        match &mut self.coming {
            Some((tick, looking)) => {
                let tick = *tick;
                let arrived = looking.await;
                self.coming = None;
                (tick, arrived)
            }
            None => std::future::pending().await,
        }
    }
}

impl Session {
    /// Begins to look at a tick of the past, or ends it.
    pub(super) async fn look(&mut self, tick: Option<u64>) -> Result<(), End> {
        if tick.is_some() && !self.entrance.sees_past() {
            let reason = format!("the past is not for a {}", self.entrance.role());
            return self.say(&ToPage::Looking { tick: None, reason: Some(&reason) }).await;
        }
        self.past.wanted = tick;
        if tick.is_none() {
            self.past = Past::default();
            self.looked.send_replace(None);
            (self.shown, self.annotated) = (None, None);
            return self.say(&ToPage::Looking { tick: None, reason: None }).await;
        }
        self.look_on();
        Ok(())
    }

    fn look_on(&mut self) {
        if self.past.coming.is_none()
            && let Some(tick) = self.past.wanted.take()
        {
            self.past.coming = Some((tick, self.context.source.look(tick)));
        }
    }

    /// Shows what a look has brought, and begins the next one.
    pub(super) async fn looked(&mut self, tick: u64, looked: Result<Arc<Frame>, String>) -> Result<(), End> {
        let reason = match looked {
            Ok(frame) => {
                self.looked.send_replace(Some(Arc::clone(&frame)));
                self.past.shown = Some((tick, frame));
                (self.shown, self.annotated) = (None, None);
                None
            }
            Err(reason) => Some(reason),
        };
        self.look_on();
        let tick = self.past.shown.as_ref().map(|(tick, _)| *tick);
        self.say(&ToPage::Looking { tick, reason: reason.as_deref() }).await?;
        self.tick().await
    }
}
