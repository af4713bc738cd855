//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::FRAC_PI_2;
use touchline_plugin_api::plugin::SetupError;

/// The widest image, pixels.
pub const MAX_WIDTH: u32 = 1920;
/// The highest image, pixels.
pub const MAX_HEIGHT: u32 = 1080;
/// The most samples of a pixel along each of its sides.
pub const MAX_SAMPLES: u32 = 4;

const FIELD_OF_VIEW_RAD: f64 = 0.85;
const PITCH_RAD: f64 = 0.0;
const RANGE_MAX_M: f64 = 5.0;
const COLOUR: &str = "^#[0-9a-fA-F]{6}$";

/// How directions become places in the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Projection {
    /// A pin-hole camera.
    Perspective,
    /// A camera under an isometric mirror: the floor is seen as a map, true to scale.
    Omnidirectional,
}

/// Parameters of a camera that gives images.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ImageParams {
    /// How directions become places in the image.
    pub projection: Projection,
    /// Columns of the image.
    #[schemars(range(min = 1, max = 1920))]
    pub width: u32,
    /// Rows of the image.
    #[schemars(range(min = 1, max = 1080))]
    pub height: u32,
    /// Perspective only: the angle from the left edge to the right one, radians; 0.85 if it is not given.
    #[schemars(range(min = 0.01, max = 3.0))]
    pub field_of_view_rad: Option<f64>,
    /// Perspective only: how far the camera looks down (above 0) or up (below 0), radians; 0 if it is not given.
    #[schemars(range(min = -1.571, max = 1.571))]
    pub pitch_rad: Option<f64>,
    /// Omnidirectional only: the floor's distance at the image's nearer edges, metres; 5 if it is not given.
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub range_max_m: Option<f64>,
    /// A pixel is the mean of so many by so many samples.
    #[schemars(range(min = 1, max = 4))]
    pub samples: u32,
    /// The floor where nothing is painted on it, `#rrggbb`.
    #[schemars(regex(pattern = COLOUR))]
    pub floor_colour: String,
    /// What is seen above the horizon where nothing stands, `#rrggbb`.
    #[schemars(regex(pattern = COLOUR))]
    pub sky_colour: String,
    /// Standard deviation of the red, green and blue of each pixel, in levels of which white has 255.
    #[schemars(range(min = 0.0, max = 255.0))]
    pub sigma_rgb: f64,
    /// The feature's name.
    pub feature: String,
}

impl Default for ImageParams {
    fn default() -> Self {
        Self {
            projection: Projection::Perspective,
            width: 320,
            height: 240,
            field_of_view_rad: None,
            pitch_rad: None,
            range_max_m: None,
            samples: 1,
            floor_colour: "#4a9a5f".into(),
            sky_colour: "#b4bfca".into(),
            sigma_rgb: 0.0,
            feature: "image".into(),
        }
    }
}

impl ImageParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        for (name, value, max, unit) in [
            ("width", self.width, MAX_WIDTH, " pixels"),
            ("height", self.height, MAX_HEIGHT, " pixels"),
            ("samples", self.samples, MAX_SAMPLES, ""),
        ] {
            let message = format!("{value}{unit}; it must be from 1 to {max}");
            problems.require((1..=max).contains(&value), name, message);
        }
        use Projection::{Omnidirectional, Perspective};
        for (name, value, projection, [min, max], unit) in [
            ("field_of_view_rad", self.field_of_view_rad, Perspective, [0.01, 3.0], "rad"),
            // A right angle written with few digits is still a right angle.
            ("pitch_rad", self.pitch_rad, Perspective, [-FRAC_PI_2 - 1e-3, FRAC_PI_2 + 1e-3], "rad"),
            ("range_max_m", self.range_max_m, Omnidirectional, [0.01, 1000.0], "m"),
        ] {
            let Some(value) = value else { continue };
            let own = format!("only for the projection {projection:?}; leave it out").to_lowercase();
            problems.require(self.projection == projection, name, own);
            let message = format!("{value} {unit}; it must be from {min:.3} to {max:.3}");
            problems.require((min..=max).contains(&value), name, message);
        }
        for (name, colour) in [("floor_colour", &self.floor_colour), ("sky_colour", &self.sky_colour)] {
            let message = format!("\"{colour}\"; it must be like \"#4a9a5f\"");
            problems.require(parse_colour(colour).is_some(), name, message);
        }
        problems.require(
            (0.0..=255.0).contains(&self.sigma_rgb),
            "sigma_rgb",
            format!("{}; it must be from 0 to 255", self.sigma_rgb),
        );
        problems.require(!self.feature.is_empty(), "feature", "empty; leave it out for \"image\"");
        problems.into_result()
    }

    /// The angle from the left edge to the right one, radians.
    pub fn field_of_view_rad(&self) -> f64 {
        self.field_of_view_rad.unwrap_or(FIELD_OF_VIEW_RAD)
    }

    /// How far the camera looks down, radians.
    pub fn pitch_rad(&self) -> f64 {
        self.pitch_rad.unwrap_or(PITCH_RAD)
    }

    /// The floor's distance at the image's nearer edges, metres.
    pub fn range_max_m(&self) -> f64 {
        self.range_max_m.unwrap_or(RANGE_MAX_M)
    }
}

/// `0xRRGGBB` of `#rrggbb`; `None` if it is none.
pub fn parse_colour(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    // from_str_radix takes a sign as well.
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}
