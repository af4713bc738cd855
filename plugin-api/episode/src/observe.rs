//! From a world to the numbers that an agent observes.
//!
//! The words are those of `observation.rs`. What is not there (an infinite reading, a robot that has gone) is [`NOTHING`].

use crate::WordError;
use crate::observation::{Observation, ROBOT};
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::layout::decode;
use touchline_plugin_api::player::{ManipulatorStatus, RobotDescription};
use touchline_plugin_api::view::{Object, ObjectKind, WorldView};
use touchline_plugin_api::world::WorldDescription;

/// What stands for a thing that is not there.
pub const NOTHING: f32 = -1.0;

/// What a robot's own parts tell.
pub trait Senses {
    /// The integers of one of its sensors, all of them; `None` if it has failed.
    fn sensor(&mut self, sensor: usize) -> Option<&[u32]>;
    /// Its manipulators, in the order of their descriptions.
    fn manipulators(&self) -> impl Iterator<Item = ManipulatorStatus>;
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
