//! One robot of the world: what it is made of, and how its parts are called in a step.

use crate::command::{CommandError, RobotNumber};
use crate::factory::PluginFactory;
use crate::frame::{Message, RobotIdentity, SensorSlot};
use crate::physics::{Course, MAX_SPEED_M_S, MAX_TURN_RAD_S, Place};
use crate::prepare::{period_steps, player_setup};
use crate::scenario::{Hold, Outline, PlayerChoice, Primitive, RobotSpec, Scenario, SensorSpec, Zone};
use crate::shadow::{Shadow, ShadowPlayer};
use crate::timing::{CommandLine, Samples, check_timing};
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_plugin_api::container::{SensorCatalogue, SensorDescription};
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos, wrap_angle};
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance};
use touchline_plugin_api::motion::{
    CommandDimension, CommandLife, CommandPart, MAX_DIMENSIONS, MAX_MOTION_DATA, MotionDescription,
    MotionInput, MotionSetup,
};
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::player::{
    ManipulatorDescription, ManipulatorStatus, PlayerSetup, RobotDescription,
};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::sensor::{AdvanceInput, SensorSetup};

/// A robot as the world keeps it. Everything in it is state, or shared and immutable.
#[derive(Clone)]
pub(crate) struct Robot {
    pub identity: Arc<RobotIdentity>,
    pub start_pose: Pose2,
    /// The client that made it; `None` for the world file's robots, which a reset brings back.
    pub made_by: Option<u64>,
    pub motion: Motor,
    /// Commands on their way to it.
    pub line: CommandLine,
    pub sensors: Vec<SensorState>,
    /// What can be set of the sensors, one after the other.
    pub sensor_data: Vec<f64>,
    /// Whether a sensor of it has a timing: spares the others the question.
    pub is_timed: bool,
    pub manipulators: Vec<Manipulator>,
    pub player: Option<Driver>,
    /// The client that has taken it over: its player is not asked until it is given back.
    pub taken_by: Option<u64>,
    pub annotations: Arc<BTreeMap<String, String>>,
    pub fault: Option<Arc<str>>,
    /// The player that is asked beside its own; no part of what a step depends on.
    pub shadow: Option<Box<Shadow>>,
    /// What the referee has paid it in this episode.
    pub reward: f64,
}

/// The motion model with its state.
#[derive(Clone)]
pub(crate) struct Motor {
    instance: Arc<dyn MotionInstance>,
    /// Of its description: how many numbers command it.
    dimensions: usize,
    noise: NoiseOwner,
    pub state: Vec<u8>,
    pub failed: bool,
    pub command: [f64; MAX_DIMENSIONS],
    one_step: bool,
    /// A referee holds its drive.
    pub held: bool,
    /// How the pose changed in the last step, in the body frame at its beginning.
    pub moved: Pose2,
    /// The same as a constant velocity, in the body frame.
    pub achieved: Twist2,
    pub pose: Pose2,
    /// Sine and cosine of the pose's heading.
    pub heading: (f64, f64),
    /// In the body frame.
    pub twist: Twist2,
    /// In the world frame.
    pub world_twist: Twist2,
    pub data: [f64; MAX_MOTION_DATA],
    /// Of its description: how many data it publishes.
    data_count: usize,
}

#[derive(Clone)]
pub(crate) struct SensorState {
    pub state: Vec<u8>,
    /// When and why it was stopped, if it was.
    pub stopped: Option<Arc<str>>,
    /// Of a sensor with a timing.
    pub samples: Samples,
}

impl SensorState {
    /// For readers: its state, or when and why it was stopped.
    pub fn shared(&self) -> Result<Arc<[u8]>, Arc<str>> {
        self.stopped.clone().map_or_else(|| Ok(self.state.as_slice().into()), Err)
    }

