//! Players that belong to a team and drive no robot: coaches, trainers. (Y1)
//!
//! They are asked after the players of the robots, in the order of the world file. What they decide is part of the world's state like
//! what any player decides, so a recording need not hold it.

use crate::brief::fault_text;
use crate::build::WorldError;
use crate::command::CommandError;
use crate::driver::Driver;
use crate::events::EventKind;
use crate::frame::TeamPlayerFrame;
use crate::radio::{Said, Speaker};
use crate::robot::Robot;
use crate::scenario::{Scenario, Sees, TeamPlayer as Spec};
use crate::state::State;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::container::SensorCatalogue;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseOwner;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::{DataRecord, PlayerInput, PlayerSetup, Readings, RobotDescription};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_api::view::NONE;
use touchline_plugin_api::world::WorldDescription;

/// A player that belongs to a team, with its state.
#[derive(Clone)]
pub(crate) struct TeamPlayer {
    pub name: Arc<str>,
    pub team: u32,
    sees: Sees,
    is_trainer: bool,
    /// `None` once it has failed or ended.
    pub driver: Option<Driver>,
    fault: Option<Arc<str>>,
}

impl TeamPlayer {
    pub fn frame(&self) -> TeamPlayerFrame {
        TeamPlayerFrame {
            name: Arc::clone(&self.name),
            team: self.team,
            plugin: self.driver.as_ref().map(|driver| Arc::clone(&driver.plugin)),
            fault: self.fault.clone(),
        }
    }
}

/// What a player that belongs to a team is told when it is made.
pub fn setup_of(
    spec: &Spec,
    team: u32,
    teams: Vec<String>,
    team_robots: Vec<RobotDescription>,
    world: WorldDescription,
) -> PlayerSetup {
    PlayerSetup {
        robot: RobotDescription { name: spec.name.clone(), team: Some(team), ..RobotDescription::default() },
        team_robots,
        teams,
        period_secs: spec.player.period_secs.max(world.dt_secs),
        world,
    }
}

impl World {
    /// Makes the teams' players; the robots are there.
    pub(crate) fn add_team_players(&mut self, scenario: &Scenario) -> Result<(), WorldError> {
        let teams: Vec<String> = scenario.teams.iter().map(|team| team.name.clone()).collect();
        let world =
            WorldDescription { game: self.state.game.description().clone(), ..scenario.description() };
        for (team, spec) in
            (0..).zip(&scenario.teams).flat_map(|(team, of)| of.players.iter().map(move |spec| (team, spec)))
        {
            let robots = self.state.robots.iter().map(|robot| &robot.identity.description);
            let robots = robots.filter(|robot| robot.team == Some(team)).cloned().collect();
            let setup = setup_of(spec, team, teams.clone(), robots, world.clone());
            let wrong = |error| WorldError { place: format!("player \"{}\"", spec.name), index: None, error };
            let taken = self.state.robots.iter().any(|robot| robot.identity.name == spec.name)
                || self.state.team_players.iter().any(|player| *player.name == *spec.name);
            if taken {
                return Err(wrong(CommandError::NameTaken(spec.name.clone())));
            }
            let noise = NoiseOwner::new(&format!("{}/player", spec.name));
            let driver =
                Driver::new(self.setup.factory.as_ref(), &spec.player, &setup, noise).map_err(wrong)?;
            if !driver.instance.wanted_sensors().is_empty() {
                let problem = "it wants sensors, and a player of a team has none".into();
                return Err(wrong(CommandError::BadRobot { name: spec.name.clone(), problem }));
            }
            let name = spec.name.as_str().into();
            let (sees, is_trainer) = (spec.sees, spec.is_trainer);
            let player = TeamPlayer { name, team, sees, is_trainer, driver: Some(driver), fault: None };
            self.state.team_players.push(player);
        }
        Ok(())
    }

