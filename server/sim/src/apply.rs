//! Commands and orders carried out. [C6, R3, R5, R6]

use crate::ball::Ball;
use crate::chosen::{By, chosen};
use crate::command::{Action, Command, CommandError, Outcome, RobotNumber};
use crate::events::EventKind;
use crate::kick::known_states;
use crate::robot::{Robot, set_twist};
use crate::scenario::{
    BallPlacement, MAX_COORDINATE_M, MAX_HEIGHT_M, MAX_SPEED_M_S, PlayerChoice, RobotSpec,
};
use crate::state::{Setup, State};
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::CommandPart;
use touchline_plugin_api::radio::Channel;

/// So much is kept of what is said to the referee until the next step.
const MAX_REFEREE_BYTES: usize = 1 << 20;

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
                let Setup { scenario, factory, .. } = &*self.setup;
                let chosen = |player| chosen(scenario, factory.as_ref(), player, None, By::Command);
                let player = player.as_ref().map(chosen).transpose()?;
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
            Action::Manipulate { robot, manipulator, state, aim } => {
                let index = self.movable(client, *robot)?;
                let description = &self.state.robots[index].identity.description;
                let (manipulator, state) =
                    description.manipulator(manipulator, state).ok_or_else(|| CommandError::NoSuchState {
                        manipulator: manipulator.clone(),
                        state: state.clone(),
                        known: known_states(description),
                    })?;
                self.manipulate(index, manipulator, state, *aim)?;
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
            Action::PlaceBall { ball, position, velocity, vertical } => {
                self.place_ball(*ball, *position, *velocity, *vertical)?;
            }
            Action::StartPlayer(robot, choice) => self.start_player(*robot, choice)?,
            Action::ExchangePlayer(robot, choice) => self.exchange_player(*robot, choice, By::Command)?,
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
                // Time may stand, and nobody hears them meanwhile.
                if self.state.referee_lines.len() + line.len() >= MAX_REFEREE_BYTES {
                    return Err(CommandError::TooManyWords(MAX_REFEREE_BYTES));
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
        self.add_named_robot(name, team, spec, pose, player, made_by)
    }

    /// The same, of a name that no other robot has.
    pub(crate) fn add_named_robot(
        &mut self,
        name: &str,
        team: Option<u32>,
        spec: &Arc<RobotSpec>,
        pose: Option<Pose2>,
        player: Option<&PlayerChoice>,
        made_by: Option<u64>,
    ) -> Result<RobotNumber, CommandError> {
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
        self.check_integers(&robot)?;
        self.state.physics.add_robot(number, spec, pose);
        self.state.next_robot += 1;
        self.state.robots.push(robot);
        self.state.discard_view();
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
                self.state.discard_view();
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
        self.state.discard_view();
        let (number, name) = (robot.identity.number, robot.identity.name.clone());
        if robot.reward != 0.0 {
            self.state.episode.paid_to_gone.push((number, robot.reward));
        }
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
        vertical: Vertical,
    ) -> Result<(), CommandError> {
        let number = ball as usize;
        let ball = self.state.balls.get_mut(number).ok_or(CommandError::NoSuchBall(ball))?;
        check_position(position)?;
        // NaN is not within either.
        let is_speed = |speed: &f64| speed.abs() <= MAX_SPEED_M_S;
        if let Some(&value) = velocity.iter().chain([&vertical.speed_m_s]).find(|speed| !is_speed(speed)) {
            return Err(CommandError::BadNumber { name: "velocity", value, allowed: "at most 50 m/s" });
        }
        if !(0.0..=MAX_HEIGHT_M).contains(&vertical.z_m) {
            let allowed = "the height of the lowest point, 0 to 100 m above the floor";
            return Err(CommandError::BadNumber { name: "z", value: vertical.z_m, allowed });
        }
        *ball = Ball::rolling(position, velocity).lifted(vertical);
        self.state.view_stale = true;
        Ok(())
    }

    /// Adds a ball, which goes when everything goes back to its starting place.
    pub(crate) fn add_ball(&mut self, placement: BallPlacement) -> Result<(), CommandError> {
        let number = self.state.balls.len() as u32;
        let BallPlacement { position, velocity, vertical, .. } = placement;
        self.state.balls.push(Ball::placed(&placement));
        // As a ball that is put there.
        if let Err(error) = self.place_ball(number, position, velocity, vertical) {
            self.state.balls.pop();
            return Err(error);
        }
        self.state.physics.add_ball(&placement.ball);
        Arc::make_mut(&mut self.state.placements).push(placement);
        self.state.discard_view();
        Ok(())
    }

    /// The places of the robots that a referee has added.
    pub(crate) fn spawned_robots(&self) -> impl DoubleEndedIterator<Item = usize> {
        let of_file = self.setup.scenario.robots.len();
        let robots = self.state.robots.iter().enumerate();
        robots
            .filter(move |(_, robot)| robot.made_by.is_none() && robot.number() as usize >= of_file)
            .map(|(index, _)| index)
    }

    /// Takes away what a referee has added.
    fn remove_spawned(&mut self) {
        let spawned: Vec<usize> = self.spawned_robots().rev().collect();
        spawned.into_iter().for_each(|index| self.remove_robot(index));
        let of_file = self.setup.scenario.balls.len();
        if self.state.balls.len() > of_file {
            self.state.balls.truncate(of_file);
            self.state.physics.keep_balls(of_file);
            Arc::make_mut(&mut self.state.placements).truncate(of_file);
        }
    }

    /// Brings balls and robots to their starting places, at rest; what a referee has added goes, and no kick is on its way.
    pub(crate) fn reset_objects(&mut self) {
        self.remove_spawned();
        self.give_up_kicks();
        for index in 0..self.state.robots.len() {
            self.place_robot(index, self.state.robots[index].start_pose, Twist2::ZERO);
        }
        for (number, placement) in self.setup.scenario.balls.iter().enumerate() {
            let height = Vertical { speed_m_s: 0.0, ..placement.vertical };
            self.state.balls[number] = Ball::rolling(placement.position, [0.0; 2]).lifted(height);
        }
        self.state.game.count_episode();
        self.state.discard_view();
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
        let choice = chosen(parts.scenario, parts.factory, choice, None, By::Command)?;
        let driver = parts.driver(&identity, &choice)?;
        let shadow = parts.shadow(&identity, Some(&choice));
        let robot = &mut self.state.robots[index];
        (robot.player, robot.shadow) = (Some(driver), shadow);
        self.state.duties.acts = true;
        Ok(())
    }

    pub(crate) fn index(&self, number: RobotNumber) -> Result<usize, CommandError> {
        self.robot_index(number).ok_or(CommandError::NoSuchRobot(number))
    }
}

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
            let allowed = "a place is at most 1000 m from the origin, along x and y";
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
