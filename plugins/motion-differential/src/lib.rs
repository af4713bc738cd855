//! A differential drive with limited acceleration. (M1)
//!
//! Two driven wheels on one axle. The command is a forward and a turning speed; the model takes both towards it
//! with limited acceleration ([`model`]), and asks for the exact arc of the mean speeds of the cycle.
//!
//! # Invariants
//! - No wheel is asked for more than its highest speed; a command beyond it is scaled, so the curve stays the same.
//! - A blocked robot does not store up speed: each cycle starts from what was achieved in the last one.
//!
//! # Not here
//! Friction and collisions: the physics has the last word.

#![forbid(unsafe_code)]

mod model;
mod params;

use bytemuck::{Pod, Zeroable};
use model::{Limits, Speeds};
pub use params::DifferentialParams;
use touchline_kit::drive::after_blocking;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, MAX_MOTION_DATA, MAX_SPEED_M_S, MAX_TURN_RAD_S, Motion, MotionDatum,
    MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::plugin::{Fault, SetupError};

pub struct Differential {
    params: DifferentialParams,
    limits: Limits,
    /// One through the radius of a wheel, 1/m.
    per_wheel_radius: f64,
}

/// What the model believes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct DifferentialState {
    /// The model's forward speed, m/s.
    forward_m_s: f64,
    /// The model's turning speed, rad/s.
    turn_rad_s: f64,
}

impl Motion for Differential {
    const NAME: &'static str = "differential";
    const SUMMARY: &'static str = "Differential drive with limited acceleration.";
    type Params = DifferentialParams;
    type State = DifferentialState;

    fn new(params: Self::Params, _setup: &MotionSetup) -> Result<Self, SetupError> {
        let limits = params.limits()?;
        let per_wheel_radius = 1.0 / params.wheel_radius_m;
        Ok(Self { params, limits, per_wheel_radius })
    }

    fn description(&self) -> MotionDescription {
        let wheel = |name: &str| MotionDatum::new(name, "rad/s");
        MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "m/s", self.limits.forward_m_s, CommandPart::Forward),
                CommandDimension::symmetric("turn", "rad/s", self.limits.turn_rad_s, CommandPart::Turn),
            ],
            data: vec![wheel("wheel-left"), wheel("wheel-right")],
            ..MotionDescription::default()
        }
    }

    fn initial_state(&self) -> Self::State {
        DifferentialState::default()
    }

    #[inline]
    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let &[forward_m_s, turn_rad_s] = input.command else {
            return Err(Fault::new(format!("a command of {} numbers, expected 2", input.command.len())));
        };
        let dt_secs = input.dt_secs;
        let now = Speeds {
            forward_m_s: after_blocking(state.forward_m_s, input.twist.x_m_s),
            turn_rad_s: after_blocking(state.turn_rad_s, input.twist.turn_rad_s),
        };
        let target = self.limits.reachable(Speeds { forward_m_s, turn_rad_s });
        let (end, mut mean) = self.limits.step(now, target, dt_secs);
        if self.params.speed_noise > 0.0 || self.params.turn_noise > 0.0 {
            let mut noise = input.noise.stream();
            let mut noisy =
                |mean: f64, sigma: f64, most: f64| (mean * (1.0 + noise.gaussian(sigma))).clamp(-most, most);
            mean.forward_m_s = noisy(mean.forward_m_s, self.params.speed_noise, MAX_SPEED_M_S);
            mean.turn_rad_s = noisy(mean.turn_rad_s, self.params.turn_noise, MAX_TURN_RAD_S);
        }
        *state = DifferentialState { forward_m_s: end.forward_m_s, turn_rad_s: end.turn_rad_s };
        let mut data = [0.0; MAX_MOTION_DATA];
        for (datum, rim_m_s) in data.iter_mut().zip(self.limits.wheels_m_s(end)) {
            *datum = rim_m_s * self.per_wheel_radius;
        }
        Ok(MotionOutput { twist: mean.twist(), end_twist: end.twist(), data })
    }
}

impl Speeds {
    fn twist(self) -> Twist2 {
        Twist2::new(self.forward_m_s, 0.0, self.turn_rad_s)
    }
}

touchline_plugin_api::export_motion!(Differential);

#[cfg(test)]
mod tests;