    /// Calls those whose turn it is.
    pub(crate) fn let_team_players_act(&mut self) {
        for place in 0..self.state.team_players.len() {
            let step = self.state.step;
            let player = &mut self.state.team_players[place];
            // They take turns as robots' players do.
            let is_due = player.driver.as_mut().is_some_and(|driver| driver.is_due(step, place as u32));
            let Some(mut driver) = player.driver.take_if(|_| is_due) else { continue };
            if self.state.view_stale {
                self.refresh_view();
            }
            let mut orders = std::mem::take(&mut self.scratch.orders);
            orders.clear();
            let called = self.call_team_player(place, &mut driver, &mut orders);
            self.state.team_players[place].driver = Some(driver);
            let result = called.and_then(|()| self.carry_out_team_orders(place, &orders));
            self.scratch.orders = orders;
            if let Err(fault) = result {
                self.stop_team_player(place, &fault);
            }
            let driver = &mut self.state.team_players[place].driver;
            driver.take_if(|driver| driver.ended);
        }
    }

    fn call_team_player(
        &mut self,
        place: usize,
        driver: &mut Driver,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let dt_secs = self.dt_secs();
        let State { step, noise_seed, view, game, robots, team_players, .. } = &self.state;
        let world = view.world(*step, dt_secs);
        let (view, motion_data): (_, Vec<DataRecord>) = match team_players[place].sees {
            Sees::Truth => (world, robots.iter().map(data_record).collect()),
            Sees::Nothing => (world.hidden(), Vec::new()),
        };
        self.scratch.fill_inbox(NONE, &mut driver.inbox);
        let input = PlayerInput {
            robot: NONE,
            elapsed_secs: driver.last_call.map_or(0.0, |last| (step - last) as f64 * dt_secs),
            readings: Readings {
                catalogue: &SensorCatalogue::default(),
                spans: &[],
                quantised: &[],
                stamp_secs: world.time_secs,
            },
            manipulators: &[],
            inbox: Inbox { records: &self.scratch.inbox, text: &self.scratch.inbox_text },
            motion_data: &motion_data,
            game: game.view(),
            view,
            noise: noise_seed.key(driver.noise, *step),
        };
        driver.last_call = Some(*step);
        driver.instance.sense_and_act(&mut driver.state, &input, orders)
    }

    /// An order that cannot be carried out is the player's fault, and ends it.
    fn carry_out_team_orders(&mut self, place: usize, orders: &Orders) -> Result<(), Fault> {
        let TeamPlayer { name, team, is_trainer, .. } = &self.state.team_players[place];
        let (name, team, is_trainer) = (Arc::clone(name), *team, *is_trainer);
        for order in orders.iter() {
            let order = order.map_err(|error| Fault::BadOutput(error.to_string()))?;
            match order {
                Order::Say { channel, text } => {
                    let speaker = Speaker::TeamPlayer { place, name: Arc::clone(&name), team };
                    let said = Said { speaker, from: Pose2::ORIGIN, channel, text: text.into() };
                    self.transmit(said).map_err(|error| Fault::BadOutput(error.to_string()))?;
                }
                Order::ExchangePlayer { .. } => self.exchange_by_order(&order, Some(team))?,
                Order::PlaceRobot { .. } | Order::PlaceBall { .. } if is_trainer => self.place(&order)?,
                Order::PlaceRobot { .. } | Order::PlaceBall { .. } => {
                    let problem =
                        "a coach puts nothing anywhere; a trainer may (`trainer = true` in the world file)";
                    return Err(Fault::BadOutput(problem.into()));
                }
                Order::End => {
                    if let Some(driver) = &mut self.state.team_players[place].driver {
                        driver.ended = true;
                    }
                }
                other => {
                    let what = fault_text(format_args!("a player of a team cannot order {other:?}"));
                    return Err(Fault::BadOutput(what));
                }
            }
        }
        Ok(())
    }

    fn stop_team_player(&mut self, place: usize, fault: &Fault) {
        let player = &mut self.state.team_players[place];
        let Some(driver) = player.driver.take() else { return };
        let plugin = format!("player \"{}\"", driver.plugin);
        player.fault = Some(fault_text(format_args!("{plugin}: {fault}")).into());
        let owner = player.name.to_string();
        self.event(EventKind::Fault { owner, plugin, message: fault_text(fault) });
    }
}

fn data_record(robot: &Robot) -> DataRecord {
    let data = robot.motion_data();
    let mut record = DataRecord { robot: robot.number(), len: data.len() as u32, ..DataRecord::default() };
    record.values[..data.len()].copy_from_slice(data);
    record
}
