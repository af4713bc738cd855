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
//! A number's own name, such as `truth.ball-0.x`, is a word as well, and stands for that number alone.
//!
//! What is not there (an infinite reading, a robot that has gone) is [`NOTHING`].

use super::WordError;
use std::ops::Range;
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::layout::decode;
use touchline_plugin_api::player::{ManipulatorStatus, RobotDescription};
use touchline_plugin_api::view::{Object, ObjectKind, WorldView};
use touchline_plugin_api::world::WorldDescription;

/// What stands for a thing that is not there.
pub const NOTHING: f32 = -1.0;

/// What is observed of another robot.
const ROBOT: [&str; 6] = ["x", "y", "cos", "sin", "velocity_x", "velocity_y"];

/// What a robot's own parts tell.
pub trait Senses {
    /// The integers of one of its sensors, all of them; `None` if it has failed.
    fn sensor(&mut self, sensor: usize) -> Option<&[u32]>;
    /// Its manipulators, in the order of their descriptions.
    fn manipulators(&self) -> impl Iterator<Item = ManipulatorStatus>;
}

/// One word of what an agent observes.
#[derive(Clone, Debug, PartialEq)]
enum Observation {
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
struct Field {
    name: String,
    range: Range<usize>,
    scale: f64,
    signed: bool,
}

impl Observation {
    fn parse(word: &str, robot: &RobotDescription, world: &WorldDescription) -> Result<Self, String> {
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
    fn of_number(
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
    fn sensor(&self) -> Option<usize> {
        match self {
            Self::Feature { sensor, .. } => Some(*sensor),
            Self::Part { whole, .. } => whole.sensor(),
            _ => None,
        }
    }

    /// The name of each of its numbers.
    fn names(&self, word: &str, robot: &RobotDescription) -> Vec<String> {
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

/// What one robot observes: its words, looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct Observer {
    observations: Vec<Observation>,
    names: Vec<String>,
}

impl Observer {
    /// Looks the words up for a robot.
    ///
    /// # Errors
    /// The first word that is none, and what there is.
    pub fn new(
        words: &[String],
        robot: &RobotDescription,
        world: &WorldDescription,
    ) -> Result<Self, WordError> {
        let (mut observations, mut names) = (Vec::new(), Vec::new());
        let mut rest = words;
        while let Some((word, behind)) = rest.split_first() {
            rest = behind;
            let observation = match Observation::parse(word, robot, world) {
                Ok(observation) => {
                    names.extend(observation.names(word, robot));
                    observation
                }
                Err(reason) => {
                    let found = Observation::of_number(word, robot, world);
                    let (whole, all) = found.ok_or_else(|| WordError { word: word.clone(), reason })?;
                    // All numbers of a word by their names are that word.
                    if all[0] == *word && behind.starts_with(&all[1..]) {
                        rest = &behind[all.len() - 1..];
                        names.extend(all);
                        whole
                    } else {
                        let index = all.iter().position(|name| name == word).unwrap_or(0);
                        names.push(word.clone());
                        Observation::Part { whole: Box::new(whole), length: all.len(), index }
                    }
                }
            };
            observations.push(observation);
        }
        Ok(Self { observations, names })
    }

    /// The name of each number, such as `truth.ball-0.x`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The sensors that are read.
    pub fn sensors(&self) -> impl Iterator<Item = usize> + '_ {
        self.observations.iter().filter_map(Observation::sensor)
    }

    /// Reads what the robot of this number observes; `left` is the part of the episode's time that is left. `out` has as many
    /// numbers as there are names.
    ///
    /// A robot that has gone observes nothing.
    pub fn observe(
        &self,
        scene: &Scene<'_>,
        robot: u32,
        senses: &mut impl Senses,
        left: f64,
        out: &mut [f32],
    ) {
        let Some((own, (sin, cos))) = scene.robot(robot) else {
            out.fill(NOTHING);
            return;
        };
        let frame = Frame { own, sin, cos };
        let mut writer = Writer { out };
        for observation in &self.observations {
            observation.write(scene, &frame, senses, left, &mut writer);
        }
    }
}

/// A world as its robots observe it: what all of them need of each other is worked out once.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    view: WorldView<'a>,
    robots: &'a [Object],
    /// Sine and cosine of each robot's heading.
    headings: &'a [(f64, f64)],
}

impl<'a> Scene<'a> {
    /// `space` is memory to work in.
    pub fn new(view: WorldView<'a>, space: &'a mut Vec<(f64, f64)>) -> Self {
        // The robots are the last objects.
        let others = view.objects.iter().take_while(|object| object.kind() != ObjectKind::Robot).count();
        let robots = &view.objects[others..];
        space.clear();
        space.extend(robots.iter().map(|robot| sin_cos(robot.pose.theta_rad)));
        Self { view, robots, headings: space }
    }

