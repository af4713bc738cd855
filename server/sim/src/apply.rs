//! Commands and orders carried out. [C6, R3, R5, R6]

use crate::ball::Ball;
use crate::command::{Action, Command, CommandError, Outcome, RobotNumber};
use crate::frame::EventKind;
use crate::physics::{MAX_SPEED_M_S, Owner};
use crate::robot::{DueKick, Manipulator, Robot, set_twist};
use crate::scenario::{PlayerChoice, RobotSpec};
use crate::world::{State, World};
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::motion::CommandPart;
use touchline_plugin_api::noise::NoiseOwner;
use touchline_plugin_api::radio::Channel;
use touchline_plugin_api::referee::KickRecord;

/// Values that can be published about one robot.
pub const MAX_ANNOTATIONS: usize = 256;

type Done = Result<Option<RobotNumber>, CommandError>;

impl World {
    /// Carries out commands in the order `(client, sequence)`.
    pub(crate) fn carry_out(&mut self, commands: &[Command]) -> Vec<Outcome> {
        let mut sorted: Vec<&Command> = commands.iter().collect();
        sorted.sort_by_key(|command| (command.client, command.sequence));
        let mut outcomes = Vec::with_capacity(sorted.len());
        for command in sorted {
            let result = self.do_action(command.client, &command.action);
            outcomes.push(Outcome { client: command.client, sequence: command.sequence, result });
        }
        outcomes
    }

    fn do_action(&mut self, client: u64, action: &Action) -> Done {
        match action {
            Action::AddRobot { name, team, spec, pose, player } => {
                return self.add_robot(name, *team, spec, *pose, player.as_ref(), Some(client)).map(Some);
            }
            Action::RemoveRobot(robot) => {
                let index = self.index(*robot)?;
                self.remove_robot(index);
            }
            Action::Drive(robot, command) => {
                let index = self.drivable(client, *robot)?;
                self.drive(index, command)?;
            }
            Action::SetForward(robot, speed) => {
                let index = self.drivable(client, *robot)?;
                self.set_part(index, CommandPart::Forward, "forward", *speed)?;
            }
            Action::SetTurn(robot, speed) => {
                let index = self.drivable(client, *robot)?;
                self.set_part(index, CommandPart::Turn, "turn", *speed)?;
            }
            Action::SetTwist(robot, twist) => {
                finite("twist", &[twist.x_m_s, twist.y_m_s, twist.turn_rad_s])?;
                let index = self.drivable(client, *robot)?;
                self.drive_twist(index, *twist);
            }
            Action::Manipulate { robot, manipulator, state, strength } => {
                let index = self.movable(client, *robot)?;
                let description = &self.state.robots[index].identity.description;
                let (manipulator, state) =
                    description.manipulator(manipulator, state).ok_or_else(|| CommandError::NoSuchState {
                        manipulator: manipulator.clone(),
                        state: state.clone(),
                        known: known_states(description),
                    })?;
                self.manipulate(index, manipulator, state, *strength)?;
            }
            Action::Say(robot, text) => {
                let index = self.index(*robot)?;
                self.say(index, Channel::All, text)?;
            }
            Action::SayToTeam(robot, text) => {
                let index = self.index(*robot)?;
                self.say(index, Channel::Team, text)?;
            }
            Action::SetSensor { robot, sensor, datum, value } => {
                let index = self.movable(client, *robot)?;
                self.set_sensor_named(index, sensor, datum, *value)?;
            }
            Action::Annotate { robot, key, value } => {
                let index = self.index(*robot)?;
                self.annotate(index, key, value)?;
            }
            Action::PlaceRobot(robot, pose) => {
                check_pose(*pose)?;
                let index = self.index(*robot)?;
                let identity = Arc::clone(&self.state.robots[index].identity);
                self.check_room(&identity.name, &identity.spec, *pose, Some(*robot))?;
                self.place_robot(index, *pose, Twist2::ZERO);
            }
            Action::PlaceBall { ball, position, velocity } => {
                finite("velocity", velocity)?;
                self.place_ball(*ball, *position, *velocity)?;
            }
            Action::StartPlayer(robot, choice) => self.start_player(*robot, choice)?,
            Action::ExchangePlayer(robot, choice) => self.exchange_player(*robot, choice)?,
            Action::StopPlayer(robot) => {
                let index = self.index(*robot)?;
                let robot = &self.state.robots[index];
                if robot.player.is_none() {
                    let name = &robot.identity.name;
                    return Err(CommandError::Player(format!("robot \"{name}\" has no player to stop")));
                }
                self.remove_robot(index);
            }
            Action::TakeRobot(robot) => self.take_robot(client, *robot)?,
            Action::GiveRobot(robot) => self.give_robot(*robot)?,
            Action::GiveAll => self.give_all(client),
            Action::Referee(line) => {
                if self.state.referee.as_ref().is_none_or(|referee| referee.failed) {
                    return Err(CommandError::NoReferee);
                }
                self.state.referee_lines.push_str(line);
                self.state.referee_lines.push('\n');
            }
            Action::SetScore { team, goals } => {
                self.state.game.set_score(*team, i64::from(*goals))?;
            }
            Action::Reset => self.reset(),
        }
        Ok(None)
    }

