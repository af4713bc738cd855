//! What each request comes to: an answer at once, or work for the loop.

use crate::connection::{Connection, Done, Outstanding};
use crate::errors::request_error;
use crate::{TrialRules, answers, readings};
use std::sync::Arc;
use touchline_board::{
    AddRobot, Incoming, Reply, Request, RobotRef, RobotSource, Selected, Selection, StartPlayer, Ticket,
};
use touchline_gate::Request as Ask;
use touchline_gate::{Control, Pending, Published, RecordOrder, RequestError, Speed};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::CommandPart;
use touchline_sim::scenario::{PlayerChoice, PluginChoice};
use touchline_sim::{Action, RobotFrame, RobotNumber};

/// How often a player acts unless told otherwise, as in a world file: 30 times a second.
const DEFAULT_PERIOD_SECS: f64 = 1.0 / 30.0;

/// Whether it only asks: then its answer shows what all commands before it have done.
pub(crate) fn is_question(request: &Request) -> bool {
    matches!(
        request,
        Request::Status
            | Request::List
            | Request::World
            | Request::Score
            | Request::Players(_)
            | Request::Files
            | Request::Events { .. }
            | Request::Describe(_)
            | Request::Get { .. }
            | Request::Push { .. }
            | Request::PushOff(_)
            | Request::Motion(_)
            | Request::Hear { .. }
            | Request::RefereeCommands
    )
}

/// `None`: it is answered.
type Begun = Result<Option<Outstanding>, Reply>;

impl Connection {
    /// Begins a request.
    ///
    /// # Errors
    /// The answer, if it cannot be carried out.
    pub(crate) fn execute(&mut self, Incoming { ticket, request }: Incoming) -> Begun {
        let action = match request {
            Request::AddRobot(robot) => return self.add_robot(ticket, robot),
            Request::StartPlayer(start) => return self.start_player(ticket, start),
            Request::RemoveRobot(robot) => Action::RemoveRobot(self.number(&robot)?),
            Request::StopPlayer(robot) => Action::StopPlayer(self.number(&robot)?),
            Request::Pause => return self.begin(ticket, Ask::Control(Control::Pause)),
            Request::Resume => return self.begin(ticket, Ask::Control(Control::Resume)),
            Request::Step { steps } => return self.begin(ticket, Ask::Control(Control::Step(steps))),
            Request::Speed(speed) => return self.begin(ticket, Ask::Control(Control::Speed(as_gate(speed)))),
            Request::Files => {
                let board = Arc::clone(&self.board);
                let done = Box::pin(async move { Done::Answer(board.files().await) });
                return Ok(Some(Outstanding { ticket, blocks: false, makes_robot: false, done }));
            }
            Request::Timeline { kind, since, every } => {
                let board = Arc::clone(&self.board);
                let done = Box::pin(async move {
                    Done::Answer(answers::timeline(&board, kind.as_deref(), since, every).await)
                });
                return Ok(Some(Outstanding { ticket, blocks: false, makes_robot: false, done }));
            }
            Request::Jump { moment } => return self.begin(ticket, Ask::Jump(moment)),
            Request::Record { order, name } => {
                let order = match order {
                    touchline_board::RecordOrder::Start => RecordOrder::Start,
                    touchline_board::RecordOrder::Stop => RecordOrder::Stop,
                    touchline_board::RecordOrder::Save => RecordOrder::Save,
                };
                return self.begin(ticket, Ask::Record { order, name });
            }
            Request::Forward { robot, forward_m_s } => Action::SetForward(self.number(&robot)?, forward_m_s),
            Request::Turn { robot, turn_rad_s } => Action::SetTurn(self.number(&robot)?, turn_rad_s),
            Request::Twist { robot, forward_m_s, left_m_s, turn_rad_s } => {
                self.twist(&robot, Twist2::new(forward_m_s, left_m_s, turn_rad_s))?
            }
            Request::Drive { robot, command } => Action::Drive(self.number(&robot)?, command),
            Request::Manipulate { robot, manipulator, state, strength } => {
                Action::Manipulate { robot: self.number(&robot)?, manipulator, state, strength }
            }
            Request::Say { robot, text } => Action::Say(self.number(&robot)?, text),
            Request::Annotate { robot, key, value } => self.annotate(&robot, key, value)?,
            Request::PlaceRobot { robot, pose: [x_m, y_m, theta_rad] } => {
                Action::PlaceRobot(self.number(&robot)?, Pose2::new(x_m, y_m, theta_rad))
            }
            Request::PlaceBall { ball, position, velocity } => Action::PlaceBall { ball, position, velocity },
            Request::SetScore { team, goals } => {
                Action::SetScore { team: self.board.team_number(&team)?, goals }
            }
            Request::Referee(line) => Action::Referee(line),
            Request::TakeRobot(robot) => Action::TakeRobot(self.number(&robot)?),
            Request::GiveRobot(robot) => Action::GiveRobot(self.number(&robot)?),
            Request::Reset => Action::Reset,
            question => {
                self.answer_question(ticket, question)?;
                return Ok(None);
            }
        };
        self.begin(ticket, Ask::Act(action))
    }

