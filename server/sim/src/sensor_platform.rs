//! A robot as its sensors are told of it, and the one way in which a sensor is read.

use crate::frame::RobotIdentity;
use crate::timing::{Held, Stamp};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, Twist2, wrap_angle};
use touchline_plugin_api::noise::NoiseSeed;
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::sensor::SensorInput;
use touchline_plugin_api::view::WorldView;

/// Who reads a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// The world, or who steps it: what comes of it depends on nothing else.
    World,
    /// Somebody who looks on. What his reading breaks is not broken for the world.
    Watcher,
}

/// A robot as its sensors are told of it.
pub(crate) struct SensorPlatform<'a> {
    pub identity: &'a RobotIdentity,
    pub object: u32,
    pub pose: Pose2,
    /// Sine and cosine of the pose's heading.
    pub heading: (f64, f64),
    pub twist: Twist2,
    pub motion_data: &'a [f64],
    /// All that can be set of its sensors.
    pub sensor_data: &'a [f64],
}

impl SensorPlatform<'_> {
    /// The pose in the world of something mounted on the robot, turned by the motion datum that it follows.
    fn mounted(&self, mut mount: Mount, follows: Option<usize>) -> Pose2 {
        let (sin, cos) = self.heading;
        if let Some(&turn_rad) = follows.and_then(|datum| self.motion_data.get(datum)) {
            mount.theta_rad += turn_rad;
        }
        Pose2 {
            x_m: self.pose.x_m + cos * mount.x_m - sin * mount.y_m,
            y_m: self.pose.y_m + sin * mount.x_m + cos * mount.y_m,
            theta_rad: wrap_angle(self.pose.theta_rad + mount.theta_rad),
        }
    }

    /// Where a sensor is in the world.
    pub fn sensor_pose(&self, sensor: usize) -> Pose2 {
        let mount = self.identity.description.sensors.sensors[sensor].mount;
        self.mounted(mount, self.identity.sensors[sensor].follows)
    }

    /// Reads one sensor into `quantised`, which has its layout's length: the one way for whoever reads.
    pub fn read(
        &self,
        reader: Reader,
        seed: NoiseSeed,
        view: WorldView<'_>,
        (sensor, state): (usize, &[u8]),
        held: &Held,
        quantised: &mut [u32],
    ) -> Result<Option<Stamp>, Fault> {
        match held {
            Held::Live => {
                self.generate(reader, seed, view, (sensor, state), quantised)?;
                Ok(Some(Stamp { step: view.step, time_secs: view.time_secs }))
            }
            Held::Nothing => Ok(None),
            Held::Sample(sample) => {
                sample.read(reader, self.identity, seed, sensor, quantised)?;
                Ok(Some(sample.stamp()))
            }
        }
    }

    /// Generates one sensor of the world that is seen in `view`.
    pub fn generate(
        &self,
        reader: Reader,
        seed: NoiseSeed,
        view: WorldView<'_>,
        (sensor, state): (usize, &[u8]),
        quantised: &mut [u32],
    ) -> Result<(), Fault> {
        let slot = &self.identity.sensors[sensor];
        let mount_z_m = self.identity.description.sensors.sensors[sensor].mount.z_m;
        let input = SensorInput {
            view,
            robot: self.identity.number,
            robot_object: self.object,
            robot_pose: self.pose,
            robot_twist: self.twist,
            sensor_pose: self.sensor_pose(sensor),
            sensor_z_m: mount_z_m,
            motion_data: self.motion_data,
            data: self.sensor_data.get(slot.data.clone()).unwrap_or_default(),
            noise: seed.key(slot.noise, view.step),
        };
        match reader {
            Reader::World => slot.instance.generate(state, &input, quantised),
            Reader::Watcher => slot.instance.generate_for_watcher(state, &input, quantised),
        }
    }
}
