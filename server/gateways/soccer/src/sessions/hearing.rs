//! What a player has been told since the last cycle, and in what order it hears it: one message of each team, as long as its ears are free.

use crate::state::{PLAYERS, Point, State, Who, normal_angle};
use crate::wire::body::cut_degrees;
use crate::wire::hear;
use crate::wire::player_command::EarPart;
use touchline_plugin_api::noise::Noise;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::params::ServerParams;

/// More than so many messages in a cycle are nobody's to hear.
const MAX_MESSAGES: usize = 256;

/// The ears of a player, and what waits for them.
#[derive(Clone, Debug)]
pub struct Ears {
    /// Messages that can still be heard wholly: of the own team, of the other one.
    capacity: [i32; 2],
    /// For each side, whether messages are heard wholly, and whether it is heard that somebody has spoken.
    complete: [bool; 2],
    partial: [bool; 2],
    own: Vec<String>,
    coaches: Vec<String>,
    others: Vec<(Who, String)>,
}

impl Ears {
    /// Open for all.
    pub fn new(server: &ServerParams) -> Self {
        Self {
            capacity: [server.hear_max; 2],
            complete: [true; 2],
            partial: [true; 2],
            own: Vec::new(),
            coaches: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Opens or shuts them: for one side, or both; for one kind of messages, or both.
    pub fn set(&mut self, on: bool, side: Option<Side>, part: Option<EarPart>) {
        for one in Side::BOTH.into_iter().filter(|one| side.is_none_or(|side| side == *one)) {
            if part != Some(EarPart::Partial) {
                self.complete[one as usize] = on;
            }
            if part != Some(EarPart::Complete) {
                self.partial[one as usize] = on;
            }
        }
    }

    /// A cycle has passed.
    pub fn recover(&mut self, server: &ServerParams) {
        for capacity in &mut self.capacity {
            *capacity = capacity.saturating_add(server.hear_inc).min(server.hear_max);
        }
    }

    /// Whether there is room for a whole message of this team; it is taken.
    pub fn take(&mut self, is_own: bool, server: &ServerParams) -> bool {
        let capacity = &mut self.capacity[usize::from(!is_own)];
        let is_free = *capacity >= server.hear_decay;
        if is_free {
            *capacity -= server.hear_decay;
        }
        is_free
    }

    /// Keeps the player's own words for the next cycle.
    pub fn keep_own(&mut self, message: &str) {
        if self.own.len() < MAX_MESSAGES {
            self.own.push(message.to_owned());
        }
    }

    /// Keeps a coach's message, in its form, for the next cycle.
    pub fn keep_coach(&mut self, text: String) {
        if self.coaches.len() < MAX_MESSAGES {
            self.coaches.push(text);
        }
    }

    /// Keeps somebody's words for the next cycle, unless they are not heard at all.
    pub fn keep(&mut self, from: Who, message: &str) {
        let side = from.side as usize;
        if (self.complete[side] || self.partial[side]) && self.others.len() < MAX_MESSAGES {
            self.others.push((from, message.to_owned()));
        }
    }

    /// All that waits, in the order in which it is heard by a client from version 8 on: coaches, itself, then the player that it listens to,
    /// then others by chance.
    pub fn hear(
        &mut self,
        (who, attention): (Who, Option<Who>),
        version: u32,
        state: &State,
        server: &ServerParams,
        noise: &mut Noise,
    ) -> Vec<String> {
        let mut heard = std::mem::take(&mut self.coaches);
        heard.extend(self.own.drain(..).map(|message| hear::own(version, state.time, &message)));
        while !self.others.is_empty() {
            let wanted: Vec<usize> =
                (0..self.others.len()).filter(|&at| attention == Some(self.others[at].0)).collect();
            let chosen = match wanted.as_slice() {
                [] => pick(self.others.len(), noise),
                wanted => wanted[pick(wanted.len(), noise)],
            };
            let (from, message) = self.others.remove(chosen);
            heard.extend(self.one(who, from, &message, state, server));
        }
        heard
    }

    fn one(
        &mut self,
        who: Who,
        from: Who,
        message: &str,
        state: &State,
        server: &ServerParams,
    ) -> Option<String> {
        let (side, is_own) = (from.side as usize, who.side == from.side);
        let is_free = self.capacity[usize::from(!is_own)] >= server.hear_decay;
        let full = if is_free {
            if !self.complete[side] {
                return None;
            }
            self.take(is_own, server);
            Some((cut_degrees(bearing_rad(state, who, from)), message))
        } else if self.partial[side] {
            None
        } else {
            return None;
        };
        Some(if is_own { hear::ours(state.time, from.unum, full) } else { hear::theirs(state.time, full) })
    }
}

fn pick(count: usize, noise: &mut Noise) -> usize {
    (noise.uniform(0.0, count as f64) as usize).min(count - 1)
}

/// Direction to a player from another one's body, radians.
pub fn bearing_rad(state: &State, who: Who, from: Who) -> f64 {
    let (here, there) = (state.body(who), state.body(from).motion.pos);
    let [x, y] = here.motion.pos;
    normal_angle(libm::atan2(there[1] - y, there[0] - x) - here.body_rad)
}

/// Whether somebody is near enough to be heard, by the places of all players.
pub fn is_near(places: &[Point; PLAYERS], who: Who, from: Who, server: &ServerParams) -> bool {
    let ([x, y], [fx, fy]) = (places[who.place()], places[from.place()]);
    libm::hypot(fx - x, fy - y) <= server.audio_cut_dist
}
