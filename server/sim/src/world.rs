//! The world and its step. [W3, W6, W7]
//!
//! A step goes one way: radio, commands, players (the teams' own last), motions, physics, sensors that integrate, referee. What is
//! state is in [`State`], which is plain data that can be cloned; plugin instances are immutable and shared, so
//! a snapshot and a fork are a clone.
//!
//! # Invariants
//! - I1: [`World::step`] depends on the state and the commands alone.
//! - I2: snapshot, fork and restore continue bit by bit (`tests/determinism.rs` beside this crate, and the whole match in the workspace).
//!
//! # Not here
//! How it is made: `build.rs`. Its state: `state.rs`. Commands: `apply.rs`. Players: `act.rs`, `team_player.rs`. Referee: `referee.rs`. Radio: `radio.rs`. Touches: `touches.rs`. Bodies: `physics/`.

use crate::annotations::Annotations;
use crate::around::Around;
use crate::assemble::Parts;
use crate::ball::{Slowing, hold_balls};
use crate::brief::fault_text;
use crate::command::{Command, Outcome, RobotNumber};
use crate::duties::Duties;
use crate::events::{Event, EventKind, Message};
use crate::frame::{Frame, RobotFrame};
use crate::game::Match;
use crate::physics::{BarePhysics, Course};
use crate::robot::{Robot, SensorState};
use crate::scenario::{RobotSpec, Scenario};
use crate::state::{Setup, Snapshot, State};
use crate::team_player::TeamPlayer;
use crate::work_space::Scratch;
use std::sync::Arc;
use touchline_plugin_api::motion::MotionOutput;
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_api::view::WorldView;

/// A world that is stepped.
pub struct World {
    pub(crate) setup: Arc<Setup>,
    /// What a reset goes back to.
    pub(crate) initial: Arc<State>,
    pub(crate) state: State,
    /// Counts every change; never goes back, not even with the state.
    pub(crate) revision: u64,
    pub(crate) scratch: Box<Scratch>,
}

impl World {
    /// What the world was made from.
    pub fn scenario(&self) -> &Scenario {
        &self.setup.scenario
    }

    /// How many steps were made since the beginning or the last reset.
    pub fn step_count(&self) -> u64 {
        self.state.step
    }

    /// How many times the world was reset.
    pub fn run(&self) -> u64 {
        self.state.run
    }

    /// Score, clock, phase, and whatever else the referee says of the game.
    pub fn game(&self) -> &Match {
        &self.state.game
    }

