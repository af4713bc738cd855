//! Players: asked within a step, and what they order carried out. [Y1]
//!
//! # Not here
//! The referee: `referee.rs`. Players that belong to a team: `team_player.rs`.

use crate::apply::check_pose;
use crate::command::CommandError;
use crate::driver::Driver;
use crate::robot::check_velocity;
use crate::sensor_platform::{Reader, SensorPlatform};
use crate::state::State;
use crate::timing::Stamp;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::{PlayerInput, ReadingSpan, Readings};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::radio::Inbox;

impl World {
    /// Calls the players whose turn it is; they take turns, so that the work is spread over the steps.
    pub(crate) fn let_players_act(&mut self) {
        if !self.state.duties.acts {
            return;
        }
        let step = self.state.step;
        let mut index = 0;
        while let Some(robot) = self.state.robots.get_mut(index) {
            let number = robot.number();
            if robot.taken_by.is_none()
                && robot.player.as_mut().is_some_and(|player| player.is_due(step, number))
            {
                self.let_player_act(index);
            } else if robot.player.is_none()
                && robot.shadow.as_mut().is_some_and(|shadow| shadow.is_due(step, number))
            {
                self.let_shadow_act(index);
            }
            // A player that ended took its robot with it.
            if self.state.robots.get(index).is_some_and(|robot| robot.number() == number) {
                index += 1;
            }
        }
    }

    fn let_player_act(&mut self, index: usize) {
        // An earlier player of this step may have gone, or put something elsewhere.
        if self.state.view_stale {
            self.refresh_view();
        }
        let mut orders = std::mem::take(&mut self.scratch.orders);
        orders.clear();
        // Before its player, whose orders may change what there is to be seen.
        let mut shadow_orders = std::mem::take(&mut self.scratch.shadow_orders);
        let shadow_called = self.ask_shadow(index, &mut shadow_orders);
        let called = self.call_player(index, &mut orders);
        let result = called.and_then(|()| self.carry_out_player_orders(index, &orders));
        if let Some(called) = shadow_called {
            self.compare_with_shadow(index, (result.as_ref().err(), &orders), (called, &shadow_orders));
        }
        (self.scratch.orders, self.scratch.shadow_orders) = (orders, shadow_orders);
        self.report_faults();
        if let Err(fault) = result {
            let robot = &mut self.state.robots[index];
            robot.hush();
            if let Some(player) = robot.player.take() {
                self.report_fault(index, format!("player \"{}\"", player.plugin), &fault);
            }
        }
        if self.state.robots[index].player.as_ref().is_some_and(|player| player.ended) {
            self.remove_robot(index);
        }
    }

    fn call_player(&mut self, index: usize, orders: &mut Orders) -> Result<(), Fault> {
        let Some(mut player) = self.state.robots[index].player.take() else { return Ok(()) };
        let called = self.call_driver(index, &mut player, orders, true);
        self.state.robots[index].player = Some(player);
        called
    }

    /// Lets a player of a robot sense and act; `drives` if it is the one that drives it, and no shadow.
    pub(crate) fn call_driver(
        &mut self,
        index: usize,
        player: &mut Driver,
        orders: &mut Orders,
        drives: bool,
    ) -> Result<(), Fault> {
        let dt_secs = self.setup.scenario.dt_secs;
        let State { step, noise_seed, robots, view, game, balls, .. } = &mut self.state;
        let noise_seed = *noise_seed;
        let step = *step;
        let object = (1 + balls.len() + index) as u32;
        let robot = &mut robots[index];
        let identity = Arc::clone(&robot.identity);
        let scratch = &mut self.scratch;

        scratch.manipulators.clear();
        scratch.manipulators.extend(robot.manipulator_status(step, dt_secs, view.ball_places(balls.len())));
        let world = view.world_around(step, dt_secs);
        let platform = SensorPlatform {
            identity: &identity,
            object,
            pose: robot.motion.pose,
            heading: robot.motion.heading,
            twist: robot.motion.twist,
            motion_data: &robot.motion.data[..identity.description.motion.data.len()],
            sensor_data: &robot.sensor_data,
        };
        scratch.quantised.clear();
        scratch.spans.clear();
        scratch.spans.resize(identity.sensors.len(), ReadingSpan::NOTHING);
        for &sensor in player.instance.wanted_sensors() {
            let state = &mut robot.sensors[sensor];
            if state.stopped.is_some() {
                continue;
            }
            let start = scratch.quantised.len();
            let len = identity.sensors[sensor].len;
            scratch.quantised.resize(start + len, 0);
            let held = state.held(&identity.sensors[sensor], step);
            let quantised = &mut scratch.quantised[start..];
            match platform.read(Reader::World, noise_seed, world, (sensor, &state.state), &held, quantised) {
                Ok(Some(Stamp { time_secs: stamp_secs, .. })) => {
                    scratch.spans[sensor] = ReadingSpan { start: start as u32, len: len as u32, stamp_secs };
                }
                Ok(None) => {}
                // What only a shadow reads changes nothing.
                Err(_) if !drives => {}
                Err(fault) => {
                    state.stop(step + 1, &fault);
                    scratch.faults.push((index, identity.sensor_name(sensor), fault));
                }
            }
        }

        scratch.fill_inbox(identity.number, &mut player.inbox);
        let input = PlayerInput {
            robot: identity.number,
            elapsed_secs: player.last_call.map_or(0.0, |last| (step - last) as f64 * dt_secs),
            readings: Readings {
                catalogue: &identity.description.sensors,
                spans: &scratch.spans,
                quantised: &scratch.quantised,
                stamp_secs: world.time_secs,
            },
            manipulators: &scratch.manipulators,
            inbox: Inbox { records: &scratch.inbox, text: &scratch.inbox_text },
            motion_data: &[],
            game: game.view(),
            view: world,
            noise: noise_seed.key(player.noise, step),
        };
        player.last_call = Some(step);
        player.instance.sense_and_act(&mut player.state, &input, orders)
    }

