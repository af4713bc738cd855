//! What a player has been told since the last cycle, and how it is written; who hears what is the law's ([`touchline_soccer_law::hearing`]).

use crate::state::{PLAYERS, Point, State, Who, normal_angle};
use crate::wire::body::cut_degrees;
use crate::wire::hear::{self, Reader};
use touchline_plugin_api::noise::Noise;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::hearing::{EarPart, Ears, Heard, take_next};
use touchline_soccer_law::params::ServerParams;

/// More than so many messages in a cycle are nobody's to hear.
const MAX_MESSAGES: usize = 256;

/// A player's ears, and what waits for them.
#[derive(Clone, Debug)]
pub struct Hearing {
    ears: Ears,
    own: Vec<String>,
    /// How who spoke is called, and the words.
    coaches: Vec<(&'static str, String)>,
    others: Vec<(Who, String)>,
}

impl Hearing {
    /// Ears as they are at the beginning.
    pub fn new(server: &ServerParams) -> Self {
        Self { ears: Ears::new(server), own: Vec::new(), coaches: Vec::new(), others: Vec::new() }
    }

    /// Opens or shuts them: for one side, or both; for one kind of messages, or both.
    pub fn set(&mut self, on: bool, side: Option<Side>, part: Option<EarPart>) {
        self.ears.set(on, side, part);
    }

    /// A cycle has passed.
    pub fn recover(&mut self, server: &ServerParams) {
        self.ears.recover(server);
    }

    /// Whether there is room for a whole message of this team; it is taken.
    pub fn take(&mut self, is_own: bool, server: &ServerParams) -> bool {
        self.ears.take(is_own, server)
    }

    /// Keeps the player's own words for the next cycle.
    pub fn keep_own(&mut self, message: &str) {
        if self.own.len() < MAX_MESSAGES {
            self.own.push(message.to_owned());
        }
    }

    /// Keeps a coach's words for the next cycle.
    pub fn keep_coach(&mut self, name: &'static str, message: &str) {
        if self.coaches.len() < MAX_MESSAGES {
            self.coaches.push((name, message.to_owned()));
        }
    }

    /// Keeps somebody's words for the next cycle, unless they are not heard at all.
    pub fn keep(&mut self, from: Who, message: &str) {
        if self.ears.listen_to(from.side) && self.others.len() < MAX_MESSAGES {
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
        let coach =
            |(name, message): (_, String)| hear::coach(Reader::Player(version), state.time, name, &message);
        let mut texts: Vec<String> = self.coaches.drain(..).map(coach).collect();
        texts.extend(self.own.drain(..).map(|message| hear::own(version, state.time, &message)));
        while let Some((from, message)) = take_next(&mut self.others, attention.as_ref(), noise) {
            let Some(heard) = self.ears.hear(who.side, from.side, server) else { continue };
            let full = (heard == Heard::Whole)
                .then(|| (cut_degrees(bearing_rad(state, who, from)), message.as_str()));
            texts.push(match who.side == from.side {
                true => hear::ours(state.time, from.unum, full),
                false => hear::theirs(state.time, full),
            });
        }
        texts
    }
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