    /// Makes a robot at `pose`, or at the nearest free place to the centre.
    pub(crate) fn add_robot(
        &mut self,
        name: &str,
        team: Option<u32>,
        spec: &Arc<RobotSpec>,
        pose: Option<Pose2>,
        player: Option<&PlayerChoice>,
        made_by: Option<u64>,
    ) -> Result<RobotNumber, CommandError> {
        if self.state.robots.iter().any(|robot| robot.identity.name == name) {
            return Err(CommandError::NameTaken(name.into()));
        }
        if let Some(team) = team.filter(|&team| team as usize >= self.setup.scenario.teams.len()) {
            return Err(CommandError::NoSuchTeam(team));
        }
        let pose = match pose {
            Some(pose) => {
                check_pose(pose)?;
                self.check_room(name, spec, pose, None)?;
                pose
            }
            None => self.free_place(name, spec)?,
        };
        let number = self.state.next_robot;
        let robot = self.parts(number, name, team, spec).assemble(pose, made_by, player)?;
        self.state.physics.add_robot(number, spec, pose);
        self.state.next_robot += 1;
        self.state.robots.push(robot);
        self.state.view_stale = true;
        self.event(EventKind::RobotAdded { number, name: name.into() });
        Ok(number)
    }

    /// Takes a client's robot over into a world that was reset.
    pub(crate) fn readmit(&mut self, guest: Robot) {
        let (identity, made_by) = (Arc::clone(&guest.identity), guest.made_by);
        let free = self.overlap(&identity.spec, guest.start_pose, None).is_none();
        let pose = if free { Ok(guest.start_pose) } else { self.free_place(&identity.name, &identity.spec) };
        let choice = guest.player.as_ref().map(|player| player.choice.clone());
        let readmitted = pose.and_then(|pose| {
            let parts = self.parts(guest.number(), &identity.name, identity.description.team, &identity.spec);
            Ok((parts.assemble(pose, made_by, choice.as_ref())?, pose))
        });
        match readmitted {
            Ok((mut robot, pose)) => {
                // The identity stays the very same, so that readers recognise it.
                robot.identity = identity;
                self.state.physics.add_robot(robot.number(), &robot.identity.spec, pose);
                let place = self.state.robots.partition_point(|other| other.number() < robot.number());
                self.state.robots.insert(place, robot);
            }
            Err(_) => {
                let (number, name) = (identity.number, identity.name.clone());
                self.event(EventKind::RobotRemoved { number, name });
            }
        }
    }

    pub(crate) fn remove_robot(&mut self, index: usize) {
        let robot = self.state.robots.remove(index);
        self.state.physics.remove_robot(index);
        self.state.view_stale = true;
        let (number, name) = (robot.identity.number, robot.identity.name.clone());
        self.event(EventKind::RobotRemoved { number, name });
    }

    pub(crate) fn drive(&mut self, index: usize, command: &[f64]) -> Result<(), CommandError> {
        finite("command", command)?;
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        let robot = &mut self.state.robots[index];
        let dimensions = &robot.identity.description.motion.dimensions;
        if command.len() != dimensions.len() {
            let names: Vec<_> = dimensions.iter().map(|d| format!("{} ({})", d.name, d.unit)).collect();
            return Err(CommandError::WrongDimensions {
                got: command.len(),
                expected: dimensions.len(),
                names: names.join(", "),
            });
        }
        let mut told = robot.told();
        told[..command.len()].copy_from_slice(command);
        robot.tell(told, step, dt_secs);
        Ok(())
    }

    /// Sets the standard velocities, as far as the motion model has them.
    pub(crate) fn drive_twist(&mut self, index: usize, twist: Twist2) {
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        let robot = &mut self.state.robots[index];
        let mut told = robot.told();
        set_twist(&mut told, &robot.identity.description.motion.dimensions, twist);
        robot.tell(told, step, dt_secs);
    }

