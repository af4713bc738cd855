//! Balls, and where they start. (W5)

use super::{Surface, is_default};
use serde::{Deserialize, Serialize};
use touchline_plugin_api::flight::Vertical;

/// What a ball keeps of its speed at a bounce unless its file says otherwise: of a size-5 ball that is dropped on artificial turf.
pub const BOUNCE: f64 = 0.6;

/// A ball. (W5)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BallSpec {
    /// Radius, metres.
    pub radius_m: f64,
    /// Mass, kilograms.
    pub mass_kg: f64,
    /// The constant deceleration by rolling, m/s^2.
    pub rolling_resistance_m_s2: f64,
    /// The deceleration by air is this times the square of the speed, 1/m.
    pub drag_per_m: f64,
    /// How it slides before it rolls; `None` always rolls.
    pub sliding: Option<Sliding>,
    /// What it keeps of its vertical speed when it comes down on the floor, in `[0, 1]`; 0 stays there.
    #[serde(default = "bounce")]
    pub bounce: f64,
    /// `0xRRGGBB`.
    pub colour: u32,
    /// Its surface; `None` takes the world's.
    pub surface: Option<Surface>,
}

/// How a ball slides before it rolls. (W5)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sliding {
    /// The constant deceleration by sliding, m/s^2.
    pub deceleration_m_s2: f64,
    /// Its moment of inertia over mass and square of the radius: 2/5 for a solid sphere, 2/3 for a thin shell.
    pub inertia_factor: f64,
}

/// A ball and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BallPlacement {
    /// What the ball is made of.
    pub ball: BallSpec,
    /// Where it starts, metres.
    pub position: [f64; 2],
    /// How fast it starts, m/s.
    pub velocity: [f64; 2],
    /// How high it starts, and how fast it rises.
    #[serde(default, skip_serializing_if = "is_default")]
    pub vertical: Vertical,
}

fn bounce() -> f64 {
    BOUNCE
}
