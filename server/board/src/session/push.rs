//! Readings that are sent at a period, without being asked for each time. (C4)

use super::{Session, Ticket};
use crate::reply::Reply;
use crate::selection::Selected;
use crate::state::StateReply;

/// A push that is due. (C4)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushDue {
    /// Whose sensors.
    pub robot: u32,
    /// Which.
    pub selected: Vec<Selected>,
}

#[derive(Debug)]
pub(super) struct Push {
    pub(super) robot: u32,
    pub(super) period_us: u64,
    pub(super) selected: Vec<Selected>,
    pub(super) next_us: u64,
    /// The stamp of what was sent last.
    pub(super) last_stamp_us: Option<i64>,
}

impl Session {
    /// Answers [`crate::Request::Push`], and begins it in place of the last one for this robot; the first is due at once.
    pub fn answer_push(
        &mut self,
        ticket: Ticket,
        robot: u32,
        selected: Vec<Selected>,
        period_us: u64,
        now_us: u64,
    ) {
        self.pushes.retain(|push| push.robot != robot);
        if self.pushes.len() >= self.config.limits.pushes {
            let limit = self.config.limits.pushes;
            let message = format!("at most {limit} robots can be pushed at a time");
            return self.answer(ticket, &Reply::error("board/too-many-pushes", message).with("limit", limit));
        }
        let period_us = period_us.max(1);
        self.pushes.push(Push { robot, period_us, selected, next_us: now_us, last_stamp_us: None });
        let reply = Reply::ok().with("robot", robot).with("period_us", period_us);
        self.answer(ticket, &reply);
    }

    /// Ends the push for this robot.
    pub fn end_push(&mut self, robot: u32) {
        self.pushes.retain(|push| push.robot != robot);
    }

    /// When the next push is due, on the server's clock; none while too much is unsent.
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
        let push = self.pushes.iter_mut().min_by_key(|push| push.next_us)?;
        let missed = now_us.checked_sub(push.next_us)? / push.period_us;
        push.next_us = push.next_us.saturating_add((missed + 1).saturating_mul(push.period_us));
        Some(PushDue { robot: push.robot, selected: push.selected.clone() })
    }

    fn has_room(&self) -> bool {
        !self.closing && self.output().len() <= self.config.limits.push_bytes
    }

    /// Sends a `STATE` block, unless that state was pushed already.
    pub fn push(&mut self, state: StateReply, robot: u32) {
        self.check_output();
        let Some(push) = self.pushes.iter_mut().find(|push| push.robot == robot) else { return };
        if !self.closing && push.last_stamp_us.replace(state.stamp_us) != Some(state.stamp_us) {
            state.write_push(&mut self.output);
        }
    }
}