    pub fn stop(&mut self, step: u64, fault: &Fault) {
        self.stopped = Some(format!("stopped at step {step}: {fault}").into());
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Manipulator {
    pub state: usize,
    /// The step at which it goes back to the first state.
    pub returns_at: Option<u64>,
    /// The step from which it can kick again.
    pub ready_at: u64,
    /// The kick that was ordered and is still to come.
    pub due: Option<DueKick>,
}

/// A kick that takes a while.
#[derive(Clone, Copy)]
pub(crate) struct DueKick {
    /// The step in which it comes.
    pub at: u64,
    pub state: usize,
    pub aim: Aim,
}

/// A player plugin with its state.
#[derive(Clone)]
pub(crate) struct Driver {
    pub plugin: Arc<str>,
    pub instance: Arc<dyn PlayerInstance>,
    pub noise: NoiseOwner,
    pub state: Vec<u8>,
    /// The time between two calls, in steps; not always a whole number.
    pub period_steps: f64,
    pub last_call: Option<u64>,
    /// Before this step it cannot be its turn: spares [`Driver::is_due`] most of its divisions.
    resting_until: u64,
    /// It said that it ends; it is removed with its robot in the same step.
    pub ended: bool,
    /// It came in place of another player.
    pub exchanged: bool,
    pub inbox: Vec<Arc<Message>>,
    pub choice: PlayerChoice,
}

/// What a robot is made from.
pub(crate) struct Parts<'a> {
    pub scenario: &'a Scenario,
    pub factory: &'a dyn PluginFactory,
    pub number: RobotNumber,
    pub name: &'a str,
    pub team: Option<u32>,
    pub spec: &'a Arc<RobotSpec>,
    pub shadows: &'a [ShadowPlayer],
    pub game: &'a GameDescription,
}

impl Parts<'_> {
    /// Makes the instances; the body is made by whoever knows the place.
    pub fn assemble(
        &self,
        pose: Pose2,
        made_by: Option<u64>,
        player: Option<&PlayerChoice>,
    ) -> Result<Robot, CommandError> {
        check_spec(self.name, self.spec)?;
        self.scenario.physics.check(self.spec).map_err(|no_disc| self.bad(no_disc.to_string()))?;
        let instance = self.factory.motion(
            &self.spec.motion,
            &MotionSetup { robot: self.name.into(), dt_secs: self.scenario.dt_secs },
        )?;
        let description = instance.description().clone();
        if description.dimensions.len() > MAX_DIMENSIONS || description.data.len() > MAX_MOTION_DATA {
            return Err(self.bad(format!(
                "motion plugin \"{}\" has {} dimensions and {} motion data; at most {MAX_DIMENSIONS} and {MAX_MOTION_DATA}",
                self.spec.motion.plugin,
                description.dimensions.len(),
                description.data.len()
            )));
        }
        let teams: Vec<String> = self.scenario.teams.iter().map(|team| team.name.clone()).collect();
        let (mut slots, mut descriptions, mut sensors) = (Vec::new(), Vec::new(), Vec::new());
        let mut sensor_data = Vec::new();
        for sensor in &self.spec.sensors {
            let setup = SensorSetup {
                robot: self.name.into(),
                id: sensor.id.clone(),
                model: sensor.model.clone(),
                mount: sensor.mount,
                dt_secs: self.scenario.dt_secs,
                motion: description.clone(),
                teams: teams.clone(),
            };
            let follows = match followed(sensor, &description) {
                Err(_) if self.factory.makes_stand_ins() => None,
                follows => follows.map_err(|problem| self.bad(problem))?,
            };
            let instance = self.factory.sensor(&sensor.choice, &setup)?;
            let state = instance.initial_state().map_err(|fault| self.failed(&sensor.id, &fault))?;
            descriptions.push(SensorDescription {
                id: sensor.id.clone(),
                model: sensor.model.clone(),
                sensor_type: instance.sensor_type().into(),
                plugin: sensor.choice.plugin.clone(),
                mount: sensor.mount,
                follows: sensor.follows.clone(),
                layout: instance.layout().clone(),
                data: instance.data().to_vec(),
            });
            let noise = self.noise(&format!("sensor/{}", sensor.id));
            let slot = SensorSlot::new(instance, noise).with_data_from(sensor_data.len()).following(follows);
            sensor_data.extend(slot.instance.data().iter().map(|datum| datum.initial));
            slots.push(slot.timed(&sensor.timing, self.scenario.dt_secs));
            sensors.push(SensorState { state, stopped: None, samples: Samples::default() });
        }
        let state = instance.initial_state().map_err(|fault| self.failed("motion", &fault))?;
        let identity = Arc::new(RobotIdentity {
            number: self.number,
            name: self.name.into(),
            spec: Arc::clone(self.spec),
            description: RobotDescription {
                name: self.name.into(),
                team: self.team,
                radius_m: radius_m(self.spec),
                motion: description,
                sensors: SensorCatalogue { sensors: descriptions },
                manipulators: self.spec.manipulators.iter().map(describe_manipulator).collect(),
            },
            sensors: slots,
        });
        let shadow = self.shadow(&identity, player);
        let player = player.map(|choice| self.driver(&identity, choice)).transpose()?;
        let start = Manipulator { state: 0, returns_at: None, ready_at: 0, due: None };
        Ok(Robot {
            motion: Motor {
                dimensions: identity.description.motion.dimensions.len(),
                data_count: identity.description.motion.data.len(),
                instance,
                noise: self.noise("motion"),
                state,
                failed: false,
                command: [0.0; MAX_DIMENSIONS],
                held: false,
                one_step: identity.description.motion.command_life == CommandLife::OneStep,
                moved: Pose2::ORIGIN,
                achieved: Twist2::ZERO,
                pose,
                heading: sin_cos(pose.theta_rad),
                twist: Twist2::ZERO,
                world_twist: Twist2::ZERO,
                data: initial_data(&identity.description.motion),
            },
            line: CommandLine::default(),
            sensors,
            sensor_data,
            is_timed: identity.sensors.iter().any(|slot| slot.schedule.is_some()),
            manipulators: vec![start; self.spec.manipulators.len()],
            player,
            taken_by: None,
            annotations: Arc::default(),
            fault: None,
            shadow,
            reward: 0.0,
            start_pose: pose,
            made_by,
            identity,
        })
    }