    fn set_part(
        &mut self,
        index: usize,
        part: CommandPart,
        name: &'static str,
        speed: f64,
    ) -> Result<(), CommandError> {
        finite(name, &[speed])?;
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        let robot = &mut self.state.robots[index];
        let dimension = robot.identity.description.motion.dimension(part).ok_or_else(|| {
            CommandError::NoSuchPart { plugin: robot.identity.spec.motion.plugin.clone(), part: name }
        })?;
        let mut told = robot.told();
        told[dimension] = speed;
        robot.tell(told, step, dt_secs);
        Ok(())
    }

    /// Switches a manipulator when the command arrives.
    pub(crate) fn manipulate(
        &mut self,
        index: usize,
        manipulator: usize,
        to: usize,
        strength: f64,
    ) -> Result<(), CommandError> {
        if !(0.0..=1.0).contains(&strength) {
            let allowed = "0 <= strength <= 1";
            return Err(CommandError::BadNumber { name: "strength", value: strength, allowed });
        }
        let identity = &self.state.robots[index].identity;
        if identity.spec.manipulators.get(manipulator).is_none_or(|m| to >= m.states.len()) {
            return Err(CommandError::NoSuchState {
                manipulator: manipulator.to_string(),
                state: to.to_string(),
                known: known_states(&identity.description),
            });
        }
        if !self.manipulates_later(index, (manipulator, to, strength)) {
            self.switch(index, manipulator, to, strength);
        }
        Ok(())
    }

    /// Switches a manipulator; in this step it kicks the balls in the new state's zone, if it is charged.
    pub(crate) fn switch(&mut self, index: usize, manipulator: usize, to: usize, strength: f64) {
        let (step, dt_secs) = (self.state.step, self.dt_secs());
        let steps = |secs: f64| (secs / dt_secs).ceil() as u64;
        let spec = Arc::clone(&self.state.robots[index].identity.spec);
        let Some(state) = spec.manipulators.get(manipulator).and_then(|m| m.states.get(to)) else { return };
        let Manipulator { state: from, ready_at, due, .. } =
            self.state.robots[index].manipulators[manipulator];
        if from != to {
            self.state.physics.switch_manipulator(index, manipulator, to);
            self.state.view_stale = true;
        }
        let (mut ready_at, mut due) = (ready_at, due);
        if let Some(kick) = state.kick.as_ref().filter(|_| ready_at <= step) {
            match steps(kick.delay_secs) {
                0 => self.will_kick(index, manipulator, to, strength),
                delay => due = Some(DueKick { at: step + delay, state: to, strength }),
            }
            ready_at = step + steps(kick.recharge_secs);
        }
        self.state.robots[index].manipulators[manipulator] = Manipulator {
            state: to,
            returns_at: state.returns_after_secs.map(|secs| step + steps(secs).max(1)),
            ready_at,
            due,
        };
    }

    /// Collects the kicks that were ordered a while ago and come now.
    pub(crate) fn collect_due_kicks(&mut self) {
        let step = self.state.step;
        for index in 0..self.state.robots.len() {
            for manipulator in 0..self.state.robots[index].manipulators.len() {
                let due = &mut self.state.robots[index].manipulators[manipulator].due;
                let Some(DueKick { state, strength, .. }) = due.take_if(|due| due.at <= step) else {
                    continue;
                };
                self.will_kick(index, manipulator, state, strength);
            }
        }
    }

    /// A kick comes in this step, if the referee lets it.
    fn will_kick(&mut self, index: usize, manipulator: usize, state: usize, strength: f64) {
        let robot = self.state.robots[index].number();
        let (manipulator, state) = (manipulator as u32, state as u32);
        self.state.kicks.push(KickRecord { robot, manipulator, state, reserved: 0, strength });
    }

    /// Carries out the kicks of this step.
    pub(crate) fn kick(&mut self) {
        for record in std::mem::take(&mut self.state.kicks) {
            let Some(index) = self.robot_index(record.robot) else { continue };
            let spec = Arc::clone(&self.state.robots[index].identity.spec);
            let state = &spec.manipulators[record.manipulator as usize].states[record.state as usize];
            if let Some(kick) = &state.kick {
                self.kick_balls(index, record.manipulator as usize, kick, record.strength);
            }
        }
    }

