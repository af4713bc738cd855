//! How bodies move and meet: the law, and surfaces.

use super::Combine;
use schemars::JsonSchema;
use serde::Deserialize;

/// The law by which robots move among each other and the fixtures; docs/physics.md says what each has and has not.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Physics {
    /// `rigid`: bodies of any shape that push each other, by a physics library. `discs`: each robot is a disc that goes from impact to
    /// impact, as balls always do.
    #[serde(default)]
    pub law: Law,
    /// What happens when two bodies of a world of discs meet; without it, `impulse`.
    pub contact: Option<Contact>,
    /// In a world of discs: a robot whose body is no disc is the circle around it. Without it, such a robot is refused.
    pub bounding_circles: Option<bool>,
    /// How fast what falls gains speed, m/s^2. Without it, 9.81.
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
    pub gravity_m_s2: Option<f64>,
}

/// By which law robots move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Law {
    /// Bodies of any shape.
    #[default]
    Rigid,
    /// Discs, and impacts at their moments.
    Discs,
}

/// What happens where two discs meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Contact {
    /// An impulse by restitution and friction, at the moment when they meet.
    #[default]
    Impulse,
    /// The Soccer Server's: who overlaps after the step is moved apart, and goes back with a tenth of its velocity.
    SoccerServer,
    /// Nothing: they meet fixtures alone, and overlap each other until a referee parts them.
    None,
}

/// What happens where two bodies touch.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Surface {
    /// Coulomb's coefficient: 0 slips, above about 1 sticks.
    #[serde(default = "default_friction")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub friction: f64,
    /// Newton's coefficient of restitution.
    #[serde(default = "default_restitution")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f64,
    /// How two coefficients of friction make one; without it, by their mean.
    pub friction_rule: Option<Combine>,
    /// How two coefficients of restitution make one; without it, the greater.
    pub restitution_rule: Option<Combine>,
}

fn default_friction() -> f64 {
    0.5
}

fn default_restitution() -> f64 {
    0.3
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            friction: default_friction(),
            restitution: default_restitution(),
            friction_rule: None,
            restitution_rule: None,
        }
    }
}
