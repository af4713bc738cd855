//! One sensor's reading as other tools know it: scans, pictures, poses; all else by its own description.

use crate::scene;
use serde_json::{Map, Value, json};
use touchline_kit::data::{DataError, DataObject, Image, LaserScan, Odometry};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::layout::{Feature, Field};

/// The message that a feature becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `foxglove.LaserScan`.
    Scan,
    /// `foxglove.CompressedImage`, PNG.
    Image,
    /// `foxglove.PoseInFrame`, with the feature's other fields as `values`.
    Pose,
    /// `touchline.Sensor`: the values of each field by its name.
    Values,
}

impl Form {
    /// What a feature can be, by the fields that it has.
    pub fn of(feature: &Feature) -> Self {
        let has = |names: &[&str]| names.iter().all(|name| feature.field(name).is_some());
        // Sonars have a place for each of many: that is no pose.
        let is_single = |name: &str| feature.field(name).is_some_and(|(_, field)| field.shape.is_empty());
        match () {
            () if has(&SCAN) => Self::Scan,
            () if has(&PIXELS) => Self::Image,
            () if POSE.iter().all(|name| is_single(name)) => Self::Pose,
            () => Self::Values,
        }
    }

    /// Name of the schema in the MCAP file.
    pub const fn schema_name(self) -> &'static str {
        match self {
            Self::Scan => "foxglove.LaserScan",
            Self::Image => "foxglove.CompressedImage",
            Self::Pose => "foxglove.PoseInFrame",
            Self::Values => "touchline.Sensor",
        }
    }

    /// The message for a feature's integers.
    ///
    /// `frame_id` is the robot's name, `mount` where the sensor sits on it.
    ///
    /// # Errors
    /// When the integers are not the feature's.
    pub fn message(
        self,
        feature: &Feature,
        quantised: &[u32],
        (frame_id, mount, z_m): (&str, Pose2, f64),
        nanoseconds: u64,
    ) -> Result<Value, DataError> {
        let stamp = scene::time(nanoseconds);
        let mut message = match self {
            Self::Scan => {
                let scan = LaserScan::decode(feature, quantised)?;
                let last = scan.ranges_m.len().saturating_sub(1);
                // JSON has no infinity, and a range is a number: too close is 0, and nothing there -1, which tools do not draw.
                let range = |&range: &f64| match range {
                    f64::NEG_INFINITY => 0.0,
                    range if range.is_finite() => (range * 1e3).round() / 1e3,
                    _ => NOTHING_THERE,
                };
                json!({
                    "timestamp": stamp, "frame_id": frame_id, "pose": scene::pose(mount, z_m),
                    "start_angle": scan.angle_min_rad, "end_angle": scan.angle_rad(last),
                    "ranges": scan.ranges_m.iter().map(range).collect::<Vec<_>>(), "intensities": [],
                })
            }
            Self::Image => {
                let image = Image::decode(feature, quantised)?;
                json!({ "timestamp": stamp, "frame_id": frame_id, "format": "png", "data": base64(&png(&image)) })
            }
            Self::Pose => {
                let value = |name: &str| value(feature, quantised, name);
                let pose = Pose2 { x_m: value("x"), y_m: value("y"), theta_rad: value("theta") };
                // A robot believes to be somewhere seen from where it started, which is not the world's origin.
                let frame = match feature.name.as_str() {
                    Odometry::FEATURE => format!("{frame_id}/odom"),
                    _ => scene::WORLD.to_owned(),
                };
                json!({ "timestamp": stamp, "frame_id": frame, "pose": scene::pose(pose, 0.0) })
            }
            Self::Values => {
                json!({ "timestamp": stamp, "frame_id": frame_id })
            }
        };
        // What the message has no place of its own for.
        let mut others = values(feature, quantised);
        others.retain(|name, _| !self.fields().contains(&name.as_str()));
        if self == Self::Values || !others.is_empty() {
            message["values"] = others.into();
        }
        Ok(message)
    }

    /// The fields that stand in the message under other names.
    const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Scan => &SCAN,
            Self::Image => &PIXELS,
            Self::Pose => &POSE,
            Self::Values => &[],
        }
    }
}

/// The fields that make a scan.
const SCAN: [&str; 3] = ["angle_min", "angle_step", "ranges"];
/// The field that makes a picture.
const PIXELS: [&str; 1] = ["pixels"];
/// The fields that make a pose.
const POSE: [&str; 3] = ["x", "y", "theta"];
/// A beam that met nothing.
const NOTHING_THERE: f64 = -1.0;

/// Every field's values; one that is not finite is `null`.
pub fn values(feature: &Feature, quantised: &[u32]) -> Map<String, Value> {
    let mut at = 0;
    let number = |field: &Field, count: u32| {
        let value = field.decode(count);
        // A field's unit is a power of ten: more digits than it has say nothing.
        if value.is_finite() { json!((value * 1e9).round() / 1e9) } else { Value::Null }
    };
    let mut all = Map::new();
    for field in &feature.fields {
        let part = quantised.get(at..at + field.len()).unwrap_or_default();
        at += field.len();
        let value = match (field.shape.is_empty(), part) {
            (true, [count]) => number(field, *count),
            _ => part.iter().map(|&count| number(field, count)).collect(),
        };
        all.insert(field.name.clone(), value);
    }
    all
}

fn value(feature: &Feature, quantised: &[u32], name: &str) -> f64 {
    let field = feature.field(name);
    field.and_then(|(start, field)| Some(field.decode(*quantised.get(start)?))).unwrap_or(0.0)
}

fn png(image: &Image) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width as u32, image.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&image.to_rgb()));
    // Nothing but a size of 0 can fail in memory; such a picture has no bytes.
    if written.is_err() {
        return Vec::new();
    }
    bytes
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
