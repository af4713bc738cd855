//! The loop itself.

use super::pace::{Next, Pace};
use super::shows::shows;
use super::stage::Stage;
use std::collections::HashMap;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::Duration;
use tokio::sync::oneshot;
use touchline_gate::{Answer, Control, LoopEnd, LoopStatus, Rest, Speed, Wake};
use touchline_sim::Command;

const LATE: Duration = Duration::from_millis(2);
const FACTOR_WINDOW: Duration = Duration::from_secs(1);

pub(super) struct Loop {
    stage: Box<dyn Stage>,
    pace: Pace,
    end: LoopEnd,
    status: LoopStatus,
    commands: Vec<Command>,
    /// Who hears what became of each of them.
    answers: Vec<oneshot::Sender<Answer>>,
    /// Which participant waits for its ordered steps.
    ordered: Vec<(usize, oneshot::Sender<()>)>,
    last_frame: Duration,
    /// Where the real-time factor is measured from: instant and steps made.
    window: (Duration, u64),
}

/// Whether the loop goes on.
#[derive(PartialEq)]
enum Flow {
    GoOn,
    Stop,
}

impl Loop {
    pub fn new(stage: Box<dyn Stage>, speed: Speed, end: LoopEnd) -> Self {
        let now = end.now();
        let dt = Duration::from_secs_f64(stage.dt_secs());
        let mut pace = Pace::new(dt, speed, now, end.barrier.participants());
        if stage.begins_paused() {
            pace.pause();
        }
        Self {
            stage,
            pace,
            end,
            status: LoopStatus::new(speed),
            commands: Vec::new(),
            answers: Vec::new(),
            ordered: Vec::new(),
            last_frame: Duration::ZERO,
            window: (now, 0),
        }
    }

    pub fn run(mut self) {
        if self.stage.tick() > 0 || self.pace.is_paused() {
            // What was published at the beginning knows neither.
            self.publish(self.end.now());
        }
        loop {
            let now = self.end.now();
            let next = self.pace.next(now);
            self.end.set_busy(matches!(next, Next::Step { .. }).then_some(now));
            let flow = match next {
                Next::Step { .. } => self.take_all().unwrap_or_else(|| self.go_on()),
                Next::Wait(wait) => {
                    self.end.rests(Rest::UntilStep);
                    match self.end.wakes.recv_timeout(wait) {
                        Ok(wake) => self.take_awake(wake),
                        Err(RecvTimeoutError::Timeout) => Flow::GoOn,
                        Err(RecvTimeoutError::Disconnected) => Flow::Stop,
                    }
                }
                Next::Idle => self.idle(),
            };
            if flow == Flow::Stop {
                return;
            }
        }
    }

    /// A step was due before what has arrived was taken: whoever asked for a pause meanwhile was shown where the world stands.
    fn go_on(&mut self) -> Flow {
        match self.pace.next(self.end.now()) {
            Next::Step { late } => self.step(late),
            Next::Wait(_) => Flow::GoOn,
            Next::Idle => {
                if !self.commands.is_empty() {
                    self.apply();
                }
                Flow::GoOn
            }
        }
    }

    /// Nothing moves: commands are carried out at once, so that objects can be placed while the world stands.
    fn idle(&mut self) -> Flow {
        self.end.rests(Rest::UntilAsked);
        let Ok(wake) = self.end.wakes.recv() else { return Flow::Stop };
        self.end.set_busy(Some(self.end.now()));
        let stood = self.take_inbox();
        if self.take(wake) == Flow::Stop || self.take_all().is_some() {
            return Flow::Stop;
        }
        // What stood has its Frame now, or it would pile up.
        if !self.pace.has_orders() && (stood || !self.all_stand()) {
            self.apply();
        }
        Flow::GoOn
    }

    /// Whether all that has come while time stands does no more than drive: then it stands until the next step, or until there is more to do,
    /// so that nobody waits for a Frame.
    fn all_stand(&mut self) -> bool {
        let do_all =
            !self.commands.is_empty() && self.commands.iter().all(|command| self.end.would_drive(command));
        if do_all {
            for (command, answer) in self.commands.drain(..).zip(self.answers.drain(..)) {
                self.end.stands(command);
                let _ = answer.send(Ok(None));
            }
        }
        do_all
    }

    /// Carries out what has come while time stands.
    fn apply(&mut self) {
        let outcomes = self.stage.apply(&self.commands);
        self.publish(self.end.now());
        self.answer(outcomes);
    }

    /// Takes what has arrived, without waiting; gives `Stop` if that was among it.
    fn take_all(&mut self) -> Option<Flow> {
        self.take_inbox();
        loop {
            match self.end.wakes.try_recv() {
                Ok(wake) => {
                    if self.take(wake) == Flow::Stop {
                        return Some(Flow::Stop);
                    }
                }
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => return Some(Flow::Stop),
            }
        }
    }

    /// Takes what it has waited for: from now on it does not wait.
    fn take_awake(&mut self, wake: Wake) -> Flow {
        self.end.set_busy(Some(self.end.now()));
        self.take_inbox();
        self.take(wake)
    }

    /// Takes the commands that have not woken it, and carries out what stands: before all that came later. Gives whether anything stood.
    fn take_inbox(&mut self) -> bool {
        let (standing, given) = self.end.take_inbox();
        for commands in in_order(&standing) {
            self.stage.apply(commands);
        }
        for (command, answer) in given {
            self.commands.push(command);
            self.answers.push(answer);
        }
        !standing.is_empty()
    }