    /// Hands a request to the gate.
    fn begin(&mut self, ticket: Ticket, request: Ask) -> Begun {
        let Pending { reply, blocks } =
            self.client().execute(request).map_err(|error| request_error(&error))?;
        let done = Box::pin(async move { answered(reply.await) });
        Ok(Some(Outstanding { ticket, blocks, makes_robot: false, done }))
    }

    fn answer_question(&mut self, ticket: Ticket, question: Request) -> Result<(), Reply> {
        let board = Arc::clone(&self.board);
        let published = self.view.shown(&board.gate, &board.newest);
        if let Some(rules) = &board.config.trials {
            check_trial(rules, &published, &question)?;
        }
        let reply = match question {
            Request::Get { robot, selection } => {
                let (robot, selected) = select(&published, &robot, &selection)?;
                if let Some(state) = readings::read(&self.session, &published, robot, &selected) {
                    self.session.answer_state(ticket, state);
                }
                return Ok(());
            }
            Request::Push { robot, period_us, selection } => {
                let (robot, selected) = select(&published, &robot, &selection)?;
                let now_us = self.push_clock_us(&published);
                self.session.answer_push(ticket, robot, selected, period_us, now_us);
                return Ok(());
            }
            Request::PushOff(robot) => {
                self.session.end_push(find(&published, &robot)?.identity.number);
                Reply::ok()
            }
            Request::Motion(robot) => {
                let stamp_us = self.session.stamp_us(published.stamp_us);
                answers::motion(&published, find(&published, &robot)?, stamp_us)
            }
            Request::Hear { robot, since, said } => {
                let number = find(&published, &robot)?.identity.number;
                answers::heard(&published, number, since, said)
            }
            Request::Describe(robot) => answers::describe(&board, find(&published, &robot)?),
            Request::RefereeCommands => answers::referee_commands(&board)?,
            Request::List => board.list(),
            Request::World => board.world(|stamp_us| self.session.stamp_us(stamp_us)),
            Request::Score => board.score(),
            Request::Events { since, kind } => board.events(since, kind.as_deref()),
            Request::Players(plugin) => board.players(plugin.as_deref())?,
            _ => board.status(),
        };
        self.session.answer(ticket, &reply);
        Ok(())
    }

    /// The robot's number. One that is given by number may have gone: then the simulation says so.
    fn number(&self, robot: &RobotRef) -> Result<RobotNumber, Reply> {
        match robot {
            RobotRef::Number(number) => Ok(*number),
            RobotRef::Name(_) => Ok(find(&self.board.gate.newest(), robot)?.identity.number),
        }
    }

    /// A velocity that the motion model does not have may only be zero.
    fn twist(&self, robot: &RobotRef, twist: Twist2) -> Result<Action, Reply> {
        let published = self.board.gate.newest();
        let robot = find(&published, robot)?;
        let parts = [
            (CommandPart::Forward, "forward", twist.x_m_s),
            (CommandPart::Left, "left", twist.y_m_s),
            (CommandPart::Turn, "turn", twist.turn_rad_s),
        ];
        for (part, name, value) in parts {
            if value != 0.0 && robot.identity.description.motion.dimension(part).is_none() {
                let plugin = robot.identity.spec.motion.plugin.clone();
                let error = touchline_sim::CommandError::NoSuchPart { plugin, part: name };
                return Err(request_error(&error.into()));
            }
        }
        Ok(Action::SetTwist(robot.identity.number, twist))
    }

    fn annotate(&self, robot: &RobotRef, key: String, value: String) -> Result<Action, Reply> {
        let published = self.board.gate.newest();
        let robot = find(&published, robot)?;
        Ok(Action::Annotate { robot: robot.identity.number, key, value })
    }

    fn add_robot(&mut self, ticket: Ticket, robot: AddRobot) -> Begun {
        self.client().check_room().map_err(|error| request_error(&error))?;
        let team = robot.team.as_deref().map(|team| self.board.team_number(team)).transpose()?;
        Ok(Some(self.make_robot(ticket, robot.name, robot.source, team, robot.pose, None)))
    }

    /// Makes a robot: of this connection's own, unless it has a player.
    fn make_robot(
        &mut self,
        ticket: Ticket,
        name: String,
        source: RobotSource,
        team: Option<u32>,
        pose: Option<[f64; 3]>,
        player: Option<PlayerChoice>,
    ) -> Outstanding {
        let pose = pose.map(|[x_m, y_m, theta_rad]| Pose2::new(x_m, y_m, theta_rad));
        let (board, place) = (Arc::clone(&self.board), self.client().reserve());
        let makes_robot = player.is_none();
        let done = Box::pin(async move {
            let spec = match board.robot_spec(name.clone(), source).await {
                Ok(spec) => spec,
                Err(reply) => return Done::Answer(reply),
            };
            let action = Action::AddRobot { name, team, spec, pose, player };
            let made = match place.act(action) {
                Ok(pending) => pending.reply.await,
                Err(error) => Err(error),
            };
            match made {
                Ok(touchline_gate::Reply::Made(robot)) if !makes_robot => {
                    Done::Answer(Reply::ok().with("robot", robot))
                }
                made => answered(made),
            }
        });
        Outstanding { ticket, blocks: true, makes_robot, done }
    }

