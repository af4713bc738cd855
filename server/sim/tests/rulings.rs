//! What a referee orders by its word, and what it publishes of the world. (G1)

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::{InProcess, RefereeInstance};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, EventKind, MakeError, PluginFactory, World};

/// Says at each step what its list has for it.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Script {
    /// Step, word, arguments; the word `annotate` publishes, `back` brings all to its starting place.
    lines: Vec<(u64, String, serde_json::Value)>,
}

struct Scripted(Script);

impl Referee for Scripted {
    const NAME: &'static str = "scripted";
    const SUMMARY: &'static str = "rules by a list";
    type Params = Script;
    type State = Stateless;
    fn new(script: Script, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self(script))
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        for (_, word, args) in self.0.lines.iter().filter(|line| line.0 == input.view.step) {
            match word.as_str() {
                "annotate" => orders.annotate("zone", args),
                "back" => orders.reset_objects(),
                word => orders.rule(word, args),
            }
        }
        Ok(())
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }

    fn referee(&self, c: &PluginChoice, setup: &RefereeSetup) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Scripted, _>::referee(&c.params, setup).unwrap()))
    }
}

/// A robot `a` and a ball, by a law, with a referee that follows a script.
fn world(law: PhysicsLaw, lines: serde_json::Value) -> World {
    let robot = RobotPlacement {
        name: "a".into(),
        team: None,
        spec: Arc::new(disc_robot()),
        pose: Some(Pose2::new(-2.0, 0.0, 0.0)),
        player: None,
    };
    let scenario = Scenario {
        physics: law,
        balls: vec![ball(FREE_BALL, [0.0; 2], [0.0; 2])],
        robots: vec![robot],
        referee: Some(PluginChoice::new("scripted", serde_json::json!({ "lines": lines }))),
        ..empty_scenario()
    };
    World::new(scenario, Arc::new(Factory)).unwrap()
}

const LAWS: [PhysicsLaw; 2] =
    [PhysicsLaw::Rigid, PhysicsLaw::Discs { contact: ContactRule::Impulse, bounding_circles: false }];

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| drop(world.step(&[])));
}

fn fault(world: &World) -> Option<String> {
    world.events().find_map(|event| match &event.kind {
        EventKind::Fault { message, .. } => Some(message.clone()),
        _ => None,
    })
}

/// A spawned ball is a ball as any: it rolls, is pushed and placed, is in snapshots, and goes when all goes back.
#[test]
fn a_spawned_ball_is_a_ball() {
    for law in LAWS {
        let args = serde_json::json!({
            "position_m": [-1.0, 0.0], "velocity_m_s": [2.0, 0.0], "radius_m": 0.05, "mass_kg": 0.1, "colour": 255
        });
        let lines = serde_json::json!([[3, "spawn-ball", args], [200, "back", null]]);
        let mut world = world(law, lines);
        steps(&mut world, 3);
        let balls: Vec<_> = world.view().balls().copied().collect();
        assert_eq!((balls.len(), balls[1].number, balls[1].radius_m, balls[1].colour), (2, 1, 0.05, 255));
        assert_eq!((balls[1].pose.x_m, balls[1].twist.x_m_s), (-1.0, 2.0));
        let (before, mut fork) = (world.snapshot(), world.fork());
        let hash = world.state_hash();
        steps(&mut world, 100);
        let pushed = world.view().balls().next().unwrap().pose.x_m;
        assert!(pushed > 0.05, "it has hit the first ball: {pushed}");
        steps(&mut fork, 100);
        assert_eq!(fork.state_hash(), world.state_hash());
        let place = Action::PlaceBall {
            ball: 1,
            position: [1.0, 1.0],
            velocity: [0.0; 2],
            vertical: touchline_plugin_api::flight::Vertical::FLOOR,
        };
        let outcome = world.apply(&[Command { client: 1, sequence: 0, action: place }]);
        assert!(outcome[0].result.is_ok(), "{outcome:?}");
        world.restore(&before);
        assert_eq!(world.state_hash(), hash);
        steps(&mut world, 197);
        assert_eq!(world.view().balls().count(), 1, "gone with the others' way back");
        steps(&mut world, 10);
        assert_eq!(fault(&world), None);
    }
}

