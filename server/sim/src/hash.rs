//! One number for a whole state, to compare runs by. (I2)
//!
//! FNV-1a over 64-bit words with a final mix: fixed for ever, quick, and no secret.

use crate::ball::Ball;
use crate::command::RobotNumber;
use crate::driver::Driver;
use crate::events::{Dropped, Message};
use crate::physics::Physics;
use crate::robot::Robot;
use crate::scenario::BallPlacement;
use crate::state::State;
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::radio::Channel;
use touchline_plugin_api::view::NONE;

/// Hash of a world's state, fed value by value.
pub(crate) struct StateHash(u64);

impl StateHash {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }

    /// Bit by bit: 0.0 and -0.0 differ.
    pub fn float(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    pub fn finish(self) -> u64 {
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl State {
    /// Poses, twists, and the state of plugins, game and radio. Neither the seed, which is no state, nor what the physics
    /// remembers of contacts: compare after the same steps of the same scenario.
    ///
    /// So many balls are the scenario's.
    pub(crate) fn hash(&self, of_file: usize) -> u64 {
        let mut hash = StateHash::new();
        hash.word(self.step);
        for ball in &self.balls {
            hash.body(ball.pose(), ball.twist());
            ball.rolling_m_s.iter().for_each(|&speed| hash.float(speed));
            hash.height(ball);
        }
        for (index, robot) in self.robots.iter().enumerate() {
            hash.robot(robot, index, &self.physics);
        }
        if let Some(referee) = &self.referee {
            hash.bytes(&referee.state);
            hash.word(u64::from(referee.failed));
        }
        hash.bytes(self.referee_lines.as_bytes());
        for kick in &self.kicks {
            [kick.robot, kick.manipulator, kick.state].iter().for_each(|&n| hash.word(u64::from(n)));
            hash.float(kick.strength);
            let angles = [kick.direction_rad, kick.elevation_rad];
            angles.iter().filter(|&&angle_rad| angle_rad != 0.0).for_each(|&angle_rad| hash.float(angle_rad));
        }
        hash.float(self.game.clock_secs);
        let restart = self.game.restart;
        for number in [self.game.phase, self.game.episode, restart.kind, restart.team] {
            hash.word(u64::from(number));
        }
        restart.place.iter().chain([&restart.deadline_secs]).for_each(|&number| hash.float(number));
        for team in &self.game.teams {
            hash.word(team.score as u64);
            hash.word(u64::from(team.may_move));
        }
        self.game.values.iter().for_each(|&value| hash.float(value));
        if let Some(end) = &self.episode.end {
            hash.bytes(end.outcome().as_bytes());
        }
        for said in &self.said {
            hash.word(u64::from(said.speaker.number()));
            hash.bytes(said.text.as_bytes());
            if said.channel != Channel::All {
                hash.word(said.channel as u64);
            }
        }
        if self.messages_dropped != Dropped::default() {
            hash.word(self.messages_dropped.all);
            self.messages_dropped.teams.iter().for_each(|&dropped| hash.word(dropped));
        }
        for BallPlacement { ball, .. } in self.placements.iter().skip(of_file) {
            [ball.radius_m, ball.mass_kg].iter().for_each(|&number| hash.float(number));
        }
        for (key, value) in self.annotations.iter() {
            hash.bytes(key.as_bytes());
            hash.bytes(value.as_bytes());
        }
        for player in &self.team_players {
            hash.word(u64::from(player.driver.is_some()));
            if let Some(driver) = &player.driver {
                hash.player(driver, NONE);
            }
        }
        hash.finish()
    }
}

impl StateHash {
    fn body(&mut self, pose: Pose2, twist: Twist2) {
        for number in [pose.x_m, pose.y_m, pose.theta_rad, twist.x_m_s, twist.y_m_s, twist.turn_rad_s] {
            self.float(number);
        }
    }

    /// Nothing for what is on the floor: the hashes of worlds in which nothing flies stay what they were.
    fn height(&mut self, ball: &Ball) {
        if !ball.vertical.is_on_floor() {
            self.bytes(b"height");
            self.float(ball.vertical.z_m);
            self.float(ball.vertical.speed_m_s);
            self.word(u64::from(ball.flies));
        }
    }

    /// The strength alone where nothing else is asked.
    pub fn aim(&mut self, aim: &Aim) {
        self.float(aim.strength);
        for (name, angle_rad) in [("direction", aim.direction_rad), ("elevation", aim.elevation_rad)] {
            if let Some(angle_rad) = angle_rad {
                self.bytes(name.as_bytes());
                self.float(angle_rad);
            }
        }
    }

    fn robot(&mut self, robot: &Robot, index: usize, physics: &Physics) {
        self.word(u64::from(robot.number()));
        self.body(physics.place(index).pose, physics.twist(index));
        self.word(u64::from(robot.motion.held));
        robot.motion.command.iter().chain(robot.motion_data()).for_each(|&number| self.float(number));
        self.bytes(&robot.motion.state);
        self.word(u64::from(robot.motion.failed));
        for sensor in &robot.sensors {
            self.bytes(&sensor.state);
            self.word(u64::from(sensor.stopped.is_some()));
            sensor.samples.hash(self);
        }
        robot.sensor_data.iter().for_each(|&number| self.float(number));
        self.messages(&robot.ears, robot.number());
        robot.line.hash(&robot.identity.spec.commands, self);
        for manipulator in &robot.manipulators {
            self.word(manipulator.state as u64);
            self.word(manipulator.ready_at);
            self.word(manipulator.returns_at.unwrap_or(u64::MAX));
            if let Some(due) = manipulator.due {
                self.word(due.at);
                self.word(due.state as u64);
                self.aim(&due.aim);
            }
        }
        for (key, value) in robot.annotations.iter() {
            self.bytes(key.as_bytes());
            self.bytes(value.as_bytes());
        }
        if let Some(player) = &robot.player {
            self.player(player, robot.number());
        }
        if robot.reward != 0.0 {
            self.float(robot.reward);
        }
        // Nothing for the others: the hashes of worlds that nobody interferes with stay what they were.
        if let Some(client) = robot.taken_by {
            self.bytes(b"taken");
            self.word(client);
        }
    }

    fn player(&mut self, player: &Driver, robot: RobotNumber) {
        self.bytes(&player.state);
        self.word(player.last_call.unwrap_or(u64::MAX));
        if player.exchanged {
            // A state says nothing of whose it is.
            let choice = &player.choice.choice;
            self.bytes(choice.plugin.as_bytes());
            self.bytes(choice.params.to_string().as_bytes());
        }
        self.messages(&player.inbox, robot);
    }

    fn messages(&mut self, waiting: &[Arc<Message>], robot: RobotNumber) {
        for message in waiting {
            self.word(u64::from(message.from));
            self.bytes(message.text.as_bytes());
            if message.channel != Channel::All {
                self.word(message.channel as u64);
            }
            if let Some(bearing_rad) = message.bearing_rad(robot) {
                self.float(bearing_rad);
            }
        }
    }
}
