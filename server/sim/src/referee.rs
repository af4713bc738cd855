//! The referee: asked before the physics and after it, and what it orders carried out. [G1]

use crate::brief::{self, fault_text};
use crate::command::RobotNumber;
use crate::episode::EpisodeEnd;
use crate::events::EventKind;
use crate::robot::Robot;
use crate::state::State;
use crate::world::World;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::DataRecord;
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::referee::{CommandRecord, PrepareInput, RefereeInput};
use touchline_plugin_api::view::NONE;

impl World {
    /// Asks a referee that wants to be asked what the robots may do of what they want in this step.
    pub(crate) fn let_referee_prepare(&mut self) {
        let asked = self.state.referee.as_ref().is_some_and(|referee| !referee.failed && referee.prepares);
        if !asked {
            return;
        }
        if self.state.view_stale {
            self.refresh_view();
        }
        let dt_secs = self.setup.scenario.dt_secs;
        let mut orders = std::mem::take(&mut self.scratch.orders);
        orders.clear();
        let State { step, noise_seed, view, referee, game, robots, kicks, .. } = &mut self.state;
        read_referee_data(game.description(), robots, &mut self.scratch.referee_data);
        let Some(referee) = referee.as_mut() else { return };
        let command = |robot: &Robot| CommandRecord {
            robot: robot.number(),
            len: robot.identity.description.motion.dimensions.len() as u32,
            values: robot.motion.command,
        };
        let commands: Vec<CommandRecord> = robots.iter().map(command).collect();
        let input = PrepareInput {
            dt_secs,
            view: view.world(*step, dt_secs),
            commands: &commands,
            kicks,
            motion_data: &self.scratch.referee_data,
            game: game.view(),
            noise: noise_seed.key(referee.prepare_noise, *step),
        };
        let asked = referee.instance.prepare(&mut referee.state, &input, &mut orders);
        let result = asked.and_then(|()| self.carry_out_referee_orders(&orders));
        self.scratch.orders = orders;
        self.stop_referee_after(result);
    }

    /// Stops a referee that failed, and tells everybody.
    fn stop_referee_after(&mut self, result: Result<(), Fault>) {
        if let Err(fault) = result
            && let Some(referee) = &mut self.state.referee
        {
            referee.failed = true;
            let plugin = format!("referee \"{}\"", referee.plugin);
            self.event(EventKind::Fault { owner: "referee".into(), plugin, message: fault_text(&fault) });
        }
    }

    pub(crate) fn let_referee_judge(&mut self) {
        let dt_secs = self.setup.scenario.dt_secs;
        let State { step, noise_seed, view, referee, referee_lines, game, robots, .. } = &mut self.state;
        let Some(referee) = referee.as_mut().filter(|referee| !referee.failed) else {
            game.set_clock(*step as f64 * dt_secs);
            return;
        };
        let mut orders = std::mem::take(&mut self.scratch.orders);
        orders.clear();
        read_referee_data(game.description(), robots, &mut self.scratch.referee_data);
        let input = RefereeInput {
            dt_secs,
            view: view.world(*step, dt_secs),
            contacts: &self.scratch.contacts,
            waypoints: &self.scratch.waypoints,
            motion_data: &self.scratch.referee_data,
            game: game.view(),
            commands: referee_lines,
            noise: noise_seed.key(referee.noise, *step),
        };
        let judged = referee.instance.judge(&mut referee.state, &input, &mut orders);
        referee_lines.clear();
        let result = judged.and_then(|()| self.carry_out_referee_orders(&orders));
        self.scratch.orders = orders;
        if self.state.view_stale {
            self.refresh_view();
        }
        self.stop_referee_after(result);
    }

    fn robot_of_order(&self, robot: RobotNumber, what: &str) -> Result<usize, Fault> {
        self.robot_index(robot).ok_or_else(|| Fault::BadOutput(format!("no robot {robot} {what}")))
    }

