//! What a referee may order, and what a motion model is told of it. (G1, R2)

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::game::{GameDescription, GameState, GameValue};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{InProcess, MotionInstance, PlayerInstance, RefereeInstance};
use touchline_plugin_api::motion::*;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{PrepareInput, Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, EventKind, MakeError, PluginFactory, World};

/// Dashes like a player of the Soccer Server: a command counts for one step, and each costs stamina.
struct Tired;

impl Motion for Tired {
    const NAME: &'static str = "tired";
    const SUMMARY: &'static str = "dashes as long as it has stamina";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        MotionDescription {
            dimensions: vec![CommandDimension::symmetric("dash", "m/s", 1.0, CommandPart::Forward)],
            data: vec![MotionDatum::settable("stamina", "1", 5.0), MotionDatum::new("dashes", "1")],
            command_life: CommandLife::OneStep,
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let &[stamina, dashes] = input.data else { return Err(Fault::new("two data")) };
        let speed = if stamina >= 1.0 { input.command[0] } else { 0.0 };
        let spent = f64::from(speed != 0.0);
        let mut output = MotionOutput::steady(Twist2::new(speed, 0.0, 0.0));
        output.data[..2].copy_from_slice(&[stamina - spent, dashes + spent]);
        Ok(output)
    }
}

/// Repeats what it hears as a value about itself.
struct Parrot;

impl Player for Parrot {
    const NAME: &'static str = "parrot";
    const SUMMARY: &'static str = "publishes what it hears";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, setup: &PlayerSetup) -> Result<Self, SetupError> {
        let knows = setup.world.game.phase("corner");
        knows.map(|_| Self).ok_or_else(|| SetupError::new("the referee's words did not come"))
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        vec![]
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(
        &self,
        _: &mut Stateless,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        for (from, text) in input.inbox.iter() {
            orders.annotate("heard", &serde_json::json!([from, text]));
        }
        Ok(())
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Ordered after this step.
    at: u64,
    order: String,
}

/// Orders one thing at one step.
struct Whistle(Line);

impl Referee for Whistle {
    const NAME: &'static str = "whistle";
    const SUMMARY: &'static str = "orders one thing";
    type Params = Line;
    type State = Stateless;
    fn new(line: Line, setup: &RefereeSetup) -> Result<Self, SetupError> {
        assert_eq!(setup.world.robots.len(), 2, "it is told the world");
        Ok(Self(line))
    }
    fn description(&self) -> GameDescription {
        GameDescription {
            restarts: vec!["throw-in".into()],
            values: vec![GameValue { name: "corners".into(), unit: String::new(), initial: 2.0 }],
            motion_data: ["dashes", "battery", "stamina"].map(String::from).to_vec(),
            prepares: ["refuse", "back"].contains(&self.0.order.as_str()),
            ..GameDescription::of_phases(&["open", "corner"])
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn prepare(&self, _: &mut Stateless, input: &PrepareInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        for (place, kick) in input.kicks.iter().enumerate() {
            assert_eq!((kick.robot, kick.strength), (0, 1.0), "it sees who kicks");
            assert_eq!(input.commands[1].robot, 1, "and what everybody is told");
            if self.0.order == "back" {
                orders.reset_objects();
            } else if input.view.step < self.0.at {
                orders.refuse_kick(place);
                orders.event("refused", Some(0), "");
            }
        }
        Ok(())
    }
    fn judge(&self, _: &mut Stateless, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if input.view.step != self.0.at {
            return Ok(());
        }
        let game = |change: fn(&mut GameState)| {
            let mut game = input.game.to_state();
            change(&mut game);
            game
        };
        match self.0.order.as_str() {
            "hold" => orders.hold_robot(0, true),
            "fill" => orders.set_datum(0, 2, 9.0),
            "count" => orders.set_datum(0, 0, 9.0),
            "charge" => orders.set_datum(0, 1, 9.0),
            "read" => {
                let [dashes, battery, stamina, ..] = input.motion_data[0].values;
                assert_eq!((input.motion_data.len(), input.motion_data[1].robot), (2, 1));
                assert!(battery.is_nan(), "no model has one");
                orders.measure("stamina", stamina, "1");
                orders.measure("dashes", dashes, "1");
            }
            "tell" => orders.tell(1, "yellow card"),
            "measure" => orders.measure("kick-distance", 2.5, "m"),
            "event" => orders.event("throw-in", Some(1), "at the side"),
            "own word" => orders.event("fault", None, ""),
            "remove" => orders.remove_robot(1),
            "push" => orders.place_moving_robot(1, Pose2::new(2.0, 2.0, 1.0), Twist2::new(0.5, 0.0, 0.0)),
            "throw-in" => {
                let vertical = Vertical { z_m: 0.4, speed_m_s: 1.5 };
                orders.place_flying_ball(0, [1.0, 1.0], [0.5, -0.5], vertical);
            }
            "throw below" => {
                orders.place_flying_ball(0, [1.0, 1.0], [0.0; 2], Vertical { z_m: -0.4, speed_m_s: 0.0 });
            }
            "corner" => orders.set_game(&game(|game| {
                game.phase = 1;
                game.values[0] += 1.0;
                game.let_move(1);
            })),
            "phase" => orders.set_game(&game(|game| game.phase = 2)),
            "teams" => orders.set_game(&game(|game| game.teams.truncate(1))),
            "values" => orders.set_game(&game(|game| game.values[0] = f64::NAN)),
            "refuse" | "back" => {}
            other => return Err(Fault::new(other.to_owned())),
        }
        Ok(())
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }

    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Tired, _>::motion(&choice.params, setup).unwrap()))
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Parrot, _>::player(&choice.params, setup).unwrap()))
    }

    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Whistle, _>::referee(&choice.params, setup).unwrap()))
    }
}

