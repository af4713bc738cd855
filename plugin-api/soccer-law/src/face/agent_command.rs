//! The command of a body that an agent decides for: a choice from 0 to a number, so that a learner's number can choose.
//!
//! # Reference
//! The actions are those of half field offense (M. Hausknecht, P. Mupparaju, S. Subramanian, S. Kalyanakrishnan, P. Stone: Half Field Offense: An Environment for Multiagent
//! Learning and Ad Hoc Teamwork, AAMAS Adaptive Learning Agents workshop 2016, and its manual): low-level actions with power and direction, high-level ones that the body works out.

use super::{BodyCommand, Leg};
use std::f64::consts::PI;

/// Number of the command's numbers.
const NUMBERS: usize = 6;

/// What a body does by itself for one cycle, when an agent chooses it; in the order of the numbers that choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HighLevel {
    /// Nothing.
    #[default]
    None,
    /// To its place in its team's formation, or to the ball if it is the first of its team there.
    Move,
    /// The best shot, with the ball.
    Shoot,
    /// To the target, a mate, with the ball; to the one that is best placed where the target is the body itself, or nobody.
    Pass,
    /// With the ball towards the goal.
    Dribble,
    /// To the ball, where it meets it first.
    GoToBall,
    /// With its hands, as a goalkeeper.
    Catch,
    /// Between the ball and the middle of the own goal, where a shot has least room.
    ReduceAngle,
    /// The same on a line before the goal.
    DefendGoal,
    /// To the target, an opponent, between it and the ball.
    Mark,
}

impl HighLevel {
    /// All of them, in their order.
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::Move,
        Self::Shoot,
        Self::Pass,
        Self::Dribble,
        Self::GoToBall,
        Self::Catch,
        Self::ReduceAngle,
        Self::DefendGoal,
        Self::Mark,
    ];
}

/// What an agent decided for a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AgentCommand {
    /// A body's own command.
    Body(BodyCommand),
    /// One that the body works out, with the uniform number of the mate or opponent that is meant.
    High(HighLevel, u32),
}

impl AgentCommand {
    /// Names of the command's numbers, in their order.
    pub const DIMENSIONS: [&str; NUMBERS] = ["high", "target", "low", "power", "direction", "turn-neck"];
    /// Their ranges. `high` and `low` choose by the whole part: the first is nothing, the last has the range's end as well.
    pub const RANGES: [[f64; 2]; NUMBERS] =
        [[0.0, HighLevel::ALL.len() as f64], [0.0, 11.0], [0.0, 5.0], [-100.0, 100.0], [-PI, PI], [-PI, PI]];

    /// Command and turn of the neck, radians, from a motion command. A low-level choice goes before a high-level one.
    ///
    /// ```
    /// use touchline_soccer_law::face::{AgentCommand, BodyCommand, HighLevel};
    /// let kick = AgentCommand::Body(BodyCommand::Kick { power: 80.0, direction_rad: 0.5 });
    /// assert_eq!(AgentCommand::from_numbers(&[2.5, 0.0, 4.5, 80.0, 0.5, 0.1]), (kick, 0.1));
    /// assert_eq!(AgentCommand::from_numbers(&[3.2, 6.9, 0.0, 0.0, 0.0, 0.0]).0, AgentCommand::High(HighLevel::Pass, 7));
    /// ```
    pub fn from_numbers(numbers: &[f64; NUMBERS]) -> (Self, f64) {
        let [high, target, low, power, direction_rad, turn_neck_rad] = *numbers;
        let leg = Leg { power, direction_rad };
        let body = match low as u32 {
            0 => {
                let choice = HighLevel::ALL[(high as usize).min(HighLevel::ALL.len() - 1)];
                // From 0 to 11, an eleventh each.
                let unum = (target as u32 + 1).min(11);
                return (Self::High(choice, unum), turn_neck_rad);
            }
            1 => BodyCommand::Dash { left: leg, right: leg },
            2 => BodyCommand::Turn { moment_rad: direction_rad },
            3 => BodyCommand::Tackle { direction_rad, foul: false },
            _ => BodyCommand::Kick { power: power.max(0.0), direction_rad },
        };
        (Self::Body(body), turn_neck_rad)
    }
}
