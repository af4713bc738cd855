//! What is true after a step: immutable, shared by all who read. [mechanism 3]
//!
//! A Frame holds everything that a sensor needs, so any thread can generate any sensor of it at any time, and
//! always gets the same integers.

use crate::annotations::Annotations;
use crate::around::Around;
use crate::command::RobotNumber;
use crate::events::{Dropped, Event, Message};
use crate::game::Match;
use crate::scenario::{RobotSpec, SensorTiming};
use crate::sensor_platform::{Reader, SensorPlatform};
use crate::shadow::ShadowFrame;
use crate::timing::{Held, Schedule, Stamp};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::SensorInstance;
use touchline_plugin_api::motion::MAX_MOTION_DATA;
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::player::{ManipulatorStatus, RobotDescription};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::view::{Object, Shape, WorldView};

/// The world after one step.
#[derive(Clone)]
pub struct Frame {
    /// Counts every change of the world, also those made while time stands: two Frames of one world with the same
    /// number are the same.
    pub revision: u64,
    /// How many steps were made since the beginning or the last reset.
    pub step: u64,
    /// How many times the world was reset.
    pub run: u64,
    /// What the noise of its sensors is drawn by.
    pub noise_seed: NoiseSeed,
    /// Simulated time, seconds.
    pub time_secs: f64,
    /// All objects: the fixtures, then balls, then robots.
    pub objects: Vec<Object>,
    /// All shapes, in the world frame, grouped by object.
    pub shapes: Vec<Shape>,
    /// The robots, in the order of their numbers.
    pub robots: Vec<RobotFrame>,
    /// Score, clock, phase, and whatever else the referee says of the game.
    pub game: Match,
    /// The last events, oldest first; each has a number, so a reader who missed Frames misses no event.
    pub events: Arc<[Arc<Event>]>,
    /// The number that the next event will have.
    pub next_event: u64,
    /// The last radio messages, oldest first, numbered likewise.
    pub messages: Arc<[Arc<Message>]>,
    /// The number that the next message will have.
    pub next_message: u64,
    /// How many messages were lost because there were more than a channel carries, since the beginning or the last reset.
    pub messages_dropped: Dropped,
    /// The players that belong to teams.
    pub team_players: Vec<TeamPlayerFrame>,
    /// What the referee publishes of the world, JSON by key.
    pub annotations: Arc<Annotations>,
    /// Where the objects are, for who looks round: made when somebody does.
    pub around: Around,
}

/// One robot after one step.
#[derive(Clone)]
pub struct RobotFrame {
    /// Number, name, description and sensors, which never change.
    pub identity: Arc<RobotIdentity>,
    /// Index into [`Frame::objects`].
    pub object: u32,
    /// The pose in the world.
    pub pose: Pose2,
    /// Sine and cosine of the pose's heading, as the physics keeps them.
    pub heading: (f64, f64),
    /// The velocity in the body frame.
    pub twist: Twist2,
    /// The motion command as it stands, one number for each dimension.
    pub command: Vec<f64>,
    /// What the motion model published.
    pub motion_data: [f64; MAX_MOTION_DATA],
    /// State of each manipulator, in the order of its description.
    pub manipulators: Vec<ManipulatorStatus>,
    /// The state of each sensor; for one that failed and was stopped, when and why.
    pub sensor_states: Vec<Result<Arc<[u8]>, Arc<str>>>,
    /// What can be set of the sensors, as it is: all numbers of the first, then those of the next.
    pub sensor_data: Vec<f64>,
    /// What is to be read of each sensor; empty if none has a timing of its own.
    pub held: Vec<Held>,
    /// The player plugin that drives it, if any.
    pub player: Option<String>,
    /// Whether that was chosen to run in a process of its own, whatever else does.
    pub player_is_isolated: bool,
    /// The client that has taken it over from its player, if any.
    pub taken_by: Option<u64>,
    /// What it publishes about itself, JSON by key.
    pub annotations: Arc<BTreeMap<String, String>>,
    /// What the referee has paid it since the beginning, the last reset, or its episode's.
    pub reward: f64,
    /// Why it was stopped, if it was.
    pub fault: Option<Arc<str>>,
    /// The player that is asked beside its own, if any.
    pub shadow: Option<ShadowFrame>,
}

/// What never changes about a robot.
pub struct RobotIdentity {
    /// Number of the robot, never used again in a run.
    pub number: RobotNumber,
    /// The number that its name ends with.
    pub shirt: Option<u32>,
    /// Name of the robot, unique in the world.
    pub name: String,
    /// Contents of the robot file.
    pub spec: Arc<RobotSpec>,
    /// As those see it who drive it.
    pub description: RobotDescription,
    /// Its sensors, in the order of [`RobotDescription::sensors`].
    pub sensors: Vec<SensorSlot>,
    /// Which of its motion data are those that the referee declared, in the order of
    /// [`GameDescription::motion_data`](touchline_plugin_api::game::GameDescription::motion_data); `None` where it has none of the name.
    pub referee_data: Vec<Option<usize>>,
}

