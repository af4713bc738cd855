//! The words of what an agent observes, looked up for a robot: what each stands for, and the names of its numbers.
//!
//! | word | numbers |
//! |---|---|
//! | `truth.pose` | `x`, `y` (m), `cos`, `sin` of the heading, in the world |
//! | `truth.twist` | `x`, `y` (m/s), `turn` (rad/s), in the body frame |
//! | `truth.ball-N` | ball `N`: `x`, `y` (m), `velocity_x`, `velocity_y` (m/s), all in the agent's body frame, the velocity that of the world |
//! | `truth.ROBOT` | the robot of this name: `x`, `y` (m), `cos`, `sin` of its heading, `velocity_x`, `velocity_y` (m/s), likewise |
//! | `truth.mates`, `truth.opponents` | the other robots of the agent's team, and those of other teams, in the world file's order: each as above |
//! | `truth.goals` | for each goal in the world file, the two ends of its goal line: `x`, `y` (m) each, likewise |
//! | `truth.own-goals`, `truth.opponent-goals` | those that the agent's team defends, and those of other teams: left end first, seen from the field's centre |
//! | `manipulators` | for each: `ready`, `has_ball`, 0 or 1 |
//! | `clock` | the part of the episode's time that is left, 1 to 0 |
//! | `SENSOR/FEATURE` | what the sensor reads, in the units of its data object; `SENSOR/FEATURE.FIELD` one field of it |
//!
//! A number's own name, such as `truth.ball-0.x`, is a word as well, and stands for that number alone.

use std::ops::Range;
use touchline_plugin_api::player::RobotDescription;
use touchline_plugin_api::world::WorldDescription;

/// What is observed of another robot.
pub(super) const ROBOT: [&str; 6] = ["x", "y", "cos", "sin", "velocity_x", "velocity_y"];

/// One word of what an agent observes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Observation {
    Pose,
    Twist,
    Ball(usize),
    /// By their numbers. One, or several: mates or opponents.
    Robots(Vec<u32>),
    /// Both ends of each goal line, world frame, metres: they do not move.
    Goals(Vec<[[f64; 2]; 2]>),
    Manipulators,
    Clock,
    /// One sensor's fields, those of a feature or one of them.
    Feature {
        sensor: usize,
        fields: Vec<Field>,
    },
    /// One number of another word, which has so many.
    Part {
        whole: Box<Observation>,
        length: usize,
        index: usize,
    },
}

/// A field of a feature: where its integers are, and how they are read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    name: String,
    pub range: Range<usize>,
    pub scale: f64,
    pub signed: bool,
}

impl Observation {
    /// Looks a word up; why it is none otherwise.
    pub(super) fn parse(
        word: &str,
        robot: &RobotDescription,
        world: &WorldDescription,
    ) -> Result<Self, String> {
        match word {
            "truth.pose" => return Ok(Self::Pose),
            "truth.twist" => return Ok(Self::Twist),
            "truth.goals" => return Ok(Self::Goals(world.goals.clone())),
            "manipulators" => return Ok(Self::Manipulators),
            "clock" => return Ok(Self::Clock),
            "truth.mates" => return Self::parse_robots(robot, world, |team, own| team == own),
            "truth.opponents" => return Self::parse_robots(robot, world, |team, own| team != own),
            "truth.own-goals" => return Self::parse_goals(robot, world, |team, own| team == own),
            "truth.opponent-goals" => return Self::parse_goals(robot, world, |team, own| team != own),
            _ => {}
        }
        match word.strip_prefix("truth.") {
            Some(thing) => Self::parse_thing(thing, robot, world),
            None => Self::parse_feature(word, robot),
        }
    }

    /// The robots of the world file whose team is as wanted beside the observer's own; not the observer.
    fn parse_robots(
        robot: &RobotDescription,
        world: &WorldDescription,
        wanted: impl Fn(u32, u32) -> bool,
    ) -> Result<Self, String> {
        let own = own_team(robot)?;
        let all = (0..).zip(world.robots.iter().zip(&world.robot_teams));
        let chosen = all
            .filter(|(_, (name, team))| **name != robot.name && team.is_some_and(|team| wanted(team, own)));
        Ok(Self::Robots(chosen.map(|(number, _)| number).collect()))
    }

    /// The goals whose team is as wanted beside the observer's own, left end first.
    fn parse_goals(
        robot: &RobotDescription,
        world: &WorldDescription,
        wanted: impl Fn(u32, u32) -> bool,
    ) -> Result<Self, String> {
        let own = own_team(robot)?;
        let chosen = world.goals.iter().zip(&world.goal_teams);
        let chosen = chosen.filter(|(_, team)| team.is_some_and(|team| wanted(team, own)));
        Ok(Self::Goals(chosen.map(|(&[a, b], _)| left_first([a, b])).collect()))
    }

