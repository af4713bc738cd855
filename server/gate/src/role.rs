//! What a client may ask for.

use crate::error::RequestError;
use touchline_sim::{Action, RobotNumber};

/// What a client may do; each role may do all that those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Reads.
    Observer,
    /// Drives the robots that it made.
    Player,
    /// Speaks for a team. No action needs it yet.
    Coach,
    /// Controls the world, and drives every robot.
    Operator,
}

/// The least that an action needs.
pub(crate) enum Need {
    /// A player may do it.
    Player,
    /// A player may do it to robots that it made.
    Owner(RobotNumber),
    Operator,
}

/// What an action leaves its client.
pub(crate) enum Leaves {
    /// A robot of its own, if one is made.
    Own,
    /// This robot is gone.
    Gone(RobotNumber),
    Nothing,
}

/// The law of the gate, a row for each action.
pub(crate) fn law(action: &Action) -> (Need, Leaves) {
    match action {
        Action::AddRobot { player: None, .. } => (Need::Player, Leaves::Own),
        Action::RemoveRobot(robot) => (Need::Owner(*robot), Leaves::Gone(*robot)),
        Action::Drive(robot, _)
        | Action::SetForward(robot, _)
        | Action::SetTurn(robot, _)
        | Action::SetTwist(robot, _)
        | Action::Manipulate { robot, .. }
        | Action::Say(robot, _)
        | Action::SayToTeam(robot, _)
        | Action::SetSensor { robot, .. }
        | Action::Annotate { robot, .. } => (Need::Owner(*robot), Leaves::Nothing),
        Action::StopPlayer(robot) => (Need::Operator, Leaves::Gone(*robot)),
        Action::AddRobot { player: Some(_), .. }
        | Action::PlaceRobot(..)
        | Action::PlaceBall { .. }
        | Action::StartPlayer(..)
        | Action::ExchangePlayer(..)
        | Action::TakeRobot(_)
        | Action::GiveRobot(_)
        | Action::GiveAll
        | Action::Referee(_)
        | Action::SetScore { .. }
        | Action::Reset => (Need::Operator, Leaves::Nothing),
    }
}

impl Role {
    /// Whether a client of this role may do what needs that; `owns` says which robots it made.
    pub(crate) fn check(
        self,
        need: &Need,
        owns: impl FnOnce(RobotNumber) -> bool,
    ) -> Result<(), RequestError> {
        match *need {
            Need::Operator => self.at_least(Self::Operator),
            Need::Player => self.at_least(Self::Player),
            Need::Owner(robot) => {
                self.at_least(Self::Player)?;
                let may = self == Self::Operator || owns(robot);
                if may { Ok(()) } else { Err(RequestError::NotYours(robot)) }
            }
        }
    }

    pub(crate) fn at_least(self, needed: Self) -> Result<(), RequestError> {
        if self >= needed { Ok(()) } else { Err(RequestError::Role(needed)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C2, Y2: a player drives its own robots; an operator drives all, and alone controls the world.
    #[test]
    fn roles_and_ownership_decide() {
        let owns = |robot| robot == 7;
        let (own, other) = (Action::SetForward(7, 0.3), Action::SetForward(8, 0.3));
        assert_eq!(Role::Player.check(&law(&own).0, owns), Ok(()));
        assert_eq!(Role::Player.check(&law(&other).0, owns), Err(RequestError::NotYours(8)));
        assert_eq!(Role::Coach.check(&law(&other).0, owns), Err(RequestError::NotYours(8)));
        assert_eq!(Role::Operator.check(&law(&other).0, owns), Ok(()));
        assert_eq!(Role::Observer.check(&law(&own).0, owns), Err(RequestError::Role(Role::Player)));
        assert_eq!(Role::Player.check(&law(&Action::Reset).0, owns), Err(RequestError::Role(Role::Operator)));
    }
}
