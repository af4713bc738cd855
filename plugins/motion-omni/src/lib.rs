//! A holonomic drive on three or four omnidirectional wheels. (M2)
//!
//! Each wheel drives tangentially and rolls freely along its axle. The command is a velocity in the plane and a turning
//! speed; [`wheels::Wheels`] scales it to what the wheels can do, and takes the velocity there along the
//! straight way, as fast as the hardest-working wheel allows.
//!
//! # Invariants
//! - No wheel is asked for more than its highest speed or acceleration.
//! - Without a neck and without stamina it is what it would be without these words.
//! - A blocked robot does not store up speed: each cycle starts from what was achieved in the last one.
//!
//! # Not here
//! Friction and collisions: the physics has the last word.

#![forbid(unsafe_code)]

mod neck;
mod params;
mod stamina;
mod wheels;

use bytemuck::{Pod, Zeroable};
use neck::Neck;
pub use params::OmniParams;
use stamina::Stamina;
use touchline_kit::drive::after_blocking;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, MAX_MOTION_DATA, MAX_SPEED_M_S, MAX_TURN_RAD_S, Motion, MotionDatum,
    MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::plugin::{Fault, SetupError};
use wheels::Wheels;

pub struct Omni {
    wheels: Wheels,
    /// One through the radius of a wheel, 1/m.
    per_wheel_radius: f64,
    max_speed_m_s: f64,
    max_turn_rad_s: f64,
    noise: f64,
    neck: Option<Neck>,
    stamina: Option<Stamina>,
}

/// What the model believes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct OmniState {
    /// The model's velocity, body frame.
    twist: Twist2,
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
            neck: params.neck(),
            stamina: params.stamina(),
        })
    }

    fn description(&self) -> MotionDescription {
        let neck = self
            .neck
            .as_ref()
            .map(|neck| CommandDimension::symmetric("neck", "rad/s", neck.speed_rad_s, CommandPart::Other));
        let body = [
            CommandDimension::symmetric("forward", "m/s", self.max_speed_m_s, CommandPart::Forward),
            CommandDimension::symmetric("left", "m/s", self.max_speed_m_s, CommandPart::Left),
            CommandDimension::symmetric("turn", "rad/s", self.max_turn_rad_s, CommandPart::Turn),
        ];
        let wheels = (0..self.wheels.len()).map(|wheel| MotionDatum::new(&format!("wheel-{wheel}"), "rad/s"));
        // In the order of `data_of`.
        let angle = self.neck.map(|_| MotionDatum::new("neck-angle", "rad"));
        let stamina = self.stamina.map(|_| MotionDatum::settable("stamina", "1", 1.0));
        MotionDescription {
            dimensions: body.into_iter().chain(neck).collect(),
            data: wheels.chain(angle).chain(stamina).collect(),
            ..MotionDescription::default()
        }
    }

    fn initial_state(&self) -> Self::State {
        OmniState::default()
    }

    #[inline]
    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let &[x_m_s, y_m_s, turn_rad_s, ref neck_rad_s @ ..] = input.command else {
            return Err(Fault::new(format!("a command of {} numbers, expected 3 or 4", input.command.len())));
        };
        let (neck_angle_rad, stamina) = self.data_of(input.data);
        let believed = state.twist;
        let now = Twist2 {
            x_m_s: after_blocking(believed.x_m_s, input.twist.x_m_s),
            y_m_s: after_blocking(believed.y_m_s, input.twist.y_m_s),
            turn_rad_s: after_blocking(believed.turn_rad_s, input.twist.turn_rad_s),
        };
        let max_speed_m_s = match &self.stamina {
            Some(of) => self.max_speed_m_s * of.speed_fraction(stamina),
            None => self.max_speed_m_s,
        };
        let target = self.reachable(Twist2 { x_m_s, y_m_s, turn_rad_s }, max_speed_m_s);
        let (end, mut mean) = self.wheels.step(now, target, input.dt_secs);
        if self.noise > 0.0 {
            let mut noise = input.noise.stream();
            let mut noisy =
                |mean: f64, most: f64| (mean * (1.0 + noise.gaussian(self.noise))).clamp(-most, most);
            mean.x_m_s = noisy(mean.x_m_s, MAX_SPEED_M_S);
            mean.y_m_s = noisy(mean.y_m_s, MAX_SPEED_M_S);
            mean.turn_rad_s = noisy(mean.turn_rad_s, MAX_TURN_RAD_S);
        }
        *state = OmniState { twist: end };
        let mut data = [0.0; MAX_MOTION_DATA];
        for (datum, rim_m_s) in data.iter_mut().zip(self.wheels.rims_m_s(end)) {
            *datum = rim_m_s * self.per_wheel_radius;
        }
        let mut place = self.wheels.len();
        if let Some(neck) = &self.neck {
            let speed_rad_s = neck_rad_s.first().copied().unwrap_or(0.0);
            data[place] = neck.turned(neck_angle_rad, speed_rad_s, input.dt_secs);
            place += 1;
        }
        if let Some(of) = &self.stamina {
            let achieved = input.achieved;
            let speed_m_s = (achieved.x_m_s * achieved.x_m_s + achieved.y_m_s * achieved.y_m_s).sqrt();
            data[place] = of.after(stamina, speed_m_s, input.dt_secs);
        }
        Ok(MotionOutput { twist: mean, end_twist: end, data })
    }
}

impl Omni {
    /// The neck's angle and the stamina, as they were published last.
    fn data_of(&self, data: &[f64]) -> (f64, f64) {
        let mut others = data.iter().skip(self.wheels.len()).copied();
        let neck_angle_rad = self.neck.and_then(|_| others.next()).unwrap_or(0.0);
        (neck_angle_rad, self.stamina.and_then(|_| others.next()).unwrap_or(1.0))
    }

    /// The nearest velocity in the same direction and with the same curvature that is within all limits.
    #[inline]
    fn reachable(&self, wish: Twist2, max_speed_m_s: f64) -> Twist2 {
        let squared = wish.x_m_s * wish.x_m_s + wish.y_m_s * wish.y_m_s;
        let is_too_fast = squared > max_speed_m_s * max_speed_m_s;
        let by_speed = if is_too_fast { max_speed_m_s / squared.sqrt() } else { 1.0 };
        let turn = wish.turn_rad_s.abs();
        let by_turn = if turn > self.max_turn_rad_s { self.max_turn_rad_s / turn } else { 1.0 };
        self.wheels.desaturated(wheels::scaled(wish, by_speed.min(by_turn)))
    }
}

touchline_plugin_api::export_motion!(Omni);

#[cfg(test)]
mod tests;
