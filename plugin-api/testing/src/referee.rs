//! The contract of a referee.

use super::contract::{Report, Violation, made, same_orders, verdict};
use super::subject::RefereeSubject;
use super::world::FakeWorld;
use std::fmt::Display;
use touchline_plugin_api::game::{GameDescription, GameState};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::read_params;
use touchline_plugin_api::motion::MAX_DIMENSIONS;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::DataRecord;
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::referee::{
    CommandRecord, ContactRecord, KickRecord, PrepareInput, Referee, RefereeInput, RefereeSetup,
};
use touchline_plugin_api::state::State;
use touchline_plugin_api::view::{NONE, Object};
use touchline_plugin_api::world::WorldDescription;

const STEPS: u64 = 600;

/// Checks a referee against the contract of [`Referee`], with these parameters (JSON), in a match of two teams.
///
/// # Panics
/// Names every rule that is broken.
#[track_caller]
pub fn check_referee<T: Referee>(params: &str) {
    verdict("referee", T::NAME, &referee_violations::<T>(params));
}

/// The same as [`check_referee`], as a list.
pub fn referee_violations<T: Referee>(params: &str) -> Vec<Violation> {
    let mut report = Report::default();
    let _ = check::<T>(&mut report, params);
    report.violations
}

fn check<T: Referee>(report: &mut Report, params: &str) -> Option<()> {
    let params = report.params::<T::Params>(T::NAME, T::SUMMARY, params)?;
    run(report, |setup| T::new(read_params(&params)?, setup)).map(drop)
}

/// What a referee is told when it is made: a match of four against four, of whom the first two are what the scenes show.
pub(super) fn setup() -> RefereeSetup {
    let others = (2..=4).flat_map(|n| [(format!("blue-{n}"), Some(0)), (format!("yellow-{n}"), Some(1))]);
    let first = [("blue-1".into(), Some(0)), ("yellow-1".into(), Some(1))];
    let (robots, robot_teams) = first.into_iter().chain(others).unzip();
    RefereeSetup {
        teams: vec!["blue".into(), "yellow".into()],
        dt_secs: 0.01,
        world: WorldDescription {
            robots,
            robot_teams,
            fixtures: FakeWorld::f2000().fixture_names(),
            balls: 1,
            dt_secs: 0.01,
            ..WorldDescription::default()
        },
    }
}

/// The rules for what instances do; gives how much that was.
pub(super) fn run<S: RefereeSubject, E: Display>(
    report: &mut Report,
    make: impl Fn(&RefereeSetup) -> Result<S, E>,
) -> Option<String> {
    let setup = setup();
    let referees = made(report, || make(&setup))?;
    let states =
        [report.initial(|| referees[0].initial_state())?, report.initial(|| referees[1].initial_state())?];
    let bytes = report.same_beginning(&states)?;

    let [kept, _] = states;
    let mut pair = Pair { referees, kept, bytes, given: 0 };
    let key = NoiseKey::for_owner(2, "contract");
    let prepare_key = NoiseKey::for_owner(2, "contract/prepare");
    let words = pair.referees[0].description();
    let told = Told { setup: &setup, words: &words };
    let mut game = GameState::new(setup.teams.len(), &words);
    for step in 0..STEPS {
        let (name, world) = scene(step);
        let began = u32::from(step % 2 == 0);
        let contacts = [
            ContactRecord { object_a: 0, object_b: 1, began, fixture: 0 },
            ContactRecord { object_a: 1, object_b: 2, began, fixture: NONE },
        ];
        let is_touched = world.view().objects.len() > 2 && step % 3 == 0;
        let motion_data = motion_data(&world, &words, step);
        if words.prepares {
            let (commands, kicks) = (commands(&world), kicks(&world, step));
            let input = PrepareInput {
                dt_secs: setup.dt_secs,
                view: world.view(),
                commands: &commands,
                kicks: &kicks,
                motion_data: &motion_data,
                game: game.view(),
                noise: prepare_key.at_step(step),
            };
            let place = format!("before step {step}, {name}");
            let prepare = |referee: &S, state: &mut S::State, orders: &mut Orders| {
                referee.prepare(state, &input, orders)
            };
            let orders = pair.call(report, &place, step, prepare)?;
            game = told.check_orders(report, &place, (&world, kicks.len()), &orders).unwrap_or(game);
        }
        let input = RefereeInput {
            dt_secs: setup.dt_secs,
            view: world.view(),
            motion_data: &motion_data,
            contacts: if is_touched { &contacts } else { &[] },
            waypoints: &[],
            game: game.view(),
            commands: match step % 50 {
                10 => "start\n",
                20 => "no such command\n\n \u{0} \n",
                30 => "stop\nstart\n",
                _ => "",
            },
            noise: key.at_step(step),
        };
        let place = format!("step {step}, {name}");
        let judge =
            |referee: &S, state: &mut S::State, orders: &mut Orders| referee.judge(state, &input, orders);
        let orders = pair.call(report, &place, step, judge)?;
        game = told.check_orders(report, &place, (&world, 0), &orders).unwrap_or(game);
    }
    Some(format!("{STEPS} judged steps: {} orders", pair.given))
}

