//! Time between the world and those who drive its robots: sensors that sample, hold and transfer; commands that arrive
//! later and run out. [S, R3]
//!
//! A sensor with a [`SensorTiming`] is read as it was at its last sample that has arrived. A sample is what its reading is
//! generated from: the world as it was, the robot, and what the sensor remembered, with the noise of that step. So nothing is
//! generated that nobody reads, every reader gets the same integers, and reading changes nothing.
//!
//! # Invariants
//! - Samples and commands on their way are state: they go where snapshots and forks go, and into the state hash. A world without
//!   any has none, and the hash that it would have without this module.
//! - All times are those of steps. Sample k is taken in the first step that is not before `phase + k / rate`; k is worked out
//!   from the step's number, so nothing adds up. (`tests/timing.rs`)
//! - An episode begins anew: with the first sample, and no command and no kick on its way.

use crate::around::Around;
use crate::command::CommandError;
use crate::frame::{RobotIdentity, SensorSlot};
use crate::hash::StateHash;
use crate::late::CommandLine;
use crate::robot::{Motor, Robot, SensorState};
use crate::scenario::{CommandTiming, RobotSpec, SensorTiming};
use crate::sensor_platform::{Reader, SensorPlatform};
use crate::state::State;
use crate::view::View;
use crate::world::World;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::MAX_MOTION_DATA;
use touchline_plugin_api::noise::NoiseSeed;
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::view::{Object, Shape, WorldView};

/// Whoever is due within this part of a period (or of a step, for a delay) is due now: 0.04 s are four steps of 0.01 s,
/// whatever the last bits say.
const TOLERANCE: f64 = 1e-6;
/// The readings of longer samples are not kept, but generated for each reader: images would fill the memory.
const MAX_KEPT: usize = 16_384;

/// When a reading was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stamp {
    /// The number of the step after which the world was as the reading shows it.
    pub step: u64,
    /// Simulated time, seconds.
    pub time_secs: f64,
}

/// What a reader of a sensor is given.
#[derive(Clone)]
pub enum Held {
    /// The sensor has no timing of its own: the world as it is.
    Live,
    /// The first sample has not arrived yet.
    Nothing,
    /// The last sample that has arrived.
    Sample(Arc<Sample>),
}

/// All that one reading is generated from.
pub struct Sample {
    still: Arc<Still>,
    object: u32,
    pose: Pose2,
    heading: (f64, f64),
    twist: Twist2,
    motion_data: [f64; MAX_MOTION_DATA],
    sensor_data: Box<[f64]>,
    state: Box<[u8]>,
    /// The reading, once somebody has asked for it.
    quantised: OnceLock<Box<[u32]>>,
}

/// The world as it was, shared by all samples of a step.
struct Still {
    stamp: Stamp,
    objects: Vec<Object>,
    shapes: Vec<Shape>,
    around: Around,
    /// Stands for what moves in it.
    digest: u64,
}

impl Still {
    fn new(view: &View, stamp: Stamp) -> Self {
        let mut digest = StateHash::new();
        let numbers = view.objects.iter().flat_map(|object| {
            let Object { pose, twist, .. } = object;
            [pose.x_m, pose.y_m, pose.theta_rad, twist.x_m_s, twist.y_m_s, twist.turn_rad_s]
        });
        numbers.for_each(|number| digest.float(number));
        for object in view.objects.iter().skip(1) {
            digest.word(u64::from(object.number) << 32 | u64::from(object.shape_count));
        }
        let moving = view.objects.first().map_or(0, |fixtures| fixtures.shape_count as usize);
        for shape in view.shapes().iter().skip(moving) {
            [shape.x_m, shape.y_m, shape.cos, shape.sin].iter().for_each(|&number| digest.float(number));
        }
        Self {
            stamp,
            objects: view.objects.clone(),
            shapes: view.shapes().to_vec(),
            around: Around::default(),
            digest: digest.finish(),
        }
    }

    fn view(&self) -> WorldView<'_> {
        let Stamp { step, time_secs } = self.stamp;
        let grid = self.around.grid(&self.objects);
        WorldView { grid, ..WorldView::new(step, time_secs, &self.objects, &self.shapes) }
    }
}

impl Sample {
    fn new(still: &Arc<Still>, object: u32, motion: &Motor, sensor_data: &[f64], state: &[u8]) -> Self {
        Self {
            still: Arc::clone(still),
            object,
            pose: motion.pose,
            heading: motion.heading,
            twist: motion.twist,
            motion_data: motion.data,
            sensor_data: sensor_data.into(),
            state: state.into(),
            quantised: OnceLock::new(),
        }
    }

    /// Step and time of the sample.
    pub fn stamp(&self) -> Stamp {
        self.still.stamp
    }

    /// Where the sensor was in the world.
    pub(crate) fn sensor_pose(&self, identity: &RobotIdentity, sensor: usize) -> Pose2 {
        self.platform(identity).sensor_pose(sensor)
    }

