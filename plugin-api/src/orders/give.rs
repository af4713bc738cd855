//! The orders as players and referees give them: one function each, which writes the record.

use super::{OrderRecord, Orders, code};
use crate::flight::{Aim, Vertical};
use crate::game::{Game, GameState};
use crate::geometry::{Pose2, Twist2};
use crate::motion::MAX_DIMENSIONS;
use crate::radio::Channel;
use crate::view::NONE;

impl Orders {
    /// Sets the whole command vector; what is beyond [`MAX_DIMENSIONS`] numbers is dropped.
    pub fn drive(&mut self, command: &[f64]) {
        let mut values = [0.0; MAX_DIMENSIONS];
        let n = command.len().min(MAX_DIMENSIONS);
        values[..n].copy_from_slice(&command[..n]);
        self.push(OrderRecord { code: code::DRIVE, index: n as u32, values, ..OrderRecord::default() });
    }

    /// Sets the standard velocities, in the body frame.
    pub fn drive_twist(&mut self, twist: Twist2) {
        let values = values(&[twist.x_m_s, twist.y_m_s, twist.turn_rad_s]);
        self.push(OrderRecord { code: code::DRIVE_TWIST, values, ..OrderRecord::default() });
    }

    /// Switches a manipulator to a state, with a strength in `[0, 1]`.
    pub fn manipulate(&mut self, manipulator: usize, state: usize, strength: f64) {
        self.manipulate_aimed(manipulator, state, Aim::strength(strength));
    }

    /// The same with direction and elevation, where the state's robot file leaves them to the command.
    pub fn manipulate_aimed(&mut self, manipulator: usize, state: usize, aim: Aim) {
        self.push(OrderRecord {
            code: code::MANIPULATE,
            target: manipulator as u32,
            index: state as u32,
            values: values(&aim.values()),
            ..OrderRecord::default()
        });
    }

    /// Says something to all others.
    pub fn say(&mut self, message: &str) {
        self.say_on(Channel::All, message);
    }

    /// Says something on a channel of the radio.
    pub fn say_on(&mut self, channel: Channel, message: &str) {
        let record = self.texts(code::SAY, message, "");
        self.push(OrderRecord { index: channel as u32, ..record });
    }

    /// Sets a number of a sensor of one's own robot: indices into its sensors and into the sensor's data.
    pub fn set_sensor(&mut self, sensor: usize, datum: usize, value: f64) {
        let (target, index) = (sensor as u32, datum as u32);
        let values = values(&[value]);
        self.push(OrderRecord { code: code::SET_SENSOR, target, index, values, ..OrderRecord::default() });
    }

    /// Gives a robot of one's team another player (referees: any robot). An empty plugin's name is the one that it has; without a
    /// period it is asked as often as the player before.
    pub fn exchange_player(
        &mut self,
        robot: u32,
        plugin: &str,
        params: &serde_json::Value,
        period_secs: Option<f64>,
    ) {
        let record = self.texts(code::EXCHANGE_PLAYER, plugin, &params.to_string());
        let values = values(&[period_secs.unwrap_or(0.0)]);
        self.push(OrderRecord { target: robot, values, ..record });
    }

    /// Puts a robot somewhere, at rest.
    pub fn place_robot(&mut self, robot: u32, pose: Pose2) {
        self.place_moving_robot(robot, pose, Twist2::ZERO);
    }

    /// Puts a robot somewhere, with a velocity in its own frame.
    pub fn place_moving_robot(&mut self, robot: u32, pose: Pose2, twist: Twist2) {
        let Pose2 { x_m, y_m, theta_rad } = pose;
        let values = values(&[x_m, y_m, theta_rad, twist.x_m_s, twist.y_m_s, twist.turn_rad_s]);
        self.push(OrderRecord { code: code::PLACE_ROBOT, target: robot, values, ..OrderRecord::default() });
    }

    /// Puts a ball somewhere on the floor, with a velocity.
    pub fn place_ball(&mut self, ball: u32, position: [f64; 2], velocity: [f64; 2]) {
        self.place_flying_ball(ball, position, velocity, Vertical::FLOOR);
    }

    /// Puts a ball somewhere at a height, with a velocity along the floor and upwards.
    pub fn place_flying_ball(
        &mut self,
        ball: u32,
        position: [f64; 2],
        velocity: [f64; 2],
        vertical: Vertical,
    ) {
        let Vertical { z_m, speed_m_s } = vertical;
        let values = values(&[position[0], position[1], velocity[0], velocity[1], z_m, speed_m_s]);
        self.push(OrderRecord { code: code::PLACE_BALL, target: ball, values, ..OrderRecord::default() });
    }

    /// Publishes a value about oneself; a referee's is the world's.
    pub fn annotate(&mut self, key: &str, value: &serde_json::Value) {
        let record = self.texts(code::ANNOTATE, key, &value.to_string());
        self.push(record);
    }

