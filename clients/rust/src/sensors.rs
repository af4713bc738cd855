//! The newest readings of the robot's sensors: one immutable value for each step. [P5, C5]

use crate::error::Error;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_board::{Message, ProtocolError, read_data_line};
use touchline_kit::mounts::MountReader;
use touchline_plugin_api::container::{FeatureHandle, Query, Reading, SensorCatalogue};
use touchline_plugin_api::data_object::{DataError, DataObject};
use touchline_plugin_api::geometry::Pose2;

/// The robot's sensors at one step.
#[derive(Clone, Debug)]
pub struct Sensors {
    catalogue: Arc<SensorCatalogue>,
    /// By sensor, by feature.
    quantised: Vec<Vec<Option<Vec<u32>>>>,
    /// When each sensor's reading was taken.
    stamps_secs: Vec<f64>,
    /// Why there is no reading, by sensor.
    missing: BTreeMap<String, String>,
    step: u64,
    sim_secs: f64,
    stamp_secs: f64,
    updates: u64,
}

impl Sensors {
    /// The container of a robot of which nothing was read yet.
    pub fn new(catalogue: Arc<SensorCatalogue>) -> Self {
        Self {
            quantised: catalogue.sensors.iter().map(|s| vec![None; s.layout.features.len()]).collect(),
            stamps_secs: vec![0.0; catalogue.sensors.len()],
            catalogue,
            missing: BTreeMap::new(),
            step: 0,
            sim_secs: 0.0,
            stamp_secs: 0.0,
            updates: 0,
        }
    }

    /// The same robot's sensors, as an answer to `GET` or a `STATE` block tells them.
    pub(crate) fn updated(&self, message: &Message) -> Result<Self, ProtocolError> {
        let mut sensors = Self::new(self.catalogue.clone());
        sensors.updates = self.updates + 1;
        sensors.step = message.number("step")?;
        sensors.sim_secs = message.number::<u64>("sim_us")? as f64 * 1e-6;
        sensors.stamp_secs = message.number::<i64>("stamp_us")? as f64 * 1e-6;
        for line in &message.lines {
            match line.split_once(' ') {
                Some(("DATA", _)) => sensors.add(line)?,
                Some(("FAULT", _)) => {
                    let fault = Message::read(line)?;
                    sensors.missing.insert(fault.at(0)?.into(), fault.at(1)?.into());
                }
                Some(("NONE", sensor)) => {
                    sensors.missing.insert(sensor.into(), "its first sample has not arrived yet".into());
                }
                _ => {}
            }
        }
        Ok(sensors)
    }

    /// The same robot's sensors, with what a real one has read at `stamp_secs` in place of this feature's reading before; all
    /// others stay, with their own stamps. A program that reads it does not know that no server was asked.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use touchline_client::{Query, Sensors, data::Compass, read_description};
    ///
    /// # fn main() -> Result<(), touchline_client::Error> {
    /// let kept = "OK DESCRIBE robot=0 name=rosie radius_m=0.2 lines=3\n\
    ///     SENSOR compass model=C type=compass plugin=compass x_m=0 y_m=0 z_m=0 theta_rad=0\n\
    ///     FEATURE compass\n\
    ///     FIELD heading unit=rad scale=0.0001 signed=1 shape=scalar\n";
    /// let catalogue = Arc::new(read_description(kept)?.sensors);
    /// let compass = catalogue.find(&Query::feature("compass"))?;
    /// let sensors = Sensors::new(catalogue).filled(compass, &Compass { heading_rad: 0.50004 }, 3.5)?;
    ///
    /// let reading = sensors.read(&Query::feature("compass"))?;
    /// assert_eq!((reading.value("heading"), reading.stamp_secs), (Some(0.5), 3.5));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the feature has not the object's format.
    ///
    /// # Panics
    /// If the handle is another robot's.
    pub fn filled(
        &self,
        handle: FeatureHandle,
        read: &impl DataObject,
        stamp_secs: f64,
    ) -> Result<Self, Error> {
        let feature = self.catalogue.feature(handle);
        let mut quantised = vec![0; feature.len()];
        read.encode(feature, &mut quantised)?;
        Ok(self.with(handle, quantised, stamp_secs))
    }

