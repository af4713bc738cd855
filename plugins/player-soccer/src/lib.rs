//! A player of a whole team for the RoboCup Soccer Server's world: a 4-3-3, meetings, passes, dribbles, shots, a goalkeeper. (Y1)
//!
//! The decisions are `touchline-soccer-team`'s. Where things are it takes from the world itself, as that server's players get it by `fullstate`; what it
//! knows of its own body from the sensor `sense-body`.

#![forbid(unsafe_code)]

mod body;

use body::BodyReader;
use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::view::Object;
use touchline_soccer_law::face::{BodyCommand, CYCLE_SECS, Side, TEAM_SIZE, mode_of_phase};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_team::keepaway::taker;
use touchline_soccer_team::{Decision, Frame, Mover, Play, Scene, decide, kickable_distance};

/// After a set play the taker keeps off the ball for so long, unless somebody else is at it before, cycles.
const KEEPS_OFF_CYCLES: u32 = 30;

/// Parameters of a player.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SoccerPlayerParams {
    /// The parameters of the game that the referee has under the same names.
    pub server: ServerParams,
    /// What it plays.
    pub policy: Policy,
}

/// What a player plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// In a team of eleven.
    #[default]
    Team,
    /// A taker of keepaway: it goes to the ball.
    Taker,
}

/// The player.
pub struct Soccer {
    params: SoccerPlayerParams,
    body: BodyReader,
    side: Side,
}

/// What it remembers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Memory {
    /// Cycles for which it keeps off the ball.
    keeps_off: u32,
    /// Cycles until it may catch again.
    catch_ban: u32,
}

impl Player for Soccer {
    const NAME: &'static str = "soccer";
    const SUMMARY: &'static str = "Plays the RoboCup Soccer Server's game in a team of eleven.";
    type Params = SoccerPlayerParams;
    type State = Memory;

    fn new(params: SoccerPlayerParams, setup: &PlayerSetup) -> Result<Self, SetupError> {
        let mut problems = SetupError::default();
        if let Err(error) = params.server.check() {
            problems.require(false, "server", error.to_string());
        }
        let dimensions = setup.robot.motion.dimensions.len();
        let takes_commands = dimensions == BodyCommand::DIMENSIONS.len();
        problems.require(
            takes_commands,
            "",
            "needs a robot with the motion model soccer, whose commands are a body's (command = \"body\")",
        );
        let side = setup.robot.team.and_then(Side::of_team);
        problems.require(side.is_some(), "", "needs a team, the first or the second of the world");
        problems.into_result()?;
        Ok(Self { params, body: BodyReader::new(&setup.robot.sensors)?, side: side.unwrap_or(Side::Left) })
    }

    fn wants(&self) -> Vec<FeatureHandle> {
        self.body.handles()
    }

    fn initial_state(&self) -> Memory {
        Memory::default()
    }

    fn sense_and_act(
        &self,
        memory: &mut Memory,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        memory.keeps_off = memory.keeps_off.saturating_sub(1);
        memory.catch_ban = memory.catch_ban.saturating_sub(1);
        let (command, turn_neck_rad) = match self.decide(memory, input) {
            Some(decision) => (in_world(decision.command, Frame::of(self.side)), decision.turn_neck_rad),
            // Without a body, a ball or a game there is nothing to do.
            None => (BodyCommand::None, 0.0),
        };
        orders.drive(&command.to_numbers(turn_neck_rad));
        Ok(())
    }
}

impl Soccer {
    fn decide(&self, memory: &mut Memory, input: &PlayerInput<'_>) -> Option<Decision> {
        let server = &self.params.server;
        let body = self.body.read(&input.readings, server)?;
        let frame = Frame::of(self.side);
        let ball = mover(input.view.balls().next()?, frame);
        let mode = mode_of_phase(input.game.phase)?;
        let mut me = None;
        let (mut mates, mut opponents) = (Vec::with_capacity(TEAM_SIZE), Vec::with_capacity(TEAM_SIZE));
        let mut count = 0;
        for robot in input.view.robots() {
            let Some(side) = Side::of_team(robot.team) else { continue };
            if side != self.side {
                opponents.push(mover(robot, frame));
                continue;
            }
            count += 1;
            // Where a name ends with no number of a team, those who are there are counted.
            let unum = if (1..=TEAM_SIZE as u32).contains(&robot.shirt) { robot.shirt } else { count };
            if robot.number == input.robot {
                me = Some((unum, mover(robot, frame)));
            } else {
                mates.push((unum, mover(robot, frame)));
            }
        }
        let (unum, me) = me?;
        let reach_m = kickable_distance(server, &body.kind);
        let touches = |other: &Mover| {
            let [x, y] = [0, 1].map(|axis| other.place[axis] - ball.place[axis]);
            x * x + y * y < reach_m * reach_m
        };
        if memory.keeps_off > 0
            && (mates.iter().any(|(_, mate)| touches(mate)) || opponents.iter().any(touches))
        {
            memory.keeps_off = 0;
        }
        let scene = Scene {
            server,
            kind: &body.kind,
            unum,
            is_goalie: body.is_goalie,
            me,
            neck_rad: body.neck_rad,
            stamina: body.stamina,
            obeys: body.obeys,
            may_touch: memory.keeps_off == 0,
            may_catch: memory.catch_ban == 0,
            ball,
            mates,
            opponents,
            play: Play::of(mode, self.side),
        };
        let decision = match self.params.policy {
            Policy::Team => decide(&scene),
            Policy::Taker => Decision { command: taker(&scene), turn_neck_rad: 0.0, takes_set_play: false },
        };
        if decision.takes_set_play {
            memory.keeps_off = KEEPS_OFF_CYCLES;
        }
        if matches!(decision.command, BodyCommand::Catch { .. }) {
            memory.catch_ban = server.catch_ban_cycle.max(0) as u32;
        }
        Some(decision)
    }
}

/// In the team's frame.
fn mover(object: &Object, frame: Frame) -> Mover {
    Mover {
        place: frame.turn([object.pose.x_m, object.pose.y_m]),
        velocity: frame.turn([object.twist.x_m_s * CYCLE_SECS, object.twist.y_m_s * CYCLE_SECS]),
        heading_rad: frame.turn_angle(object.pose.theta_rad),
    }
}

/// Directions are relative to the body; a place is the world's.
fn in_world(command: BodyCommand, frame: Frame) -> BodyCommand {
    match command {
        BodyCommand::Move { place } => BodyCommand::Move { place: frame.turn(place) },
        other => other,
    }
}

touchline_plugin_api::export_player!(Soccer);

#[cfg(test)]
mod tests;
