//! A player of a whole team for the RoboCup Soccer Server's world: a 4-3-3, meetings, passes, dribbles, shots, a goalkeeper. (Y1)
//!
//! The decisions are `touchline-soccer-team`'s. Where things are it takes from the world itself, as that server's players get it by `fullstate`; what it
//! knows of its own body from the sensor `sense-body`.

#![forbid(unsafe_code)]

mod body;

use body::BodyReader;
use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::game::Game;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::view::Object;
use touchline_soccer_law::face::{BodyCommand, CYCLE_SECS, Side, TEAM_SIZE, Value, mode_of_phase};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_team::keepaway::taker;
use touchline_soccer_team::{Decision, Frame, Mover, Play, Restraint, Scene, decide};

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

impl Player for Soccer {
    const NAME: &'static str = "soccer";
    const SUMMARY: &'static str = "Plays the RoboCup Soccer Server's game in a team of eleven.";
    type Params = SoccerPlayerParams;
    type State = Restraint;

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

    fn initial_state(&self) -> Restraint {
        Restraint::default()
    }

    fn sense_and_act(
        &self,
        restraint: &mut Restraint,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        restraint.pass_cycle();
        let (command, turn_neck_rad) = match self.decide(restraint, input) {
            Some(decision) => (in_world(decision.command, Frame::of(self.side)), decision.turn_neck_rad),
            // Without a body, a ball or a game there is nothing to do.
            None => (BodyCommand::None, 0.0),
        };
        orders.drive(&command.to_numbers(turn_neck_rad));
        Ok(())
    }
}

impl Soccer {
    fn decide(&self, restraint: &mut Restraint, input: &PlayerInput<'_>) -> Option<Decision> {
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
        let mut scene = Scene {
            server,
            kind: &body.kind,
            unum,
            is_goalie: body.is_goalie,
            me,
            neck_rad: body.neck_rad,
            stamina: body.stamina,
            obeys: body.obeys,
            may_touch: true,
            may_catch: true,
            ball,
            mates,
            opponents,
            play: Play::of(mode, self.side),
            penalty_kicks: penalty_kicks(&input.game, self.side),
        };
        restraint.apply(&mut scene);
        let decision = match self.params.policy {
            Policy::Team => decide(&scene),
            Policy::Taker => Decision { command: taker(&scene), turn_neck_rad: 0.0, takes_set_play: false },
        };
        restraint.note(&decision, &scene);
        Some(decision)
    }
}

/// Kicks of a side in the shoot-out, as the referee counts them.
fn penalty_kicks(game: &Game<'_>, side: Side) -> u32 {
    let counted = match side {
        Side::Left => [Value::PenaltyScoreLeft, Value::PenaltyMissLeft],
        Side::Right => [Value::PenaltyScoreRight, Value::PenaltyMissRight],
    };
    counted.into_iter().filter_map(|value| game.values.get(value.index())).map(|count| *count as u32).sum()
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
