//! What a player is told: its body, what was said, what it sees.

use super::super::hearing::{bearing_rad, is_near};
use super::super::link::Link;
use super::super::shared::Shared;
use super::super::vision;
use super::Player;
use crate::state::Who;
use crate::wire;
use crate::wire::fullstate::fullstate;
use touchline_soccer_law::face::Side;

impl Player {
    /// `sense_body`, and `fullstate` for teams that are told it.
    pub fn sense_all(&mut self, link: &Link, shared: &mut Shared) {
        if !self.is_enabled(shared) {
            return;
        }
        self.sense(link, shared);
        let server = shared.server();
        let is_told = if self.who.side == Side::Left { server.fullstate_l } else { server.fullstate_r };
        if is_told && self.version >= 5 {
            let mut text = String::with_capacity(2048);
            fullstate(&mut text, self.version, self.who, &shared.state, &shared.aware);
            shared.send(link, &text);
        }
    }

    pub(super) fn sense(&self, link: &Link, shared: &mut Shared) {
        let mut text = String::with_capacity(512);
        let (body, aware) = (shared.state.body(self.who), &shared.aware[self.who.place()]);
        wire::body::sense_body(&mut text, self.version, shared.state.time, body, aware);
        shared.send(link, &text);
    }

    /// What was said since the last cycle.
    pub fn hear_all(&mut self, link: &Link, shared: &mut Shared) {
        let attention = shared.aware[self.who.place()].attention;
        let mut noise = shared.noise("hear", self.who).stream();
        let Shared { state, config, .. } = &*shared;
        let server = &config.params.server;
        let heard = self.hearing.hear((self.who, attention), self.version, state, server, &mut noise);
        if self.is_enabled(shared) {
            heard.iter().for_each(|text| shared.send(link, text));
        }
    }

    /// Somebody has spoken: from version 8 on it is heard in the next cycle, before that at once.
    pub fn told(&mut self, from: Who, message: &str, link: &Link, shared: &mut Shared) {
        if !self.is_enabled(shared) {
            return;
        }
        if from == self.who {
            if self.version >= 8 {
                return self.hearing.keep_own(message);
            }
            let text = wire::hear::own(self.version, shared.state.time, message);
            return shared.send(link, &text);
        }
        if self.version >= 8 {
            // Near enough when it was said, before the step that has brought the message.
            if is_near(&shared.before, self.who, from, shared.server()) {
                self.hearing.keep(from, message);
            }
            return;
        }
        if !is_near(&shared.state.places(), self.who, from, shared.server()) {
            return;
        }
        if self.hearing.take(from.side == self.who.side, &shared.config.params.server) {
            let bearing_rad = bearing_rad(&shared.state, self.who, from);
            let dir_deg = if self.version < 7 {
                wire::body::cut_degrees(bearing_rad)
            } else {
                wire::body::round_degrees(bearing_rad)
            };
            let text = wire::hear::somebody(self.version, shared.state.time, dir_deg, message);
            shared.send(link, &text);
        }
    }

    /// A tick of its view: sees something if it is time.
    pub fn look(&mut self, is_synchronous: bool, link: &Link, shared: &mut Shared) {
        let view = shared.aware[self.who.place()].view;
        if view.is_synchronous != is_synchronous || !self.is_enabled(shared) {
            return;
        }
        self.ticks += 1;
        if self.ticks >= view.interval {
            self.ticks = 0;
            let text = vision::see(self.who, self.version, shared);
            shared.send(link, &text);
        }
    }
}
