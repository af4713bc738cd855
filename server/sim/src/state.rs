//! All that a world is between two steps: plain data that can be cloned. [W6, W7]

use crate::annotations::Annotations;
use crate::ball::Ball;
use crate::command::RobotNumber;
use crate::duties::Duties;
use crate::episode::Episode;
use crate::events::{Dropped, Event, Message};
use crate::factory::PluginFactory;
use crate::game::Match;
use crate::log::Log;
use crate::physics::{Owner, Physics};
use crate::radio::Said;
use crate::robot::Robot;
use crate::scenario::{BallPlacement, Scenario};
use crate::shadow::ShadowPlayer;
use crate::team_player::TeamPlayer;
use crate::touches::FixtureNames;
use crate::view::View;
use std::sync::Arc;
use touchline_plugin_api::instance::RefereeInstance;
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::referee::KickRecord;

/// Parts of a world that never change after it is made.
pub(crate) struct Setup {
    pub scenario: Scenario,
    pub factory: Arc<dyn PluginFactory>,
    pub shadows: Vec<ShadowPlayer>,
    pub fixtures: FixtureNames,
}

/// All that the next step depends on.
#[derive(Clone)]
pub(crate) struct State {
    pub step: u64,
    pub run: u64,
    pub noise_seed: NoiseSeed,
    pub episode: Episode,
    pub physics: Physics,
    pub balls: Vec<Ball>,
    /// What each ball is and where it starts: those of the scenario, then those that a referee has added.
    pub placements: Arc<Vec<BallPlacement>>,
    pub robots: Vec<Robot>,
    /// What there is to ask the robots for.
    pub duties: Duties,
    /// Whether any robot is switching; see [`Robot::is_switching`].
    pub is_switching: bool,
    pub next_robot: RobotNumber,
    pub referee: Option<RefereeState>,
    pub referee_lines: String,
    /// Those that come in this step, until they are carried out.
    pub kicks: Vec<KickRecord>,
    pub game: Match,
    /// Said in this step, or before the next.
    pub said: Vec<Said>,
    /// So many of these have been handed out: what was said within the step.
    pub handed_out: usize,
    pub view: View,
    /// Whether something in the view is no longer where it says.
    pub view_stale: bool,
    /// Whether the view's list of objects, or of their shapes, no longer fits the robots and balls.
    pub view_misfits: bool,
    pub events: Log<Event>,
    /// The step that is being made, or was made last: that of all events in it.
    pub event_step: u64,
    /// Who touched or ceased to touch within the last tenth of a second, and when.
    pub recent_touches: Vec<(Owner, Owner, u64)>,
    pub messages: Log<Message>,
    pub messages_dropped: Dropped,
    /// In the order of the world file.
    pub team_players: Vec<TeamPlayer>,
    /// What the referee publishes of the world.
    pub annotations: Arc<Annotations>,
}

impl State {
    /// Has the view made anew before somebody reads it: an object came or went, or changed its shape.
    pub fn discard_view(&mut self) {
        (self.view_stale, self.view_misfits) = (true, true);
        self.duties = Duties::ALL;
    }
}

/// The referee plugin with its state.
#[derive(Clone)]
pub(crate) struct RefereeState {
    pub plugin: Arc<str>,
    pub instance: Arc<dyn RefereeInstance>,
    pub noise: NoiseOwner,
    pub prepare_noise: NoiseOwner,
    /// Whether it is asked before the physics as well.
    pub prepares: bool,
    pub state: Vec<u8>,
    pub failed: bool,
}

/// The whole state of a world between two steps. (W7)
#[derive(Clone)]
pub struct Snapshot(pub(crate) State);

impl Snapshot {
    /// The step after which it was taken.
    pub fn step(&self) -> u64 {
        self.0.step
    }
}