/// What the robots publish of what the referee declares: a number that changes, or nothing of the name.
fn motion_data(world: &FakeWorld, words: &GameDescription, step: u64) -> Vec<DataRecord> {
    let record = |robot: &Object| {
        let len = words.motion_data.len();
        let mut record = DataRecord { robot: robot.number, len: len as u32, ..DataRecord::default() };
        for (place, value) in record.values.iter_mut().take(len).enumerate() {
            let is_there = (place as u64 + u64::from(robot.number)) % 3 != 2;
            *value = if is_there { (step % 40) as f64 / 39.0 } else { f64::NAN };
        }
        record
    };
    let robots = world.view().robots().map(record).collect();
    if words.motion_data.is_empty() { Vec::new() } else { robots }
}

/// Two instances: one that keeps its state in memory, and both by turns with one that is saved after each call.
struct Pair<S: RefereeSubject> {
    referees: [S; 2],
    kept: S::State,
    bytes: Vec<u8>,
    given: usize,
}

impl<S: RefereeSubject> Pair<S> {
    /// Makes the same call both ways, which must do the same.
    fn call(
        &mut self,
        report: &mut Report,
        place: &str,
        step: u64,
        ask: impl Fn(&S, &mut S::State, &mut Orders) -> Result<(), Fault>,
    ) -> Option<Orders> {
        let mut orders = Orders::default();
        report.call(place, || ask(&self.referees[0], &mut self.kept, &mut orders))?;
        self.given += orders.records.len();
        let mut loaded = report.run(place, || S::State::load(&self.bytes))?;
        let mut others = Orders::default();
        report.call(place, || ask(&self.referees[step as usize % 2], &mut loaded, &mut others))?;
        self.bytes = report.saved(place, &loaded)?;
        let memory = report.saved(place, &self.kept)?;
        let same = memory == self.bytes && same_orders(&orders, &others);
        report.require("the state holds all that the next step depends on", same, || {
            format!("{place}: a run through saved states parts from an uninterrupted one")
        });
        Some(orders)
    }
}

/// What each robot is told to do.
fn commands(world: &FakeWorld) -> Vec<CommandRecord> {
    let command =
        |robot: &Object| CommandRecord { robot: robot.number, len: 2, values: [0.5; MAX_DIMENSIONS] };
    world.view().robots().map(command).collect()
}

/// Now and then all robots kick.
fn kicks(world: &FakeWorld, step: u64) -> Vec<KickRecord> {
    let kick = |robot: &Object| KickRecord {
        robot: robot.number,
        manipulator: 0,
        state: 1,
        reserved: 0,
        strength: 1.0,
        direction_rad: 0.1,
        elevation_rad: 0.5,
    };
    if step.is_multiple_of(7) { world.view().robots().map(kick).collect() } else { Vec::new() }
}

/// A ball that rolls over the field, into both goals and out at all sides; then worlds without a ball, without robots.
fn scene(step: u64) -> (&'static str, FakeWorld) {
    let t = step as f64 * 0.01;
    let world = FakeWorld::f2000().at(step, t);
    let robots = |world: FakeWorld| {
        world.robot(Pose2::new(-2.0, 0.5, 0.0), 0).robot(Pose2::new(2.0, 0.5, 3.0), 1).moving_robot(
            Pose2::new(0.0, -2.0, 1.0),
            Twist2::new(0.5, 0.5, 0.0),
            NONE,
        )
    };
    let progress = (step % 100) as f64 / 100.0;
    match step / 100 {
        0 => ("into the goal at +x", robots(world.ball([5.6 * progress, 0.2], [5.6, 0.0]))),
        1 => ("into the goal at -x", robots(world.ball([-5.6 * progress, -0.2], [-5.6, 0.0]))),
        2 => ("out at the side", robots(world.ball([1.0, 3.0 * progress], [0.0, 3.0]))),
        3 => ("out beside the goal", robots(world.ball([-5.9 * progress, 2.0], [-5.9, 0.0]))),
        4 => ("no ball", robots(world)),
        _ => ("no robots, two balls", world.ball([5.4, 0.0], [0.0; 2]).ball([1e6, 0.0], [1e3, 0.0])),
    }
}