/// Two robots that dash, the second with a player that listens.
fn world(order: &str) -> World {
    world_with(order, |_| {})
}

fn world_with(order: &str, change: impl FnOnce(&mut Scenario)) -> World {
    let team = |colour| Team { name: format!("team-{colour}"), colour, players: Vec::new() };
    let robot = |name: &str, x_m, player| RobotPlacement {
        name: name.into(),
        team: Some(0),
        spec: Arc::new(RobotSpec { traction_m_s2: 1e4, ..disc_robot() }),
        pose: Some(Pose2::new(x_m, 0.0, 0.0)),
        player,
    };
    let player = PlayerChoice { choice: choice("parrot"), period_secs: 0.01 };
    let referee = PluginChoice::new("whistle", serde_json::json!({ "at": 3, "order": order }));
    let mut scenario = Scenario {
        teams: vec![team(1), team(2)],
        robots: vec![robot("a", -2.0, None), robot("b", 2.0, Some(player))],
        referee: Some(referee),
        ..empty_scenario()
    };
    change(&mut scenario);
    World::new(scenario, Arc::new(Factory)).unwrap()
}

fn dash() -> Command {
    Command { client: 1, sequence: 1, action: Action::SetForward(0, 1.0) }
}

fn stamina(world: &World) -> f64 {
    world.frame().robots[0].motion_data[0]
}

fn fault(world: &World) -> Option<String> {
    world.events().find_map(|event| match &event.kind {
        EventKind::Fault { owner, message, .. } if owner == "referee" => Some(message.clone()),
        _ => None,
    })
}

/// R2: a command counts for one step where the model says so, and what the model published comes back to it.
#[test]
fn a_dash_is_one_step() {
    let mut world = world("nothing to order");
    assert_eq!(stamina(&world), 5.0, "before the first step");
    for step in 0..4 {
        let commands = if step % 2 == 0 { vec![dash()] } else { vec![] };
        world.step(&commands);
    }
    let x_m = world.view().robots().next().unwrap().pose.x_m;
    assert_eq!(stamina(&world), 3.0);
    assert!((x_m + 2.0 - 2.0 * world.scenario().dt_secs).abs() < 1e-12, "two steps at 1 m/s: {x_m}");
}

