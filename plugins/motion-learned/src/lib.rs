//! Drives as a real robot's log has taught it. (M3)
//!
//! The parameters are the model itself ([`LearnedModel`]), as `touchline train motion` writes it. The model has a cycle of
//! its own, that of the log; within it the velocity is constant, so over a whole cycle the robot goes exactly as far as
//! the model says. The simulation's cycles may be shorter or longer.
//!
//! # Invariants
//! - Settings and velocities are held to the range of the log: nothing is promised beyond what was recorded.
//! - A blocked robot does not store up speed, and one that is told to stand does not creep.
//!
//! # Not here
//! Learning, and noise: the model is the mean of what the robot did.

#![forbid(unsafe_code)]

use bytemuck::{Pod, Zeroable};
use touchline_kit::drive::after_blocking;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_skills::learned::{
    Axis, LearnedModel, MAX_AXES, MAX_COMMANDS, MAX_HIDDEN, MAX_INPUTS, MAX_VELOCITIES, Network,
};

pub struct Learned {
    model: LearnedModel,
    network: Network,
}

/// What the model remembers. Rows are the newest first; an axis that the model does not have is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct LearnedState {
    /// The last velocities, m/s or rad/s.
    velocities: [[f64; MAX_AXES]; MAX_VELOCITIES],
    /// The last settings, m/s or rad/s.
    commands: [[f64; MAX_AXES]; MAX_COMMANDS],
    /// The slow average of the velocities.
    slow_velocities: [f64; MAX_AXES],
    /// The slow average of the settings.
    slow_commands: [f64; MAX_AXES],
    /// How long the newest velocity still holds, seconds.
    left_secs: f64,
}

/// Less than this is left over by rounding, not by time.
const ROUNDING_SECS: f64 = 1e-9;

impl Motion for Learned {
    const NAME: &'static str = "learned";
    const SUMMARY: &'static str = "Drives as a real robot's log has taught it: a small neural network.";
    type Params = LearnedModel;
    type State = LearnedState;

    fn new(params: Self::Params, _setup: &MotionSetup) -> Result<Self, SetupError> {
        let network = params.network()?;
        Ok(Self { model: params, network })
    }

    fn description(&self) -> MotionDescription {
        let dimension = |(axis, [min, max]): (&Axis, &[f64; 2])| CommandDimension {
            name: axis.as_str().into(),
            unit: axis.unit().into(),
            min: *min,
            max: *max,
            part: match axis {
                Axis::Forward => CommandPart::Forward,
                Axis::Left => CommandPart::Left,
                Axis::Turn => CommandPart::Turn,
            },
        };
        MotionDescription {
            dimensions: self.model.axes.iter().zip(&self.model.command_range).map(dimension).collect(),
            ..MotionDescription::default()
        }
    }

    fn initial_state(&self) -> Self::State {
        LearnedState::default()
    }

    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let axes = self.model.axes.len();
        if input.command.len() != axes {
            return Err(Fault::new(format!("a command of {} numbers, expected {axes}", input.command.len())));
        }
        let now = [input.twist.x_m_s, input.twist.y_m_s, input.twist.turn_rad_s];
        for (i, axis) in self.model.axes.iter().enumerate() {
            let velocity = &mut state.velocities[0][i];
            *velocity = after_blocking(*velocity, now[*axis as usize]);
        }
        let mut way = [0.0; MAX_AXES];
        let mut remaining_secs = input.dt_secs;
        while remaining_secs > ROUNDING_SECS {
            if state.left_secs <= ROUNDING_SECS {
                self.next_cycle(state, input.command);
                state.left_secs = self.model.dt_s;
            }
            let used_secs = remaining_secs.min(state.left_secs);
            for (way, velocity) in way.iter_mut().zip(state.velocities[0]) {
                *way += velocity * used_secs;
            }
            remaining_secs -= used_secs;
            state.left_secs -= used_secs;
        }
        let mean = way.map(|way| way / input.dt_secs);
        Ok(MotionOutput {
            end_twist: self.twist(state.velocities[0]),
            ..MotionOutput::steady(self.twist(mean))
        })
    }
}

impl Learned {
    /// Takes the new setting, and asks the network for the velocity of the next cycle.
    fn next_cycle(&self, state: &mut LearnedState, command: &[f64]) {
        let model = &self.model;
        let axes = model.axes.len();
        state.commands.rotate_right(1);
        state.commands[0] = [0.0; MAX_AXES];
        for (i, (command, [min, max])) in command.iter().zip(&model.command_range).enumerate() {
            state.commands[0][i] = command.clamp(*min, *max);
        }
        let rate = model.slow_rate();
        for (slow, newest) in [
            (&mut state.slow_velocities, &state.velocities[0]),
            (&mut state.slow_commands, &state.commands[0]),
        ] {
            slow.iter_mut().zip(newest).for_each(|(slow, newest)| *slow += (newest - *slow) * rate);
        }
        let (mut inputs, mut hidden, mut change) = ([0.0; MAX_INPUTS], [0.0; MAX_HIDDEN], [0.0; MAX_AXES]);
        let rows = state.velocities[..model.velocities].iter().map(|row| (row, &model.velocity_scale));
        let rows = rows.chain(state.commands[..model.commands].iter().map(|row| (row, &model.command_scale)));
        let rows = rows.chain([
            (&state.slow_velocities, &model.velocity_scale),
            (&state.slow_commands, &model.command_scale),
        ]);
        for (part, (row, scales)) in inputs.chunks_exact_mut(axes).zip(rows) {
            for ((input, value), scale) in part.iter_mut().zip(row).zip(scales) {
                *input = value / scale;
            }
        }
        let [_, used, units] = self.network.size();
        self.network.change(&inputs[..used], &mut hidden[..units], &mut change[..axes]);
        let mut next = state.velocities[0];
        for (i, next) in next.iter_mut().enumerate().take(axes) {
            let [min, max] = model.velocity_range[i];
            *next = (*next + change[i] * model.velocity_scale[i]).clamp(min, max);
        }
        state.velocities.rotate_right(1);
        state.velocities[0] = next;
    }

    /// The model's axes as velocities of the body.
    fn twist(&self, velocities: [f64; MAX_AXES]) -> Twist2 {
        let mut body = [0.0; MAX_AXES];
        for (axis, velocity) in self.model.axes.iter().zip(velocities) {
            body[*axis as usize] = velocity;
        }
        Twist2::new(body[0], body[1], body[2])
    }
}

touchline_plugin_api::export_motion!(Learned);

#[cfg(test)]
mod tests;
