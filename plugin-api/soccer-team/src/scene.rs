//! What a player knows when it decides.

use std::f64::consts::PI;
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;
use touchline_soccer_law::{PlayMode, SidedMode};

/// Something that moves, in the team's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mover {
    /// Metres.
    pub place: [f64; 2],
    /// Metres a cycle, after the last one.
    pub velocity: [f64; 2],
    /// Heading of its body, radians; nothing for a ball.
    pub heading_rad: f64,
}

/// The play, as a team sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Before a kick-off, or after a goal: players may move to any place of their half.
    Before,
    /// The ball is in play.
    On,
    /// A set play of the own team.
    Ours(SidedMode),
    /// A set play of the others.
    Theirs(SidedMode),
    /// A penalty of the own team in a shoot-out.
    OurPenalty(SidedMode),
    /// A penalty of the others.
    TheirPenalty(SidedMode),
    /// Nothing can be done with the ball.
    Dead,
}

impl Play {
    /// A mode of play, as the team of a side sees it.
    pub fn of(mode: PlayMode, side: Side) -> Self {
        match mode.sided() {
            Some((SidedMode::Goal, _)) => Self::Before,
            Some((
                kind @ (SidedMode::KickOff
                | SidedMode::KickIn
                | SidedMode::FreeKick
                | SidedMode::IndirectFreeKick
                | SidedMode::CornerKick
                | SidedMode::GoalKick),
                whose,
            )) => {
                if whose == side {
                    Self::Ours(kind)
                } else {
                    Self::Theirs(kind)
                }
            }
            Some((kind, whose)) if mode.is_shoot_out() => {
                if whose == side {
                    Self::OurPenalty(kind)
                } else {
                    Self::TheirPenalty(kind)
                }
            }
            Some(_) => Self::Dead,
            None if mode == PlayMode::BEFORE_KICK_OFF => Self::Before,
            None if mode == PlayMode::PLAY_ON || mode == PlayMode::DROP_BALL => Self::On,
            None => Self::Dead,
        }
    }
}

/// Turns between the world's frame and the team's: the right team's is turned by half a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame(f64);

impl Frame {
    /// Of the team of a side.
    pub fn of(side: Side) -> Self {
        Self(side.sign())
    }

    /// A place or velocity, either way.
    pub fn turn(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.0 * x, self.0 * y]
    }

    /// A heading, either way.
    pub fn turn_angle(self, angle_rad: f64) -> f64 {
        if self.0 > 0.0 { angle_rad } else { wrap_angle(angle_rad + PI) }
    }
}

/// What a player knows. Mates and opponents are without itself, at most ten and eleven.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The game's parameters.
    pub server: &'a ServerParams,
    /// Its own type; of others it knows none, and takes them for the default one.
    pub kind: &'a PlayerType,
    /// Its uniform number: 1 keeps the goal.
    pub unum: u32,
    /// Whether it may catch the ball.
    pub is_goalie: bool,
    /// Itself.
    pub me: Mover,
    /// Its neck, relative to the body.
    pub neck_rad: f64,
    /// Stamina, 0 to stamina_max.
    pub stamina: f64,
    /// Whether its body obeys: not after a tackle or a foul.
    pub obeys: bool,
    /// Whether it may touch the ball: not between its own set play and the next touch of somebody else.
    pub may_touch: bool,
    /// Whether it may catch now.
    pub may_catch: bool,
    /// The ball.
    pub ball: Mover,
    /// Uniform numbers and bodies of its mates.
    pub mates: Vec<(u32, Mover)>,
    /// Bodies of the opponents.
    pub opponents: Vec<Mover>,
    /// The play.
    pub play: Play,
    /// Penalties that its team has taken in the shoot-out.
    pub penalty_kicks: u32,
}

impl<'a> Scene<'a> {
    /// Of a fresh player alone with the ball, before the kick-off.
    pub fn new(server: &'a ServerParams, kind: &'a PlayerType, unum: u32, me: Mover, ball: Mover) -> Self {
        Self {
            server,
            kind,
            unum,
            is_goalie: unum == 1,
            me,
            neck_rad: 0.0,
            stamina: server.stamina_max,
            obeys: true,
            may_touch: true,
            may_catch: true,
            ball,
            mates: Vec::new(),
            opponents: Vec::new(),
            play: Play::Before,
            penalty_kicks: 0,
        }
    }
}
