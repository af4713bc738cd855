//! What is published, with each sensor's line formatted once for all connections.

use parking_lot::Mutex;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use touchline_board::FormattedSensor;
use touchline_gate::{Gate, Published};

/// A published Frame, and the text of its readings.
pub(crate) struct Shown {
    published: Arc<Published>,
    /// For each robot of the Frame, for each of its sensors.
    texts: Vec<Vec<OnceLock<FormattedSensor>>>,
}

impl Shown {
    pub fn new(published: Arc<Published>) -> Arc<Self> {
        let texts = published.frame.robots.iter();
        let texts = texts.map(|robot| robot.identity.sensors.iter().map(|_| OnceLock::new()).collect());
        let texts = texts.collect();
        Arc::new(Self { published, texts })
    }

    /// Whether a sensor's text is there already, so that nobody waits for its plugin.
    pub fn is_there(&self, robot: usize, sensor: usize) -> bool {
        self.texts[robot].get(sensor).is_some_and(|text| text.get().is_some())
    }

    /// A sensor's integers as text, and their age in microseconds: formatted by the first who asks, shared by all others. `None`
    /// before its first sample.
    ///
    /// # Errors
    /// What the sensor's plugin says when it fails.
    pub fn sensor(&self, robot: usize, sensor: usize) -> Result<Option<(&FormattedSensor, u64)>, &str> {
        let Some(reading) = self.published.sensor(robot, sensor)? else { return Ok(None) };
        let text = self.texts[robot][sensor].get_or_init(|| {
            let slot = &self.published.frame.robots[robot].identity.sensors[sensor];
            FormattedSensor::new(slot.instance.layout(), &reading.quantised)
        });
        Ok(Some((text, reading.age_us)))
    }
}

impl Deref for Shown {
    type Target = Published;

    fn deref(&self) -> &Published {
        &self.published
    }
}

/// What was published last, shared by all connections.
#[derive(Default)]
pub(crate) struct Newest(Mutex<Option<Arc<Shown>>>);

impl Newest {
    /// The newest Frame as text, made once for all connections.
    pub fn of(&self, gate: &Gate) -> Arc<Shown> {
        let published = gate.newest();
        let mut newest = self.0.lock();
        match &*newest {
            Some(shown) if Arc::ptr_eq(&shown.published, &published) => Arc::clone(shown),
            _ => Arc::clone(newest.insert(Shown::new(published))),
        }
    }
}