    /// [`Sensors::filled`] by the values of all the feature's fields in their units, one field after the other, rows first.
    ///
    /// # Errors
    /// When there are more or fewer values than the feature has.
    ///
    /// # Panics
    /// If the handle is another robot's.
    pub fn filled_values(
        &self,
        handle: FeatureHandle,
        values: &[f64],
        stamp_secs: f64,
    ) -> Result<Self, Error> {
        let feature = self.catalogue.feature(handle);
        if values.len() != feature.len() {
            let (feature, got, expected) = (feature.name.clone(), values.len(), feature.len());
            return Err(DataError::WrongLength { feature, got, expected }.into());
        }
        let fields = feature.fields.iter().flat_map(|field| std::iter::repeat_n(field, field.len()));
        let quantised = fields.zip(values).map(|(field, &value)| field.encode(value)).collect();
        Ok(self.with(handle, quantised, stamp_secs))
    }

    fn with(&self, handle: FeatureHandle, quantised: Vec<u32>, stamp_secs: f64) -> Self {
        let mut sensors = self.clone();
        sensors.quantised[handle.sensor][handle.feature] = Some(quantised);
        sensors.stamps_secs[handle.sensor] = stamp_secs;
        sensors.missing.remove(&self.catalogue.sensor(handle).id);
        sensors.updates += 1;
        sensors.step += 1;
        (sensors.sim_secs, sensors.stamp_secs) = (stamp_secs, stamp_secs);
        sensors
    }

    fn add(&mut self, line: &str) -> Result<(), ProtocolError> {
        let mut quantised = Vec::new();
        let data = read_data_line(line.as_bytes(), &mut quantised)?;
        let unknown = || ProtocolError::BadData(format!("\"{}\" with {} integers", data.name, data.len));
        let whole = self.catalogue.sensors.iter().position(|sensor| sensor.id == data.name);
        if let Some(sensor) = whole {
            let layout = &self.catalogue.sensors[sensor].layout;
            if layout.len() != quantised.len() {
                return Err(unknown());
            }
            self.stamps_secs[sensor] = data.stamp_us as f64 * 1e-6;
            for (feature, place) in self.quantised[sensor].iter_mut().enumerate() {
                *place = Some(quantised[layout.range(feature)].to_vec());
            }
            return Ok(());
        }
        let name = |handle: FeatureHandle| {
            let (sensor, feature) = (self.catalogue.sensor(handle), self.catalogue.feature(handle));
            data.name.strip_prefix(&sensor.id).and_then(|rest| rest.strip_prefix('.')) == Some(&feature.name)
        };
        let handle = self.catalogue.all().find(|&handle| name(handle)).ok_or_else(unknown)?;
        if self.catalogue.feature(handle).len() != quantised.len() {
            return Err(unknown());
        }
        self.stamps_secs[handle.sensor] = data.stamp_us as f64 * 1e-6;
        self.quantised[handle.sensor][handle.feature] = Some(quantised);
        Ok(())
    }

    /// What sensors there are, and what their integers mean.
    pub fn catalogue(&self) -> &SensorCatalogue {
        &self.catalogue
    }

    /// The number of the step at which all this could be read.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The simulated time of that step, seconds.
    pub fn sim_secs(&self) -> f64 {
        self.sim_secs
    }

    /// When that step was made, on the client's clock, seconds; a reading has its own stamp, which is earlier if its sensor has a
    /// rate or a delay.
    pub fn stamp_secs(&self) -> f64 {
        self.stamp_secs
    }