    fn kick_balls(&mut self, index: usize, manipulator: usize, kick: &crate::scenario::Kick, strength: f64) {
        let robot = &self.state.robots[index];
        let (pose, robot_twist) = (robot.motion.pose, robot.motion.world_twist);
        let path = format!("{}/kick/{manipulator}", robot.identity.name);
        let mut noise = self.state.noise_seed.key(NoiseOwner::new(&path), self.state.step).stream();
        for ball in &mut self.state.balls {
            if !robot.in_zone(&kick.zone, ball.position) {
                continue;
            }
            // The robot's own velocity where the ball lies, and the kick on top.
            let (dx, dy) = (ball.position[0] - pose.x_m, ball.position[1] - pose.y_m);
            let carried = [
                robot_twist.x_m_s - robot_twist.turn_rad_s * dy,
                robot_twist.y_m_s + robot_twist.turn_rad_s * dx,
            ];
            let nearing_m_s = libm::hypot(ball.velocity[0] - carried[0], ball.velocity[1] - carried[1]);
            let wear = 1.0 + kick.scatter_growth_s_m * nearing_m_s;
            let mut scatter = |sigma: f64| if sigma > 0.0 { noise.gaussian(sigma * wear) } else { 0.0 };
            let speed = kick.speed_m_s * strength * (1.0 + scatter(kick.speed_scatter)).max(0.0);
            let direction = pose.theta_rad + kick.direction_rad + scatter(kick.direction_scatter_rad);
            let (sin, cos) = sin_cos(direction);
            ball.velocity = [carried[0] + speed * cos, carried[1] + speed * sin];
        }
    }

    /// Brings manipulators back to their first states when their time is over.
    pub(crate) fn return_manipulators(&mut self) {
        let step = self.state.step;
        for (place, robot) in self.state.robots.iter_mut().enumerate() {
            for (index, manipulator) in robot.manipulators.iter_mut().enumerate() {
                if manipulator.returns_at.is_some_and(|at| at <= step) {
                    self.state.physics.switch_manipulator(place, index, 0);
                    (manipulator.state, manipulator.returns_at) = (0, None);
                    self.state.view_stale = true;
                }
            }
        }
    }

    /// Publishes a value about a robot, in place of the last one under this key.
    pub(crate) fn annotate(&mut self, index: usize, key: &str, value: &str) -> Result<(), CommandError> {
        let problem = |error: serde_json::Error| CommandError::NotJson(error.to_string());
        serde_json::from_str::<serde::de::IgnoredAny>(value).map_err(problem)?;
        let annotations = &mut self.state.robots[index].annotations;
        if annotations.len() >= MAX_ANNOTATIONS && !annotations.contains_key(key) {
            return Err(CommandError::TooManyAnnotations);
        }
        Arc::make_mut(annotations).insert(key.into(), value.into());
        Ok(())
    }

    pub(crate) fn place_robot(&mut self, index: usize, pose: Pose2, twist: Twist2) {
        let State { robots, physics, .. } = &mut self.state;
        let robot = &mut robots[index];
        physics.put_robot(index, pose, twist);
        robot.motion.be_put(physics.place(index), physics.twist(index), physics.world_twist(index));
        self.state.view_stale = true;
    }

    pub(crate) fn place_ball(
        &mut self,
        ball: u32,
        position: [f64; 2],
        velocity: [f64; 2],
    ) -> Result<(), CommandError> {
        let number = ball as usize;
        let ball = self.state.balls.get_mut(number).ok_or(CommandError::NoSuchBall(ball))?;
        check_position(position)?;
        if let Some(&value) = velocity.iter().find(|v| v.abs() > MAX_SPEED_M_S) {
            return Err(CommandError::BadNumber { name: "velocity", value, allowed: "at most 50 m/s" });
        }
        *ball = Ball::rolling(position, velocity);
        self.state.view_stale = true;
        Ok(())
    }

    /// Brings balls and robots to their starting places, at rest.
    pub(crate) fn reset_objects(&mut self) {
        for index in 0..self.state.robots.len() {
            self.place_robot(index, self.state.robots[index].start_pose, Twist2::ZERO);
        }
        for (number, placement) in self.setup.scenario.balls.iter().enumerate() {
            self.state.balls[number] = Ball::rolling(placement.position, [0.0; 2]);
        }
        self.state.game.count_episode();
        self.state.view_stale = true;
    }

    fn start_player(&mut self, number: RobotNumber, choice: &PlayerChoice) -> Result<(), CommandError> {
        let index = self.index(number)?;
        let robot = &self.state.robots[index];
        let identity = Arc::clone(&robot.identity);
        if let Some(player) = &robot.player {
            let text = format!("robot \"{}\" has the player \"{}\" already", identity.name, player.plugin);
            return Err(CommandError::Player(text));
        }
        let parts = self.parts(number, &identity.name, identity.description.team, &identity.spec);
        let driver = parts.driver(&identity, choice)?;
        let shadow = parts.shadow(&identity, Some(choice));
        let robot = &mut self.state.robots[index];
        (robot.player, robot.shadow) = (Some(driver), shadow);
        Ok(())
    }