    /// Makes a player for the robot.
    pub fn driver(&self, identity: &RobotIdentity, choice: &PlayerChoice) -> Result<Driver, CommandError> {
        let period_steps = period_steps(self.scenario.dt_secs, choice);
        let setup = player_setup(self.scenario, self.game, &identity.description, choice);
        let driver = Driver::new(self.factory, choice, &setup, self.noise("player"))?;
        let instance = &driver.instance;
        if let Some(&sensor) = instance.wanted_sensors().iter().find(|&&s| s >= identity.sensors.len()) {
            return Err(self.bad(format!("player \"{}\" wants sensor {sensor}", choice.choice.plugin)));
        }
        Ok(Driver { period_steps, ..driver })
    }

    fn noise(&self, part: &str) -> NoiseOwner {
        NoiseOwner::new(&format!("{}/{part}", self.name))
    }

    fn bad(&self, problem: String) -> CommandError {
        CommandError::BadRobot { name: self.name.into(), problem }
    }

    fn failed(&self, part: &str, fault: &Fault) -> CommandError {
        self.bad(format!("{part}: {fault}"))
    }
}

impl Driver {
    /// Makes a player from what it is told.
    pub fn new(
        factory: &dyn PluginFactory,
        choice: &PlayerChoice,
        setup: &PlayerSetup,
        noise: NoiseOwner,
    ) -> Result<Self, CommandError> {
        let instance = factory.player(&choice.choice, setup)?;
        let state = instance.initial_state().map_err(|fault| CommandError::BadRobot {
            name: setup.robot.name.clone(),
            problem: format!("player: {fault}"),
        })?;
        Ok(Self {
            plugin: choice.choice.plugin.as_str().into(),
            instance,
            noise,
            state,
            period_steps: setup.period_secs / setup.world.dt_secs,
            last_call: None,
            resting_until: 0,
            ended: false,
            exchanged: false,
            inbox: Vec::new(),
            choice: choice.clone(),
        })
    }

    /// Whether this step is the first of a new period; robots' periods begin at different steps.
    pub fn is_due(&mut self, step: u64, robot: RobotNumber) -> bool {
        if step < self.resting_until {
            return false;
        }
        // Whole periods since the beginning; the cast cuts off the rest.
        let period = |step: u64| ((step + u64::from(robot)) as f64 / self.period_steps) as u64;
        let is_due = period(step + 1) > period(step);
        if is_due {
            self.resting_until = step + self.period_steps as u64;
        }
        is_due
    }
}

impl Motor {
    /// Asks the motion model, and checks what it says.
    pub fn advance(&mut self, dt_secs: f64, seed: NoiseSeed, step: u64) -> Result<Course, Fault> {
        let input = MotionInput {
            dt_secs,
            command: if self.held {
                &[0.0; MAX_DIMENSIONS][..self.dimensions]
            } else {
                &self.command[..self.dimensions]
            },
            data: &self.data[..self.data_count],
            achieved: self.achieved,
            twist: self.twist,
            noise: seed.key(self.noise, step),
        };
        let output = self.instance.advance(&mut self.state, &input)?;
        check_velocity("a velocity", output.twist)?;
        check_velocity("a velocity at the end", output.end_twist)?;
        self.data = output.data;
        if self.one_step {
            self.command = Default::default();
        }
        Ok(Course { twist: output.twist, end: output.end_twist })
    }

    /// Takes a new place and velocity. To be put somewhere is no motion: no sensor integrates it.
    pub fn be_put(&mut self, place: &Place, twist: Twist2, world_twist: Twist2) {
        (self.pose, self.heading) = (place.pose, place.heading);
        (self.twist, self.world_twist) = (twist, world_twist);
        (self.moved, self.achieved) = (Pose2::ORIGIN, twist);
    }

