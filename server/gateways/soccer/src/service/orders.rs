//! What the sessions order is carried out in the world.
//!
//! In real time at once. Where steps wait for the clients, all orders of a cycle are held until its step, and carried out in the order of the players' numbers:
//! whose datagram was faster changes neither the robots' numbers nor anything else.

use super::{COMING, Service};
use crate::sessions::{ClientId, Order};
use crate::state::Who;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::time::Instant;
use touchline_gate::{Client, Control, Pass, Pending, Replied, Reply, Request, Role};
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::{Action, RobotNumber};
use touchline_soccer_law::face::{RefereeCommand, robot_name, waiting_place};

/// What the world has answered.
pub enum Answered {
    /// A player's robot is made; or it could not be.
    Made { client: ClientId, who: Who, robot: Option<RobotNumber> },
    /// A player has left, or something else was done.
    Done,
}

/// Orders and robots.
pub struct Desk {
    /// Who plays which player, with the gate's client of each.
    seated: BTreeMap<Who, Seated>,
    /// Orders about players whose robots are still being made, in their order.
    waiting: Vec<Order>,
    /// Orders of this cycle with their places in the order of all, in synchronous mode.
    held: Vec<(usize, Order)>,
    answers: mpsc::Sender<Answered>,
    /// Orders that the world has not answered.
    unanswered: usize,
    /// Whether a step waits for them.
    has_step: bool,
}

struct Seated {
    client: ClientId,
    player: Client,
    /// `None` until it is made.
    robot: Option<RobotNumber>,
}

impl Desk {
    /// Nobody plays; the world's answers are sent there.
    pub fn new(answers: mpsc::Sender<Answered>) -> Self {
        Self {
            seated: BTreeMap::new(),
            waiting: Vec::new(),
            held: Vec::new(),
            answers,
            unanswered: 0,
            has_step: false,
        }
    }

    /// The gate's clients of all who play.
    pub fn players(self) -> impl Iterator<Item = Client> {
        self.seated.into_values().map(|seated| seated.player)
    }

    /// What is answered later may be done before a step that is ordered now, or in it: the step waits.
    fn await_answer(&mut self, pending: Pending) {
        let Replied::Later(reply) = pending.reply else { return };
        self.unanswered += 1;
        let answers = self.answers.clone();
        tokio::spawn(async move {
            if let Err(error) = reply.await {
                tracing::debug!(%error, "soccer: a command is refused");
            }
            let _ = answers.send(Answered::Done).await;
        });
    }

    fn is_being_made(&self, who: Who) -> bool {
        self.seated.get(&who).is_some_and(|seated| seated.robot.is_none())
    }
}

impl Service {
    pub(super) fn order(&mut self, order: Order) {
        match order {
            // While clients come, time goes slowly.
            Order::Step if self.sessions.state().time == 0 && self.options.players_awaited == 0 => {
                self.step_at = Some(Instant::now() + COMING);
            }
            Order::Step => self.order_step(),
            Order::End => self.is_over = true,
            order if self.sessions.is_synchronous() => {
                let rank =
                    player_of(&order).map_or_else(|| self.sessions.rank(client_of(&order)), Who::place);
                self.desk.held.push((rank, order));
            }
            order => self.carry_out_order(order),
        }
    }

    /// Carries out what was held, and orders the step as soon as all of it is done.
    pub(super) fn order_step(&mut self) {
        self.step_at = None;
        let mut held = std::mem::take(&mut self.desk.held);
        held.sort_by_key(|(rank, _)| *rank);
        held.into_iter().for_each(|(_, order)| self.carry_out_order(order));
        self.desk.has_step = true;
        self.step_if_answered();
    }

    fn step_if_answered(&mut self) {
        if self.desk.has_step && self.desk.unanswered == 0 {
            self.desk.has_step = false;
            self.control(Control::Step(1));
        }
    }

    pub(super) fn control(&mut self, control: Control) {
        // A step's Frame is told by the gate.
        if let Err(error) = self.keeper.execute(Request::Control(control)) {
            tracing::warn!(%error, "soccer: the world does not go on");
        }
    }

    fn carry_out_order(&mut self, order: Order) {
        if player_of(&order).is_some_and(|who| self.desk.is_being_made(who)) {
            return self.desk.waiting.push(order);
        }
        match order {
            Order::Join { client, who, .. } => self.join(client, who),
            Order::Leave { client, who } => self.leave(client, who),
            Order::Drive { who, numbers, .. } => {
                self.act(who, |robot| Action::Drive(robot, numbers.to_vec()))
            }
            Order::Say { who, text, .. } => self.act(who, |robot| Action::Say(robot, text)),
            Order::Referee { command, .. } => self.tell_referee(command),
            Order::Step | Order::End => {}
        }
    }

