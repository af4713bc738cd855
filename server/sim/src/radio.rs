//! The radio: who hears what is said, on which channel, and how much a channel carries. [mechanism 5]
//!
//! # Invariants
//! - What is said in a step is handed out at its end, in the order in which it was said: who decides for the next step has heard it.
//! - Nobody of another team hears a team's channel (`tests/radio.rs`).
//! - Of what is said on a channel in one step, the first messages up to its capacity are carried; each of the others is counted.

use crate::brief;
use crate::command::{CommandError, RobotNumber};
use crate::driver::Driver;
use crate::events::Message;
use crate::frame::RobotIdentity;
use crate::robot::Robot;
use crate::scenario::Radio;
use crate::state::State;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::noise::NoiseOwner;
use touchline_plugin_api::radio::{Channel, Sender};
use touchline_plugin_api::view::NONE;

/// What one robot, or one player of a team, may say in one step.
pub(crate) const MAX_MESSAGES: usize = 16;
/// What waits for a player until its next call, or for sensors until the end of the step; the oldest is lost first.
const MAX_INBOX: usize = 256;

/// Something that was said, with what is needed to hear it when the robot has gone.
#[derive(Clone)]
pub(crate) struct Said {
    pub speaker: Speaker,
    /// Pose of the speaker when it was said, world frame.
    pub from: Pose2,
    pub channel: Channel,
    pub text: String,
}

/// Sender of a radio message.
#[derive(Clone)]
pub(crate) enum Speaker {
    Robot(Arc<RobotIdentity>),
    /// A player that belongs to a team, by its place among them. It is nowhere: no range ends its words.
    TeamPlayer {
        place: usize,
        name: Arc<str>,
        team: u32,
    },
}

impl Speaker {
    /// A robot's number; [`NONE`] for who is none.
    pub fn number(&self) -> RobotNumber {
        match self {
            Self::Robot(robot) => robot.number,
            Self::TeamPlayer { .. } => NONE,
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Robot(robot) => &robot.name,
            Self::TeamPlayer { name, .. } => name,
        }
    }

    fn team(&self) -> Option<u32> {
        match self {
            Self::Robot(robot) => robot.description.team,
            Self::TeamPlayer { team, .. } => Some(*team),
        }
    }

    fn shirt(&self) -> Option<u32> {
        match self {
            Self::Robot(robot) => robot.shirt,
            Self::TeamPlayer { .. } => None,
        }
    }

    fn kind(&self) -> Sender {
        match self {
            Self::Robot(_) => Sender::Robot,
            Self::TeamPlayer { .. } => Sender::TeamPlayer,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Robot(one), Self::Robot(other)) => one.number == other.number,
            (Self::TeamPlayer { place: one, .. }, Self::TeamPlayer { place: other, .. }) => one == other,
            _ => false,
        }
    }
}

impl Said {
    /// Whether it reaches somebody of this team at all.
    fn is_for(&self, team: Option<u32>) -> bool {
        match self.channel {
            Channel::All => true,
            Channel::Team => team.is_some() && team == self.speaker.team(),
        }
    }
}

/// How much each channel has carried in one step.
#[derive(Default)]
struct Load {
    all: u32,
    teams: Vec<u32>,
}

impl Load {
    /// Whether the message still finds room on its channel.
    fn carries(&mut self, said: &Said, radio: &Radio) -> bool {
        let (load, capacity) = match (said.channel, said.speaker.team()) {
            (Channel::Team, Some(team)) => (at(&mut self.teams, team), radio.team_capacity),
            _ => (&mut self.all, radio.all_capacity),
        };
        let carried = capacity.is_none_or(|capacity| *load < capacity);
        *load += u32::from(carried);
        carried
    }
}

/// The number of a team in a list that grows as needed.
fn at<T: Default + Clone>(numbers: &mut Vec<T>, team: u32) -> &mut T {
    let place = team as usize;
    if numbers.len() <= place {
        numbers.resize(place + 1, T::default());
    }
    &mut numbers[place]
}

impl World {
    /// Hands out what was said in this step and was not handed out yet: at its end what players said, and before the next what clients
    /// have said since. All of it shares the channels of one step.
    pub(crate) fn hand_out_messages(&mut self) {
        if self.state.handed_out == self.state.said.len() {
            return;
        }
        let said = std::mem::take(&mut self.state.said);
        let handed_out = std::mem::replace(&mut self.state.handed_out, said.len());
        let mut load = Load::default();
        for (place, one) in said.iter().enumerate() {
            let is_carried = load.carries(one, &self.setup.scenario.radio);
            if place < handed_out {
                continue;
            }
            if is_carried {
                // Whether a message is lost depends on nothing that others say.
                let ordinal =
                    said[..place].iter().filter(|other| other.speaker.is_same(&one.speaker)).count();
                self.deliver(one, ordinal);
                continue;
            }
            let dropped = &mut self.state.messages_dropped;
            match (one.channel, one.speaker.team()) {
                (Channel::Team, Some(team)) => *at(&mut dropped.teams, team) += 1,
                _ => dropped.all += 1,
            }
        }
        self.state.said = said;
    }

    /// A step begins: the channels are free again.
    pub(crate) fn forget_messages(&mut self) {
        self.state.said.clear();
        self.state.handed_out = 0;
    }

