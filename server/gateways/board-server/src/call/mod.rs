//! One command that is being carried out: what its file may ask for and do.

mod loaded;

use crate::errors::request_error;
use crate::files::Files;
use crate::params::{BadLine, Params, Words, missing, text_error};
use crate::readings;
use crate::room::check_reply;
use crate::session::{Incoming, Session};
use crate::shelf::Shelf;
use crate::shown::Shown;
use crate::talk::Talk;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use touchline_board::{Reply, RobotRef, Scanner, Selected, Selection, StateReply};
use touchline_gate::{Client, Gate, Pending, Published, Replied, Request, RequestError, Standing, Wish};
use touchline_sim::RobotNumber;

/// A command, its line, and the connection on which it came.
pub(crate) struct Call<'a> {
    pub talk: &'a mut Talk,
    pub incoming: &'a Incoming,
    /// Time of the server's clock, microseconds.
    pub now_us: u64,
}

/// Why a command is not carried out.
pub(crate) enum Refused {
    /// The line is none; that counts against the client.
    Line(Reply),
    /// It cannot be done.
    Answer(Reply),
}

impl From<BadLine> for Refused {
    fn from(BadLine(reply): BadLine) -> Self {
        Self::Line(reply)
    }
}

impl From<Reply> for Refused {
    fn from(reply: Reply) -> Self {
        Self::Answer(reply)
    }
}

/// What a command has come to so far.
pub(crate) enum Begun {
    Answered(Reply),
    Done(Done),
    Later(Work),
}

/// What is being carried out elsewhere.
pub(crate) struct Work {
    /// Whether no other command may begin before this one is done.
    pub blocks: bool,
    /// Whether a robot may come of it that is this client's own.
    pub makes_robot: bool,
    pub done: Pin<Box<dyn Future<Output = Done> + Send>>,
}

/// What a command has come to in the end.
pub(crate) enum Done {
    Answer(Reply),
    /// A robot was made for this client.
    Made(RobotNumber),
    /// A robot was removed by this client.
    Removed(RobotNumber),
}

/// Access to the command's line and its parameters.
impl<'a> Call<'a> {
    pub fn line(&self) -> &'a str {
        &self.incoming.line
    }

    pub fn scanner(&self) -> Scanner<'a> {
        Scanner::new(self.line())
    }

    /// The line's words, and the fields of these keys.
    pub fn params(&self, keys: &[&str]) -> Result<Params<'a>, BadLine> {
        Params::read(self.incoming.command, self.line(), keys)
    }

    /// The line's words, where fields are words too.
    pub fn words(&self) -> Result<Words<'a>, BadLine> {
        Words::read(self.incoming.command, self.line())
    }

    pub fn no_params(&self) -> Result<(), BadLine> {
        self.params(&[])?.end()
    }

    /// The one parameter of the command.
    pub fn only_robot(&self) -> Result<RobotRef, BadLine> {
        let mut params = self.params(&[])?;
        let robot = params.robot(self)?;
        params.end()?;
        Ok(robot)
    }

    /// All parameters of a command that has a robot and numbers; `whats` says what each is. They are looked at before the robot is looked up.
    pub fn robot_and_numbers<const N: usize>(
        &self,
        whats: [&str; N],
    ) -> Result<(RobotNumber, [f64; N]), Refused> {
        let mut params = self.params(&[])?;
        let robot = params.robot(self)?;
        let numbers = params.numbers(whats)?;
        params.end()?;
        Ok((self.number_of(&robot)?, numbers))
    }

    /// The next word, where the rest of the line is taken as it stands.
    pub fn next_robot(&self, scanner: &mut Scanner<'_>) -> Result<RobotRef, BadLine> {
        let word = scanner.next_word().map_err(text_error)?.ok_or_else(|| self.missing("robot"))?;
        self.robot_ref(&word.text)
    }

    pub fn missing(&self, what: &str) -> BadLine {
        missing(self.incoming.command, what)
    }

    /// The robot that is meant by this word, if this client may give this command to it.
    pub fn robot_ref(&self, word: &str) -> Result<RobotRef, BadLine> {
        self.talk.session.robot_ref(word, self.incoming.command.verb)
    }

    /// The robot file that came with the line.
    pub fn upload(&self) -> String {
        self.incoming.upload.clone().unwrap_or_default()
    }
}

