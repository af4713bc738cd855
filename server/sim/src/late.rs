//! Commands that arrive later than they were given, and end when they are not renewed. [R3]
//!
//! What is on its way is state: see the invariants of `timing.rs`, which has the sensors' times.

use crate::hash::StateHash;
use crate::robot::Robot;
use crate::scenario::CommandTiming;
use crate::timing::whole_steps;
use crate::world::World;
use std::collections::VecDeque;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::motion::MAX_DIMENSIONS;

/// Commands that were given and have not arrived yet.
#[derive(Clone, Default)]
pub(crate) struct CommandLine {
    under_way: VecDeque<Late>,
    /// The step in which the last command arrived.
    renewed_at: u64,
}

/// A command that takes effect in a later step.
#[derive(Clone)]
struct Late {
    due: u64,
    what: What,
}

#[derive(Clone)]
enum What {
    Drive([f64; MAX_DIMENSIONS]),
    Manipulate {
        manipulator: usize,
        state: usize,
        aim: Aim,
    },
    /// A number of a sensor, by its place among all of the robot.
    SetSensor {
        place: usize,
        value: f64,
    },
}

impl CommandLine {
    /// Without a command on its way.
    pub fn begun(step: u64) -> Self {
        Self { under_way: VecDeque::new(), renewed_at: step }
    }

    pub fn hash(&self, timing: &CommandTiming, hash: &mut StateHash) {
        if timing.hold_secs.is_some() {
            hash.word(self.renewed_at);
        }
        for late in &self.under_way {
            hash.word(late.due);
            match &late.what {
                What::Drive(command) => command.iter().for_each(|&number| hash.float(number)),
                What::Manipulate { manipulator, state, aim } => {
                    hash.word(*manipulator as u64);
                    hash.word(*state as u64);
                    hash.aim(aim);
                }
                What::SetSensor { place, value } => {
                    hash.word(*place as u64);
                    hash.float(*value);
                }
            }
        }
    }
}

impl Robot {
    /// The last motion command that was given, whether it has arrived or not.
    pub fn told(&self) -> [f64; MAX_DIMENSIONS] {
        let drives = self.line.under_way.iter().rev();
        let mut commands = drives.filter_map(|late| match late.what {
            What::Drive(command) => Some(command),
            What::Manipulate { .. } | What::SetSensor { .. } => None,
        });
        commands.next().unwrap_or(self.motion.command)
    }

    /// Gives a motion command: it takes effect when it arrives.
    pub fn tell(&mut self, command: [f64; MAX_DIMENSIONS], step: u64, dt_secs: f64) {
        let delay_steps = whole_steps(self.identity.spec.commands.delay_secs, dt_secs);
        if delay_steps == 0 {
            (self.motion.command, self.line.renewed_at) = (command, step);
            return;
        }
        let due = step + delay_steps;
        match self.line.under_way.back_mut() {
            // Of several in one step the last one counts.
            Some(Late { due: last, what: What::Drive(earlier) }) if *last == due => *earlier = command,
            _ => self.line.under_way.push_back(Late { due, what: What::Drive(command) }),
        }
    }

    /// Stops it by the server's own word: at once, and what is on its way is lost.
    pub fn hush(&mut self) {
        self.motion.command = Default::default();
        self.line.under_way.clear();
    }
}

/// Whether commands take a while, or end by themselves.
pub(crate) fn is_late(timing: &CommandTiming) -> bool {
    *timing != CommandTiming::default()
}

impl World {
    /// Keeps a manipulator's command for later if it takes time to arrive; `false` if it does not.
    pub(crate) fn manipulates_later(
        &mut self,
        index: usize,
        (manipulator, state, aim): (usize, usize, Aim),
    ) -> bool {
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        let robot = &mut self.state.robots[index];
        let delay_steps = whole_steps(robot.identity.spec.commands.delay_secs, dt_secs);
        if delay_steps > 0 {
            let what = What::Manipulate { manipulator, state, aim };
            robot.line.under_way.push_back(Late { due: step + delay_steps, what });
        }
        delay_steps > 0
    }

    /// Sets a number of a sensor when the command arrives; `place` is its place among all of the robot.
    pub(crate) fn set_sensor_datum(&mut self, index: usize, place: usize, value: f64) {
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        let robot = &mut self.state.robots[index];
        match whole_steps(robot.identity.spec.commands.delay_secs, dt_secs) {
            0 => robot.sensor_data[place] = value,
            delay_steps => {
                let what = What::SetSensor { place, value };
                robot.line.under_way.push_back(Late { due: step + delay_steps, what });
            }
        }
    }

    /// Carries out the commands that arrive in this step, and ends those that were not renewed in time.
    pub(crate) fn receive_commands(&mut self) {
        if !self.state.duties.is_late {
            return;
        }
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        for index in 0..self.state.robots.len() {
            let robot = &mut self.state.robots[index];
            if !is_late(&robot.identity.spec.commands) {
                continue;
            }
            while let Some(late) =
                self.state.robots[index].line.under_way.pop_front_if(|late| late.due <= step)
            {
                match late.what {
                    What::Drive(command) => {
                        let robot = &mut self.state.robots[index];
                        (robot.motion.command, robot.line.renewed_at) = (command, step);
                    }
                    What::Manipulate { manipulator, state, aim } => {
                        self.switch(index, manipulator, state, aim);
                    }
                    What::SetSensor { place, value } => {
                        self.state.robots[index].sensor_data[place] = value;
                    }
                }
            }
            let robot = &mut self.state.robots[index];
            if let Some(hold_secs) = robot.identity.spec.commands.hold_secs
                && step >= robot.line.renewed_at + whole_steps(hold_secs, dt_secs).max(1)
            {
                robot.motion.command = Default::default();
            }
        }
    }
}
