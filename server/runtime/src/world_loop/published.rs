//! What the loop publishes after a step, with each sensor formatted once for all who ask.

use super::faults::Faults;
use super::{Speed, StepTimes};
use std::sync::{Arc, OnceLock};
use touchline_board::FormattedSensor;
use touchline_record::Moment;
use touchline_sim::Frame;

/// How the loop is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopStatus {
    /// Whether it stands still until resumed.
    pub paused: bool,
    /// The speed that was asked for.
    pub speed: Speed,
    /// Simulated seconds for each second, over about the last second.
    pub real_time_factor: f64,
    /// How late the last step began, milliseconds.
    pub late_ms: f64,
    /// Steps made in real time since the loop began.
    pub timed_steps: u64,
    /// Those of them that began more than 2 ms late.
    pub late_steps: u64,
    /// How late the latest of them began, milliseconds.
    pub max_late_ms: f64,
    /// What all steps took since the loop began.
    pub step_times: StepTimes,
    /// Frames published since the loop began.
    pub frames: u64,
    /// Where on the timeline this is: steps made since the server began, or the place in the recording.
    pub moment: Moment,
    /// See [`touchline_sim::World::state_hash`].
    pub state_hash: u64,
}

impl LoopStatus {
    /// Before the first step.
    pub fn new(speed: Speed) -> Self {
        Self {
            paused: false,
            speed,
            real_time_factor: 0.0,
            late_ms: 0.0,
            timed_steps: 0,
            late_steps: 0,
            max_late_ms: 0.0,
            step_times: StepTimes::default(),
            frames: 0,
            moment: 0,
            state_hash: 0,
        }
    }
}

/// A sensor's reading.
pub struct SensorRead {
    /// Its integers as text.
    pub formatted: FormattedSensor,
    /// How long before the Frame's step it was taken, microseconds of simulated time.
    pub age_us: u64,
}

/// What a sensor gives: nothing before its first sample; else a reading, or why it failed.
type Given = Result<Option<SensorRead>, String>;

/// A Frame with the instant of its publication.
pub struct Published {
    /// What is true.
    pub frame: Arc<Frame>,
    /// When it was published, in microseconds of the server's clock.
    pub stamp_us: u64,
    /// How the loop is doing.
    pub status: LoopStatus,
    /// For each robot of the Frame, for each of its sensors.
    sensors: Vec<Vec<OnceLock<Given>>>,
    faults: Arc<Faults>,
}

impl Published {
    pub(super) fn new(frame: Arc<Frame>, stamp_us: u64, status: LoopStatus, faults: Arc<Faults>) -> Self {
        let empty = |robot: &touchline_sim::RobotFrame| {
            robot.identity.sensors.iter().map(|_| OnceLock::new()).collect()
        };
        let sensors = frame.robots.iter().map(empty).collect();
        Self { frame, stamp_us, status, sensors, faults }
    }

    /// A sensor's integers as text: generated and formatted by the first who asks, shared by all others. `None` before its first
    /// sample has arrived.
    ///
    /// `robot` is an index into the Frame's robots.
    ///
    /// # Errors
    /// What the sensor's plugin says when it fails.
    pub fn sensor(&self, robot: usize, sensor: usize) -> Result<Option<&SensorRead>, &str> {
        let place = &self.sensors[robot][sensor];
        let formatted = place.get_or_init(|| {
            let frame = &self.frame.robots[robot];
            let mut counts = Vec::new();
            let stamp = self.frame.read_sensor(frame, sensor, &mut counts).map_err(|fault| {
                let message = fault.to_string();
                self.faults.reading(&frame.identity.name, &frame.identity.sensor_name(sensor), &message);
                message
            })?;
            let layout = frame.identity.sensors[sensor].instance.layout();
            let read = stamp.map(|stamp| SensorRead {
                formatted: FormattedSensor::new(layout, &counts),
                age_us: ((self.frame.time_secs - stamp.time_secs) * 1e6).round() as u64,
            });
            Ok(read)
        });
        formatted.as_ref().map(Option::as_ref).map_err(String::as_str)
    }
}
