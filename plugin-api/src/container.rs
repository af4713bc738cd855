//! The sensor container: features are found by what they are, not by who gives them. (P5)
//!
//! A [`SensorCatalogue`] lists a robot's sensors. [`SensorCatalogue::find`] takes a [`Query`] by model, type
//! and/or feature name and gives a [`FeatureHandle`]; a [`Reading`] is that feature's integers at one step.
//! The server's players and the client libraries use these same types.

use crate::data_object::{DataError, DataObject};
use crate::geometry::Pose2;
use crate::layout::{Feature, Layout};
use crate::sensor::SensorDatum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where on its robot a sensor sits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Forward of the robot's centre, metres.
    #[serde(default)]
    pub x_m: f64,
    /// Left of the robot's centre, metres.
    #[serde(default)]
    pub y_m: f64,
    /// Above the floor, metres.
    #[serde(default)]
    pub z_m: f64,
    /// The sensor's x axis against the robot's, radians, counter-clockwise.
    #[serde(default)]
    pub theta_rad: f64,
}

impl Mount {
    /// The mounting as a pose in the robot's frame.
    pub fn pose(self) -> Pose2 {
        Pose2::new(self.x_m, self.y_m, self.theta_rad)
    }
}

/// One sensor of a robot, as its readers see it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SensorDescription {
    /// The name within the robot, such as `laser`; unique there.
    pub id: String,
    /// The make, such as `LMS200`.
    pub model: String,
    /// What it is, such as `laser`: said by the plugin.
    #[serde(rename = "type")]
    pub sensor_type: String,
    /// The plugin that generates it.
    pub plugin: String,
    /// Where it sits.
    pub mount: Mount,
    /// The motion datum that turns it, such as `neck-angle`: radians, added to the mount's heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// What its integers mean.
    pub layout: Layout,
    /// What can be set of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<SensorDatum>,
}

/// What is looked for; an empty part matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The make, such as `LMS200`.
    pub model: Option<String>,
    /// The type, such as `laser`.
    pub sensor_type: Option<String>,
    /// The feature's name, such as `ball`.
    pub feature: Option<String>,
}

impl std::fmt::Display for Query {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [("model", &self.model), ("type", &self.sensor_type), ("feature", &self.feature)];
        let asked = parts.into_iter().filter_map(|(name, part)| Some((name, part.as_ref()?)));
        let asked: Vec<String> = asked.map(|(name, part)| format!("the {name} \"{part}\"")).collect();
        f.write_str(if asked.is_empty() { "anything" } else { "" })?;
        f.write_str(&asked.join(", "))
    }
}

impl Query {
    /// Any sensor's feature of this name.
    pub fn feature(name: &str) -> Self {
        Self { feature: Some(name.into()), ..Self::default() }
    }

    /// Accepts only sensors of this type.
    pub fn of_type(self, sensor_type: &str) -> Self {
        Self { sensor_type: Some(sensor_type.into()), ..self }
    }

    /// Accepts only sensors of this make.
    pub fn of_model(self, model: &str) -> Self {
        Self { model: Some(model.into()), ..self }
    }

    fn accepts(&self, sensor: &SensorDescription, feature: &Feature) -> bool {
        let matches = |wanted: &Option<String>, got: &str| wanted.as_deref().is_none_or(|w| w == got);
        matches(&self.model, &sensor.model)
            && matches(&self.sensor_type, &sensor.sensor_type)
            && matches(&self.feature, &feature.name)
    }
}

/// A feature of a robot's catalogue: which sensor, and which of its features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FeatureHandle {
    /// Index into [`SensorCatalogue::sensors`].
    pub sensor: usize,
    /// Index into that sensor's features.
    pub feature: usize,
}

/// All sensors of a robot, with their features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SensorCatalogue {
    /// In the order of the robot file.
    pub sensors: Vec<SensorDescription>,
}

impl SensorCatalogue {
    /// The first feature that the query accepts, in the order of the robot file.
    ///
    /// # Errors
    /// [`NotFound`], which names what there is.
    pub fn find(&self, query: &Query) -> Result<FeatureHandle, NotFound> {
        self.find_all(query).next().ok_or_else(|| NotFound {
            query: query.clone(),
            features: self.all().map(|h| format!("{}.{}", self.sensor(h).id, self.feature(h).name)).collect(),
        })
    }

    /// All features that the query accepts, in the order of the robot file.
    pub fn find_all<'a>(&'a self, query: &'a Query) -> impl Iterator<Item = FeatureHandle> + 'a {
        self.all().filter(|&handle| query.accepts(self.sensor(handle), self.feature(handle)))
    }

    /// All features of all sensors, in the order of the robot file.
    pub fn all(&self) -> impl Iterator<Item = FeatureHandle> + '_ {
        self.sensors.iter().enumerate().flat_map(|(sensor, description)| {
            (0..description.layout.features.len()).map(move |feature| FeatureHandle { sensor, feature })
        })
    }

    /// The sensor that gives the feature.
    pub fn sensor(&self, handle: FeatureHandle) -> &SensorDescription {
        &self.sensors[handle.sensor]
    }

    /// Format of the feature: its fields and units.
    pub fn feature(&self, handle: FeatureHandle) -> &Feature {
        &self.sensors[handle.sensor].layout.features[handle.feature]
    }
}

/// No sensor of the robot gives what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no sensor gives {query}; this robot has {}", if features.is_empty() { "none".into() } else { features.join(", ") })]
pub struct NotFound {
    /// The query that matched no feature.
    pub query: Query,
    /// What there is, as `sensor.feature`.
    pub features: Vec<String>,
}

/// One feature's integers at one step, with their meaning.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// Format of the integers: fields, units and shapes.
    pub feature: &'a Feature,
    /// Values of the feature, quantised; the format says how to decode them.
    pub quantised: &'a [u32],
    /// When it was taken: simulated seconds on the server, the client's own clock on a client.
    pub stamp_secs: f64,
}

impl<'a> Reading<'a> {
    /// A field's values in its unit; `None` if the feature has no such field.
    pub fn field(&self, name: &str) -> Option<impl ExactSizeIterator<Item = f64> + use<'a>> {
        let (start, field) = self.feature.field(name)?;
        let (scale, signed) = (field.scale, field.signed);
        let quantised = self.quantised.get(start..start + field.len())?;
        Some(quantised.iter().map(move |&count| crate::layout::decode(count, scale, signed)))
    }

    /// A scalar field's value in its unit; `None` if there is no such field.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.field(name)?.next()
    }

    /// The reading as a data object.
    ///
    /// # Errors
    /// When the feature's format is not the object's.
    pub fn decode<T: DataObject>(&self) -> Result<T, DataError> {
        T::decode(self.feature, self.quantised)
    }
}
