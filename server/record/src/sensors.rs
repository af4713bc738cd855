//! One sensor's reading as other tools know it: scans, pictures, poses; all else by its own description.

use crate::{digits, scene};
use serde::Serialize;
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

    /// Appends the message for a feature's integers, JSON.
    ///
    /// `frame_id` is the robot's name, `mount` where the sensor sits on it.
    ///
    /// # Errors
    /// When the integers are not the feature's.
    pub fn write(
        self,
        out: &mut Vec<u8>,
        feature: &Feature,
        quantised: &[u32],
        (frame_id, mount, z_m): (&str, Pose2, f64),
        nanoseconds: u64,
    ) -> Result<(), DataError> {
        let stamp = scene::time(nanoseconds);
        let mut message = match self {
            Self::Scan => return write_scan(out, feature, quantised, (frame_id, mount, z_m), stamp),
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
                json!({ "timestamp": stamp, "frame_id": frame, "pose": scene::exact_pose(pose) })
            }
            Self::Values => {
                json!({ "timestamp": stamp, "frame_id": frame_id })
            }
        };
        // What the message has no place of its own for.
        let others = values(feature, quantised, |name| !self.fields().contains(&name));
        if self == Self::Values || !others.is_empty() {
            message["values"] = others.into();
        }
        out.extend_from_slice(message.to_string().as_bytes());
        Ok(())
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

/// What a scan has beside its ranges.
#[derive(Serialize)]
struct ScanRest<'a> {
    timestamp: scene::Time,
    frame_id: &'a str,
    pose: scene::Pose,
    start_angle: f64,
    end_angle: f64,
    intensities: [u8; 0],
    #[serde(skip_serializing_if = "Map::is_empty")]
    values: Map<String, Value>,
}

/// A scan is most of a recording that has any: none of it becomes a value of JSON before it is text.
fn write_scan(
    out: &mut Vec<u8>,
    feature: &Feature,
    quantised: &[u32],
    (frame_id, mount, z_m): (&str, Pose2, f64),
    timestamp: scene::Time,
) -> Result<(), DataError> {
    let scan = LaserScan::decode(feature, quantised)?;
    out.extend_from_slice(b"{\"ranges\":");
    let scale = feature.field("ranges").map_or(0.0, |(_, field)| field.scale);
    digits::ranges(out, &scan.ranges_m, scale);
    let rest = ScanRest {
        timestamp,
        frame_id,
        pose: scene::pose(mount, z_m),
        start_angle: scan.angle_min_rad,
        end_angle: scan.angle_rad(scan.ranges_m.len().saturating_sub(1)),
        intensities: [],
        values: values(feature, quantised, |name| !SCAN.contains(&name)),
    };
    let join = out.len();
    // Nothing but the text's memory can fail.
    let _ = serde_json::to_writer(&mut *out, &rest);
    // Two objects become one.
    out[join] = b',';
    Ok(())
}

/// The values of the fields that are wanted by their names; one that is not finite is `null`.
fn values(feature: &Feature, quantised: &[u32], is_wanted: impl Fn(&str) -> bool) -> Map<String, Value> {
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
        if !is_wanted(&field.name) {
            continue;
        }
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Any JSON reader finds the ranges of a scan, to the millimetre, and each of its other values once.
        #[test]
        fn scans_come_back(quantised in proptest::collection::vec(0..100_000_u32, 1..40)) {
            let feature = LaserScan::feature("scan", quantised.len() as u32);
            let scan = LaserScan {
                angle_min_rad: -1.5,
                angle_step_rad: 0.125,
                ranges_m: quantised.iter().map(|&range| f64::from(range) * 1e-3).collect(),
            };
            let mut integers = vec![0; feature.len()];
            scan.encode(&feature, &mut integers).unwrap();
            let mut out = Vec::new();
            Form::Scan.write(&mut out, &feature, &integers, ("r1", Pose2::ORIGIN, 0.25), 1_500_000_000).unwrap();
            let read: Value = serde_json::from_slice(&out).unwrap();
            let ranges: Vec<f64> = serde_json::from_value(read["ranges"].clone()).unwrap();
            prop_assert_eq!(ranges.len(), quantised.len());
            for (range, &millimetres) in ranges.iter().zip(&quantised) {
                prop_assert_eq!((range * 1e3).round() as u32, millimetres);
                prop_assert!((range - f64::from(millimetres) / 1e3).abs() < 1e-12);
            }
            let end_rad = -1.5 + 0.125 * (quantised.len() - 1) as f64;
            prop_assert_eq!(read["start_angle"].as_f64(), Some(-1.5));
            prop_assert!((read["end_angle"].as_f64().unwrap() - end_rad).abs() < 1e-9);
            prop_assert_eq!(&read["timestamp"], &json!({ "sec": 1, "nsec": 500_000_000 }));
            prop_assert_eq!(&read["frame_id"], &json!("r1"));
            prop_assert_eq!(read.as_object().unwrap().len(), 7, "{}", read);
        }
    }

    /// What is too close and what is not there are numbers that tools do not draw.
    #[test]
    fn ranges_that_are_none_are_numbers() {
        let scan =
            LaserScan { ranges_m: vec![f64::NEG_INFINITY, f64::INFINITY, 2.0], ..LaserScan::default() };
        let feature = LaserScan::feature("scan", 3);
        let mut integers = vec![0; feature.len()];
        scan.encode(&feature, &mut integers).unwrap();
        let mut out = Vec::new();
        Form::Scan.write(&mut out, &feature, &integers, ("r1", Pose2::ORIGIN, 0.0), 0).unwrap();
        let read: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(serde_json::from_value::<Vec<f64>>(read["ranges"].clone()).unwrap(), [0.0, -1.0, 2.0]);
    }
}
