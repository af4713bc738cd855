//! Manipulators that are switched, and the kicks that come of it. [R5, SL10]
//!
//! What a kick does is worked out in this order: the strength takes its part of the full speed, the scatter changes speed and direction, the
//! elevation turns what is left of the speed up from the floor, and the robot's own velocity where the ball lies comes on top, in the
//! plane.

use crate::command::CommandError;
use crate::robot::{DueKick, Manipulator};
use crate::scenario::Kick;
use crate::timing::whole_steps;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::noise::NoiseOwner;
use touchline_plugin_api::referee::KickRecord;
use touchline_plugin_api::view::NONE;

impl World {
    /// Switches a manipulator when the command arrives.
    pub(crate) fn manipulate(
        &mut self,
        index: usize,
        manipulator: usize,
        to: usize,
        aim: Aim,
    ) -> Result<(), CommandError> {
        let identity = &self.state.robots[index].identity;
        let Some(state) = identity.spec.manipulators.get(manipulator).and_then(|m| m.states.get(to)) else {
            return Err(CommandError::NoSuchState {
                manipulator: manipulator.to_string(),
                state: to.to_string(),
                known: known_states(&identity.description),
            });
        };
        check_aim(&aim, state.kick.as_ref())?;
        if !self.manipulates_later(index, (manipulator, to, aim)) {
            self.switch(index, manipulator, to, aim);
        }
        Ok(())
    }

    /// Switches a manipulator; in this step it kicks the balls in the new state's zone, if it is charged.
    pub(crate) fn switch(&mut self, index: usize, manipulator: usize, to: usize, aim: Aim) {
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        let steps = |secs: f64| whole_steps(secs, dt_secs);
        // Commands are carried out before the kicks that come in this step are collected.
        self.collect_due_kick(index, manipulator);
        let robot = &self.state.robots[index];
        let Some(spec) = robot.identity.spec.manipulators.get(manipulator) else { return };
        let Some(state) = spec.states.get(to) else { return };
        let Manipulator { state: from, mut ready_at, mut due, .. } = robot.manipulators[manipulator];
        // A kick under way comes as it was ordered: an order that is repeated in each step would put it off for ever.
        let ordered_now = |due: &DueKick| {
            spec.states[due.state].kick.as_ref().is_some_and(|kick| due.at == step + steps(kick.delay_secs))
        };
        let is_under_way = due.is_some_and(|due| !ordered_now(&due));
        let changes_shape = from != to && spec.changes_shape(from, to);
        let returns_at = state.returns_after_secs.map(|secs| step + steps(secs).max(1));
        let kick = state.kick.as_ref().filter(|_| ready_at <= step && !is_under_way);
        let kick = kick.map(|kick| (steps(kick.delay_secs), steps(kick.recharge_secs)));
        if from != to {
            self.state.physics.switch_manipulator(index, manipulator, to);
        }
        if changes_shape {
            self.state.discard_view();
        }
        if let Some((delay, recharge)) = kick {
            due = (delay > 0).then(|| DueKick { at: step + delay, state: to, aim });
            if due.is_none() {
                self.will_kick(index, manipulator, to, aim);
            }
            ready_at = step + recharge;
        }
        let robot = &mut self.state.robots[index];
        robot.is_switching |= returns_at.is_some() || due.is_some();
        self.state.is_switching |= robot.is_switching;
        robot.manipulators[manipulator] = Manipulator { state: to, returns_at, ready_at, due };
    }

    /// Collects the kicks that were ordered a while ago and come now.
    pub(crate) fn collect_due_kicks(&mut self) {
        if !self.state.is_switching {
            return;
        }
        for index in 0..self.state.robots.len() {
            if !self.state.robots[index].is_switching {
                continue;
            }
            for manipulator in 0..self.state.robots[index].manipulators.len() {
                self.collect_due_kick(index, manipulator);
            }
        }
    }

    fn collect_due_kick(&mut self, index: usize, manipulator: usize) {
        let step = self.state.step;
        let due = self.state.robots[index].manipulators.get_mut(manipulator).map(|of| &mut of.due);
        if let Some(DueKick { state, aim, .. }) = due.and_then(|due| due.take_if(|due| due.at <= step)) {
            self.will_kick(index, manipulator, state, aim);
        }
    }