    /// A robot, with sine and cosine of its heading. They are in the order of their numbers: as long as none has gone, each is where
    /// its number says.
    #[inline]
    fn robot(&self, number: u32) -> Option<(&'a Object, (f64, f64))> {
        let is_it = |place: &usize| self.robots.get(*place).is_some_and(|robot| robot.number == number);
        let guess = Some(number as usize).filter(is_it);
        let place = guess.or_else(|| self.robots.iter().position(|robot| robot.number == number))?;
        Some((&self.robots[place], self.headings[place]))
    }
}

/// A robot's body frame.
struct Frame<'a> {
    own: &'a Object,
    sin: f64,
    cos: f64,
}

impl Frame<'_> {
    #[inline]
    fn turned(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.cos * x + self.sin * y, self.cos * y - self.sin * x]
    }

    #[inline]
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        self.turned([x - self.own.pose.x_m, y - self.own.pose.y_m])
    }
}

/// Writes numbers one after the other.
struct Writer<'a> {
    out: &'a mut [f32],
}

impl Writer<'_> {
    /// So many at once that the compiler knows how many: then none of them is a turn of a loop. What there is no place for is dropped.
    #[inline]
    fn put<const N: usize>(&mut self, values: [f64; N]) {
        let rest = std::mem::take(&mut self.out);
        let Some((here, rest)) = rest.split_first_chunk_mut::<N>() else { return };
        *here = values.map(|value| if value.is_finite() { value as f32 } else { NOTHING });
        self.out = rest;
    }
}

impl Observation {
    fn write(
        &self,
        scene: &Scene<'_>,
        frame: &Frame<'_>,
        senses: &mut impl Senses,
        left: f64,
        writer: &mut Writer<'_>,
    ) {
        let velocity = |object: &Object| frame.turned([object.twist.x_m_s, object.twist.y_m_s]);
        let place = |object: &Object| frame.at([object.pose.x_m, object.pose.y_m]);
        match self {
            Self::Pose => {
                let pose = frame.own.pose;
                writer.put([pose.x_m, pose.y_m, frame.cos, frame.sin]);
            }
            Self::Twist => {
                let [x, y] = velocity(frame.own);
                writer.put([x, y, frame.own.twist.turn_rad_s]);
            }
            Self::Ball(ball) => match scene.view.balls().nth(*ball) {
                Some(ball) => {
                    let ([x, y], [vx, vy]) = (place(ball), velocity(ball));
                    writer.put([x, y, vx, vy]);
                }
                None => writer.put([f64::INFINITY; 4]),
            },
            Self::Robots(others) => {
                for &other in others {
                    let Some((other, (sin, cos))) = scene.robot(other) else {
                        writer.put([f64::INFINITY; ROBOT.len()]);
                        continue;
                    };
                    let ([x, y], [vx, vy]) = (place(other), velocity(other));
                    let [heading_x, heading_y] = frame.turned([cos, sin]);
                    writer.put([x, y, heading_x, heading_y, vx, vy]);
                }
            }
            Self::Goals(goals) => {
                for &[first, second] in goals {
                    let ([x1, y1], [x2, y2]) = (frame.at(first), frame.at(second));
                    writer.put([x1, y1, x2, y2]);
                }
            }
            Self::Manipulators => {
                for status in senses.manipulators() {
                    let ready = if status.ready_in_secs > 0.0 { 0.0 } else { 1.0 };
                    writer.put([ready, f64::from(status.has_ball)]);
                }
            }
            Self::Clock => writer.put([left]),
            Self::Part { whole, length, index } => {
                let mut all = vec![NOTHING; *length];
                whole.write(scene, frame, senses, left, &mut Writer { out: &mut all });
                writer.put([f64::from(all[*index])]);
            }
            Self::Feature { sensor, fields } => {
                let quantised = senses.sensor(*sensor);
                for field in fields {
                    match quantised.and_then(|quantised| quantised.get(field.range.clone())) {
                        Some(quantised) => {
                            quantised
                                .iter()
                                .for_each(|&c| writer.put([decode(c, field.scale, field.signed)]));
                        }
                        None => field.range.clone().for_each(|_| writer.put([f64::INFINITY])),
                    }
                }
            }
        }
    }
}
