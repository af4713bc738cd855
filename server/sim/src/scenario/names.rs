//! What the parts of a world may be called, and whether a scenario and commands keep to it: those that were read from a recording may say anything.

use super::{PlayerChoice, RobotSpec, Scenario};
use crate::command::Action;

/// No name is longer.
pub const MAX_NAME_BYTES: usize = 64;

/// Whether robots, worlds, objects and the like may be called so: 1 to 64 letters, digits, `_`, `.` or `-`.
pub fn is_name(text: &str) -> bool {
    is_of(text, "_.-")
}

/// Whether a sensor may be called so: as [`is_name`] without the dot, behind which the message board has one of its features.
pub fn is_sensor_id(text: &str) -> bool {
    is_of(text, "_-")
}

/// Whether this is a part of one line. Teams in files have names alone; a tournament's teams, and those of other simulators' logs, are called
/// what their owners call them, in any letters; so are plugins, and what is published about a robot.
pub fn is_of_one_line(text: &str) -> bool {
    !text.contains(char::is_control)
}

fn is_of(text: &str, others: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
    (1..=MAX_NAME_BYTES).contains(&text.len()) && text.chars().all(is_allowed)
}

/// What is called, its name, and the rule of such names.
type Named<'a> = (&'static str, &'a str, fn(&str) -> bool);

impl Scenario {
    /// The first name in it that no file could have, with what is called so, such as `the sensor "a b"`.
    pub fn wrong_name(&self) -> Option<String> {
        let mut names: Vec<Named<'_>> = vec![("world", &self.name, is_name)];
        for team in &self.teams {
            names.push(("team", &team.name, is_of_one_line));
            for player in &team.players {
                names.push(("player", &player.name, is_name));
                names.push(plugin(&player.player));
            }
        }
        let fixtures = self.fixtures.iter().filter_map(|fixture| fixture.name.as_deref());
        names.extend(fixtures.map(|name| ("fixture", name, is_name as _)));
        for robot in &self.robots {
            names.push(("robot", &robot.name, is_name));
            names.extend(robot.player.as_ref().map(plugin));
            add_names(&robot.spec, &mut names);
        }
        let referee = self.referee.iter();
        names.extend(referee.map(|choice| ("referee's plugin", choice.plugin.as_str(), is_of_one_line as _)));
        first_wrong(names)
    }
}

impl Action {
    /// The first name in it that no client could give, with what is called so, such as `the robot "a b"`.
    pub fn wrong_name(&self) -> Option<String> {
        let mut names: Vec<Named<'_>> = Vec::new();
        match self {
            Self::AddRobot { name, spec, player, .. } => {
                names.push(("robot", name, is_name));
                names.extend(player.as_ref().map(plugin));
                add_names(spec, &mut names);
            }
            Self::StartPlayer(_, player) | Self::ExchangePlayer(_, player) => names.push(plugin(player)),
            Self::Manipulate { manipulator, state, .. } => {
                names.push(("manipulator", manipulator, is_name));
                names.push(("manipulator's state", state, is_name));
            }
            Self::SetSensor { sensor, datum, .. } => {
                names.push(("sensor", sensor, is_sensor_id));
                names.push(("sensor's datum", datum, is_of_one_line));
            }
            Self::Annotate { key, .. } => names.push(("key", key, is_of_one_line)),
            // Texts may say anything: whoever passes them on quotes them.
            Self::Say(..) | Self::SayToTeam(..) | Self::Referee(_) => {}
            Self::RemoveRobot(_)
            | Self::Drive(..)
            | Self::SetForward(..)
            | Self::SetTurn(..)
            | Self::SetTwist(..)
            | Self::PlaceRobot(..)
            | Self::PlaceBall { .. }
            | Self::StopPlayer(_)
            | Self::TakeRobot(_)
            | Self::GiveRobot(_)
            | Self::GiveAll
            | Self::SetScore { .. }
            | Self::Reset => {}
        }
        first_wrong(names)
    }
}

fn first_wrong(names: Vec<Named<'_>>) -> Option<String> {
    let wrong = names.into_iter().find(|(_, name, is_right)| !is_right(name));
    wrong.map(|(what, name, _)| format!("the {what} {name:?}"))
}

fn plugin(player: &PlayerChoice) -> Named<'_> {
    ("player's plugin", &player.choice.plugin, is_of_one_line)
}

fn add_names<'a>(spec: &'a RobotSpec, names: &mut Vec<Named<'a>>) {
    names.push(("robot's model", &spec.model, is_name));
    names.push(("motion plugin", &spec.motion.plugin, is_of_one_line));
    for sensor in &spec.sensors {
        names.push(("sensor", &sensor.id, is_sensor_id));
        names.push(("sensor's model", &sensor.model, is_name));
        names.push(("sensor's plugin", &sensor.choice.plugin, is_of_one_line));
        names.extend(sensor.follows.as_deref().map(|datum| ("motion datum", datum, is_of_one_line as _)));
    }
    for manipulator in &spec.manipulators {
        names.push(("manipulator", &manipulator.name, is_name));
        let states = manipulator.states.iter();
        names.extend(states.map(|state| ("manipulator's state", state.name.as_str(), is_name as _)));
    }
}
