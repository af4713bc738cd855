//! A coach: it belongs to a team, watches a motion datum of its robots such as `stamina`, and gives whoever is tired a player that
//! rests, until it can play again. (Y1)
//!
//! # Invariants
//! - It changes players and nothing else: where a robot is and what it has left is the robot's.
//! - It tells its team on the team's channel what it does: `rest NAME`, `play NAME`.

#![forbid(unsafe_code)]

mod params;

pub use params::{Chosen, CoachParams};
use serde_json::Value;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{DataRecord, Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::radio::Channel;
use touchline_plugin_api::state::Encoded;

pub struct Coach {
    params: CoachParams,
    watched: Vec<Watched>,
}

/// A robot that it watches.
struct Watched {
    robot: u32,
    name: String,
    /// Index into its motion data.
    datum: usize,
}

impl Player for Coach {
    const NAME: &'static str = "coach";
    const SUMMARY: &'static str = "Coach of a team: exchanges the players of its tired robots.";
    type Params = CoachParams;
    /// The numbers of the robots that rest.
    type State = Encoded<Vec<u32>>;

    fn new(params: Self::Params, setup: &PlayerSetup) -> Result<Self, SetupError> {
        params.check()?;
        if setup.team_robots.is_empty() {
            return Err(SetupError::new(
                "it coaches a team with robots: put it into a [[team.player]] table",
            ));
        }
        let watched = setup.team_robots.iter().filter_map(|robot| {
            let datum = robot.motion.data.iter().position(|datum| datum.name == params.datum)?;
            // The world file's robots are numbered in their order.
            let number = setup.world.robots.iter().position(|name| *name == robot.name)?;
            Some(Watched { robot: number as u32, name: robot.name.clone(), datum })
        });
        let watched: Vec<Watched> = watched.collect();
        if watched.is_empty() {
            let message = format!("no robot of its team publishes the motion datum \"{}\"", params.datum);
            return Err(SetupError::param("datum", message));
        }
        Ok(Self { params, watched })
    }

    fn wants(&self) -> Vec<FeatureHandle> {
        Vec::new()
    }

    fn initial_state(&self) -> Self::State {
        Encoded::default()
    }

    fn sense_and_act(
        &self,
        resting: &mut Self::State,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        // Of the world there are the fixtures at least.
        if input.view.objects.is_empty() && input.motion_data.is_empty() {
            return Err(Fault::new("it sees nothing; set sees = \"truth\" in its table"));
        }
        for Watched { robot, name, datum } in &self.watched {
            let of_robot = |record: &&DataRecord| record.robot == *robot;
            let record = input.motion_data.iter().find(of_robot);
            // It may have gone.
            let Some(&value) = record.and_then(|record| record.values.get(*datum)) else { continue };
            let rests = resting.contains(robot);
            if !rests && value < self.params.rest_below {
                resting.push(*robot);
                exchange(orders, *robot, &self.params.rest);
                orders.say_on(Channel::Team, &format!("rest {name}"));
            } else if rests && value >= self.params.play_from {
                resting.retain(|resting| resting != robot);
                exchange(orders, *robot, &self.params.play);
                orders.say_on(Channel::Team, &format!("play {name}"));
            }
        }
        Ok(())
    }
}

fn exchange(orders: &mut Orders, robot: u32, chosen: &Chosen) {
    orders.exchange_player(robot, &chosen.plugin, &Value::Object(chosen.params.clone()), None);
}

touchline_plugin_api::export_player!(Coach);

#[cfg(test)]
mod tests;
