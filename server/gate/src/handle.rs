//! The handle by which gateways reach the world.

use crate::error::RequestError;
use crate::faults::Faults;
use crate::history::{Divergence, Recording, Tick, Timeline};
use crate::inbox::{Inbox, Standing};
use crate::mode::{Later, Mode, Wish, ready};
use crate::owners::Owners;
use crate::published::{LoopStatus, Published};
use crate::request::RecordOrder;
use crate::wake::{Answer, Traffic, Wake};
use crate::{Client, Control, EachStep, LockstepBarrier, Pass, Priority};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};
use touchline_sim::{Command, Frame, PluginFactory, RobotFrame, RobotNumber, Scenario};

/// What became of a command so far.
pub(crate) enum Commanded {
    /// It is given, and somebody will say what became of it.
    Given(oneshot::Receiver<Answer>),
    /// It will be carried out at the next step.
    Stands,
}

impl Commanded {
    /// Waits for what becomes of it; the number of a new robot.
    pub async fn outcome(self) -> Result<Option<RobotNumber>, RequestError> {
        match self {
            Self::Given(answered) => Ok(answered.await.map_err(|_| RequestError::Stopping)??),
            Self::Stands => Ok(None),
        }
    }
}

/// The way into a world and out of it; cheap to clone.
#[derive(Clone)]
pub struct Gate {
    pub(crate) queue: SyncSender<Wake>,
    pub(crate) published: watch::Receiver<Arc<Published>>,
    pub(crate) happened: watch::Receiver<u64>,
    pub(crate) scenario: Arc<Scenario>,
    pub(crate) factory: Arc<dyn PluginFactory>,
    pub(crate) mode: Arc<dyn Mode>,
    pub(crate) epoch: Instant,
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) next_client: Arc<AtomicU64>,
    pub(crate) traffic: Arc<Traffic>,
    pub(crate) faults: Arc<Faults>,
    pub(crate) barrier: Arc<LockstepBarrier>,
    pub(crate) owners: Arc<Owners>,
    /// For whom steps are ordered by this handle.
    pub(crate) participant: usize,
}

impl Gate {
    /// The gate of a participant: it drives this participant's robots and orders its steps. Its clients know nothing of the others', and their
    /// numbers do not depend on them.
    pub fn of_participant(&self, participant: usize) -> Self {
        let first = ((participant as u64) << 32) | 1;
        let next_client = Arc::new(AtomicU64::new(first));
        Self { participant, next_client, owners: Arc::default(), ..self.clone() }
    }

    /// A new client. Commands of one step are carried out in the order in which their clients came.
    pub fn client(&self, pass: Pass, name: impl Into<Arc<str>>) -> Client {
        let number = self.next_client.fetch_add(1, Ordering::Relaxed);
        Client::new(self.clone(), number, pass, name.into())
    }

    /// For each participant, whether the world waits for its order to step.
    pub fn barrier(&self) -> &Arc<LockstepBarrier> {
        &self.barrier
    }

    /// The newest published Frame.
    pub fn newest(&self) -> Arc<Published> {
        self.published.borrow().clone()
    }

    /// Completes when the loop has ended, for whatever reason.
    pub async fn ended(&self) {
        let mut happened = self.happened();
        while happened.changed().await.is_ok() {}
    }

    /// A tick of the past as if it were published now.
    pub fn past(&self, frame: Arc<Frame>) -> Published {
        Published::new(frame, self.now_us(), self.newest().status, Arc::clone(&self.faults))
    }

    /// To wait for what is true next.
    pub fn watch(&self) -> watch::Receiver<Arc<Published>> {
        self.published.clone()
    }

    /// To wait until something happens, or robots come or go; it shows in the newest that is published.
    pub fn happened(&self) -> watch::Receiver<u64> {
        self.happened.clone()
    }

    /// To look at each step, as long as this is kept: at those that are ordered as well.
    pub fn each_step(&self) -> EachStep {
        EachStep::new(self.watch(), Arc::clone(&self.traffic))
    }

