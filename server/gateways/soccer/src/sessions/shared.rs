//! What all sessions share: the world as it is, the teams, and what goes out.

use super::bench::Bench;
use super::{ClientId, Config, Order, Out};
use crate::awareness::Awareness;
use crate::sessions::link::Link;
use crate::state::{Body, PLAYERS, Point, State, Who};
use crate::wire::name::TeamNames;
use crate::wire::params::{player_param, player_type, server_param};
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_plugin_api::noise::NoiseKey;
use touchline_soccer_law::face::{RefereeCommand, Side, TEAM_SIZE, state};
use touchline_soccer_law::params::ServerParams;

/// What all sessions share.
pub struct Shared {
    /// What was configured.
    pub config: Config,
    /// The world after its last step.
    pub state: State,
    /// Where the players were before that step.
    pub before: [Point; PLAYERS],
    /// What clients decided of their players.
    pub aware: [Awareness; PLAYERS],
    /// The teams' names.
    pub names: TeamNames,
    /// What goes out, in its order.
    pub outs: Vec<Out>,
    /// What one session's command means for others.
    pub effects: Vec<Effect>,
    seats: [Seat; PLAYERS],
    /// The coaches of both sides.
    pub coaches: [Option<ClientId>; 2],
    /// Their names; empty for a side whose last coach gave none.
    pub coach_names: [String; 2],
    /// The trainer.
    pub trainer: Option<ClientId>,
    /// What the coaches of both sides have said and changed.
    pub benches: [Bench; 2],
    /// Real time since the game was opened, milliseconds: for the patience with clients that say nothing, and nothing else.
    pub now_ms: u64,
    /// Messages of parameters by version.
    params: BTreeMap<u32, Arc<[String]>>,
}

/// Who plays a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seat {
    /// The client; `None` if it has gone, or nobody has come.
    pub client: Option<ClientId>,
    /// Whether its player has been on the field since it came.
    pub has_played: bool,
    /// Version of the client that came; 0 if nobody has.
    pub version: u32,
    /// Whether it came as a goalkeeper.
    pub is_goalie: bool,
    /// The versions of the coaches' language that it knows.
    pub language: [i32; 2],
    /// Whether it was shown a red card.
    pub is_sent_off: bool,
}

/// What one session's command means for others.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A player has spoken.
    Said(Who, String),
    /// A coach has spoken freely, in the way of versions before 7; without a side it is the trainer.
    CoachSaid(Option<Side>, String),
    /// A message in the coaches' language, said in this cycle, is delivered.
    LanguageSaid { side: Side, said: u32, message: String },
    /// A player has said which versions of that language it knows.
    Language(Who),
    /// A player was made the goalkeeper.
    Goalie(Who),
    /// A client has gone.
    Gone(ClientId),
    /// A text for all monitors.
    Monitors(String),
}

impl Shared {
    pub fn new(config: Config) -> Self {
        let server = &config.params.server;
        let fixed = [server.fixed_teamname_l.clone(), server.fixed_teamname_r.clone()];
        Self {
            before: State::empty().places(),
            state: State::empty(),
            aware: [Awareness::new(server); PLAYERS],
            names: TeamNames::new(fixed),
            outs: Vec::new(),
            effects: Vec::new(),
            seats: [Seat::default(); PLAYERS],
            coaches: [None; 2],
            coach_names: Default::default(),
            trainer: None,
            benches: std::array::from_fn(|_| Bench::new(server, config.types.len())),
            now_ms: 0,
            params: BTreeMap::new(),
            config,
        }
    }

    pub fn server(&self) -> &ServerParams {
        &self.config.params.server
    }

    /// The longest message of a player, bytes.
    pub fn longest_saying(&self) -> usize {
        self.server().say_msg_size.max(0) as usize
    }

    pub fn seat(&self, who: Who) -> &Seat {
        &self.seats[who.place()]
    }

    pub fn seat_mut(&mut self, who: Who) -> &mut Seat {
        &mut self.seats[who.place()]
    }

    pub fn bench_mut(&mut self, side: Side) -> &mut Bench {
        &mut self.benches[side as usize]
    }

    pub fn aware_mut(&mut self, who: Who) -> &mut Awareness {
        &mut self.aware[who.place()]
    }

