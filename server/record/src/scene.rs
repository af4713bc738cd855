//! What everything looks like, as other tools see it: the JSON of Foxglove's standard messages.

use crate::poses::id;
use crate::state::Roster;
use serde::Serialize;
use std::borrow::Cow;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::{Object, ObjectKind, Shape, ShapeKind};

/// The frame of the field.
pub const WORLD: &str = "world";

/// A time or a duration.
#[derive(Serialize)]
pub struct Time {
    nsec: u64,
    sec: u64,
}

#[derive(Serialize)]
pub struct Pose {
    orientation: Quaternion,
    position: Vector,
}

/// A turn round the vertical.
#[derive(Serialize)]
struct Quaternion {
    w: f64,
    x: u8,
    y: u8,
    z: f64,
}

#[derive(Serialize)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Serialize)]
struct Colour {
    a: u8,
    b: f64,
    g: f64,
    r: f64,
}

/// `foxglove.SceneUpdate`.
#[derive(Serialize)]
pub struct Scene<'a> {
    deletions: Vec<Deletion<'a>>,
    entities: Vec<Entity<'a>>,
}

#[derive(Serialize)]
struct Deletion<'a> {
    id: &'a str,
    timestamp: Time,
    #[serde(rename = "type")]
    kind: u8,
}

type Nothing = [u8; 0];

#[derive(Serialize)]
struct Entity<'a> {
    arrows: Nothing,
    cubes: Vec<Cube>,
    cylinders: Vec<Cylinder>,
    frame_id: Cow<'a, str>,
    frame_locked: bool,
    id: Cow<'a, str>,
    lifetime: Time,
    lines: Nothing,
    metadata: Nothing,
    models: Nothing,
    spheres: Nothing,
    texts: Nothing,
    timestamp: Time,
    triangles: Vec<Triangle>,
}

#[derive(Serialize)]
struct Cube {
    color: Colour,
    pose: Pose,
    size: Vector,
}

#[derive(Serialize)]
struct Cylinder {
    bottom_scale: u8,
    color: Colour,
    pose: Pose,
    size: Vector,
    top_scale: u8,
}

#[derive(Serialize)]
struct Triangle {
    color: Colour,
    colors: Nothing,
    indices: Nothing,
    points: [Vector; 3],
    pose: Pose,
}

/// Nanoseconds as these messages have them.
pub fn time(nanoseconds: u64) -> Time {
    Time { sec: nanoseconds / 1_000_000_000, nsec: nanoseconds % 1_000_000_000 }
}

/// A pose in the plane, `z` metres above the floor.
pub fn pose(pose: Pose2, z: f64) -> Pose {
    Pose { position: vector(pose.x_m, pose.y_m, z), orientation: quaternion(pose.theta_rad) }
}

/// A reading of a pose, to the last digit of its sensor's units.
pub fn exact_pose(pose: Pose2) -> Pose {
    let exact = |number: f64| (number * 1e9).round() / 1e9;
    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(pose.theta_rad / 2.0);
    Pose {
        position: Vector { x: exact(pose.x_m), y: exact(pose.y_m), z: 0.0 },
        orientation: Quaternion { x: 0, y: 0, z: exact(sin), w: exact(cos) },
    }
}

/// The name under which a scene has an object.
pub fn entity_id<'a>(roster: &'a Roster, object: &Object) -> Cow<'a, str> {
    match object.kind() {
        ObjectKind::Fixtures => "field".into(),
        _ => roster.name(id(object)),
    }
}

/// What these objects look like, each in a frame that moves with it, and which have gone.
pub fn scene<'a>(roster: &'a Roster, objects: &[&Object], gone: &'a [String], nanoseconds: u64) -> Scene<'a> {
    let entity = |object: &&Object| {
        let id = entity_id(roster, object);
        let frame_id = if object.kind() == ObjectKind::Fixtures { WORLD.into() } else { id.clone() };
        let first = object.first_shape as usize;
        let shapes = roster.shapes.get(first..first + object.shape_count as usize).unwrap_or_default();
        let mut entity = Entity {
            arrows: [],
            cubes: Vec::new(),
            cylinders: Vec::new(),
            frame_id,
            frame_locked: true,
            id,
            lifetime: time(0),
            lines: [],
            metadata: [],
            models: [],
            spheres: [],
            texts: [],
            timestamp: time(nanoseconds),
            triangles: Vec::new(),
        };
        shapes.iter().for_each(|shape| entity.add(shape, object));
        entity
    };
    // Type 0 takes away the one of this name.
    let deletion = |id: &'a String| Deletion { id, timestamp: time(nanoseconds), kind: 0 };
    Scene { deletions: gone.iter().map(deletion).collect(), entities: objects.iter().map(entity).collect() }
}

impl Entity<'_> {
    /// Adds a shape, which is in the world frame, as its object has it.
    fn add(&mut self, shape: &Shape, Object { pose: object, vertical, .. }: &Object) {
        let heading = touchline_plugin_api::geometry::atan2(shape.sin, shape.cos);
        let local = object.relative(Pose2 { x_m: shape.x_m, y_m: shape.y_m, theta_rad: heading });
        // Paint on the floor has no height; a tool would not draw it.
        let height = (shape.z_top_m - shape.z_bottom_m).max(0.002);
        let pose_of = |local| pose(local, shape.z_bottom_m - vertical.z_m + height / 2.0);
        let size = vector(2.0 * shape.half_x_m, 2.0 * shape.half_y_m, height);
        let color = colour(shape.colour);
        match shape.kind() {
            ShapeKind::Rectangle => self.cubes.push(Cube { color, pose: pose_of(local), size }),
            ShapeKind::Ellipse => {
                let pose = pose_of(local);
                self.cylinders.push(Cylinder { bottom_scale: 1, color, pose, size, top_scale: 1 });
            }
            ShapeKind::Triangle => {
                let point = |corner: [f64; 2]| {
                    let [x, y] = object.point_to_inner(corner);
                    vector(x, y, shape.z_top_m - vertical.z_m)
                };
                let points = [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c].map(point);
                let pose = pose(Pose2::ORIGIN, 0.0);
                self.triangles.push(Triangle { color, colors: [], indices: [], points, pose });
            }
        }
    }
}

fn colour(rgb: u32) -> Colour {
    let part = |shift: u32| short(f64::from((rgb >> shift) & 0xff) / 255.0);
    Colour { r: part(16), g: part(8), b: part(0), a: 1 }
}

fn quaternion(theta_rad: f64) -> Quaternion {
    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(theta_rad / 2.0);
    Quaternion { x: 0, y: 0, z: short(sin), w: short(cos) }
}

fn vector(x: f64, y: f64, z: f64) -> Vector {
    Vector { x: short(x), y: short(y), z: short(z) }
}

/// To a tenth of a millimetre: these are to be looked at, and each digit costs space.
fn short(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