impl RobotIdentity {
    /// A sensor as messages to people name it, such as `sensor "front" (laser)`.
    pub fn sensor_name(&self, sensor: usize) -> String {
        let spec = &self.spec.sensors[sensor];
        format!("sensor \"{}\" ({})", spec.id, spec.choice.plugin)
    }
}

/// One sensor instance and its stream's name.
pub struct SensorSlot {
    /// Plugin instance that generates the readings.
    pub instance: Arc<dyn SensorInstance>,
    /// Its random stream, before the step is put in.
    pub noise: NoiseOwner,
    /// How many integers it gives.
    pub len: usize,
    /// Whether it has nothing to integrate.
    pub is_stateless: bool,
    /// Its own among the robot's [`RobotFrame::sensor_data`].
    pub data: Range<usize>,
    /// The motion datum that turns its mount: index into the motion data.
    pub follows: Option<usize>,
    pub(crate) schedule: Option<Schedule>,
}

impl SensorSlot {
    /// Asks the instance once for what never changes.
    pub fn new(instance: Arc<dyn SensorInstance>, noise: NoiseOwner) -> Self {
        let (len, is_stateless) = (instance.layout().len(), instance.is_stateless());
        Self { instance, noise, len, is_stateless, data: 0..0, follows: None, schedule: None }
    }

    /// The same, with its own data beginning at a place among the robot's.
    pub fn with_data_from(self, start: usize) -> Self {
        let data = start..start + self.instance.data().len();
        Self { data, ..self }
    }

    /// The same, turned by a motion datum.
    pub(crate) fn following(self, follows: Option<usize>) -> Self {
        Self { follows, ..self }
    }

    /// The same, sampling in its own time.
    pub(crate) fn timed(self, timing: &SensorTiming, dt_secs: f64) -> Self {
        Self { schedule: Schedule::new(timing, dt_secs), ..self }
    }
}

impl Frame {
    /// The world as plugins see it.
    pub fn view(&self) -> WorldView<'_> {
        let grid = self.around.grid(&self.objects);
        WorldView { grid, ..WorldView::new(self.step, self.time_secs, &self.objects, &self.shapes) }
    }

    /// The robot of this number.
    pub fn robot(&self, number: RobotNumber) -> Option<&RobotFrame> {
        let place = self.robots.binary_search_by_key(&number, |robot| robot.identity.number).ok()?;
        self.robots.get(place)
    }

    /// The robot of this name.
    pub fn robot_named(&self, name: &str) -> Option<&RobotFrame> {
        self.robots.iter().find(|robot| robot.identity.name == name)
    }

    /// Where a sensor of a robot was in the world when its reading was taken, turned by what it follows; `None` before its first sample.
    ///
    /// # Panics
    /// If `sensor` is out of the robot's range.
    pub fn sensor_pose(&self, robot: &RobotFrame, sensor: usize) -> Option<Pose2> {
        match robot.held.get(sensor).unwrap_or(&Held::Live) {
            Held::Live => Some(Self::platform(robot).sensor_pose(sensor)),
            Held::Nothing => None,
            Held::Sample(sample) => Some(sample.sensor_pose(&robot.identity, sensor)),
        }
    }

    fn platform(robot: &RobotFrame) -> SensorPlatform<'_> {
        SensorPlatform {
            identity: &robot.identity,
            object: robot.object,
            pose: robot.pose,
            heading: robot.heading,
            twist: robot.twist,
            motion_data: &robot.motion_data[..robot.identity.description.motion.data.len()],
            sensor_data: &robot.sensor_data,
        }
    }

    /// Generates one sensor of a robot: the same integers however often and by whomever it is asked. (C5)
    ///
    /// `quantised` is cleared and filled to the layout's length. What comes back is when the reading was taken: now, or at the last
    /// sample that has arrived; `None`, and no integers, before the first.
    ///
    /// # Errors
    /// When the plugin fails, or was stopped because it failed before, with the reason; the caller reports it, neither the Frame nor the
    /// world is changed: to read is no command.
    ///
    /// # Panics
    /// If the robot is of another Frame or `sensor` is out of its range.
    pub fn read_sensor(
        &self,
        robot: &RobotFrame,
        sensor: usize,
        quantised: &mut Vec<u32>,
    ) -> Result<Option<Stamp>, Fault> {
        quantised.clear();
        quantised.resize(robot.identity.sensors[sensor].len, 0);
        let platform = Self::platform(robot);
        let state = robot.sensor_states[sensor].as_ref();
        let state = state.map_err(|stopped| Fault::new(&**stopped))?;
        let held = robot.held.get(sensor).unwrap_or(&Held::Live);
        let (by, seed) = (Reader::Watcher, self.noise_seed);
        let stamp = platform.read(by, seed, self.view(), (sensor, state), held, quantised)?;
        if stamp.is_none() {
            quantised.clear();
        }
        Ok(stamp)
    }
}

/// A player that belongs to a team, after one step.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamPlayerFrame {
    /// Name of the player.
    pub name: Arc<str>,
    /// Index into the world's teams.
    pub team: u32,
    /// The plugin; `None` once it has failed or ended.
    pub plugin: Option<Arc<str>>,
    /// Why it was stopped, if it was.
    pub fault: Option<Arc<str>>,
}