    pub(crate) fn index(&self, number: RobotNumber) -> Result<usize, CommandError> {
        self.robot_index(number).ok_or(CommandError::NoSuchRobot(number))
    }

    fn check_room(
        &self,
        name: &str,
        spec: &RobotSpec,
        pose: Pose2,
        itself: Option<RobotNumber>,
    ) -> Result<(), CommandError> {
        match self.overlap(spec, pose, itself) {
            None => Ok(()),
            Some(owner) => Err(CommandError::NoRoom {
                name: name.into(),
                x_m: pose.x_m,
                y_m: pose.y_m,
                other: self.owner_name(owner),
            }),
        }
    }

    /// Whose body a robot would overlap, leaving out itself.
    pub(crate) fn overlap(
        &self,
        spec: &RobotSpec,
        pose: Pose2,
        itself: Option<RobotNumber>,
    ) -> Option<Owner> {
        self.state.physics.overlap(spec, pose, itself, &self.state.balls)
    }

    /// The free place nearest to the centre, on rings half a metre apart, where the fixtures leave it.
    fn free_place(&self, name: &str, spec: &RobotSpec) -> Result<Pose2, CommandError> {
        let shapes = &self.state.view.shapes[..self.state.view.objects[0].shape_count as usize];
        let area = free_area(shapes);
        for ring in 2..40 {
            let radius = f64::from(ring) * RING_M;
            let places = ring * 6;
            for place in 0..places {
                let (sin, cos) = sin_cos(f64::from(place) * std::f64::consts::TAU / f64::from(places));
                let pose = Pose2::new(radius * cos, radius * sin, 0.0);
                let within = |value: f64, [low, high]: [f64; 2]| value > low && value < high;
                if within(pose.x_m, area[0])
                    && within(pose.y_m, area[1])
                    && self.overlap(spec, pose, None).is_none()
                {
                    return Ok(pose);
                }
            }
        }
        Err(CommandError::WorldIsFull(name.into()))
    }
}

/// How far the rings are apart on which a free place is looked for, metres.
const RING_M: f64 = 0.5;
/// How far from the centre a place is looked for where no fixture bounds the world, metres.
const OPEN_M: f64 = 10.0;

/// Where a robot may be put: along x and y, from and to. The fixtures away from the centre bound the world on their
/// side, a side without one is open: one wall is no room, and neither is a post.
fn free_area(shapes: &[touchline_plugin_api::view::Shape]) -> [[f64; 2]; 2] {
    let ends = |places: [f64; 2], at: f64| [places[0].min(at), places[1].max(at)];
    let extent = shapes.iter().fold([[0.0; 2]; 2], |[x, y], shape| [ends(x, shape.x_m), ends(y, shape.y_m)]);
    // Within the first ring there is no place at all: that is a thing in the middle.
    let is_room = extent.iter().flatten().any(|side: &f64| side.abs() > 2.0 * RING_M);
    let end = |side: f64, open: f64| if is_room && side.abs() > RING_M { side } else { open };
    extent.map(|[low, high]| [end(low, -OPEN_M).max(-OPEN_M), end(high, OPEN_M).min(OPEN_M)])
}

/// Places beyond this are no places: the physics' numbers would be too coarse there, metres.
const MAX_COORDINATE_M: f64 = 10_000.0;

pub(crate) fn check_pose(pose: Pose2) -> Result<(), CommandError> {
    finite("theta", &[pose.theta_rad])?;
    check_position([pose.x_m, pose.y_m])
}

fn check_position(position: [f64; 2]) -> Result<(), CommandError> {
    // NaN is not within either.
    let within = |coordinate: &f64| coordinate.abs() <= MAX_COORDINATE_M;
    match position.into_iter().find(|coordinate| !within(coordinate)) {
        None => Ok(()),
        Some(value) => {
            let allowed = "a place is at most 10 km from the origin";
            Err(CommandError::BadNumber { name: "position", value, allowed })
        }
    }
}

fn finite(name: &'static str, numbers: &[f64]) -> Result<(), CommandError> {
    match numbers.iter().find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(&value) => Err(CommandError::BadNumber { name, value, allowed: "it must be finite" }),
    }
}

fn known_states(description: &touchline_plugin_api::player::RobotDescription) -> String {
    let states = description.manipulators.iter().flat_map(|manipulator| {
        manipulator.states.iter().map(move |state| format!("{}.{state}", manipulator.name))
    });
    let states: Vec<String> = states.collect();
    if states.is_empty() { "no manipulators".into() } else { states.join(", ") }
}
