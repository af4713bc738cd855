//! A holonomic drive on three or four omnidirectional wheels. (M2)
//!
//! Each wheel drives tangentially and rolls freely along its axle. The command is a velocity in the plane and a turning
//! speed; [`wheels::Wheels`] scales it to what the wheels can do, and takes the velocity there along the
//! straight way, as fast as the hardest-working wheel allows.
//!
//! # Invariants
//! - No wheel is asked for more than its highest speed or acceleration.
//! - A blocked robot does not store up speed: each cycle starts from what was achieved in the last one.
//!
//! # Not here
//! Friction and collisions: the physics has the last word.

#![forbid(unsafe_code)]

mod params;
mod wheels;

use bytemuck::{Pod, Zeroable};
pub use params::OmniParams;
use touchline_kit::drive::after_blocking;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, MAX_MOTION_DATA, Motion, MotionDatum, MotionDescription, MotionInput,
    MotionOutput, MotionSetup,
};
use touchline_plugin_api::plugin::{Fault, SetupError};
use wheels::Wheels;

/// The motion model.
pub struct Omni {
    wheels: Wheels,
    /// One through the radius of a wheel, 1/m.
    per_wheel_radius: f64,
    max_speed_m_s: f64,
    max_turn_rad_s: f64,
    noise: f64,
}

/// What the model believes, and what it asked for in the last cycle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct OmniState {
    /// The model's velocity, body frame.
    twist: Twist2,
    /// The velocity that it asked for last.
    asked: Twist2,
}

impl Motion for Omni {
    const NAME: &'static str = "omni";
    const SUMMARY: &'static str = "Holonomic drive on three or four omnidirectional wheels.";
    type Params = OmniParams;
    type State = OmniState;

    fn new(params: Self::Params, _setup: &MotionSetup) -> Result<Self, SetupError> {
        let wheels = params.wheels()?;
        Ok(Self {
            wheels,
            per_wheel_radius: 1.0 / params.wheel_radius_m,
            max_speed_m_s: params.max_speed_m_s,
            max_turn_rad_s: params.max_turn_rad_s,
            noise: params.velocity_noise,
        })
    }

    fn description(&self) -> MotionDescription {
        MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "m/s", self.max_speed_m_s, CommandPart::Forward),
                CommandDimension::symmetric("left", "m/s", self.max_speed_m_s, CommandPart::Left),
                CommandDimension::symmetric("turn", "rad/s", self.max_turn_rad_s, CommandPart::Turn),
            ],
            data: (0..self.wheels.len())
                .map(|wheel| MotionDatum::new(&format!("wheel-{wheel}"), "rad/s"))
                .collect(),
            ..MotionDescription::default()
        }
    }

    fn initial_state(&self) -> Self::State {
        OmniState::default()
    }

    #[inline]
    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let &[x_m_s, y_m_s, turn_rad_s] = input.command else {
            return Err(Fault::new(format!("a command of {} numbers, expected 3", input.command.len())));
        };
        let (believed, asked, achieved) = (state.twist, state.asked, input.achieved);
        let now = Twist2 {
            x_m_s: after_blocking(believed.x_m_s, asked.x_m_s, achieved.x_m_s),
            y_m_s: after_blocking(believed.y_m_s, asked.y_m_s, achieved.y_m_s),
            turn_rad_s: after_blocking(believed.turn_rad_s, asked.turn_rad_s, achieved.turn_rad_s),
        };
        let target = self.reachable(Twist2 { x_m_s, y_m_s, turn_rad_s });
        let (end, mut mean) = self.wheels.step(now, target, input.dt_secs);
        if self.noise > 0.0 {
            let mut noise = input.noise.stream();
            mean.x_m_s *= 1.0 + noise.gaussian(self.noise);
            mean.y_m_s *= 1.0 + noise.gaussian(self.noise);
            mean.turn_rad_s *= 1.0 + noise.gaussian(self.noise);
        }
        *state = OmniState { twist: end, asked: mean };
        let mut data = [0.0; MAX_MOTION_DATA];
        for (datum, rim_m_s) in data.iter_mut().zip(self.wheels.rims_m_s(end)) {
            *datum = rim_m_s * self.per_wheel_radius;
        }
        Ok(MotionOutput { twist: mean, end_twist: end, data })
    }
}

impl Omni {
    /// The nearest velocity in the same direction and with the same curvature that is within all limits.
    #[inline]
    fn reachable(&self, wish: Twist2) -> Twist2 {
        let squared = wish.x_m_s * wish.x_m_s + wish.y_m_s * wish.y_m_s;
        let is_too_fast = squared > self.max_speed_m_s * self.max_speed_m_s;
        let by_speed = if is_too_fast { self.max_speed_m_s / squared.sqrt() } else { 1.0 };
        let turn = wish.turn_rad_s.abs();
        let by_turn = if turn > self.max_turn_rad_s { self.max_turn_rad_s / turn } else { 1.0 };
        self.wheels.desaturated(wheels::scaled(wish, by_speed.min(by_turn)))
    }
}

touchline_plugin_api::export_motion!(Omni);

#[cfg(test)]
mod tests;
