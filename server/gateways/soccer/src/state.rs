//! What a world is at a step, in the wire's units and axes: metres, metres a cycle, radians clockwise, x to the right goal, y down.

use crate::PlayMode;
use touchline_soccer_law::face::{Side, TEAM_SIZE, state};

/// Players of both teams: left 1 to 11, then right.
pub const PLAYERS: usize = 2 * TEAM_SIZE;

/// A place of the field.
pub type Point = [f64; 2];

/// The world after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Step of the world; counts on while the clock stands.
    pub step: u64,
    /// How many times the world was reset.
    pub run: u64,
    /// Cycle of the game's clock.
    pub time: u32,
    /// Cycles since the clock stands; 0 while it goes.
    pub stoppage: u32,
    /// Mode of play.
    pub mode: PlayMode,
    /// Goals of both sides.
    pub scores: [u32; 2],
    /// Penalty kicks of both sides: scored, missed.
    pub penalties: [[u32; 2]; 2],
    /// The ball.
    pub ball: Moving,
    /// The goalkeeper that holds it.
    pub catcher: Option<Who>,
    /// All players, also those that nobody plays.
    pub players: [Body; PLAYERS],
}

/// Something that moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moving {
    /// Metres.
    pub pos: Point,
    /// Metres a cycle.
    pub vel: Point,
}

/// A player's body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Place and velocity.
    pub motion: Moving,
    /// Heading of the body, radians.
    pub body_rad: f64,
    /// Neck against the body, radians.
    pub neck_rad: f64,
    /// Bits of [`state`]; 0 is nobody.
    pub bits: u32,
    /// Number of the player type.
    pub kind: usize,
    /// Stamina.
    pub stamina: f64,
    /// Effort.
    pub effort: f64,
    /// Recovery.
    pub recovery: f64,
    /// Stamina that can still come back.
    pub capacity: f64,
    /// Cycles for which it lies after a tackle.
    pub tackle_cycles: u32,
    /// Cycles for which it lies after a foul.
    pub foul_cycles: u32,
}

/// A player by side and uniform number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Who {
    /// Its team.
    pub side: Side,
    /// 1 to 11.
    pub unum: u32,
}

impl Who {
    /// All players in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..PLAYERS).map(Self::at)
    }

    /// The player at a place.
    pub fn at(place: usize) -> Self {
        let side = if place < TEAM_SIZE { Side::Left } else { Side::Right };
        Self { side, unum: (place % TEAM_SIZE) as u32 + 1 }
    }

    /// Its place among all.
    pub fn place(self) -> usize {
        self.side as usize * TEAM_SIZE + (self.unum as usize).clamp(1, TEAM_SIZE) - 1
    }
}

impl Body {
    /// Nobody, beside the pitch, where the server keeps who has not come.
    pub fn nobody(who: Who) -> Self {
        let [x, y] = touchline_soccer_law::face::waiting_place(who.side, who.unum);
        Self {
            motion: Moving { pos: [x, -y], vel: [0.0; 2] },
            body_rad: 0.0,
            neck_rad: 0.0,
            bits: 0,
            kind: 0,
            stamina: 8000.0,
            effort: 1.0,
            recovery: 1.0,
            capacity: 130_600.0,
            tackle_cycles: 0,
            foul_cycles: 0,
        }
    }

    /// Whether somebody plays.
    pub fn is_enabled(&self) -> bool {
        self.bits & state::STAND != 0
    }

    /// Whether it has one of these bits.
    pub fn is(&self, bits: u32) -> bool {
        self.bits & bits != 0
    }

    /// Where it looks to: body and neck, radians.
    pub fn face_rad(&self) -> f64 {
        self.body_rad + self.neck_rad
    }

    /// `t`, `k` or nothing: what is seen of it in this cycle by clients that know both.
    pub fn mark(&self) -> Option<char> {
        if self.tackle_cycles > 0 { Some('t') } else { self.is(state::KICK).then_some('k') }
    }
}

impl State {
    /// Penalties scored and missed of both sides, once one was taken.
    pub fn shoot_out(&self) -> Option<[[u32; 2]; 2]> {
        self.penalties.iter().flatten().any(|&count| count > 0).then_some(self.penalties)
    }

    /// Before the first step of a world.
    pub fn empty() -> Self {
        Self {
            step: 0,
            run: 0,
            time: 0,
            stoppage: 0,
            mode: PlayMode::BEFORE_KICK_OFF,
            scores: [0; 2],
            penalties: [[0; 2]; 2],
            ball: Moving::default(),
            catcher: None,
            players: std::array::from_fn(|place| Body::nobody(Who::at(place))),
        }
    }

    /// A player's body.
    pub fn body(&self, who: Who) -> &Body {
        &self.players[who.place()]
    }

    /// Where all players are, in their order.
    pub fn places(&self) -> [Point; PLAYERS] {
        self.players.map(|body| body.motion.pos)
    }

    /// Those who play, in their order.
    pub fn enabled(&self) -> impl Iterator<Item = (Who, &Body)> {
        Who::all().zip(&self.players).filter(|(_, body)| body.is_enabled())
    }
}

/// Something that the referee or the world says has happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened {
    /// The referee says a word, such as `kick_off_l`.
    Word(String),
    /// The same before the clock has gone on in this step, when it showed this: its cycle, and cycles since it stopped.
    EarlierWord(String, [u32; 2]),
    /// A player has another type.
    Type(Who, usize),
    /// A goalkeeper with the ball has moved too often.
    TooManyMoves(Who),
    /// A player says something.
    Said(Who, String),
}

/// An angle between -pi and pi, radians.
pub fn normal_angle(angle_rad: f64) -> f64 {
    let turns = libm::rint(angle_rad / std::f64::consts::TAU);
    angle_rad - turns * std::f64::consts::TAU
}

/// The nearest multiple of a step; halves go to the even one.
pub fn quantise(value: f64, step: f64) -> f64 {
    libm::rint(value / step) * step
}

/// Direction from the x axis, radians.
pub fn direction([x, y]: Point) -> f64 {
    libm::atan2(y, x)
}

/// Length, metres.
pub fn length([x, y]: Point) -> f64 {
    libm::hypot(x, y)
}
