//! What the parts of a world may be called, and whether a scenario keeps to it: one that was read from a recording may say anything.

use super::{RobotSpec, Scenario};

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

/// Whether a team may be called so. Files allow names alone; a tournament's teams, and those of other simulators' logs, are called
/// what their owners call them, in any letters.
fn is_team_name(text: &str) -> bool {
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
            names.push(("team", &team.name, is_team_name));
            names.extend(team.players.iter().map(|player| ("player", player.name.as_str(), is_name as _)));
        }
        let fixtures = self.fixtures.iter().filter_map(|fixture| fixture.name.as_deref());
        names.extend(fixtures.map(|name| ("fixture", name, is_name as _)));
        for robot in &self.robots {
            names.push(("robot", &robot.name, is_name));
            add_names(&robot.spec, &mut names);
        }
        let wrong = names.into_iter().find(|(_, name, is_right)| !is_right(name));
        wrong.map(|(what, name, _)| format!("the {what} {name:?}"))
    }
}

fn add_names<'a>(spec: &'a RobotSpec, names: &mut Vec<Named<'a>>) {
    names.push(("robot's model", &spec.model, is_name));
    for sensor in &spec.sensors {
        names.push(("sensor", &sensor.id, is_sensor_id));
        names.push(("sensor's model", &sensor.model, is_name));
    }
    for manipulator in &spec.manipulators {
        names.push(("manipulator", &manipulator.name, is_name));
        let states = manipulator.states.iter();
        names.extend(states.map(|state| ("manipulator's state", state.name.as_str(), is_name as _)));
    }
}
