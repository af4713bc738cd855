//! From a world to the numbers that an agent observes.
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
//! What is not there (an infinite reading, a robot that has gone) is [`NOTHING`].

use std::ops::Range;
use touchline_plugin_api::layout::decode;
use touchline_plugin_api::player::RobotDescription;
use touchline_plugin_api::view::{NONE, Role};
use touchline_plugin_api::visibility::GoalMouth;
use touchline_sim::{RobotNow, RobotNumber, World};

/// What stands for a thing that is not there.
pub(crate) const NOTHING: f32 = -1.0;

/// What is observed of another robot.
const ROBOT: [&str; 6] = ["x", "y", "cos", "sin", "velocity_x", "velocity_y"];

/// One word of what an agent observes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Observation {
    Pose,
    Twist,
    Ball(usize),
    /// One, or several: mates or opponents.
    Robots(Vec<RobotNumber>),
    /// Both ends of each goal line, world frame, metres: they do not move.
    Goals(Vec<[[f64; 2]; 2]>),
    Manipulators,
    Clock,
    /// One sensor's fields, those of a feature or one of them.
    Feature {
        sensor: usize,
        sensor_len: usize,
        fields: Vec<Field>,
    },
}

/// A field of a feature: where its integers are, and how they are read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    name: String,
    range: Range<usize>,
    scale: f64,
    signed: bool,
}

impl Observation {
    pub fn parse(word: &str, world: &World, robot: RobotNumber) -> Result<Self, String> {
        let now = world.robot(robot).ok_or("its robot has gone")?;
        let description = &now.identity().description;
        match word {
            "truth.pose" => return Ok(Self::Pose),
            "truth.twist" => return Ok(Self::Twist),
            "truth.goals" => {
                let mouths = world.view().landmarks(Role::Goal).map(|goal| GoalMouth::of(goal).posts);
                return Ok(Self::Goals(mouths.collect()));
            }
            "manipulators" => return Ok(Self::Manipulators),
            "clock" => return Ok(Self::Clock),
            "truth.mates" => return Self::parse_robots(world, robot, |team, own| team == Some(own)),
            "truth.opponents" => {
                return Self::parse_robots(world, robot, |team, own| team.is_some_and(|team| team != own));
            }
            "truth.own-goals" => return Self::parse_goals(world, robot, |team, own| team == own),
            "truth.opponent-goals" => {
                return Self::parse_goals(world, robot, |team, own| team != own && team != NONE);
            }
            _ => {}
        }
        if let Some(thing) = word.strip_prefix("truth.") {
            return Self::parse_thing(thing, world, robot);
        }
        Self::parse_feature(word, description)
    }

    /// The robots of the world file whose team is as wanted beside the agent's own; not the agent.
    fn parse_robots(
        world: &World,
        robot: RobotNumber,
        wanted: impl Fn(Option<u32>, u32) -> bool,
    ) -> Result<Self, String> {
        let own = own_team(world, robot)?;
        let robots = (0..).zip(&world.scenario().robots);
        let chosen = robots.filter(|(number, other)| *number != robot && wanted(other.team, own));
        Ok(Self::Robots(chosen.map(|(number, _)| number).collect()))
    }

    /// The goals whose team is as wanted beside the agent's own, left end first.
    fn parse_goals(
        world: &World,
        robot: RobotNumber,
        wanted: impl Fn(u32, u32) -> bool,
    ) -> Result<Self, String> {
        let own = own_team(world, robot)?;
        let view = world.view();
        let goals = view.landmarks(Role::Goal).filter(|goal| wanted(goal.team, own));
        Ok(Self::Goals(goals.map(|goal| GoalMouth::of(goal).left_and_right_of([0.0, 0.0])).collect()))
    }

