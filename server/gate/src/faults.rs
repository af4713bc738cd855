//! Plugins that fail are named on the program's own log, for who looks at no board: once each. (P6)

use crate::Gate;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::Arc;
use touchline_sim::EventKind;

/// What was told so far.
#[derive(Default)]
pub(crate) struct Faults {
    /// Owner, such as a robot's name, and plugin; of those that are there.
    told: Mutex<BTreeSet<(String, String)>>,
}

impl Faults {
    fn tell(&self, owner: &str, plugin: &str, what: &str) {
        let mut told = self.told.lock();
        let is_first = told.insert((owner.to_owned(), plugin.to_owned()));
        // Nobody waits for this lock while a terminal is slow.
        drop(told);
        if is_first {
            tracing::warn!("{owner}: {plugin} {what}");
        }
    }

    fn forget(&self, owner: &str) {
        let mut told = self.told.lock();
        told.retain(|(other, _)| other != owner);
    }

    /// A reading failed; the next that is asked for is a new attempt.
    pub(crate) fn reading(&self, robot: &str, sensor: &str, message: &str) {
        self.tell(robot, sensor, &format!("gives no reading: {message} (told once)"));
    }

    fn event(&self, kind: &EventKind) {
        match kind {
            EventKind::Fault { owner, plugin, message } => {
                self.tell(owner, plugin, &format!("was stopped: {message}"));
            }
            EventKind::RobotAdded { name, .. } | EventKind::RobotRemoved { name, .. } => self.forget(name),
            _ => {}
        }
    }
}

impl Gate {
    /// Tells of plugins that were stopped until the loop ends: not on its thread, which waits for no terminal.
    pub async fn tell_faults(&self) {
        let mut happened = self.happened();
        let mut next_event = 0;
        loop {
            happened.mark_unchanged();
            let frame = Arc::clone(&self.newest().frame);
            let new = frame.events.partition_point(|event| event.number < next_event);
            frame.events[new..].iter().for_each(|event| self.faults.event(&event.kind));
            next_event = frame.next_event;
            if happened.changed().await.is_err() {
                return;
            }
        }
    }
}
