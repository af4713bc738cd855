//! What the referee remembers from step to step.

use crate::rules;
use crate::vector::Vector;
use serde::{Deserialize, Serialize};
use touchline_soccer_law::PlayMode;
use touchline_soccer_law::face::{Side, TEAM_SIZE};

/// A player's place in the line-up: left 1 to 11, then right 1 to 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seat(u8);

impl Seat {
    /// Of a player with a uniform number from 1 to 11.
    pub fn new(side: Side, unum: u32) -> Self {
        Self((side.team() * TEAM_SIZE as u32 + unum.clamp(1, TEAM_SIZE as u32) - 1) as u8)
    }

    /// All of a team.
    pub fn of(side: Side) -> Vec<Self> {
        (1..=TEAM_SIZE as u32).map(|unum| Self::new(side, unum)).collect()
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn side(self) -> Side {
        if self.index() < TEAM_SIZE { Side::Left } else { Side::Right }
    }

    pub fn unum(self) -> u32 {
        (self.index() % TEAM_SIZE) as u32 + 1
    }
}

/// What is remembered of a player who is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    pub seat: Seat,
    /// Number of its robot.
    pub robot: u32,
    /// Dashes of this game.
    pub dashes: u32,
    /// Cycles since its last dash.
    pub since_dash: u32,
    /// How often it moved with the ball that it caught.
    pub moves_since_catch: i32,
    /// Its body after the last step; none before the first one.
    pub body: Option<Body>,
    /// Where it comes to in this step if it meets no post, and its velocity over it, metres a cycle.
    pub aim: Vector,
    pub velocity: Vector,
}

/// What stays of a player when it leaves, for when it comes back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Stamina, effort, recovery, capacity; none for the full ones.
    pub strength: Option<[f64; 4]>,
    pub tackle_cycles: i32,
    pub foul_cycles: i32,
    pub catch_ban: i32,
    /// Bits of its cards.
    pub cards: u32,
}

/// Type of a seat in which anybody ever sat, whoever sits there now: nobody else has one to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatType {
    pub seat: Seat,
    pub id: u16,
    /// Whether it was given to it, and is not the default of the beginning.
    pub is_given: bool,
}

/// A team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// Whether a player of it has ever come.
    pub has_come: bool,
    pub score: i64,
    pub penalties_scored: u32,
    pub penalties_missed: u32,
    /// Whether it won by the draw after a shoot-out.
    pub won_draw: bool,
}

/// How objects move in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Going {
    /// Bodies only turn, the clock stands: before a kick-off.
    #[default]
    Turn,
    /// All move, the clock stands: after a goal, a foul, an offside.
    Stopped(PlayMode),
    /// All move, the clock goes.
    On,
    /// Nothing: the game is over.
    Over,
}

/// Of the whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Whether wind and scores are as the parameters say.
    pub has_begun: bool,
    pub mode: PlayMode,
    /// Cycles of the game's clock.
    pub time: i64,
    /// Cycles since it stopped.
    pub stoppage: i64,
    /// Whose kick it is.
    pub kick_off_side: Option<Side>,
    /// The goalkeeper that holds the ball.
    pub catcher: Option<Seat>,
    pub going: Going,
    /// The ball's velocity while nothing moves, metres a cycle: with it it rolls when play begins.
    pub ball_at_rest: Vector,
    /// Players who are there, by their seats.
    pub players: Vec<Player>,
    /// Players who have left, and come back as they were.
    pub absent: Vec<Player>,
    /// Seats of players that were shown a red card: nobody comes back to them.
    pub sent_off: Vec<Seat>,
    pub types: Vec<SeatType>,
    pub teams: [Team; 2],
    /// Wind: force and how much it changes, as the server scales them.
    pub wind: Vector,
    pub wind_rand: f64,
    /// Cycles until the game starts by itself, in auto_mode.
    pub kick_off_wait: i32,
    pub connect_wait: i32,
    pub rules: rules::Memory,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            has_begun: false,
            mode: PlayMode::BEFORE_KICK_OFF,
            time: 0,
            stoppage: 0,
            kick_off_side: Some(Side::Left),
            catcher: None,
            going: Going::Turn,
            ball_at_rest: [0.0; 2],
            players: Vec::new(),
            absent: Vec::new(),
            sent_off: Vec::new(),
            types: Vec::new(),
            teams: [Team::default(); 2],
            wind: [0.0; 2],
            wind_rand: 0.0,
            kick_off_wait: 0,
            connect_wait: 0,
            rules: rules::Memory::default(),
        }
    }
}

impl Memory {
    /// The type of a seat; none if nobody ever sat there.
    pub fn type_of(&mut self, seat: Seat) -> Option<&mut SeatType> {
        self.types.iter_mut().find(|seat_type| seat_type.seat == seat)
    }
}