    /// An order that cannot be carried out is the player's fault, and ends it.
    fn carry_out_player_orders(&mut self, index: usize, orders: &Orders) -> Result<(), Fault> {
        let bad = |error: CommandError| Fault::BadOutput(error.to_string());
        for order in orders.iter() {
            let order = order.map_err(|error| Fault::BadOutput(error.to_string()))?;
            match order {
                Order::Drive(command) => self.drive(index, command).map_err(bad)?,
                Order::DriveTwist(twist) if !twist.is_finite() => {
                    return Err(Fault::BadOutput(format!("a twist that is not finite: {twist:?}")));
                }
                Order::DriveTwist(twist) => self.drive_twist(index, twist),
                Order::Manipulate { manipulator, state, aim } => {
                    self.manipulate(index, manipulator as usize, state as usize, aim).map_err(bad)?;
                }
                Order::Say { channel, text } => self.say(index, channel, text).map_err(bad)?,
                Order::SetSensor { sensor, datum, value } => {
                    self.set_sensor(index, sensor as usize, datum as usize, value).map_err(bad)?;
                }
                Order::Annotate { key, value } => self.annotate(index, key, value).map_err(bad)?,
                Order::PlaceRobot { .. } | Order::PlaceBall { .. } => self.place(&order)?,
                Order::End => {
                    // The robot goes with its player, but not before the list is done.
                    if let Some(player) = &mut self.state.robots[index].player {
                        player.ended = true;
                    }
                }
                Order::ExchangePlayer { .. } => {
                    let what = "an order that only a player of a team or a referee may give";
                    return Err(Fault::BadOutput(what.into()));
                }
                Order::Game(_)
                | Order::Event { .. }
                | Order::Announce(_)
                | Order::ResetObjects
                | Order::Reward { .. }
                | Order::EndEpisode(_)
                | Order::RemoveRobot { .. }
                | Order::HoldRobot { .. }
                | Order::SetDatum { .. }
                | Order::Measure { .. }
                | Order::Tell { .. }
                | Order::RefuseKick { .. }
                | Order::Rule { .. } => {
                    return Err(Fault::BadOutput("an order that only a referee may give".into()));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn place(&mut self, order: &Order<'_>) -> Result<(), Fault> {
        match *order {
            Order::PlaceRobot { robot, pose, twist } if pose.is_finite() && twist.is_finite() => {
                let index = self.robot_index(robot);
                let index = index.ok_or_else(|| Fault::BadOutput(format!("no robot {robot} to place")))?;
                check_pose(pose).map_err(|error| Fault::BadOutput(error.to_string()))?;
                check_velocity("a velocity to place a robot with", twist)?;
                self.place_robot(index, pose, twist);
                Ok(())
            }
            // The numbers of an order are finite: the border has seen to it.
            Order::PlaceBall { ball, position, velocity, vertical } => self
                .place_ball(ball, position, velocity, vertical)
                .map_err(|error| Fault::BadOutput(error.to_string())),
            _ => Err(Fault::BadOutput("a place that is not finite".into())),
        }
    }
}