    fn deliver(&mut self, said: &Said, ordinal: usize) {
        let radio = self.setup.scenario.radio;
        let State { step, noise_seed, robots, team_players, .. } = &self.state;
        let (from, from_name) = (said.speaker.number(), said.speaker.name());
        let origin = match said.speaker {
            // Whoever has gone is heard from where it spoke.
            Speaker::Robot(_) => {
                Some(self.robot_index(from).map_or(said.from, |index| robots[index].motion.pose))
            }
            Speaker::TeamPlayer { .. } => None,
        };
        let is_lost = |receiver: &str| {
            // Most radios lose nothing, and need no name of a draw.
            if radio.loss <= 0.0 {
                return false;
            }
            let path = format!("radio/{from_name}/{receiver}/{ordinal}");
            noise_seed.key(NoiseOwner::new(&path), *step).stream().chance(radio.loss)
        };
        let (mut heard_by, mut bearings_rad) = (Vec::with_capacity(robots.len()), Vec::new());
        for robot in robots.iter().filter(|robot| robot.number() != from) {
            let in_range = radio.range_m == f64::INFINITY
                || origin.is_none_or(|origin| origin.distance_m(robot.motion.pose) <= radio.range_m);
            let hears = said.is_for(robot.identity.description.team);
            if hears && in_range && !is_lost(&robot.identity.name) {
                heard_by.push(robot.number());
                if let Some(origin) = origin.filter(|_| radio.bearing) {
                    bearings_rad.push(bearing_rad(robot, origin));
                }
            }
        }
        let itself = match said.speaker {
            Speaker::TeamPlayer { place, .. } => Some(place),
            Speaker::Robot(_) => None,
        };
        let hears = |(place, player): (usize, &crate::team_player::TeamPlayer)| {
            Some(place) != itself && said.is_for(Some(player.team)) && !is_lost(&player.name)
        };
        let listening: Vec<bool> = team_players.iter().enumerate().map(hears).collect();
        let (step, from_name) = (*step, from_name.to_owned());
        let message = self.state.messages.push(
            |_| false,
            |number| Message {
                number,
                step,
                from,
                from_name,
                sender: said.speaker.kind(),
                from_team: said.speaker.team(),
                from_shirt: said.speaker.shirt(),
                channel: said.channel,
                heard_by,
                bearings_rad,
                text: said.text.clone(),
            },
        );
        for &number in &message.heard_by {
            let Some(index) = self.robot_index(number) else { continue };
            self.state.robots[index].hear(&message);
        }
        for (player, _) in self.state.team_players.iter_mut().zip(listening).filter(|(_, listens)| *listens) {
            player.driver.iter_mut().for_each(|driver| driver.hear(&message));
        }
    }

    pub(crate) fn say(&mut self, index: usize, channel: Channel, text: &str) -> Result<(), CommandError> {
        let robot = &self.state.robots[index];
        if channel == Channel::Team && robot.identity.description.team.is_none() {
            return Err(CommandError::NoTeam(robot.identity.name.clone()));
        }
        let (speaker, from) = (Speaker::Robot(Arc::clone(&robot.identity)), robot.motion.pose);
        self.transmit(Said { speaker, from, channel, text: text.into() })
    }

    /// Takes what is heard in the next step.
    pub(crate) fn transmit(&mut self, said: Said) -> Result<(), CommandError> {
        let limit = self.setup.scenario.radio.max_bytes as usize;
        if said.text.len() > limit {
            return Err(CommandError::MessageTooLong { got: said.text.len(), limit });
        }
        let so_far = self.state.said.iter().filter(|other| other.speaker.is_same(&said.speaker)).count();
        if so_far >= MAX_MESSAGES {
            return Err(CommandError::TooManyMessages(MAX_MESSAGES));
        }
        self.state.said.push(said);
        Ok(())
    }

    /// What a referee says to one robot comes with its radio, from nobody.
    pub(crate) fn tell_player(&mut self, index: usize, text: &str) {
        let step = self.state.step;
        let robot = &mut self.state.robots[index];
        let heard_by = vec![robot.number()];
        let (from_name, text) = ("referee".into(), brief::kept(text));
        let message = self.state.messages.push(
            |_| false,
            |number| Message {
                number,
                step,
                from: NONE,
                from_name,
                sender: Sender::Referee,
                from_team: None,
                from_shirt: None,
                channel: Channel::All,
                heard_by,
                bearings_rad: Vec::new(),
                text,
            },
        );
        robot.hear(&message);
    }
}

/// The direction from a robot to a place, in its body frame, radians.
fn bearing_rad(robot: &Robot, origin: Pose2) -> f64 {
    let pose = robot.motion.pose;
    let (dx, dy) = (origin.x_m - pose.x_m, origin.y_m - pose.y_m);
    let (sin, cos) = sin_cos(pose.theta_rad);
    libm::atan2(cos * dy - sin * dx, cos * dx + sin * dy)
}

impl Robot {
    /// Puts a message into the inbox of its player, and of the one that is asked beside it, and before its sensors.
    fn hear(&mut self, message: &Arc<Message>) {
        if self.has_ears {
            keep(&mut self.ears, message);
        }
        let shadow = self.shadow.as_mut().and_then(|shadow| shadow.driver.as_mut());
        self.player.iter_mut().chain(shadow).for_each(|driver| driver.hear(message));
    }
}

impl Driver {
    fn hear(&mut self, message: &Arc<Message>) {
        keep(&mut self.inbox, message);
    }
}

/// Puts a message behind the others, as long as so many can wait.
fn keep(inbox: &mut Vec<Arc<Message>>, message: &Arc<Message>) {
    if inbox.len() >= MAX_INBOX {
        inbox.remove(0);
    }
    inbox.push(Arc::clone(message));
}
