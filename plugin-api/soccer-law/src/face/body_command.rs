//! The command of a player's body: eight numbers for one cycle.

/// Number of the command's numbers.
const NUMBERS: usize = 8;

/// One leg's part of a dash.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leg {
    /// Power as the client gave it, in percent; the law holds it to its range.
    pub power: f64,
    /// Direction relative to the body, radians counter-clockwise.
    pub direction_rad: f64,
}

/// What a body is told for one cycle; the neck's turn is beside it. All angles are radians counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BodyCommand {
    /// Nothing.
    #[default]
    None,
    /// To dash; a plain dash has both legs alike.
    Dash {
        /// Left leg.
        left: Leg,
        /// Right leg.
        right: Leg,
    },
    /// To turn by a moment, radians.
    Turn {
        /// Moment, before inertia and noise.
        moment_rad: f64,
    },
    /// To kick.
    Kick {
        /// Power, percent.
        power: f64,
        /// Direction relative to the body.
        direction_rad: f64,
    },
    /// To tackle in a direction (clients of protocol 12 and later).
    Tackle {
        /// Direction relative to the body.
        direction_rad: f64,
        /// Whether a foul is wanted.
        foul: bool,
    },
    /// To tackle straight on with a power (clients before protocol 12).
    TackleWithPower {
        /// Power, percent; below 0 backwards.
        power: f64,
        /// Whether a foul is wanted.
        foul: bool,
    },
    /// To catch the ball.
    Catch {
        /// Direction relative to the body.
        direction_rad: f64,
    },
    /// To be elsewhere.
    Move {
        /// Where, metres, world frame.
        place: [f64; 2],
    },
}

impl BodyCommand {
    /// Place of `option` among the numbers: what an agent chooses where the world's referee lets it (keepaway), from -1 to 1.
    pub const OPTION: usize = 6;
    /// Names of the command's numbers, in their order. The spare one is 0.
    pub const DIMENSIONS: [&str; NUMBERS] = ["body", "a", "b", "c", "d", "turn-neck", "option", "spare"];

    /// The motion command: `body` (0 nothing, 1 dash, 2 turn, 3 kick, 4 tackle, 5 catch, 6 move), `a` to `d`, `turn-neck`, no option, 0.
    pub fn to_numbers(self, turn_neck_rad: f64) -> [f64; NUMBERS] {
        let (body, [a, b, c, d]) = match self {
            Self::None => (0.0, [0.0; 4]),
            Self::Dash { left, right } => {
                (1.0, [left.power, left.direction_rad, right.power, right.direction_rad])
            }
            Self::Turn { moment_rad } => (2.0, [moment_rad, 0.0, 0.0, 0.0]),
            Self::Kick { power, direction_rad } => (3.0, [power, direction_rad, 0.0, 0.0]),
            Self::Tackle { direction_rad, foul } => (4.0, [direction_rad, f64::from(foul), 0.0, 0.0]),
            Self::TackleWithPower { power, foul } => (4.0, [power, f64::from(foul), 1.0, 0.0]),
            Self::Catch { direction_rad } => (5.0, [direction_rad, 0.0, 0.0, 0.0]),
            Self::Move { place: [x_m, y_m] } => (6.0, [x_m, y_m, 0.0, 0.0]),
        };
        [body, a, b, c, d, turn_neck_rad, 0.0, 0.0]
    }

    /// Command and turn of the neck, radians, from a motion command; what is no command's number is nothing.
    pub fn from_numbers(numbers: &[f64; NUMBERS]) -> (Self, f64) {
        let [body, a, b, c, d, turn_neck_rad, ..] = *numbers;
        let command = match body {
            1.0 => Self::Dash {
                left: Leg { power: a, direction_rad: b },
                right: Leg { power: c, direction_rad: d },
            },
            2.0 => Self::Turn { moment_rad: a },
            3.0 => Self::Kick { power: a, direction_rad: b },
            4.0 if c == 0.0 => Self::Tackle { direction_rad: a, foul: b != 0.0 },
            4.0 => Self::TackleWithPower { power: a, foul: b != 0.0 },
            5.0 => Self::Catch { direction_rad: a },
            6.0 => Self::Move { place: [a, b] },
            _ => Self::None,
        };
        (command, turn_neck_rad)
    }
}
