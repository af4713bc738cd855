//! What a player's orders come to, read and never carried out: the decision of a shadow, and of the player beside it.

use crate::annotations::MAX_ANNOTATIONS;
use crate::apply::check_pose;
use crate::kick::check_aim;
use crate::radio::MAX_MESSAGES;
use crate::robot::{Robot, set_twist};
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::motion::MAX_DIMENSIONS;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::radio::Channel;

/// What a player wants done, after all orders of one call.
#[derive(Clone, Debug, Default)]
pub struct Decision {
    /// The motion command as its orders have left it, one number for each dimension; zeros before the first.
    pub command: Vec<f64>,
    /// Manipulators that it switches, with their new states.
    pub manipulations: Vec<Manipulation>,
    /// Numbers of sensors that it sets.
    pub sensor_settings: Vec<SensorSetting>,
    /// What it says to others; what it says to its team begins with `channel=team`.
    pub messages: Vec<String>,
    /// Robots and balls whose positions it sets.
    pub placings: Vec<Placing>,
    /// Whether the player ends itself.
    pub ends: bool,
    /// Why it was stopped, if it was.
    pub fault: Option<Arc<str>>,
    /// All that it has published, JSON by key.
    pub annotations: Arc<BTreeMap<String, String>>,
}

/// A manipulator that is switched.
#[derive(Clone, Copy, Debug)]
pub struct Manipulation {
    /// Index into the robot's manipulators.
    pub manipulator: u32,
    /// Index into the manipulator's states.
    pub state: u32,
    /// What is asked of it.
    pub aim: Aim,
}

/// A number of a sensor that is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorSetting {
    /// Index into the robot's sensors.
    pub sensor: u32,
    /// Index into the sensor's data.
    pub datum: u32,
    /// New value, in the datum's unit.
    pub value: f64,
}

/// Something that is put somewhere.
#[derive(Clone, Debug)]
pub struct Placing {
    /// Such as `ball-0`.
    pub object: String,
    /// Metres, radians, m/s, in the order of the order.
    pub numbers: Vec<f64>,
}

/// What holds until it is changed.
#[derive(Clone, Default)]
pub(crate) struct Standing {
    command: [f64; MAX_DIMENSIONS],
    annotations: Arc<BTreeMap<String, String>>,
}

impl World {
    /// Reads what a list of orders comes to, up to one that cannot be carried out.
    pub(crate) fn read_orders(
        &self,
        robot: &Robot,
        standing: &mut Standing,
        orders: &Orders,
    ) -> (Decision, Result<(), Fault>) {
        let dimensions = &robot.identity.description.motion.dimensions;
        let mut decision = Decision::default();
        let mut readable = Ok(());
        for order in orders.iter() {
            let order = match order {
                Ok(order) => order,
                Err(error) => {
                    readable = Err(Fault::BadOutput(error.to_string()));
                    break;
                }
            };
            let said = decision.messages.len();
            readable = self.may_be_carried_out(robot, said, &standing.annotations, &order);
            if readable.is_err() {
                break;
            }
            match order {
                Order::Drive(command) => standing.command[..command.len()].copy_from_slice(command),
                Order::DriveTwist(twist) => set_twist(&mut standing.command, dimensions, twist),
                Order::Manipulate { manipulator, state, aim } => {
                    decision.manipulations.push(Manipulation { manipulator, state, aim });
                }
                Order::Say { channel: Channel::All, text } => decision.messages.push(text.into()),
                // As the board writes it.
                Order::Say { channel, text } => {
                    decision.messages.push(format!("channel={} {text}", channel.as_str()));
                }
                Order::SetSensor { sensor, datum, value } => {
                    decision.sensor_settings.push(SensorSetting { sensor, datum, value });
                }
                Order::Annotate { key, value } => {
                    Arc::make_mut(&mut standing.annotations).insert(key.into(), value.into());
                }
                Order::PlaceRobot { robot, pose, .. } => decision.placings.push(Placing {
                    object: format!("robot {robot}"),
                    numbers: vec![pose.x_m, pose.y_m, pose.theta_rad],
                }),
                Order::PlaceBall { ball, position, velocity, vertical } => {
                    // Two numbers more for what is not on the floor.
                    let height = [vertical.z_m, vertical.speed_m_s];
                    let height = if vertical.is_on_floor() { &[][..] } else { &height };
                    decision.placings.push(Placing {
                        object: format!("ball-{ball}"),
                        numbers: position.iter().chain(&velocity).chain(height).copied().collect(),
                    });
                }
                Order::End => decision.ends = true,
                // A referee's, which ended the list before.
                _ => {}
            }
        }
        decision.command = standing.command[..dimensions.len()].to_vec();
        decision.annotations = Arc::clone(&standing.annotations);
        (decision, readable)
    }

