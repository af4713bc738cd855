//! Stand-ins do what the plugins that are here do, but for those that are not. [P1, W7]

use crate::common::teams::{TeamFactory, coach, scripted};
use crate::common::*;
use serde_json::json;
use std::sync::Arc;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::plugin::{PluginKind, SetupError};
use touchline_record::Puppets;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, MakeError, PluginFactory, World};

/// The tests' plugins, whose schema allows no speed above 2 m/s.
struct Strict;

impl PluginFactory for Strict {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TeamFactory)
    }

    fn check_params(&self, kind: PluginKind, choice: &PluginChoice) -> Result<(), MakeError> {
        let is_allowed = choice.params["drives"].as_f64().is_none_or(|speed_m_s| speed_m_s <= 2.0);
        let mut problems = SetupError::default();
        problems.require(is_allowed, "drives", "more than the maximum of 2");
        problems.into_result().map_err(MakeError::setup(kind, choice))
    }
}

/// What a match refused for its parameters is refused where it is carried out again; a player that is not here has its stand-in.
#[test]
fn what_a_schema_forbids_is_refused_as_in_the_match() {
    let fast = || json!({ "drives": 3.0 });
    let world = |factory: Arc<dyn PluginFactory>| {
        let robot = RobotPlacement {
            name: "r".into(),
            team: Some(0),
            spec: Arc::new(RobotSpec { motion: choice("necked"), ..disc_robot() }),
            pose: Some(Pose2::ORIGIN),
            player: Some(scripted(json!({}))),
        };
        let mut scenario = Scenario { robots: vec![robot], ..empty_scenario() };
        let by_coach = json!({ "exchanges": [0, "", fast(), 2] });
        scenario.teams[0].players.push(coach("coach", Sees::Nothing, by_coach));
        World::new(scenario, factory).unwrap()
    };
    let exchange = |world: &mut World, plugin: &str| {
        let mut player = scripted(fast());
        player.choice.plugin = plugin.into();
        let action = Action::ExchangePlayer(0, player);
        let outcomes = world.step(&[Command { client: 1, sequence: 0, action }]);
        outcomes[0].result.as_ref().err().map(ToString::to_string)
    };
    let (mut played, mut again) = (world(Arc::new(Strict)), world(Arc::new(Puppets(Arc::new(Strict)))));
    (0..3).for_each(|_| drop((played.step(&[]), again.step(&[]))));
    let fault = |world: &World| world.frame().team_players[0].fault.clone();
    assert!(fault(&played).is_some_and(|fault| fault.contains("drives: more than the maximum of 2")));
    assert_eq!((fault(&again), again.state_hash()), (fault(&played), played.state_hash()));
    // A command that is refused is in no recording; one that is there was let, by another schema than today's.
    let refused = exchange(&mut played, "scripted");
    assert!(refused.is_some_and(|refused| refused.contains("drives: more than the maximum of 2")));
    assert_eq!(exchange(&mut again, "scripted"), None);
    let mut without = world(Arc::new(Puppets(Arc::new(TestFactory))));
    assert_eq!(exchange(&mut without, "elsewhere"), None);
}