    /// A kick comes in this step, if the referee lets it; one that the same manipulator has to come in it is given up. Else as many would come as are
    /// ordered while time stands, and a referee would be asked about each.
    fn will_kick(&mut self, index: usize, manipulator: usize, state: usize, aim: Aim) {
        let robot = &self.state.robots[index];
        let kick = robot.identity.spec.manipulators[manipulator].states[state].kick.as_ref();
        // The aim was checked when it was ordered.
        let [direction_rad, elevation_rad] = kick.and_then(|kick| kick.aimed(&aim).ok()).unwrap_or_default();
        let (robot, manipulator, state) = (robot.number(), manipulator as u32, state as u32);
        let record = KickRecord {
            robot,
            manipulator,
            state,
            reserved: 0,
            strength: aim.strength,
            direction_rad,
            elevation_rad,
        };
        let is_same = |kick: &&mut KickRecord| (kick.robot, kick.manipulator) == (robot, manipulator);
        match self.state.kicks.iter_mut().find(is_same) {
            Some(earlier) => *earlier = record,
            None => self.state.kicks.push(record),
        }
    }

    /// Carries out the kicks of this step.
    pub(crate) fn kick(&mut self) {
        if self.state.kicks.is_empty() {
            return;
        }
        let mut kicks = std::mem::take(&mut self.state.kicks);
        for record in kicks.drain(..) {
            let Some(index) = self.robot_index(record.robot) else { continue };
            let spec = Arc::clone(&self.state.robots[index].identity.spec);
            let state = &spec.manipulators[record.manipulator as usize].states[record.state as usize];
            if let Some(kick) = &state.kick {
                self.kick_balls(index, kick, &record);
            }
        }
        // Their memory is used again.
        self.state.kicks = kicks;
    }

    fn kick_balls(&mut self, index: usize, kick: &Kick, record: &KickRecord) {
        let KickRecord { manipulator, strength, direction_rad, elevation_rad, .. } = *record;
        let robot = &self.state.robots[index];
        let (pose, robot_twist) = (robot.motion.pose, robot.motion.world_twist);
        let path = format!("{}/kick/{manipulator}", robot.identity.name);
        let mut noise = self.state.noise_seed.key(NoiseOwner::new(&path), self.state.step).stream();
        for ball in &mut self.state.balls {
            if !robot.in_zone(&kick.zone, ball.position, ball.vertical.z_m) {
                continue;
            }
            // The robot's own velocity where the ball lies, and the kick on top.
            let (dx, dy) = (ball.position[0] - pose.x_m, ball.position[1] - pose.y_m);
            let carried = [
                robot_twist.x_m_s - robot_twist.turn_rad_s * dy,
                robot_twist.y_m_s + robot_twist.turn_rad_s * dx,
            ];
            let nearing_m_s = libm::hypot(ball.velocity[0] - carried[0], ball.velocity[1] - carried[1]);
            let wear = 1.0 + kick.scatter_growth_s_m * nearing_m_s;
            let mut scatter = |sigma: f64| if sigma > 0.0 { noise.gaussian(sigma * wear) } else { 0.0 };
            let speed = kick.speed_m_s * strength * (1.0 + scatter(kick.speed_scatter)).max(0.0);
            let direction = pose.theta_rad + direction_rad + scatter(kick.direction_scatter_rad);
            let (sin, cos) = sin_cos(direction);
            // Along the floor nothing is multiplied: such a kick has the bits that it would have if nothing could fly.
            let (rises, along) = if elevation_rad == 0.0 { (0.0, 1.0) } else { sin_cos(elevation_rad) };
            let speed_along = speed * along;
            ball.velocity = [carried[0] + speed_along * cos, carried[1] + speed_along * sin];
            if elevation_rad != 0.0 || ball.flies {
                ball.vertical.speed_m_s = speed * rises;
                ball.flies = ball.vertical != Vertical::FLOOR;
            }
        }
    }

