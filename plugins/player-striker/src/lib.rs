//! An attacker: it finds the ball with its camera, gets behind it, pushes it towards the opponent's goal and shoots.
//! (Y1)
//!
//! [`eyes`] reads the sensors, [`memory`] keeps what was seen in the odometry frame, [`team`] decides over the radio
//! who goes for the ball, [`tactics`] says what that means, [`steer`] turns it into velocities. It drives
//! differential and holonomic robots. [`thoughts`] tells those who look on what it is at.
//!
//! # Invariants
//! - It reads the world through the sensor container only, so it could drive a real robot.
//! - It stands while its team must not move.

#![forbid(unsafe_code)]

mod eyes;
mod memory;
mod params;
mod plane;
mod steer;
mod tactics;
mod team;
mod thoughts;

use eyes::Eyes;
use memory::{Memory, OURS, THEIRS};
pub use params::StrikerParams;
use plane::length;
use steer::Drive;
use tactics::{Scene, Sizes};
use thoughts::Thought;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::{Transform2, Twist2};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};

/// It trusts its memory of the ball for so long, seconds.
const MEMORY_SECS: f64 = 1.5;
/// Said by one who does not know where the ball is, metres.
const NO_IDEA_M: f64 = 99.0;

pub struct Striker {
    params: StrikerParams,
    eyes: Eyes,
    drive: Drive,
    sizes: Sizes,
    /// The kicker's number and that of its state.
    kicker: Option<(usize, usize)>,
    team: u32,
    opponent: usize,
}

impl Player for Striker {
    const NAME: &'static str = "striker";
    const SUMMARY: &'static str = "Finds the ball, pushes it towards the opponent's goal and shoots.";
    type Params = StrikerParams;
    type State = Memory;

    fn new(params: Self::Params, setup: &PlayerSetup) -> Result<Self, SetupError> {
        params.check()?;
        let robot = &setup.robot;
        let team = robot.team.ok_or_else(|| SetupError::new("a striker needs a team, to know its goal"))?;
        let opponent = (0..setup.teams.len())
            .find(|&other| other != team as usize)
            .ok_or_else(|| SetupError::new("a striker needs a second team, for a goal to shoot at"))?;
        let sizes = Sizes {
            robot_m: robot.radius_m,
            ball_m: params.ball_radius_m,
            circle_m: robot.radius_m + params.ball_radius_m + params.clearance_m,
            half_goal_m: params.goal_width_m / 2.0,
            half_width_m: params.field_width_m / 2.0,
            shot_m: params.shot_distance_m,
            shot_error_m: params.shot_error_m,
        };
        Ok(Self {
            eyes: Eyes::new(&robot.sensors)?,
            drive: Drive::new(&robot.motion, params.speed_fraction)?,
            kicker: robot.manipulator("kicker", "kick"),
            params,
            sizes,
            team,
            opponent,
        })
    }

    fn wants(&self) -> Vec<FeatureHandle> {
        self.eyes.handles()
    }

    fn initial_state(&self) -> Self::State {
        Memory::default()
    }

    fn sense_and_act(
        &self,
        memory: &mut Memory,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        memory.start_episode(input.game.episode, input.robot);
        memory.age(input.elapsed_secs);
        let twist = match self.look(memory, input) {
            Some(scene) if input.game.may_move(self.team) => self.act(&scene, memory, input, orders),
            // Without odometry it is blind to where things are that it does not see now.
            _ => {
                self.tell(Thought::Waits, input, orders);
                Twist2::ZERO
            }
        };
        memory.asked = [length([twist.x_m_s, twist.y_m_s]), twist.turn_rad_s.abs()];
        orders.drive_twist(twist);
        Ok(())
    }
}

impl Striker {
    /// Reads all sensors and the radio into memory and scene.
    fn look(&self, memory: &mut Memory, input: &PlayerInput<'_>) -> Option<Scene> {
        let readings = &input.readings;
        let (pose, twist) = self.eyes.odometry(readings)?;
        let pose = Transform2::new(pose);
        match self.eyes.ball(readings) {
            Some(at) => memory.see_ball(&pose, at),
            None => memory.miss_ball(&pose, input.elapsed_secs),
        }
        for (goal, team) in [(THEIRS, self.opponent), (OURS, self.team as usize)] {
            if let Some(at) = self.eyes.goal(readings, team) {
                memory.see_goal(&pose, goal, at);
            }
        }
        team::listen(memory, &input.inbox, self.team);
        Some(Scene { pose, twist, others: self.eyes.others(readings, self.team) })
    }

    fn tell(&self, thought: Thought, input: &PlayerInput<'_>, orders: &mut Orders) {
        if self.params.thoughts {
            thoughts::publish(thought, input, orders);
        }
    }

    fn act(
        &self,
        scene: &Scene,
        memory: &mut Memory,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Twist2 {
        let drive = Drive { turning_rad_s: scene.twist.turn_rad_s, ..self.drive };
        let knows_ball = memory.ball_known == 1 && memory.ball_age_secs < MEMORY_SECS;
        let attack = scene.attack(memory, &self.sizes);
        let cost_m = if knows_ball { scene.cost_m(&attack) } else { NO_IDEA_M };
        let rank = team::rank(memory, cost_m, input.robot);
        let field = memory.field();
        team::speak(memory, cost_m, field, self.team, self.params.radio_period_secs, orders);

        if memory.backing_secs > 0.0 {
            self.tell(Thought::GetsFree, input, orders);
            return Scene::back_off(memory, &drive);
        }
        if scene.is_stuck(memory, input.elapsed_secs, self.params.stuck_after_secs, &drive) {
            let mut noise = input.noise.stream();
            memory.blocked_secs = 0.0;
            memory.backing_secs = noise.uniform(0.5, 1.0);
            memory.backing_turn = if noise.chance(0.5) { 1.0 } else { -1.0 };
            return Scene::back_off(memory, &drive);
        }
        if self.sizes.shot_error_m.is_some() && memory.goal_known[THEIRS] == 0 {
            // Who aims wants to know where.
            self.tell(Thought::LooksAround, input, orders);
            return drive.face(1.0);
        }
        if !knows_ball {
            self.tell(Thought::Searches, input, orders);
            return scene.search(memory, input.elapsed_secs, &drive, &self.sizes);
        }
        match field {
            Some(field) if rank > 0 => {
                let place = scene.place_to_support(memory, rank, field, &self.sizes);
                self.tell(Thought::Supports(place), input, orders);
                scene.go_to(place, attack.ball, &drive, &self.sizes)
            }
            // Without a place to take it watches the ball.
            None if rank > 0 => {
                self.tell(Thought::Watches, input, orders);
                drive.face(attack.ball_rad)
            }
            _ => {
                self.tell(Thought::Attacks { ball: attack.ball, aim: attack.aim }, input, orders);
                if let Some((kicker, state)) = self.kicker
                    && input
                        .manipulators
                        .get(kicker)
                        .is_some_and(|k| k.has_ball == 1 && k.ready_in_secs <= 0.0)
                    && scene.should_kick(&attack, &self.sizes)
                {
                    orders.manipulate(kicker, state, 1.0);
                }
                scene.go_for_ball(memory, &attack, &drive, &self.sizes)
            }
        }
    }
}

touchline_plugin_api::export_player!(Striker);

#[cfg(test)]
mod tests;