    fn start_player(&mut self, ticket: Ticket, start: StartPlayer) -> Begun {
        let params = serde_json::from_str(start.params.as_deref().unwrap_or("{}"))
            .map_err(|error| Reply::error("board/bad-json", format!("params is no JSON: {error}")))?;
        let player = PlayerChoice {
            choice: PluginChoice { plugin: start.plugin, params },
            period_secs: start.period_ms.map_or(DEFAULT_PERIOD_SECS, |period_ms| period_ms / 1000.0),
        };
        let team = start.team.as_deref().map(|team| self.board.team_number(team)).transpose()?;
        match (start.file, start.robot) {
            (Some(file), RobotRef::Name(name)) => {
                let source = RobotSource::File(file);
                Ok(Some(self.make_robot(ticket, name, source, team, start.pose, Some(player))))
            }
            (_, robot) => {
                let robot = self.number(&robot)?;
                let pending = self.client().execute(Ask::Act(Action::StartPlayer(robot, player)));
                let pending = pending.map_err(|error| request_error(&error))?;
                let done = Box::pin(async move {
                    match pending.reply.await {
                        Ok(_) => Done::Answer(Reply::ok().with("robot", robot)),
                        Err(error) => Done::Answer(request_error(&error)),
                    }
                });
                Ok(Some(Outstanding { ticket, blocks: false, makes_robot: false, done }))
            }
        }
    }
}

fn as_gate(speed: touchline_board::Speed) -> Speed {
    match speed {
        touchline_board::Speed::Factor(factor) => Speed::Factor(factor),
        touchline_board::Speed::Max => Speed::Max,
        touchline_board::Speed::Lockstep => Speed::Lockstep,
    }
}

fn answered(reply: Result<touchline_gate::Reply, RequestError>) -> Done {
    use touchline_gate::Reply as Got;
    match reply {
        Ok(Got::Done) => Done::Answer(Reply::ok()),
        Ok(Got::Made(robot)) => Done::Made(robot),
        Ok(Got::Removed(robot)) => Done::Removed(robot),
        Ok(Got::Stepped { step, episode }) => {
            Done::Answer(Reply::ok().with("step", step).with("episode", episode))
        }
        Ok(Got::Jumped { moment, step }) => {
            Done::Answer(Reply::ok().with("moment", moment).with("step", step))
        }
        Ok(Got::Recorded(path)) => Done::Answer(Reply::ok().with("file", &path.display().to_string())),
        Err(error) => Done::Answer(request_error(&error)),
    }
}

fn find<'a>(published: &'a Published, robot: &RobotRef) -> Result<&'a RobotFrame, Reply> {
    let robots = &published.frame.robots;
    let place = match robot {
        RobotRef::Number(number) => published.place(*number),
        RobotRef::Name(name) => robots.iter().position(|robot| robot.identity.name == *name),
    };
    place.map(|place| &robots[place]).ok_or_else(|| {
        let (number, name) = match robot {
            RobotRef::Number(number) => (Some(*number), number.to_string()),
            RobotRef::Name(name) => (None, format!("\"{name}\"")),
        };
        let message = format!("no robot {name}; it may have gone; LIST lists all");
        Reply::error("sim/no-such-robot", message).with_some("robot", number)
    })
}

fn select(
    published: &Published,
    robot: &RobotRef,
    selection: &Selection,
) -> Result<(RobotNumber, Vec<Selected>), Reply> {
    let identity = &find(published, robot)?.identity;
    match selection.resolve(&identity.description.sensors) {
        Ok(selected) => Ok((identity.number, selected)),
        Err(error) => Err(Reply::error("board/no-such-sensor", error.to_string())),
    }
}

/// Who is measured reads no more than the set-up lets it.
fn check_trial(rules: &TrialRules, published: &Published, question: &Request) -> Result<(), Reply> {
    let (of, is_truth) = match question {
        Request::Get { robot, .. } | Request::Push { robot, .. } | Request::Hear { robot, .. } => {
            (Some(robot), false)
        }
        Request::Motion(robot) => (Some(robot), true),
        Request::World | Request::Events { .. } => (None, true),
        _ => return Ok(()),
    };
    let refused = |what: &str| Err(Reply::error("board/benchmark", what.to_owned()));
    if is_truth && !rules.may_read_truth {
        return refused("here a robot has its sensors, and not the truth");
    }
    match of {
        Some(robot) if !rules.robots.contains(&find(published, robot)?.identity.number) => {
            refused("only the sensors of the robots that are yours here can be read")
        }
        _ => Ok(()),
    }
}