    /// The server's clock: microseconds since it began, monotonic.
    pub fn now_us(&self) -> u64 {
        self.epoch.elapsed().as_micros() as u64
    }

    /// What the world was made from.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The factory that makes plugin instances.
    pub fn factory(&self) -> &Arc<dyn PluginFactory> {
        &self.factory
    }

    /// The length of a step, microseconds.
    pub fn dt_us(&self) -> u64 {
        (self.scenario.dt_secs * 1e6).round() as u64
    }

    /// The number of the robot of this name.
    pub fn robot_named(&self, name: &str) -> Option<RobotNumber> {
        self.newest().robot_named(name).map(|robot| robot.identity.number)
    }

    /// The number of the team of this name.
    pub fn team_named(&self, name: &str) -> Option<u32> {
        self.scenario.teams.iter().position(|team| team.name == name).map(|number| number as u32)
    }

    /// Name of the team with this number, if there is one.
    pub fn team_name(&self, team: u32) -> Option<&str> {
        self.scenario.teams.get(team as usize).map(|team| team.name.as_str())
    }

    /// The name of the client that made a robot.
    pub fn maker(&self, robot: RobotNumber) -> Option<Arc<str>> {
        self.owners.maker(robot)
    }

    /// The name of the client that has taken a robot over; none if nobody has, or one that this gate does not know.
    pub fn taker(&self, robot: &RobotFrame) -> Option<Arc<str>> {
        robot.taken_by.and_then(|client| self.owners.taker(client))
    }

    /// Whether this gate's participant may do this here; what a client asks to be changed is checked when it does.
    ///
    /// # Errors
    /// Why it may not.
    pub fn permit(&self, wish: Wish<'_>) -> Result<(), RequestError> {
        self.mode.permit(self.participant, wish)
    }

    /// Requests that wait for the next step.
    pub fn waiting(&self) -> u64 {
        self.traffic.waiting.load(Ordering::Relaxed)
    }

    /// Requests that were turned away because too many waited.
    pub fn refused(&self) -> u64 {
        self.traffic.refused.load(Ordering::Relaxed)
    }

    /// How the loop is doing, and what keeps it from going on, if anything does: then no time passes, whatever it said of itself before that.
    pub fn status(&self) -> (LoopStatus, Option<Arc<str>>) {
        let (mut status, stall) = (self.newest().status, self.stall());
        if stall.is_some() {
            status.real_time_factor = 0.0;
        }
        (status, stall)
    }

    /// For how long the loop has been in one step; zero if it waits.
    pub fn busy_for(&self) -> Duration {
        match self.traffic.busy_since_us.load(Ordering::Relaxed) {
            0 => Duration::ZERO,
            since_us => Duration::from_micros(self.now_us().saturating_sub(since_us)),
        }
    }

    /// What keeps the loop from going on, in words.
    pub fn stall(&self) -> Option<Arc<str>> {
        self.traffic.stall.lock().clone()
    }

    /// Says what keeps the loop from going on, or that nothing does any more: for the watchdog.
    pub fn set_stall(&self, stall: Option<Arc<str>>) {
        *self.traffic.stall.lock() = stall;
    }

    /// The system's number of the loop's thread.
    pub fn loop_thread(&self) -> Option<i32> {
        Some(self.traffic.thread.load(Ordering::Relaxed)).filter(|&thread| thread != 0)
    }

    /// How the system treats the loop's thread; `None` if nothing was asked of it.
    pub fn priority(&self) -> Option<Priority> {
        *self.traffic.priority.lock()
    }

    /// Says how the system treats the loop's thread.
    pub fn set_priority(&self, priority: Option<Priority>) {
        *self.traffic.priority.lock() = priority;
    }

    /// Ends the recording that is being written, whether the loop goes on or not.
    ///
    /// # Errors
    /// When there is none, or it cannot be ended.
    pub async fn close_recording(&self) -> Result<PathBuf, RequestError> {
        self.mode.record(RecordOrder::Stop, None).await
    }

    /// Whether this is a recording.
    pub fn is_replay(&self) -> bool {
        self.mode.is_replay()
    }

