//! One participant that asks for changes: its role, its robots, and the order of its commands.

use crate::control::Control;
use crate::error::RequestError;
use crate::handle::{Commanded, Gate};
use crate::pass::{Known, Pass};
use crate::request::{Pending, RecordOrder, Replied, Reply, Request};
use crate::role::{Leaves, Reach, Role, Target, Verb, law};
use std::sync::Arc;
use std::time::Duration;
use touchline_sim::{Action, Command, RobotIdentity, RobotNumber};

/// One client may have made so many robots at a time.
pub const MAX_ROBOTS: usize = 64;
/// How long to wait for room in the loop's queue.
const QUEUE_PAUSE: Duration = Duration::from_millis(2);

/// A client of any protocol. Whoever drops it without [`Client::leave`] leaves its robots in the world.
pub struct Client {
    gate: Gate,
    number: u64,
    sequence: u64,
    pass: Pass,
    name: Arc<str>,
}

/// A place in the order of a client's commands, for an action that is not known yet: a robot whose file is still being read.
pub struct Reserved {
    gate: Gate,
    client: u64,
    sequence: u64,
    pass: Pass,
    name: Arc<str>,
}

impl Client {
    pub(crate) fn new(gate: Gate, number: u64, pass: Pass, name: Arc<str>) -> Self {
        Self { gate, number, sequence: 0, pass, name }
    }

    /// The gate at which it stands.
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Name of the client, as other clients see it.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// It has said who it is, and what it may do from now on.
    pub fn introduce(&mut self, pass: &Pass, name: &str) {
        if self.pass != *pass {
            self.pass = pass.clone();
        }
        if *self.name != *name {
            self.name = name.into();
        }
    }

    /// The robots that it made.
    pub fn robots(&self) -> Vec<RobotNumber> {
        self.gate.owners.robots_of(self.number)
    }

    /// Forgets those of its robots that are in the world no more, by whatever way they went.
    pub fn forget_gone(&self) {
        let published = self.gate.newest();
        let gone = self.robots().into_iter().filter(|&robot| published.frame.robot(robot).is_none());
        gone.for_each(|robot| self.gate.owners.removed(robot));
    }

    /// Begins a request.
    ///
    /// # Errors
    /// When the client may not ask for it, the world cannot do it, or the queue is full.
    pub fn execute(&mut self, request: Request) -> Result<Pending, RequestError> {
        let blocks = request.blocks();
        let reply = match request {
            Request::Act(action) => return self.reserve().act(action),
            Request::Control(control) => {
                self.pass.check(control.verb())?;
                let (gate, done) = (self.gate.clone(), self.gate.control(control)?);
                Box::pin(async move {
                    done.await.map_err(|_| RequestError::Stopping)?;
                    Ok(controlled(&gate, control))
                }) as _
            }
            Request::Seek(tick) => {
                self.pass.check(Verb::Seek)?;
                let gate = self.gate.clone();
                Box::pin(async move { seek(&gate, tick).await }) as _
            }
            Request::Record { order, name } => {
                self.pass.check(Verb::Record)?;
                let gate = self.gate.clone();
                Box::pin(async move { record(&gate, order, name).await }) as _
            }
        };
        Ok(Pending { reply: Replied::Later(reply), blocks })
    }

    /// Takes a place in the order of its commands for an action that follows.
    pub fn reserve(&mut self) -> Reserved {
        self.sequence += 1;
        Reserved {
            gate: self.gate.clone(),
            client: self.number,
            sequence: self.sequence,
            pass: self.pass.clone(),
            name: Arc::clone(&self.name),
        }
    }

    /// Whether it may make another robot of its own.
    ///
    /// # Errors
    /// When it has [`MAX_ROBOTS`].
    pub fn check_room(&self) -> Result<(), RequestError> {
        if self.robots().len() >= MAX_ROBOTS { Err(RequestError::TooManyRobots(MAX_ROBOTS)) } else { Ok(()) }
    }

    /// Whether it may do what changes nothing; a question about a robot says which.
    ///
    /// # Errors
    /// When its pass does not allow it.
    pub fn may(&self, verb: Verb, robot: Option<&RobotIdentity>) -> Result<(), RequestError> {
        let Some(robot) = robot else { return self.pass.check(verb) };
        let known = known(&self.gate, self.number, robot);
        self.pass.check_robot(verb, robot.number, Some(known))
    }

