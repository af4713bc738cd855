//! A server without a world: answers every request in a fixed way, for tests of the protocol and of clients.
//!
//! Time stands at step 120. There is one robot from the beginning, `blue-1`; all robots are the same small one.

use crate::answers::{
    BallRow, EventRow, HeardRow, MarkRow, Moments, MotionState, NamedRow, PoseRow, RobotRow, Score, Status,
    TeamRow, events, files, heard, list, motion, players, referee_commands, score, status, timeline, world,
};
use crate::command::Speed;
use crate::counts::FormattedSensor;
use crate::reply::{Problem, Reply};
use crate::request::{AddRobot, Request, RobotRef, RobotSource};
use crate::session::{Incoming, Session, Ticket};
use crate::{Selected, View, describe};
use touchline_kit::data::{BallSighting, LaserScan};
use touchline_plugin_api::container::{Mount, SensorCatalogue, SensorDescription};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{CommandDimension, CommandPart, MotionDatum, MotionDescription};
use touchline_plugin_api::player::{ManipulatorDescription, RobotDescription};

const STEP: u64 = 120;
const SIM_US: u64 = 1_200_000;
const TEAMS: [&str; 2] = ["blue", "yellow"];

/// The world that is none.
#[derive(Debug)]
pub struct FakeServer {
    robots: Vec<(u32, String, Option<u32>)>,
    next_number: u32,
    paused: bool,
    speed: Speed,
    goals: [u32; 2],
    /// The robot that is taken over.
    taken: Option<u32>,
    /// When its one state was published; time stands.
    published_us: Option<u64>,
    /// The requests that were carried out, oldest first.
    pub carried_out: Vec<Request>,
}

impl Default for FakeServer {
    fn default() -> Self {
        Self {
            robots: vec![(1, "blue-1".into(), Some(0))],
            next_number: 2,
            paused: false,
            speed: Speed::Factor(1.0),
            goals: [0; 2],
            taken: None,
            published_us: None,
            carried_out: Vec::new(),
        }
    }
}

/// A robot of two wheels with a laser of five beams and a camera.
pub fn description(name: &str, team: Option<u32>) -> RobotDescription {
    let datum = |name: &str| MotionDatum::new(name, "rad/s");
    let sensor = |id: &str, model: &str, x_m, z_m, features| SensorDescription {
        id: id.into(),
        model: model.into(),
        sensor_type: id.into(),
        plugin: id.into(),
        mount: Mount { x_m, z_m, ..Mount::default() },
        layout: Layout { features },
    };
    RobotDescription {
        name: name.into(),
        team,
        radius_m: 0.25,
        motion: MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "m/s", 0.5, CommandPart::Forward),
                CommandDimension::symmetric("turn", "rad/s", 1.5, CommandPart::Turn),
            ],
            data: vec![datum("wheel-left"), datum("wheel-right")],
            ..MotionDescription::default()
        },
        sensors: SensorCatalogue {
            sensors: vec![
                sensor("laser", "LMS200", 0.017, 0.3, vec![LaserScan::feature("180DegreeScan", 5)]),
                sensor("camera", "EVI-D31", 0.1, 0.5, vec![BallSighting::feature()]),
            ],
        },
        manipulators: vec![ManipulatorDescription {
            name: "kicker".into(),
            states: vec!["rest".into(), "kick".into()],
        }],
    }
}

/// How wide and how far the two look.
const VIEWS: [View; 2] = [
    View {
        field_of_view_rad: Some(std::f64::consts::PI),
        range_max_m: Some(8.0),
        rate_hz: None,
        delay_s: None,
    },
    View { field_of_view_rad: Some(0.85), range_max_m: Some(8.0), rate_hz: None, delay_s: None },
];

/// What the laser of every robot reads: five beams from right to left, the third hits nothing.
pub const LASER: [u32; 7] = [-1_570_796i32 as u32, 78_539_816, 812, 1100, u32::MAX, 1100, 812];
/// What the camera of every robot reads: a ball 2 m away, 0.25 rad to the right.
pub const CAMERA: [u32; 2] = [2000, -2500i32 as u32];