    fn platform<'a>(&'a self, identity: &'a RobotIdentity) -> SensorPlatform<'a> {
        SensorPlatform {
            identity,
            object: self.object,
            pose: self.pose,
            heading: self.heading,
            twist: self.twist,
            motion_data: &self.motion_data[..identity.description.motion.data.len()],
            sensor_data: &self.sensor_data,
        }
    }

    /// Generates the reading, or gives it once more.
    pub(crate) fn read(
        &self,
        reader: Reader,
        identity: &RobotIdentity,
        seed: NoiseSeed,
        sensor: usize,
        quantised: &mut [u32],
    ) -> Result<(), Fault> {
        if let Some(kept) = self.quantised.get().filter(|kept| kept.len() == quantised.len()) {
            quantised.copy_from_slice(kept);
            return Ok(());
        }
        self.platform(identity).generate(
            reader,
            seed,
            self.still.view(),
            (sensor, &self.state),
            quantised,
        )?;
        if quantised.len() <= MAX_KEPT {
            // Two who ask at once have the same integers.
            let _ = self.quantised.set((&*quantised).into());
        }
        Ok(())
    }
}

/// When a sensor samples, and how many steps later the sample arrives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    samples_per_step: f64,
    /// Offset of the first sample, steps.
    phase: f64,
    delay_steps: u64,
}

impl Schedule {
    /// `None` for a sensor that shows the world as it is.
    pub fn new(timing: &SensorTiming, dt_secs: f64) -> Option<Self> {
        (*timing != SensorTiming::default()).then(|| Self {
            samples_per_step: timing.rate_hz.map_or(1.0, |rate| rate * dt_secs),
            phase: timing.phase_secs / dt_secs,
            delay_steps: whole_steps(timing.delay_secs, dt_secs),
        })
    }

    /// Whether a sample is taken after so many steps of an episode.
    pub fn samples_at(&self, steps: u64) -> bool {
        self.due(steps) > steps.checked_sub(1).map_or(0, |before| self.due(before))
    }

    /// How many samples are due after so many steps.
    fn due(&self, steps: u64) -> u64 {
        let periods = (steps as f64 - self.phase) * self.samples_per_step + TOLERANCE;
        // The cast cuts off the rest of a period.
        if periods < 0.0 { 0 } else { periods as u64 + 1 }
    }
}

/// How many steps it takes until so much time has passed.
pub(crate) fn whole_steps(secs: f64, dt_secs: f64) -> u64 {
    (secs / dt_secs - TOLERANCE).ceil().max(0.0) as u64
}

/// The samples of one sensor that somebody can still read, oldest first.
#[derive(Clone, Default)]
pub(crate) struct Samples(VecDeque<Arc<Sample>>);

impl Samples {
    /// Drops those that a newer one, which has arrived, stands for.
    fn forget(&mut self, delay_steps: u64, step: u64) {
        while self.0.get(1).is_some_and(|next| next.stamp().step + delay_steps <= step) {
            self.0.pop_front();
        }
    }

    pub fn hash(&self, hash: &mut StateHash) {
        for sample in &self.0 {
            hash.word(sample.stamp().step);
            hash.word(sample.still.digest);
            hash.word(u64::from(sample.object));
            sample.motion_data.iter().chain(&sample.sensor_data).for_each(|&number| hash.float(number));
            hash.bytes(&sample.state);
        }
    }
}

impl SensorState {
    /// What is to be read of it now.
    pub fn held(&self, slot: &SensorSlot, step: u64) -> Held {
        let Some(schedule) = &slot.schedule else { return Held::Live };
        match self.samples.0.front() {
            Some(sample) if sample.stamp().step + schedule.delay_steps <= step => {
                Held::Sample(Arc::clone(sample))
            }
            _ => Held::Nothing,
        }
    }
}

impl Robot {
    /// What is to be read of each sensor; empty if none has a timing.
    pub fn held(&self, step: u64) -> Vec<Held> {
        if !self.is_timed {
            return Vec::new();
        }
        let slots = &self.identity.sensors;
        self.sensors.iter().zip(slots).map(|(sensor, slot)| sensor.held(slot, step)).collect()
    }
}

impl World {
    /// Takes the samples that are due, of the world as it is.
    pub(crate) fn take_samples(&mut self) {
        if !self.state.duties.is_timed {
            return;
        }
        let dt_secs = self.dt_secs();
        let State { step, episode, robots, balls, view, .. } = &mut self.state;
        let (step, steps) = (*step, *step - episode.began_step);
        let mut still = None;
        for (index, robot) in robots.iter_mut().enumerate().filter(|(_, robot)| robot.is_timed) {
            let Robot { identity, motion, sensors, sensor_data, .. } = robot;
            for (slot, sensor) in identity.sensors.iter().zip(sensors) {
                let Some(schedule) = &slot.schedule else { continue };
                if schedule.samples_at(steps) {
                    let stamp = Stamp { step, time_secs: step as f64 * dt_secs };
                    let still = still.get_or_insert_with(|| Arc::new(Still::new(view, stamp)));
                    let object = (1 + balls.len() + index) as u32;
                    let sample = Sample::new(still, object, motion, sensor_data, &sensor.state);
                    sensor.samples.0.push_back(Arc::new(sample));
                }
                sensor.samples.forget(schedule.delay_steps, step);
            }
        }
    }