    /// Brings manipulators back to their first states when their time is over.
    pub(crate) fn return_manipulators(&mut self) {
        if !std::mem::take(&mut self.state.is_switching) {
            return;
        }
        let step = self.state.step;
        let mut changes_shape = false;
        for (place, robot) in self.state.robots.iter_mut().enumerate().filter(|(_, robot)| robot.is_switching)
        {
            robot.is_switching = false;
            for (index, manipulator) in robot.manipulators.iter_mut().enumerate() {
                if manipulator.returns_at.is_some_and(|at| at <= step) {
                    self.state.physics.switch_manipulator(place, index, 0);
                    changes_shape |=
                        robot.identity.spec.manipulators[index].changes_shape(manipulator.state, 0);
                    (manipulator.state, manipulator.returns_at) = (0, None);
                }
                robot.is_switching |= manipulator.returns_at.is_some() || manipulator.due.is_some();
            }
            self.state.is_switching |= robot.is_switching;
        }
        if changes_shape {
            self.state.discard_view();
        }
    }

    /// Gives up the kicks that were ordered and are still to come, in this step or later.
    pub(crate) fn give_up_kicks(&mut self) {
        let manipulators = self.state.robots.iter_mut().flat_map(|robot| &mut robot.manipulators);
        manipulators.for_each(|manipulator| manipulator.due = None);
        // A referee that brings all back before the physics may refuse kicks as well, by their places.
        self.state.kicks.iter_mut().for_each(|kick| kick.robot = NONE);
    }

    /// All manipulators are as before the first step.
    pub(crate) fn reset_manipulators(&mut self) {
        let mut changes_shape = false;
        for (place, robot) in self.state.robots.iter_mut().enumerate() {
            for (index, manipulator) in robot.manipulators.iter_mut().enumerate() {
                if manipulator.state != 0 {
                    self.state.physics.switch_manipulator(place, index, 0);
                    changes_shape |=
                        robot.identity.spec.manipulators[index].changes_shape(manipulator.state, 0);
                }
                *manipulator = Manipulator::START;
            }
        }
        if changes_shape {
            self.state.discard_view();
        }
    }
}

impl Kick {
    /// Where a kick goes of which this is asked: direction in the robot's frame and elevation, radians.
    ///
    /// # Errors
    /// Names what the robot file leaves not to the command, or not so far.
    pub(crate) fn aimed(&self, aim: &Aim) -> Result<[f64; 2], CommandError> {
        let within = |asked: Option<f64>, fixed: f64, range: Option<[f64; 2]>, name, allowed| match asked {
            None => Ok(fixed),
            Some(value) if range.is_some_and(|[from, to]| (from..=to).contains(&value)) => Ok(value),
            Some(value) => Err(CommandError::BadNumber { name, value, allowed }),
        };
        let direction = within(
            aim.direction_rad,
            self.direction_rad,
            self.direction_range_rad,
            "direction",
            "what direction_range_rad of the kick says, and nothing without it (radians)",
        )?;
        let elevation = within(
            aim.elevation_rad,
            self.elevation_rad,
            self.elevation_range_rad,
            "elevation",
            "what elevation_range_rad of the kick says, and nothing without it (radians)",
        )?;
        Ok([direction, elevation])
    }
}

/// Refuses what a state of a manipulator does not leave to the command.
pub(crate) fn check_aim(aim: &Aim, kick: Option<&Kick>) -> Result<(), CommandError> {
    if !(0.0..=1.0).contains(&aim.strength) {
        let allowed = "0 <= strength <= 1";
        return Err(CommandError::BadNumber { name: "strength", value: aim.strength, allowed });
    }
    match kick {
        Some(kick) => kick.aimed(aim).map(drop),
        None => {
            let asked = [("direction", aim.direction_rad), ("elevation", aim.elevation_rad)];
            let asked = asked.into_iter().find_map(|(name, value)| Some((name, value?)));
            let allowed = "this state kicks nothing";
            asked.map_or(Ok(()), |(name, value)| Err(CommandError::BadNumber { name, value, allowed }))
        }
    }
}

/// The names of all that the robot can switch, for an error.
pub(crate) fn known_states(description: &touchline_plugin_api::player::RobotDescription) -> String {
    let states = description.manipulators.iter().flat_map(|manipulator| {
        manipulator.states.iter().map(move |state| format!("{}.{state}", manipulator.name))
    });
    let states: Vec<String> = states.collect();
    if states.is_empty() { "no manipulators".into() } else { states.join(", ") }
}