impl FakeServer {
    /// Carries out all requests of a session, and sends the pushes that are due.
    pub fn serve(&mut self, session: &mut Session, now_us: u64) {
        self.published_us.get_or_insert(now_us);
        self.answer(session, now_us);
        while let Some(due) = session.due_push(now_us) {
            let mut state = session.state(due.robot, STEP, SIM_US, self.published_us.unwrap_or(now_us));
            fill(&mut state, &due.selected);
            session.push(state, due.robot);
        }
    }

    /// Carries out all requests of a session.
    pub fn answer(&mut self, session: &mut Session, now_us: u64) {
        self.published_us.get_or_insert(now_us);
        while let Some(Incoming { ticket, request }) = session.next_request(now_us) {
            self.carried_out.push(request.clone());
            if let Err(reply) = self.carry_out(session, ticket, request, now_us) {
                session.answer(ticket, &reply);
            }
        }
    }

    fn find(&self, robot: &RobotRef) -> Result<(u32, &str, Option<u32>), Reply> {
        self.robots
            .iter()
            .find(|(number, name, _)| match robot {
                RobotRef::Number(n) => n == number,
                RobotRef::Name(n) => n == name,
            })
            .map(|(number, name, team)| (*number, name.as_str(), *team))
            .ok_or_else(|| {
                Reply::error("sim/no-such-robot", format!("no robot {}; it may have gone", wanted(robot)))
            })
    }

    fn carry_out(
        &mut self,
        session: &mut Session,
        ticket: Ticket,
        request: Request,
        now_us: u64,
    ) -> Result<(), Reply> {
        let reply = match request {
            Request::AddRobot(robot) => return self.add(session, ticket, robot),
            Request::Get { robot, selection } => {
                let (number, name, team) = self.find(&robot)?;
                let selected = select(&selection, name, team)?;
                let mut state = session.state(number, STEP, SIM_US, self.published_us.unwrap_or(now_us));
                fill(&mut state, &selected);
                session.answer_state(ticket, state);
                return Ok(());
            }
            Request::Push { robot, period_us, selection } => {
                let (number, name, team) = self.find(&robot)?;
                let selected = select(&selection, name, team)?;
                session.answer_push(ticket, number, selected, period_us, now_us);
                return Ok(());
            }
            Request::PushOff(robot) => {
                session.end_push(self.find(&robot)?.0);
                Reply::ok()
            }
            Request::RemoveRobot(robot) | Request::StopPlayer(robot) => {
                let number = self.find(&robot)?.0;
                self.robots.retain(|robot| robot.0 != number);
                session.answer_ok(ticket);
                session.robot_gone(number, "removed");
                return Ok(());
            }
            Request::Describe(robot) => {
                let (number, name, team) = self.find(&robot)?;
                describe(
                    number,
                    team.map(|team| TEAMS[team as usize]),
                    &description(name, team),
                    |sensor| VIEWS[sensor],
                    |_, state| state == 1,
                )
            }
            Request::Drive { robot, command } => {
                self.find(&robot)?;
                if command.len() != 2 {
                    let message = format!(
                        "a command of {} numbers; this robot takes 2: forward (m/s), turn (rad/s)",
                        command.len()
                    );
                    return Err(Reply::error("sim/wrong-dimensions", message)
                        .with("got", command.len())
                        .with("expected", 2u32));
                }
                Reply::ok()
            }
            Request::Forward { robot, .. }
            | Request::Turn { robot, .. }
            | Request::Twist { robot, .. }
            | Request::Manipulate { robot, .. }
            | Request::Say { robot, .. }
            | Request::Annotate { robot, .. }
            | Request::PlaceRobot { robot, .. } => {
                self.find(&robot)?;
                Reply::ok()
            }
            Request::StartPlayer(start) => {
                if start.file.is_none() {
                    self.find(&start.robot)?;
                }
                Reply::ok().with("robot", self.next_number)
            }
            Request::Motion(robot) => {
                let (number, ..) = self.find(&robot)?;
                let state = MotionState {
                    number,
                    twist: [0.3, 0.0, 0.0],
                    command: vec![("forward", 0.4), ("turn", 0.0)],
                    data: vec![("wheel-left", 3.0), ("wheel-right", 3.0)],
                    manipulators: vec![("kicker", "rest", false)],
                };
                let stamp_us = session.stamp_us(self.published_us.unwrap_or(now_us));
                motion(STEP, SIM_US, stamp_us, &state)
            }
            Request::Hear { robot, .. } => {
                self.find(&robot)?;
                let text = "free in the middle";
                heard(3, [HeardRow { number: 2, step: 118, from: 1, from_name: "blue-1", text }])
            }
            Request::Events { since, .. } => {
                let goal =
                    EventRow { number: 7, step: 95, kind: "goal", fields: vec![("team", "blue".into())] };
                events(8, [goal].into_iter().filter(|event| event.number >= since))
            }
            Request::Step { steps } => {
                Reply::ok().with("step", STEP + u64::from(steps)).with("episode", 0u32)
            }
            Request::SetScore { team, goals } => {
                let unknown =
                    || Reply::error("sim/no-such-team", format!("no team \"{team}\"; blue, yellow"));
                let team = TEAMS.iter().position(|name| *name == team).ok_or_else(unknown)?;
                self.goals[team] = goals;
                Reply::ok()
            }
            Request::Pause | Request::Resume => {
                self.paused = request == Request::Pause;
                Reply::ok()
            }
            Request::Speed(speed) => {
                self.speed = speed;
                Reply::ok()
            }
            Request::Timeline { kind, since, .. } => {
                let moments = Moments { now: STEP, oldest: 0, newest: STEP, lost: 0, dt_us: 10_000 };
                let goal = MarkRow { moment: 95, kind: "goal", text: "goal for blue" };
                timeline(
                    &moments,
                    [goal].into_iter().filter(|mark| {
                        mark.moment >= since && kind.as_deref().is_none_or(|kind| kind == "goal")
                    }),
                )
            }
            Request::Jump { moment } if moment > STEP => {
                let message = format!("moment {moment} is not kept; 0 to {STEP} are");
                return Err(Reply::error("record/not-kept", message)
                    .with("oldest", 0u64)
                    .with("newest", STEP));
            }
            Request::Jump { moment } => Reply::ok().with("moment", moment).with("step", moment),
            Request::Record { name, .. } => {
                let name = name.as_deref().unwrap_or("match");
                Reply::ok().with("file", &format!("{name}.mcap"))
            }
            Request::RefereeCommands => referee_commands(["START", "KICKOFF <team>"]),
            Request::TakeRobot(robot) => {
                self.taken = Some(self.find(&robot)?.0);
                Reply::ok()
            }
            Request::GiveRobot(robot) => {
                let number = self.find(&robot)?.0;
                if self.taken.take_if(|taken| *taken == number).is_none() {
                    let message = format!("robot {} is not taken over by anybody", wanted(&robot));
                    return Err(Reply::error("sim/taken", message));
                }
                Reply::ok()
            }
            Request::PlaceBall { .. } | Request::Referee(_) | Request::Reset => Reply::ok(),
            request => self.report(session, &request, now_us),
        };
        session.answer(ticket, &reply);
        Ok(())
    }

