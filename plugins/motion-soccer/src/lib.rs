//! The body of a player of the RoboCup Soccer Server. \[M1\]
//!
//! What a command comes to is the league's law, which knows the whole game: the referee `soccer` works it out before each step and says by how
//! much the body moves and turns. Without that referee it stands still.

#![forbid(unsafe_code)]

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::motion::{
    CommandDimension, CommandLife, CommandPart, MAX_MOTION_DATA, Motion, MotionDatum, MotionDescription,
    MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::state::Stateless;
use touchline_soccer_law::face::{AgentCommand, BodyCommand, Datum, MOTION_PLUGIN, TEAM_SIZE, state};

/// Every number of the law is the referee's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SoccerParams {
    /// Whether it comes as its team's goalkeeper, as a client does that says `(goalie)`.
    pub goalie: bool,
    /// What its commands are made of.
    pub command: CommandForm,
}

/// What a body's commands are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CommandForm {
    /// The numbers of a client's command: `body`, `a` to `d`, `turn-neck`.
    #[default]
    Body,
    /// The numbers of an agent's choice: `high`, `target`, `low`, `power`, `direction`, `turn-neck`.
    Agent,
}

/// The body.
pub struct Soccer {
    /// Uniform number, from the end of the robot's name; 0 where there is none.
    unum: u32,
    params: SoccerParams,
}

impl Motion for Soccer {
    const NAME: &'static str = MOTION_PLUGIN;
    const SUMMARY: &'static str =
        "The body of a player of the RoboCup Soccer Server; moves as the referee soccer says.";
    type Params = SoccerParams;
    type State = Stateless;

    fn new(params: SoccerParams, setup: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self { unum: unum_of(&setup.robot), params })
    }

    fn description(&self) -> MotionDescription {
        let datum = |datum: &Datum| {
            let initial = match datum {
                Datum::Unum => f64::from(self.unum),
                // The referee adds that it stands.
                Datum::State if self.params.goalie => f64::from(state::GOALIE),
                _ => 0.0,
            };
            MotionDatum::settable(datum.name(), datum.unit(), initial)
        };
        MotionDescription {
            dimensions: dimensions(self.params.command),
            data: Datum::ALL.iter().map(datum).collect(),
            command_life: CommandLife::OneStep,
        }
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let mut data = [0.0; MAX_MOTION_DATA];
        let count = Datum::ALL.len();
        if input.data.len() != count {
            return Err(Fault::new("expected the motion data of the description"));
        }
        data[..count].copy_from_slice(input.data);
        let datum = |datum: Datum| input.data[datum.index()];
        let (x_m_s, y_m_s, turn_rad) = (datum(Datum::VelocityX), datum(Datum::VelocityY), datum(Datum::Turn));
        // Counts for one step, as a command does.
        for used in [Datum::VelocityX, Datum::VelocityY, Datum::Turn] {
            data[used.index()] = 0.0;
        }
        // The server's players turn first and then go straight on: the arc that comes to the same place.
        let way = Pose2::new(x_m_s * input.dt_secs, y_m_s * input.dt_secs, turn_rad);
        let (sin, cos) = sin_cos(turn_rad);
        let decay = datum(Datum::Decay);
        let end_twist =
            Twist2::new(decay * (cos * x_m_s + sin * y_m_s), decay * (cos * y_m_s - sin * x_m_s), 0.0);
        Ok(MotionOutput { twist: way.mean_twist(input.dt_secs), end_twist, data })
    }
}

fn dimensions(form: CommandForm) -> Vec<CommandDimension> {
    let dimension = |(name, [min, max]): (&str, [f64; 2])| {
        let unit = if matches!(name, "turn-neck" | "direction") { "rad" } else { "1" };
        CommandDimension { name: name.into(), unit: unit.into(), min, max, part: CommandPart::Other }
    };
    match form {
        CommandForm::Agent => {
            AgentCommand::DIMENSIONS.into_iter().zip(AgentCommand::RANGES).map(dimension).collect()
        }
        CommandForm::Body => {
            // The law holds each number to its range, which depends on what is commanded.
            let range = |index: usize| if index == BodyCommand::OPTION { 1.0 } else { 1e3 };
            let names = BodyCommand::DIMENSIONS.into_iter().enumerate();
            names.map(|(index, name)| dimension((name, [-range(index), range(index)]))).collect()
        }
    }
}

/// The number at the end of a name such as `left-7`, if it is one of a team.
fn unum_of(name: &str) -> u32 {
    let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
    name[digits..].parse().ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum)).unwrap_or(0)
}

touchline_plugin_api::export_motion!(Soccer);

#[cfg(test)]
mod tests;