    fn carry_out_referee_orders(&mut self, orders: &Orders) -> Result<(), Fault> {
        for order in orders.iter() {
            let order = order.map_err(|error| Fault::BadOutput(error.to_string()))?;
            match order {
                Order::Game(said) => self.state.game.take(&said, &mut self.scratch.game)?,
                Order::Event { kind, team, text } => {
                    check_word(kind)?;
                    let team = (team != NONE).then_some(team);
                    if team.is_some_and(|team| team as usize >= self.state.game.teams.len()) {
                        return Err(Fault::BadOutput(format!("an event \"{kind}\" of team {team:?}")));
                    }
                    self.event(EventKind::Game { kind: kind.into(), team, text: brief::kept(text) });
                }
                Order::Measure { name, unit, value } if value.is_finite() => {
                    check_word(name)?;
                    self.event(EventKind::Measure { name: name.into(), value, unit: brief::kept(unit) });
                }
                Order::Announce(text) => self.event(EventKind::Announcement(brief::kept(text))),
                Order::ResetObjects => self.reset_objects(),
                Order::Reward { robot, value } if value.is_finite() => {
                    let index = self.robot_of_order(robot, "to pay")?;
                    self.state.robots[index].reward += value;
                }
                Order::RemoveRobot { robot } => {
                    let index = self.robot_of_order(robot, "to remove")?;
                    self.remove_robot(index);
                }
                Order::HoldRobot { robot, held } => {
                    let index = self.robot_of_order(robot, "to hold")?;
                    self.state.robots[index].motion.held = held;
                }
                Order::SetDatum { robot, datum, value } if value.is_finite() => {
                    let index = self.robot_of_order(robot, "to set a datum of")?;
                    let robot = &mut self.state.robots[index];
                    let place = robot.identity.referee_data.get(datum as usize).copied().flatten();
                    let is_settable = |&place: &usize| robot.identity.description.motion.data[place].settable;
                    let Some(place) = place.filter(is_settable) else {
                        let (number, names) = (robot.number(), &self.state.game.description().motion_data);
                        let name = names.get(datum as usize).map_or("", String::as_str);
                        let what = format!("datum {datum} \"{name}\" of robot {number} cannot be set");
                        return Err(Fault::BadOutput(what));
                    };
                    robot.motion.data[place] = value;
                }
                Order::RefuseKick { kick } if (kick as usize) < self.state.kicks.len() => {
                    // The places of the others stay: a kick of no robot is none.
                    self.state.kicks[kick as usize].robot = NONE;
                }
                Order::Tell { robot, text } => {
                    let index = self.robot_of_order(robot, "to tell something")?;
                    self.tell_player(index, text);
                }
                Order::ExchangePlayer { .. } => self.exchange_by_order(&order, None)?,
                Order::Annotate { key, value } => self.annotate_world(key, value)?,
                Order::Rule { word, args } => self.rule(word, args)?,
                Order::EndEpisode(outcome) => self.end_episode(EpisodeEnd::Over(brief::kept(outcome).into())),
                Order::PlaceRobot { .. } | Order::PlaceBall { .. } => self.place(&order)?,
                other => {
                    let what = fault_text(format_args!("a referee cannot order {other:?}"));
                    return Err(Fault::BadOutput(what));
                }
            }
        }
        Ok(())
    }
}

/// Lays out what the robots' motion models publish of what the referee declared; nothing if it declared nothing.
fn read_referee_data(game: &GameDescription, robots: &[Robot], records: &mut Vec<DataRecord>) {
    records.clear();
    if game.motion_data.is_empty() {
        return;
    }
    records.extend(robots.iter().map(|robot| {
        let places = &robot.identity.referee_data;
        let (robot_number, len) = (robot.number(), places.len() as u32);
        let mut record = DataRecord { robot: robot_number, len, ..DataRecord::default() };
        for (value, place) in record.values.iter_mut().zip(places) {
            *value = place.map_or(f64::NAN, |place| robot.motion.data[place]);
        }
        record
    }));
}

/// Words of events are those of lines and files: lower-case letters, digits and `-`, and none that the core has itself.
fn check_word(word: &str) -> Result<(), Fault> {
    const OWN: [&str; 7] =
        ["contact", "fault", "player-exchanged", "robot-added", "robot-removed", "announcement", "measure"];
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let is_word = !word.is_empty() && word.len() <= 64 && word.bytes().all(allowed);
    if is_word && !OWN.contains(&word) {
        return Ok(());
    }
    Err(Fault::BadOutput(format!(
        "an event \"{}\"; allowed are 1 to 64 of a-z 0-9 - and none of {}",
        brief::word(word),
        OWN.join(", ")
    )))
}