    /// Takes what the physics made of it.
    pub fn settle(&mut self, place: &Place, twist: Twist2, world_twist: Twist2, dt_secs: f64) {
        let pose = place.pose;
        let [x_m, y_m] = to_body(self.heading, [pose.x_m - self.pose.x_m, pose.y_m - self.pose.y_m]);
        self.moved = Pose2 { x_m, y_m, theta_rad: wrap_angle(pose.theta_rad - self.pose.theta_rad) };
        self.achieved = self.moved.mean_twist(dt_secs);
        (self.pose, self.heading, self.twist, self.world_twist) = (pose, place.heading, twist, world_twist);
    }
}

/// A wish beyond all robots is a mistake of its author.
pub(crate) fn check_velocity(what: &str, twist: Twist2) -> Result<(), Fault> {
    let Twist2 { x_m_s, y_m_s, turn_rad_s } = twist;
    if x_m_s.abs() <= MAX_SPEED_M_S && y_m_s.abs() <= MAX_SPEED_M_S && turn_rad_s.abs() <= MAX_TURN_RAD_S {
        return Ok(());
    }
    Err(Fault::BadOutput(format!(
        "{what} of {twist:?} is beyond {MAX_SPEED_M_S} m/s and {MAX_TURN_RAD_S} rad/s"
    )))
}

/// The index of the motion datum that turns a sensor's mount.
fn followed(sensor: &SensorSpec, motion: &MotionDescription) -> Result<Option<usize>, String> {
    let Some(name) = &sensor.follows else { return Ok(None) };
    let place = motion.data.iter().position(|datum| datum.name == *name);
    place.map(Some).ok_or_else(|| {
        let known: Vec<&str> = motion.data.iter().map(|datum| datum.name.as_str()).collect();
        let known = if known.is_empty() { "none".into() } else { known.join(", ") };
        format!("sensor \"{}\" follows \"{name}\"; the motion model publishes {known}", sensor.id)
    })
}

fn initial_data(motion: &MotionDescription) -> [f64; MAX_MOTION_DATA] {
    let mut data = [0.0; MAX_MOTION_DATA];
    data.iter_mut().zip(&motion.data).for_each(|(value, datum)| *value = datum.initial);
    data
}

impl Robot {
    pub fn number(&self) -> RobotNumber {
        self.identity.number
    }

    /// The published part of the motion data.
    pub fn motion_data(&self) -> &[f64] {
        &self.motion.data[..self.identity.description.motion.data.len()]
    }

    /// Advances the sensors that integrate, and tells of those that fail.
    pub fn advance_sensors(
        &mut self,
        dt_secs: f64,
        seed: NoiseSeed,
        step: u64,
        mut failed: impl FnMut(String, Fault),
    ) {
        let (identity, motion, data) = (&self.identity, &self.motion, &self.sensor_data);
        for (index, (slot, sensor)) in identity.sensors.iter().zip(&mut self.sensors).enumerate() {
            if slot.is_stateless || sensor.stopped.is_some() {
                continue;
            }
            let input = AdvanceInput {
                dt_secs,
                displacement: motion.moved,
                twist: motion.twist,
                pose: motion.pose,
                motion_data: &motion.data[..identity.description.motion.data.len()],
                data: &data[slot.data.clone()],
                noise: seed.key(slot.noise, step),
            };
            if let Err(fault) = slot.instance.advance(&mut sensor.state, &input) {
                sensor.stop(step, &fault);
                failed(identity.sensor_name(index), fault);
            }
        }
    }

    /// The manipulators as players and watchers see them.
    pub fn manipulator_status(
        &self,
        step: u64,
        dt_secs: f64,
        balls: impl Iterator<Item = ([f64; 2], f64)> + Clone,
    ) -> impl Iterator<Item = ManipulatorStatus> {
        self.manipulators.iter().zip(&self.identity.spec.manipulators).map(move |(manipulator, spec)| {
            let kicks = || spec.states.iter().filter_map(|state| state.kick.as_ref()).map(|kick| &kick.zone);
            let holds = || spec.states.iter().filter_map(|state| state.hold.as_ref()).map(|hold| &hold.zone);
            let zones = || kicks().chain(holds());
            let has_ball = balls.clone().any(|(ball, z_m)| zones().any(|zone| self.in_zone(zone, ball, z_m)));
            ManipulatorStatus {
                state: manipulator.state as u32,
                has_ball: u32::from(has_ball),
                ready_in_secs: manipulator.ready_at.saturating_sub(step) as f64 * dt_secs,
            }
        })
    }

