//! The contract of a player.

use super::contract::{Report, Violation, made, same_orders, verdict};
use super::robot::FakeRobot;
use super::seat::{Seat, Team};
use super::subject::PlayerSubject;
use super::world::FakeWorld;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::read_params;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::{ManipulatorStatus, Player, PlayerInput};
use touchline_plugin_api::radio::{Inbox, MessageRecord};
use touchline_plugin_api::state::State;
use touchline_plugin_api::view::NONE;

const CALLS: u64 = 240;

/// Checks a player against the contract of [`Player`], with these parameters (JSON), on a [`FakeRobot`].
///
/// # Panics
/// Names every rule that is broken.
#[track_caller]
pub fn check_player<T: Player>(params: &str) {
    verdict("player", T::NAME, &player_violations::<T>(params, &FakeRobot::new()));
}

/// As [`check_player`], on a robot of the author's own making.
///
/// # Panics
/// Names every rule that is broken.
#[track_caller]
pub fn check_player_of<T: Player>(params: &str, robot: &FakeRobot) {
    verdict("player", T::NAME, &player_violations::<T>(params, robot));
}

/// As [`check_player`], for a player of a team: a coach or a trainer, which sees the truth and drives no robot.
///
/// # Panics
/// Names every rule that is broken.
#[track_caller]
pub fn check_team_player<T: Player>(params: &str) {
    verdict("player", T::NAME, &violations::<T>(params, &Seat::Team(Team::boxed())));
}

/// The same as [`check_player_of`], as a list.
pub fn player_violations<T: Player>(params: &str, robot: &FakeRobot) -> Vec<Violation> {
    violations::<T>(params, &Seat::Robot(robot))
}

fn violations<T: Player>(params: &str, seat: &Seat<'_>) -> Vec<Violation> {
    let mut report = Report::default();
    let _ = check::<T>(&mut report, params, seat);
    report.violations
}

fn check<T: Player>(report: &mut Report, params: &str, seat: &Seat<'_>) -> Option<()> {
    let params = report.params::<T::Params>(T::NAME, T::SUMMARY, params)?;
    let setup = seat.setup();
    let players = made(report, || T::new(read_params(&params)?, &setup))?;
    let all = [&players[0], &players[0], &players[1]];
    let [wants, again, other] =
        report.run("the wanted features", || Ok::<_, String>(all.map(|p| p.wants())))?;
    report.require("the wanted features never change", wants == again && wants == other, || {
        format!("{wants:?}")
    });
    let catalogue = seat.catalogue();
    let there = wants.iter().all(|handle| {
        catalogue
            .sensors
            .get(handle.sensor)
            .is_some_and(|sensor| handle.feature < sensor.layout.features.len())
    });
    report.require("the wanted features are the robot's", there, || format!("{wants:?}"));
    drive(report, &players, seat).map(drop)
}

/// The rules for what instances do; gives how much that was.
pub(super) fn drive<S: PlayerSubject>(
    report: &mut Report,
    players: &[S; 2],
    seat: &Seat<'_>,
) -> Option<String> {
    let (setup, catalogue) = (seat.setup(), seat.catalogue());
    let states =
        [report.initial(|| players[0].initial_state())?, report.initial(|| players[1].initial_state())?];
    let mut bytes = report.same_beginning(&states)?;

    let [mut kept, _] = states;
    let key = NoiseKey::for_owner(2, "contract");
    let mut given = 0;
    for call in 0..CALLS {
        let (name, world) = scene(call);
        let mut readings = seat.read(&world);
        if call % 40 == 39 {
            readings = readings.all_failed();
        }
        let motion_data = seat.motion_data(&world, call);
        let manipulators: Vec<_> = seat
            .manipulators()
            .iter()
            .map(|_| ManipulatorStatus {
                has_ball: u32::from(call % 3 == 0),
                ready_in_secs: (call % 5) as f64 * 0.1,
                ..ManipulatorStatus::default()
            })
            .collect();
        let words = "mine\u{0}{\"x\":1e999}";
        let record = |from, start, len| MessageRecord { from, start, len, ..MessageRecord::default() };
        let records = [record(1, 0, 4), MessageRecord { bearing_rad: 0.5, ..record(99, 4, 13) }];
        let inbox = if call % 7 == 3 {
            Inbox { records: &records, text: words.as_bytes() }
        } else {
            Inbox::default()
        };
        let mut game = GameState::new(setup.teams.len(), &setup.world.game);
        match call / 5 % 6 {
            0 | 1 => game.let_all_move(),
            2 => game.let_move(1),
            3 => game.let_move(NONE),
            _ => game.let_move(0),
        }
        let input = PlayerInput {
            robot: seat.robot(),
            elapsed_secs: if call == 0 { 0.0 } else { setup.period_secs },
            readings: readings.readings(catalogue),
            manipulators: &manipulators,
            inbox,
            motion_data: &motion_data,
            game: game.view(),
            view: world.view(),
            noise: key.at_step(call),
        };
        let place = format!("call {call}, {name}");
        let mut orders = Orders::default();
        report.call(&place, || players[0].sense_and_act(&mut kept, &input, &mut orders))?;
        check_orders(report, &place, seat, &world, &orders);
        given += orders.records.len();
        let mut loaded = report.run(&place, || S::State::load(&bytes))?;
        let mut others = Orders::default();
        report.call(&place, || players[call as usize % 2].sense_and_act(&mut loaded, &input, &mut others))?;
        bytes = report.saved(&place, &loaded)?;
        let memory = report.saved(&place, &kept)?;
        let same = memory == bytes && same_orders(&orders, &others);
        report.require("the state holds all that the next call depends on", same, || {
            format!("{place}: a run through saved states parts from an uninterrupted one")
        });
    }
    let what = if matches!(seat, Seat::Team(_)) { " for a team" } else { "" };
    Some(format!("{CALLS} decisions{what}: {given} orders"))
}

