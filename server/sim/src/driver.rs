//! A player plugin with its state, and when it is its turn. (Y1)

use crate::command::{CommandError, RobotNumber};
use crate::events::Message;
use crate::factory::PluginFactory;
use crate::scenario::PlayerChoice;
use std::sync::Arc;
use touchline_plugin_api::instance::PlayerInstance;
use touchline_plugin_api::noise::NoiseOwner;
use touchline_plugin_api::player::PlayerSetup;

/// A player plugin with its state.
#[derive(Clone)]
pub(crate) struct Driver {
    pub plugin: Arc<str>,
    pub instance: Arc<dyn PlayerInstance>,
    pub noise: NoiseOwner,
    pub state: Vec<u8>,
    /// The time between two calls, in steps; not always a whole number.
    pub period_steps: f64,
    pub last_call: Option<u64>,
    /// Before this step it cannot be its turn: spares [`Driver::is_due`] most of its divisions.
    resting_until: u64,
    /// It said that it ends; it is removed with its robot in the same step.
    pub ended: bool,
    /// It came in place of another player.
    pub exchanged: bool,
    pub inbox: Vec<Arc<Message>>,
    pub choice: PlayerChoice,
}

impl Driver {
    /// Makes a player from what it is told.
    pub fn new(
        factory: &dyn PluginFactory,
        choice: &PlayerChoice,
        setup: &PlayerSetup,
        noise: NoiseOwner,
    ) -> Result<Self, CommandError> {
        let instance = factory.player(&choice.choice, setup)?;
        let state = instance.initial_state().map_err(|fault| CommandError::BadRobot {
            name: setup.robot.name.clone(),
            problem: format!("player: {fault}"),
        })?;
        Ok(Self {
            plugin: choice.choice.plugin.as_str().into(),
            instance,
            noise,
            state,
            period_steps: setup.period_secs / setup.world.dt_secs,
            last_call: None,
            resting_until: 0,
            ended: false,
            exchanged: false,
            inbox: Vec::new(),
            choice: choice.clone(),
        })
    }

    /// Whether this step is the first of a new period; robots' periods begin at different steps.
    pub fn is_due(&mut self, step: u64, robot: RobotNumber) -> bool {
        if step < self.resting_until {
            return false;
        }
        // Whole periods since the beginning; the cast cuts off the rest.
        let period = |step: u64| ((step + u64::from(robot)) as f64 / self.period_steps) as u64;
        let is_due = period(step + 1) > period(step);
        if is_due {
            self.resting_until = step + self.period_steps as u64;
        }
        is_due
    }
}