/// Access to the state of the world.
impl Call<'_> {
    pub fn gate(&self) -> &Gate {
        &self.talk.board.gate
    }

    /// Clients that are connected over the network.
    pub fn connections(&self) -> usize {
        self.talk.board.connections()
    }

    /// How often connections had to wait because their readings took too long.
    pub fn reading_waits(&self) -> u64 {
        self.talk.board.reading_waits()
    }

    /// The server's files; what it takes to read them counts against this connection, unless the world waits for its clients.
    pub fn files(&self) -> Files {
        let files = &self.talk.board.files;
        if self.talk.is_lockstep() { files.clone() } else { files.of_one(&self.talk.files_share) }
    }

    /// What can be opened in place of what is shown.
    pub fn shelf(&self) -> Option<Arc<dyn Shelf>> {
        self.talk.board.shelf.clone()
    }

    /// A stamp of the server's clock in this client's clock. (C3)
    pub fn stamp_us(&self, server_us: u64) -> i64 {
        self.talk.session.stamp_us(server_us)
    }

    /// The clock by which is pushed.
    pub fn push_clock_us(&self, shown: &Shown) -> u64 {
        self.talk.push_clock_us(shown, self.now_us)
    }

    /// The robot's number: from here on only that goes on. One that is given by number may have gone: then the simulation says so.
    pub fn number_of(&self, robot: &RobotRef) -> Result<RobotNumber, Reply> {
        match robot {
            RobotRef::Number(number) => Ok(*number),
            RobotRef::Name(name) => self.gate().robot_named(name).ok_or_else(|| no_such_robot(robot)),
        }
    }

    /// The number of the team of this name.
    pub fn team(&self, name: &str) -> Result<u32, Reply> {
        self.gate().team_named(name).ok_or_else(|| {
            let names: Vec<&str> =
                self.gate().scenario().teams.iter().map(|team| team.name.as_str()).collect();
            let known = if names.is_empty() { "this world has none".into() } else { names.join(", ") };
            Reply::error("sim/no-such-team", format!("no team \"{name}\"; {known}")).with("team", name)
        })
    }

    /// The commands that stand until the next step, where this connection looks at the present; ask before the Frame.
    pub fn standing(&self) -> Standing {
        if self.talk.is_in_past() { Standing::default() } else { self.gate().standing() }
    }

    /// A robot as it is now: the Frame, and its place there.
    pub fn find_now(&self, robot: &RobotRef) -> Result<(Arc<Published>, usize), Reply> {
        let published = self.gate().newest();
        let place = place(&published, robot)?;
        Ok((published, place))
    }

    /// A robot as this connection looks at it: the Frame, and its place there.
    pub fn find(&mut self, robot: &RobotRef) -> Result<(Arc<Shown>, usize), Reply> {
        let shown = self.talk.shown();
        let place = place(&shown, robot)?;
        Ok((shown, place))
    }

    /// As [`Call::find`], of a robot about which this client may ask this.
    pub fn described(&mut self, robot: &RobotRef) -> Result<(Arc<Shown>, usize), Reply> {
        let (shown, place) = self.find(robot)?;
        let verb = self.incoming.command.verb;
        let may = self.client().may(verb, Some(&shown.frame.robots[place].identity));
        may.map_err(|error| request_error(&error))?;
        Ok((shown, place))
    }

    /// As [`Call::find`], of a robot whose sensors and radio this client may read.
    pub fn sensed(&mut self, robot: &RobotRef) -> Result<(Arc<Shown>, usize), Reply> {
        let (shown, place) = self.described(robot)?;
        self.permit(Wish::Sense(shown.frame.robots[place].identity.number))?;
        Ok((shown, place))
    }

    /// Whether this client may know how things really are.
    pub fn truth(&self) -> Result<(), Reply> {
        self.permit(Wish::Truth)
    }

    fn permit(&self, wish: Wish<'_>) -> Result<(), Reply> {
        self.gate().permit(wish).map_err(|error| request_error(&error))
    }

    /// A robot's sensors that are meant.
    pub fn select(
        &mut self,
        robot: &RobotRef,
        selection: &Selection,
    ) -> Result<(Arc<Shown>, usize, Vec<Selected>), Reply> {
        let (shown, place) = self.sensed(robot)?;
        let selected = selection.resolve(&shown.frame.robots[place].identity.description.sensors);
        let selected = selected.map_err(|error| Reply::error("board/no-such-sensor", error.to_string()))?;
        check_reply(readings::integers(&shown, place, &selected), &self.talk.session.config.limits)?;
        Ok((shown, place, selected))
    }

    /// What was selected, all of it at this one step.
    pub fn read(&mut self, shown: &Shown, place: usize, selected: &[Selected]) -> Result<StateReply, Reply> {
        self.talk.read(shown, place, selected)
    }
}

