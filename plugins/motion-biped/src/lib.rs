//! Walks and runs on two legs, as far as a plane has it: steps, the time in the air, falls. (M1, CH20)
//!
//! The command is a velocity in the plane and a turning speed. Step follows step, and each has a foot on the ground for a part of it; what comes then is
//! time on both feet where the robot is slow, and time on none where it is fast ([`gait::Gait`]). In the air it cannot change its velocity. It falls now and then,
//! the more often the faster it is, and when something pushes it; then it lies, and gets up.
//!
//! # Invariants
//! - Nothing of the velocity changes while both feet are off the ground, but for what it bumps into.
//! - Falls are drawn from the robot's own stream: the same seed falls at the same steps.
//! - A blocked robot does not store up speed: each cycle starts from what was achieved in the last one.
//!
//! # Not here
//! Joints, balance and the body's height: a robot that lies takes the room of one that stands.

#![forbid(unsafe_code)]

mod gait;
mod params;

use bytemuck::{Pod, Zeroable};
use gait::{Feet, Gait};
pub use params::BipedParams;
use touchline_kit::drive::{after_blocking, approach};
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, MAX_MOTION_DATA, Motion, MotionDatum, MotionDescription, MotionInput,
    MotionOutput, MotionSetup,
};
use touchline_plugin_api::plugin::{Fault, SetupError};

/// A robot that is slower stands, m/s or rad/s.
const STANDS: f64 = 1e-3;

pub struct Biped {
    params: BipedParams,
    gait: Gait,
}

/// What the model believes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct BipedState {
    /// The model's velocity, body frame.
    twist: Twist2,
    /// How many steps it has made, with the part of the present one; even ones are on the left foot.
    steps: f64,
    /// How long it will still lie, seconds; 0 on its feet.
    lies_secs: f64,
}

impl Motion for Biped {
    const NAME: &'static str = "biped";
    const SUMMARY: &'static str = "Walks and runs on two legs: steps, flight, falls.";
    type Params = BipedParams;
    type State = BipedState;

    fn new(params: BipedParams, _setup: &MotionSetup) -> Result<Self, SetupError> {
        params.check()?;
        Ok(Self { gait: Gait::new(&params), params })
    }

    fn description(&self) -> MotionDescription {
        let BipedParams { max_forward_m_s, max_left_m_s, max_turn_rad_s, .. } = self.params;
        MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "m/s", max_forward_m_s, CommandPart::Forward),
                CommandDimension::symmetric("left", "m/s", max_left_m_s, CommandPart::Left),
                CommandDimension::symmetric("turn", "rad/s", max_turn_rad_s, CommandPart::Turn),
            ],
            data: [("foot-left", 1.0), ("foot-right", 1.0), ("fallen", 0.0)]
                .map(|(name, initial)| MotionDatum { initial, ..MotionDatum::new(name, "") })
                .into(),
            ..MotionDescription::default()
        }
    }

    fn initial_state(&self) -> BipedState {
        BipedState::default()
    }

    fn advance(&self, state: &mut BipedState, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let &[x_m_s, y_m_s, turn_rad_s] = input.command else {
            return Err(Fault::new(format!("a command of {} numbers, expected 3", input.command.len())));
        };
        state.lies_secs = (state.lies_secs - input.dt_secs).max(0.0);
        if state.lies_secs == 0.0 && self.falls(state, input) {
            *state = BipedState { lies_secs: self.params.lie_secs, ..BipedState::default() };
        }
        if state.lies_secs > 0.0 {
            return Ok(output(Twist2::ZERO, Twist2::ZERO, [1.0, 1.0, 1.0]));
        }
        let believed = state.twist;
        let now = Twist2 {
            x_m_s: after_blocking(believed.x_m_s, input.twist.x_m_s),
            y_m_s: after_blocking(believed.y_m_s, input.twist.y_m_s),
            turn_rad_s: after_blocking(believed.turn_rad_s, input.twist.turn_rad_s),
        };
        let feet = self.feet(state, now, input.dt_secs);
        let target = self.reachable(Twist2 { x_m_s, y_m_s, turn_rad_s });
        let (end, mean) = match feet {
            Feet::None => (now, now),
            _ => self.pushed_off(now, target, input.dt_secs),
        };
        state.twist = end;
        let [left, right] = feet.on_ground();
        Ok(output(mean, end, [left, right, 0.0]))
    }
}

impl Biped {
    /// Which feet are on the ground after this step.
    fn feet(&self, state: &mut BipedState, now: Twist2, dt_secs: f64) -> Feet {
        if speed_m_s(now) < STANDS && now.turn_rad_s.abs() < STANDS {
            // Who stands begins with the next foot.
            state.steps = state.steps.ceil() % 2.0;
            return Feet::Both;
        }
        state.steps = (state.steps + self.params.steps_per_s * dt_secs) % 2.0;
        self.gait.feet(state.steps, speed_m_s(now))
    }

    /// Whether it falls now: by chance, or because something has pushed it.
    fn falls(&self, state: &BipedState, input: &MotionInput<'_>) -> bool {
        let BipedParams { fall_rate_per_s, max_forward_m_s, push_m_s, .. } = self.params;
        let part = speed_m_s(state.twist) / max_forward_m_s;
        let (believed, now) = (state.twist, input.twist);
        let pushed_m_s = speed_m_s(Twist2::new(now.x_m_s - believed.x_m_s, now.y_m_s - believed.y_m_s, 0.0));
        let chance = fall_rate_per_s * part * part * input.dt_secs;
        pushed_m_s > push_m_s || (chance > 0.0 && input.noise.stream().chance(chance))
    }

    /// The nearest velocity in the same direction that it can reach; turns are limited by themselves.
    fn reachable(&self, wish: Twist2) -> Twist2 {
        let BipedParams { max_forward_m_s, max_left_m_s, max_turn_rad_s, .. } = self.params;
        let (x, y) = (wish.x_m_s / max_forward_m_s, wish.y_m_s / max_left_m_s);
        // An ellipse: who walks sideways has less left for the way ahead.
        let scale = (x * x + y * y).sqrt().max(1.0);
        Twist2 {
            x_m_s: wish.x_m_s / scale,
            y_m_s: wish.y_m_s / scale,
            turn_rad_s: wish.turn_rad_s.clamp(-max_turn_rad_s, max_turn_rad_s),
        }
    }

    /// The velocity at the end of a step with a foot on the ground, and the mean over it.
    fn pushed_off(&self, now: Twist2, target: Twist2, dt_secs: f64) -> (Twist2, Twist2) {
        let BipedParams { acceleration_m_s2: a, turn_acceleration_rad_s2: b, .. } = self.params;
        let x = approach(now.x_m_s, target.x_m_s, a, a, dt_secs);
        let y = approach(now.y_m_s, target.y_m_s, a, a, dt_secs);
        let turn = approach(now.turn_rad_s, target.turn_rad_s, b, b, dt_secs);
        (Twist2::new(x.end, y.end, turn.end), Twist2::new(x.mean, y.mean, turn.mean))
    }
}

fn speed_m_s(twist: Twist2) -> f64 {
    (twist.x_m_s * twist.x_m_s + twist.y_m_s * twist.y_m_s).sqrt()
}

fn output(mean: Twist2, end: Twist2, published: [f64; 3]) -> MotionOutput {
    let mut data = [0.0; MAX_MOTION_DATA];
    data[..3].copy_from_slice(&published);
    MotionOutput { twist: mean, end_twist: end, data }
}

touchline_plugin_api::export_motion!(Biped);

#[cfg(test)]
mod tests;
