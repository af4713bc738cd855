//! Height above the floor, and what is asked of a kick.

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// How high something is and how fast it rises; zeros are on the floor.
#[repr(C)]
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Serialize, Deserialize, abi_stable::StableAbi,
)]
pub struct Vertical {
    /// The height of its lowest point above the floor, metres.
    pub z_m: f64,
    /// Upwards, m/s.
    pub speed_m_s: f64,
}

impl Vertical {
    /// At rest on the floor.
    pub const FLOOR: Self = Self { z_m: 0.0, speed_m_s: 0.0 };

    /// Whether it lies on the floor.
    pub fn is_on_floor(&self) -> bool {
        *self == Self::FLOOR
    }
}

/// What is asked of a kick, or of any other state of a manipulator.
///
/// Direction and elevation are for states whose robot file leaves them to the command, within what it allows; of the others they are
/// `None`, which is what the robot file says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aim {
    /// The part of the state's full power, in `[0, 1]`.
    pub strength: f64,
    /// In the robot's frame, radians.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction_rad: Option<f64>,
    /// Above the floor, radians.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elevation_rad: Option<f64>,
}

impl Aim {
    /// As the robot file says, with a part of the full power.
    pub const fn strength(strength: f64) -> Self {
        Self { strength, direction_rad: None, elevation_rad: None }
    }

    /// The same at another elevation above the floor, radians.
    #[must_use]
    pub const fn elevated(self, elevation_rad: f64) -> Self {
        Self { elevation_rad: Some(elevation_rad), ..self }
    }

    /// The same in another direction in the robot's frame, radians.
    #[must_use]
    pub const fn directed(self, direction_rad: f64) -> Self {
        Self { direction_rad: Some(direction_rad), ..self }
    }

    /// As numbers of an order: strength, direction, elevation, and which of the two were given (1 and 2, or their sum).
    pub(crate) fn values(&self) -> [f64; 4] {
        let given = u8::from(self.direction_rad.is_some()) + 2 * u8::from(self.elevation_rad.is_some());
        [
            self.strength,
            self.direction_rad.unwrap_or_default(),
            self.elevation_rad.unwrap_or_default(),
            f64::from(given),
        ]
    }

    /// Reads [`Aim::values`].
    pub(crate) fn of_values(values: &[f64]) -> Self {
        let given = values[3] as u8;
        Self {
            strength: values[0],
            direction_rad: (given & 1 != 0).then_some(values[1]),
            elevation_rad: (given & 2 != 0).then_some(values[2]),
        }
    }
}
