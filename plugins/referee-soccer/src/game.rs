//! A game at one moment: its bodies, its mode of play, and what changes them. The rules work on it.
//!
//! Places are metres in the world frame, velocities metres a cycle, angles radians counter-clockwise.

use crate::law::Law;
use crate::memory::{Memory, Player as Remembered, Seat};
use crate::rules;
use crate::vector::Vector;
use touchline_plugin_api::noise::{Noise, NoiseKey};
use touchline_soccer_law::body::{self, Stamina};
use touchline_soccer_law::face::{Leg, Side, state};
use touchline_soccer_law::player_type::PlayerType;
use touchline_soccer_law::{PlayMode, SidedMode, pitch};

/// A player who is there.
#[derive(Clone, Debug)]
pub struct Player<'a> {
    pub memory: Remembered,
    pub place: Vector,
    pub velocity: Vector,
    pub accel: Vector,
    /// Heading of the body now, and after the turn that is ordered.
    pub heading_rad: f64,
    pub new_heading_rad: f64,
    pub neck_rad: f64,
    pub stamina: Stamina,
    pub type_id: u16,
    pub player_type: &'a PlayerType,
    /// Bits of [`state`].
    pub state: u32,
    pub tackle_cycles: i32,
    pub foul_cycles: i32,
    pub catch_ban: i32,
    /// Whether its body had its command of this cycle, or cannot obey.
    pub is_done: bool,
    /// A dash that takes effect when the cycle ends.
    pub legs: Option<[Leg; 2]>,
    /// Whether it was sent away in this call.
    pub is_gone: bool,
    /// As it was loaded: what differs is ordered.
    pub loaded: Loaded,
}

/// What the world has of a player.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    pub place: Vector,
    pub heading_rad: f64,
    pub velocity: Vector,
    pub data: [f64; touchline_plugin_api::motion::MAX_MOTION_DATA],
}

impl Player<'_> {
    pub fn seat(&self) -> Seat {
        self.memory.seat
    }

    pub fn side(&self) -> Side {
        self.memory.seat.side()
    }

    pub fn size(&self) -> f64 {
        self.player_type.player_size
    }

    pub fn is_goalie(&self) -> bool {
        self.state & state::GOALIE != 0
    }

    /// Whether it has dashed in this cycle or the last one.
    pub fn has_dashed(&self) -> bool {
        self.memory.since_dash <= 1
    }

    /// Puts it somewhere, at rest.
    pub fn put(&mut self, place: Vector) {
        (self.place, self.velocity, self.accel) = (place, [0.0; 2], [0.0; 2]);
    }
}

/// The ball.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    pub place: Vector,
    pub velocity: Vector,
    pub accel: Vector,
}

/// What all who watch are told.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// The referee's voice, and what the clock showed: its cycle, and cycles since it stopped.
    Word(String, [i64; 2]),
    /// An event of a side.
    Event { kind: &'static str, side: Side, text: String },
    /// A payment to a robot.
    Reward { robot: u32, value: f64 },
    /// The episode is over.
    EpisodeEnd(&'static str),
}

/// The game.
pub struct Game<'a> {
    pub law: &'a Law,
    pub memory: &'a mut Memory,
    pub ball: Ball,
    /// As the world has it.
    pub loaded_ball: Ball,
    pub players: Vec<Player<'a>>,
    pub said: Vec<Said>,
    /// Randomness of this step: a part for each use.
    pub noise: NoiseKey,
    /// Randomness of the rules.
    pub chance: Noise,
}

impl<'a> Game<'a> {
    pub fn mode(&self) -> PlayMode {
        self.memory.mode
    }

    pub fn time(&self) -> i64 {
        self.memory.time
    }

    pub fn index_of(&self, seat: Seat) -> Option<usize> {
        self.players.iter().position(|player| player.seat() == seat && !player.is_gone)
    }