/// R2: a robot without stamina stands, until the referee fills it up.
#[test]
fn a_referee_fills_up_a_stamina() {
    let mut filled = world("fill");
    (0..4).for_each(|_| drop(filled.step(&[dash()])));
    assert_eq!(stamina(&filled), 8.0, "9 after the third step, and one dash since");
    let mut counted = world("count");
    (0..4).for_each(|_| drop(counted.step(&[])));
    assert_eq!(fault(&counted).unwrap(), "bad output: datum 0 \"dashes\" of robot 0 cannot be set");
    let mut charged = world("charge");
    (0..4).for_each(|_| drop(charged.step(&[])));
    assert_eq!(fault(&charged).unwrap(), "bad output: datum 1 \"battery\" of robot 0 cannot be set");
}

/// R4, CH20: a referee reads what motion models publish, by the names that it declares; of a name that a model has not, it gets NaN.
#[test]
fn a_referee_reads_a_stamina() {
    let mut world = world("read");
    (0..3).for_each(|_| drop(world.step(&[dash()])));
    let measured = world.events().filter_map(|event| match &event.kind {
        EventKind::Measure { name, value, .. } => Some((name.clone(), *value)),
        _ => None,
    });
    let measured: Vec<(String, f64)> = measured.collect();
    assert_eq!(measured, [("stamina".into(), 2.0), ("dashes".into(), 3.0)], "after the third step");
}

/// G1: a robot that is held stands, whatever it is told.
#[test]
fn a_referee_holds_a_robot() {
    let mut world = world("hold");
    (0..6).for_each(|_| drop(world.step(&[dash()])));
    assert_eq!(stamina(&world), 2.0, "three dashes before, none after");
    let (hash, fork) = (world.state_hash(), world.fork());
    assert_eq!(hash, fork.state_hash());
}

/// G1: what a referee tells is heard by the robot's player, from nobody.
#[test]
fn a_referee_tells_a_player() {
    let mut world = world("tell");
    (0..5).for_each(|_| drop(world.step(&[])));
    let heard = world.frame().robots[1].annotations.get("heard").cloned().unwrap();
    assert_eq!(heard, format!("[{},\"yellow card\"]", u32::MAX));
}

/// G1: measures and events of the referee's own words are events for all who watch; the core's own words are refused.
#[test]
fn a_referee_has_words_of_its_own() {
    let kinds = |order| {
        let mut world = world(order);
        (0..4).for_each(|_| drop(world.step(&[])));
        let last = world.events().last().unwrap().kind.clone();
        (last.word().to_owned(), last)
    };
    let measure = EventKind::Measure { name: "kick-distance".into(), value: 2.5, unit: "m".into() };
    assert_eq!(kinds("measure"), ("measure".into(), measure));
    let event = EventKind::Game { kind: "throw-in".into(), team: Some(1), text: "at the side".into() };
    assert_eq!(kinds("event"), ("throw-in".into(), event));
    assert!(matches!(kinds("own word").1, EventKind::Fault { message, .. } if message.contains("\"fault\"")));
}

/// G1: a referee sends off, and puts a robot somewhere in motion.
#[test]
fn a_referee_removes_and_places() {
    let mut removed = world("remove");
    (0..4).for_each(|_| drop(removed.step(&[])));
    assert_eq!(removed.view().robots().count(), 1);
    let mut pushed = world("push");
    (0..3).for_each(|_| drop(pushed.step(&[])));
    let robot = pushed.frame().robots[1].clone();
    assert_eq!((robot.pose, robot.twist), (Pose2::new(2.0, 2.0, 1.0), Twist2::new(0.5, 0.0, 0.0)));
}

