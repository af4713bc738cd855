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

impl What {
    /// Whether it is for the same as another one.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Drive(_), Self::Drive(_)) => true,
            (
                Self::Manipulate { manipulator, state, .. },
                Self::Manipulate { manipulator: other, state: to, .. },
            ) => (manipulator, state) == (other, to),
            (Self::SetSensor { place, .. }, Self::SetSensor { place: other, .. }) => place == other,
            _ => false,
        }
    }
}

impl CommandLine {
    /// The step in which the last command arrived.
    pub fn renewed_at(&self) -> u64 {
        self.renewed_at
    }

    /// Without a command on its way.
    pub fn begun(step: u64) -> Self {
        Self { under_way: VecDeque::new(), renewed_at: step }
    }

    /// Puts a command on its way, in place of one for the same that arrives in the same step: while time stands, somebody may give as
    /// many as he likes.
    fn put(&mut self, due: u64, what: What) {
        match self.same_in_step(due, &what) {
            Some(place) => self.under_way[place].what = what,
            None => self.under_way.push_back(Late { due, what }),
        }
    }

    /// The same for a manipulator's. It goes through its states in the order in which they were told last; of several kicks
    /// the first comes if the kicker has to be charged again, else the last.
    fn put_manipulation(
        &mut self,
        due: u64,
        (manipulator, state, aim): (usize, usize, Aim),
        recharges: bool,
    ) {
        let mut what = What::Manipulate { manipulator, state, aim };
        let place = self.same_in_step(due, &what);
        if let Some(earlier) = place.and_then(|place| self.under_way.remove(place))
            && recharges
        {
            what = earlier.what;
        }
        self.under_way.push_back(Late { due, what });
    }

    /// The place of the command for the same that arrives in this step, the last that there is.
    fn same_in_step(&self, due: u64, what: &What) -> Option<usize> {
        let mut of_step = self.under_way.iter().enumerate().rev().take_while(|(_, late)| late.due == due);
        of_step.find(|(_, late)| late.what.is_same(what)).map(|(place, _)| place)
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
        self.line.put(step + delay_steps, What::Drive(command));
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
        let spec = &robot.identity.spec;
        let delay_steps = whole_steps(spec.commands.delay_secs, dt_secs);
        if delay_steps > 0 {
            let kick = spec.manipulators.get(manipulator).and_then(|m| m.states.get(state)?.kick.as_ref());
            let recharges = kick.is_some_and(|kick| kick.recharge_secs > 0.0);
            robot.line.put_manipulation(step + delay_steps, (manipulator, state, aim), recharges);
        }
        delay_steps > 0
    }

    /// Sets a number of a sensor when the command arrives; `place` is its place among all of the robot.
    pub(crate) fn set_sensor_datum(&mut self, index: usize, place: usize, value: f64) {
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        let robot = &mut self.state.robots[index];
        match whole_steps(robot.identity.spec.commands.delay_secs, dt_secs) {
            0 => robot.sensor_data[place] = value,
            delay_steps => robot.line.put(step + delay_steps, What::SetSensor { place, value }),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// R3, R5: however often commands are repeated while time stands, of each kind one is on its way, and the last counts.
    #[test]
    fn what_is_repeated_while_time_stands_is_on_its_way_once() {
        let mut line = CommandLine::begun(0);
        let drive = |speed| [speed; MAX_DIMENSIONS];
        line.put(4, What::Drive(drive(9.0)));
        for repeat in 0..1000 {
            let value = f64::from(repeat);
            line.put(5, What::Drive(drive(value)));
            line.put_manipulation(5, (0, 1, Aim::strength(value)), false);
            line.put_manipulation(5, (0, 0, Aim::strength(value)), false);
            line.put_manipulation(5, (1, 1, Aim::strength(value)), true);
            line.put(5, What::SetSensor { place: 3, value });
        }
        let told: Vec<_> = line
            .under_way
            .iter()
            .map(|late| match late.what {
                What::Drive(command) => (late.due, "drive", 0, command[0]),
                What::Manipulate { manipulator, state, aim } => {
                    (late.due, if manipulator == 0 { "kicker" } else { "charged" }, state, aim.strength)
                }
                What::SetSensor { place, value } => (late.due, "sensor", place, value),
            })
            .collect();
        let expected = [
            (4, "drive", 0, 9.0),
            (5, "drive", 0, 999.0),
            (5, "sensor", 3, 999.0),
            (5, "kicker", 1, 999.0),
            (5, "kicker", 0, 999.0),
            (5, "charged", 1, 0.0),
        ];
        assert_eq!(told, expected);
    }
}
