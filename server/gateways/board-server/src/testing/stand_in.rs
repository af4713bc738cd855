//! What stands behind the gate in place of the loop: time stands, and what comes is carried out at once.

use super::frame::{STEP, robot};
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use touchline_gate::{
    Answer, Bookmark, Control, Later, LoopEnd, LoopStatus, RecordError, RecordOrder, RequestError, Speed,
    Tick, Wake, Wish, ready,
};
use touchline_sim::{Action, Command, CommandError, Frame, RobotNumber, World};

/// Everything is permitted; the past is one goal.
pub(super) struct Mode;

impl touchline_gate::Mode for Mode {
    fn permit(&self, _: usize, _: Wish<'_>) -> Result<(), RequestError> {
        Ok(())
    }

    fn ticks(&self, _: Tick) -> (Tick, Tick) {
        (0, STEP)
    }

    fn bookmarks(&self) -> Later<Vec<Bookmark>> {
        ready(Ok(vec![Bookmark { tick: 95, kind: "goal".into(), text: "goal for blue".into() }]))
    }

    fn frame_at(&self, _: Tick) -> Later<Arc<Frame>> {
        ready(Err(RecordError::Busy.into()))
    }

    fn state_at(&self, tick: Tick) -> Later<Option<Box<World>>> {
        let not_kept = RecordError::NotKept { tick, oldest: 0, newest: STEP };
        ready(if tick > STEP { Err(not_kept.into()) } else { Ok(None) })
    }

    fn record(&self, _: RecordOrder, name: Option<String>) -> Later<PathBuf> {
        ready(Ok(format!("{}.mcap", name.as_deref().unwrap_or("match")).into()))
    }
}

pub(crate) struct StandIn {
    frame: Frame,
    status: LoopStatus,
    end: LoopEnd,
    /// When all its states are said to have been published.
    published: Duration,
    actions: Arc<Mutex<Vec<Action>>>,
    next_number: RobotNumber,
}

impl StandIn {
    /// Publishes its first state.
    pub fn new(frame: Frame, end: LoopEnd, published_us: u64, actions: Arc<Mutex<Vec<Action>>>) -> Self {
        let status = LoopStatus {
            real_time_factor: 1.0,
            timed_steps: STEP,
            tick: STEP,
            state_hash: 0x5ee0_0000_0000_0120,
            ..LoopStatus::new(Speed::Factor(1.0))
        };
        let published = Duration::from_micros(published_us);
        let stand_in = Self { frame, status, end, published, actions, next_number: 2 };
        stand_in.publish();
        stand_in
    }

    fn publish(&self) {
        self.end.publish(self.frame.clone(), self.status, self.published);
    }

    /// Until nobody holds the gate any more.
    pub fn run(mut self) {
        while let Ok(wake) = self.end.wakes.recv()
            && self.take(wake)
        {}
    }

    /// Carries out what has come so far.
    #[cfg(test)]
    pub fn take_all(&mut self) {
        while let Ok(wake) = self.end.wakes.try_recv() {
            self.take(wake);
        }
    }

    /// Carries it out; `false` if it is the end.
    fn take(&mut self, wake: Wake) -> bool {
        self.end.taken(&wake);
        match wake {
            Wake::Command { command, answer } => {
                let result = self.apply(command);
                self.publish();
                drop(answer.send(result));
            }
            Wake::Control { control, done, .. } => {
                self.control(control);
                self.publish();
                let _ = done.send(());
            }
            Wake::Seek { to, done, .. } => {
                (self.status.tick, self.frame.step) = (to, to);
                self.publish();
                drop(done.send(Ok(())));
            }
            Wake::Stop => return false,
        }
        true
    }

    fn control(&mut self, control: Control) {
        match control {
            Control::Pause => self.status.paused = true,
            Control::Resume => self.status.paused = false,
            Control::Step(steps) => self.frame.step += u64::from(steps),
            Control::Speed(speed) => self.status.speed = speed,
        }
    }

    fn apply(&mut self, Command { client, action, .. }: Command) -> Answer {
        self.actions.lock().push(action.clone());
        match action {
            Action::AddRobot { name, team, player, .. } => {
                if self.frame.robots.iter().any(|robot| robot.identity.name == name) {
                    return Err(CommandError::NameTaken(name));
                }
                let number = self.next_number;
                self.next_number += 1;
                let player = player.map(|player| player.choice.plugin);
                self.frame.robots.push(touchline_sim::RobotFrame { player, ..robot(number, &name, team) });
                return Ok(Some(number));
            }
            Action::RemoveRobot(robot) | Action::StopPlayer(robot) => {
                let place = self.place(robot)?;
                self.frame.robots.remove(place);
            }
            Action::Drive(robot, command) => {
                self.place(robot)?;
                if command.len() != 2 {
                    let names = "forward (m/s), turn (rad/s)".into();
                    return Err(CommandError::WrongDimensions { got: command.len(), expected: 2, names });
                }
            }
            Action::TakeRobot(robot) => {
                let place = self.place(robot)?;
                self.frame.robots[place].taken_by = Some(client);
            }
            Action::GiveRobot(robot) => {
                let place = self.place(robot)?;
                let robot = &mut self.frame.robots[place];
                if robot.taken_by.take().is_none() {
                    let name = &robot.identity.name;
                    return Err(CommandError::Taken(format!(
                        "robot \"{name}\" is not taken over by anybody"
                    )));
                }
            }
            Action::SetScore { team, goals } => {
                let mut state = (*self.frame.game).clone();
                state.teams[team as usize].score = goals.into();
                self.frame.game = self.frame.game.with_state(state);
            }
            Action::SetForward(robot, _)
            | Action::SetTurn(robot, _)
            | Action::SetTwist(robot, _)
            | Action::Manipulate { robot, .. }
            | Action::Say(robot, _)
            | Action::SayToTeam(robot, _)
            | Action::SetSensor { robot, .. }
            | Action::ExchangePlayer(robot, _)
            | Action::Annotate { robot, .. }
            | Action::PlaceRobot(robot, _)
            | Action::StartPlayer(robot, _) => drop(self.place(robot)?),
            Action::PlaceBall { .. } | Action::GiveAll | Action::Referee(_) | Action::Reset => {}
        }
        Ok(None)
    }

    fn place(&self, number: RobotNumber) -> Result<usize, CommandError> {
        let place = self.frame.robots.iter().position(|robot| robot.identity.number == number);
        place.ok_or(CommandError::NoSuchRobot(number))
    }
}