/// G1: the game is the referee's: its phases, its values, who may move; what it did not declare is a fault that names it.
#[test]
fn the_game_is_the_referees() {
    let after = |order| {
        let mut world = world(order);
        assert_eq!((world.game().phase_name(), world.game().value("corners")), ("open", Some(2.0)));
        (0..4).for_each(|_| drop(world.step(&[])));
        world
    };
    let corner = after("corner");
    let game = corner.game();
    assert_eq!((game.phase_name(), game.value("corners")), ("corner", Some(3.0)));
    assert!(!game.view().may_move(0) && game.view().may_move(1));
    for (order, what) in [
        ("phase", "the game: phase 2 of 2"),
        ("teams", "the game: 1 teams and 1 values; it has 2 and 1"),
        ("values", "the game: a number is not finite"),
    ] {
        let world = after(order);
        assert_eq!(fault(&world).unwrap(), format!("bad output: {what}"));
        assert_eq!(world.game().phase_name(), "open", "nothing of it counts");
    }
}

/// The first robot has a ball before its kicker.
fn kicking(order: &str) -> World {
    world_with(order, |scenario| {
        let kicker = RobotSpec { sensors: vec![], motion: choice("tired"), ..equipped_robot() };
        scenario.robots[0].spec = Arc::new(kicker);
        scenario.balls = vec![ball(FREE_BALL, [-1.65, 0.0], [0.0, 0.0])];
    })
}

fn kick(robot: u32) -> Command {
    let (manipulator, state, aim) = ("kicker".into(), "kick".into(), Aim::strength(1.0));
    Command { client: 1, sequence: 1, action: Action::Manipulate { robot, manipulator, state, aim } }
}

fn speed(world: &World) -> f64 {
    world.view().balls().next().unwrap().twist.x_m_s
}

/// G1: nor does a kick come of the very step before whose physics the referee brings all to its place.
#[test]
fn a_reset_before_the_physics_has_no_kick() {
    let mut world = kicking("back");
    world.step(&[kick(0)]);
    assert_eq!((world.game().episode, speed(&world), fault(&world)), (1, 0.0, None));
}

/// G1: a referee that is asked before the physics refuses a kick: the ball lies as it lay, and the kicker is empty all the same.
#[test]
fn a_referee_refuses_a_kick() {
    let mut world = kicking("refuse");
    world.step(&[kick(0)]);
    assert_eq!(speed(&world), 0.0);
    assert_eq!(world.events().filter(|event| event.kind.word() == "refused").count(), 1);
    // A second later it is charged again, and nobody refuses any more.
    let second = (1.0 / world.scenario().dt_secs) as usize + 1;
    (0..second).for_each(|_| drop(world.step(&[])));
    world.step(&[kick(0)]);
    assert!(speed(&world) > 3.9, "{}", speed(&world));
    assert_eq!(world.events().filter(|event| event.kind.word() == "refused").count(), 1);
}

/// SL10: a referee throws a ball in: where, how high and how fast it says; below the floor is no place, and ends it.
#[test]
fn a_referee_throws_a_ball_in() {
    let with_ball = |order| {
        let balls = vec![ball(FREE_BALL, [0.0; 2], [0.0; 2])];
        world_with(order, |scenario| scenario.balls = balls)
    };
    let mut world = with_ball("throw-in");
    (0..3).for_each(|_| drop(world.step(&[])));
    let thrown = |world: &World| *world.view().balls().next().unwrap();
    let ball = thrown(&world);
    assert_eq!((ball.pose.x_m, ball.pose.y_m, ball.twist.x_m_s, ball.twist.y_m_s), (1.0, 1.0, 0.5, -0.5));
    assert_eq!(ball.vertical, Vertical { z_m: 0.4, speed_m_s: 1.5 });
    let shape = world.view().shapes_of(&ball)[0];
    assert_eq!([shape.z_bottom_m, shape.z_top_m], [0.4, 0.4 + 0.22], "its shape is where it is");
    world.step(&[]);
    assert!((thrown(&world).vertical.z_m - (0.4 + 0.015 - 9.81 / 20_000.0)).abs() < 1e-12);
    let mut world = with_ball("throw below");
    (0..3).for_each(|_| drop(world.step(&[])));
    assert!(fault(&world).unwrap().contains("height of the lowest point"), "{:?}", fault(&world));
}
