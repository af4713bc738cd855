//! A robot that wanders about without bumping into things, and that knows where it is, if asked to. [Y1, L3]
//!
//! [`steer`] drives on until something is in the way, and turns to the freer side. [`whereabouts`] is Monte Carlo
//! localisation over whatever the robot has: goals and posts of a camera, the walls by a laser. What it believes is
//! published as the annotations `belief` (samples) and `estimate` (a pose), and drawn in the studio.
//!
//! # Invariants
//! - It perceives through the sensor container only; of the world it knows the map, as a robot that was given one.
//! - It stands while its team must not move.

#![forbid(unsafe_code)]

mod eyes;
mod params;
mod scan;
mod steer;
mod whereabouts;

use eyes::Eyes;
pub use params::WandererParams;
use serde::{Deserialize, Serialize};
use serde_json::json;
use steer::{Course, Drive};
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::state::Encoded;
use whereabouts::Whereabouts;

pub struct Wanderer {
    params: WandererParams,
    eyes: Eyes,
    drive: Drive,
    team: Option<u32>,
}

/// What it remembers from one call to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    course: Course,
    whereabouts: Whereabouts,
}

impl Player for Wanderer {
    const NAME: &'static str = "wanderer";
    const SUMMARY: &'static str = "Wanders about without bumping into things; localises itself if asked to.";
    type Params = WandererParams;
    type State = Encoded<Memory>;

    fn new(params: Self::Params, setup: &PlayerSetup) -> Result<Self, SetupError> {
        params.check()?;
        let robot = &setup.robot;
        Ok(Self {
            eyes: Eyes::new(&robot.sensors, params.localise)?,
            drive: Drive::new(&robot.motion, params.speed_fraction, robot.radius_m, params.clearance_m)?,
            team: robot.team,
            params,
        })
    }

    fn wants(&self) -> Vec<FeatureHandle> {
        self.eyes.handles()
    }

    fn initial_state(&self) -> Self::State {
        Encoded::default()
    }

    fn sense_and_act(
        &self,
        memory: &mut Self::State,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let mut noise = input.noise.stream();
        if self.params.localise
            && let Some(estimate) = memory.whereabouts.update(&self.params, &self.eyes, input, &mut noise)
        {
            let pose = estimate.pose;
            orders.annotate("belief", &memory.whereabouts.drawing(self.params.shown_samples as usize));
            let share = (estimate.share * 100.0).round() / 100.0;
            let drawing = json!({
                "pose": [pose.x_m, pose.y_m, pose.theta_rad], "frame": "world", "colour": "#00c040", "share": share,
            });
            orders.annotate("estimate", &drawing);
        }
        let may_move = self.team.is_none_or(|team| input.game.may_move(team));
        let obstacles = self.eyes.obstacles(&input.readings);
        let twist = match may_move {
            true if memory.whereabouts.wants_to_look_round() => Twist2::new(0.0, 0.0, self.drive.turn_rad_s),
            true => self.drive.steer(&mut memory.course, &obstacles, input.elapsed_secs, &mut noise),
            false => Twist2::ZERO,
        };
        orders.drive_twist(twist);
        Ok(())
    }
}

touchline_plugin_api::export_player!(Wanderer);

#[cfg(test)]
mod tests;
