//! The contract of a referee.

use super::contract::{Report, Violation, made, same_orders, verdict};
use super::subject::RefereeSubject;
use super::world::FakeWorld;
use std::fmt::Display;
use touchline_plugin_api::game::{GameDescription, GameState};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::read_params;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::referee::{ContactRecord, Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::State;
use touchline_plugin_api::view::NONE;

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

/// What a referee is told when it is made.
pub(super) fn setup() -> RefereeSetup {
    RefereeSetup { teams: vec!["blue".into(), "yellow".into()], dt_secs: 0.01, ..RefereeSetup::default() }
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
    let mut bytes = report.same_beginning(&states)?;

    let [mut kept, _] = states;
    let key = NoiseKey::for_owner(2, "contract");
    let words = referees[0].description();
    let mut game = GameState::new(setup.teams.len(), &words);
    let mut given = 0;
    for step in 0..STEPS {
        let (name, world) = scene(step);
        let contacts =
            [ContactRecord { object_a: 1, object_b: 2, began: u32::from(step % 2 == 0), reserved: 0 }];
        let is_touched = world.view().objects.len() > 2 && step % 3 == 0;
        let input = RefereeInput {
            dt_secs: setup.dt_secs,
            view: world.view(),
            contacts: if is_touched { &contacts } else { &[] },
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
        let mut orders = Orders::default();
        report.call(&place, || referees[0].judge(&mut kept, &input, &mut orders))?;
        given += orders.records.len();
        let mut loaded = report.run(&place, || S::State::load(&bytes))?;
        let mut others = Orders::default();
        report.call(&place, || referees[step as usize % 2].judge(&mut loaded, &input, &mut others))?;
        bytes = report.saved(&place, &loaded)?;
        let memory = report.saved(&place, &kept)?;
        let same = memory == bytes && same_orders(&orders, &others);
        report.require("the state holds all that the next step depends on", same, || {
            format!("{place}: a run through saved states parts from an uninterrupted one")
        });
        if let Some(said) = check_orders(report, &place, (&setup, &words), &world, &orders) {
            game = said;
        }
    }
    Some(format!("{STEPS} judged steps: {given} orders"))
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

/// Gives the last state of the game that was said.
fn check_orders(
    report: &mut Report,
    place: &str,
    (setup, words): (&RefereeSetup, &GameDescription),
    world: &FakeWorld,
    orders: &Orders,
) -> Option<GameState> {
    let view = world.view();
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
            Order::RemoveRobot { robot }
            | Order::HoldRobot { robot, .. }
            | Order::SetDatum { robot, .. }
            | Order::Tell { robot, .. } => view.robot(robot).is_none().then_some("no such robot"),
            Order::Measure { value, .. } => (!value.is_finite()).then_some("a measure that is not finite"),
            Order::Game(game) => {
                let restart = game.restart;
                let phase = (game.phase as usize) < words.phases.len();
                let kind = !restart.is_due() || (restart.kind as usize) < words.restarts.len();
                let team = restart.team == NONE || restart.team < teams;
                let counts = game.teams.len() == setup.teams.len() && game.values.len() == words.values.len();
                let clock = game.clock_secs.is_finite() && game.clock_secs >= 0.0;
                let sound = phase && kind && team && counts && clock;
                said = Some(game.clone());
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
