//! A pass: what one client may do, and to what. Whoever opens a door gives it (a key, or a desk where all are trusted).

use crate::error::RequestError;
use crate::role::{Reach, Role, Verb};
use std::sync::Arc;
use touchline_sim::RobotNumber;
use touchline_sim::scenario::Team;

/// How much of the truth is open to teams and players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sees {
    /// The sensors and the radio of their own robots.
    #[default]
    Own,
    /// Also where everything is, and what happens.
    World,
    /// Also what others sense, hear, and were told.
    All,
}

/// What one client may do, and to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Role of the client.
    pub role: Role,
    /// Its key's name; none where there are no keys.
    pub name: Option<Arc<str>>,
    /// The team for which a team or a player plays; none where no key says so.
    pub team: Option<u32>,
    /// The one robot of a player; none where no key says so.
    pub robot: Option<Arc<str>>,
    /// How much of the truth is open to it, if it is a team or a player.
    pub sees: Sees,
    /// Whether it orders steps for its robots, where a match waits for that.
    pub orders_steps: bool,
    /// The server's robot files of which it may make robots; none if it may use any, and send its own.
    pub robot_files: Option<Arc<[Arc<str>]>>,
    /// At most so many robots of its team may be there when it makes one; none if the world's limits are enough.
    pub max_robots: Option<usize>,
}

/// A robot as a pass knows it.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Number of the robot, never used again in a run.
    pub number: RobotNumber,
    /// Name of the robot, unique in the world.
    pub name: &'a str,
    /// Index into the world's teams; none for a robot without a team.
    pub team: Option<u32>,
    /// Whether the client itself has made it.
    pub is_made: bool,
}

impl Pass {
    /// A pass without a key, at a desk where everybody is trusted: all can be seen.
    pub fn at_desk(role: Role) -> Self {
        Self {
            role,
            name: None,
            team: None,
            robot: None,
            sees: Sees::All,
            orders_steps: false,
            robot_files: None,
            max_robots: None,
        }
    }

    /// How far it goes with a verb.
    pub fn reach(&self, verb: Verb) -> Reach {
        let reach = self.role.reach(verb);
        if !matches!(self.role, Role::Team | Role::Player) {
            return reach;
        }
        match (verb, self.sees) {
            (Verb::Step, _) if !self.orders_steps => Reach::Nothing,
            (Verb::See, Sees::World | Sees::All) => Reach::All,
            (Verb::Motion, Sees::World) => Reach::Own,
            (Verb::Sense | Verb::Motion | Verb::Past, Sees::All) => Reach::All,
            // At a desk a player drives what it made; to take what others have made is the operator's.
            (Verb::Take, _) if self.name.is_none() => Reach::Nothing,
            _ => reach,
        }
    }

    /// Whether it may do this to the world, or to its own part of it.
    ///
    /// # Errors
    /// When its role may not.
    pub fn check(&self, verb: Verb) -> Result<(), RequestError> {
        match self.reach(verb) {
            Reach::Nothing => Err(RequestError::Role(self.role)),
            Reach::Own | Reach::All => Ok(()),
        }
    }

    /// Whether it may do this to a robot; one that is not there is nobody's own.
    ///
    /// # Errors
    /// When its role may not, or the robot is not its own.
    pub fn check_robot(
        &self,
        verb: Verb,
        number: RobotNumber,
        robot: Option<Known<'_>>,
    ) -> Result<(), RequestError> {
        match self.reach(verb) {
            Reach::Nothing => Err(RequestError::Role(self.role)),
            Reach::Own if !robot.is_some_and(|robot| self.owns(robot)) => Err(RequestError::NotYours(number)),
            Reach::Own | Reach::All => Ok(()),
        }
    }

    /// Whether it may make a robot of this file of the server's, or of one that it sends itself. A robot that a team brings along
    /// could have sensors that see the truth.
    ///
    /// # Errors
    /// Which it may use.
    pub fn check_file(&self, file: Option<&str>) -> Result<(), RequestError> {
        let Some(files) = &self.robot_files else { return Ok(()) };
        let stem = file.map(|file| file.strip_suffix(".toml").unwrap_or(file));
        if files.iter().any(|known| stem == Some(&**known)) {
            return Ok(());
        }
        Err(RequestError::NotYourFile(if files.is_empty() { "none".into() } else { files.join(", ") }))
    }

