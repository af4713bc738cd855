//! Where an episode begins: places that are drawn until they are free, and those of a list. (G1)
//!
//! What is drawn where it would stand in something else is drawn again; if it finds no place, all is drawn again. So no start puts
//! one thing into another, as no world file may.
//!
//! # Invariants
//! - A start depends on the seed, the step and the state alone: the first draws are one stream of noise, what is drawn again is another.
//! - A start that is free at the first draw is that draw.

use crate::ball::Ball;
use crate::command::RobotNumber;
use crate::physics::Owner;
use crate::scenario::{EpisodeSpec, Near, Placement, PlacementRange, StartOf};
use crate::state::State;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::noise::{Noise, NoiseOwner};

/// How often one thing is drawn before all are drawn again, and how often that is done.
const DRAWS: usize = 32;
const ROUNDS: usize = 32;
/// Out of the way of all places, metres: while others are placed, what has no place yet waits there.
const ASIDE_M: f64 = 20_000.0;
const ASIDE_APART_M: f64 = 100.0;

/// An episode that cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} has no free start: {problem}")]
pub struct NoStart {
    /// Name of the robot or ball.
    pub name: String,
    /// What is in its way.
    pub problem: String,
}

type Places = Vec<(StartOf, Placement)>;

impl World {
    /// Puts everything where the episode begins, if the scenario says where; if there is no room, nothing is moved.
    pub(crate) fn place_start(&mut self, chosen: Option<usize>) -> Result<(), NoStart> {
        let setup = Arc::clone(&self.setup);
        let Some(spec) = &setup.scenario.episode else { return Ok(()) };
        for (of, placement) in self.find_start(spec, chosen)? {
            self.place_at_start(of, placement);
        }
        if self.state.view_stale {
            self.refresh_view();
        }
        Ok(())
    }

    /// Whether each start of the scenario's list is free; afterwards this world is of no more use.
    pub(crate) fn check_starts(mut self) -> Result<(), NoStart> {
        let setup = Arc::clone(&self.setup);
        let Some(spec) = &setup.scenario.episode else { return Ok(()) };
        for row in 0..spec.starts.len() {
            self.with_all_aside(spec, row, |world| world.stand_fixed(spec, row))?;
        }
        Ok(())
    }

    fn find_start(&mut self, spec: &EpisodeSpec, chosen: Option<usize>) -> Result<Places, NoStart> {
        if spec.ranges.is_empty() && spec.starts.is_empty() {
            return Ok(Vec::new());
        }
        let (noise_seed, step) = (self.state.noise_seed, self.state.step);
        let stream = |owner: &str| noise_seed.key(NoiseOwner::new(owner), step).stream();
        let (mut noise, mut again) = (stream("episode/start"), stream("episode/start/again"));
        let first: Places = spec.ranges.iter().map(|range| (range.of, range.draw(&mut noise))).collect();
        // Drawn though somebody may have chosen: so the next number is the same.
        let row = noise.uniform(0.0, spec.starts.len() as f64) as usize;
        let row = chosen.unwrap_or(row) % spec.starts.len().max(1);
        let mut draw = |range: usize, draws: usize| match draws {
            0 => first[range].1,
            _ => spec.ranges[range].draw(&mut again),
        };
        self.with_all_aside(spec, row, |world| {
            let mut places = world.stand_fixed(spec, row)?;
            let mut stand_drawn = |round: usize| {
                world.stand_drawn(spec, row, |range, draws| draw(range, round * DRAWS + draws))
            };
            let first_round = stand_drawn(0);
            places
                .extend((1..ROUNDS).fold(first_round, |found, round| found.or_else(|_| stand_drawn(round)))?);
            Ok(places)
        })
    }

    /// Does something while all that is to be placed stands where it is in nobody's way; then it is back.
    fn with_all_aside<T>(
        &mut self,
        spec: &EpisodeSpec,
        row: usize,
        place: impl FnOnce(&mut Self) -> Result<T, NoStart>,
    ) -> Result<T, NoStart> {
        let moved =
            fixed(spec, row).iter().map(|(of, _)| *of).chain(drawn(spec, row).map(|(_, range)| range.of));
        let moved: Vec<StartOf> = moved.collect();
        let (physics, balls) = (self.state.physics.clone(), self.state.balls.clone());
        for (place, &of) in moved.iter().enumerate() {
            self.put(of, aside(place));
        }
        let placed = place(self);
        let mut moved = std::mem::replace(&mut self.state.physics, physics);
        moved.swap_work_space_with(&mut self.state.physics);
        self.state.balls = balls;
        placed
    }

    /// Stands everything where a row of the list has it.
    fn stand_fixed(&mut self, spec: &EpisodeSpec, row: usize) -> Result<Places, NoStart> {
        for &(of, placement) in fixed(spec, row) {
            self.stand(of, placement).map_err(|other| NoStart {
                name: self.start_name(of),
                problem: format!("row {} of the list puts it into {}", row + 1, self.owner_name(other)),
            })?;
        }
        Ok(fixed(spec, row).to_vec())
    }

