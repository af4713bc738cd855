//! What docs/plugins.md says that a referee may order is what it may. (G1)

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{InProcess, RefereeInstance};
use touchline_plugin_api::orders::{Orders, code};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::radio::Channel;
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::*;
use touchline_sim::{EventKind, MakeError, PluginFactory, World};

/// A function of `Orders`, and a call of it.
type Call = (&'static str, fn(&mut Orders));

const CALLS: [Call; 28] = [
    ("drive", |orders| orders.drive(&[0.0])),
    ("drive_twist", |orders| orders.drive_twist(Twist2::ZERO)),
    ("manipulate", |orders| orders.manipulate(0, 0, 0.0)),
    ("manipulate_aimed", |orders| orders.manipulate_aimed(0, 0, Aim::strength(0.0))),
    ("say", |orders| orders.say("here")),
    ("say_on", |orders| orders.say_on(Channel::Team, "here")),
    ("set_sensor", |orders| orders.set_sensor(0, 0, 0.0)),
    ("exchange_player", |orders| orders.exchange_player(0, "", &serde_json::json!({}), None)),
    ("annotate", |orders| orders.annotate("key", &serde_json::json!(1))),
    ("end", Orders::end),
    ("place_robot", |orders| orders.place_robot(0, Pose2::ORIGIN)),
    ("place_moving_robot", |orders| orders.place_moving_robot(0, Pose2::ORIGIN, Twist2::ZERO)),
    ("place_ball", |orders| orders.place_ball(0, [0.0; 2], [0.0; 2])),
    ("place_flying_ball", |orders| orders.place_flying_ball(0, [0.0; 2], [0.0; 2], Vertical::FLOOR)),
    ("set_game", |orders| orders.set_game(&GameState::default())),
    ("set_game_view", |orders| orders.set_game_view(GameState::default().view())),
    ("event", |orders| orders.event("goal", None, "")),
    ("measure", |orders| orders.measure("way", 1.0, "m")),
    ("tell", |orders| orders.tell(0, "here")),
    ("remove_robot", |orders| orders.remove_robot(0)),
    ("hold_robot", |orders| orders.hold_robot(0, true)),
    ("set_datum", |orders| orders.set_datum(0, 0, 0.0)),
    ("announce", |orders| orders.announce("here")),
    ("reset_objects", Orders::reset_objects),
    ("refuse_kick", |orders| orders.refuse_kick(0)),
    ("reward", |orders| orders.reward(0, 1.0)),
    ("end_episode", |orders| orders.end_episode("goal")),
    ("rule", |orders| orders.rule("spawn-ball", &serde_json::json!({}))),
];

struct Caller(fn(&mut Orders));

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Choice {
    place: usize,
}

impl Referee for Caller {
    const NAME: &'static str = "caller";
    const SUMMARY: &'static str = "gives one order";
    type Params = Choice;
    type State = Stateless;
    fn new(choice: Choice, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self(CALLS[choice.place].1))
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, _: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        (self.0)(orders);
        Ok(())
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }
    fn referee(&self, c: &PluginChoice, setup: &RefereeSetup) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Caller, _>::referee(&c.params, setup).unwrap()))
    }
}

/// Whether the world takes such an order from a referee, whatever it says to what the order names.
fn is_taken(place: usize) -> bool {
    let referee = Some(PluginChoice::new("caller", serde_json::json!({ "place": place })));
    let mut world = World::new(Scenario { referee, ..empty_scenario() }, Arc::new(Factory)).unwrap();
    world.step(&[]);
    let is_refusal = |kind: &EventKind| matches!(kind, EventKind::Fault { message, .. } if message.contains("a referee cannot order"));
    !world.events().any(|event| is_refusal(&event.kind))
}

/// What stands in code between two parts of the guide.
fn named<'a>(guide: &'a str, from: &str, to: &str) -> BTreeSet<&'a str> {
    let text = guide.split_once(from).unwrap_or_else(|| panic!("the guide has not: {from}")).1;
    let text = text.split_once(to).unwrap_or_else(|| panic!("the guide has not: {to}")).0;
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_guide_names_what_a_referee_may_order() {
    let mut given = Orders::default();
    CALLS.iter().for_each(|(_, call)| call(&mut given));
    let codes: BTreeSet<u32> = given.records.iter().map(|record| record.code).collect();
    assert_eq!(codes, (code::DRIVE..=code::RULE).collect(), "each order is given");

    let guide = include_str!("../../../docs/plugins.md");
    let mut has = named(guide, "A referee has the orders ", " Of a player's orders it has");
    // These two are no orders.
    has.retain(|word| !["goal", "prepare"].contains(word));
    has.extend(named(guide, "Of a player's orders it has", " The others stop it: "));
    let stops = named(guide, " The others stop it: ", ".\n");
    for (place, (name, _)) in CALLS.iter().enumerate() {
        // A kick is refused before the physics alone; `manipulate` stands for both.
        let is_asked = !["refuse_kick", "manipulate_aimed"].contains(name);
        assert!(!is_asked || is_taken(place) == has.contains(name), "{name}: {has:?}");
        assert!(!is_asked || is_taken(place) != stops.contains(name), "{name}: {stops:?}");
    }
    let known: BTreeSet<&str> = CALLS.iter().map(|(name, _)| *name).collect();
    assert!(has.iter().chain(&stops).all(|name| known.contains(name)), "{has:?} {stops:?}");
}