    /// Removes its robots, and gives back those that it has taken over, however long the loop's queue is full.
    pub async fn leave(mut self) {
        let has_taken = self.gate.owners.taker(self.number).is_some();
        let removals = self.robots().into_iter().map(Action::RemoveRobot);
        let mut left = Vec::new();
        for action in removals.chain(has_taken.then_some(Action::GiveAll)) {
            if let Action::RemoveRobot(robot) = &action {
                self.gate.owners.removed(*robot);
            }
            self.sequence += 1;
            let command = Command { client: self.number, sequence: self.sequence, action };
            loop {
                match self.gate.command(command.clone()) {
                    Ok(done) => break left.push(done),
                    Err(RequestError::Busy) => tokio::time::sleep(QUEUE_PAUSE).await,
                    // Stopping: the world goes, and the robots with it.
                    Err(_) => return,
                }
            }
        }
        for done in left {
            // Whoever else removed it was faster.
            let _ = done.outcome().await;
        }
        self.gate.owners.left(self.number);
    }
}

impl Reserved {
    /// Begins the action at its place.
    ///
    /// # Errors
    /// As of [`Client::execute`].
    pub fn act(self, action: Action) -> Result<Pending, RequestError> {
        let Self { gate, client, sequence, pass, name } = self;
        let (verb, target, leaves) = law(&action);
        check(&gate, client, &pass, verb, &target)?;
        if let Action::TakeRobot(_) = action {
            gate.owners.takes(client, Arc::clone(&name));
        }
        let done = gate.command(Command { client, sequence, action })?;
        if let (Leaves::Nothing, Commanded::Stands) = (&leaves, &done) {
            return Ok(Pending { reply: Replied::Now(Reply::Done), blocks: false });
        }
        let reply = Box::pin(async move {
            let made = done.outcome().await?;
            Ok(match (leaves, made) {
                (Leaves::Own, Some(robot)) => {
                    gate.owners.made(robot, client, name);
                    Reply::Made(robot)
                }
                (Leaves::Nothing, Some(robot)) => Reply::Made(robot),
                (Leaves::Gone(robot), _) => {
                    gate.owners.removed(robot);
                    Reply::Removed(robot)
                }
                (Leaves::Own | Leaves::Nothing, None) => Reply::Done,
            })
        });
        Ok(Pending { reply: Replied::Later(reply), blocks: false })
    }
}

/// Whether a client may do this to that.
fn check(gate: &Gate, client: u64, pass: &Pass, verb: Verb, target: &Target<'_>) -> Result<(), RequestError> {
    match *target {
        Target::New { name, team, is_put } => {
            pass.check_new(name, team, &gate.scenario().teams)?;
            pass.check_put(is_put)?;
            let most = pass.max_robots.unwrap_or(usize::MAX);
            let frame = &gate.newest().frame;
            let there = frame.robots.iter().filter(|robot| robot.identity.description.team == team).count();
            if there >= most { Err(RequestError::TooManyOfTeam(most)) } else { Ok(()) }
        }
        Target::Robot(number) if pass.reach(verb) == Reach::Own => {
            let newest = gate.newest();
            let robot = newest.frame.robot(number).map(|robot| known(gate, client, &robot.identity));
            // One that was made just now is in no Frame yet, but known as its maker's.
            let made = gate.owners.owns(client, number);
            let new = made.then_some(Known { number, name: "", team: None, is_made: true });
            pass.check_robot(verb, number, robot.or(new))
        }
        Target::Robot(_) | Target::World => pass.check(verb),
    }
}

fn known<'a>(gate: &Gate, client: u64, robot: &'a RobotIdentity) -> Known<'a> {
    Known {
        number: robot.number,
        name: &robot.name,
        team: robot.description.team,
        is_made: gate.owners.owns(client, robot.number),
    }
}

fn controlled(gate: &Gate, control: Control) -> Reply {
    match control {
        Control::Step(_) => {
            let frame = &gate.newest().frame;
            Reply::Stepped { step: frame.step, episode: frame.game.episode }
        }
        Control::Pause | Control::Resume | Control::Speed(_) => Reply::Done,
    }
}

/// Goes on from a tick. What came back with it and has nobody any more, goes again.
async fn seek(gate: &Gate, tick: crate::Tick) -> Result<Reply, RequestError> {
    let before = gate.newest();
    gate.seek(tick).await?;
    if !gate.is_replay() {
        let mut house_keeper = gate.client(Pass::at_desk(Role::Operator), "");
        for action in gate.owners.orphans(&before.frame, &gate.newest().frame) {
            if let Ok(pending) = house_keeper.execute(Request::Act(action)) {
                // Gone already is as good.
                let _ = pending.reply.wait().await;
            }
        }
    }
    let newest = gate.newest();
    Ok(Reply::Sought { tick: newest.status.tick, step: newest.frame.step })
}

async fn record(gate: &Gate, order: RecordOrder, name: Option<String>) -> Result<Reply, RequestError> {
    gate.record(order, name).await.map(Reply::Recorded)
}