    /// The world is this now. Gives the clients whose players a step took off the field; where the world began anew, nobody was taken.
    pub fn change(&mut self, state: State) -> Vec<ClientId> {
        let before = std::mem::replace(&mut self.state, state);
        let is_same_game = self.state.run == before.run;
        let has_gone_on = is_same_game && self.state.step > before.step;
        let is_wound_back = is_same_game && self.state.step < before.step;
        let mut left = Vec::new();
        for ((who, seat), body) in Who::all().zip(&mut self.seats).zip(&mut self.state.players) {
            let was = before.body(who);
            // A card is of its game; who plays in a world that was wound back has not been shown it yet.
            if !is_same_game || (is_wound_back && body.is_enabled()) {
                seat.is_sent_off = false;
            }
            // Monitors and logs are shown it until the end, beside the field.
            if seat.is_sent_off && body.bits == 0 {
                *body = Body { motion: body.motion, bits: state::RED_CARD, ..*was };
            }
            seat.has_played |= body.is_enabled();
            if has_gone_on && seat.has_played && !body.is_enabled() {
                left.extend(seat.client);
            }
        }
        left
    }

    /// Sends a text to a client.
    pub fn send(&mut self, link: &Link, text: &str) {
        self.outs.push(Out::Send { client: link.client, bytes: link.packed(text) });
    }

    pub fn order(&mut self, order: Order) {
        self.outs.push(Out::Order(order));
    }

    /// Whether a trainer may come, and monitors may command as one.
    pub fn trains(&self) -> bool {
        self.server().coach || self.server().coach_w_referee
    }

    /// The stream of a player's chance in this step.
    pub fn noise(&self, purpose: &str, who: Who) -> NoiseKey {
        let owner = format!("soccer/{purpose}/{}{}", who.side.letter(), who.unum);
        NoiseKey::for_owner(self.config.seed, &owner).at_step(self.state.step)
    }

    /// The team to which somebody of this name comes: its own, or the first that nobody has come to.
    pub fn team_for(&self, name: &str) -> Option<Side> {
        let free = |side: &Side| self.names.of(*side).is_empty() && !self.is_played(*side);
        self.names.side(name).or_else(|| Side::BOTH.into_iter().find(free))
    }

    /// Whether a side has players that no client of ours plays, such as plugins.
    fn is_played(&self, side: Side) -> bool {
        self.state.enabled().any(|(who, _)| who.side == side && self.seat(who).version == 0)
    }

    /// The next number of a team that nobody has had.
    pub fn free_number(&self, side: Side) -> Option<Who> {
        (1..=TEAM_SIZE as u32)
            .map(|unum| Who { side, unum })
            .find(|who| self.seat(*who).version == 0 && self.state.body(*who).bits == 0)
    }

    /// Whether a player is a goalkeeper.
    pub fn is_goalie(&self, who: Who) -> bool {
        self.seat(who).is_goalie || self.state.body(who).is(touchline_soccer_law::face::state::GOALIE)
    }

    /// Whether a team has a goalkeeper.
    pub fn has_goalie(&self, side: Side) -> bool {
        Who::all().any(|who| who.side == side && self.is_goalie(who))
    }

    /// Gives a player another type, for a coach or a trainer.
    pub fn substitute(&mut self, client: ClientId, who: Who, kind: usize) {
        let time = self.state.time;
        self.bench_mut(who.side).substitute(who.unum, kind, time);
        let command = RefereeCommand::PlayerType { side: who.side, unum: who.unum, player_type: kind as u32 };
        self.order(Order::Referee { client, command });
    }

    /// How many players have come.
    pub fn players(&self) -> usize {
        self.seats.iter().filter(|seat| seat.client.is_some()).count()
    }

    /// `server_param`, `player_param` and every `player_type` for a version; nothing before version 7.
    pub fn params(&mut self, version: u32) -> Arc<[String]> {
        if version < 7 {
            return Arc::new([]);
        }
        let config = &self.config;
        let made = self.params.entry(version).or_insert_with(|| {
            let types = config.types.iter().enumerate().map(|(id, kind)| player_type(id, kind, version));
            let heads =
                [server_param(&config.params.server, version), player_param(&config.params.player, version)];
            heads.into_iter().chain(types).collect()
        });
        Arc::clone(made)
    }

    /// Sends all parameters, and which players are of another type than 0, as somebody of a side is told it.
    pub fn send_params(&mut self, link: &Link, version: u32, side: Option<Side>) {
        for text in self.params(version).iter() {
            self.send(link, text);
        }
        let Some(side) = side.filter(|_| version >= 7) else { return };
        for (who, kind) in Who::all().zip(self.state.players.map(|body| body.kind)) {
            if kind != 0 {
                let text = changed_type(who, kind, side);
                self.send(link, &text);
            }
        }
    }
}

/// `(change_player_type N T)` for those of the player's side, `(change_player_type N)` for the others.
pub fn changed_type(who: Who, kind: usize, side: Side) -> String {
    if who.side == side {
        format!("(change_player_type {} {kind})", who.unum)
    } else {
        format!("(change_player_type {})", who.unum)
    }
}