    /// What would end the player that orders this.
    fn may_be_carried_out(
        &self,
        robot: &Robot,
        said: usize,
        annotations: &BTreeMap<String, String>,
        order: &Order<'_>,
    ) -> Result<(), Fault> {
        let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
        let description = &robot.identity.description;
        let problem = match *order {
            Order::Drive(command) if command.len() != description.motion.dimensions.len() => {
                let expected = description.motion.dimensions.len();
                format!("a command of {} numbers; this robot takes {expected}", command.len())
            }
            Order::Drive(command) if !finite(command) => "a command that is not finite".into(),
            Order::DriveTwist(twist) if !twist.is_finite() => "a twist that is not finite".into(),
            Order::Manipulate { manipulator, state, .. }
                if description
                    .manipulators
                    .get(manipulator as usize)
                    .is_none_or(|manipulator| state as usize >= manipulator.states.len()) =>
            {
                format!("no manipulator state {manipulator}.{state}")
            }
            Order::Manipulate { manipulator, state, aim } => {
                let state = &robot.identity.spec.manipulators[manipulator as usize].states[state as usize];
                match check_aim(&aim, state.kick.as_ref()) {
                    Ok(()) => return Ok(()),
                    Err(problem) => problem.to_string(),
                }
            }
            Order::Say { channel: Channel::Team, .. } if description.team.is_none() => {
                "a message to the team of a robot that has none".into()
            }
            Order::SetSensor { sensor, datum, value }
                if !description
                    .sensors
                    .sensors
                    .get(sensor as usize)
                    .and_then(|sensor| sensor.data.get(datum as usize))
                    .is_some_and(|datum| datum.allows(value)) =>
            {
                format!("datum {datum} of sensor {sensor} cannot be set to {value}")
            }
            Order::ExchangePlayer { .. } => {
                "an order that only a player of a team or a referee may give".into()
            }
            Order::Say { text, .. } if text.len() > self.scenario().radio.max_bytes as usize => {
                format!("a message of {} bytes", text.len())
            }
            Order::Say { .. } if said >= MAX_MESSAGES => {
                format!("more than {MAX_MESSAGES} messages in one step")
            }
            Order::Annotate { value, .. }
                if serde_json::from_str::<serde::de::IgnoredAny>(value).is_err() =>
            {
                "a value that is no JSON".into()
            }
            Order::Annotate { key, .. }
                if annotations.len() >= MAX_ANNOTATIONS && !annotations.contains_key(key) =>
            {
                format!("more than {MAX_ANNOTATIONS} values")
            }
            Order::PlaceRobot { robot, pose, .. } if self.robot_index(robot).is_none() || bad_place(pose) => {
                format!("robot {robot} cannot be put there")
            }
            Order::PlaceBall { ball, position, velocity, vertical }
                if ball as usize >= self.state.balls.len()
                    || bad_place(Pose2::new(position[0], position[1], 0.0))
                    || !finite(&[velocity[0], velocity[1], vertical.z_m, vertical.speed_m_s]) =>
            {
                format!("ball {ball} cannot be put there")
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
            | Order::Rule { .. } => "an order that only a referee may give".into(),
            _ => return Ok(()),
        };
        Err(Fault::BadOutput(problem))
    }
}

fn bad_place(pose: Pose2) -> bool {
    !pose.is_finite() || check_pose(pose).is_err()
}
