//! A ball of a world file.

use super::{COLOUR, Combine, SurfaceKeys};
use schemars::JsonSchema;
use serde::Deserialize;
use touchline_sim::scenario::{MAX_COORDINATE_M, MAX_HEIGHT_M, MAX_SPEED_M_S};

/// A ball and where it starts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ball {
    /// The radius, metres.
    #[schemars(range(min = 0.001, max = 5.0))]
    pub radius_m: f64,
    /// The mass, kilograms.
    #[schemars(range(min = 0.0001, max = 100.0))]
    pub mass_kg: f64,
    /// The constant deceleration by rolling, m/s^2.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_HEIGHT_M))]
    pub rolling_resistance_m_s2: f64,
    /// The deceleration by air is this times the square of the speed, 1/m.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_HEIGHT_M))]
    pub drag_per_m: f64,
    /// How it slides after a kick or a bounce, before it rolls. Without it, it always rolls.
    pub sliding: Option<Sliding>,
    /// What it keeps of its vertical speed when it comes down on the floor or on top of something; 0 stays there. What it does not say is
    /// that of a size-5 ball dropped on artificial turf.
    #[serde(default = "default_bounce")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub bounce: f64,
    /// Its colour, `#rrggbb`.
    #[serde(default = "default_ball_colour")]
    #[schemars(pattern(COLOUR))]
    pub colour: String,
    /// Coulomb's coefficient of its surface; set together with `restitution`, or neither: then the world's.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub friction: Option<f64>,
    /// Newton's coefficient of restitution of its surface.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: Option<f64>,
    /// How its friction makes one with another's; without it, by the mean.
    pub friction_rule: Option<Combine>,
    /// How its restitution makes one with another's; without it, the greater.
    pub restitution_rule: Option<Combine>,
    /// Where it starts, metres.
    #[serde(default)]
    #[schemars(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M))]
    pub x_m: f64,
    /// Where it starts, metres.
    #[serde(default)]
    #[schemars(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M))]
    pub y_m: f64,
    /// How fast it starts, along the world's x and y, m/s.
    #[serde(default)]
    pub velocity_m_s: [f64; 2],
    /// How high its lowest point starts above the floor, metres.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_HEIGHT_M))]
    pub z_m: f64,
    /// How fast it starts upwards, m/s.
    #[serde(default)]
    #[schemars(range(min = -MAX_SPEED_M_S, max = MAX_SPEED_M_S))]
    pub rising_m_s: f64,
}

impl Ball {
    /// The keys of its surface.
    pub(crate) fn surface(&self) -> SurfaceKeys {
        SurfaceKeys {
            friction: self.friction,
            restitution: self.restitution,
            friction_rule: self.friction_rule,
            restitution_rule: self.restitution_rule,
        }
    }
}

/// How a ball slides before it rolls.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sliding {
    /// The constant deceleration by sliding, m/s^2.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 0))]
    pub deceleration_m_s2: f64,
    /// Its moment of inertia over mass and square of the radius: 0.4 for a solid ball, 0.667 for a shell.
    #[serde(default = "default_inertia_factor")]
    #[schemars(range(min = 0.01, max = 1.0))]
    pub inertia_factor: f64,
}

fn default_bounce() -> f64 {
    touchline_sim::scenario::BOUNCE
}

fn default_inertia_factor() -> f64 {
    0.4
}

fn default_ball_colour() -> String {
    "#ff7800".into()
}