    fn parse_thing(thing: &str, robot: &RobotDescription, world: &WorldDescription) -> Result<Self, String> {
        let ball = thing.strip_prefix("ball-").and_then(|number| number.parse().ok());
        if let Some(ball) = ball.filter(|&ball: &usize| ball < world.balls as usize) {
            return Ok(Self::Ball(ball));
        }
        let others = || world.robots.iter().zip(0..).filter(|(name, _)| **name != robot.name);
        let other = others().find(|(name, _)| *name == thing);
        other.map(|(_, number)| Self::Robots(vec![number])).ok_or_else(|| {
            let balls = match world.balls {
                0 => String::new(),
                1 => ", truth.ball-0".to_owned(),
                balls => format!(", truth.ball-0 to truth.ball-{}", balls - 1),
            };
            let names: Vec<_> = others().map(|(name, _)| name.as_str()).collect();
            let names = if names.is_empty() { "there is none".to_owned() } else { names.join(", ") };
            format!(
                "there is truth.pose, truth.twist, truth.goals, truth.own-goals, truth.opponent-goals, truth.mates, truth.opponents{balls}, and truth. with another robot: {names}"
            )
        })
    }

    fn parse_feature(word: &str, robot: &RobotDescription) -> Result<Self, String> {
        let known = || {
            let features = robot.sensors.sensors.iter().flat_map(|sensor| {
                sensor.layout.features.iter().map(move |feature| format!("{}/{}", sensor.id, feature.name))
            });
            let known: Vec<String> =
                ["clock", "manipulators"].map(str::to_owned).into_iter().chain(features).collect();
            format!("there is {}, and truth.… (docs/episodes.md)", known.join(", "))
        };
        let (id, feature) = word.split_once('/').ok_or_else(known)?;
        let (feature, field) = match feature.split_once('.') {
            Some((feature, field)) => (feature, Some(field)),
            None => (feature, None),
        };
        let sensor = robot.sensors.sensors.iter().position(|sensor| sensor.id == id).ok_or_else(known)?;
        let layout = &robot.sensors.sensors[sensor].layout;
        let index = layout.features.iter().position(|known| known.name == feature).ok_or_else(known)?;
        let mut start = layout.range(index).start;
        let mut fields = Vec::new();
        for known in &layout.features[index].fields {
            let range = start..start + known.len();
            start = range.end;
            if field.is_none_or(|field| known.name == field) {
                fields.push(Field {
                    name: known.name.clone(),
                    range,
                    scale: known.scale,
                    signed: known.signed,
                });
            }
        }
        if fields.is_empty() {
            let names: Vec<_> = layout.features[index].fields.iter().map(|f| f.name.as_str()).collect();
            return Err(format!("its fields are {}", names.join(", ")));
        }
        Ok(Self::Feature { sensor, fields })
    }

    /// The word to whose numbers this name belongs, and the names of them all.
    pub(super) fn of_number(
        name: &str,
        robot: &RobotDescription,
        world: &WorldDescription,
    ) -> Option<(Self, Vec<String>)> {
        let bases = name.rmatch_indices('.').map(|(end, _)| &name[..end]).chain(["manipulators"]);
        bases.into_iter().find_map(|base| {
            let whole = Self::parse(base, robot, world).ok()?;
            let names = whole.names(base, robot);
            names.iter().any(|known| known == name).then_some((whole, names))
        })
    }

    /// The sensor that is read, if it is one.
    pub(super) fn sensor(&self) -> Option<usize> {
        match self {
            Self::Feature { sensor, .. } => Some(*sensor),
            Self::Part { whole, .. } => whole.sensor(),
            _ => None,
        }
    }

    /// The name of each of its numbers.
    pub(super) fn names(&self, word: &str, robot: &RobotDescription) -> Vec<String> {
        let with = |parts: &[&str]| parts.iter().map(|part| format!("{word}.{part}")).collect();
        match self {
            Self::Pose => with(&["x", "y", "cos", "sin"]),
            Self::Twist => with(&["x", "y", "turn"]),
            Self::Ball(_) => with(&["x", "y", "velocity_x", "velocity_y"]),
            // A robot that is named is one.
            Self::Robots(_) if !matches!(word, "truth.mates" | "truth.opponents") => with(&ROBOT),
            Self::Robots(robots) => (0..robots.len())
                .flat_map(|other| ROBOT.map(|part| format!("{word}.{other}.{part}")))
                .collect(),
            Self::Goals(goals) => (0..goals.len())
                .flat_map(|goal| ["x1", "y1", "x2", "y2"].map(|part| format!("{word}.{goal}.{part}")))
                .collect(),
            Self::Manipulators => robot
                .manipulators
                .iter()
                .flat_map(|part| ["ready", "has_ball"].map(|what| format!("{}.{what}", part.name)))
                .collect(),
            Self::Clock | Self::Part { .. } => vec![word.to_owned()],
            Self::Feature { fields, .. } => fields
                .iter()
                .flat_map(|field| {
                    let feature = word.split('.').next().unwrap_or(word);
                    let one = field.range.len() == 1;
                    field.range.clone().enumerate().map(move |(place, _)| match one {
                        true => format!("{feature}.{}", field.name),
                        false => format!("{feature}.{}.{place}", field.name),
                    })
                })
                .collect(),
        }
    }
}

fn own_team(robot: &RobotDescription) -> Result<u32, String> {
    robot.team.ok_or_else(|| "its robot is in no team".into())
}

/// The ends of a goal line, the left one first, seen from the field's centre.
fn left_first([a, b]: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    if b[0] * a[1] - b[1] * a[0] >= 0.0 { [a, b] } else { [b, a] }
}
