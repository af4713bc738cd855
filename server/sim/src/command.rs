//! What can be asked of a world from outside: the one way in. [mechanism 2]

use crate::annotations::MAX_ANNOTATIONS;
use crate::scenario::{PlayerChoice, RobotSpec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::geometry::{Pose2, Twist2};

/// A robot's number: given in the order of appearance, never used again in a run.
pub type RobotNumber = u32;

/// One command. Commands of one step are carried out in the order `(client, sequence)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Number of the client that gives it.
    pub client: u64,
    /// Counts up for each client.
    pub sequence: u64,
    /// The action to carry out.
    pub action: Action,
}

/// What shall be done. As JSON it is part of the log's format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Makes a robot. (R6)
    AddRobot {
        /// Name of the robot, unique in the world.
        name: String,
        /// Index into the world's teams.
        team: Option<u32>,
        /// What the new robot is made of.
        spec: Arc<RobotSpec>,
        /// Where; `None` finds a free place.
        pose: Option<Pose2>,
        /// Player plugin that drives it; `None` for a robot that a client drives.
        player: Option<PlayerChoice>,
    },
    /// Removes a robot, and ends its player.
    RemoveRobot(RobotNumber),
    /// Sets the whole command vector.
    Drive(RobotNumber, Vec<f64>),
    /// Sets the translational velocity forward, m/s.
    SetForward(RobotNumber, f64),
    /// Sets the rotational velocity, rad/s.
    SetTurn(RobotNumber, f64),
    /// Sets all velocities, body frame, as far as the motion model has them.
    SetTwist(RobotNumber, Twist2),
    /// Switches a manipulator, and says what is asked of its kick.
    Manipulate {
        /// Number of the robot.
        robot: RobotNumber,
        /// Name of the manipulator.
        manipulator: String,
        /// Name of the state.
        state: String,
        /// The part of full power; direction and elevation, where the state leaves them to the command.
        aim: Aim,
    },
    /// Says something to all others.
    Say(RobotNumber, String),
    /// Says something to its own team alone.
    SayToTeam(RobotNumber, String),
    /// Sets a number of a sensor that can be set.
    SetSensor {
        /// Number of the robot.
        robot: RobotNumber,
        /// Name of the sensor.
        sensor: String,
        /// Name of the datum.
        datum: String,
        /// New value, within the datum's range and in its unit.
        value: f64,
    },
    /// Publishes a value about a robot, as JSON.
    Annotate {
        /// Number of the robot.
        robot: RobotNumber,
        /// Replaces the last value under this key.
        key: String,
        /// Value of the annotation, JSON.
        value: String,
    },
    /// Puts a robot somewhere, at rest.
    PlaceRobot(RobotNumber, Pose2),
    /// Sets a ball's position and velocity.
    PlaceBall {
        /// Number of the ball.
        ball: u32,
        /// x and y, world frame, metres.
        position: [f64; 2],
        /// m/s.
        velocity: [f64; 2],
        /// How high, and how fast it rises.
        #[serde(default)]
        vertical: Vertical,
    },
    /// Starts a player for a robot that has none. (Y2)
    StartPlayer(RobotNumber, PlayerChoice),
    /// Gives a robot another player in place of the one that it has; the robot goes on as it is. (Y2)
    ExchangePlayer(RobotNumber, PlayerChoice),
    /// Ends a robot's player; the robot goes with it.
    StopPlayer(RobotNumber),
    /// Takes a robot over: its player is not asked, and only this client's commands move it, until it is given back. (Y2)
    TakeRobot(RobotNumber),
    /// Gives a robot back that somebody has taken over.
    GiveRobot(RobotNumber),
    /// Gives back all robots that this client has taken over.
    GiveAll,
    /// A line for the referee.
    Referee(String),
    /// Sets the number of goals of a team.
    SetScore {
        /// Index into the world's teams.
        team: u32,
        /// New number of goals.
        goals: u32,
    },
    /// Brings the world back to its first step; robots of clients stay.
    Reset,
}

/// What became of a command.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Number of the client that gave the command.
    pub client: u64,
    /// The command's number among those of the client.
    pub sequence: u64,
    /// What became of it; the number of a new robot for [`Action::AddRobot`].
    pub result: Result<Option<RobotNumber>, CommandError>,
}