    fn take(&mut self, wake: Wake) -> Flow {
        let now = self.end.now();
        self.end.taken(&wake);
        match wake {
            Wake::Command { command, answer } => {
                self.commands.push(command);
                self.answers.push(answer);
            }
            Wake::Control { control: Control::Step(steps), participant, done } => {
                if !self.stage.takes_order(participant) && !self.commands.is_empty() {
                    // What came before the order may be what it needs.
                    self.apply();
                }
                if self.stage.takes_order(participant) {
                    self.pace.order(participant, steps);
                    self.end.barrier.ordered(participant);
                    self.ordered.push((participant, done));
                } else {
                    let _ = done.send(());
                }
            }
            Wake::Control { control, done, .. } => {
                match control {
                    Control::Pause => self.pace.pause(),
                    Control::Resume => self.pace.resume(now),
                    Control::Speed(speed) => self.pace.set_speed(speed, now),
                    Control::Step(_) => {}
                }
                self.window = (now, self.status.step_times.steps());
                // Who asked sees it in the next Frame: publish before he is told, with all that came before him.
                if self.pace.next(now) == Next::Idle && !self.commands.is_empty() {
                    self.apply();
                } else {
                    self.publish(now);
                }
                if control == Control::Pause {
                    self.tell_orders_done();
                }
                let _ = done.send(());
            }
            Wake::Seek { to, world, done } => {
                let sought = self.stage.seek(to, world);
                self.publish(now);
                let _ = done.send(sought);
            }
            Wake::Stop => return Flow::Stop,
        }
        Flow::GoOn
    }

    fn step(&mut self, late: Duration) -> Flow {
        let now = self.end.now();
        let ordered = self.pace.has_orders();
        self.pace.stepped(now);
        let backwards = matches!(self.pace.speed(), Speed::Factor(factor) if factor < 0.0) && !ordered;
        let outcomes =
            if backwards { self.stage.step_back(&self.commands) } else { self.stage.step(&self.commands) };
        let begun = now;
        let now = self.end.now();
        self.status.step_times.count(now.saturating_sub(begun));
        let ends = self.stage.is_at_end(backwards);
        if ends {
            self.pace.pause();
        }
        if self.stage.ends_order() {
            self.pace.forget_orders();
        }
        if !ordered && matches!(self.pace.speed(), Speed::Factor(_)) {
            self.status.timed_steps += 1;
            self.status.late_steps += u64::from(late > LATE);
            self.status.late_ms = late.as_secs_f64() * 1e3;
            self.status.max_late_ms = self.status.max_late_ms.max(self.status.late_ms);
        }
        // A step counts for all participants: some may now have all that they ordered.
        let orders_done = ordered && !self.pace.has_orders();
        let is_followed = self.end.is_followed();
        // Where it stands from now on is shown, however soon after the last Frame.
        if ends || orders_done || shows(self.last_frame, now, self.pace.speed(), ordered, is_followed) {
            self.publish(now);
        }
        // Answers after the Frame: who is told that his robot is there finds it there.
        if !outcomes.is_empty() && self.last_frame != now {
            self.publish(now);
        }
        self.answer(outcomes);
        if orders_done {
            self.tell_orders_done();
        }
        Flow::GoOn
    }

    /// Tells those who wait for no more steps.
    fn tell_orders_done(&mut self) {
        let Self { ordered, pace, end, .. } = self;
        for (participant, done) in ordered.extract_if(.., |(participant, _)| !pace.has_order_of(*participant))
        {
            end.barrier.done(participant);
            let _ = done.send(());
        }
    }

    /// Tells each client what became of its command; who has gone does not hear it.
    fn answer(&mut self, outcomes: Vec<touchline_sim::Outcome>) {
        let given = self.commands.drain(..).map(|command| (command.client, command.sequence));
        let mut waiting: HashMap<_, _> = given.zip(self.answers.drain(..)).collect();
        for outcome in outcomes {
            if let Some(answer) = waiting.remove(&(outcome.client, outcome.sequence)) {
                let _ = answer.send(outcome.result);
            }
        }
    }

    fn publish(&mut self, now: Duration) {
        let (since, steps) = self.window;
        let elapsed = now.saturating_sub(since);
        let made = self.status.step_times.steps();
        if elapsed >= FACTOR_WINDOW / 4 {
            let simulated = (made - steps) as f64 * self.stage.dt_secs();
            self.status.real_time_factor = simulated / elapsed.as_secs_f64();
        }
        if elapsed >= FACTOR_WINDOW {
            self.window = (now, made);
        }
        self.status.paused = self.pace.is_paused();
        self.status.speed = self.pace.speed();
        if self.status.paused {
            self.status.real_time_factor = 0.0;
        }
        self.status.tick = self.stage.tick();
        self.status.state_hash = self.stage.state_hash();
        self.status.frames += 1;
        self.last_frame = now;
        self.end.publish(self.stage.frame(), self.status, now);
    }
}

/// Commands in the order in which they came, in parts that are in the order in which a part is carried out.
fn in_order(commands: &[Command]) -> impl Iterator<Item = &[Command]> {
    commands.chunk_by(|one, next| (one.client, one.sequence) < (next.client, next.sequence))
}
