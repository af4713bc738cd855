//! Shadow players: asked beside whoever drives a robot, heard by nobody, compared with what he does. (Y1, W7)
//!
//! A new version of a player can so be tried on a world that was recorded: it is called in the same steps, with the same
//! readings, messages and random numbers as the player that drives the robot, and what it orders is kept beside what that one
//! ordered. The world goes on as if it were not there.
//!
//! # Invariants
//! - A world with shadows has the state hash of one without, at every step (`tests/shadow.rs`): a shadow's orders are read and
//!   never carried out, and a sensor that fails for it alone is not stopped.
//! - A shadow that is the very player decides the same, bit by bit. It begins when the player begins, also after a reset, and
//!   goes where snapshots and forks go.

use crate::assemble::Parts;
use crate::brief::fault_text;
use crate::chosen::keeps_apart;
use crate::command::RobotNumber;
use crate::decision::{Decision, Standing};
use crate::driver::Driver;
use crate::factory::PluginFactory;
use crate::frame::RobotIdentity;
use crate::robot::Robot;
use crate::scenario::{PlayerChoice, PluginChoice};
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::Fault;

/// How often a shadow is asked whose robot has no player, seconds: as a player for which a world file says nothing.
const PERIOD_SECS: f64 = 1.0 / 30.0;

/// A player that shall be asked beside the one that drives a robot.
#[derive(Clone)]
pub struct ShadowPlayer {
    /// The robot's name; one of that name may also come later.
    pub robot: String,
    /// Name of the shadow's plugin.
    pub plugin: String,
    /// Who makes it: not the world's own, which may know another version under this name.
    pub factory: Arc<dyn PluginFactory>,
    /// In place of the parameters of the player that drives the robot.
    pub params: Option<serde_json::Value>,
}

/// What the player of a robot and its shadow decided in one step.
#[derive(Clone)]
pub struct Comparison {
    /// Robot that both decided for.
    pub robot: Arc<RobotIdentity>,
    /// The step that the decision was made in: 1 is the first.
    pub step: u64,
    /// What the player decided, or the command that clients had given.
    pub driver: Decision,
    /// Decision of the shadow.
    pub shadow: Decision,
    /// Whether clients drive the robot: then nothing but the command can be compared.
    pub driven_by_client: bool,
}

/// A robot's shadow, as readers of a Frame see it.
#[derive(Clone)]
pub struct ShadowFrame {
    /// Name of the shadow's plugin.
    pub plugin: Arc<str>,
    /// Why it is no longer asked, or never was.
    pub fault: Option<Arc<str>>,
    /// The last decisions, once there are any.
    pub last: Option<Arc<Comparison>>,
}

/// A shadow with its state.
#[derive(Clone)]
pub(crate) struct Shadow {
    /// None once it failed or ended, or when the player did.
    pub driver: Option<Driver>,
    /// Whether it is asked whenever a player is; else by itself.
    pub has_player: bool,
    player_so_far: Standing,
    so_far: Standing,
    frame: ShadowFrame,
}

impl Parts<'_> {
    /// The robot's shadow, if it shall have one: as it is when its player begins.
    ///
    /// One that cannot be made must not keep the robot from being made; it is there with its fault.
    pub fn shadow(&self, identity: &RobotIdentity, player: Option<&PlayerChoice>) -> Option<Box<Shadow>> {
        let wanted = self.shadows.iter().find(|shadow| shadow.robot == self.name)?;
        let recorded = || player.map_or_else(|| serde_json::json!({}), |player| player.choice.params.clone());
        let params = wanted.params.clone().unwrap_or_else(recorded);
        let isolate = keeps_apart(self.scenario, &wanted.plugin);
        let choice = PlayerChoice {
            choice: PluginChoice { isolate, ..PluginChoice::new(wanted.plugin.clone(), params) },
            period_secs: player.map_or(PERIOD_SECS, |player| player.period_secs),
        };
        let made = Parts { factory: wanted.factory.as_ref(), ..*self }.driver(identity, &choice);
        let (driver, fault) = match made {
            Ok(driver) => (Some(driver), None),
            Err(error) => (None, Some(error.to_string().into())),
        };
        let frame = ShadowFrame { plugin: wanted.plugin.as_str().into(), fault, last: None };
        let (player_so_far, so_far) = Default::default();
        Some(Box::new(Shadow { driver, has_player: player.is_some(), player_so_far, so_far, frame }))
    }
}

