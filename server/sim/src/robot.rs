//! One robot of the world: what it is made of, and how its parts are called in a step.

use crate::brief::fault_text;
use crate::command::RobotNumber;
use crate::driver::Driver;
use crate::events::Message;
use crate::frame::RobotIdentity;
use crate::late::CommandLine;
use crate::physics::{Course, Place, turn_near};
use crate::scenario::{Hold, MAX_SPEED_M_S, MAX_TURN_RAD_S, Zone};
use crate::shadow::Shadow;
use crate::timing::Samples;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos, wrap_angle};
use touchline_plugin_api::instance::MotionInstance;
use touchline_plugin_api::motion::{
    CommandDimension, CommandLife, CommandPart, MAX_DIMENSIONS, MAX_MOTION_DATA, MotionDescription,
    MotionInput, MotionOutput,
};
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::player::ManipulatorStatus;
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_api::sensor::AdvanceInput;

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
    /// The places of the sensors that have a state to advance.
    pub integrating: Arc<[usize]>,
    /// Whether one of these listens to the radio.
    pub has_ears: bool,
    /// What was heard since these were last advanced; nothing waits for others.
    pub ears: Vec<Arc<Message>>,
    /// What can be set of the sensors, one after the other.
    pub sensor_data: Vec<f64>,
    /// Whether a sensor of it has a timing: spares the others the question.
    pub is_timed: bool,
    pub manipulators: Vec<Manipulator>,
    /// Whether a manipulator goes back by itself, or has a kick to come: spares the others the question.
    pub is_switching: bool,
    /// Whether a manipulator can hold a ball.
    pub can_hold: bool,
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
    /// What it wants of the step that is made.
    wanted: Course,
    /// How the pose changed in the last step, in the body frame at its beginning.
    pub moved: Pose2,
    /// The same as a constant velocity, in the body frame.
    pub achieved: Twist2,
    pub pose: Pose2,
    /// Sine and cosine of the pose's heading.
    pub heading: (f64, f64),
    /// Velocity in the body frame.
    pub twist: Twist2,
    /// Velocity in the world frame.
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
        // Most have none: theirs is shared by all.
        let shared = || if self.state.is_empty() { Arc::default() } else { self.state.as_slice().into() };
        self.stopped.clone().map_or_else(|| Ok(shared()), Err)
    }

    pub fn stop(&mut self, step: u64, fault: &Fault) {
        self.stopped = Some(fault_text(format_args!("stopped at step {step}: {fault}")).into());
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

impl Manipulator {
    /// In its first state, charged.
    pub const START: Self = Self { state: 0, returns_at: None, ready_at: 0, due: None };
}

/// A kick that takes a while.
#[derive(Clone, Copy)]
pub(crate) struct DueKick {
    /// The step in which it comes.
    pub at: u64,
    pub state: usize,
    pub aim: Aim,
}

impl Motor {
    /// At rest, before its first step.
    pub fn new(
        instance: Arc<dyn MotionInstance>,
        noise: NoiseOwner,
        state: Vec<u8>,
        description: &MotionDescription,
        pose: Pose2,
    ) -> Self {
        Self {
            dimensions: description.dimensions.len(),
            data_count: description.data.len(),
            instance,
            noise,
            state,
            failed: false,
            command: [0.0; MAX_DIMENSIONS],
            held: false,
            wanted: Course::default(),
            one_step: description.command_life == CommandLife::OneStep,
            moved: Pose2::ORIGIN,
            achieved: Twist2::ZERO,
            pose,
            heading: sin_cos(pose.theta_rad),
            twist: Twist2::ZERO,
            world_twist: Twist2::ZERO,
            data: initial_data(description),
        }
    }

    /// Asks the motion model, and checks what it says; `output` is memory for its answer.
    pub fn advance(
        &mut self,
        dt_secs: f64,
        seed: NoiseSeed,
        step: u64,
        output: &mut MotionOutput,
    ) -> Result<Course, Fault> {
        self.wanted = Course::default();
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
        self.instance.advance_into(&mut self.state, &input, output)?;
        check_velocity("a velocity", output.twist)?;
        check_velocity("a velocity at the end", output.end_twist)?;
        for (datum, published) in self.data.iter_mut().zip(&output.data).take(self.data_count) {
            *datum = *published;
        }
        if self.one_step {
            self.command = Default::default();
        }
        self.wanted = Course { twist: output.twist, end: output.end_twist };
        Ok(self.wanted)
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
        let turned_rad = wrap_angle(pose.theta_rad - self.pose.theta_rad);
        self.moved = Pose2 { x_m, y_m, theta_rad: turn_near(turned_rad, self.turn_of_step(twist, dt_secs)) };
        self.achieved = if self.moved.theta_rad.abs() <= PI || !is_nearly_closed(self.moved.theta_rad) {
            self.moved.mean_twist(dt_secs)
        } else {
            Twist2 { turn_rad_s: self.moved.theta_rad / dt_secs, ..twist }
        };
        (self.pose, self.heading, self.twist, self.world_twist) = (pose, place.heading, twist, world_twist);
    }
}

/// Whether an arc of more than half a circle ends nearly where it begins: then the way says nothing of how fast it went.
fn is_nearly_closed(turned_rad: f64) -> bool {
    const PART: f64 = 0.02;
    let circles = turned_rad / TAU;
    (circles - circles.round()).abs() < PART
}

impl Motor {
    /// About how far it has turned in the step, radians, so that a turn of more than half a circle is known from one the other way.
    fn turn_of_step(&self, end: Twist2, dt_secs: f64) -> f64 {
        let Course { twist: wanted, end: wanted_end } = self.wanted;
        // What a model wants at the end may say nothing of what it does before; what hinders it shows there.
        let is_free = (end.turn_rad_s - wanted_end.turn_rad_s).abs() < 1e-3;
        let mean_rad_s =
            if is_free { wanted.turn_rad_s } else { (self.twist.turn_rad_s + end.turn_rad_s) / 2.0 };
        mean_rad_s * dt_secs
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
        inbox: Inbox<'_>,
        seed: NoiseSeed,
        step: u64,
        mut failed: impl FnMut(String, Fault),
    ) {
        let (identity, motion, data) = (&self.identity, &self.motion, &self.sensor_data);
        for &index in &*self.integrating {
            let (slot, sensor) = (&identity.sensors[index], &mut self.sensors[index]);
            if sensor.stopped.is_some() {
                continue;
            }
            let input = AdvanceInput {
                dt_secs,
                displacement: motion.moved,
                twist: motion.twist,
                pose: motion.pose,
                motion_data: &motion.data[..identity.description.motion.data.len()],
                data: &data[slot.data.clone()],
                inbox,
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
            // One that is about to kick hears no other order.
            let ready_at = manipulator.due.map_or(0, |due| due.at).max(manipulator.ready_at);
            ManipulatorStatus {
                state: manipulator.state as u32,
                has_ball: u32::from(has_ball),
                ready_in_secs: ready_at.saturating_sub(step) as f64 * dt_secs,
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