/// A spawned robot is made as the one that it is like, is told to all, and goes when all goes back, or the world is reset.
#[test]
fn a_spawned_robot_is_a_robot() {
    for law in LAWS {
        let args = serde_json::json!({ "name": "b", "like": "a", "pose": { "x_m": 1.0, "y_m": 0.0, "theta_rad": 0.0 } });
        let lines = serde_json::json!([[3, "spawn-robot", args], [9, "back", null], [12, "spawn-robot", { "name": "c", "like": "a" }]]);
        let mut world = world(law, lines);
        steps(&mut world, 3);
        let frame = world.frame();
        let names: Vec<&str> = frame.robots.iter().map(|robot| robot.identity.name.as_str()).collect();
        assert_eq!((names, frame.robots[1].pose.x_m), (vec!["a", "b"], 1.0));
        let drive = Action::SetForward(1, 1.0);
        let outcome = world.step(&[Command { client: 1, sequence: 0, action: drive }]);
        assert!(outcome[0].result.is_ok(), "{outcome:?}");
        steps(&mut world, 4);
        assert!(world.frame().robots[1].pose.x_m > 1.0, "it drives");
        steps(&mut world, 1);
        assert_eq!(world.frame().robots.len(), 1);
        steps(&mut world, 3);
        assert_eq!(world.frame().robots.len(), 2, "at a free place");
        world.apply(&[Command { client: 1, sequence: 1, action: Action::Reset }]);
        assert_eq!(world.frame().robots.len(), 1);
        let gone = |event: &EventKind| matches!(event, EventKind::RobotRemoved { name, .. } if name == "c");
        assert!(world.events().any(|event| gone(&event.kind)), "it is told");
        assert_eq!(fault(&world), None);
    }
}

/// What makes no sense ends the referee, with its reason, and does nothing.
#[test]
fn a_ruling_that_makes_no_sense_ends_the_referee() {
    let robot = |name: &str, like: &str| serde_json::json!({ "name": name, "like": like });
    let ball = |key: &str, value: serde_json::Value| {
        let mut args = serde_json::json!({ "position_m": [1.0, 1.0] });
        args[key] = value;
        args
    };
    for (word, args, reason) in [
        ("dance", serde_json::json!({}), "no ruling \"dance\"; there are spawn-ball, spawn-robot"),
        ("spawn-ball", serde_json::json!({}), "missing field `position_m`"),
        ("spawn-ball", ball("like", 1.into()), "no ball 1 that it could be like; there are 1"),
        ("spawn-ball", ball("weight", 1.into()), "unknown field `weight`"),
        ("spawn-ball", ball("radius_m", 0.into()), "a ball of 0 m"),
        ("spawn-ball", ball("z_m", (-1).into()), "the height of the lowest point"),
        ("spawn-ball", ball("position_m", serde_json::json!([1e9, 0.0])), "at most 1000 m"),
        ("spawn-robot", robot("b", "z"), "the world file has no robot \"z\""),
        ("spawn-robot", robot("a", "a"), "a"),
        ("spawn-robot", robot("a b", "a"), "\"a b\" is no robot's name"),
    ] {
        let mut world = world(PhysicsLaw::Rigid, serde_json::json!([[2, word, args]]));
        steps(&mut world, 3);
        let fault = fault(&world).unwrap_or_default();
        assert!(fault.contains(reason), "{word} {args}: {fault}");
        assert_eq!((world.view().balls().count(), world.frame().robots.len()), (1, 1), "{word} {args}");
    }
}

/// There is an end to spawning.
#[test]
fn so_many_are_spawned_and_no_more() {
    let line = |n: usize| serde_json::json!([1, "spawn-ball", { "position_m": [0.0, n] }]);
    let mut world = world(PhysicsLaw::Rigid, (1..=64).map(line).collect());
    steps(&mut world, 1);
    assert_eq!(world.view().balls().count(), 64);
    assert!(fault(&world).unwrap().contains("there are 64 balls already"));
}

/// What a referee publishes of the world is in the Frame and in the hash; a reset takes it away.
#[test]
fn a_referee_annotates_the_world() {
    let zone = serde_json::json!({ "circle": [0, 0], "radius_m": 2 });
    let mut world = world(PhysicsLaw::Rigid, serde_json::json!([[2, "annotate", zone]]));
    let mut silent = self::world(PhysicsLaw::Rigid, serde_json::json!([]));
    steps(&mut world, 2);
    steps(&mut silent, 2);
    let published = world.frame().annotations;
    assert_eq!(published.iter().collect::<Vec<_>>(), [(&"zone".to_owned(), &zone.to_string())]);
    assert_ne!(world.state_hash(), silent.state_hash());
    world.apply(&[Command { client: 1, sequence: 0, action: Action::Reset }]);
    assert!(world.frame().annotations.is_empty());
}
