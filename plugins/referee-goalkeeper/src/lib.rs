//! The rules of the goalkeeper benchmark: attackers against a keeper on half a field, one attack after the other. (B1)
//!
//! An attack ends with `goal`, `saved`, `out` or `foul`; the world itself ends it with `time`. [`attack`] says when, and what
//! that pays; [`field`] where things are.
//!
//! # Invariants
//! - An attack ends once; after its end nothing is judged until the objects are reset.
//! - It never places anything.
//!
//! # Not here
//! Where an attack begins and how long it may last: the world file's `[episode]`.

#![forbid(unsafe_code)]

mod attack;
mod field;
mod params;

use bytemuck::{Pod, Zeroable};
use field::Field;
pub use params::GoalkeeperRules;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};

pub struct Goalkeeper {
    params: GoalkeeperRules,
    field: Field,
    /// The team that defends: index into the world's teams.
    keepers: u32,
}

/// The most attackers that are watched for fouls; a further one may do as it likes.
pub const ATTACKERS: usize = 8;

/// What is remembered of one attacker.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attacker {
    /// How long it has pushed the keeper in this attack, seconds.
    push_secs: f64,
    /// How long it has been in the goal area without leaving, seconds.
    area_secs: f64,
    /// Its number and one; 0 is nobody.
    robot: u32,
    /// How many pairs of its shapes and the keeper's touch now.
    touches: u32,
}

/// What is remembered of the attack.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attack {
    attackers: [Attacker; ATTACKERS],
    /// How far the ball was from the goal's mouth, metres.
    to_goal_m: f64,
    /// How far the nearest attacker was from the ball, metres.
    to_ball_m: f64,
    /// How long the ball has been within the keeper's reach, seconds.
    held_secs: f64,
    /// Which reset of the objects this attack began with.
    episode: u32,
    /// 1 once the attack was looked at.
    begun: u32,
    /// 1 once it has ended.
    is_over: u32,
    /// Who touched the ball last: 0 nobody, 1 an attacker, 2 a keeper.
    last_touch: u32,
    /// 1 if the keeper has touched the ball since it came within its reach.
    has_held: u32,
    /// 1 once an attacker has touched the ball.
    reached: u32,
}

impl Referee for Goalkeeper {
    const NAME: &'static str = "goalkeeper";
    const SUMMARY: &'static str =
        "Attackers against a keeper on half a field: goal, saved, out, foul, and what they pay.";
    type Params = GoalkeeperRules;
    type State = Attack;

    fn new(params: Self::Params, setup: &RefereeSetup) -> Result<Self, SetupError> {
        params.check()?;
        let teams = &setup.teams;
        let keepers = match &params.keeper_team {
            Some(name) => teams.iter().position(|team| team == name).ok_or_else(|| {
                let message = format!("no team \"{name}\"; the teams are {}", teams.join(", "));
                SetupError::param("keeper_team", message)
            })?,
            None if teams.len() < 2 => {
                return Err(SetupError::new("this world has no two teams; one attacks, the other keeps"));
            }
            None => teams.len() - 1,
        };
        Ok(Self { field: Field::new(&params), params, keepers: keepers as u32 })
    }

    fn initial_state(&self) -> Self::State {
        Attack::default()
    }

    fn judge(
        &self,
        state: &mut Self::State,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        for line in input.commands.lines().filter(|line| !line.trim().is_empty()) {
            orders.announce(&format!("this referee takes no commands, also not \"{line}\""));
        }
        if state.begun == 0 || state.episode != input.game.episode {
            *state = Attack {
                begun: 1,
                episode: input.game.episode,
                to_goal_m: -1.0,
                to_ball_m: -1.0,
                ..Attack::default()
            };
        }
        attack::Scene { referee: self, input }.judge(state, orders);
        Ok(())
    }
}

touchline_plugin_api::export_referee!(Goalkeeper);

#[cfg(test)]
mod tests;
