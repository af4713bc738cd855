//! Roles, and the matrix of what each may do: the one table by which every gateway asks. docs/roles.md shows it.

use std::fmt;
use touchline_sim::{Action, RobotNumber};

/// What a client is to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sees what is seen from the stands: where everything is, and the score.
    Spectator,
    /// Sees all: sensors, radio and the past as well.
    Monitor,
    /// Drives one robot.
    Player,
    /// Drives the robots of one team.
    Team,
    /// Arranges the world for exercises.
    Trainer,
    /// Stops play, places objects and commands the referee.
    Referee,
    /// May use every command.
    Operator,
}

/// What a client would like to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Say who it is, agree on clocks, go.
    Greet,
    /// Know who is there, the score, how the simulation is doing.
    Ask,
    /// Know where everything really is, and what happens.
    See,
    /// Know what a robot really does, and was told to do.
    Motion,
    /// Read a robot's sensors, and what it hears.
    Sense,
    /// Look at what is over.
    Past,
    /// Make robots, and remove them.
    Make,
    /// Drive a robot, let it speak and draw.
    Drive,
    /// Drive in place of a robot's player.
    Take,
    /// Put robots and balls somewhere.
    Place,
    /// Command the referee.
    Judge,
    /// Stop simulated time, and let it go on.
    Pause,
    /// Order a number of steps.
    Step,
    /// Set the speed of simulated time.
    Speed,
    /// Begin from the first step.
    Reset,
    /// Start, exchange and end player plugins.
    Players,
    /// Let the world go on from another tick.
    Seek,
    /// Begin, end and save recordings.
    Record,
    /// Have another world or a recording in place of what is shown.
    Open,
}

/// How far a role may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To no robot and not to the world.
    Nothing,
    /// To what is its own: the robots that it made or that its key names.
    Own,
    /// To all robots and the world.
    All,
}

impl Role {
    /// All of them, in the order of the matrix' columns.
    pub const ALL: [Self; 7] = [
        Self::Spectator,
        Self::Monitor,
        Self::Player,
        Self::Team,
        Self::Trainer,
        Self::Referee,
        Self::Operator,
    ];

    /// How far it may go with a verb.
    pub const fn reach(self, verb: Verb) -> Reach {
        verb.reaches()[self as usize]
    }

    /// Lower-case name, as in keys files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Spectator => "spectator",
            Self::Monitor => "monitor",
            Self::Player => "player",
            Self::Team => "team",
            Self::Trainer => "trainer",
            Self::Referee => "referee",
            Self::Operator => "operator",
        }
    }

    /// The role of that name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Verb {
    /// The matrix: a row for each verb, a column for each of [`Role::ALL`].
    ///
    /// A step is its own turn for a team or a player, where a match goes on when all have ordered theirs.
    const fn reaches(self) -> [Reach; Role::ALL.len()] {
        const NO: Reach = Reach::Nothing;
        const OWN: Reach = Reach::Own;
        const ALL: Reach = Reach::All;
        match self {
            // spectator, monitor, player, team, trainer, referee, operator
            Self::Greet => [ALL, ALL, ALL, ALL, ALL, ALL, ALL],
            Self::Ask => [ALL, ALL, ALL, ALL, ALL, ALL, ALL],
            Self::See => [ALL, ALL, NO, NO, ALL, ALL, ALL],
            Self::Motion => [NO, ALL, NO, NO, ALL, ALL, ALL],
            Self::Sense => [NO, ALL, OWN, OWN, ALL, ALL, ALL],
            Self::Past => [NO, ALL, NO, NO, ALL, ALL, ALL],
            Self::Make => [NO, NO, OWN, OWN, ALL, NO, ALL],
            Self::Drive => [NO, NO, OWN, OWN, NO, NO, ALL],
            Self::Take => [NO, NO, OWN, OWN, NO, NO, ALL],
            Self::Place => [NO, NO, NO, NO, ALL, ALL, ALL],
            Self::Judge => [NO, NO, NO, NO, ALL, ALL, ALL],
            Self::Pause => [NO, NO, NO, NO, ALL, ALL, ALL],
            Self::Step => [NO, NO, OWN, OWN, ALL, NO, ALL],
            Self::Speed => [NO, NO, NO, NO, ALL, NO, ALL],
            Self::Reset => [NO, NO, NO, NO, ALL, NO, ALL],
            Self::Players => [NO, NO, NO, NO, NO, NO, ALL],
            Self::Seek => [NO, NO, NO, NO, NO, NO, ALL],
            Self::Record => [NO, NO, NO, NO, NO, NO, ALL],
            Self::Open => [NO, NO, NO, NO, NO, NO, ALL],
        }
    }
}

/// What an action does to whom.
pub(crate) enum Target<'a> {
    /// One robot.
    Robot(RobotNumber),
    /// It makes one of this name, for this team; at a place of the client's choice, if it is put.
    New { name: &'a str, team: Option<u32>, is_put: bool },
    /// The world as a whole.
    World,
}

/// What an action leaves its client.
pub(crate) enum Leaves {
    /// A robot of its own, if one is made.
    Own,
    /// The robot with this number is removed.
    Gone(RobotNumber),
    Nothing,
}

/// What an action is, a row for each: an action that is new does not compile until it has one.
pub(crate) fn law(action: &Action) -> (Verb, Target<'_>, Leaves) {
    use Target::{Robot, World};
    match action {
        Action::AddRobot { name, team, player, pose, .. } => match player {
            None => (Verb::Make, Target::New { name, team: *team, is_put: pose.is_some() }, Leaves::Own),
            Some(_) => (Verb::Players, World, Leaves::Nothing),
        },
        Action::RemoveRobot(robot) => (Verb::Make, Robot(*robot), Leaves::Gone(*robot)),
        Action::Drive(robot, _)
        | Action::SetForward(robot, _)
        | Action::SetTurn(robot, _)
        | Action::SetTwist(robot, _)
        | Action::Manipulate { robot, .. }
        | Action::Say(robot, _)
        | Action::SayToTeam(robot, _)
        | Action::SetSensor { robot, .. }
        | Action::Annotate { robot, .. } => (Verb::Drive, Robot(*robot), Leaves::Nothing),
        Action::TakeRobot(robot) | Action::GiveRobot(robot) => (Verb::Take, Robot(*robot), Leaves::Nothing),
        // Of a client that leaves: nobody can ask for it.
        Action::GiveAll => (Verb::Players, World, Leaves::Nothing),
        Action::PlaceRobot(..) | Action::PlaceBall { .. } => (Verb::Place, World, Leaves::Nothing),
        Action::Referee(_) | Action::SetScore { .. } => (Verb::Judge, World, Leaves::Nothing),
        Action::StopPlayer(robot) => (Verb::Players, World, Leaves::Gone(*robot)),
        Action::StartPlayer(..) | Action::ExchangePlayer(..) => (Verb::Players, World, Leaves::Nothing),
        Action::Reset => (Verb::Reset, World, Leaves::Nothing),
    }
}