impl Shadow {
    pub fn frame(&self) -> ShadowFrame {
        self.frame.clone()
    }

    /// Whether it is asked in this step although its robot has no player.
    pub fn is_due(&mut self, step: u64, robot: RobotNumber) -> bool {
        !self.has_player && self.driver.as_mut().is_some_and(|driver| driver.is_due(step, robot))
    }

    fn stop(&mut self, why: Arc<str>) {
        self.driver = None;
        self.frame.fault = Some(why);
    }
}

impl World {
    /// What players and their shadows decided in the last step; nothing of a robot whose player was not asked.
    pub fn comparisons(&self) -> &[Arc<Comparison>] {
        &self.scratch.comparisons
    }

    /// The robots that have a shadow.
    pub fn shadows(&self) -> impl Iterator<Item = (&Arc<RobotIdentity>, &ShadowFrame)> {
        let robots = self.state.robots.iter();
        robots.filter_map(|robot| Some((&robot.identity, &robot.shadow.as_deref()?.frame)))
    }

    /// Asks a robot's shadow, before anything is done that its player orders; gives what came of the call.
    pub(crate) fn ask_shadow(&mut self, index: usize, orders: &mut Orders) -> Option<Result<(), Fault>> {
        let robot = &mut self.state.robots[index];
        let mut driver = robot.shadow.as_mut()?.driver.take()?;
        orders.clear();
        let called = self.call_driver(index, &mut driver, orders, false);
        if let Some(shadow) = &mut self.state.robots[index].shadow {
            shadow.driver = Some(driver);
        }
        Some(called)
    }

    /// Puts what a player ordered, and why it is ended if it is, beside what its shadow did.
    pub(crate) fn compare_with_shadow(
        &mut self,
        index: usize,
        (ended_by, orders): (Option<&Fault>, &Orders),
        (called, shadow_orders): (Result<(), Fault>, &Orders),
    ) {
        let Some(mut shadow) = self.state.robots[index].shadow.take() else { return };
        let robot = &self.state.robots[index];
        // What cannot be carried out is known of the player; a shadow's orders are only looked at.
        let (driver, _) = self.read_orders(robot, &mut shadow.player_so_far, orders);
        let driver = Decision { fault: ended_by.map(|fault| fault_text(fault).into()), ..driver };
        let compared = self.compare(robot, &mut shadow, driver, called, shadow_orders);
        if compared.driver.fault.is_some() {
            shadow.driver = None;
        }
        self.keep(index, shadow, compared);
    }

    /// Asks a shadow whose robot is driven by clients.
    pub(crate) fn let_shadow_act(&mut self, index: usize) {
        if self.state.view_stale {
            self.refresh_view();
        }
        let mut orders = std::mem::take(&mut self.scratch.shadow_orders);
        let called = self.ask_shadow(index, &mut orders);
        if let (Some(called), Some(mut shadow)) = (called, self.state.robots[index].shadow.take()) {
            let robot = &self.state.robots[index];
            let dimensions = robot.identity.description.motion.dimensions.len();
            let driver = Decision { command: robot.told()[..dimensions].to_vec(), ..Decision::default() };
            let compared = self.compare(robot, &mut shadow, driver, called, &orders);
            self.keep(index, shadow, compared);
        }
        self.scratch.shadow_orders = orders;
    }

    fn compare(
        &self,
        robot: &Robot,
        shadow: &mut Shadow,
        driver: Decision,
        called: Result<(), Fault>,
        orders: &Orders,
    ) -> Arc<Comparison> {
        let (decision, readable) = self.read_orders(robot, &mut shadow.so_far, orders);
        let fault = called.and(readable).err().map(|fault| Arc::from(fault_text(fault)));
        let decision = Decision { fault, ..decision };
        let why = decision.fault.clone().or_else(|| decision.ends.then(|| "it ended".into()));
        if let Some(why) = why {
            shadow.stop(why);
        }
        Arc::new(Comparison {
            robot: Arc::clone(&robot.identity),
            step: self.state.step + 1,
            driver,
            shadow: decision,
            driven_by_client: !shadow.has_player,
        })
    }

    fn keep(&mut self, index: usize, mut shadow: Box<Shadow>, compared: Arc<Comparison>) {
        shadow.frame.last = Some(Arc::clone(&compared));
        self.scratch.comparisons.push(compared);
        self.state.robots[index].shadow = Some(shadow);
    }
}