    fn parse_thing(thing: &str, world: &World, robot: RobotNumber) -> Result<Self, String> {
        let balls = world.scenario().balls.len();
        let ball = thing.strip_prefix("ball-").and_then(|number| number.parse().ok());
        if let Some(ball) = ball.filter(|&ball: &usize| ball < balls) {
            return Ok(Self::Ball(ball));
        }
        let robots = &world.scenario().robots;
        let other = robots.iter().position(|other| other.name == thing).map(|index| index as RobotNumber);
        other.filter(|&other| other != robot).map(|other| Self::Robots(vec![other])).ok_or_else(|| {
            let names: Vec<_> = robots.iter().map(|robot| robot.name.as_str()).collect();
            format!(
                "there is truth.pose, truth.twist, truth.goals, truth.own-goals, truth.opponent-goals, truth.mates, truth.opponents, truth.ball-0 to ball-{}, and truth. with another robot: {}",
                balls.saturating_sub(1),
                names.join(", ")
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
        Ok(Self::Feature { sensor, sensor_len: layout.len(), fields })
    }

    /// The name of each of its numbers.
    pub fn names(&self, word: &str, robot: &RobotDescription) -> Vec<String> {
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
            Self::Clock => vec![word.to_owned()],
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

fn own_team(world: &World, robot: RobotNumber) -> Result<u32, String> {
    let team = world.scenario().robots.get(robot as usize).and_then(|robot| robot.team);
    team.ok_or_else(|| "its robot is in no team".into())
}

/// Writes numbers one after the other.
struct Writer<'a> {
    out: &'a mut [f32],
}

impl Writer<'_> {
    #[inline]
    fn put(&mut self, values: &[f64]) {
        let rest = std::mem::take(&mut self.out);
        let (here, rest) = rest.split_at_mut(values.len().min(rest.len()));
        for (place, &value) in here.iter_mut().zip(values) {
            *place = if value.is_finite() { value as f32 } else { NOTHING };
        }
        self.out = rest;
    }
}

/// Reads one agent's observations. `left` is the part of the episode's time that is left.
///
/// A sensor that failed reads as nothing; the fault itself is in the world's events.
pub(crate) fn observe(
    world: &World,
    robot: RobotNumber,
    observations: &[Observation],
    left: f64,
    counts: &mut Vec<u32>,
    out: &mut [f32],
) {
    let Some(now) = world.robot(robot) else {
        out.fill(NOTHING);
        return;
    };
    let mut writer = Writer { out };
    // Features of one sensor come one after the other: it is generated once.
    let mut read = None;
    for observation in observations {
        observe_one(world, &now, observation, left, &mut read, counts, &mut writer);
    }
}

fn observe_one(
    world: &World,
    now: &RobotNow<'_>,
    observation: &Observation,
    left: f64,
    read: &mut Option<usize>,
    counts: &mut Vec<u32>,
    writer: &mut Writer<'_>,
) {
    let (pose, (sin, cos)) = (now.pose(), now.heading());
    let turned = |[x, y]: [f64; 2]| [cos * x + sin * y, cos * y - sin * x];
    let own = |[x, y]: [f64; 2]| turned([x - pose.x_m, y - pose.y_m]);
    match observation {
        Observation::Pose => writer.put(&[pose.x_m, pose.y_m, cos, sin]),
        Observation::Twist => {
            let twist = now.twist();
            writer.put(&[twist.x_m_s, twist.y_m_s, twist.turn_rad_s]);
        }
        Observation::Ball(ball) => match world.view().objects.get(1 + ball) {
            Some(object) => {
                let [x, y] = own([object.pose.x_m, object.pose.y_m]);
                let [vx, vy] = turned([object.twist.x_m_s, object.twist.y_m_s]);
                writer.put(&[x, y, vx, vy]);
            }
            None => writer.put(&[f64::INFINITY; 4]),
        },
        Observation::Robots(others) => {
            for &other in others {
                let Some(other) = world.robot(other) else {
                    writer.put(&[f64::INFINITY; ROBOT.len()]);
                    continue;
                };
                let object = &world.view().objects[other.object()];
                let [x, y] = own([object.pose.x_m, object.pose.y_m]);
                let (other_sin, other_cos) = other.heading();
                let [vx, vy] = turned([object.twist.x_m_s, object.twist.y_m_s]);
                let heading = turned([other_cos, other_sin]);
                writer.put(&[x, y, heading[0], heading[1], vx, vy]);
            }
        }
        Observation::Goals(goals) => {
            for &[first, second] in goals {
                let ([x1, y1], [x2, y2]) = (own(first), own(second));
                writer.put(&[x1, y1, x2, y2]);
            }
        }
        Observation::Manipulators => {
            for status in now.manipulators() {
                let ready = if status.ready_in_secs > 0.0 { 0.0 } else { 1.0 };
                writer.put(&[ready, f64::from(status.has_ball)]);
            }
        }
        Observation::Clock => writer.put(&[left]),
        Observation::Feature { sensor, sensor_len, fields } => {
            if *read != Some(*sensor) {
                counts.clear();
                counts.resize(*sensor_len, 0);
                *read = now.read(*sensor, counts).is_ok().then_some(*sensor);
            }
            for field in fields {
                for &count in &counts[field.range.clone()] {
                    let value = decode(count, field.scale, field.signed);
                    writer.put(&[if read.is_some() { value } else { f64::INFINITY }]);
                }
            }
        }
    }
}