/// A ball that comes and goes, robots that move, and now and then a place that nobody thinks of.
fn scene(call: u64) -> (&'static str, FakeWorld) {
    let t = call as f64 * 0.03;
    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(t);
    let world = FakeWorld::f2000().at(3 * call, t);
    let own = Pose2::new(-2.0 + 0.5 * cos, sin, 2.0 * t);
    match call % 20 {
        17 => ("nobody but the robot, no ball", FakeWorld::new().at(3 * call, t).robot(own, 0)),
        18 => (
            "all in one place",
            world.ball([0.0, 0.0], [0.0; 2]).robot(Pose2::ORIGIN, 0).robot(Pose2::ORIGIN, 1),
        ),
        19 => ("far outside", world.ball([0.0, 0.0], [0.0; 2]).robot(Pose2::new(1e6, 1e6, 0.0), 0)),
        _ => {
            let velocity = Twist2::new(cos, sin, 0.0);
            let world = world
                .ball([4.0 * cos, 2.0 * sin], [-4.0 * sin, 2.0 * cos])
                .moving_robot(own, Twist2::new(-0.5 * sin, cos, 2.0), 0)
                .moving_robot(Pose2::new(-4.0, sin, 0.0), velocity, 0);
            let opponent = |world: FakeWorld, i: u32| {
                world.moving_robot(Pose2::new(f64::from(i), -1.0 + 0.5 * f64::from(i), 3.0), velocity, 1)
            };
            ("match", (0..4).fold(world, opponent))
        }
    }
}

fn check_orders(report: &mut Report, place: &str, seat: &Seat<'_>, world: &FakeWorld, orders: &Orders) {
    let description = &seat.setup().robot;
    for order in orders.iter() {
        let order = match order {
            Ok(order) => order,
            Err(error) => {
                report.require("orders can be read", false, || format!("{place}: {error}"));
                continue;
            }
        };
        let problem = match order.clone() {
            Order::Drive(values) if values.len() != description.motion.dimensions.len() => {
                Some("the command has not the robot's dimensions")
            }
            Order::Drive(values) if !values.iter().all(|value| value.is_finite()) => Some("not finite"),
            Order::DriveTwist(twist) if !twist.is_finite() => Some("not finite"),
            Order::Manipulate { manipulator, state, aim } => {
                let states = description.manipulators.get(manipulator as usize).map_or(0, |m| m.states.len());
                let sound = (state as usize) < states && (0.0..=1.0).contains(&aim.strength);
                (!sound).then_some("no such manipulator or state, or a strength out of [0, 1]")
            }
            Order::PlaceRobot { pose, .. } if !pose.is_finite() => Some("not finite"),
            Order::PlaceBall { position, velocity, vertical, .. } => {
                let height = [vertical.z_m, vertical.speed_m_s];
                let is_finite = position.iter().chain(&velocity).chain(&height).all(|n| n.is_finite());
                (!is_finite || vertical.z_m < 0.0).then_some("not finite, or below the floor")
            }
            Order::Annotate { value, .. }
                if serde_json::from_str::<serde::de::IgnoredAny>(value).is_err() =>
            {
                Some("the value is not JSON")
            }
            Order::SetSensor { sensor, datum, value } => {
                let sensor = description.sensors.sensors.get(sensor as usize);
                let datum = sensor.and_then(|sensor| sensor.data.get(datum as usize));
                let sound = datum.is_some_and(|datum| datum.allows(value));
                (!sound).then_some("no such number of a sensor, or out of its range")
            }
            Order::Game(_)
            | Order::Event { .. }
            | Order::RemoveRobot { .. }
            | Order::HoldRobot { .. }
            | Order::SetDatum { .. }
            | Order::Measure { .. }
            | Order::Tell { .. }
            | Order::RefuseKick { .. }
            | Order::Rule { .. }
            | Order::Announce(_)
            | Order::ResetObjects
            | Order::Reward { .. }
            | Order::EndEpisode(_) => Some("this order is for referees"),
            _ => None,
        };
        let problem = problem.or_else(|| seat.refuses(&order, world));
        report.require("orders make sense", problem.is_none(), || {
            format!("{place}: {order:?}: {}", problem.unwrap_or_default())
        });
    }
}