    /// How many times the sensors were updated so far; 0 before the first.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// The feature's reading; `None` if it was not read yet, was not selected, or its sensor has failed or has no sample yet.
    pub fn get(&self, handle: FeatureHandle) -> Option<Reading<'_>> {
        let quantised = self.quantised.get(handle.sensor)?.get(handle.feature)?.as_deref()?;
        let stamp_secs = self.stamps_secs[handle.sensor];
        Some(Reading { feature: self.catalogue.feature(handle), quantised, stamp_secs })
    }

    /// The reading of the first feature that the query accepts, in the order of the robot file.
    ///
    /// # Errors
    /// When the robot has no such feature, or there is no reading of it.
    pub fn read(&self, query: &Query) -> Result<Reading<'_>, Error> {
        self.reading(self.catalogue.find(query)?)
    }

    /// Where the feature's sensor sits on the robot, turned as far as the odometry says if it follows a motion datum, such as that of a neck.
    ///
    /// # Errors
    /// When it is turned, and there is no reading of how far.
    ///
    /// # Panics
    /// If the handle is another robot's.
    pub fn mount(&self, handle: FeatureHandle) -> Result<Pose2, Error> {
        let mount = MountReader::new(&self.catalogue, handle)?;
        mount.pose(|odometry| self.get(odometry)).ok_or_else(|| {
            let id = &self.catalogue.sensor(handle).id;
            Error::NoReading(format!("odometry, which says how far \"{id}\" is turned"))
        })
    }

    /// [`Sensors::get`], with the reason why there is no reading.
    ///
    /// # Errors
    /// When there is none.
    ///
    /// # Panics
    /// If the handle is another robot's.
    pub fn reading(&self, handle: FeatureHandle) -> Result<Reading<'_>, Error> {
        self.get(handle).ok_or_else(|| {
            let (sensor, feature) = (self.catalogue.sensor(handle), self.catalogue.feature(handle));
            let why = self.missing.get(&sensor.id).map(|fault| format!(": {fault}")).unwrap_or_default();
            Error::NoReading(format!("{}.{}{why}", sensor.id, feature.name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::container::{Mount, SensorDescription};
    use touchline_plugin_api::layout::{Feature, Field, Layout};

    fn one(id: &str) -> SensorDescription {
        let fields = vec![Field::unsigned("distance", "m", 0.001, &[])];
        SensorDescription {
            id: id.into(),
            model: id.into(),
            sensor_type: "t".into(),
            plugin: "p".into(),
            mount: Mount::default(),
            layout: Layout { features: vec![Feature::new(id, fields)] },
            ..SensorDescription::default()
        }
    }

    /// C3, C4: each reading has the stamp of its line; a sensor without a first sample says that it has none.
    #[test]
    fn readings_have_stamps_of_their_own() {
        let sensors = ["live", "held", "part", "later"].map(one).into();
        let mut message =
            Message::read("STATE robot=1 step=7 sim_us=70000 stamp_us=1000000 lines=4").unwrap();
        let lines =
            ["DATA live 1000000 1 5", "DATA held 920000 1 6", "DATA part.part 960000 1 7", "NONE later"];
        message.lines = lines.map(str::to_owned).into();
        let read = Sensors::new(Arc::new(SensorCatalogue { sensors })).updated(&message).unwrap();
        let stamp_us = |id| (read.read(&Query::feature(id)).unwrap().stamp_secs * 1e6).round();
        assert_eq!(["live", "held", "part"].map(stamp_us), [1e6, 920_000.0, 960_000.0]);
        let why = read.read(&Query::feature("later")).unwrap_err().to_string();
        assert!(why.contains("its first sample has not arrived yet"), "{why}");
    }

    /// S: a sensor on a neck is where the odometry says that it is turned; without that it is an error that names what is missing.
    #[test]
    fn a_mount_is_turned_by_the_neck() {
        let mut sensors: Vec<SensorDescription> = ["camera", "odometry"].map(one).into();
        sensors[0].follows = Some("neck-angle".into());
        let missing = Sensors::new(Arc::new(SensorCatalogue { sensors: sensors.clone() }));
        let camera = FeatureHandle { sensor: 0, feature: 0 };
        assert!(missing.mount(camera).unwrap_err().to_string().contains("\"neck-angle\""));
        sensors[1].layout.features[0].fields = vec![Field::signed("motion/neck-angle", "rad", 1e-4, &[])];
        let sensors = Sensors::new(Arc::new(SensorCatalogue { sensors }));
        assert!(matches!(sensors.mount(camera), Err(Error::NoReading(_))));
        let odometry = FeatureHandle { sensor: 1, feature: 0 };
        let read = sensors.filled_values(odometry, &[-0.5], 1.0).unwrap();
        assert_eq!(read.mount(camera).unwrap(), Pose2::new(0.0, 0.0, -0.5));
    }
}
