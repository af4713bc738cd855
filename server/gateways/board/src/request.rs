//! What a client wants done, as values; and back to lines, for the clients.

use crate::command::Speed;
use crate::selection::{Selection, Term};
use crate::text::{write_quoted, write_text};
use std::io::Write;

/// Which robot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RobotRef {
    /// By number.
    Number(u32),
    /// By name.
    Name(String),
}

/// Where a new robot's file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RobotSource {
    /// One of the server's files, by name.
    File(String),
    /// The file itself; its lines end in LF.
    Text(String),
}

/// A robot that shall be made. (C2)
#[derive(Clone, Debug, PartialEq)]
pub struct AddRobot {
    /// One to 32 of `A-Z a-z 0-9 _ - .`, not all digits, not `me`.
    pub name: String,
    /// A team's name.
    pub team: Option<String>,
    /// x and y in metres, theta in radians, world frame; `None` finds a free place.
    pub pose: Option<[f64; 3]>,
    /// From what.
    pub source: RobotSource,
}

/// A player plugin that shall be started. (Y2)
#[derive(Clone, Debug, PartialEq)]
pub struct StartPlayer {
    /// A robot that has none; with `file`, the name of a new robot.
    pub robot: RobotRef,
    /// The plugin.
    pub plugin: String,
    /// Its parameters, JSON; not yet checked.
    pub params: Option<String>,
    /// The time between two calls, milliseconds; above zero.
    pub period_ms: Option<f64>,
    /// One of the server's robot files: makes a new robot.
    pub file: Option<String>,
    /// The new robot's team.
    pub team: Option<String>,
    /// Where the new robot is put: metres, metres, radians; `None` finds a free place.
    pub pose: Option<[f64; 3]>,
}

/// What shall be done about recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordOrder {
    /// Begin one.
    Start,
    /// End it.
    Stop,
    /// Save the last seconds.
    Save,
}

impl RecordOrder {
    const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Save => "save",
        }
    }
}

/// What is left for the program to do: checked in form and in role, all numbers finite.
///
/// Where a player names a robot, it is its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Answer with [`crate::status`].
    Status,
    /// Answer with [`crate::list`].
    List,
    /// Answer with [`crate::world`].
    World,
    /// Answer with [`crate::score`].
    Score,
    /// Answer with [`crate::players`], or with [`crate::parameters`] of this one.
    Players(Option<String>),
    /// Answer with [`crate::files`].
    Files,
    /// Answer with [`crate::events`], from this number on.
    Events {
        /// The first event's number.
        since: u64,
        /// Only of this kind.
        kind: Option<String>,
    },
    /// Answer with [`crate::describe`].
    Describe(RobotRef),
    /// Answer with [`crate::Session::answer_state`].
    Get {
        /// Whose sensors.
        robot: RobotRef,
        /// Which.
        selection: Selection,
    },
    /// Answer with [`crate::Session::answer_push`].
    Push {
        /// Whose sensors.
        robot: RobotRef,
        /// Above zero.
        period_us: u64,
        /// Which.
        selection: Selection,
    },
    /// Call [`crate::Session::end_push`], and answer.
    PushOff(RobotRef),
    /// Answer with [`crate::motion`].
    Motion(RobotRef),
    /// Answer with [`crate::heard`], from this number on.
    Hear {
        /// Who heard.
        robot: RobotRef,
        /// The first message's number.
        since: u64,
        /// Whether it is about what the robot said.
        said: bool,
    },
    /// Answer with [`crate::Session::answer_robot`].
    AddRobot(AddRobot),
    /// Removes a robot.
    RemoveRobot(RobotRef),
    /// Sets the translational velocity.
    Forward {
        /// Which.
        robot: RobotRef,
        /// Metres per second.
        forward_m_s: f64,
    },
    /// Sets the rotational velocity.
    Turn {
        /// Which.
        robot: RobotRef,
        /// Radians per second, counter-clockwise.
        turn_rad_s: f64,
    },
    /// Sets all three.
    Twist {
        /// Which.
        robot: RobotRef,
        /// Metres per second.
        forward_m_s: f64,
        /// Metres per second.
        left_m_s: f64,
        /// Radians per second.
        turn_rad_s: f64,
    },
    /// Sets the command vector.
    Drive {
        /// Which.
        robot: RobotRef,
        /// At least one number.
        command: Vec<f64>,
    },
    /// Switches a manipulator.
    Manipulate {
        /// Whose.
        robot: RobotRef,
        /// Its name.
        manipulator: String,
        /// The state's name.
        state: String,
        /// In `[0, 1]`.
        strength: f64,
    },
    /// Broadcasts.
    Say {
        /// Who.
        robot: RobotRef,
        /// What.
        text: String,
    },
    /// Publishes a value.
    Annotate {
        /// About whom.
        robot: RobotRef,
        /// Under which key.
        key: String,
        /// JSON; not yet checked.
        value: String,
    },
    /// Back to the first step.
    Reset,
    /// Sets a team's goals.
    SetScore {
        /// The team's name.
        team: String,
        /// Its goals.
        goals: u32,
    },
    /// Puts a robot somewhere.
    PlaceRobot {
        /// Which.
        robot: RobotRef,
        /// Metres, metres, radians; world frame.
        pose: [f64; 3],
    },
    /// Puts a ball somewhere.
    PlaceBall {
        /// Which.
        ball: u32,
        /// Metres, world frame.
        position: [f64; 2],
        /// m/s, world frame.
        velocity: [f64; 2],
    },
    /// Stops simulated time.
    Pause,
    /// Lets it go on.
    Resume,
    /// Makes steps at once; then simulated time stands.
    Step {
        /// How many, at least one.
        steps: u32,
    },
    /// Sets the speed.
    Speed(Speed),
    /// Answer with [`crate::timeline`].
    Timeline {
        /// Only marks of this kind.
        kind: Option<String>,
        /// Only marks of this moment and later.
        since: u64,
        /// Of contacts and messages, which are many, at most one of each kind in so many moments.
        every: u64,
    },
    /// Goes on from a moment.
    Jump {
        /// Steps since the server began, or since a recording began.
        moment: u64,
    },
    /// Begins, ends or saves a recording.
    Record {
        /// Which of these.
        order: RecordOrder,
        /// The file's name.
        name: Option<String>,
    },
    /// A line for the referee.
    Referee(String),
    /// Answer with [`crate::referee_commands`].
    RefereeCommands,
    /// Takes a robot over.
    TakeRobot(RobotRef),
    /// Gives a robot back.
    GiveRobot(RobotRef),
    /// Starts a player plugin.
    StartPlayer(StartPlayer),
    /// Ends a robot's player plugin.
    StopPlayer(RobotRef),
}