/// Access to what a command changes.
impl Call<'_> {
    pub fn session(&mut self) -> &mut Session {
        &mut self.talk.session
    }

    pub fn client(&mut self) -> &mut Client {
        self.talk.client()
    }

    pub fn answer(&self, reply: Reply) -> Result<Begun, Refused> {
        Ok(Begun::Answered(reply))
    }

    /// The answer needs time, and changes nothing.
    pub fn later(
        &self,
        answer: impl Future<Output = Result<Reply, Reply>> + Send + 'static,
    ) -> Result<Begun, Refused> {
        let done = Box::pin(async move { Done::Answer(answer.await.unwrap_or_else(|reply| reply)) });
        Ok(Begun::Later(Work { blocks: false, makes_robot: false, done }))
    }

    /// Hands a request to the gate.
    pub fn begin(&mut self, request: impl Into<Request>) -> Result<Begun, Refused> {
        self.begin_then(request.into(), done)
    }

    /// Hands a request to the gate; `then` answers when it was carried out.
    pub fn begin_then(
        &mut self,
        request: Request,
        then: impl FnOnce(touchline_gate::Reply) -> Done + Send + 'static,
    ) -> Result<Begun, Refused> {
        let Pending { reply, blocks } =
            self.client().execute(request).map_err(|error| request_error(&error))?;
        Ok(match reply {
            Replied::Now(reply) => Begun::Done(then(reply)),
            Replied::Later(reply) => {
                let done = Box::pin(async move { finish(reply.await, then) });
                Begun::Later(Work { blocks, makes_robot: false, done })
            }
        })
    }
}

fn finish(
    reply: Result<touchline_gate::Reply, RequestError>,
    then: impl FnOnce(touchline_gate::Reply) -> Done,
) -> Done {
    reply.map_or_else(|error| Done::Answer(request_error(&error)), then)
}

/// What is said of a request that went well, unless its command says more.
pub(crate) fn done(reply: touchline_gate::Reply) -> Done {
    use touchline_gate::Reply as Came;
    Done::Answer(match reply {
        Came::Made(robot) => return Done::Made(robot),
        Came::Removed(robot) => return Done::Removed(robot),
        Came::Done => Reply::ok(),
        Came::Stepped { step, episode } => Reply::ok().with("step", step).with("episode", episode),
        Came::Sought { tick, step } => Reply::ok().with("tick", tick).with("step", step),
        Came::Recorded(path) => Reply::ok().with("file", &path.display().to_string()),
    })
}

fn place(published: &Published, robot: &RobotRef) -> Result<usize, Reply> {
    let place = match robot {
        RobotRef::Number(number) => published.place(*number),
        RobotRef::Name(name) => published.frame.robots.iter().position(|robot| robot.identity.name == *name),
    };
    place.ok_or_else(|| no_such_robot(robot))
}

fn no_such_robot(robot: &RobotRef) -> Reply {
    let (number, name) = match robot {
        RobotRef::Number(number) => (Some(*number), number.to_string()),
        RobotRef::Name(name) => (None, format!("\"{name}\"")),
    };
    let message = format!("no robot {name}; it may have gone; LIST lists all");
    Reply::error("sim/no-such-robot", message).with_some("robot", number)
}
