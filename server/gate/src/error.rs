//! Why a request was not carried out.

use crate::history::Tick;
use crate::role::Role;
use crate::wake::QUEUE;
use touchline_sim::{CommandError, RobotNumber};

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The world refused the command.
    #[error(transparent)]
    Refused(#[from] CommandError),
    /// Too many commands wait already.
    #[error("the simulation has {QUEUE} commands waiting; try again")]
    Busy,
    /// A speed or a number of steps out of range.
    #[error("{0}")]
    OutOfRange(String),
    /// The past is not there, or a recording cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Nothing can be changed in a recording.
    #[error("this is a recording: it can be looked at, and not be changed")]
    Replay,
    /// Nobody may help who is measured.
    #[error(
        "you can drive the robots that are yours here, and the world goes on by STEP; nothing else can be changed"
    )]
    Evaluated,
    /// Who is measured with the sensors of his robots is not told how things really are.
    #[error("here a robot has its sensors, and not the truth")]
    Truth,
    /// Who is measured does not look through the eyes of others.
    #[error("only the sensors of the robots that are yours here can be read")]
    OthersSensors,
    /// The client's role may not do this.
    #[error("this is not for a {0}")]
    Role(Role),
    /// A player or a team asks for a robot that is not its own.
    #[error("robot {0} is not yours")]
    NotYours(RobotNumber),
    /// A new robot's name could be taken for another's.
    #[error("your key makes robots that are called {0}")]
    NotYourName(String),
    /// A new robot is for a team that is not the client's.
    #[error("your key makes robots of the team {0}")]
    NotYourTeam(String),
    /// A robot of a file that the client's key does not allow.
    #[error("your key makes robots of these files of the server: {0}")]
    NotYourFile(String),
    /// A key of somebody who moves no robots does not say where a new one stands.
    #[error("your key does not say where robots stand: leave x= and y= out, and it is put in a free place")]
    NotYourPlace,
    /// The client's team has as many robots as its key says.
    #[error("your key allows {0} robots")]
    TooManyOfTeam(usize),
    /// The client has as many robots as it may have.
    #[error("one connection can have at most {0} robots")]
    TooManyRobots(usize),
    /// The simulation loop has ended.
    #[error("the simulation is stopping")]
    Stopping,
}

/// Why the past cannot be had, or a recording not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A tick that cannot be reached.
    #[error("tick {tick} is not kept; {oldest} to {newest} are")]
    NotKept {
        /// Tick that was asked for.
        tick: Tick,
        /// The first that can be reached.
        oldest: Tick,
        /// The last tick that can be had.
        newest: Tick,
    },
    /// A file cannot be written.
    #[error("{path}: {reason}")]
    File {
        /// Path of the file.
        path: String,
        /// The operating system's message.
        reason: String,
    },
    /// A name that is more than a name.
    #[error("\"{0}\" is no name for a file: letters, digits, and - _ . between them")]
    BadName(String),
    /// A recording is being written already; its file.
    #[error("a recording is being written already: {0}")]
    Recording(String),
    /// No recording is being written.
    #[error("no recording is being written")]
    NotRecording,
    /// The thread cannot keep up, or has ended.
    #[error("the recorder is busy; try again")]
    Busy,
}