impl Request {
    /// Its command's word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Status => "STATUS",
            Self::List => "LIST",
            Self::World => "WORLD",
            Self::Score => "SCORE",
            Self::Players(_) => "PLAYERS",
            Self::Files => "FILES",
            Self::Events { .. } => "EVENTS",
            Self::Describe(_) => "DESCRIBE",
            Self::Get { .. } => "GET",
            Self::Push { .. } | Self::PushOff(_) => "PUSH",
            Self::Motion(_) => "MOTION",
            Self::Hear { .. } => "HEAR",
            Self::AddRobot(_) => "ROBOT",
            Self::RemoveRobot(_) => "REMOVE",
            Self::Forward { .. } => "FORWARD",
            Self::Turn { .. } => "TURN",
            Self::Twist { .. } => "TWIST",
            Self::Drive { .. } => "DRIVE",
            Self::Manipulate { .. } => "MANIPULATE",
            Self::Say { .. } => "SAY",
            Self::Annotate { .. } => "ANNOTATE",
            Self::Reset => "RESET",
            Self::SetScore { .. } => "SETSCORE",
            Self::PlaceRobot { .. } => "PLACE",
            Self::PlaceBall { .. } => "BALL",
            Self::Pause => "PAUSE",
            Self::Resume => "RESUME",
            Self::Step { .. } => "STEP",
            Self::Speed(_) => "SPEED",
            Self::Timeline { .. } => "TIMELINE",
            Self::Jump { .. } => "JUMP",
            Self::Record { .. } => "RECORD",
            Self::Referee(_) | Self::RefereeCommands => "REFEREE",
            Self::TakeRobot(_) => "TAKE",
            Self::GiveRobot(_) => "GIVE",
            Self::StartPlayer(_) => "START",
            Self::StopPlayer(_) => "STOP",
        }
    }

    /// Appends the line, or lines, that a client sends for it, with their ends.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut line = Writer(out);
        line.0.extend_from_slice(self.word().as_bytes());
        match self {
            Self::Status | Self::List | Self::World | Self::Score | Self::Files => {}
            Self::Reset | Self::Pause | Self::Resume | Self::RefereeCommands => {}
            Self::Players(plugin) => plugin.iter().for_each(|plugin| line.text(plugin)),
            Self::Events { since, kind } => {
                line.field("since", since);
                kind.iter().for_each(|kind| line.field("kind", kind));
            }
            Self::Describe(robot)
            | Self::Motion(robot)
            | Self::RemoveRobot(robot)
            | Self::StopPlayer(robot)
            | Self::TakeRobot(robot)
            | Self::GiveRobot(robot) => line.robot(robot),
            Self::Get { robot, selection } => {
                line.robot(robot);
                line.selection(selection);
            }
            Self::Push { robot, period_us, selection } => {
                line.robot(robot);
                line.plain(*period_us as f64 / 1000.0);
                line.selection(selection);
            }
            Self::PushOff(robot) => {
                line.robot(robot);
                line.plain("off");
            }
            Self::Hear { robot, since, said } => {
                line.robot(robot);
                line.field("since", since);
                if *said {
                    line.field("said", 1);
                }
            }
            Self::AddRobot(robot) => line.add_robot(robot),
            Self::Forward { robot, forward_m_s } => line.numbers(robot, &[*forward_m_s]),
            Self::Turn { robot, turn_rad_s } => line.numbers(robot, &[*turn_rad_s]),
            Self::Twist { robot, forward_m_s, left_m_s, turn_rad_s } => {
                line.numbers(robot, &[*forward_m_s, *left_m_s, *turn_rad_s]);
            }
            Self::Drive { robot, command } => line.numbers(robot, command),
            Self::Manipulate { robot, manipulator, state, strength } => {
                line.robot(robot);
                line.text(manipulator);
                line.text(state);
                line.plain(strength);
            }
            Self::Say { robot, text } => {
                line.robot(robot);
                line.quoted(text);
            }
            Self::Annotate { robot, key, value } => {
                line.robot(robot);
                line.text(key);
                line.plain(value);
            }
            Self::SetScore { team, goals } => {
                line.text(team);
                line.plain(goals);
            }
            Self::PlaceRobot { robot, pose } => line.numbers(robot, pose),
            Self::PlaceBall { ball, position, velocity } => {
                line.plain(ball);
                position.iter().chain(velocity).for_each(|number| line.plain(number));
            }
            Self::Step { steps } => line.plain(steps),
            Self::Speed(speed) => line.plain(speed),
            Self::Timeline { kind, since, every } => {
                kind.iter().for_each(|kind| line.text_field("kind", kind));
                if *since > 0 {
                    line.field("since", since);
                }
                if *every > 1 {
                    line.field("every", every);
                }
            }
            Self::Jump { moment } => line.plain(moment),
            Self::Record { order, name } => {
                line.plain(order.word());
                name.iter().for_each(|name| line.text(name));
            }
            Self::Referee(text) => line.quoted(text),
            Self::StartPlayer(start) => line.start_player(start),
        }
        out.push(b'\n');
        if let Self::AddRobot(AddRobot { source: RobotSource::Text(text), .. }) = self {
            for text in text.lines() {
                out.extend_from_slice(text.as_bytes());
                out.push(b'\n');
            }
        }
    }
}

struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn plain(&mut self, value: impl std::fmt::Display) {
        // Writing to a Vec cannot fail.
        let _ = write!(self.0, " {value}");
    }

    fn field(&mut self, key: &str, value: impl std::fmt::Display) {
        self.plain(format_args!("{key}={value}"));
    }

    fn text(&mut self, text: &str) {
        self.0.push(b' ');
        write_text(text, self.0);
    }

    fn quoted(&mut self, text: &str) {
        self.0.push(b' ');
        write_quoted(text, self.0);
    }

    fn text_field(&mut self, key: &str, text: &str) {
        let _ = write!(self.0, " {key}=");
        write_text(text, self.0);
    }

    fn robot(&mut self, robot: &RobotRef) {
        match robot {
            RobotRef::Number(number) => self.plain(number),
            RobotRef::Name(name) => self.text(name),
        }
    }

    fn numbers(&mut self, robot: &RobotRef, numbers: &[f64]) {
        self.robot(robot);
        numbers.iter().for_each(|number| self.plain(number));
    }

    fn selection(&mut self, selection: &Selection) {
        for term in &selection.terms {
            let word = term.to_string();
            match (term, word.split_once('=')) {
                // A model's name may have blanks in it.
                (Term::Query(_), Some((key, value))) if !value.bytes().all(|b| b.is_ascii_graphic()) => {
                    self.plain(key);
                    self.0.push(b'=');
                    write_quoted(value, self.0);
                }
                (Term::Named(name), _) => self.text(name),
                _ => self.plain(word),
            }
        }
    }

    fn add_robot(&mut self, robot: &AddRobot) {
        self.text(&robot.name);
        if let Some(team) = &robot.team {
            self.text_field("team", team);
        }
        self.pose(robot.pose);
        match &robot.source {
            RobotSource::File(name) => self.text_field("file", name),
            RobotSource::Text(text) => self.field("lines", text.lines().count()),
        }
    }

    fn pose(&mut self, pose: Option<[f64; 3]>) {
        for (key, number) in ["x", "y", "theta"].into_iter().zip(pose.into_iter().flatten()) {
            self.field(key, number);
        }
    }

    fn start_player(&mut self, start: &StartPlayer) {
        self.robot(&start.robot);
        self.text_field("plugin", &start.plugin);
        if let Some(period_ms) = start.period_ms {
            self.field("period_ms", period_ms);
        }
        let texts = [("params", &start.params), ("file", &start.file), ("team", &start.team)];
        for (key, text) in texts {
            if let Some(text) = text {
                self.text_field(key, text);
            }
        }
        self.pose(start.pose);
    }
}
