//! What stands in the file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// What it plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Play {
    /// A kick at a target.
    #[default]
    Kick,
    /// A run along +x.
    Run,
    /// A throw towards a target, through the air.
    Throw,
    /// Stands and kicks a ball that comes by.
    Volley,
    /// Goes to meet a ball that comes by, and after it.
    Roll,
    /// Keeps a ball from a taker.
    Keep,
    /// Takes a ball from keepers.
    Take,
    /// Passes a ball on, and shoots it at a target.
    Pass,
}

impl Play {
    /// The manipulator that it needs, if any; it has a state `kick`.
    pub fn manipulator(self) -> Option<&'static str> {
        match self {
            Self::Run | Self::Take => None,
            Self::Throw => Some("chip"),
            Self::Kick | Self::Volley | Self::Roll | Self::Keep | Self::Pass => Some("kicker"),
        }
    }
}

/// Parameters of the challenger.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ChallengerParams {
    /// What it plays.
    pub play: Play,
    /// Which part of its motion model's highest speed it uses.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub speed_fraction: f64,
    /// It comes to a ball so fast for each metre that is left, 1/s.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub approach_per_s: f64,
    /// It kicks if the target is not farther than this from straight ahead, radians.
    #[schemars(range(min = 0.0, max = 3.2))]
    pub aim_rad: f64,
    /// Where a ball shall come to rest: its x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub target_x_m: f64,
    /// Its y, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub target_y_m: f64,
    /// How fast its hardest kick is, m/s.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub kick_m_s: f64,
    /// How far a ball rolls for each (m/s)^2 of its first speed, s^2/m; 0 for one who does not know and kicks in proportion to the distance,
    /// with all its force from 12 m on.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub roll_s2_m: f64,
    /// It kicks as if the target were so many times as far: a pass that is to be met on its way, a shot.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub overshoot: f64,
    /// How high it kicks above the floor, where its kicker leaves that to it, radians; what the robot file says if not given.
    #[schemars(range(min = 0.0, max = 1.57))]
    pub elevation_rad: Option<f64>,
    /// How far before its centre its kicker has a ball, metres.
    #[schemars(range(min = 0.01, max = 5.0))]
    pub reach_m: f64,
    /// It does not go after a rolling ball beyond this x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub limit_x_m: f64,
    /// A keeper holds the ball as long as the taker is farther from it, metres.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub hold_m: f64,
    /// Whether a keeper goes to where it can be passed to.
    pub moves: bool,
}

impl Default for ChallengerParams {
    fn default() -> Self {
        Self {
            play: Play::Kick,
            speed_fraction: 1.0,
            approach_per_s: 1.0,
            aim_rad: 0.05,
            target_x_m: 0.0,
            target_y_m: 0.0,
            kick_m_s: 4.0,
            roll_s2_m: 0.0,
            overshoot: 1.0,
            elevation_rad: None,
            reach_m: 0.21,
            limit_x_m: 1000.0,
            hold_m: 1000.0,
            moves: false,
        }
    }
}

impl ChallengerParams {
    /// How hard a ball is kicked that shall roll so far, times `overshoot`: the part of the hardest kick, in `[0, 1]`.
    ///
    /// A ball that slides with `a`, until it rolls with the part `f` of its first speed `v`, and rolls with `b`, comes to rest after
    /// `v^2 ((1 - f^2) / 2a + f^2 / 2b)`: the bracket is `roll_s2_m`.
    pub fn strength(&self, far_m: f64) -> f64 {
        let far_m = self.overshoot * far_m;
        let part = match self.roll_s2_m > 0.0 {
            true => (far_m / self.roll_s2_m).sqrt() / self.kick_m_s,
            false => far_m / 12.0,
        };
        part.clamp(0.0, 1.0)
    }

    /// Checks that the numbers are numbers.
    ///
    /// # Errors
    /// Names those that are not.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { speed_fraction, kick_m_s, reach_m, overshoot, .. } = *self;
        let is_part = speed_fraction > 0.0 && speed_fraction <= 1.0;
        problems.require(is_part, "speed_fraction", format!("{speed_fraction}; it must be above 0, up to 1"));
        problems.require(kick_m_s > 0.0, "kick_m_s", format!("{kick_m_s} m/s; it must be above 0"));
        problems.require(reach_m > 0.0, "reach_m", format!("{reach_m} m; it must be above 0"));
        problems.require(overshoot > 0.0, "overshoot", format!("{overshoot}; it must be above 0"));
        problems.into_result()
    }
}