    /// How the recorder is doing; none if there is none.
    pub fn recording(&self) -> Option<Recording> {
        self.mode.recording()
    }

    /// A recording that was made here and is complete, by its file's name.
    pub fn recorded(&self, name: &str) -> Option<PathBuf> {
        let recorded = self.traffic.recorded.lock();
        recorded.iter().rev().find(|file| file.file_name().is_some_and(|known| known == name)).cloned()
    }

    /// The first tick from which on a recording is not what comes out when its world is run again.
    pub fn divergence(&self) -> Option<Divergence> {
        self.mode.divergence()
    }

    /// The first and the last tick that can be had.
    pub fn ticks(&self) -> (Tick, Tick) {
        self.mode.ticks(self.newest().status.tick)
    }

    /// What can be had of the past, and what happened in it.
    ///
    /// # Errors
    /// When the recorder is busy.
    pub async fn timeline(&self) -> Result<Timeline, RequestError> {
        let bookmarks = self.mode.bookmarks().await?;
        let now = self.newest().status.tick;
        let (oldest, newest) = self.mode.ticks(now);
        let lost = self.recording().map_or(0, |recording| recording.lost);
        Ok(Timeline { now, oldest, newest: newest.max(now), lost, bookmarks })
    }

    /// What was true at a tick; the world is not touched.
    pub fn frame_at(&self, tick: Tick) -> Later<Arc<Frame>> {
        match self.permit(Wish::Look) {
            Ok(()) => self.mode.frame_at(tick),
            Err(error) => ready(Err(error)),
        }
    }

    /// The commands that were answered and wait for the next step; who asks for a Frame after this has them there or here.
    pub fn standing(&self) -> Standing {
        self.inbox.standing()
    }

    pub(crate) fn command(&self, command: Command) -> Result<Commanded, RequestError> {
        self.permit(Wish::Change(&command.action))?;
        self.traffic.waiting.fetch_add(1, Ordering::Relaxed);
        let would_drive = self.published.borrow().frame.would_drive(command.client, &command.action);
        if would_drive && self.inbox.lay_standing(&command) {
            return Ok(Commanded::Stands);
        }
        let (answer, answered) = oneshot::channel::<Answer>();
        if let Some((command, answer)) = self.inbox.lay((command, answer)) {
            self.traffic.waiting.fetch_sub(1, Ordering::Relaxed);
            self.send(Wake::Command { command, answer })?;
        }
        Ok(Commanded::Given(answered))
    }

    pub(crate) fn control(&self, control: Control) -> Result<oneshot::Receiver<()>, RequestError> {
        control.check(self.is_replay())?;
        self.permit(Wish::Control(control))?;
        let (done, waiting) = oneshot::channel();
        self.send(Wake::Control { control, participant: self.participant, done })?;
        Ok(waiting)
    }

    pub(crate) async fn seek(&self, to: Tick) -> Result<(), RequestError> {
        self.permit(Wish::Seek)?;
        let world = self.mode.state_at(to).await?;
        let (done, waiting) = oneshot::channel();
        self.send(Wake::Seek { to, world, done })?;
        waiting.await.map_err(|_| RequestError::Stopping)?
    }

    pub(crate) async fn record(
        &self,
        order: RecordOrder,
        name: Option<String>,
    ) -> Result<PathBuf, RequestError> {
        self.permit(Wish::Record)?;
        let file = self.mode.record(order, name).await?;
        if order != RecordOrder::Start {
            self.traffic.recorded.lock().push(file.clone());
        }
        Ok(file)
    }

    fn send(&self, wake: Wake) -> Result<(), RequestError> {
        // Counted before the loop can take it.
        self.traffic.waiting.fetch_add(1, Ordering::Relaxed);
        self.queue.try_send(wake).map_err(|error| {
            self.traffic.waiting.fetch_sub(1, Ordering::Relaxed);
            match error {
                TrySendError::Full(_) => {
                    self.traffic.refused.fetch_add(1, Ordering::Relaxed);
                    RequestError::Busy
                }
                TrySendError::Disconnected(_) => RequestError::Stopping,
            }
        })
    }
}
