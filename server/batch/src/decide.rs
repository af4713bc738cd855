//! From numbers in `[-1, 1]` to commands.
//!
//! `drive` is the whole command vector of the robot's motion model, each number stretched to the range that has an effect;
//! `drive.NAME` is one of it, and the others stay 0. `MANIPULATOR.STATE` switches a manipulator when the number is above 0,
//! and the number is the strength.

use touchline_plugin_api::player::RobotDescription;
use touchline_sim::{Action, RobotNumber};

/// One word of what an agent decides.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decision {
    /// Each with its place in the command vector and its range.
    Drive { length: usize, numbers: Vec<(usize, [f64; 2])> },
    /// A manipulator's state, by name.
    Switch { manipulator: String, state: String },
}

impl Decision {
    pub fn parse(word: &str, robot: &RobotDescription) -> Result<Self, String> {
        let dimensions = &robot.motion.dimensions;
        let all: Vec<_> =
            dimensions.iter().map(|dimension| [dimension.min, dimension.max]).enumerate().collect();
        if word == "drive" {
            return Ok(Self::Drive { length: dimensions.len(), numbers: all });
        }
        if let Some(name) = word.strip_prefix("drive.") {
            let place = dimensions.iter().position(|dimension| dimension.name == name);
            return match place {
                Some(place) => Ok(Self::Drive { length: dimensions.len(), numbers: vec![all[place]] }),
                None => {
                    let names: Vec<_> = dimensions.iter().map(|dimension| dimension.name.as_str()).collect();
                    Err(format!("its motion model takes {}", names.join(", ")))
                }
            };
        }
        let known = || {
            let states = robot.manipulators.iter().flat_map(|manipulator| {
                manipulator.states.iter().map(move |state| format!("{}.{state}", manipulator.name))
            });
            let known: Vec<String> = std::iter::once("drive".to_owned()).chain(states).collect();
            format!("there is {}", known.join(", "))
        };
        let (manipulator, state) = word.split_once('.').ok_or_else(known)?;
        robot.manipulator(manipulator, state).ok_or_else(known)?;
        Ok(Self::Switch { manipulator: manipulator.into(), state: state.into() })
    }

    /// The name of each of its numbers.
    pub fn names(&self, robot: &RobotDescription) -> Vec<String> {
        match self {
            Self::Drive { numbers, .. } => {
                let name =
                    |&(place, _): &(usize, _)| format!("drive.{}", robot.motion.dimensions[place].name);
                numbers.iter().map(name).collect()
            }
            Self::Switch { manipulator, state } => vec![format!("{manipulator}.{state}")],
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Drive { numbers, .. } => numbers.len(),
            Self::Switch { .. } => 1,
        }
    }

    /// What the robot is told to do; `None` is nothing.
    pub fn action(&self, robot: RobotNumber, decided: &[f32]) -> Option<Action> {
        match self {
            Self::Drive { length, numbers } => {
                let mut command = vec![0.0; *length];
                for (&(place, [low, high]), &number) in numbers.iter().zip(decided) {
                    let share = 0.5 * (f64::from(number).clamp(-1.0, 1.0) + 1.0);
                    command[place] = low + share * (high - low);
                }
                Some(Action::Drive(robot, command))
            }
            Self::Switch { manipulator, state } => {
                let strength = f64::from(decided[0]).min(1.0);
                (strength > 0.0).then(|| Action::Manipulate {
                    robot,
                    manipulator: manipulator.clone(),
                    state: state.clone(),
                    strength,
                })
            }
        }
    }
}
