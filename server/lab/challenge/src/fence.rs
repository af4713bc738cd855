//! What a team's player may do: drive its robot, and nothing else. (CH4)
//!
//! Player plugins may place things and see the world itself, which is right for exercises. In a challenge a [`Fenced`] factory stands
//! between them and the world: it takes out what moves things, counts it, and, where the challenge says so, leaves them their sensors alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use touchline_plugin_api::instance::PlayerInstance;
use touchline_plugin_api::orders::{Orders, code};
use touchline_plugin_api::player::{PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginKind};
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

/// The type of sensors that tell what is really so.
const TRUTH: &str = "truth";

/// What is counted of an attempt.
#[derive(Debug)]
pub struct Fence {
    may_see: bool,
    placed_robot: AtomicU64,
    placed_ball: AtomicU64,
    ended: AtomicU64,
}

impl Fence {
    /// A fence behind which teams see the truth, or do not.
    pub fn new(may_see: bool) -> Self {
        Self {
            may_see,
            placed_robot: AtomicU64::new(0),
            placed_ball: AtomicU64::new(0),
            ended: AtomicU64::new(0),
        }
    }

    /// What was refused so far, with how often.
    pub fn refused(&self) -> BTreeMap<String, u64> {
        let counts =
            [("place-robot", &self.placed_robot), ("place-ball", &self.placed_ball), ("end", &self.ended)];
        let counts = counts.map(|(what, count)| (what.to_owned(), count.load(Ordering::Relaxed)));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    fn check(&self, orders: &mut Orders, from: usize) {
        let mut place = 0;
        orders.records.retain(|record| {
            place += 1;
            let count = match record.code {
                code::PLACE_ROBOT => &self.placed_robot,
                code::PLACE_BALL => &self.placed_ball,
                // A robot that goes would end the attempt as if the world had failed.
                code::END => &self.ended,
                _ => return true,
            };
            if place <= from {
                return true;
            }
            count.fetch_add(1, Ordering::Relaxed);
            false
        });
    }
}

/// A factory whose players of the first team are behind a fence.
pub struct Fenced {
    factory: Arc<dyn PluginFactory>,
    fence: Arc<Fence>,
}

impl Fenced {
    /// A fence around what a factory makes.
    pub fn new(factory: Arc<dyn PluginFactory>, fence: Arc<Fence>) -> Self {
        Self { factory, fence }
    }

    fn fenced(
        &self,
        player: Arc<dyn PlayerInstance>,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        if setup.robot.team != Some(0) {
            return Ok(player);
        }
        let sensors = &setup.robot.sensors.sensors;
        let wanted = player.wanted_sensors().iter().filter_map(|&sensor| sensors.get(sensor));
        if let Some(sensor) =
            wanted.into_iter().find(|sensor| !self.fence.may_see && sensor.sensor_type == TRUTH)
        {
            return Err(MakeError::Failed {
                kind: PluginKind::Player,
                name: choice.plugin.clone(),
                message: format!("it reads \"{}\", and this challenge hides the truth", sensor.id),
            });
        }
        Ok(Arc::new(Behind { player, fence: Arc::clone(&self.fence) }))
    }
}

impl PluginFactory for Fenced {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&*self.factory)
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.fenced(self.factory.player(choice, setup)?, choice, setup)
    }

    fn prepare_player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.fenced(self.factory.prepare_player(choice, setup)?, choice, setup)
    }
}

/// A player behind a fence.
struct Behind {
    player: Arc<dyn PlayerInstance>,
    fence: Arc<Fence>,
}

impl PlayerInstance for Behind {
    fn wanted_sensors(&self) -> &[usize] {
        self.player.wanted_sensors()
    }

    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.player.initial_state()
    }

    fn sense_and_act(
        &self,
        state: &mut Vec<u8>,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let hidden = input.view.hidden();
        let view = if self.fence.may_see { input.view } else { hidden };
        let from = orders.records.len();
        let called = self.player.sense_and_act(state, &PlayerInput { view, ..*input }, orders);
        self.fence.check(orders, from);
        called
    }
}