    /// The questions that concern no single robot.
    fn report(&self, session: &Session, request: &Request, now_us: u64) -> Reply {
        match request {
            Request::List => list(self.robots.iter().map(|(number, name, team)| RobotRow {
                number: *number,
                name,
                team: team.map(|team| TEAMS[team as usize]),
                model: "pioneer",
                player: (*number == 1).then_some("striker"),
                client: (*number != 1).then_some(session.name()),
                taken_by: (self.taken == Some(*number)).then_some(session.name()),
                fault: None,
            })),
            Request::World => {
                let ball = BallRow { number: 0, position: [1.5, -0.25], velocity: [0.8, 0.0] };
                let robots = self.robots.iter().map(|(number, name, _)| PoseRow {
                    number: *number,
                    name,
                    pose: [-1.0, 0.5, 1.57],
                    twist: [0.3, 0.0, 0.0],
                });
                world(STEP, SIM_US, session.stamp_us(self.published_us.unwrap_or(now_us)), [ball], robots)
            }
            Request::Score => {
                let state = Score {
                    clock_secs: 1.2,
                    phase: "kick-off",
                    restart: Some(("kick-off", Some("blue"))),
                    values: vec![("half", 1.0)],
                    episode: 0,
                };
                let colours = [0x3060ff, 0xffd000];
                score(
                    &state,
                    (0..2).map(|i| TeamRow {
                        name: TEAMS[i],
                        goals: i64::from(self.goals[i]),
                        colour: colours[i],
                    }),
                )
            }
            Request::Players(_) => {
                players([NamedRow { name: "striker", summary: "goes for the ball and kicks it" }])
            }
            Request::Files => files([NamedRow { name: "pioneer", summary: "two wheels, laser, camera" }]),
            _ => status(&Status {
                world: "empty",
                step: STEP,
                run: 0,
                sim_us: SIM_US,
                dt_us: 10_000,
                real_time_factor: 1.0,
                paused: self.paused,
                speed: self.speed,
                timed_steps: STEP,
                late_steps: 0,
                state_hash: 0x5ee0_0000_0000_0120,
                moment: STEP,
                replay: false,
                recording: None,
                recording_failure: None,
                departs: None,
                clients: 1,
                robots: self.robots.len(),
            }),
        }
    }