    pub fn player(&self, seat: Seat) -> Option<&Player<'a>> {
        self.index_of(seat).map(|index| &self.players[index])
    }

    pub fn player_mut(&mut self, seat: Seat) -> Option<&mut Player<'a>> {
        self.index_of(seat).map(|index| &mut self.players[index])
    }

    /// Players who are there.
    pub fn present(&self) -> impl Iterator<Item = &Player<'a>> {
        self.players.iter().filter(|player| !player.is_gone)
    }

    pub fn present_mut(&mut self) -> impl Iterator<Item = &mut Player<'a>> {
        self.players.iter_mut().filter(|player| !player.is_gone)
    }

    pub fn team(&self, side: Side) -> &crate::memory::Team {
        &self.memory.teams[side.team() as usize]
    }

    pub fn team_mut(&mut self, side: Side) -> &mut crate::memory::Team {
        &mut self.memory.teams[side.team() as usize]
    }

    /// Speaks with the referee's voice.
    pub fn say(&mut self, word: impl Into<String>) {
        let clock = [self.memory.time, self.memory.stoppage];
        self.said.push(Said::Word(word.into(), clock));
    }

    /// Another mode of play, which is announced; after a goal the goal was.
    pub fn change_mode(&mut self, mode: PlayMode) {
        self.memory.mode = mode;
        rules::mode_changed(self);
        self.memory.kick_off_side = match mode.sided() {
            Some((
                SidedMode::KickOff
                | SidedMode::KickIn
                | SidedMode::FreeKick
                | SidedMode::IndirectFreeKick
                | SidedMode::CornerKick
                | SidedMode::GoalKick,
                side,
            )) => Some(side),
            Some((SidedMode::IllegalDefense, side)) => Some(side.opposite()),
            None if mode == PlayMode::DROP_BALL => None,
            _ => self.memory.kick_off_side,
        };
        if !matches!(mode.sided(), Some((SidedMode::Goal, _))) {
            self.say(mode.word());
        }
    }

    /// Puts the ball somewhere, at rest, for a side.
    pub fn place_ball(&mut self, side: Option<Side>, place: Vector) {
        self.ball = Ball { place, ..Ball::default() };
        self.memory.kick_off_side = side;
    }

    /// The same with a mode of play; a shoot-out never becomes normal play.
    pub fn place_ball_in(&mut self, mode: PlayMode, side: Option<Side>, place: Vector) {
        self.place_ball(side, place);
        let ends_shoot_out = [PlayMode::PLAY_ON, PlayMode::DROP_BALL].contains(&mode);
        if !(self.mode().is_shoot_out() && ends_shoot_out) {
            self.change_mode(mode);
        }
    }

    /// Whether a player can kick the ball where it is.
    pub fn can_kick(&self, player: &Player<'_>) -> bool {
        let reach_m = body::kickable_distance(&self.law.server, player.player_type);
        let [x, y] = crate::vector::sub(player.place, self.ball.place);
        x * x + y * y <= reach_m * reach_m
    }

    /// Brings who is outside of the pitch's margin back to it.
    pub fn place_players_in_field(&mut self) {
        let field = pitch::Area::pitch().wider(pitch::MARGIN_M);
        for player in self.present_mut().filter(|player| !field.contains(player.place)) {
            player.place = field.nearest_edge(player.place);
        }
    }

    /// All have their full strength again.
    pub fn recover_all(&mut self) {
        let server = &self.law.server;
        for player in self.players.iter_mut().filter(|player| !player.is_gone) {
            player.stamina = Stamina::full(server, player.player_type);
        }
        self.memory
            .absent
            .iter_mut()
            .filter_map(|player| player.body.as_mut())
            .for_each(|body| body.strength = None);
    }

    /// Replaces a player by one of another type: fresh and without a card, in the same place.
    pub fn substitute(&mut self, seat: Seat, type_id: u16) {
        let Some(player_type) = self.law.types.get(usize::from(type_id)) else { return };
        let Some(seat_type) = self.memory.type_of(seat) else { return };
        (seat_type.id, seat_type.is_given) = (type_id, true);
        let server = &self.law.server;
        self.memory.absent.retain(|player| player.seat != seat);
        if let Some(player) = self.players.iter_mut().find(|player| player.seat() == seat) {
            player.type_id = type_id;
            player.player_type = player_type;
            player.stamina = Stamina::full(server, player_type);
            player.state &= state::STAND | state::GOALIE | state::DISCARD;
        }
        let text = format!("{} {type_id}", seat.unum());
        let kind = touchline_soccer_law::face::event::PLAYER_TYPE;
        self.said.push(Said::Event { kind, side: seat.side(), text });
    }

    /// Sends a player away: its robot leaves the world.
    pub fn send_away(&mut self, seat: Seat) {
        if self.memory.catcher == Some(seat) {
            self.memory.catcher = None;
        }
        if let Some(player) = self.player_mut(seat) {
            player.is_gone = true;
        }
    }

    /// Shows a card; the second yellow one is a red one.
    pub fn show_card(&mut self, seat: Seat, is_red: bool) {
        let Some(player) = self.player_mut(seat) else { return };
        let had_yellow = player.state & state::YELLOW_CARD != 0;
        player.state |= state::YELLOW_CARD;
        let who = format!("{}_{}", seat.side().letter(), seat.unum());
        if !is_red {
            self.say(format!("yellow_card_{who}"));
        }
        if is_red || had_yellow {
            self.say(format!("red_card_{who}"));
            self.memory.sent_off.push(seat);
            self.send_away(seat);
        }
    }
}