    /// Begins all timing anew, with the world as it is.
    pub(crate) fn restart_timing(&mut self) {
        if self.state.view_stale {
            self.refresh_view();
        }
        for robot in &mut self.state.robots {
            robot.line = CommandLine::begun(self.state.step);
            robot.sensors.iter_mut().for_each(|sensor| sensor.samples.0.clear());
        }
        self.take_samples();
    }
}

/// What the configuration checks with places and hints, for robots made by hand.
pub(crate) fn check_timing(name: &str, spec: &RobotSpec) -> Result<(), CommandError> {
    let within = |secs: f64, most: f64| (0.0..=most).contains(&secs);
    let is_sound = |timing: &SensorTiming| {
        timing.rate_hz.is_none_or(|rate| rate > 0.0 && rate <= MAX_RATE_HZ)
            && within(timing.phase_secs, MAX_PHASE_SECS)
            && within(timing.delay_secs, MAX_DELAY_SECS)
    };
    let CommandTiming { delay_secs, hold_secs } = spec.commands;
    let problem = match () {
        () if !spec.sensors.iter().all(|sensor| is_sound(&sensor.timing)) => {
            "a sensor's timing is out of range"
        }
        () if !within(delay_secs, MAX_DELAY_SECS) => "command_delay_s is out of range",
        () if hold_secs.is_some_and(|hold| !(hold > 0.0 && hold.is_finite())) => {
            "command_hold_s must be above 0"
        }
        () => return Ok(()),
    };
    Err(CommandError::BadRobot { name: name.into(), problem: problem.into() })
}

/// The most samples that a sensor takes, 1/s.
pub const MAX_RATE_HZ: f64 = 10_000.0;
/// The latest first sample, seconds.
pub const MAX_PHASE_SECS: f64 = 60.0;
/// The longest delay of a sensor or a command, seconds: so long the world is kept as it was.
pub const MAX_DELAY_SECS: f64 = 5.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(rate_hz: Option<f64>, phase_secs: f64, dt_secs: f64) -> Schedule {
        Schedule::new(&SensorTiming { rate_hz, phase_secs, delay_secs: 0.1 }, dt_secs).unwrap()
    }

    /// Sample k is taken in the first step that is not before `phase + k / rate`, also after a day.
    #[test]
    fn samples_keep_to_their_grid() {
        for (rate, phase, dt_ms) in
            [(37.5, 0.0, 10u64), (25.0, 0.013, 10), (30.0, 0.04, 20), (1.5625, 0.6, 5), (5.0, 0.0, 1)]
        {
            let dt = dt_ms as f64 * 1e-3;
            let schedule = schedule(Some(rate), phase, dt);
            let day = 86_400_000 / dt_ms;
            for first in [0, day] {
                for steps in first..first + 5_000 {
                    let first_at = |k: u64| ((phase + k as f64 / rate) / dt - 1e-5).ceil().max(0.0) as u64;
                    let near = ((steps as f64 * dt - phase) * rate).max(0.0) as u64;
                    let expected = (near.saturating_sub(2)..near + 3).any(|k| first_at(k) == steps);
                    assert_eq!(
                        schedule.samples_at(steps),
                        expected,
                        "{rate} Hz, {phase} s, {dt} s, step {steps}"
                    );
                }
            }
        }
    }

    #[test]
    fn who_is_faster_than_the_physics_samples_in_every_step() {
        for schedule in [schedule(Some(1000.0), 0.0, 0.02), schedule(None, 0.0, 0.02)] {
            assert!((0..1000).all(|steps| schedule.samples_at(steps)));
        }
        let late = schedule(None, 0.05, 0.01);
        assert!((0..100).all(|steps| late.samples_at(steps) == (steps >= 5)));
    }

    #[test]
    fn a_delay_is_as_many_steps_as_it_takes() {
        let steps = [(0.0, 0.01), (0.04, 0.01), (0.041, 0.01), (0.05, 0.02), (0.3, 0.1), (0.001, 0.05)];
        assert_eq!(steps.map(|(secs, dt)| whole_steps(secs, dt)), [0, 4, 5, 3, 3, 1]);
    }

    #[test]
    fn without_timing_there_is_no_schedule() {
        assert!(Schedule::new(&SensorTiming::default(), 0.01).is_none());
    }
}
