//! One client's talk with the gate: commands begin, are under way, and are answered; what is due is pushed. It knows no socket.
//!
//! # Invariants
//! - Commands take effect in the order in which they came, and a question is answered when all commands before it are carried out.
//! - [`Talk::work`] never waits.

use crate::call::{Begun, Call, Done, Refused, Work};
use crate::commands::Run;
use crate::files::FilesShare;
use crate::room::Taken;
use crate::session::{Incoming, Session, Ticket};
use crate::shown::Shown;
use crate::view::View;
use crate::{Board, readings};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use touchline_board::{Reply, Selected, StateReply};
use touchline_gate::{Client, Pass, Role, Speed};

/// About so many bytes of answers are made before others have their turn: some hundred short replies, or a millisecond's work. Who asks for
/// megabytes and has room for them would hold a thread for as long as they take.
pub(crate) const TURN_BYTES: usize = 16 << 10;

/// A session, the gate's client behind it, and what is under way between them.
pub(crate) struct Talk {
    pub board: Arc<Board>,
    pub session: Session,
    /// What questions about a robot are answered from.
    view: View,
    /// What the client is called until it says a name.
    peer: String,
    client: Client,
    /// A question that waits until all commands before it are carried out.
    waiting: Option<Incoming>,
    pub under_way: UnderWay,
    pub files_share: Arc<FilesShare>,
    /// Room that is taken by what is not sent yet.
    room: Taken,
    /// Robots have gone; perhaps one that matters here.
    check_robots: bool,
}

/// What is being carried out, in the order of the tickets.
#[derive(Default)]
pub(crate) struct UnderWay(VecDeque<(Ticket, Work)>);

impl UnderWay {
    /// Waits for the oldest; for ever if there is none. Nothing is lost if this is not waited for to its end.
    pub async fn next(&mut self) -> (Ticket, Done) {
        let Some((ticket, work)) = self.0.front_mut() else { return std::future::pending().await };
        let done = (*ticket, work.done.as_mut().await);
        self.0.pop_front();
        done
    }
}

impl Talk {
    pub fn new(board: Arc<Board>, session: Session, peer: String, view: View) -> Self {
        let pass = session.pass().cloned().unwrap_or_else(|| Pass::at_desk(Role::Spectator));
        let client = board.gate.client(pass, peer.as_str());
        let files_share = Arc::new(FilesShare::new(session.config.limits.table.files_ms_per_s));
        let (waiting, under_way) = (None, UnderWay::default());
        Self {
            board,
            session,
            view,
            peer,
            client,
            waiting,
            under_way,
            files_share,
            room: Taken::default(),
            check_robots: false,
        }
    }

    /// Does all that can be done without waiting; `now_us` is the server's clock.
    pub fn work(&mut self, now_us: u64) {
        self.free_room();
        let turn_ends = self.session.output().len() + TURN_BYTES;
        loop {
            let worked = self.take_commands(now_us);
            if self.check_robots && self.is_idle() {
                self.check_robots = false;
                self.find_gone();
            }
            self.push(now_us);
            // What is unsent now brings it here again, after others.
            if !worked || self.session.output().len() >= turn_ends {
                return;
            }
        }
    }

    /// Takes the session's commands as far as they may begin now, and a turn allows; gives whether there was one.
    pub fn take_commands(&mut self, now_us: u64) -> bool {
        let mut worked = false;
        let turn_ends = self.session.output().len() + TURN_BYTES;
        self.session.set_lockstep(self.is_lockstep());
        while self.session.output().len() < turn_ends
            && !self.session.is_closing()
            && self.under_way.0.back().is_none_or(|(_, last)| !last.blocks)
        {
            let Some(incoming) = self.waiting.take().or_else(|| self.session.next_request(now_us)) else {
                break;
            };
            let (run, waits) = match incoming.command.run {
                Run::Ask(run) => (run, true),
                Run::Order(run) | Run::Upload { run, .. } => (run, false),
                // Answered by the session.
                Run::Local(_) => continue,
            };
            if waits && !self.is_idle() {
                self.waiting = Some(incoming);
                break;
            }
            worked = true;
            let begun = run(&mut Call { talk: self, incoming: &incoming, now_us });
            self.begun(incoming.ticket, begun);
        }
        worked
    }

    fn begun(&mut self, ticket: Ticket, begun: Result<Begun, Refused>) {
        if !matches!(begun, Err(Refused::Line(_))) {
            self.session.accept();
        }
        match begun {
            Ok(Begun::Answered(reply)) | Err(Refused::Answer(reply)) => self.session.answer(ticket, &reply),
            Ok(Begun::Done(done)) => self.conclude((ticket, done)),
            Ok(Begun::Later(work)) => self.under_way.0.push_back((ticket, work)),
            Err(Refused::Line(reply)) => self.session.refuse(ticket, &reply),
        }
    }