impl Action {
    /// Whether it does no more than drive this robot, or take it over and give it back.
    pub fn drives(&self, measured: RobotNumber) -> bool {
        match self {
            Self::Drive(robot, _)
            | Self::SetForward(robot, _)
            | Self::SetTurn(robot, _)
            | Self::SetTwist(robot, _)
            | Self::Manipulate { robot, .. }
            | Self::SetSensor { robot, .. }
            | Self::Annotate { robot, .. }
            | Self::TakeRobot(robot)
            | Self::GiveRobot(robot) => *robot == measured,
            Self::GiveAll => true,
            _ => false,
        }
    }
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CommandError {
    /// There is no robot of that number.
    #[error("no robot {0}; it may have gone")]
    NoSuchRobot(RobotNumber),
    /// There is no ball of that number.
    #[error("no ball {0}")]
    NoSuchBall(u32),
    /// There is no team of that number.
    #[error("no team {0}")]
    NoSuchTeam(u32),
    /// Another robot has the name.
    #[error("there is a robot \"{0}\" already")]
    NameTaken(String),
    /// A robot's place overlaps something.
    #[error("no room for robot \"{name}\" at ({x_m:.2}, {y_m:.2}) m: it would overlap {other}")]
    NoRoom {
        /// Name of the robot.
        name: String,
        /// x that was asked for, world frame, metres.
        x_m: f64,
        /// y that was asked for, world frame, metres.
        y_m: f64,
        /// Name of the object that it would overlap.
        other: String,
    },
    /// A robot without a place of its own finds none.
    #[error("no free place for robot \"{0}\" in this world")]
    WorldIsFull(String),
    /// There is no free start for an episode.
    #[error(transparent)]
    NoStart(#[from] crate::start::NoStart),
    /// A command vector of the wrong length.
    #[error("a command of {got} numbers; this robot takes {expected}: {names}")]
    WrongDimensions {
        /// Number of values that came.
        got: usize,
        /// What its motion model takes.
        expected: usize,
        /// Names and units of the values that are expected.
        names: String,
    },
    /// The motion model has failed; the robot stands still.
    #[error("robot \"{name}\" stands still for good: its motion model \"{plugin}\" has failed")]
    Stopped {
        /// Name of the robot.
        name: String,
        /// Name of the motion plugin.
        plugin: String,
    },
    /// The motion model has no such velocity.
    #[error("this robot's motion model \"{plugin}\" has no {part} velocity")]
    NoSuchPart {
        /// Name of the motion plugin.
        plugin: String,
        /// The velocity that the model lacks, such as `left`.
        part: &'static str,
    },
    /// There is no such manipulator or state.
    #[error("no manipulator state \"{manipulator}.{state}\"; this robot has {known}")]
    NoSuchState {
        /// Name of the manipulator that was asked for.
        manipulator: String,
        /// Name of the state that was asked for.
        state: String,
        /// All states of the robot's manipulators, for the message.
        known: String,
    },
    /// A sensor has no such number that can be set, or there is no such sensor.
    #[error("nothing \"{datum}\" can be set; of this robot's sensors one can set {known}")]
    NoSuchSensorDatum {
        /// Sensor and number that were asked for, such as `camera.zoom`.
        datum: String,
        /// All sensor data of the robot that can be set, for the message.
        known: String,
    },
    /// A sensor's number cannot have this value.
    #[error("{datum} = {value} is not allowed; it is {allowed}")]
    SensorDatumOutOfRange {
        /// Sensor and number, such as `camera.view-width`.
        datum: String,
        /// Value that was asked for.
        value: f64,
        /// From where to where, with the unit.
        allowed: String,
    },
    /// A robot without a team has no team to speak to.
    #[error("robot \"{0}\" belongs to no team; it can only speak to all")]
    NoTeam(String),
    /// A number is not finite or out of its range.
    #[error("{name} = {value} is not allowed; {allowed}")]
    BadNumber {
        /// The name of the number.
        name: &'static str,
        /// Value that was asked for.
        value: f64,
        /// The rule, with its unit.
        allowed: &'static str,
    },
    /// A radio message is too long.
    #[error("a message of {got} bytes; the radio takes at most {limit}")]
    MessageTooLong {
        /// Length of the message, bytes.
        got: usize,
        /// What the world's radio takes.
        limit: usize,
    },
    /// A robot says more in one step than a radio can carry.
    #[error("more than {0} messages of one robot in one step")]
    TooManyMessages(usize),
    /// What is said to the referee in one step is too long.
    #[error("the referee hears at most {0} bytes in one step")]
    TooManyWords(usize),
    /// The key of a value to publish is none that can be told in a line.
    #[error("the key {0:?} has control characters")]
    BadKey(String),
    /// A value to publish is no JSON.
    #[error("the value is no JSON: {0}")]
    NotJson(String),
    /// A robot has published as many values as are kept.
    #[error("at most {MAX_ANNOTATIONS} values can be published about a robot")]
    TooManyAnnotations,
    /// What a robot has published is too long altogether.
    #[error("the keys and values that are published about a robot have at most {0} bytes together")]
    TooLongAnnotations(usize),
    /// The robot has a player, or has none.
    #[error("{0}")]
    Player(String),
    /// The robot is taken over, or is not.
    #[error("{0}")]
    Taken(String),
    /// The world has no referee.
    #[error("this world has no referee")]
    NoReferee,
    /// A plugin that the robot needs could not be made.
    #[error(transparent)]
    Plugin(#[from] crate::factory::MakeError),
    /// The sensors of a client's robot give more integers than they may.
    #[error(
        "the sensors of robot \"{name}\", or of all clients' robots with it, give {got} integers; limits.{key} is {limit}"
    )]
    TooManyIntegers {
        /// Name of the robot.
        name: String,
        /// How many its sensors give.
        got: usize,
        /// How many there may be.
        limit: u32,
        /// The key of the world file's `[limits]` that says so.
        key: &'static str,
    },
    /// The robot's own description makes no sense.
    #[error("robot \"{name}\": {problem}")]
    BadRobot {
        /// Name of the robot.
        name: String,
        /// Reason, in words.
        problem: String,
    },
}

impl CommandError {
    /// The message with its place before it, unless it names that itself.
    pub(crate) fn at(&self, place: &str) -> String {
        let text = self.to_string();
        if text.contains(place) { text } else { format!("{place}: {text}") }
    }
}