    /// The last events, oldest first.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &Arc<Event>> {
        self.state.events.iter()
    }

    /// The world as plugins see it, without making a Frame.
    pub fn view(&self) -> WorldView<'_> {
        self.state.view.world(self.state.step, self.setup.scenario.dt_secs)
    }

    /// Advances the world by one step, and says what became of each command.
    ///
    /// Commands are carried out in the order `(client, sequence)`, however they come. A plugin that fails is
    /// stopped and reported as an event; the step completes.
    pub fn step(&mut self, commands: &[Command]) -> Vec<Outcome> {
        self.begin_step();
        let outcomes = self.apply(commands);
        self.end_step();
        outcomes
    }

    pub(crate) fn begin_step(&mut self) {
        self.state.event_step = self.state.step + 1;
        self.scratch.comparisons.clear();
        self.open_next_episode();
        // Before the commands: what was said between two steps is heard now, what a client says in this one at its end.
        self.hand_out_messages();
        self.forget_messages();
    }

    pub(crate) fn end_step(&mut self) {
        self.think();
        self.move_all();
        self.judge();
    }

    /// What players decide.
    pub(crate) fn think(&mut self) {
        debug_assert!(self.state.duties.cover(&self.state.robots), "a robot would be left out");
        debug_assert!(self.state.is_switching || !self.state.robots.iter().any(|robot| robot.is_switching));
        self.collect_due_kicks();
        self.let_players_act();
        self.let_team_players_act();
        self.receive_commands();
    }

    /// What becomes of bodies, and what sensors have of it.
    pub(crate) fn move_all(&mut self) {
        self.let_referee_prepare();
        self.kick();
        self.move_bodies();
        self.state.step += 1;
        // Before the sensors: one that hears has what was said in this step when its player reads it in the next.
        self.hand_out_messages();
        self.advance_sensors();
        self.refresh_view();
    }

    /// What the referee makes of it.
    pub(crate) fn judge(&mut self) {
        self.tell_touches();
        self.tell_waypoints();
        self.let_referee_judge();
        self.watch_episode_time();
        self.take_samples();
    }

    /// Carries out commands between two steps, as [`World::step`] does at its beginning: time does not pass.
    pub fn apply(&mut self, commands: &[Command]) -> Vec<Outcome> {
        let outcomes = self.carry_out(commands);
        self.settle();
        outcomes
    }

    /// After commands: what they have changed can be seen.
    pub(crate) fn settle(&mut self) {
        self.revision += 1;
        if self.state.view_stale {
            self.refresh_view();
        }
    }

    /// Everything that is true now, for readers.
    pub fn frame(&self) -> Frame {
        let State { events, messages, .. } = &self.state;
        self.frame_with(events.shared(), messages.shared())
    }

    /// The same without the last events and messages: for who reads sensors, and is told of those otherwise. To share hundreds of them
    /// between two threads costs more than all robots.
    pub fn frame_of_robots(&self) -> Frame {
        self.frame_with(Arc::default(), Arc::default())
    }

    fn frame_with(&self, events: Arc<[Arc<Event>]>, messages: Arc<[Arc<Message>]>) -> Frame {
        let State { step, run, noise_seed, robots, view, game, .. } = &self.state;
        Frame {
            revision: self.revision,
            step: *step,
            run: *run,
            noise_seed: *noise_seed,
            time_secs: *step as f64 * self.dt_secs(),
            objects: view.objects.clone(),
            shapes: view.shapes().to_vec(),
            robots: robots.iter().enumerate().map(|(index, robot)| self.robot_frame(index, robot)).collect(),
            game: game.clone(),
            events,
            next_event: self.state.events.next(),
            messages,
            next_message: self.state.messages.next(),
            messages_dropped: self.state.messages_dropped.clone(),
            team_players: self.state.team_players.iter().map(TeamPlayer::frame).collect(),
            annotations: Arc::clone(&self.state.annotations),
            around: Around::default(),
        }
    }

    /// What the referee publishes of the world, JSON by key.
    pub fn annotations(&self) -> &Arc<Annotations> {
        &self.state.annotations
    }

    /// All that the next step depends on.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.state.clone())
    }

    /// Goes on from a snapshot of this world or of a fork of it.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.state = snapshot.0.clone();
        self.revision += 1;
    }

    /// As [`World::restore`], but what is numbered goes on: a reader who has seen event 17 misses none of what follows, and
    /// no robot gets a number that another had.
    pub fn rewind(&mut self, snapshot: &Snapshot) {
        let State { events, messages, next_robot, run, .. } = &self.state;
        let (event, message, robot, run) = (events.next(), messages.next(), *next_robot, *run);
        self.restore(snapshot);
        self.state.events.go_on_from(event);
        self.state.messages.go_on_from(message);
        self.state.next_robot = self.state.next_robot.max(robot);
        self.state.run = self.state.run.max(run);
    }

    /// A second world that goes on from here by itself.
    pub fn fork(&self) -> Self {
        Self {
            setup: Arc::clone(&self.setup),
            initial: Arc::clone(&self.initial),
            state: self.state.clone(),
            revision: self.revision,
            scratch: Box::default(),
        }
    }

    /// The physics of this moment without anything around it: what a step is measured against, with our settings or
    /// the library's own.
    #[doc(hidden)]
    pub fn bare_physics(&self, library_settings: bool) -> BarePhysics {
        BarePhysics::new(&self.state.physics, &self.state.balls, library_settings)
    }

    /// One number for the whole state: two worlds that have another one are in another state. (I2)
    ///
    /// All that a step depends on goes in, but for what the physics library keeps between steps, which shows in the
    /// bodies one step later.
    pub fn state_hash(&self) -> u64 {
        self.state.hash(self.setup.scenario.balls.len())
    }

    pub(crate) fn dt_secs(&self) -> f64 {
        self.setup.scenario.dt_secs
    }

    pub(crate) fn parts<'a>(
        &'a self,
        number: RobotNumber,
        name: &'a str,
        team: Option<u32>,
        spec: &'a Arc<RobotSpec>,
    ) -> Parts<'a> {
        Parts {
            scenario: &self.setup.scenario,
            factory: self.setup.factory.as_ref(),
            number,
            name,
            team,
            spec,
            shadows: &self.setup.shadows,
            game: self.state.game.description(),
        }
    }

    pub(crate) fn event(&mut self, kind: EventKind) {
        let step = self.state.event_step;
        // Of contacts there are many: they give way first, so that goals and faults stay.
        let is_contact = |event: &Event| matches!(event.kind, EventKind::Contact { .. });
        self.state.events.push(is_contact, |number| Event { number, step, kind });
    }

    /// Counts a change that no command made.
    pub(crate) fn touch(&mut self) {
        self.revision += 1;
    }

    /// Stops a sensor that failed when it was read between two steps, and tells everybody; the next reader is told why. Does nothing
    /// if the robot has gone or the sensor was stopped before.
    pub fn stop_sensor(&mut self, robot: RobotNumber, sensor: usize, fault: &Fault) {
        let Some(index) = self.robot_index(robot) else { return };
        let robot = &mut self.state.robots[index];
        let plugin = robot.identity.sensor_name(sensor);
        let state = &mut robot.sensors[sensor];
        if state.stopped.is_none() {
            state.stop(self.state.step, fault);
            self.state.event_step = self.state.step;
            self.report_fault(index, plugin, fault);
        }
    }

    /// Stops a part of a robot that failed, and tells everybody.
    pub(crate) fn report_fault(&mut self, robot: usize, plugin: String, fault: &Fault) {
        let robot = &mut self.state.robots[robot];
        robot.fault.get_or_insert_with(|| fault_text(format_args!("{plugin}: {fault}")).into());
        let owner = robot.identity.name.clone();
        self.event(EventKind::Fault { owner, plugin, message: fault_text(fault) });
    }

    /// Asks the motion models, lets the physics have the last word, and tells the models what came of it.
    fn move_bodies(&mut self) {
        let dt_secs = self.dt_secs();
        let State { physics, robots, duties, balls, placements, step, noise_seed, .. } = &mut self.state;
        let mut output = MotionOutput::default();
        for (index, robot) in robots.iter_mut().enumerate() {
            let wanted = if robot.motion.failed {
                Course::default()
            } else {
                robot.motion.advance(dt_secs, *noise_seed, *step, &mut output).unwrap_or_else(|fault| {
                    robot.motion.failed = true;
                    let plugin = format!("motion \"{}\"", robot.identity.spec.motion.plugin);
                    self.scratch.faults.push((index, plugin, fault));
                    Course::default()
                })
            };
            physics.drive(index, wanted, robot.identity.spec.traction_m_s2);
        }
        if duties.holds {
            hold_balls(physics, robots, balls);
        }
        for (ball, placement) in balls.iter_mut().zip(&**placements) {
            ball.set_off(&Slowing::of(&placement.ball), 0.0, dt_secs);
        }
        self.scratch.touches.clear();
        physics.step(balls, &mut self.scratch.touches);
        for (ball, placement) in balls.iter_mut().zip(&**placements) {
            ball.end_slide(&Slowing::of(&placement.ball), dt_secs);
        }
        for (index, robot) in robots.iter_mut().enumerate() {
            robot.motion.settle(
                physics.place(index),
                physics.twist(index),
                physics.world_twist(index),
                dt_secs,
            );
        }
        self.report_faults();
    }

    fn advance_sensors(&mut self) {
        if self.state.duties.integrates {
            let (dt_secs, step, seed) = (self.dt_secs(), self.state.step, self.state.noise_seed);
            for (index, robot) in self.state.robots.iter_mut().enumerate() {
                self.scratch.fill_inbox(robot.identity.number, &mut robot.ears);
                let Scratch { faults, inbox, inbox_text, .. } = &mut *self.scratch;
                let inbox = Inbox { records: inbox, text: inbox_text };
                robot.advance_sensors(dt_secs, inbox, seed, step, |plugin, fault| {
                    faults.push((index, plugin, fault))
                });
            }
            self.report_faults();
        }
        self.return_manipulators();
    }

    pub(crate) fn report_faults(&mut self) {
        if self.scratch.faults.is_empty() {
            return;
        }
        for (robot, plugin, fault) in std::mem::take(&mut self.scratch.faults) {
            self.report_fault(robot, plugin, &fault);
        }
    }

    /// Brings the flat records up to date.
    pub(crate) fn refresh_view(&mut self) {
        let State { view, balls, placements, robots, view_stale, view_misfits, duties, .. } = &mut self.state;
        *view_stale = false;
        if std::mem::take(view_misfits) {
            *duties = Duties::of(robots);
            view.rebuild(&self.setup.scenario, placements, robots);
        }
        view.begin_moves();
        for (index, ball) in balls.iter().enumerate() {
            // It looks the same from all sides.
            view.moved(1 + index, ball.pose(), (0.0, 1.0), ball.twist());
            view.lifted(1 + index, ball.vertical);
        }
        for (index, robot) in robots.iter().enumerate() {
            let motion = &robot.motion;
            view.moved(1 + balls.len() + index, motion.pose, motion.heading, motion.world_twist);
        }
    }

    pub(crate) fn robot_index(&self, number: RobotNumber) -> Option<usize> {
        // As long as none has gone, each is where its number says.
        let guess = number as usize;
        if self.state.robots.get(guess).is_some_and(|robot| robot.number() == number) {
            return Some(guess);
        }
        self.state.robots.binary_search_by_key(&number, Robot::number).ok()
    }

    fn robot_frame(&self, index: usize, robot: &Robot) -> RobotFrame {
        let balls = self.state.view.ball_places(self.state.balls.len());
        let status = robot.manipulator_status(self.state.step, self.dt_secs(), balls);
        RobotFrame {
            identity: Arc::clone(&robot.identity),
            object: (1 + self.state.balls.len() + index) as u32,
            pose: robot.motion.pose,
            heading: robot.motion.heading,
            twist: robot.motion.twist,
            command: robot.motion.command[..robot.identity.description.motion.dimensions.len()].to_vec(),
            motion_data: robot.motion.data,
            manipulators: status.collect(),
            sensor_states: robot.sensors.iter().map(SensorState::shared).collect(),
            sensor_data: robot.sensor_data.clone(),
            held: robot.held(self.state.step),
            player: robot.player.as_ref().map(|player| player.plugin.to_string()),
            player_is_isolated: robot.player.as_ref().is_some_and(|player| player.choice.choice.isolate),
            taken_by: robot.taken_by,
            annotations: Arc::clone(&robot.annotations),
            reward: robot.reward,
            fault: robot.fault.clone(),
            shadow: robot.shadow.as_ref().map(|shadow| shadow.frame()),
        }
    }
}
