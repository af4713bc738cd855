//! What everything looks like, as other tools see it: the JSON of Foxglove's standard messages.

use crate::poses::id;
use crate::state::Cast;
use serde_json::{Value, json};
use std::borrow::Cow;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::{Object, ObjectKind, Shape, ShapeKind};

/// The frame of the field.
pub const WORLD: &str = "world";

/// Nanoseconds as these messages have them.
pub fn time(nanoseconds: u64) -> Value {
    json!({ "sec": nanoseconds / 1_000_000_000, "nsec": nanoseconds % 1_000_000_000 })
}

/// A pose in the plane, `z` metres above the floor.
pub fn pose(pose: Pose2, z: f64) -> Value {
    json!({ "position": { "x": short(pose.x_m), "y": short(pose.y_m), "z": short(z) }, "orientation": quaternion(pose.theta_rad) })
}

/// The name under which a scene has an object.
pub fn entity_id<'a>(cast: &'a Cast, object: &Object) -> Cow<'a, str> {
    match object.kind() {
        ObjectKind::Fixtures => "field".into(),
        _ => cast.name(id(object)),
    }
}

/// What these objects look like, each in a frame that moves with it, and which have gone: `foxglove.SceneUpdate`.
pub fn scene(cast: &Cast, objects: &[&Object], gone: &[String], nanoseconds: u64) -> Value {
    let entity = |object: &&Object| {
        let name = entity_id(cast, object);
        let frame_id = if object.kind() == ObjectKind::Fixtures { WORLD } else { &*name };
        let first = object.first_shape as usize;
        let shapes = cast.shapes.get(first..first + object.shape_count as usize).unwrap_or_default();
        let mut solids = Solids::default();
        shapes.iter().for_each(|shape| solids.add(shape, object));
        json!({
            "timestamp": time(nanoseconds),
            "frame_id": frame_id,
            "id": name,
            "lifetime": time(0),
            "frame_locked": true,
            "metadata": [], "arrows": [], "spheres": [], "lines": [], "texts": [], "models": [],
            "cubes": solids.cubes, "cylinders": solids.cylinders, "triangles": solids.triangles,
        })
    };
    // Type 0 takes away the one of this name.
    let deletion = |id: &String| json!({ "timestamp": time(nanoseconds), "type": 0, "id": id });
    json!({
        "deletions": gone.iter().map(deletion).collect::<Vec<_>>(),
        "entities": objects.iter().map(entity).collect::<Vec<_>>(),
    })
}

#[derive(Default)]
struct Solids {
    cubes: Vec<Value>,
    cylinders: Vec<Value>,
    triangles: Vec<Value>,
}

impl Solids {
    /// Adds a shape, which is in the world frame, as its object has it.
    fn add(&mut self, shape: &Shape, Object { pose: object, vertical, .. }: &Object) {
        let heading = touchline_plugin_api::geometry::atan2(shape.sin, shape.cos);
        let local = object.relative(Pose2 { x_m: shape.x_m, y_m: shape.y_m, theta_rad: heading });
        // Paint on the floor has no height; a tool would not draw it.
        let height = (shape.z_top_m - shape.z_bottom_m).max(0.002);
        let middle = shape.z_bottom_m - vertical.z_m + height / 2.0;
        let size =
            json!({ "x": short(2.0 * shape.half_x_m), "y": short(2.0 * shape.half_y_m), "z": short(height) });
        let colour = colour(shape.colour);
        match shape.kind() {
            ShapeKind::Rectangle => {
                self.cubes.push(json!({ "pose": pose(local, middle), "size": size, "color": colour }));
            }
            ShapeKind::Ellipse => self.cylinders.push(json!({
                "pose": pose(local, middle), "size": size, "color": colour, "bottom_scale": 1, "top_scale": 1,
            })),
            ShapeKind::Triangle => {
                let corners = [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c];
                let point = |corner: [f64; 2]| {
                    let [x, y] = object.point_to_inner(corner);
                    json!({ "x": short(x), "y": short(y), "z": short(shape.z_top_m - vertical.z_m) })
                };
                self.triangles.push(json!({
                    "pose": pose(Pose2::ORIGIN, 0.0), "points": corners.map(point), "color": colour,
                    "colors": [], "indices": [],
                }));
            }
        }
    }
}

fn colour(rgb: u32) -> Value {
    let part = |shift: u32| f64::from((rgb >> shift) & 0xff) / 255.0;
    json!({ "r": short(part(16)), "g": short(part(8)), "b": short(part(0)), "a": 1 })
}

fn quaternion(theta_rad: f64) -> Value {
    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(theta_rad / 2.0);
    json!({ "x": 0, "y": 0, "z": short(sin), "w": short(cos) })
}

/// To a tenth of a millimetre: these are to be looked at, and each digit costs space.
fn short(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
