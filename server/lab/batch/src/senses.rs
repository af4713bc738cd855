//! What an agent's own parts tell, read from the world when it is asked for.

use touchline_episode::Senses;
use touchline_plugin_api::player::ManipulatorStatus;
use touchline_plugin_api::plugin::Fault;
use touchline_sim::RobotNow;

/// One agent's sensors and manipulators.
///
/// A sensor that failed reads as nothing, and so does one whose first sample has not arrived.
pub(crate) struct AgentSenses<'a> {
    robot: RobotNow<'a>,
    /// The sensors that could not be read, and why.
    pub failed: Vec<(usize, Fault)>,
    quantised: &'a mut Vec<u32>,
    /// Words of one sensor come one after the other: it is generated once. Which it was, and whether it could be read.
    read: Option<(usize, bool)>,
}

impl<'a> AgentSenses<'a> {
    /// `quantised` is work space.
    pub fn new(robot: RobotNow<'a>, quantised: &'a mut Vec<u32>) -> Self {
        Self { robot, failed: Vec::new(), quantised, read: None }
    }
}

impl Senses for AgentSenses<'_> {
    fn sensor(&mut self, sensor: usize) -> Option<&[u32]> {
        let is_read = match self.read {
            Some((last, is_read)) if last == sensor => is_read,
            _ => {
                let len = self.robot.identity().sensors[sensor].len;
                self.quantised.clear();
                self.quantised.resize(len, 0);
                let read = self.robot.read(sensor, self.quantised);
                read.map_err(|fault| self.failed.push((sensor, fault))).is_ok_and(|stamp| stamp.is_some())
            }
        };
        self.read = Some((sensor, is_read));
        is_read.then_some(&self.quantised[..])
    }

    fn manipulators(&self) -> impl Iterator<Item = ManipulatorStatus> {
        self.robot.manipulators()
    }
}