    /// Whether it may say where a new robot stands. Who has a key that moves no robots may not: a robot that is made again where the ball is
    /// would be moved there, and one that finds no room tells who stands there.
    ///
    /// # Errors
    /// When it may not.
    pub fn check_put(&self, is_put: bool) -> Result<(), RequestError> {
        if is_put && self.name.is_some() && self.reach(Verb::Place) == Reach::Nothing {
            return Err(RequestError::NotYourPlace);
        }
        Ok(())
    }

    fn owns(&self, robot: Known<'_>) -> bool {
        match (self.role, self.team, &self.robot) {
            (Role::Team, Some(team), _) => robot.team == Some(team),
            (Role::Player, team, Some(name)) => robot.name == &**name && robot.team == team,
            _ => robot.is_made,
        }
    }

    /// Whether it may make a robot of this name for this team, so that nobody appears as another: a player the one of its key, a team those
    /// whose names begin with its own, as in `blue-1`.
    ///
    /// # Errors
    /// When its role may not, or the name or the team is another's.
    pub fn check_new(&self, name: &str, team: Option<u32>, teams: &[Team]) -> Result<(), RequestError> {
        self.check(Verb::Make)?;
        let Some(own) = self.team.filter(|_| matches!(self.role, Role::Team | Role::Player)) else {
            return match &self.robot {
                Some(robot) if **robot != *name || team.is_some() => {
                    Err(RequestError::NotYourName(robot.to_string()))
                }
                _ => Ok(()),
            };
        };
        let team_name = |team: u32| teams.get(team as usize).map_or("", |team| team.name.as_str());
        if team != Some(own) {
            return Err(RequestError::NotYourTeam(team_name(own).to_owned()));
        }
        if let Some(robot) = &self.robot {
            return if **robot == *name { Ok(()) } else { Err(RequestError::NotYourName(robot.to_string())) };
        }
        // Of the teams `blue` and `blue-b`, `blue-b-1` is the second one's.
        let is_of = |team: &&Team| name.strip_prefix(&*team.name).is_some_and(|rest| rest.starts_with('-'));
        let whose = teams.iter().filter(is_of).max_by_key(|team| team.name.len());
        if whose.is_some_and(|team| team.name == team_name(own)) {
            Ok(())
        } else {
            Err(RequestError::NotYourName(format!("{}-…", team_name(own))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(name: &str) -> Team {
        Team { name: name.into(), colour: 0, players: Vec::new() }
    }

    fn pass(role: Role, team: Option<u32>, robot: Option<&str>) -> Pass {
        let name = Some("k".into());
        Pass { name, team, robot: robot.map(Into::into), sees: Sees::Own, ..Pass::at_desk(role) }
    }

    fn known(name: &str, team: Option<u32>, is_made: bool) -> Option<Known<'_>> {
        Some(Known { number: 7, name, team, is_made })
    }

    /// C2, Y2: a player at the desk drives its own robots; an operator drives all, and alone controls the world.
    #[test]
    fn roles_and_ownership_decide_at_the_desk() {
        let player = Pass::at_desk(Role::Player);
        assert_eq!(player.check_robot(Verb::Drive, 7, known("r", None, true)), Ok(()));
        let others = player.check_robot(Verb::Drive, 7, known("r", Some(0), false));
        assert_eq!(others, Err(RequestError::NotYours(7)));
        assert_eq!(player.check_robot(Verb::Sense, 7, known("r", Some(0), false)), Ok(()));
        assert_eq!(player.check(Verb::Reset), Err(RequestError::Role(Role::Player)));
        assert_eq!(player.check(Verb::Step), Err(RequestError::Role(Role::Player)));
        assert_eq!(player.check(Verb::Take), Err(RequestError::Role(Role::Player)));
        let operator = Pass::at_desk(Role::Operator);
        assert_eq!(operator.check_robot(Verb::Drive, 7, known("r", None, false)), Ok(()));
        let monitor = Pass::at_desk(Role::Monitor);
        assert_eq!(monitor.check(Verb::Drive), Err(RequestError::Role(Role::Monitor)));
    }

    /// A key's team and robot are all that is its own: not what was made in another's name.
    #[test]
    fn keys_own_their_team_and_their_robot() {
        let blue = pass(Role::Team, Some(0), None);
        for verb in [Verb::Sense, Verb::Drive, Verb::Take, Verb::Make] {
            assert_eq!(blue.check_robot(verb, 7, known("blue-1", Some(0), false)), Ok(()));
            for robot in [known("yellow-1", Some(1), false), known("x", None, true), None] {
                assert_eq!(blue.check_robot(verb, 7, robot), Err(RequestError::NotYours(7)), "{verb:?}");
            }
        }
        let one = pass(Role::Player, Some(0), Some("blue-1"));
        assert_eq!(one.check_robot(Verb::Drive, 7, known("blue-1", Some(0), false)), Ok(()));
        for robot in
            [known("blue-2", Some(0), true), known("blue-1", Some(1), true), known("blue-1", None, true)]
        {
            assert_eq!(one.check_robot(Verb::Drive, 7, robot), Err(RequestError::NotYours(7)));
        }
        for verb in [Verb::See, Verb::Motion, Verb::Past, Verb::Step, Verb::Place, Verb::Judge, Verb::Pause] {
            assert_eq!(blue.check(verb), Err(RequestError::Role(Role::Team)), "{verb:?}");
            assert_eq!(one.check(verb), Err(RequestError::Role(Role::Player)), "{verb:?}");
        }
        let told = Pass { sees: Sees::World, ..blue.clone() };
        assert_eq!((told.check(Verb::See), told.check(Verb::Past).is_err()), (Ok(()), true));
        assert!(told.check_robot(Verb::Sense, 7, known("yellow-1", Some(1), false)).is_err());
        assert!(told.check_robot(Verb::Motion, 7, known("yellow-1", Some(1), false)).is_err());
        let open = Pass { sees: Sees::All, ..blue };
        assert_eq!(open.check_robot(Verb::Sense, 7, known("yellow-1", Some(1), false)), Ok(()));
        assert!(open.check_robot(Verb::Drive, 7, known("yellow-1", Some(1), false)).is_err());
    }

    /// Nobody makes a robot that passes for another's.
    #[test]
    fn new_robots_have_names_of_their_own() {
        let teams = [team("blue"), team("yellow"), team("blue-b")];
        let blue = pass(Role::Team, Some(0), None);
        assert_eq!(blue.check_new("blue-9", Some(0), &teams), Ok(()));
        for (name, team) in [
            ("blue-9", Some(1)),
            ("blue-9", None),
            ("yellow-1", Some(0)),
            ("blue-b-1", Some(0)),
            ("blue1", Some(0)),
            ("referee", Some(0)),
        ] {
            assert!(blue.check_new(name, team, &teams).is_err(), "{name} {team:?}");
        }
        let one = pass(Role::Player, Some(0), Some("blue-1"));
        assert_eq!(one.check_new("blue-1", Some(0), &teams), Ok(()));
        assert!(one.check_new("blue-2", Some(0), &teams).is_err());
        assert!(one.check_new("blue-1", None, &teams).is_err());
        let lonely = pass(Role::Player, None, Some("rosie"));
        assert_eq!(lonely.check_new("rosie", None, &teams), Ok(()));
        assert!(lonely.check_new("rosie", Some(0), &teams).is_err());
        assert!(lonely.check_new("rose", None, &teams).is_err());
        assert_eq!(Pass::at_desk(Role::Player).check_new("x", Some(1), &teams), Ok(()));
        assert!(pass(Role::Referee, None, None).check_new("x", None, &teams).is_err());
    }

    /// Who may not move robots does not do it by making them anew.
    #[test]
    fn a_team_does_not_say_where_its_new_robots_stand() {
        for role in Role::ALL {
            let may_place = role.reach(Verb::Place) != Reach::Nothing;
            assert_eq!(pass(role, None, None).check_put(true).is_ok(), may_place, "{role}");
            assert_eq!(pass(role, None, None).check_put(false), Ok(()));
            assert_eq!(Pass::at_desk(role).check_put(true), Ok(()), "at a desk all are trusted");
        }
    }
}