    /// Whether the world waits for its clients.
    pub fn is_lockstep(&self) -> bool {
        self.board.gate.newest().status.speed == Speed::Lockstep
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.under_way.0.is_empty()
    }

    /// Answers what was under way.
    pub fn conclude(&mut self, (ticket, done): (Ticket, Done)) {
        match done {
            Done::Answer(reply) => self.session.answer(ticket, &reply),
            Done::Made(robot) => self.session.answer_robot(ticket, robot),
            Done::Removed(robot) => {
                self.session.answer_ok(ticket);
                self.session.robot_gone(robot, "removed");
            }
        }
    }

    /// Some robots have gone: they are looked for as soon as nothing is under way.
    pub fn robots_have_gone(&mut self) {
        self.check_robots = true;
    }

    /// Tells the client which of its robots have gone.
    fn find_gone(&mut self) {
        let published = self.board.gate.newest();
        let gone = self.session.own_robots().filter(|&robot| published.frame.robot(robot).is_none());
        for robot in gone.collect::<Vec<_>>() {
            self.session.robot_gone(robot, "removed");
        }
        self.client.forget_gone();
    }

    /// What questions about a robot are answered from at this instant.
    pub fn shown(&mut self) -> Arc<Shown> {
        self.view.shown(&self.board.gate, &self.board.newest)
    }

    /// Whether it looks at a tick that is over.
    pub fn is_in_past(&self) -> bool {
        self.view.is_past()
    }

    /// Whether it pushes by the world's time, and so has to look at each step.
    pub fn follows_steps(&self) -> bool {
        !self.view.is_page() && self.session.has_pushes()
    }

    /// When something is due by the clock on the wall.
    pub fn push_at_us(&self) -> Option<u64> {
        if self.view.is_page() { self.session.next_push_us() } else { None }
    }

    /// The clock by which is pushed: the world's, but for pages.
    pub fn push_clock_us(&self, shown: &Shown, now_us: u64) -> u64 {
        if self.view.is_page() { now_us } else { shown.sim_us() }
    }

    /// Sends the pushes that are due.
    pub fn push(&mut self, now_us: u64) {
        if self.session.next_push_us().is_none() {
            return;
        }
        let shown = self.shown();
        let clock_us = self.push_clock_us(&shown, now_us);
        while let Some(due) = self.session.due_push(clock_us) {
            match shown.place(due.robot) {
                // Newest wins: this one is left out.
                Some(_) if self.session.has_generated_too_much(now_us) => {}
                Some(place) => {
                    if let Ok(state) = self.read(&shown, place, &due.selected) {
                        self.session.push(state, due.robot);
                    }
                }
                // At a tick of the past it may not have been there yet.
                None if self.view.is_past() => {}
                None => self.session.robot_gone(due.robot, "removed"),
            }
        }
    }

    /// What was selected of the robot at this place, all of it at this one step; generating it counts against this connection's time.
    pub fn read(&mut self, shown: &Shown, place: usize, selected: &[Selected]) -> Result<StateReply, Reply> {
        self.make_room(shown, place, selected)?;
        let (state, took) = readings::read(&self.board, &self.session, shown, place, selected)?;
        // In lockstep the world waits for its clients, so nobody's time is lost but their own.
        if let Some(took) = took.filter(|_| shown.status.speed != Speed::Lockstep)
            && self.session.generated(took.now_us, took.us)
        {
            self.board.reading_waits.fetch_add(1, Ordering::Relaxed);
        }
        Ok(state)
    }

    /// Takes room for what is to be read and sent.
    fn make_room(&mut self, shown: &Shown, place: usize, selected: &[Selected]) -> Result<(), Reply> {
        self.free_room();
        let integers = readings::integers(shown, place, selected);
        if integers < self.session.config.limits.long_integers {
            return Ok(());
        }
        self.room.take(&self.board.room, integers)
    }

    fn free_room(&mut self) {
        if self.session.output().len() <= self.session.config.limits.output_bytes {
            self.room.free();
        }
    }

    /// The client as the gate shall know it: by what it has said of itself so far.
    pub fn client(&mut self) -> &mut Client {
        let name = match self.session.name() {
            "" => &self.peer,
            name => name,
        };
        // Before there is one, no command comes so far.
        if let Some(pass) = self.session.pass() {
            self.client.introduce(pass, name);
        }
        &mut self.client
    }

    /// Removes the robots that this connection has made or is about to make, and gives back what it has taken over.
    pub async fn leave(self) {
        for (_, work) in self.under_way.0.into_iter().filter(|(_, work)| work.makes_robot) {
            work.done.await;
        }
        self.client.leave().await;
    }
}
