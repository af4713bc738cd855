//! Who holds a place and says nothing gives way to somebody who wants it.

use super::{ClientId, Role, Session, Sessions};
use crate::PlayMode;
use crate::awareness::Awareness;
use crate::sessions::shared::Seat;
use crate::state::{Body, Who};
use touchline_soccer_law::face::Side;

/// Who has said nothing for so long gives way, milliseconds.
const PATIENCE_MS: u64 = 60_000;

impl Sessions {
    /// Real time since the game was opened, milliseconds. Only [`PATIENCE_MS`] is measured by it.
    pub fn at(&mut self, now_ms: u64) {
        self.shared.now_ms = self.shared.now_ms.max(now_ms);
    }

    /// Sends away the monitor that has been silent for longest, if it was for long enough.
    pub(super) fn replace_monitor(&mut self) -> bool {
        let silent = self.silent(|role| matches!(role, Role::Monitor(_)));
        silent.is_some_and(|client| {
            self.gone(client);
            true
        })
    }

    /// Takes a number of a full team from a client that is silent.
    pub(super) fn replace_player(&mut self, side: Side) -> Option<Who> {
        let client = self.silent(|role| matches!(role, Role::Player(player) if player.who.side == side))?;
        let Role::Player(player) = &self.sessions.get(&client)?.role else { return None };
        let who = player.who;
        self.gone(client);
        self.vacate(who);
        Some(who)
    }

    /// Takes the name from a side all of whose clients are silent, as long as nothing has been played.
    pub(super) fn replace_team(&mut self) -> Option<Side> {
        let state = &self.shared.state;
        if state.time > 0 || state.mode != PlayMode::BEFORE_KICK_OFF {
            return None;
        }
        let side = Side::BOTH.into_iter().find(|side| {
            let mut of_side = self.sessions.values().filter(|session| session.role.side() == Some(*side));
            of_side.all(|session| self.is_silent(session))
        })?;
        let of_side = self.sessions.iter().filter(|(_, session)| session.role.side() == Some(side));
        let clients: Vec<ClientId> = of_side.map(|(client, _)| *client).collect();
        clients.into_iter().for_each(|client| self.gone(client));
        Who::all().filter(|who| who.side == side).for_each(|who| self.vacate(who));
        self.shared.names.set(side, "");
        self.shared.coach_names[side as usize].clear();
        Some(side)
    }

    /// Whether somebody has the seat of a trainer or a coach, and is not silent.
    pub(super) fn is_held(&self, seat: Option<ClientId>) -> bool {
        let session = seat.and_then(|client| self.sessions.get(&client));
        session.is_some_and(|session| !self.is_silent(session))
    }

    /// A number is as if nobody had come to it.
    fn vacate(&mut self, who: Who) {
        let aware = Awareness::new(self.shared.server());
        *self.shared.aware_mut(who) = aware;
        // Its robot leaves with the orders that wait already.
        self.shared.state.players[who.place()] = Body::nobody(who);
        let seat = self.shared.seat_mut(who);
        *seat = Seat { is_sent_off: seat.is_sent_off, ..Seat::default() };
    }

    fn is_silent(&self, session: &Session) -> bool {
        self.shared.now_ms.saturating_sub(session.link.heard_ms) >= PATIENCE_MS
    }

    /// Of those of a kind who are silent, the one that was heard first.
    fn silent(&self, is_meant: impl Fn(&Role) -> bool) -> Option<ClientId> {
        let meant = self.sessions.iter().filter(|(_, session)| is_meant(&session.role));
        let silent = meant.filter(|(_, session)| self.is_silent(session));
        silent.min_by_key(|(_, session)| session.link.heard_ms).map(|(client, _)| *client)
    }
}
