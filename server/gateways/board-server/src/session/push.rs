//! Readings that are sent at a period, without being asked for each time. (C4)
//!
//! Which clock that is, is the caller's choice: that of the world, or that on the wall. The world's may go back (a reset, a seek, a
//! recording that runs backwards): then a period back counts as one forth.

use super::Session;
use touchline_board::{Reply, Selected, StateReply};

/// A push that is due. (C4)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushDue {
    /// Number of the robot whose sensors are read.
    pub robot: u32,
    /// The sensors and features that were asked for.
    pub selected: Vec<Selected>,
}

#[derive(Debug)]
pub(super) struct Push {
    pub(super) robot: u32,
    pub(super) period_us: u64,
    pub(super) selected: Vec<Selected>,
    pub(super) next_us: u64,
    /// How many pushes of all robots there were at its last one.
    pub(super) turn: u64,
    /// The stamp of what was sent last.
    pub(super) last_stamp_us: Option<i64>,
}

impl Session {
    /// Begins to push in place of the last push for this robot, and gives the answer; the first is due at once, which is `now_us`.
    pub fn begin_push(&mut self, robot: u32, selected: Vec<Selected>, period_us: u64, now_us: u64) -> Reply {
        self.pushes.retain(|push| push.robot != robot);
        if self.pushes.len() >= self.config.limits.pushes {
            let limit = self.config.limits.pushes;
            let message = format!("at most {limit} robots can be pushed at a time");
            return Reply::error("board/too-many-pushes", message).with("limit", limit);
        }
        let period_us = period_us.max(1);
        self.pushes.push(Push { robot, period_us, selected, next_us: now_us, turn: 0, last_stamp_us: None });
        Reply::ok().with("robot", robot).with("period_us", period_us)
    }

    /// Ends the push for this robot.
    pub fn end_push(&mut self, robot: u32) {
        self.pushes.retain(|push| push.robot != robot);
    }

    /// Whether the client has asked for any push.
    pub fn has_pushes(&self) -> bool {
        !self.pushes.is_empty()
    }

    /// When the next push is due; none while too much is unsent.
    pub fn next_push_us(&self) -> Option<u64> {
        self.has_room().then(|| self.pushes.iter().map(|push| push.next_us).min())?
    }

    /// The next push that is due, if any; answer it with [`Session::push`]. Missed ones are not made up for.
    pub fn due_push(&mut self, now_us: u64) -> Option<PushDue> {
        // Newest wins: a client that does not read gets fewer, not older ones.
        if !self.has_room() {
            return None;
        }
        // Who has waited longest comes first, so that a slow client gets something of each.
        let due = self.pushes.iter_mut().filter(|push| push.is_due(now_us));
        let push = due.min_by_key(|push| push.turn)?;
        push.go_on(now_us);
        self.push_count += 1;
        push.turn = self.push_count;
        Some(PushDue { robot: push.robot, selected: push.selected.clone() })
    }

    fn has_room(&self) -> bool {
        !self.closing && self.output().len() <= self.config.limits.push_bytes
    }

    /// Sends a `STATE` block, unless that state was pushed already.
    pub fn push(&mut self, state: StateReply, robot: u32) {
        self.check_output();
        let Some(push) = self.pushes.iter_mut().find(|push| push.robot == robot) else { return };
        if !self.closing && push.last_stamp_us.replace(state.stamp_us()) != Some(state.stamp_us()) {
            state.write_push(&mut self.output);
        }
    }
}

impl Push {
    fn is_due(&self, now_us: u64) -> bool {
        // The last beat was a period before the next one: time has gone back by a period since.
        let is_back = now_us.saturating_add(self.period_us.saturating_mul(2)) <= self.next_us;
        now_us >= self.next_us || is_back
    }

    /// To the first beat after now.
    fn go_on(&mut self, now_us: u64) {
        self.next_us = match now_us.checked_sub(self.next_us) {
            Some(late_us) => {
                let beats = late_us / self.period_us + 1;
                self.next_us.saturating_add(beats.saturating_mul(self.period_us))
            }
            // Back: the beat begins anew.
            None => now_us.saturating_add(self.period_us),
        };
    }
}
