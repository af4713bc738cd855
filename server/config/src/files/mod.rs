//! What may stand in robot and world files: one type per table, the source of parser, JSON Schema and reference.
//!
//! # Units, frames
//! SI and radians; x forward, y left, angles counter-clockwise; the world's origin is the middle of the field.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use touchline_plugin_api::geometry::Pose2;

/// A word that can be used in a command: letters, digits, `_`, `.` and `-`. Recordings are held to the same:
/// [`touchline_sim::scenario::is_name`].
pub(crate) const NAME: &str = "^[A-Za-z0-9_.-]{1,64}$";
/// A sensor's: no dot, behind which the message board has one of its features (`laser.180DegreeScan`).
pub(crate) const SENSOR_ID: &str = "^[A-Za-z0-9_-]{1,64}$";
pub(crate) const COLOUR: &str = "^#[0-9A-Fa-f]{6}$";
/// A heading is at most a turn to either side, and a little for rounding, radians: what is more was meant in degrees.
pub(crate) const MAX_HEADING_RAD: f64 = 6.3;

/// A plugin and its parameters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plugin {
    /// The plugin's name: `touchline plugins` lists what there is.
    pub plugin: String,
    /// The plugin's own parameters: `touchline plugins` lists them.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Whether it runs in a process of its own: a crash, an endless loop or a full memory then costs no more than this plugin.
    #[serde(default)]
    pub isolate: bool,
}

/// The outline of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outline {
    /// `length_m` along its x, `width_m` along its y.
    Rectangle,
    /// `length_m` along its x, `width_m` along its y.
    Ellipse,
    /// `radius_m`.
    Circle,
    /// `corners_m`.
    Triangle,
}

/// Makes a table of the keys that every shape has, and of its own. (serde's `flatten` would lose the places of errors.)
macro_rules! shape {
    ($(#[$attribute:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            /// The outline.
            pub shape: Outline,
            /// The extent along its own x (rectangle, ellipse), metres.
            #[schemars(range(min = touchline_sim::scenario::MIN_THICKNESS_M, max = 1000.0))]
            pub length_m: Option<f64>,
            /// The extent along its own y (rectangle, ellipse), metres.
            #[schemars(range(min = touchline_sim::scenario::MIN_THICKNESS_M, max = 1000.0))]
            pub width_m: Option<f64>,
            /// The radius (circle), metres.
            #[schemars(range(min = touchline_sim::scenario::MIN_THICKNESS_M, max = 1000.0))]
            pub radius_m: Option<f64>,
            /// The three corners (triangle) in the shape's frame: `[[x, y], [x, y], [x, y]]`, metres.
            pub corners_m: Option<[[f64; 2]; 3]>,
            /// Its place, metres.
            #[serde(default)]
            #[schemars(range(min = -touchline_sim::scenario::MAX_COORDINATE_M, max = touchline_sim::scenario::MAX_COORDINATE_M))]
            pub x_m: f64,
            /// Its place, metres.
            #[serde(default)]
            #[schemars(range(min = -touchline_sim::scenario::MAX_COORDINATE_M, max = touchline_sim::scenario::MAX_COORDINATE_M))]
            pub y_m: f64,
            /// Its heading, radians.
            #[serde(default)]
            #[schemars(range(min = -crate::files::MAX_HEADING_RAD, max = crate::files::MAX_HEADING_RAD))]
            pub theta_rad: f64,
            /// Its lowest and its highest height above the floor: `[bottom, top]`, metres. Without it, 0 to 0.5; on the
            /// floor, if it is not solid.
            pub z_m: Option<[f64; 2]>,
            /// Its colour, `#rrggbb`; without it, that of what it is part of.
            #[schemars(pattern(COLOUR))]
            pub colour: Option<String>,
            /// Coulomb's coefficient of its surface; set together with `restitution`, or neither: then the world's.
            #[schemars(range(min = 0.0, max = 10.0))]
            pub friction: Option<f64>,
            /// Newton's coefficient of restitution of its surface.
            #[schemars(range(min = 0.0, max = 1.0))]
            pub restitution: Option<f64>,
            /// How its friction makes one with another's; without it, by the mean.
            pub friction_rule: Option<crate::files::Combine>,
            /// How its restitution makes one with another's; without it, the greater.
            pub restitution_rule: Option<crate::files::Combine>,
            $($own)*
        }

        impl $name {
            /// The keys that every shape has.
            pub(crate) fn outline(&self) -> ShapeKeys<'_> {
                ShapeKeys {
                    shape: self.shape,
                    length_m: self.length_m,
                    width_m: self.width_m,
                    radius_m: self.radius_m,
                    corners_m: self.corners_m,
                    pose: Pose2::new(self.x_m, self.y_m, self.theta_rad),
                    z_m: self.z_m,
                    colour: self.colour.as_deref(),
                    surface: crate::files::SurfaceKeys {
                        friction: self.friction,
                        restitution: self.restitution,
                        friction_rule: self.friction_rule,
                        restitution_rule: self.restitution_rule,
                    },
                }
            }
        }
    };
}

/// The keys that every shape has, read from either table.
pub(crate) struct ShapeKeys<'a> {
    pub shape: Outline,
    pub length_m: Option<f64>,
    pub width_m: Option<f64>,
    pub radius_m: Option<f64>,
    pub corners_m: Option<[[f64; 2]; 3]>,
    pub pose: Pose2,
    pub z_m: Option<[f64; 2]>,
    pub colour: Option<&'a str>,
    pub surface: SurfaceKeys,
}

/// The keys of a surface of its own.
#[derive(Clone, Copy)]
pub(crate) struct SurfaceKeys {
    pub friction: Option<f64>,
    pub restitution: Option<f64>,
    pub friction_rule: Option<Combine>,
    pub restitution_rule: Option<Combine>,
}

/// How the coefficients of two surfaces make the one with which they meet; if the two say different things, what stands later here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Combine {
    /// Their mean.
    Mean,
    /// Their product.
    Product,
    /// The greater.
    Greater,
    /// The coefficient of the surface that says so; of two that do, a fixture's before a robot's before a ball's.
    Own,
}

// Below the macro, which they use.
mod ball;
mod physics;
mod robot;
mod world;

pub(crate) use ball::Ball;
pub(crate) use physics::{Contact, Law, Physics, Surface};
pub(crate) use robot::{Hold, Kick, MAX_ELEVATION_RAD, RobotFile, Sensor, Shape, State, Zone};
pub(crate) use world::{Episode, Fixture, Player, Start, TeamPlayer, TeamPlayerSees, WorldFile, default_dt};

#[cfg(test)]
mod tests {
    use super::{NAME, SENSOR_ID};
    use touchline_sim::scenario::{is_name, is_sensor_id};

    #[test]
    fn files_and_recordings_have_one_rule_for_names() {
        let matches = |pattern: &str, name: &str| {
            let schema = serde_json::json!({ "type": "string", "pattern": pattern });
            jsonschema::is_valid(&schema, &name.into())
        };
        let long = ["a".repeat(64), "a".repeat(65)];
        let names =
            ["", "blue-1", "a.b", "a_B9", "a b", "a\n", "a\r\nOK", "\u{1b}[2J", "\u{e9}", "a/b", "a=b", "\""];
        for name in names.into_iter().chain(long.iter().map(String::as_str)) {
            assert_eq!(is_name(name), matches(NAME, name), "{name:?}");
            assert_eq!(is_sensor_id(name), matches(SENSOR_ID, name), "{name:?}");
        }
    }
}