    fn add(&mut self, session: &mut Session, ticket: Ticket, robot: AddRobot) -> Result<(), Reply> {
        if self.robots.iter().any(|(_, name, _)| *name == robot.name) {
            let message = format!("there is a robot \"{}\" already", robot.name);
            return Err(Reply::error("sim/name-taken", message));
        }
        let team = match &robot.team {
            None => None,
            Some(team) => match TEAMS.iter().position(|name| name == team) {
                Some(index) => Some(index as u32),
                None => {
                    let message = format!("no team \"{team}\"; blue, yellow");
                    return Err(Reply::error("sim/no-such-team", message));
                }
            },
        };
        match &robot.source {
            RobotSource::File(file) if file != "pioneer" => {
                let message = format!("no robot file \"{file}\"; pioneer");
                return Err(Reply::error("board/no-such-file", message));
            }
            RobotSource::Text(text) if !text.contains("motion") => {
                let out_of_range = Problem {
                    line: Some(2),
                    column: Some(11),
                    code: "config/out-of-range".into(),
                    got: Some("mass_kg = -8".into()),
                    allowed: Some(
                        "a number, 0 < mass_kg <= 1000: the mass of the whole robot, kilograms".into(),
                    ),
                    hint: Some("take more than 0".into()),
                    message: "\"mass_kg\" is outside what is allowed".into(),
                    ..Problem::default()
                };
                let unknown = Problem {
                    line: Some(3),
                    column: Some(1),
                    code: "config/unknown-key".into(),
                    got: Some("moton = { plugin = \"differential\" }".into()),
                    allowed: Some(
                        "body, colour, include, manipulator, mass_kg, model, motion, sensor".into(),
                    ),
                    hint: Some("did you mean \"motion\"?".into()),
                    message: "unknown key \"moton\"".into(),
                    ..Problem::default()
                };
                let problems = [out_of_range, unknown];
                return Err(Reply::problems("config/bad-file", "the robot file has 2 problems", &problems));
            }
            _ => {}
        }
        let number = self.next_number;
        self.next_number += 1;
        self.robots.push((number, robot.name, team));
        session.answer_robot(ticket, number);
        Ok(())
    }
}

fn wanted(robot: &RobotRef) -> String {
    match robot {
        RobotRef::Number(number) => number.to_string(),
        RobotRef::Name(name) => format!("\"{name}\""),
    }
}

fn select(selection: &crate::Selection, name: &str, team: Option<u32>) -> Result<Vec<Selected>, Reply> {
    let error = |error: crate::UnknownTerm| Reply::error("board/no-such-sensor", error.to_string());
    selection.resolve(&description(name, team).sensors).map_err(error)
}

fn fill(state: &mut crate::StateReply, selected: &[Selected]) {
    let catalogue = description("", None).sensors;
    for one in selected {
        let sensor = &catalogue.sensors[one.sensor];
        let counts: &[u32] = if sensor.id == "laser" { &LASER } else { &CAMERA };
        let formatted = FormattedSensor::new(&sensor.layout, counts);
        match one.feature {
            None => state.sensor(&sensor.id, &formatted, 0),
            Some(feature) => {
                state.feature(&sensor.id, &sensor.layout.features[feature].name, &formatted, feature, 0)
            }
        }
    }
}