    /// Ends the player; its robot is removed.
    pub fn end(&mut self) {
        self.push(OrderRecord { code: code::END, ..OrderRecord::default() });
    }

    /// Says in which state the game is (referees).
    pub fn set_game(&mut self, game: &GameState) {
        self.set_game_view(game.view());
    }

    /// The same without a value of its own: for who changes the clock alone, which is most steps.
    pub fn set_game_view(&mut self, game: Game<'_>) {
        // The state travels as text bytes: it is plain data, longer than the record's numbers.
        let start = self.text.len();
        game.write(&mut self.text);
        self.push(OrderRecord {
            code: code::GAME,
            text_start: start as u32,
            text_len: (self.text.len() - start) as u32,
            ..OrderRecord::default()
        });
    }

    /// Tells that something happened (referees), such as a `goal` of a team; the score itself is in the game's state.
    /// A kind that begins with `data-` is for programs: page and timeline do not show it.
    pub fn event(&mut self, kind: &str, team: Option<u32>, text: &str) {
        let record = self.texts(code::EVENT, kind, text);
        self.push(OrderRecord { target: team.unwrap_or(NONE), ..record });
    }

    /// Takes a robot out of the world (referees).
    pub fn remove_robot(&mut self, robot: u32) {
        self.push(OrderRecord { code: code::REMOVE_ROBOT, target: robot, ..OrderRecord::default() });
    }

    /// Holds a robot's drive or lets go of it (referees).
    pub fn hold_robot(&mut self, robot: u32, held: bool) {
        let index = u32::from(held);
        self.push(OrderRecord { code: code::HOLD_ROBOT, target: robot, index, ..OrderRecord::default() });
    }

    /// Sets one of a robot's settable motion data (referees): `datum` is its place in the list that the referee declared
    /// ([`GameDescription::motion_data`](crate::game::GameDescription::motion_data)).
    pub fn set_datum(&mut self, robot: u32, datum: u32, value: f64) {
        let values = values(&[value]);
        let record =
            OrderRecord { code: code::SET_DATUM, target: robot, index: datum, ..OrderRecord::default() };
        self.push(OrderRecord { values, ..record });
    }

    /// Tells what was measured (referees).
    pub fn measure(&mut self, name: &str, value: f64, unit: &str) {
        let record = self.texts(code::MEASURE, name, unit);
        self.push(OrderRecord { values: values(&[value]), ..record });
    }

    /// Refuses a kick (referees, before the physics): an index into [`PrepareInput::kicks`](crate::referee::PrepareInput::kicks).
    pub fn refuse_kick(&mut self, kick: usize) {
        self.push(OrderRecord { code: code::REFUSE_KICK, target: kick as u32, ..OrderRecord::default() });
    }

    /// Tells something to a robot's player (referees).
    pub fn tell(&mut self, robot: u32, text: &str) {
        let record = self.texts(code::TELL, text, "");
        self.push(OrderRecord { target: robot, ..record });
    }

    /// Tells something to all who watch (referees).
    pub fn announce(&mut self, text: &str) {
        let record = self.texts(code::ANNOUNCE, text, "");
        self.push(record);
    }

    /// Brings everything to its starting place (referees).
    pub fn reset_objects(&mut self) {
        self.push(OrderRecord { code: code::RESET_OBJECTS, ..OrderRecord::default() });
    }

    /// Pays a robot for what it did in this step (referees).
    pub fn reward(&mut self, robot: u32, value: f64) {
        let values = values(&[value]);
        self.push(OrderRecord { code: code::REWARD, target: robot, values, ..OrderRecord::default() });
    }

    /// Ends the episode (referees); `outcome` is how, such as `goal`.
    pub fn end_episode(&mut self, outcome: &str) {
        let record = self.texts(code::END_EPISODE, outcome, "");
        self.push(record);
    }

    /// Makes a ruling (referees): what is to be done by its word, such as `spawn-ball`, and with what.
    pub fn rule(&mut self, word: &str, args: &serde_json::Value) {
        let record = self.texts(code::RULE, word, &args.to_string());
        self.push(record);
    }

    fn push(&mut self, record: OrderRecord) {
        self.records.push(record);
    }

    fn texts(&mut self, code: u32, first: &str, second: &str) -> OrderRecord {
        let start = self.text.len();
        self.text.extend_from_slice(first.as_bytes());
        self.text.extend_from_slice(second.as_bytes());
        OrderRecord {
            code,
            text_start: start as u32,
            text_len: (first.len() + second.len()) as u32,
            text_split: first.len() as u32,
            ..OrderRecord::default()
        }
    }
}

fn values(numbers: &[f64]) -> [f64; MAX_DIMENSIONS] {
    let mut values = [0.0; MAX_DIMENSIONS];
    values[..numbers.len()].copy_from_slice(numbers);
    values
}
