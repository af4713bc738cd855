//! A referee that does what it is told, line by line: for games whose rules were judged elsewhere, such as those of another simulator's logs. (G1)
//!
//! Everything is put where the lines say after the physics of the step, so what is seen is what was told, velocities included.

#![forbid(unsafe_code)]

mod line;

use line::Line;
use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;

/// What stands in the world file's table.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToldParams {
    /// The phases of the game, such as `play_on`; it begins in the first.
    #[schemars(length(max = 256))]
    pub phases: Vec<String>,
}

/// The referee.
pub struct Told(GameDescription);

impl Referee for Told {
    const NAME: &'static str = "told";
    const SUMMARY: &'static str = "Does what it is told: shows a game whose rules were judged elsewhere.";
    type Params = ToldParams;
    type State = Stateless;

    fn new(params: ToldParams, _: &RefereeSetup) -> Result<Self, SetupError> {
        let mut description = GameDescription::default();
        if !params.phases.is_empty() {
            description.phases = params.phases;
        }
        Ok(Self(description))
    }

    fn description(&self) -> GameDescription {
        self.0.clone()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn judge(&self, _: &mut Stateless, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let mut game = input.game.to_state();
        for line in input.commands.lines().filter(|line| !line.trim().is_empty()) {
            let said = match Line::read(line) {
                Ok(said) => said,
                Err(problem) => {
                    orders.announce(&format!("\"{line}\": {problem}"));
                    continue;
                }
            };
            match said {
                Line::Phase(name) => match self.0.phase(name) {
                    Some(phase) => game.phase = phase,
                    None => orders.announce(&format!("\"{line}\": no phase of this world has this name")),
                },
                Line::Clock(secs) => game.clock_secs = secs,
                Line::Score(scores) => {
                    for (team, score) in game.teams.iter_mut().zip(scores) {
                        team.score = score;
                    }
                }
                Line::Ball { ball, position, velocity }
                    if input.view.balls().any(|has| has.number == ball) =>
                {
                    orders.place_ball(ball, position, velocity);
                }
                Line::Ball { .. } => orders.announce(&format!("\"{line}\": there is no such ball")),
                Line::Robot { robot, pose, twist } if input.view.robot(robot).is_some() => {
                    orders.place_moving_robot(robot, pose, twist);
                }
                Line::Robot { .. } => orders.announce(&format!("\"{line}\": there is no such robot")),
                Line::Event { team: Some(team), .. } if team as usize >= game.teams.len() => {
                    orders.announce(&format!("\"{line}\": there is no such team"));
                }
                Line::Event { kind, team, text } => orders.event(kind, team, text),
                Line::Draw(value) => orders.annotate("told", &value),
            }
        }
        if game.view() != input.game {
            orders.set_game(&game);
        }
        Ok(())
    }
}

touchline_plugin_api::export_referee!(Told);

#[cfg(test)]
mod tests;