/// What a referee was told when it was made, and what it declares.
struct Told<'a> {
    setup: &'a RefereeSetup,
    words: &'a GameDescription,
}

impl Told<'_> {
    /// Gives the last state of the game that was said.
    fn check_orders(
        &self,
        report: &mut Report,
        place: &str,
        (world, kicks): (&FakeWorld, usize),
        orders: &Orders,
    ) -> Option<GameState> {
        let (Self { setup, words }, view) = (self, world.view());
        let mut said = None;
        for order in orders.iter() {
            let order = match order {
                Ok(order) => order,
                Err(error) => {
                    report.require("orders can be read", false, || format!("{place}: {error}"));
                    continue;
                }
            };
            let teams = setup.teams.len() as u32;
            let problem = match order.clone() {
                Order::Drive(_)
                | Order::DriveTwist(_)
                | Order::Manipulate { .. }
                | Order::Say { .. }
                | Order::SetSensor { .. }
                | Order::End => Some("this order is for players"),
                Order::PlaceRobot { robot, pose, twist } => {
                    (view.robot(robot).is_none() || !pose.is_finite() || !twist.is_finite())
                        .then_some("no such robot, or not finite")
                }
                Order::PlaceBall { ball, position, velocity, vertical } => {
                    let there = view.balls().any(|object| object.number == ball);
                    let height = [vertical.z_m, vertical.speed_m_s];
                    let finite = position.iter().chain(&velocity).chain(&height).all(|n| n.is_finite());
                    let sound = there && finite && vertical.z_m >= 0.0;
                    (!sound).then_some("no such ball, not finite, or below the floor")
                }
                Order::Reward { robot, value } => (view.robot(robot).is_none() || !value.is_finite())
                    .then_some("no such robot, or a reward that is not finite"),
                Order::Event { team, .. } => (team != NONE && team >= teams).then_some("no such team"),
                Order::RemoveRobot { robot } | Order::HoldRobot { robot, .. } | Order::Tell { robot, .. } => {
                    view.robot(robot).is_none().then_some("no such robot")
                }
                Order::SetDatum { robot, datum, value } => {
                    let sound = view.robot(robot).is_some() && value.is_finite();
                    let declared = (datum as usize) < words.motion_data.len();
                    (!sound || !declared).then_some(
                        "no such robot, a datum that is not declared, or a number that is not finite",
                    )
                }
                Order::RefuseKick { kick } => (kick as usize >= kicks).then_some("no such kick"),
                Order::Measure { value, .. } => {
                    (!value.is_finite()).then_some("a measure that is not finite")
                }
                Order::Game(game) => {
                    let game = game.to_state();
                    let restart = game.restart;
                    let phase = (game.phase as usize) < words.phases.len();
                    let kind = !restart.is_due() || (restart.kind as usize) < words.restarts.len();
                    let team = restart.team == NONE || restart.team < teams;
                    let counts =
                        game.teams.len() == setup.teams.len() && game.values.len() == words.values.len();
                    let clock = game.clock_secs.is_finite() && game.clock_secs >= 0.0;
                    let sound = phase && kind && team && counts && clock;
                    said = Some(game);
                    (!sound).then_some(
                        "a phase, restart, team or value that is not declared, or a clock that is not finite",
                    )
                }
                Order::Annotate { value, .. }
                    if serde_json::from_str::<serde::de::IgnoredAny>(value).is_err() =>
                {
                    Some("the value is not JSON")
                }
                Order::Rule { args, .. } if serde_json::from_str::<serde::de::IgnoredAny>(args).is_err() => {
                    Some("what a ruling is made with is not JSON")
                }
                _ => None,
            };
            report.require("orders make sense", problem.is_none(), || {
                format!("{place}: {order:?}: {}", problem.unwrap_or_default())
            });
        }
        said
    }
}
