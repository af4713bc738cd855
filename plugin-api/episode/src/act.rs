//! From numbers in `[-1, 1]` to what a robot is told.
//!
//! `drive` is the whole command vector of the robot's motion model, each number stretched to the range that has an effect;
//! `drive.NAME` is one of it, and what no word names stays 0. `MANIPULATOR.STATE` switches a manipulator when the number is above 0,
//! and the number is the strength.

use super::WordError;
use touchline_plugin_api::motion::MAX_DIMENSIONS;
use touchline_plugin_api::player::RobotDescription;

/// One word of what an agent decides.
#[derive(Clone, Debug, PartialEq)]
enum Decision {
    /// Each with its place in the command vector and its range.
    Drive(Vec<(usize, [f64; 2])>),
    /// A manipulator and its state.
    Switch(usize, usize),
}

/// What a robot is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AgentAction<'a> {
    /// The whole command vector of its motion model.
    Drive(&'a [f64]),
    /// A manipulator's number, its state's number, and the strength from 0 to 1.
    Switch(usize, usize, f64),
}

/// What one robot decides: its words, looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    decisions: Vec<Decision>,
    names: Vec<String>,
    dimensions: usize,
}

impl Decision {
    fn parse(word: &str, robot: &RobotDescription) -> Result<Self, String> {
        let dimensions = &robot.motion.dimensions;
        let all: Vec<_> =
            dimensions.iter().map(|dimension| [dimension.min, dimension.max]).enumerate().collect();
        if word == "drive" {
            return Ok(Self::Drive(all));
        }
        if let Some(name) = word.strip_prefix("drive.") {
            let place = dimensions.iter().position(|dimension| dimension.name == name);
            return match place {
                Some(place) => Ok(Self::Drive(vec![all[place]])),
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
        let (manipulator, state) = robot.manipulator(manipulator, state).ok_or_else(known)?;
        Ok(Self::Switch(manipulator, state))
    }

    fn names(&self, word: &str, robot: &RobotDescription) -> Vec<String> {
        match self {
            Self::Drive(numbers) => {
                let name =
                    |&(place, _): &(usize, _)| format!("drive.{}", robot.motion.dimensions[place].name);
                numbers.iter().map(name).collect()
            }
            Self::Switch(..) => vec![word.to_owned()],
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Drive(numbers) => numbers.len(),
            Self::Switch(..) => 1,
        }
    }
}

impl Actor {
    /// Looks the words up for a robot.
    ///
    /// # Errors
    /// The first word that is none, and what there is.
    pub fn new(words: &[String], robot: &RobotDescription) -> Result<Self, WordError> {
        let (mut decisions, mut names) = (Vec::new(), Vec::new());
        for word in words {
            let decision =
                Decision::parse(word, robot).map_err(|reason| WordError { word: word.clone(), reason })?;
            names.extend(decision.names(word, robot));
            decisions.push(decision);
        }
        Ok(Self { decisions, names, dimensions: robot.motion.dimensions.len() })
    }

    /// The name of each number, such as `drive.forward`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Says what these numbers come to. Numbers beyond 1 and -1 are taken as 1 and -1; there are as many as names, none NaN.
    pub fn act(&self, actions: &[f32], mut tell: impl FnMut(AgentAction<'_>)) {
        let mut command = [0.0; MAX_DIMENSIONS];
        let (mut drives, mut rest) = (false, actions);
        for decision in &self.decisions {
            let Some((here, behind)) = rest.split_at_checked(decision.len()) else { break };
            rest = behind;
            match decision {
                Decision::Drive(numbers) => {
                    drives = true;
                    for (&(place, [low, high]), &number) in numbers.iter().zip(here) {
                        let share = 0.5 * (f64::from(number).clamp(-1.0, 1.0) + 1.0);
                        if let Some(place) = command.get_mut(place) {
                            *place = low + share * (high - low);
                        }
                    }
                }
                &Decision::Switch(manipulator, state) => {
                    let strength = f64::from(here[0]).min(1.0);
                    if strength > 0.0 {
                        tell(AgentAction::Switch(manipulator, state, strength));
                    }
                }
            }
        }
        if drives {
            tell(AgentAction::Drive(&command[..self.dimensions.min(MAX_DIMENSIONS)]));
        }
    }
}
