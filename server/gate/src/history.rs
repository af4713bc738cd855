//! The past of a world: which ticks can be had, and what happened when.

use std::path::PathBuf;

/// Steps since the server began, whatever was reset; in a recording, since it began.
pub type Tick = u64;

/// Something that happened, for a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The step after which it was seen.
    pub tick: Tick,
    /// `goal`, `contact`, `fault`, `robot-added`, `robot-removed`, `player-exchanged`, `announcement`, `fork`, `message`; in a recording that is
    /// replayed also `difference`, `divergence`.
    pub kind: String,
    /// Description of the event, one sentence.
    pub text: String,
}

/// The first tick at which a recording and its world, run again, are not the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Tick of the recording.
    pub tick: Tick,
    /// The world's own count of steps at it.
    pub step: u64,
}

/// How the recording is doing that is or can be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The log that is being written.
    pub file: Option<PathBuf>,
    /// Why the last log ended before its time.
    pub failure: Option<String>,
    /// Ticks whose poses were lost, because the recorder could not keep up.
    pub lost: u64,
    /// Inputs that found no place, so that what is saved cannot be run again from there on.
    pub lost_inputs: u64,
    /// Ticks that cannot be verified, because not even their digests were kept.
    pub lost_digests: u64,
}

/// What can be had of the past, and what happened in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Tick that the world is at.
    pub now: Tick,
    /// The first tick that can be had.
    pub oldest: Tick,
    /// The last tick that can be had.
    pub newest: Tick,
    /// Ticks whose poses the recorder has lost.
    pub lost: u64,
    /// Bookmarks, oldest first.
    pub bookmarks: Vec<Bookmark>,
}

impl Timeline {
    /// Leaves out bookmarks of other kinds and those before `since`; of contacts and messages, which are many, it keeps at most one of
    /// each kind in `every` ticks.
    pub fn thin_out(&mut self, kind: Option<&str>, since: Tick, every: Tick) {
        let mut last_kept: [(&str, Option<Tick>); 2] = [("contact", None), ("message", None)];
        self.bookmarks.retain(|bookmark| {
            if bookmark.tick < since || kind.is_some_and(|kind| bookmark.kind != kind) {
                return false;
            }
            let Some((_, last)) = last_kept.iter_mut().find(|(kind, _)| bookmark.kind == *kind) else {
                return true;
            };
            let is_due = last.is_none_or(|last| bookmark.tick.abs_diff(last) >= every);
            if is_due {
                *last = Some(bookmark.tick);
            }
            is_due
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is many is thinned out, each kind for itself; goals are told all, however near.
    #[test]
    fn a_timeline_is_told_from_a_tick_on_and_thinned_out() {
        let bookmark = |tick, kind: &str| Bookmark { tick, kind: kind.into(), text: String::new() };
        let bookmarks = vec![
            bookmark(1, "goal"),
            bookmark(10, "contact"),
            bookmark(12, "message"),
            bookmark(14, "contact"),
            bookmark(15, "goal"),
            bookmark(16, "goal"),
            bookmark(19, "message"),
            bookmark(20, "contact"),
        ];
        let told = |kind, since, every| -> Vec<Tick> {
            let mut timeline = Timeline { bookmarks: bookmarks.clone(), ..Timeline::default() };
            timeline.thin_out(kind, since, every);
            timeline.bookmarks.iter().map(|bookmark| bookmark.tick).collect()
        };
        assert_eq!(told(None, 0, 1), [1, 10, 12, 14, 15, 16, 19, 20]);
        assert_eq!(told(None, 0, 10), [1, 10, 12, 15, 16, 20]);
        assert_eq!(told(Some("contact"), 11, 6), [14, 20]);
        assert_eq!(told(Some("none"), 0, 1), [0; 0]);
    }
}
