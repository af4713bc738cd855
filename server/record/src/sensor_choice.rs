//! Which sensors' readings are recorded.

use std::str::FromStr;

/// Sensors whose readings go into the log, at each [`Item::Frame`](crate::Item::Frame).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensorChoice {
    /// A robot's name, or `*`.
    pub robot: String,
    /// A sensor's name in its robot file, or `*`.
    pub sensor: String,
}

impl FromStr for SensorChoice {
    type Err = String;

    /// Reads `blue-1/laser`, `*/laser`, `blue-1/*`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/') {
            Some((robot, sensor)) if !robot.is_empty() && !sensor.is_empty() => {
                Ok(Self { robot: robot.into(), sensor: sensor.into() })
            }
            _ => Err("ROBOT/SENSOR, each a name or *, such as blue-1/laser or */camera".into()),
        }
    }
}

impl SensorChoice {
    /// Whether some sensor of the world's robots is meant.
    ///
    /// # Errors
    /// When none is: what there are.
    pub fn check(&self, world: &touchline_sim::World) -> Result<(), String> {
        self.check_in(world.scenario())
    }

    /// Whether some sensor of the robots that a world begins with is meant.
    ///
    /// # Errors
    /// When none is: what there are.
    pub fn check_in(&self, scenario: &touchline_sim::Scenario) -> Result<(), String> {
        let mut known = Vec::new();
        for robot in &scenario.robots {
            for sensor in &robot.spec.sensors {
                if self.fits(&robot.name, &sensor.id) {
                    return Ok(());
                }
                known.push(format!("{}/{}", robot.name, sensor.id));
            }
        }
        Err(format!(
            "{}/{}: no robot of this world has such a sensor\n  allowed  {}",
            self.robot,
            self.sensor,
            known.join(", ")
        ))
    }

    /// Whether this sensor of this robot is meant.
    pub fn fits(&self, robot: &str, sensor: &str) -> bool {
        let fits = |choice: &str, name: &str| choice == "*" || choice == name;
        fits(&self.robot, robot) && fits(&self.sensor, sensor)
    }
}