    fn tell_referee(&mut self, command: RefereeCommand) {
        match self.keeper.execute(Action::Referee(command.to_string()).into()) {
            Ok(pending) => self.desk.await_answer(pending),
            Err(error) => tracing::warn!(%error, %command, "soccer: the referee is not told"),
        }
    }

    fn act(&mut self, who: Who, action: impl FnOnce(RobotNumber) -> Action) {
        let Some(Seated { player, robot: Some(robot), .. }) = self.desk.seated.get_mut(&who) else { return };
        match player.execute(action(*robot).into()) {
            Ok(pending) => self.desk.await_answer(pending),
            Err(error) => tracing::debug!(%error, "soccer: a command is refused"),
        }
    }

    fn join(&mut self, client: ClientId, who: Who) {
        let name = robot_name(who.side, who.unum);
        let mut player = self.gate.client(Pass::at_desk(Role::Player), name.as_str());
        let [x_m, y_m] = waiting_place(who.side, who.unum);
        let action = Action::AddRobot {
            name,
            team: Some(who.side.team()),
            spec: Arc::clone(&self.options.robot),
            // Both teams look to the right, as in the real server.
            pose: Some(Pose2 { x_m, y_m, theta_rad: 0.0 }),
            player: None,
        };
        let pending = player.execute(action.into());
        self.desk.seated.insert(who, Seated { client, player, robot: None });
        self.desk.unanswered += 1;
        let answers = self.desk.answers.clone();
        tokio::spawn(async move {
            let reply = match pending {
                Ok(pending) => pending.reply.wait().await,
                Err(error) => Err(error),
            };
            let robot = match reply {
                Ok(Reply::Made(robot)) => Some(robot),
                Ok(_) => None,
                Err(error) => {
                    tracing::warn!(%error, ?who, "soccer: a player's robot cannot be made");
                    None
                }
            };
            let _ = answers.send(Answered::Made { client, who, robot }).await;
        });
    }

    fn leave(&mut self, client: ClientId, who: Who) {
        if self.desk.seated.get(&who).is_none_or(|seated| seated.client != client) {
            return;
        }
        let Some(Seated { mut player, robot: Some(robot), .. }) = self.desk.seated.remove(&who) else {
            return;
        };
        // Before whatever follows; the rest may take its time.
        if let Err(error) = player.execute(Action::RemoveRobot(robot).into()) {
            tracing::debug!(%error, "soccer: a robot is not removed at once");
        }
        self.desk.unanswered += 1;
        let answers = self.desk.answers.clone();
        tokio::spawn(async move {
            player.leave().await;
            let _ = answers.send(Answered::Done).await;
        });
    }

    /// A robot is there: what waited for it is done now. One that cannot be made takes its client with it.
    pub(super) fn answered(&mut self, answered: Answered) {
        self.desk.unanswered -= 1;
        if let Answered::Made { client, who, robot } = answered {
            match (robot, self.desk.seated.get_mut(&who)) {
                (Some(_), Some(seated)) => seated.robot = robot,
                _ => {
                    self.desk.seated.remove(&who);
                    self.sessions.lost(client);
                }
            }
            let (now, later) = std::mem::take(&mut self.desk.waiting)
                .into_iter()
                .partition(|order| player_of(order) == Some(who));
            self.desk.waiting = later;
            let now: Vec<Order> = now;
            now.into_iter().for_each(|order| self.carry_out_order(order));
            self.look();
        }
        self.step_if_answered();
    }
}

/// The player whose robot an order needs.
fn player_of(order: &Order) -> Option<Who> {
    match order {
        Order::Join { who, .. }
        | Order::Leave { who, .. }
        | Order::Drive { who, .. }
        | Order::Say { who, .. } => Some(*who),
        Order::Referee { command: RefereeCommand::Goalie { side, unum }, .. } => {
            Some(Who { side: *side, unum: *unum })
        }
        Order::Referee { .. } | Order::Step | Order::End => None,
    }
}

/// Who has ordered it.
fn client_of(order: &Order) -> ClientId {
    match order {
        Order::Join { client, .. }
        | Order::Leave { client, .. }
        | Order::Drive { client, .. }
        | Order::Say { client, .. }
        | Order::Referee { client, .. } => *client,
        Order::Step | Order::End => 0,
    }
}