    /// Whether a ball can be kicked or held whose lowest point is so high, metres.
    pub fn in_zone(&self, zone: &Zone, ball: [f64; 2], z_m: f64) -> bool {
        if z_m > zone.height_m {
            return false;
        }
        let pose = self.motion.pose;
        zone.contains(to_body(self.motion.heading, [ball[0] - pose.x_m, ball[1] - pose.y_m]))
    }

    /// What its manipulators hold a ball by, as they are now.
    pub fn holds(&self) -> impl Iterator<Item = &Hold> {
        let states = self.manipulators.iter().zip(&self.identity.spec.manipulators);
        states.filter_map(|(manipulator, spec)| spec.states.get(manipulator.state)?.hold.as_ref())
    }
}

/// Puts the standard velocities into a command, as far as the motion model has them.
pub(crate) fn set_twist(command: &mut [f64], dimensions: &[CommandDimension], twist: Twist2) {
    for (number, dimension) in command.iter_mut().zip(dimensions) {
        *number = match dimension.part {
            CommandPart::Forward => twist.x_m_s,
            CommandPart::Left => twist.y_m_s,
            CommandPart::Turn => twist.turn_rad_s,
            CommandPart::Other => continue,
        };
    }
}

/// Turns a vector of the world frame into the body's.
fn to_body((sin, cos): (f64, f64), [x, y]: [f64; 2]) -> [f64; 2] {
    [cos * x + sin * y, cos * y - sin * x]
}

fn describe_manipulator(spec: &crate::scenario::ManipulatorSpec) -> ManipulatorDescription {
    ManipulatorDescription {
        name: spec.name.clone(),
        states: spec.states.iter().map(|state| state.name.clone()).collect(),
    }
}

/// The radius of the circle round a robot's origin that holds its body and all states of its manipulators, metres.
pub fn radius_m(spec: &RobotSpec) -> f64 {
    let states = spec.manipulators.iter().flat_map(|m| &m.states).flat_map(|state| &state.shapes);
    spec.body.iter().chain(states).map(reach_m).fold(0.0, f64::max)
}

/// How high a robot's body reaches above the floor, metres: at least a millimetre, as it stands there.
pub fn height_m(spec: &RobotSpec) -> f64 {
    spec.body.iter().map(|primitive| primitive.z_m[1]).fold(0.001, f64::max)
}

fn reach_m(primitive: &Primitive) -> f64 {
    let reach_m = |corner: [f64; 2]| {
        let [x, y] = primitive.pose.point_to_outer(corner);
        libm::hypot(x, y)
    };
    match primitive.outline {
        Outline::Rectangle { length_m, width_m } => {
            let (x, y) = (length_m / 2.0, width_m / 2.0);
            [[x, y], [x, -y], [-x, y], [-x, -y]].map(reach_m).into_iter().fold(0.0, f64::max)
        }
        Outline::Triangle { corners } => corners.map(reach_m).into_iter().fold(0.0, f64::max),
        // Exact for a circle, too much by a little for an ellipse aside.
        Outline::Ellipse { .. } => {
            primitive.pose.distance_m(Pose2::ORIGIN) + outline_radius_m(&primitive.outline)
        }
    }
}

/// How far an outline reaches from its own origin, metres.
pub(crate) fn outline_radius_m(outline: &Outline) -> f64 {
    match *outline {
        Outline::Rectangle { length_m, width_m } => libm::hypot(length_m, width_m) / 2.0,
        Outline::Ellipse { length_m, width_m } => length_m.max(width_m) / 2.0,
        Outline::Triangle { corners } => corners.iter().map(|c| libm::hypot(c[0], c[1])).fold(0.0, f64::max),
    }
}

/// What the configuration checks with places and hints is checked here once more, for robots made by hand.
fn check_spec(name: &str, spec: &RobotSpec) -> Result<(), CommandError> {
    let bad = |problem: &str| CommandError::BadRobot { name: name.into(), problem: problem.into() };
    let positive = |value: f64| value.is_finite() && value > 0.0;
    if !positive(spec.mass_kg) {
        return Err(bad("mass_kg must be above 0"));
    }
    if !positive(spec.traction_m_s2) {
        return Err(bad("traction_m_s2 must be above 0"));
    }
    let area: f64 = spec.body.iter().map(|primitive| crate::physics::area_m2(&primitive.outline)).sum();
    if !positive(area) {
        return Err(bad("the body needs at least one shape with an area"));
    }
    if spec.manipulators.iter().any(|manipulator| manipulator.states.is_empty()) {
        return Err(bad("a manipulator needs at least one state"));
    }
    check_timing(name, spec)
}