    /// Stands everything that is drawn where it is free: one thing after the other.
    fn stand_drawn(
        &mut self,
        spec: &EpisodeSpec,
        row: usize,
        mut draw: impl FnMut(usize, usize) -> Placement,
    ) -> Result<Places, NoStart> {
        for (place, (_, range)) in drawn(spec, row).enumerate() {
            self.put(range.of, aside(fixed(spec, row).len() + place));
        }
        let mut places = Places::new();
        // What it may be near to: what a row has placed, and what was drawn before it.
        let place_of = |of: StartOf, places: &Places| {
            fixed(spec, row).iter().chain(places).find(|(other, _)| *other == of).map(|(_, place)| *place)
        };
        for (index, range) in drawn(spec, row) {
            let near = range.near.and_then(|near| Some((near, place_of(near.of, &places)?)));
            let mut other = Owner::Fixture(0);
            let free = (0..DRAWS).find_map(|draws| {
                let drawn = draw(index, draws);
                let placement = near.map_or(drawn, |(near, other)| near.hold(drawn, other));
                match self.stand(range.of, placement) {
                    Ok(()) => Some(placement),
                    Err(owner) => {
                        other = owner;
                        None
                    }
                }
            });
            let Some(placement) = free else {
                let problem = format!(
                    "wherever it is drawn, something is in its way, at last {}",
                    self.owner_name(other)
                );
                return Err(NoStart { name: self.start_name(range.of), problem });
            };
            places.push((range.of, placement));
        }
        Ok(places)
    }

    /// Stands one thing somewhere, unless that is not free; one that is not there is in nobody's way.
    fn stand(&mut self, of: StartOf, placement: Placement) -> Result<(), Owner> {
        let pose = Pose2::new(placement.x_m, placement.y_m, placement.theta_rad);
        let State { physics, balls, robots, .. } = &self.state;
        let other = match of {
            StartOf::Robot(robot) => {
                let number = robot as RobotNumber;
                let spec = self.robot_index(number).map(|index| &robots[index].identity.spec);
                spec.and_then(|spec| physics.overlap_at_start(spec, pose, number, balls))
            }
            StartOf::Ball(ball) => physics.ball_overlap_at_start(ball, [pose.x_m, pose.y_m], balls),
        };
        match other {
            Some(other) => Err(other),
            None => {
                self.put(of, pose);
                Ok(())
            }
        }
    }

    /// Puts the body of something somewhere; the scenario's robots have the first numbers, and one that has gone needs no place.
    fn put(&mut self, of: StartOf, pose: Pose2) {
        match of {
            StartOf::Robot(robot) => {
                if let Some(index) = self.robot_index(robot as RobotNumber) {
                    self.state.physics.put_robot(index, pose, Twist2::ZERO);
                }
            }
            StartOf::Ball(ball) => {
                if let Some(ball) = self.state.balls.get_mut(ball) {
                    *ball = Ball::rolling([pose.x_m, pose.y_m], [0.0; 2]);
                }
            }
        }
    }

    fn start_name(&self, of: StartOf) -> String {
        match of {
            StartOf::Robot(robot) => format!("robot \"{}\"", self.owner_name(Owner::Robot(robot as u32))),
            StartOf::Ball(ball) => self.owner_name(Owner::Ball(ball as u32)),
        }
    }

    fn place_at_start(&mut self, of: StartOf, placement: Placement) {
        let Placement { x_m, y_m, theta_rad, speed_m_s } = placement;
        match of {
            StartOf::Robot(robot) => {
                if let Some(index) = self.robot_index(robot as RobotNumber) {
                    self.place_robot(index, Pose2::new(x_m, y_m, theta_rad), Twist2::ZERO);
                }
            }
            StartOf::Ball(ball) => {
                let (sin, cos) = sin_cos(theta_rad);
                // The configuration has checked the numbers; a ball that is not there stays away.
                let velocity = [speed_m_s * cos, speed_m_s * sin];
                let _ = self.place_ball(ball as u32, [x_m, y_m], velocity, Vertical::FLOOR);
            }
        }
    }
}

/// What a row of the list places.
fn fixed(spec: &EpisodeSpec, row: usize) -> &[(StartOf, Placement)] {
    spec.starts.get(row).map_or(&[], Vec::as_slice)
}

/// What is drawn beside a row of the list, with its index among the ranges.
fn drawn(spec: &EpisodeSpec, row: usize) -> impl Iterator<Item = (usize, &PlacementRange)> {
    let is_fixed = move |of: StartOf| fixed(spec, row).iter().any(|(other, _)| *other == of);
    spec.ranges.iter().enumerate().filter(move |(_, range)| !is_fixed(range.of))
}

fn aside(place: usize) -> Pose2 {
    Pose2::new(ASIDE_M + ASIDE_APART_M * place as f64, ASIDE_M, 0.0)
}

impl Near {
    /// A place that was drawn as a way from another thing's place.
    fn hold(&self, drawn: Placement, other: Placement) -> Placement {
        let held = |value: f64, [low, high]: [f64; 2]| value.max(low).min(high);
        Placement {
            x_m: held(other.x_m + drawn.x_m, self.within_x_m),
            y_m: held(other.y_m + drawn.y_m, self.within_y_m),
            ..drawn
        }
    }
}

impl PlacementRange {
    fn draw(&self, noise: &mut Noise) -> Placement {
        let mut between = |[low, high]: [f64; 2]| noise.uniform(low, high);
        Placement {
            x_m: between(self.x_m),
            y_m: between(self.y_m),
            theta_rad: between(self.theta_rad),
            speed_m_s: between(self.speed_m_s),
        }
    }
}
